#!/usr/bin/env python3
"""Writes the stubs of what has no source in Python: the module (_engine.pyi), from the signatures that it was built with,
and the estimators that are made from rows (learners.pyi), from the registry.

Usage: stubs.py PACKAGE     the built package's folder
"""
import inspect
import pathlib
import re
import sys

PACKAGE = pathlib.Path(sys.argv[1]).resolve()
SOURCES = pathlib.Path(__file__).resolve().parent.parent / "interpole"
for path in PACKAGE.glob("*.py"):
    if not (SOURCES / path.name).exists():
        path.unlink()  # of an earlier build: its source is gone
sys.path.insert(0, str(PACKAGE.parent))

from interpole import _engine, learners  # noqa: E402
from interpole._learner import COMMON, LearnerEstimator  # noqa: E402

# As pybind11 spells types, and as Python does.
SPELLING = [
    (re.compile(r"numpy\.ndarray\[[^\]]*\]"), "Any"),
    (re.compile(r"capsule|object|handle"), "Any"),
    (re.compile(r"List\["), "list["),
    (re.compile(r"Tuple\["), "tuple["),
    (re.compile(r"Dict\["), "dict["),
    (re.compile(r"\b(list|dict|tuple)\b(?!\[)"), r"\1_ANY"),
    (re.compile(r"interpole\._engine\."), ""),
]
WHOLE = {"list_ANY": "list[Any]", "dict_ANY": "dict[str, Any]", "tuple_ANY": "Any"}


def spelled(text: str) -> str:
    for pattern, words in SPELLING:
        text = pattern.sub(words, text)
    for name, words in WHOLE.items():
        text = text.replace(name, words)
    return text


def signatures(documentation: str) -> list[str]:
    """The signatures in a docstring of pybind11; several where a function is overloaded."""
    lines = [re.sub(r"^\d+\. ", "", line) for line in documentation.splitlines()]
    found = [line for line in lines if re.match(r"\w+\(.*\) -> ", line) and "*args, **kwargs" not in line]
    return [spelled(line) for line in found]


def method_lines(cls: type, name: str) -> list[str]:
    found = signatures(getattr(cls, name).__doc__ or "")
    lines = []
    for signature in found:
        signature = re.sub(r"\(self: \w+", "(self", signature)
        lines += (["    @overload"] if len(found) > 1 else []) + [f"    def {signature}: ..."]
    return lines


def class_lines(cls: type) -> list[str]:
    lines = [f"class {cls.__name__}:"]
    for name, member in vars(cls).items():
        if isinstance(member, property):
            returned = signatures(f"{name}" + (member.fget.__doc__ or "").strip().replace("(self: ", "(self: ", 1))
            kind = returned[0].rsplit(" -> ", 1)[1] if returned else "Any"
            lines += ["    @property", f"    def {name}(self) -> {kind}: ..."]
        elif name == "__init__" or not name.startswith("_"):
            lines += method_lines(cls, name)
    return lines


def engine_stub() -> str:
    lines = ["# Made by python/tools/stubs.py from the built module.", "from typing import Any, Callable, Optional, overload",
             "", "version: str", ""]
    for name, member in sorted(vars(_engine).items()):
        if inspect.isclass(member):
            lines += [*class_lines(member), ""]
        elif callable(member):
            lines += [f"def {signature}: ..." for signature in signatures(member.__doc__ or "")]
    return "\n".join(lines) + "\n"


def learners_stub() -> str:
    annotations = {name: str(kind) for name, kind in LearnerEstimator.__annotations__.items()}
    lines = ["# Made by python/tools/stubs.py from the registry of learners.", "from typing import Any, Optional",
             "from ._learner import LearnerEstimator", "from ._study import Labels, States, StudyLike", "",
             "def names() -> list[str]: ...", "def all_learners() -> dict[str, type[LearnerEstimator]]: ...",
             "def make(name: str, **parameters: Any) -> LearnerEstimator: ..."]
    for cls in learners.all_learners().values():
        lines += ["", f"class {cls.__name__}(LearnerEstimator):", "    def __init__(self, *,"]
        for name, parameter in inspect.signature(cls.__init__).parameters.items():
            if name == "self":
                continue
            kind = annotations[name] if name in COMMON else "Optional[float]"
            lines.append(f"                 {name}: {kind} = ...,")
        lines[-1] = lines[-1].rstrip(",") + ") -> None: ..."
        own = [name for name in inspect.signature(cls.__init__).parameters if name not in COMMON and name != "self"]
        lines += [f"    {name}: Optional[float]" for name in own]
    return "\n".join(lines) + "\n"


(PACKAGE / "_engine.pyi").write_text(engine_stub(), encoding="utf-8")
(PACKAGE / "learners.pyi").write_text(learners_stub(), encoding="utf-8")
