"""Estimators with scikit-learn's manners, on the library's tasks."""
from __future__ import annotations

import inspect
import json
import os
import pathlib
import tempfile
from typing import TYPE_CHECKING, Any, ClassVar, Optional

from . import _engine
from ._draws import Draws
from ._errors import Error
from ._listen import Listener
from ._results import Audit, Bias, Check, Evaluation, Explanation, Model, Picture, card
from ._rows import RowsReader, decoded, label_text
from ._study import HeldStudy, States, StudyLike, drafted_from
from ._tables import Data, Path, Source, VISITS, held, is_path

if TYPE_CHECKING:
    class _Base:
        def get_params(self, deep: bool = True) -> dict[str, Any]: ...
        def set_params(self, **params: Any) -> _Base: ...
        def _check_feature_names(self, X: Any, *, reset: bool) -> None: ...
        def _check_n_features(self, X: Any, reset: bool) -> None: ...
        def _validate_data(self, X: Any, y: Any = ..., **options: Any) -> Any: ...
else:
    try:
        from sklearn.base import BaseEstimator as _Sklearn, ClassifierMixin

        class _Base(ClassifierMixin, _Sklearn):
            pass
    except ImportError:
        class _Base:
            """The least of scikit-learn's manners, where it is not installed."""

            def get_params(self, deep=True):
                return {name: getattr(self, name) for name in inspect.signature(type(self).__init__).parameters
                        if name != "self"}

            def set_params(self, **params):
                known = self.get_params()
                for name, value in params.items():
                    if name not in known:
                        raise ValueError(f"Invalid parameter {name!r} for estimator {self!r}")
                    setattr(self, name, value)
                return self

            def _check_feature_names(self, X, *, reset):
                pass

            def _check_n_features(self, X, reset):
                pass

            def _validate_data(self, X, y="no_validation", **options):
                import numpy as np
                return np.asarray(X) if isinstance(y, str) else (np.asarray(X), np.asarray(y))

#: What every estimator takes, beside the options of its learner.
COMMON: dict[str, Any] = {"study": None, "states": None, "actions": None, "record": "patient", "step": "step",
                          "action": "action", "observation": "observation", "last_action": "last_action",
                          "levels": 3, "seed": 1, "threads": 0, "verbose": False}


def _is_table(X: Data) -> bool:
    """A whole table of decisions, rather than an array of features."""
    return (is_path(X) or hasattr(X, "iloc") or hasattr(X, "__arrow_c_stream__")
            or (hasattr(X, "items") and hasattr(X, "keys")))


