"""Calls of the engine: with progress and doubts heard, and in words where an argument is of a wrong type."""
from __future__ import annotations

import operator
import re
from collections.abc import Callable
from typing import Any, TypeVar

from ._errors import Error
from ._listen import Listener

_Found = TypeVar("_Found")

# An argument in the signature that pybind11 writes above a function: its name and type.
_ARGUMENT = re.compile(r"(\w+): (Optional\[)?(int|float|str|bool|List\[str\])(?=[],)])")
_WORDS = {"int": "a whole number", "float": "a number", "str": "a text", "bool": "True or False",
          "List[str]": "a list of texts"}


def run(task: Callable[..., _Found], *, verbose: bool = False, **arguments: Any) -> _Found:
    """Calls a task of the engine. `verbose`: what it notes is printed."""
    with Listener(verbose) as listener:
        try:
            return task(**arguments, listener=listener)
        except TypeError:
            _require_types(task, arguments)
            raise


def _require_types(task: Callable[..., Any], arguments: dict[str, Any]) -> None:
    """Says which argument is not what the task takes."""
    signature = (task.__doc__ or "").partition("\n")[0]
    for name, optional, kind in _ARGUMENT.findall(signature):
        value: Any = arguments.get(name)
        if value is None and (optional or name not in arguments):
            continue
        if not _fits(kind, value):
            raise Error(f"argument {name}: {value!r} is not {_WORDS[kind]}", "usage") from None
        if kind == "int" and not 0 <= operator.index(value) < 2 ** 31:
            raise Error(f"argument {name}: {value!r} is negative or too large", "usage") from None


def _fits(kind: str, value: Any) -> bool:
    if kind == "int":
        return hasattr(value, "__index__")
    if kind == "float":
        return hasattr(value, "__float__") or hasattr(value, "__index__")
    if kind == "List[str]":
        return isinstance(value, (list, tuple)) and all(isinstance(one, str) for one in value)
    return isinstance(value, {"str": str, "bool": bool}[kind])
