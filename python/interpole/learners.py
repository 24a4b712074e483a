"""Every learner of the library's registry as an estimator, made from its row.

>>> from interpole import learners
>>> "bc" in learners.names()
True
>>> learners.make("bc").name
'bc'
"""
from __future__ import annotations

import functools
import inspect
from typing import Any

from . import _engine
from ._errors import Error
from ._learner import COMMON, LearnerEstimator

#: Name, description, whether it searches a posterior, and options: name, default, help, lowest, highest, whole.
_Row = tuple[str, str, bool, list[tuple[str, float, str, float, float, bool]]]


def _class_of_row(row: _Row) -> type[LearnerEstimator]:
    """The estimator of a learner, made from its row in the registry."""
    name, description, _, options = row
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
        "__init__": __init__, "__module__": "interpole.learners", "algorithm": name, "_learner_options": parameters,
        "__doc__": "\n".join([description, "", "Options:", *help_lines, "", "feature_names_in_ : columns of X."]),
    })


@functools.lru_cache(maxsize=1)
def _classes() -> dict[str, type[LearnerEstimator]]:
    return {row[0]: _class_of_row(row) for row in _engine.learner_rows()}


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