class LearnerEstimator(_Base):
    """A learner of policies as an estimator.

    `fit(frame)` learns from a visits table (columns patient, step, action, observation), or from whatever table
    the study maps; `fit(X, y, groups=…)` from rows in scikit-learn's form (interpole.as_rows). Where no study is
    given, `states` says how many hidden states there are, or their names, and everything is learned.

    After fitting: `classes_` (the actions), `model_` (interpole.Model), `summary_` (what the fit says of itself),
    `n_features_in_` and, with a data frame, `feature_names_in_`.
    """

    algorithm: ClassVar[str] = ""
    _learner_options: ClassVar[dict[str, str]] = {}  # parameter → option of the row
    _searches: ClassVar[bool] = False

    study: Optional[StudyLike]
    states: Optional[States]
    actions: Optional[list[str]]
    record: str
    step: str
    action: str
    observation: str
    last_action: str
    levels: int
    seed: int
    threads: int
    verbose: bool

    classes_: Any
    _source: Optional[Source]
    model_: Model
    summary_: dict[str, Any]

    @property
    def name(self) -> str:
        """As the registry calls the learner."""
        return self.algorithm

    # -- fitting ----------------------------------------------------------------------------------------------

    def fit(self, X: Data, y: Any = None, *, groups: Any = None, record: str | None = None, action: str | None = None,
            step: str | None = None, observation: str | None = None, name: str = "frame") -> LearnerEstimator:
        """Learns from decisions.

        `record`, `action`, `step`, `observation`: the columns of a table, where they are not the estimator's own.
        `name`: what messages and the model file call the table.
        """
        for parameter, value in (("record", record), ("action", action), ("step", step),
                                 ("observation", observation)):
            if value is not None:
                setattr(self, parameter, value)
        if y is None and not _is_table(X) and (X is None or hasattr(X, "__len__")):
            raise Error(f"This {type(self).__name__} estimator requires y to be passed, but the target y is None; "
                        "without y, give a table with the actions in it")
        self._reader: RowsReader | None = None
        study = HeldStudy.of(self.study) if self.study is not None else None
        if y is None:
            self._encoded = False
            self._source = self._held(X, study, name)
        else:
            self._source = self._rows_source(X, y, groups, study, name)
        if study is None:
            study = self._drafted(self._source)
        self._study = study
        with Listener(self.verbose) as listener:
            text, summary, interrupted, self.term_sentences_ = self._run_fit(listener)
        self.model_ = Model(text)
        self.summary_ = json.loads(summary)
        self.interrupted_ = interrupted
        self._set_classes(y)
        return self

    def _held(self, X: Data, study: HeldStudy | None, name: str) -> Source:
        if study is not None and study.maps_tables:
            return held(X, name=name, visits=False)
        renamed = {getattr(self, parameter): visit
                   for parameter, visit in zip(("record", "step", "action", "observation"), VISITS)}
        return held(X, name=name, renamed=renamed)

    def _drafted(self, source: Source) -> HeldStudy:
        if source.table is None:
            raise Error("argument study is needed to read a file; without one, read it into a data frame first", "usage")
        return drafted_from(source.table, 2 if self.states is None else self.states, self.actions)

    def _rows_source(self, X: Any, y: Any, groups: Any, study: HeldStudy | None, name: str) -> Source:
        import numpy as np

        if hasattr(X, "iloc"):
            self._check_feature_names(X, reset=True)
            self._check_n_features(X, reset=True)
            labels = np.asarray(y)
        else:
            X, labels = self._validate_data(X, y)
        self._check_labels(labels)
        if len(labels) != len(X):
            raise Error(f"argument y: {len(labels)} labels, and X has {len(X)} rows; give one for each row", "usage")
        if len(labels) == 0:
            raise Error("there are no rows: 0 samples; nothing to learn from")
        known = study.actions if study is not None else self.actions
        texts, self._encoded = decoded(labels, known)
        self._label_of = {text: label for text, label in zip(texts.tolist(), labels)}
        self._reader = RowsReader(self.record, self.last_action, self.levels)
        self._reader.learn(X, groups)
        return held(self._reader.visits(X, texts, groups, None), name=name)

    def _check_labels(self, labels: Any) -> None:
        if labels.ndim != 1:
            raise Error(f"y should be a 1d array, got an array of shape {labels.shape} instead")
        try:
            from sklearn.utils.multiclass import check_classification_targets
        except ImportError:
            return
        if labels.dtype.kind != "O":
            check_classification_targets(labels)

    def _run_fit(self, listener: Listener) -> tuple[str, str, bool, list[str]]:
        assert self._source is not None
        values = {option: float(getattr(self, parameter)) for parameter, option in self._learner_options.items()
                  if getattr(self, parameter) is not None}
        settings = self._search_settings()
        found: tuple[str, str, bool, list[str]] = _engine.fit(
            self._study.path, self._source.tables, self.algorithm, values, settings["dynamics"], settings["coupling"],
            settings["policy"], settings["optimizer"], settings["restarts"] or 0, settings["most_iterations"] or 0,
            self.seed, self.threads, listener)
        return found

    def _search_settings(self) -> dict[str, Any]:
        return {"dynamics": None, "coupling": None, "policy": "auto", "optimizer": "lbfgs", "restarts": None,
                "most_iterations": None}

    def _set_classes(self, y: Any) -> None:
        import numpy as np

        actions = self.model_.actions
        if y is None:
            self.classes_ = np.array(actions, dtype=object)
            self._order = np.arange(len(actions))
            return
        ordered = sorted(actions)
        if self._encoded:
            labels: list[Any] = list(range(len(ordered)))
        else:
            labels = [self._label_of.get(text, text) for text in ordered]
            if len({type(label) for label in labels}) == 1:
                places = np.argsort(np.array(labels), kind="stable").tolist()
                ordered = [ordered[place] for place in places]
                labels = [labels[place] for place in places]
        self.classes_ = np.array(labels)
        self._order = np.array([actions.index(text) for text in ordered])

    # -- what the fitted estimator says -----------------------------------------------------------------------

    def _require_fitted(self) -> None:
        if not hasattr(self, "model_"):
            try:
                from sklearn.exceptions import NotFittedError
            except ImportError:
                raise Error(f"this {type(self).__name__} is not fitted yet; call fit first", "usage") from None
            raise NotFittedError(f"this {type(self).__name__} is not fitted yet; call fit first")

    def _data(self, data: Data | None) -> Source:
        """The data given, or those it was fitted to."""
        self._require_fitted()
        if data is not None:
            return self._held(data, self._study, "frame")
        if getattr(self, "_source", None) is None:
            raise Error("the data it was fitted to are not here (it was copied or loaded); give data", "usage")
        assert self._source is not None
        return self._source

    def _study_path(self) -> str:
        return self._study.path

    def _predicted(self, source: Source, names: bool) -> dict[str, Any]:
        with Listener(self.verbose) as listener:
            return _engine.predictions(self.model_.path, self._study_path(), source.tables, names, listener)

    def _rows_for(self, X: Any, y: Any, groups: Any) -> Source:
        self._require_fitted()
        if self._reader is None:
            if not _is_table(X):
                raise Error(f"a {type(X).__name__} is not a table; the estimator was fitted to one, so give one", "usage")
            return self._held(X, self._study, "frame")
        if hasattr(X, "iloc"):
            self._check_feature_names(X, reset=False)
            self._check_n_features(X, reset=False)
        else:
            X = self._validate_data(X, reset=False)
        texts = None if y is None else decoded(y, self.model_.actions if self._encoded else None)[0]
        ending = [action for action in self.model_.actions]
        return held(self._reader.visits(X, texts, groups, ending[0]), name="X")

    def predict_proba(self, X: Data, y: Any = None, *, groups: Any = None) -> Any:
        """How likely each action is before each decision; columns as in `classes_`.

        A row's numbers follow from the rows of its record before it, and from no others. Of a table that a study
        maps, rows are the decisions that the study keeps (`beliefs` names them).
        """
        return self._predicted(self._rows_for(X, y, groups), False)["policies"][:, self._order]

    def predict(self, X: Data, y: Any = None, *, groups: Any = None) -> Any:
        """The likeliest action."""
        self._require_fitted()
        return self.classes_[self.predict_proba(X, y, groups=groups).argmax(axis=1)]

    def score(self, X: Data, y: Any = None, sample_weight: Any = None, *, groups: Any = None) -> float:
        """The share of decisions whose likeliest action was taken. Without y, the table has the actions."""
        import numpy as np

        if y is None:
            found = self._predicted(self._rows_for(X, None, groups), False)
            right = found["policies"].argmax(axis=1) == found["taken"]
        else:
            right = self.predict(X, groups=groups) == np.asarray(y)
        return float(np.average(right, weights=sample_weight))

    def beliefs(self, data: Data | None = None) -> Any:
        """What was believed and would be done before each decision: the table of `interpole beliefs`."""
        import numpy as np
        import pandas as pd

        found = self._predicted(self._data(data), True)
        lengths = np.diff(found["first_row"])
        frame = pd.DataFrame({"patient": np.repeat(np.array(found["patients"], dtype=object), lengths),
                              "step": found["steps"]})
        parts = [frame]
        if found["beliefs"] is not None:
            parts.append(pd.DataFrame(found["beliefs"], columns=[f"belief:{state}" for state in found["states"]]))
        parts.append(pd.DataFrame(found["policies"], columns=[f"policy:{action}" for action in found["actions"]]))
        return pd.concat(parts, axis=1)

    def evaluate(self, data: Data | None = None, *, truth: Model | Path | None = None, replicates: int = 200,
                 level: float = 0.95) -> Evaluation:
        """Scores on data and, against a truth, mismatches."""
        source = self._data(data)
        truth_path = truth.path if isinstance(truth, Model) else "" if truth is None else os.fspath(truth)
        with Listener(self.verbose) as listener:
            return Evaluation(_engine.evaluate(self.model_.path, self._study_path(), source.tables, truth_path,
                                               replicates, level, self.seed, self.threads, listener))

    def save(self, path: Path) -> None:
        """The program's file: a model file, or a learner file where the learner is no model."""
        self._require_fitted()
        self.model_.save(path)

    def study_text(self) -> str:
        """The study it was fitted with: for the program, or to begin a study of one's own from."""
        self._require_fitted()
        return self._study.whole_text()

    # -- manners ----------------------------------------------------------------------------------------------

    def __getstate__(self) -> dict[str, Any]:
        state = {key: value for key, value in self.__dict__.items() if key not in ("_source", "_study")}
        if "_study" in self.__dict__:
            state["_study_text"] = self._study.whole_text()
        return state

    def __setstate__(self, state: dict[str, Any]) -> None:
        text = state.pop("_study_text", None)
        self.__dict__.update(state)
        if text is not None:
            self._source = None
            self._study = HeldStudy.of_text(text)

    def _more_tags(self) -> dict[str, Any]:
        return {"poor_score": True, "X_types": ["2darray"]}


