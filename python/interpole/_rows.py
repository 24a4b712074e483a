"""Decisions as rows, for scikit-learn: X is what was known before each decision, y the action.

A row's X holds the record it belongs to, the action before it and what was seen after that, so that a
prediction needs nothing but X, and no later row.
"""
from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ._columns import number_text
from ._errors import Error

#: Names of the columns of X that are not "what was seen".
RECORD, LAST_ACTION = "patient", "last_action"


def as_rows(frame: Any, *, record: str = "patient", action: str = "action", observation: str = "observation",
            ) -> tuple[Any, Any, Any]:
    """X, y and groups from a visits table, for `cross_val_predict`, `GridSearchCV` and the like.

    X has the columns `patient`, `last_action` and `last_observation`; y is the action of the row.

    >>> import interpole
    >>> frame, _ = interpole.simulate("bias", patients=5, seed=1)
    >>> X, y, groups = interpole.as_rows(frame)
    >>> list(X.columns)
    ['patient', 'last_action', 'last_observation']
    """
    import numpy as np
    import pandas as pd

    if not hasattr(frame, "iloc"):
        if not isinstance(frame, Mapping):
            raise Error(f"a {type(frame).__name__} is not a data frame; give one of pandas, or a dict of columns", "usage")
        frame = pd.DataFrame(frame)
    for name in (record, action, observation):
        if name not in frame:
            raise Error(f"column {name!r} is missing; the columns are {', '.join(map(str, frame.columns))}")
    patients = frame[record].to_numpy()
    begins = _begins(patients)
    last = {}
    for new, old in ((LAST_ACTION, action), ("last_observation", observation)):
        values = frame[old].astype(object).shift(1)
        last[new] = values.where(values.notna() & ~begins, None).to_numpy(dtype=object)
    rows = pd.DataFrame({RECORD: patients, **last}, index=frame.index)
    return rows, frame[action].to_numpy(), patients


def _begins(patients: Any) -> Any:
    """Where another record begins than that of the row before. Rows without a record are records by themselves."""
    import numpy as np
    import pandas as pd

    codes = pd.factorize(patients)[0]
    begins = np.ones(len(codes), dtype=bool)
    begins[1:] = (codes[1:] != codes[:-1]) | (codes[1:] < 0)
    return begins


