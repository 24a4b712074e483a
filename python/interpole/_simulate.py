"""Simulated data sets whose truth is known, and plans for POMDPs."""
from __future__ import annotations

import json
import os
import pathlib
import tempfile
from typing import Any

from . import _engine
from ._call import run
from ._results import Model
from ._tables import Path


#: Whose tables have columns of numbers with empty cells.
MEASURED = ("adni", "vitals", "clinic")


def simulate(environment: str, patients: int | None = None, seed: int = 1, *, longest: int = 0,
             format: str = "", boundary: float | None = None, threads: int = 0) -> tuple[Any, Model]:
    """A data frame of decisions, and the decision-maker behind them.

    `environment`: "diag", "bias", "tree", "adni", "ward", "kinds", "starts", "vitals" or "clinic". The
    table is that of `interpole simulate` with the same seed.

    >>> import interpole
    >>> frame, truth = interpole.simulate("bias", patients=3, seed=1)
    >>> truth.states
    ['healthy', 'diseased']
    """
    import pandas as pd

    with tempfile.TemporaryDirectory(prefix="interpole-") as folder:
        table, truth = pathlib.Path(folder, "table.csv"), pathlib.Path(folder, "truth.json")
        run(_engine.simulate, environment=environment, patients=patients, seed=seed, longest=longest, format=format,
            boundary=boundary, output=str(table), truth=str(truth), threads=threads)
        frame = pd.read_csv(table, keep_default_na=False, na_values={"observation": [""]} if environment not in MEASURED
                            else [""], low_memory=False, float_precision="round_trip")
        return frame, Model(truth.read_text(encoding="utf-8"), name="truth.json")


class Plan:
    """What to do at every belief: an action for each vector, the best where its vector is the highest.

    `vectors[i, s]` is the value of following vector i in state s; `value(belief)` and `action(belief)` take the
    highest.
    """

    def __init__(self, summary: dict[str, Any], states: list[str], actions: list[str], choices: Any,
                 vectors: Any) -> None:
        self.summary = summary
        self.states = states
        self.actions = actions
        self.choices = choices
        self.vectors = vectors

    def value(self, belief: Any) -> float:
        import numpy as np

        return float(np.max(self.vectors @ np.asarray(belief, dtype=float)))

    def action(self, belief: Any) -> str:
        import numpy as np

        return self.actions[int(self.choices[int(np.argmax(self.vectors @ np.asarray(belief, dtype=float)))])]

    def __repr__(self) -> str:
        return f"<Plan of {len(self.vectors)} vectors by the {self.summary['method']} method>"


def plan(problem: Path, *, horizon: int | None = None, discount: float | None = None, method: str = "automatic",
         epsilon: float | None = None, output: Path | None = None) -> Plan:
    """The value function of a .pomdp file. `output`: also write it as an .alpha file."""
    with tempfile.TemporaryDirectory(prefix="interpole-") as folder:
        target = os.fspath(output) if output is not None else os.path.join(folder, "plan.alpha")
        summary, states, actions, choices, vectors = run(
            _engine.plan, problem=os.fspath(problem), horizon=horizon, discount=discount, method=method, epsilon=epsilon,
            output=target)
    return Plan(json.loads(summary), states, actions, choices, vectors)
