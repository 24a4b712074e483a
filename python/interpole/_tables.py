"""Data as Python has them, made readable for the engine: data frames, Arrow, dicts of arrays, paths."""
from __future__ import annotations

import glob
import os
from collections.abc import Mapping
from typing import Any, Union

from . import _engine
from ._errors import Error

_engine.set_error(Error)

#: A data frame, anything with ``__arrow_c_stream__``, a dict of arrays, a path or pattern, or a dict of paths.
Data = Any
Path = Union[str, "os.PathLike[str]"]
Column = tuple[str, str, Any, Any]

VISITS = ("patient", "step", "action", "observation")


class Source:
    """Tables for the engine: names and paths, and what must live as long as they are read."""

    def __init__(self, tables: list[tuple[str, str]], kept: list[_engine.Table]) -> None:
        self.tables = tables
        self._kept = kept

    @property
    def table(self) -> _engine.Table | None:
        """The one table in memory, if it is that."""
        return self._kept[0] if len(self._kept) == 1 and len(self.tables) == 1 else None


def is_path(data: Data) -> bool:
    return isinstance(data, (str, os.PathLike))


def _paths(data: Path) -> list[str]:
    path = os.fspath(data)
    if os.path.exists(path) or not glob.has_magic(path):
        return [path]
    found = sorted(glob.glob(path))
    if not found:
        raise Error(f"{path}: no file is called like this; check the pattern")
    return found


def _text_categories(values: Any) -> list[str]:
    """Categories as the texts that cells are."""
    if getattr(getattr(values, "dtype", None), "kind", "O") == "f":
        return [_number_text(float(value)) for value in values]
    return [value if isinstance(value, str) else str(value) for value in values]


def _number_text(value: float) -> str:
    return str(int(value)) if value.is_integer() and abs(value) < 1e15 else repr(value)


def _numpy_column(name: str, values: Any) -> Column:
    """A numpy array as the engine takes it."""
    import numpy as np

    kind = values.dtype.kind
    if values.ndim != 1:
        raise Error(f"column {name}: has {values.ndim} dimensions; give one value for each row")
    if kind == "i" or (kind == "u" and values.dtype.itemsize < 8):
        return name, "whole", values.astype(np.int64, copy=False), None
    if kind == "f":
        return name, "number", values.astype(np.float64, copy=False), None
    if kind == "b":
        return name, "codes", values.astype(np.int32), ["False", "True"]
    if kind in "uUMm":
        texts, codes = np.unique(values, return_inverse=True)
        lacking = np.isnat(texts) if kind in "Mm" else np.zeros(len(texts), dtype=bool)
        codes = np.where(lacking[codes], -1, codes).astype(np.int32)
        return name, "codes", codes, [str(text).replace("T", " ") if kind == "M" else str(text) for text in texts]
    if kind == "O":
        return name, "objects", values, None
    raise Error(f"column {name}: values of type {values.dtype} are not read; turn them into texts or numbers")


def _series_column(name: str, series: Any) -> Column:
    """A column of a pandas data frame."""
    import numpy as np
    import pandas as pd

    dtype = series.dtype
    if isinstance(dtype, pd.CategoricalDtype):
        return name, "codes", series.cat.codes.to_numpy().astype(np.int32), _text_categories(series.cat.categories)
    if isinstance(dtype, np.dtype):
        if dtype.kind == "M":
            days = series.dt.strftime("%Y-%m-%d %H:%M:%S").str.removesuffix(" 00:00:00")
            return name, "objects", days.to_numpy(dtype=object), None
        return _numpy_column(name, series.to_numpy())
    if pd.api.types.is_integer_dtype(dtype) and not series.hasnans:
        return name, "whole", series.to_numpy(dtype=np.int64), None
    if pd.api.types.is_float_dtype(dtype):
        return name, "number", series.to_numpy(dtype=np.float64, na_value=np.nan), None
    return name, "objects", series.to_numpy(dtype=object), None


