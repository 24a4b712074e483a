"""The estimator INTERPOLE: what was believed before each decision, and at which beliefs decisions change."""
from __future__ import annotations

import os
import pathlib
import tempfile
from typing import Any, Optional

from . import _engine
from ._call import run
from ._cards import card
from ._draws import Draws
from ._errors import Error
from ._learner import LearnerEstimator
from ._results import Audit, Bias, Check, Explanation, Picture
from ._rows import label_text
from ._study import Labels, States, StudyLike
from ._tables import Data, Path


class Interpole(LearnerEstimator):
    """INTERPOLE: beliefs and decision boundaries behind recorded decisions.

    Parameters
    ----------
    study : path or text of a study file; or
    states : names of the hidden states, or how many there are.
    labels : which state is which, without a study: an action and an observation that becomes likelier along `states`.
    dynamics : "coupled" (the decision-maker's picture of the world beside the world), "shared" or "subjective".
    coupling : how far apart the two may be; None: by the evidence.
    policy : what decisions may follow beside beliefs: "auto", "belief" or "full".
    optimizer : "lbfgs", or whatever `interpole fit --optimizer` takes.
    restarts : searches from different starts; None: until few better ends can be left to find.
    most_iterations : of a search; None: as the program.
    actions : all actions there are, where a part of the data may lack some; None: those of the study or the table.
    record, step, action, observation : columns of a table that `fit` is given.
    last_action, levels : of rows in scikit-learn's form: the column with the action before, and into how many levels
        columns of numbers are cut.
    seed, threads : the same seed gives the same bytes, whatever the threads (0: all cores).
    verbose : print what is noted meanwhile.

    After `fit`, `feature_names_in_` has the columns of a data frame X.

    Examples
    --------
    >>> import interpole
    >>> frame, truth = interpole.simulate("bias", patients=100, seed=1)
    >>> model = interpole.Interpole(states=["healthy", "diseased"], labels=("monitor", "positive"), restarts=1,
    ...                             policy="belief").fit(frame)
    >>> model.predict_proba(frame).shape == (len(frame), 3)
    True
    >>> list(model.boundaries.columns)[:4]
    ['before', 'after', 'from', 'to']
    """

    algorithm = "interpole"

    dynamics: Optional[str]
    coupling: Optional[float]
    policy: str
    optimizer: str
    restarts: Optional[int]
    most_iterations: Optional[int]

    def __init__(self, *, study: StudyLike | None = None, states: States | None = None, labels: Labels | None = None,
                 dynamics: str | None = "coupled", coupling: float | None = None, policy: str = "auto",
                 optimizer: str = "lbfgs", restarts: int | None = None, most_iterations: int | None = None,
                 actions: list[str] | None = None, record: str = "patient", step: str = "step",
                 action: str = "action", observation: str = "observation", last_action: str = "last_action",
                 levels: int = 3, seed: int = 1, threads: int = 0, verbose: bool = False) -> None:
        self.study = study
        self.states = states
        self.labels = labels
        self.dynamics = dynamics
        self.coupling = coupling
        self.policy = policy
        self.optimizer = optimizer
        self.restarts = restarts
        self.most_iterations = most_iterations
        self.actions = actions
        self.record = record
        self.step = step
        self.action = action
        self.observation = observation
        self.last_action = last_action
        self.levels = levels
        self.seed = seed
        self.threads = threads
        self.verbose = verbose

    def _search_settings(self) -> dict[str, Any]:
        return {"dynamics": self.dynamics, "coupling": self.coupling, "policy": self.policy, "optimizer": self.optimizer,
                "restarts": 0 if self.restarts is None else self.restarts,
                "most_iterations": 0 if self.most_iterations is None else self.most_iterations}

    # -- numbers ----------------------------------------------------------------------------------------------

    @property
    def boundaries(self) -> Any:
        """Beliefs at which the likeliest action changes, with intervals: a data frame."""
        import pandas as pd

        self._require_fitted()
        return pd.DataFrame(self.summary_.get("intervals", {}).get("boundaries", []))

    @property
    def intervals(self) -> Any:
        """Every number of the model with its interval: a data frame."""
        import pandas as pd

        self._require_fitted()
        numbers = self.summary_.get("intervals", {}).get("parameters", {})
        return pd.DataFrame([{"parameter": name, **value} for name, value in numbers.items()])

    def bias(self, data: Data | None = None, *, margin: float = 0.05, level: float = 0.95, shares: bool = False) -> Bias:
        """Where the decision-maker's picture of the world differs from it.

        `margin`: differences below it do not count; `shares`: also which ingredient explains how much.
        """
        return Bias(self._task(_engine.bias, self._data(data), draws="", margin=margin, level=level, shares=shares,
                               seed=self.seed, threads=self.threads))

    def check(self, data: Data | None = None) -> Check:
        """Whether the model reproduces what it was not fitted to."""
        return Check(self._task(_engine.check, self._data(data), threads=self.threads))

    def explain(self, record: Any, data: Data | None = None, *, level: float = 0.95) -> Explanation:
        """One record, visit by visit.

        >>> import interpole
        >>> frame, truth = interpole.simulate("bias", patients=100, seed=1)
        >>> model = interpole.Interpole(states=2, labels=("monitor", "positive"), restarts=1, policy="belief").fit(frame)
        >>> list(model.explain("p000001").frame["action"])
        ['monitor', 'monitor', 'monitor', 'monitor', 'declare-healthy']
        """
        return Explanation(self._task(_engine.explain, self._data(data), patient=label_text(record), level=level,
                                      seed=self.seed))

    def audit(self, data: Data | None = None, *, cohorts: list[str] | None = None, tests: list[str] | None = None,
              certainty: float | None = None, min_cell: int = 11) -> Audit:
        """Belated diagnoses, uninformative tests, unlikely records."""
        import pandas as pd

        source = self._data(data)
        with tempfile.TemporaryDirectory(prefix="interpole-") as folder:
            table = os.path.join(folder, "audit.csv")
            text = self._task(_engine.audit, source, csv=table, cohorts=cohorts or [], tests=tests or [],
                              min_cell=min_cell, certainty=certainty, seed=self.seed, threads=self.threads)
            return Audit(text, pd.read_csv(table, dtype={"patient": str}, float_precision="round_trip"))

    def sample(self, data: Data | None = None, *, draws: int = 1000, warm_up: int = 1000, chains: int = 4,
               target_accept: float = 0.8) -> Draws:
        """Draws from the posterior: the table of `interpole sample` with the same options."""
        source = self._data(data)
        settings = self._search_settings()
        with tempfile.TemporaryDirectory(prefix="interpole-") as folder, source.own_words():
            csv, arviz = pathlib.Path(folder, "draws.csv"), pathlib.Path(folder, "draws.json")
            summary, columns, chain, iteration, values = run(
                _engine.sample, verbose=self.verbose, study=self._study.path, data=source.tables, output=str(csv),
                arviz=str(arviz), dynamics=self.dynamics or "coupled", coupling=self.coupling, policy=self.policy,
                draws=draws, warm_up=warm_up, chains=chains, target_accept=target_accept, restarts=settings["restarts"],
                seed=self.seed, threads=self.threads)
            return Draws(summary, columns, chain, iteration, values, csv.read_text(encoding="utf-8"),
                         arviz.read_text(encoding="utf-8"))

    # -- pictures ---------------------------------------------------------------------------------------------

    def plot(self, kind: str = "policy", data: Data | None = None, *, patients: list[Any] | None = None,
             show_ids: bool = False, level: float = 0.9) -> Picture:
        """A figure: "policy", "trajectory", "figure4", "beliefs", "tree", "bias" or "shares"."""
        source = self._data(data)
        with tempfile.TemporaryDirectory(prefix="interpole-") as folder:
            output = pathlib.Path(folder, "figure.svg")
            self._task(_engine.plot, source, kind=kind, patients=[label_text(patient) for patient in patients or []],
                       show_ids=show_ids, level=level, seed=self.seed, threads=self.threads, output=str(output))
            return Picture(output.read_text(encoding="utf-8"))

    def report(self, path: Path, data: Data | None = None, *, title: str = "", allow_individual: bool = False,
               min_cell: int = 11) -> None:
        """The explorer with the model and its records in it: one HTML file."""
        self._task(_engine.report, self._data(data), title=title, allow_individual=allow_individual, min_cell=min_cell,
                   seed=self.seed, threads=self.threads, output=os.fspath(path))

    def explore(self, data: Data | None = None, *, title: str = "", allow_individual: bool = False, min_cell: int = 11,
                open_browser: bool = True) -> str:
        """Opens the explorer's page in a browser; gives its file, which is readable by its owner alone."""
        import webbrowser

        folder = tempfile.mkdtemp(prefix="interpole-")
        path = os.path.join(folder, "report.html")
        self.report(path, data, title=title, allow_individual=allow_individual, min_cell=min_cell)
        if open_browser:
            webbrowser.open(pathlib.Path(path).as_uri())
        return path

    def _repr_html_(self) -> str:
        if not hasattr(self, "model_"):
            return card("Interpole, not fitted yet", [repr(self)])
        summary = self.summary_
        sentences = [f"{summary.get('patients'):,} records, {summary.get('decisions'):,} decisions, "
                     f"{summary.get('histories'):,} distinct histories", *self._term_sentences]
        verdict = summary.get("agent_and_world", {}).get("verdict")
        if verdict:
            sentences.append(f"Agent and world: {verdict}")
        picture = ""
        if self._source is not None:
            try:
                picture = self.plot("policy").inline
            except Error as error:
                sentences.append(str(error))
        return card(f"Interpole: {', '.join(self.model_.states)}", sentences, picture)

    def _repr_mimebundle_(self, **_: Any) -> dict[str, str]:
        """Notebooks ask for this first; scikit-learn's would show a diagram of parameters."""
        return {"text/plain": repr(self), "text/html": self._repr_html_()}
