"""Columns as Python has them, as the engine takes them: where they lie if possible."""
from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ._errors import Error

#: Name, kind ("whole", "number", "codes" or "objects"), array, and the categories of codes.
Column = tuple[str, str, Any, Any]


def columns_of(data: Any, renamed: Mapping[str, str]) -> tuple[list[Column], int]:
    """Columns of a data frame or of a dict of arrays, and the number of rows."""
    if hasattr(data, "iloc") and hasattr(data, "columns"):
        labels = list(data.columns)
        for label in labels:
            if labels.count(label) > 1:
                raise Error(f"two columns are called {str(label)!r}; rename one")
        return [_series_column(renamed.get(str(label), str(label)), data[label]) for label in labels], len(data)
    columns: list[Column] = []
    for label, values in data.items():
        column = _column_of_values(renamed.get(str(label), str(label)), values)
        if columns and len(column[2]) != len(columns[0][2]):
            raise Error(f"column {label}: {len(column[2])} rows, and the first column has {len(columns[0][2])}; give all "
                        "the same length")
        columns.append(column)
    return columns, len(columns[0][2]) if columns else 0


def _column_of_values(name: str, values: Any) -> Column:
    """A series, an array or a list."""
    import numpy as np

    if hasattr(values, "iloc"):
        return _series_column(name, values)
    array = np.asarray(values)
    mixed = isinstance(values, (list, tuple)) and len({type(value) for value in values}) > 1
    if array.dtype.kind in "US" or mixed or (array.dtype.kind == "O" and not isinstance(values, np.ndarray)):
        array = np.asarray(values, dtype=object)
    return _array_column(name, array)


def _series_column(name: str, series: Any) -> Column:
    """A column of a pandas data frame."""
    import numpy as np
    import pandas as pd

    dtype = series.dtype
    if isinstance(dtype, pd.CategoricalDtype):
        return name, "codes", series.cat.codes.to_numpy().astype(np.int32), _category_texts(series.cat.categories)
    if isinstance(dtype, (pd.DatetimeTZDtype, pd.PeriodDtype, pd.IntervalDtype)):
        return _coded(name, series)
    if isinstance(dtype, np.dtype):
        return _array_column(name, series.to_numpy())
    if pd.api.types.is_integer_dtype(dtype) and not series.hasnans:
        return name, "whole", series.to_numpy(dtype=np.int64), None
    if pd.api.types.is_float_dtype(dtype):
        return name, "number", series.to_numpy(dtype=np.float64, na_value=np.nan), None
    return name, "objects", series.to_numpy(dtype=object), None


def _array_column(name: str, values: Any) -> Column:
    """A numpy array."""
    import numpy as np

    kind, size = values.dtype.kind, values.dtype.itemsize
    if values.ndim != 1:
        raise Error(f"column {name}: has {values.ndim} dimensions; give one value for each row")
    if kind == "i" or (kind == "u" and size < 8):
        return name, "whole", values.astype(np.int64, copy=False), None
    if kind == "f":
        return name, "number", _as_written(values) if size < 8 else values.astype(np.float64, copy=False), None
    if kind == "b":
        return name, "codes", values.astype(np.int32), ["False", "True"]
    if kind in "uMm":
        return _coded(name, values)
    if kind in "OU":
        return name, "objects", values.astype(object, copy=False), None
    raise Error(f"column {name}: values of type {values.dtype} are not read; turn them into texts or numbers")


def _coded(name: str, values: Any) -> Column:
    """Few different values with a way of their own to be written: dates, durations, very large numbers."""
    import numpy as np
    import pandas as pd

    codes, distinct = pd.factorize(values)
    return name, "codes", codes.astype(np.int32), [str(text) for text in pd.Index(distinct).astype(str)]


def _as_written(values: Any) -> Any:
    """Numbers of less than 64 bits as they are written: 0.1, not 0.10000000149011612."""
    import numpy as np

    distinct, places = np.unique(values, return_inverse=True)
    return np.array([float(str(number)) for number in distinct])[places]


def _category_texts(values: Any) -> list[str]:
    """Categories as the texts that cells are."""
    if getattr(getattr(values, "dtype", None), "kind", "O") == "f":
        return [number_text(float(value)) for value in values]
    return [value if isinstance(value, str) else str(value) for value in values]


def number_text(value: float) -> str:
    """A number as it is written; a whole one without a point."""
    return str(int(value)) if value.is_integer() and abs(value) < 1e15 else repr(value)