def columns_of(data: Data, renamed: Mapping[str, str]) -> tuple[list[Column], int]:
    """Columns of a data frame or of a dict of arrays, and the number of rows."""
    import numpy as np

    if hasattr(data, "iloc") and hasattr(data, "columns"):
        labels = list(data.columns)
        for label in labels:
            if labels.count(label) > 1:
                raise Error(f"two columns are called {str(label)!r}; rename one")
        return [_series_column(renamed.get(str(label), str(label)), data[label]) for label in labels], len(data)
    columns = []
    rows = 0
    for i, (label, values) in enumerate(data.items()):
        array = np.asarray(values)
        if array.dtype.kind in "US" or (array.dtype.kind == "O" and not isinstance(values, np.ndarray)):
            array = np.asarray(values, dtype=object)
        elif isinstance(values, (list, tuple)) and len({type(value) for value in values}) > 1:
            array = np.asarray(values, dtype=object)
        column = _numpy_column(renamed.get(str(label), str(label)), array)
        rows = len(array) if i == 0 else rows
        if len(array) != rows:
            raise Error(f"column {label}: {len(array)} rows, and the first column has {rows}; give all the same length")
        columns.append(column)
    return columns, rows


def _with_steps(columns: list[Column], rows: int, name: str) -> list[Column]:
    """Rows numbered within each record, where the table does not number them."""
    import numpy as np

    names = [column[0] for column in columns]
    if "step" in names or "patient" not in names or "action" not in names:
        return columns
    table = _engine.Table(name, [columns[names.index("patient")]], rows)
    patients = np.asarray(table.texts("patient"), dtype=object)
    begins = np.ones(rows, dtype=bool)
    begins[1:] = patients[1:] != patients[:-1]
    first = np.maximum.accumulate(np.where(begins, np.arange(rows), 0))
    return [*columns, ("step", "whole", np.arange(rows) - first + 1, None)]


def held(data: Data, *, name: str = "frame", renamed: Mapping[str, str] | None = None,
         visits: bool = True) -> Source:
    """Data under paths that the engine reads. `renamed`: columns by their names in a visits table."""
    renamed = dict(renamed or {})
    if is_path(data):
        paths = _paths(data)
        return Source([("", paths[0])] if len(paths) == 1 else _together(paths), [])
    if hasattr(data, "__arrow_c_stream__") and not hasattr(data, "iloc"):
        table = _engine.Table(name, data.__arrow_c_stream__())
        if any(old != new for old, new in renamed.items()):
            raise Error("columns of an Arrow stream have the names of a visits table (patient, step, action, "
                        "observation); rename them first")
        return Source([("", table.path)], [table])
    if isinstance(data, Mapping) and data and all(is_path(value) for value in data.values()):
        return Source([(str(key), os.fspath(value)) for key, value in data.items()], [])
    if isinstance(data, Mapping) and data and all(hasattr(value, "iloc") for value in data.values()) and not all(
            hasattr(value, "dtype") for value in data.values()):
        tables = [_engine.Table(str(key), *columns_of(value, {})) for key, value in data.items()]
        return Source([(str(key), table.path) for key, table in zip(data, tables)], tables)
    if not (hasattr(data, "items") or hasattr(data, "iloc")):
        raise Error(f"a {type(data).__name__} is not a table; give a data frame, a dict of arrays, something with "
                    "__arrow_c_stream__, or the path of a file", "usage")
    columns, rows = columns_of(data, renamed)
    if visits:
        columns = _with_steps(columns, rows, name)
    table = _engine.Table(name, columns, rows)
    return Source([("", table.path)], [table])


def _together(paths: list[str]) -> list[tuple[str, str]]:
    raise Error(f"{len(paths)} files are called like this ({paths[0]}, …), and a table is one file; give a dict that "
                "names the study's tables, or put the files together", "usage")
