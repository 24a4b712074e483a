"""Interpole: what decision-makers believed before each decision, and at which beliefs they switch.

>>> import interpole
>>> frame, truth = interpole.simulate("bias", patients=200, seed=1)
>>> list(frame.columns)
['patient', 'step', 'action', 'observation']

Everything is computed by the C++ library, in memory, with the same bits as the program `interpole` gives.
Importing this package loads none of it; the first call does.
"""
from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from ._errors import Doubt, Error

if TYPE_CHECKING:
    from . import learners as learners
    from ._draws import Draws as Draws
    from ._interpole import Interpole as Interpole
    from ._learner import LearnerEstimator as LearnerEstimator
    from ._results import (Audit as Audit, Bias as Bias, Check as Check, Evaluation as Evaluation,
                           Explanation as Explanation, Model as Model, Picture as Picture)
    from ._rows import as_rows as as_rows
    from ._simulate import Plan as Plan, plan as plan, simulate as simulate

    __version__: str

_HOME = {
    "Interpole": "_interpole", "LearnerEstimator": "_learner", "Draws": "_draws", "Audit": "_results",
    "Bias": "_results", "Check": "_results", "Evaluation": "_results", "Explanation": "_results",
    "Model": "_results", "Picture": "_results", "as_rows": "_rows", "Plan": "_simulate", "plan": "_simulate",
    "simulate": "_simulate",
}

__all__ = ["Doubt", "Error", "learners", *sorted(_HOME)]


def __getattr__(name: str) -> Any:
    if name == "__version__":
        from . import _engine
        return _engine.version
    if name == "learners":
        return importlib.import_module(".learners", __name__)
    if name in _HOME:
        value = getattr(importlib.import_module(f".{_HOME[name]}", __name__), name)
        globals()[name] = value
        return value
    raise AttributeError(f"module 'interpole' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted([*__all__, "__version__"])