class RowsReader:
    """Makes visits tables of X (and y), always in the same way: fitted to the training rows."""

    def __init__(self, record: str, last_action: str, levels: int) -> None:
        self.record = record
        self.last_action = last_action
        self.levels = levels
        self.columns: list[Any] = []  # labels of what is seen, in order
        self.cuts: dict[Any, Any] = {}  # of columns that are numbers
        self.has_last_action = False
        self.single = False  # without records: each row by itself
        self.cut: Any = None  # a record of the rows read last that begins in its middle

    def frame_of(self, X: Any) -> Any:
        import pandas as pd

        if hasattr(X, "iloc") and hasattr(X, "columns"):
            return X
        return pd.DataFrame(X, columns=[f"x{i}" for i in range(X.shape[1])])

    def learn(self, X: Any, groups: Any) -> None:
        import numpy as np
        import pandas as pd

        frame = self.frame_of(X)
        self.single = groups is None and self.record not in frame
        self.has_last_action = self.last_action in frame
        self.columns = [name for name in frame.columns if name not in (self.record, self.last_action)]
        for name in self.columns:
            values = frame[name]
            if not pd.api.types.is_numeric_dtype(values.dtype) or pd.api.types.is_bool_dtype(values.dtype):
                continue
            numbers = _numbers(values)
            distinct = np.unique(numbers[np.isfinite(numbers)])
            if len(distinct) > max(10, self.levels):
                shares = np.arange(1, self.levels) / self.levels
                self.cuts[name] = np.unique(np.quantile(numbers[np.isfinite(numbers)], shares))

    def _coded(self, frame: Any, name: Any) -> tuple[Any, list[str]]:
        """A column as places in a list of texts; −1 where a cell is empty."""
        import numpy as np
        import pandas as pd

        if name not in frame:
            raise Error(f"column {name!r} is missing in X; it was there when the estimator was fitted")
        if name in self.cuts:
            numbers = _numbers(frame[name])
            levels = np.searchsorted(self.cuts[name], numbers, side="left")
            return np.where(np.isnan(numbers), -1, levels), [f"level {i + 1}" for i in range(len(self.cuts[name]) + 1)]
        try:
            codes, values = pd.factorize(frame[name])
        except TypeError:
            row = next(row for row, value in enumerate(frame[name]) if getattr(value, "__hash__", None) is None)
            raise Error(f"X: row {row}: column {name}: a {type(frame[name].iloc[row]).__name__} is neither text nor a "
                        "number; write one of these, or leave the cell empty") from None
        places, texts = pd.factorize(np.array([label_text(value) for value in values], dtype=object))
        places = np.append(np.where(texts[places] == "", -1, places) if len(texts) else places, -1)
        return places[codes], texts.tolist()

    def _seen(self, frame: Any) -> Any:
        """What was seen in each row: one text of all columns, or nothing where all are empty."""
        import numpy as np
        import pandas as pd

        columns = [self._coded(frame, name) for name in self.columns]
        if not columns:
            return pd.Categorical.from_codes(np.full(len(frame), -1), [])
        codes, texts = columns[0]
        if len(columns) > 1:
            codes, first = np.zeros(len(frame), dtype=np.int64), np.zeros(0, dtype=np.int64)
            for places, words in columns:  # rows that agree in all columns so far have the same number
                _, first, codes = np.unique(codes * (len(words) + 1) + places + 1, return_index=True, return_inverse=True)
            empty = np.array([all(places[row] < 0 for places, _ in columns) for row in first], dtype=bool)
            joined = [" | ".join(words[places[row]] if places[row] >= 0 else "unknown" for places, words in columns)
                      for row in first]
            renumbered, distinct = pd.factorize(np.array(joined, dtype=object))
            codes, texts = np.where(empty, -1, renumbered)[codes], distinct.tolist()
        return pd.Categorical.from_codes(codes, texts)

    def visits(self, X: Any, y: Any, groups: Any, filler: str | None) -> dict[str, Any]:
        """Columns of a visits table. y None: the past is in X, and a record's last action is `filler`."""
        import numpy as np
        import pandas as pd

        frame = self.frame_of(X)
        rows = len(frame)
        if groups is not None:
            patients = np.asarray(groups)
            if len(patients) != rows:
                raise Error(f"argument groups: {len(patients)} values, and X has {rows} rows; give one for each row",
                            "usage")
        elif self.record in frame:
            patients = frame[self.record].to_numpy()
        elif self.single:
            patients = np.arange(rows)
        else:
            raise Error(f"X has no column {self.record!r}, and no groups are given, which the estimator was fitted with; "
                        "add that column, or give groups")
        begins = _begins(patients)
        self.cut = self._cut_record(frame, patients, begins)
        ends = np.append(begins[1:], True) if rows else begins
        seen = self._seen(frame)
        codes = np.append(seen.codes[1:], -1) if rows else seen.codes
        observations = pd.Series(pd.Categorical.from_codes(np.where(ends, -1, codes), seen.categories))
        actions = self._actions(frame, y, ends, filler)
        first = np.maximum.accumulate(np.where(begins, np.arange(rows), 0))
        return {"patient": patients, "step": np.arange(rows) - first + 1, "action": actions,
                "observation": observations}

    def _cut_record(self, frame: Any, patients: Any, begins: Any) -> Any:
        """The first record whose first rows are not there; None: all begin at their beginning."""
        import numpy as np

        if self.last_action not in frame or self.single:
            return None
        cut = np.flatnonzero(begins & frame[self.last_action].notna().to_numpy())
        return patients[cut[0]] if len(cut) else None

    def _actions(self, frame: Any, y: Any, ends: Any, filler: str | None) -> Any:
        import numpy as np

        if y is not None:
            return np.asarray(y, dtype=object)
        actions = np.full(len(frame), filler, dtype=object)
        if ends.all():
            return actions
        if self.last_action not in frame:
            raise Error(f"X has records of several rows and no column {self.last_action!r}; a prediction needs the "
                        "actions before it: add that column (interpole.as_rows makes it) or give y")
        last = frame[self.last_action]
        missing = np.flatnonzero(~ends[:-1] & last.isna().to_numpy()[1:])
        if len(missing):
            raise Error(f"X: row {missing[0] + 1}: column {self.last_action}: the cell is empty, and the row is not the "
                        "first of its record; write the action before it")
        actions[:-1] = np.where(ends[:-1], actions[:-1], last.astype(object).to_numpy(dtype=object)[1:])
        return actions


def _numbers(values: Any) -> Any:
    """A column of numbers as pandas has them, NaN where there is none."""
    import numpy as np

    return values.to_numpy(dtype=float, na_value=np.nan)


def decoded(y: Any, actions: list[str] | None) -> tuple[Any, bool]:
    """Labels as texts. Whole numbers stand for places in the sorted actions where these are known and are not
    numbers themselves: `cross_val_predict` encodes labels so. The second: whether they did."""
    import numpy as np
    import pandas as pd

    values = np.asarray(y)
    codes, distinct = pd.factorize(values)
    texts = np.array([*(label_text(value) for value in distinct), ""], dtype=object)[codes]  # the last: nothing
    if actions is None or values.dtype.kind not in "iu" or set(texts) & set(actions):
        return texts, False
    ordered = np.array(sorted(actions), dtype=object)
    if len(values) and (values.min() < 0 or values.max() >= len(ordered)):
        return texts, False
    return ordered[values], True


def label_text(value: Any) -> str:
    """A value as the text that its cell would be."""
    if isinstance(value, str):
        return value
    if isinstance(value, float) or getattr(getattr(value, "dtype", None), "kind", "") == "f":
        return number_text(float(str(value)))  # of fewer bits than 64: as they are written
    return str(value)
