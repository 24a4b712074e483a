"""Every learner of the library's registry as an estimator, made from its row.

>>> from interpole import learners
>>> "bc" in learners.names()
True
>>> learners.make("bc").name
'bc'
"""
from __future__ import annotations

import functools
from typing import Any

from . import _engine
from ._estimator import LearnerEstimator, class_of_row
from ._errors import Error


@functools.lru_cache(maxsize=1)
def _classes() -> dict[str, type[LearnerEstimator]]:
    return {row[0]: class_of_row(row) for row in _engine.learner_rows()}


def names() -> list[str]:
    """In the order of the registry."""
    return list(_classes())


def all_learners() -> dict[str, type[LearnerEstimator]]:
    """The estimator of every row, by its name."""
    return dict(_classes())


def make(name: str, **parameters: Any) -> LearnerEstimator:
    """The learner of that name, as `fit --algorithm NAME` of the program has it."""
    known = _classes()
    if name not in known:
        raise Error(f"{name!r} is not a learner; known are {', '.join(known)}", "usage")
    return known[name](**parameters)


def __getattr__(name: str) -> Any:
    for found in _classes().values():
        if found.__name__ == name:
            return found
    raise AttributeError(f"module 'interpole.learners' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(["all_learners", "make", "names", *(found.__name__ for found in _classes().values())])