class Interpole(LearnerEstimator):
    """INTERPOLE: beliefs and decision boundaries behind recorded decisions.

    Parameters
    ----------
    study : path or text of a study file; or
    states : names of the hidden states, or how many there are.
    dynamics : "coupled" (the decision-maker's picture of the world beside the world), "shared" or "subjective".
    coupling : how far apart the two may be; None: by the evidence.
    policy : what decisions may follow beside beliefs: "auto", "belief" or "full".
    restarts : searches from different starts; None: until the best was found three times.

    After `fit`, `feature_names_in_` has the columns of a data frame X.

    Examples
    --------
    >>> import interpole
    >>> frame, truth = interpole.simulate("bias", patients=100, seed=1)
    >>> model = interpole.Interpole(states=["healthy", "diseased"], restarts=1, policy="belief").fit(frame)
    >>> model.predict_proba(frame).shape == (len(frame), 3)
    True
    """

    algorithm = "interpole"
    _searches = True

    dynamics: Optional[str]
    coupling: Optional[float]
    policy: str
    optimizer: str
    restarts: Optional[int]
    most_iterations: Optional[int]

    def __init__(self, *, study: StudyLike | None = None, states: States | None = None,
                 dynamics: str | None = "coupled", coupling: float | None = None, policy: str = "auto",
                 optimizer: str = "lbfgs", restarts: int | None = None, most_iterations: int | None = None,
                 actions: list[str] | None = None, record: str = "patient", step: str = "step",
                 action: str = "action", observation: str = "observation", last_action: str = "last_action",
                 levels: int = 3, seed: int = 1, threads: int = 0, verbose: bool = False) -> None:
        self.study = study
        self.states = states
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
        return {"dynamics": self.dynamics, "coupling": self.coupling, "policy": self.policy,
                "optimizer": self.optimizer, "restarts": self.restarts, "most_iterations": self.most_iterations}

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
        """Where the decision-maker's picture of the world differs from it."""
        source = self._data(data)
        with Listener(self.verbose) as listener:
            return Bias(_engine.bias(self.model_.path, self._study_path(), source.tables, "", margin, level, shares,
                                     self.seed, self.threads, listener))

    def check(self, data: Data | None = None) -> Check:
        """Whether the model reproduces what it was not fitted to."""
        source = self._data(data)
        with Listener(self.verbose) as listener:
            return Check(_engine.check(self.model_.path, self._study_path(), source.tables, self.threads, listener))

    def explain(self, record: Any, data: Data | None = None, *, level: float = 0.95) -> Explanation:
        """One record, visit by visit."""
        source = self._data(data)
        with Listener(self.verbose) as listener:
            return Explanation(_engine.explain(self.model_.path, self._study_path(), source.tables, label_text(record),
                                               level, self.seed, listener))

    def audit(self, data: Data | None = None, *, cohorts: list[str] | None = None, tests: list[str] | None = None,
              certainty: float | None = None, min_cell: int = 11) -> Audit:
        """Belated diagnoses, uninformative tests, unlikely records."""
        import pandas as pd

        source = self._data(data)
        with tempfile.TemporaryDirectory(prefix="interpole-") as folder, Listener(self.verbose) as listener:
            table = os.path.join(folder, "audit.csv")
            text = _engine.audit(self.model_.path, self._study_path(), source.tables, table, cohorts or [], tests or [],
                                 min_cell, certainty, self.seed, self.threads, listener)
            return Audit(text, pd.read_csv(table, dtype={"patient": str}, float_precision="round_trip"))

    def sample(self, data: Data | None = None, *, draws: int = 1000, warm_up: int = 1000, chains: int = 4,
               target_accept: float = 0.8) -> Draws:
        """Draws from the posterior: the table of `interpole sample` with the same options."""
        source = self._data(data)
        with tempfile.TemporaryDirectory(prefix="interpole-") as folder, Listener(self.verbose) as listener:
            csv, arviz = pathlib.Path(folder, "draws.csv"), pathlib.Path(folder, "draws.json")
            summary, columns, chain, iteration, values = _engine.sample(
                self._study_path(), source.tables, str(csv), str(arviz), self.dynamics or "coupled", self.coupling,
                self.policy, draws, warm_up, chains, target_accept, self.restarts or 0, self.seed, self.threads, listener)
            return Draws(summary, columns, chain, iteration, values, csv.read_text(encoding="utf-8"),
                         arviz.read_text(encoding="utf-8"))

    def plot(self, kind: str = "policy", data: Data | None = None, *, patients: list[Any] | None = None,
             show_ids: bool = False, level: float = 0.9) -> Picture:
        """A figure: "policy", "trajectory", "figure4", "beliefs", "tree", "bias" or "shares"."""
        source = self._data(data)
        with tempfile.TemporaryDirectory(prefix="interpole-") as folder, Listener(self.verbose) as listener:
            output = pathlib.Path(folder, "figure.svg")
            _engine.plot(kind, self.model_.path, self._study_path(), source.tables,
                         [label_text(patient) for patient in patients or []], show_ids, level, self.seed, self.threads,
                         str(output), listener)
            return Picture(output.read_text(encoding="utf-8"))

    def report(self, path: Path, data: Data | None = None, *, title: str = "", allow_individual: bool = False,
               min_cell: int = 11) -> None:
        """The explorer with the model and its records in it: one HTML file."""
        source = self._data(data)
        with Listener(self.verbose) as listener:
            _engine.report(self.model_.path, self._study_path(), source.tables, title, allow_individual, min_cell,
                           self.seed, self.threads, os.fspath(path), listener)

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
        sentences = [f"{summary.get('patients')} records, {summary.get('decisions')} decisions, "
                     f"{summary.get('histories')} distinct histories", *self.term_sentences_]
        verdict = summary.get("agent_and_world", {}).get("verdict")
        if verdict:
            sentences.append(f"Agent and world: {verdict}")
        picture = ""
        if getattr(self, "_source", None) is not None:
            try:
                picture = self.plot("policy").svg
            except Error as error:
                sentences.append(str(error))
        return card(f"Interpole: {', '.join(self.model_.states)}", sentences, picture)


