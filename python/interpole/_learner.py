"""Learners of policies as estimators with scikit-learn's manners, on the library's tasks."""
from __future__ import annotations

import json
import os
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, ClassVar, Optional, TypeVar

from . import _engine
from ._base import Classifier, check_labels, not_fitted
from ._call import run
from ._errors import Error
from ._listen import doubt
from ._results import Evaluation, Model
from ._rows import RowsReader, decoded
from ._study import HeldStudy, Labels, States, StudyLike, drafted_from
from ._tables import ARGUMENTS, Data, Name, Path, Source, held, is_table

if TYPE_CHECKING:
    from typing import Self

_Found = TypeVar("_Found")

#: What every estimator takes, beside the options of its learner.
COMMON: dict[str, Any] = {"study": None, "states": None, "labels": None, "actions": None, "record": "patient",
                          "step": "step", "action": "action", "observation": "observation",
                          "last_action": "last_action", "levels": 3, "seed": 1, "threads": 0, "verbose": False}


class LearnerEstimator(Classifier):
    """A learner of policies as an estimator.

    `fit(frame)` learns from a visits table (columns patient, step, action, observation), or from whatever table
    the study maps; `fit(X, y, groups=…)` from rows in scikit-learn's form (interpole.as_rows). Where no study is
    given, `states` says how many hidden states there are, or their names, and everything is learned.

    After fitting: `classes_` (the actions, in the order of their names), `model_` (interpole.Model), `summary_` (what the fit says of itself),
    `n_features_in_` and, with a data frame, `feature_names_in_`.

    >>> import interpole
    >>> frame, truth = interpole.simulate("bias", patients=100, seed=1)
    >>> rival = interpole.learners.make("bc").fit(frame)
    >>> list(rival.classes_)
    ['declare-diseased', 'declare-healthy', 'monitor']
    """

    algorithm: ClassVar[str] = ""
    _learner_options: ClassVar[dict[str, str]] = {}  # parameter → option of the row

    study: Optional[StudyLike]
    states: Optional[States]
    labels: Optional[Labels]
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
    model_: Model
    summary_: dict[str, Any]
    interrupted_: bool
    _source: Optional[Source]
    _columns: dict[str, str]
    _study: HeldStudy

    @property
    def name(self) -> str:
        """As the registry calls the learner."""
        return self.algorithm

    # -- fitting ----------------------------------------------------------------------------------------------

    def fit(self, X: Data, y: Any = None, *, groups: Any = None, record: str | None = None, action: str | None = None,
            step: str | None = None, observation: str | None = None, name: Name | None = None) -> Self:
        """Learns from decisions.

        `X`: a table of decisions, rows in order, those of a record together; or, with `y` (the actions) and perhaps
        `groups` (the records), what was seen before each. `record`, `action`, `step`, `observation`: the columns of
        a table, where they are not the estimator's own. `name`: what messages and the model file call the table (of
        several, a dict of names).

        >>> import interpole
        >>> frame, truth = interpole.simulate("bias", patients=50, seed=1)
        >>> own = frame.rename(columns={"patient": "id", "observation": "test result"}).drop(columns="step")
        >>> rival = interpole.learners.make("bc").fit(own, record="id", observation="test result")
        >>> rival.beliefs().columns[0]
        'patient'
        """
        given = {"patient": record, "step": step, "action": action, "observation": observation}
        self._columns = {column: getattr(self, ARGUMENTS[column]) if value is None else value
                         for column, value in given.items()}
        for column, value in self._columns.items():
            if not isinstance(value, str):
                raise Error(f"argument {ARGUMENTS[column]}: {value!r} is not the name of one column", "usage")
        if y is None and not is_table(X) and (X is None or hasattr(X, "__len__")):
            raise Error(f"This {type(self).__name__} estimator requires y to be passed, but the target y is None; "
                        "without y, give a table with the actions in it")
        self._reader: RowsReader | None = None
        study = HeldStudy.of(self.study) if self.study is not None else None
        if y is None:
            self._encoded = False
            self._source = self._held(X, study, "frame" if name is None else name)
        else:
            self._source = self._rows_source(X, y, groups, study, "X" if name is None else name)
        self._study = study if study is not None else self._drafted(self._source)
        with self._source.own_words():
            text, summary, self.interrupted_, self._term_sentences = run(
                _engine.fit, verbose=self.verbose, study=self._study.path, data=self._source.tables,
                algorithm=self.algorithm, learner_values=self._learner_values(), seed=self.seed, threads=self.threads,
                **self._search_settings())
        self.model_ = Model(text)
        self.summary_ = json.loads(summary)
        self._set_classes(y)
        return self

    def _held(self, X: Data, study: HeldStudy | None, name: Name) -> Source:
        columns: dict[str, str] | None = self._columns
        if study is not None and study.maps_tables:
            columns = None
        elif study is not None and study.measures:
            columns = {column: own for column, own in self._columns.items() if column != "observation"}
        return held(X, name=name, columns=columns, in_memory=study is None)

    def _drafted(self, source: Source) -> HeldStudy:
        if source.table is None:
            raise Error("argument study is needed to read several tables; without one, give a single table", "usage")
        with source.own_words():
            return drafted_from(source.table, 2 if self.states is None else self.states, self.actions, self.labels)

    def _rows_source(self, X: Any, y: Any, groups: Any, study: HeldStudy | None, name: Name) -> Source:
        import numpy as np
        import pandas as pd

        if hasattr(X, "iloc"):
            self._check_feature_names(X, reset=True)
            self._check_n_features(X, reset=True)
            labels = np.asarray(y)
        else:
            X, labels = self._validate_data(X, y)
        if labels.ndim != 1:
            raise Error(f"y should be a 1d array, got an array of shape {labels.shape} instead")
        check_labels(labels)
        if len(labels) != len(X):
            raise Error(f"argument y: {len(labels)} labels, and X has {len(X)} rows; give one for each row", "usage")
        if len(labels) == 0:
            raise Error("there are no rows: 0 samples; nothing to learn from")
        missing = np.flatnonzero(pd.isna(labels))
        if len(missing):
            raise Error(f"argument y: row {missing[0]}: the action is missing; every row must name its action")
        known = study.actions if study is not None else self.actions
        texts, self._encoded = decoded(labels, known)
        taken = self._columns["action"]
        if hasattr(X, "iloc") and taken in X and np.array_equal(X[taken].astype(object).to_numpy(), texts):
            raise Error(f'X: column "{taken}" is y itself, which no prediction knows; give the X of interpole.as_rows(frame), '
                        "or the table alone: fit(frame)")
        self._label_of = {text: label for text, label in zip(texts.tolist(), labels)}
        self._reader = RowsReader(self._columns["patient"], self.last_action, self.levels)
        self._reader.learn(X, groups)
        return self._held_rows(self._reader, X, texts, groups, None, name)

    @staticmethod
    def _held_rows(reader: RowsReader, X: Any, y: Any, groups: Any, filler: str | None, name: Name) -> Source:
        """Rows as a visits table whose messages speak of X and y."""
        source = held(reader.visits(X, y, groups, filler), name=name, columns={column: column for column in ARGUMENTS})
        if reader.cut is not None:
            doubt(f"X has record {reader.cut!r} from its middle on (its first row has a {reader.last_action}), and what came "
                  "before counts as nothing; give the record's earlier rows too")
        source.own_names = {"patient": reader.record, "action": reader.last_action if y is None else "y",
                            "observation": " | ".join(map(str, reader.columns))}
        source.later = frozenset(("observation",) if y is not None else ("observation", "action"))
        return source

    def _learner_values(self) -> dict[str, float]:
        values = {}
        for parameter, option in self._learner_options.items():
            value = getattr(self, parameter)
            if value is None:
                continue
            if not hasattr(value, "__float__"):
                raise Error(f"argument {parameter}: {value!r} is not a number", "usage")
            values[option] = float(value)
        return values

    def _search_settings(self) -> dict[str, Any]:
        return {"dynamics": None, "coupling": None, "policy": "auto", "optimizer": "lbfgs", "restarts": 0,
                "most_iterations": 0}

    def _set_classes(self, y: Any) -> None:
        import numpy as np

        actions = self.model_.actions
        ordered = sorted(actions)  # scikit-learn's measures count on it
        if y is None:
            self.classes_ = np.array(ordered, dtype=object)
            self._order = np.array([actions.index(text) for text in ordered])
            return
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
            raise not_fitted(self)

    def _data(self, data: Data | None) -> Source:
        """The data given, or those it was fitted to."""
        self._require_fitted()
        if data is not None:
            return self._held(data, self._study, "frame")
        if self._source is None:
            raise Error("the data it was fitted to are not here (it was copied or loaded); give data", "usage")
        return self._source

    def _task(self, task: Callable[..., _Found], source: Source, **arguments: Any) -> _Found:
        """A task on the fitted model and these data."""
        with source.own_words():
            return run(task, verbose=self.verbose, model=self.model_.path, study=self._study.path, data=source.tables,
                       **arguments)

    def _rows_for(self, X: Any, y: Any, groups: Any) -> Source:
        self._require_fitted()
        if self._reader is None:
            if not is_table(X):
                raise Error(f"a {type(X).__name__} is not a table; the estimator was fitted to one, so give one", "usage")
            return self._held(X, self._study, "frame")
        if hasattr(X, "iloc"):
            self._check_feature_names(X, reset=False)
            self._check_n_features(X, reset=False)
        else:
            X = self._validate_data(X, reset=False)
        texts = None if y is None else decoded(y, self.model_.actions if self._encoded else None)[0]
        return self._held_rows(self._reader, X, texts, groups, self.model_.actions[0], "X")

    def predict_proba(self, X: Data, y: Any = None, *, groups: Any = None) -> Any:
        """How likely each action is before each decision; columns as in `classes_`.

        A row's numbers follow from the rows of its record before it, and from no others. Of a table that a study
        maps, rows are the decisions that the study keeps (`beliefs` names them).

        >>> import interpole
        >>> frame, truth = interpole.simulate("bias", patients=100, seed=1)
        >>> rival = interpole.learners.make("majority").fit(frame)
        >>> rival.predict_proba(frame).round(2)[0]
        array([0.04, 0.08, 0.88])
        """
        found = self._task(_engine.predictions, self._rows_for(X, y, groups), names=False)
        return found["policies"][:, self._order]

    def predict(self, X: Data, y: Any = None, *, groups: Any = None) -> Any:
        """The likeliest action."""
        likeliest = self.predict_proba(X, y, groups=groups).argmax(axis=1)
        return self.classes_[likeliest]

    def score(self, X: Data, y: Any = None, sample_weight: Any = None, *, groups: Any = None) -> float:
        """The share of decisions whose likeliest action was taken. Without y, the table has the actions."""
        import numpy as np

        if y is None:
            found = self._task(_engine.predictions, self._rows_for(X, None, groups), names=False)
            right = found["policies"].argmax(axis=1) == found["taken"]
        else:
            right = self.predict(X, groups=groups) == np.asarray(y)
        return float(np.average(right, weights=sample_weight))

    def beliefs(self, data: Data | None = None) -> Any:
        """What was believed and would be done before each decision: the table of `interpole beliefs`.

        `data`: a table, or the X of an estimator that was fitted to X and y.
        """
        import numpy as np
        import pandas as pd

        self._require_fitted()
        is_X = (data is not None and self._reader is not None and hasattr(data, "iloc")
                and self._columns["action"] not in data)
        source = self._rows_for(data, None, None) if is_X else self._data(data)
        found = self._task(_engine.predictions, source, names=True)
        lengths = np.diff(found["first_row"])
        parts = [pd.DataFrame({"patient": np.repeat(np.array(found["patients"], dtype=object), lengths),
                               "step": found["steps"]})]
        if found["beliefs"] is not None:
            parts.append(pd.DataFrame(found["beliefs"], columns=[f"belief:{state}" for state in found["states"]]))
        parts.append(pd.DataFrame(found["policies"], columns=[f"policy:{action}" for action in found["actions"]]))
        return pd.concat(parts, axis=1)

    def evaluate(self, data: Data | None = None, *, truth: Model | Path | None = None, replicates: int = 200,
                 level: float = 0.95) -> Evaluation:
        """Scores on data and, against a truth, mismatches."""
        truth_path = truth.path if isinstance(truth, Model) else "" if truth is None else os.fspath(truth)
        return Evaluation(self._task(_engine.evaluate, self._data(data), truth=truth_path, replicates=replicates,
                                     level=level, seed=self.seed, threads=self.threads))

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
