"""Decisions as rows, for scikit-learn: X is what was known before each decision, y the action.

A row's X holds the record it belongs to, the action before it and what was seen after that, so that a
prediction needs nothing but X, and no later row.
"""
from __future__ import annotations

from typing import Any

from ._errors import Error

#: Names of the columns of X that are not "what was seen".
RECORD, LAST_ACTION = "patient", "last_action"
MOST_OUTCOMES = 200


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

    for name in (record, action, observation):
        if name not in frame:
            raise Error(f"column {name!r} is missing; the columns are {', '.join(map(str, frame.columns))}")
    patients = frame[record].to_numpy()
    begins = np.ones(len(frame), dtype=bool)
    begins[1:] = patients[1:] != patients[:-1]
    last = {}
    for new, old in ((LAST_ACTION, action), ("last_observation", observation)):
        values = frame[old].astype(object).shift(1).to_numpy(dtype=object)
        values[begins] = None
        last[new] = values
    rows = pd.DataFrame({RECORD: patients, **last}, index=frame.index)
    return rows, frame[action].to_numpy(), patients


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
            numbers = values.to_numpy(dtype=float)
            distinct = np.unique(numbers[np.isfinite(numbers)])
            if len(distinct) > max(10, self.levels):
                shares = np.arange(1, self.levels) / self.levels
                self.cuts[name] = np.unique(np.quantile(numbers[np.isfinite(numbers)], shares))

    def _seen(self, frame: Any) -> Any:
        """What was seen in each row, as one text; None where nothing was."""
        import numpy as np
        import pandas as pd

        parts = []
        for name in self.columns:
            if name not in frame:
                raise Error(f"column {name!r} is missing in X; it was there when the estimator was fitted")
            values = frame[name]
            if name in self.cuts:
                numbers = values.to_numpy(dtype=float)
                texts: Any = np.searchsorted(self.cuts[name], numbers, side="left").astype(object)
                texts = np.array([f"level {level + 1}" for level in texts], dtype=object)
                texts[np.isnan(numbers)] = None
            else:
                texts = values.astype(object).to_numpy(dtype=object)
                texts = np.array([None if value is None or value is pd.NA or value != value else
                                  value if isinstance(value, str) else f"{value:g}" if isinstance(value, float)
                                  else str(value) for value in texts], dtype=object)
            parts.append(texts)
        if not parts:
            return np.full(len(frame), None, dtype=object)
        if len(parts) == 1:
            return parts[0]
        return np.array([None if all(cell is None for cell in cells) else
                         " | ".join("unknown" if cell is None else cell for cell in cells)
                         for cells in zip(*parts)], dtype=object)

    def visits(self, X: Any, y: Any, groups: Any, filler: str | None) -> dict[str, Any]:
        """Columns of a visits table. y None: the past is in X, and a record's last action is `filler`."""
        import numpy as np

        frame = self.frame_of(X)
        rows = len(frame)
        if groups is not None:
            patients = np.asarray(groups)
            if len(patients) != rows:
                raise Error(f"argument groups: {len(patients)} values, and X has {rows} rows; give one for each row",
                            "usage")
        elif self.record in frame:
            patients = frame[self.record].to_numpy()
        elif self.single or y is None:
            patients = np.arange(rows)
        else:
            raise Error(f"X has no column {self.record!r}, and no groups are given, which the estimator was fitted with")
        begins = np.ones(rows, dtype=bool)
        begins[1:] = patients[1:] != patients[:-1]
        ends = np.append(begins[1:], True) if rows else begins
        seen = self._seen(frame)
        observations = np.full(rows, None, dtype=object)
        observations[:-1] = seen[1:]
        observations[ends] = None
        actions = self._actions(frame, y, ends, filler)
        first = np.maximum.accumulate(np.where(begins, np.arange(rows), 0))
        return {"patient": patients, "step": np.arange(rows) - first + 1, "action": actions,
                "observation": observations}

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
        last = frame[self.last_action].astype(object).to_numpy(dtype=object)
        actions[:-1] = np.where(ends[:-1], actions[:-1], last[1:])
        for row in np.flatnonzero(~ends[:-1]):
            if actions[row] is None or actions[row] != actions[row]:
                raise Error(f"row {row + 1}: column {self.last_action}: the cell is empty, and the row is not the first "
                            "of its record; write the action before it")
        return actions


def decoded(y: Any, actions: list[str] | None) -> tuple[Any, bool]:
    """Labels as texts. Whole numbers stand for places in the sorted actions where these are known and are not
    numbers themselves: `cross_val_predict` encodes labels so. The second: whether they did."""
    import numpy as np

    values = np.asarray(y)
    texts = np.array([label_text(value) for value in values], dtype=object)
    if actions is None or values.dtype.kind not in "iu" or set(texts) & set(actions):
        return texts, False
    ordered = np.array(sorted(actions), dtype=object)
    if len(values) and (values.min() < 0 or values.max() >= len(ordered)):
        return texts, False
    return ordered[values], True


def label_text(value: Any) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, float) or getattr(getattr(value, "dtype", None), "kind", "") == "f":
        return f"{float(value):g}"
    return str(value)