def class_of_row(row: tuple[str, str, bool, list[tuple[str, float, str, float, float, bool]]],
                 ) -> type[LearnerEstimator]:
    """The estimator of a learner, made from its row in the registry."""
    name, description, searches, options = row
    parameters = {option[0].replace("-", "_"): option[0] for option in options}
    defaults = {**COMMON, **{parameter: None for parameter in parameters}}
    help_lines = [f"    {option[0].replace('-', '_')} : {option[2]} (default {option[1]:g})" for option in options]

    def __init__(self: LearnerEstimator, **values: Any) -> None:
        for given in values:
            if given not in defaults:
                raise TypeError(f"{type(self).__name__} has no parameter {given!r}; it has {', '.join(defaults)}")
        for parameter, default in defaults.items():
            setattr(self, parameter, values.get(parameter, default))

    setattr(__init__, "__signature__", inspect.Signature(
        [inspect.Parameter("self", inspect.Parameter.POSITIONAL_OR_KEYWORD)]
        + [inspect.Parameter(parameter, inspect.Parameter.KEYWORD_ONLY, default=default)
           for parameter, default in defaults.items()]))
    class_name = "".join(part.capitalize() for part in name.split("-"))
    return type(class_name, (LearnerEstimator,), {
        "__init__": __init__, "__module__": "interpole.learners", "algorithm": name, "_searches": searches,
        "_learner_options": parameters,
        "__doc__": "\n".join([description, "", "Options:", *help_lines, "", "feature_names_in_ : columns of X."]),
    })


__all__ = ["Interpole", "LearnerEstimator", "class_of_row"]
