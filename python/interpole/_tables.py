"""Tables as Python has them, made readable for the engine: data frames, Arrow, dicts of arrays, paths."""
from __future__ import annotations

import contextlib
import difflib
import glob
import os
import re
from collections.abc import Iterator, Mapping
from typing import Any, Union

from . import _engine
from ._columns import columns_of
from ._errors import Error

_engine.set_error(Error)

#: A data frame, anything with ``__arrow_c_stream__``, a dict of arrays, a path or pattern, or a dict of paths.
Data = Any
Path = Union[str, "os.PathLike[str]"]

#: The columns of a visits table, and the arguments that say what they are called in a table of one's own.
ARGUMENTS = {"patient": "record", "step": "step", "action": "action", "observation": "observation"}


class Source:
    """Tables for the engine: names and paths, and what must live as long as they are read."""

    def __init__(self, tables: list[tuple[str, str]], kept: list[_engine.Table],
                 own_names: Mapping[str, str] | None = None) -> None:
        self.tables = tables
        self._kept = kept
        self.own_names = dict(own_names or {})  # of the columns of a visits table, for messages
        self.later: frozenset[str] = frozenset()  # columns whose cells the user has a row later

    @property
    def table(self) -> _engine.Table | None:
        """The one table in memory, if it is that."""
        return self._kept[0] if len(self._kept) == 1 and len(self.tables) == 1 else None

    def own_words(self) -> contextlib.AbstractContextManager[None]:
        return own_words(self.own_names, self.later)


@contextlib.contextmanager
def own_words(columns: Mapping[str, str], later: frozenset[str] = frozenset()) -> Iterator[None]:
    """Errors of the engine name rows and columns as the user does."""
    def renamed(found: re.Match[str]) -> str:
        row, quote, column = found.groups()
        place = "" if row is None else f"row {int(row) + (column in later)}: "
        return f"{place}column {quote}{columns.get(column, column)}{quote}"

    try:
        yield
    except Error as error:
        words = re.sub(r'(?:row (\d+): )?\bcolumn ("?)(patient|step|action|observation)\2(?=[: ])', renamed, str(error))
        raise Error(words, error.kind) from None


def is_path(data: Data) -> bool:
    return isinstance(data, (str, os.PathLike))


def is_table(data: Data) -> bool:
    """A whole table, rather than an array of features."""
    return is_path(data) or _is_frame(data) or hasattr(data, "__arrow_c_stream__") or isinstance(data, Mapping)


def _is_frame(data: Data) -> bool:
    return hasattr(data, "iloc") and hasattr(data, "columns")


#: What messages and the model file call a table, or each of several.
Name = Union[str, Mapping[str, str]]


def held(data: Data, *, name: Name = "frame", columns: Mapping[str, str] | None = None,
         in_memory: bool = False) -> Source:
    """Data under paths that the engine reads.

    `columns`: what the columns of a visits table are called in it; None: it is whatever a study maps.
    `in_memory`: one table in memory, also of a file.
    """
    if is_path(data):
        return _files(os.fspath(data), columns, in_memory)
    if isinstance(data, Mapping) and data and all(is_path(value) for value in data.values()):
        return Source([(str(key), os.fspath(value)) for key, value in data.items()], [])
    if isinstance(data, Mapping) and data and all(_is_frame(value) for value in data.values()):
        names = name if isinstance(name, Mapping) else {}
        tables = [_engine.Table(names.get(str(key), str(key)), *columns_of(value, {}), False)
                  for key, value in data.items()]
        return Source([(str(key), table.path) for key, table in zip(data, tables)], tables)
    if not is_table(data):
        raise Error(f"a {type(data).__name__} is not a table; give a data frame, a dict of arrays, something with "
                    "__arrow_c_stream__, or the path of a file", "usage")
    if not isinstance(name, str):
        raise Error(f"argument name: {name!r} names several tables, and there is one", "usage")
    with own_words(columns or {}):
        table = _table_in_memory(data, name, columns)
    return Source([("", table.path)], [table], columns)


def _table_in_memory(data: Data, name: str, columns: Mapping[str, str] | None) -> _engine.Table:
    if hasattr(data, "__arrow_c_stream__") and not _is_frame(data):
        table = _engine.Table(name, data.__arrow_c_stream__(), _renamed(columns), columns is not None)
        if columns is not None:
            _require(columns, [columns.get(column, column) for column in table.columns], name)
        return table
    labels = [str(label) for label in (data.columns if _is_frame(data) else data)]
    if columns is not None and labels:
        _require(columns, labels, name, getattr(getattr(data, "index", None), "names", []))
    return _engine.Table(name, *columns_of(data, _renamed(columns)), columns is not None)


def _files(path: str, columns: Mapping[str, str] | None, in_memory: bool) -> Source:
    """A file, or all that a pattern names: parts of one table."""
    own_names = columns is not None and any(column != own for column, own in columns.items())
    paths = [path]
    if glob.has_magic(path) and not os.path.exists(path):
        paths = sorted(glob.glob(path))
        if not paths:
            raise Error(f"{path}: no file is called like this; check the pattern")
    if len(paths) == 1 and not own_names and not in_memory:
        return Source([("", paths[0])], [])
    name = os.path.basename(path)
    table = _engine.Table(name, paths, _renamed(columns), columns is not None)
    if columns is not None:
        _require(columns, [columns.get(column, column) for column in table.columns], name)
    return Source([("", table.path)], [table], columns)


def _renamed(columns: Mapping[str, str] | None) -> dict[str, str]:
    """Own names → names of a visits table; what has such a name and is something else gets out of the way."""
    if columns is None:
        return {}
    moved = {column: f"{column} (not used)" for column, own in columns.items() if own != column}
    return {**moved, **{own: column for column, own in columns.items()}}


def _require(columns: Mapping[str, str], labels: list[str], name: str, index: Any = ()) -> None:
    """Refuses a table that lacks a column, in words that help to find it."""
    for column, own in columns.items():
        if own in labels or (column == "step" and own == "step"):  # rows are numbered without it
            continue
        by_letters = {label.casefold(): label for label in labels}
        alike = difflib.get_close_matches(own.casefold(), by_letters, n=1, cutoff=0.7)
        if own in index:
            remedy = "it is the index of the data frame: give frame.reset_index()"
        elif alike:
            remedy = f'is it "{by_letters[alike[0]]}"? The columns are {", ".join(labels)}'
        else:
            remedy = f"say by argument {ARGUMENTS[column]} which one it is; the columns are {', '.join(labels)}"
        raise Error(f'{name}: column "{own}" is missing; {remedy}')
