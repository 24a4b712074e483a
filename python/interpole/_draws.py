"""Posterior draws: as a data frame, by group and name, as xarray, and as a file for ArviZ."""
from __future__ import annotations

import json
import os
from typing import Any

from . import _engine
from ._errors import Error
from ._tables import Path


class Draws:
    """Draws from the posterior.

    `frame` is the program's table, one row per draw. `groups` is ``{group: {name: array}}`` with the groups
    "posterior" and "sample_stats"; arrays begin with chain and draw. `summary` says how far to trust them.
    """

    def __init__(self, summary: str, columns: list[str], chain: Any, iteration: Any, values: Any, csv: str,
                 arviz: str) -> None:
        self.summary: dict[str, Any] = json.loads(summary)
        self._columns = columns
        self._chain, self._iteration, self._values = chain, iteration, values
        self._csv = csv
        self._arviz_text = arviz
        self._arviz: dict[str, Any] = json.loads(arviz)

    @property
    def frame(self) -> Any:
        import pandas as pd

        frame = pd.DataFrame(self._values, columns=self._columns)
        frame.insert(0, "chain", self._chain)
        frame.insert(1, "iteration", self._iteration)
        return frame

    @property
    def groups(self) -> dict[str, dict[str, Any]]:
        import numpy as np

        return {group: {name: np.asarray(values) for name, values in self._arviz[group].items()}
                for group in ("posterior", "sample_stats")}

    @property
    def warnings(self) -> list[str]:
        return list(self.summary.get("warnings", []))

    def save(self, path: Path) -> None:
        """The program's CSV file, byte for byte."""
        _engine.write_file(os.fspath(path), self._csv)

    def to_xarray(self) -> dict[str, Any]:
        """An xarray.Dataset for each group, with named dimensions. Needs xarray."""
        try:
            import xarray
        except ImportError:
            raise Error("xarray is not installed (Debian: python3-xarray); use groups, which needs numpy alone",
                        "runtime") from None
        coords = self._arviz["coords"]
        result = {}
        for group, arrays in self.groups.items():
            variables = {}
            for name, values in arrays.items():
                dims = ["chain", "draw", *self._arviz["dims"].get(name, [])]
                variables[name] = (dims, values)
            used = {dim for dims, _ in variables.values() for dim in dims}
            result[group] = xarray.Dataset(variables, coords={name: labels for name, labels in coords.items()
                                                              if name in used}, attrs=self._arviz["attrs"])
        return result

    def to_arviz(self, path: Path) -> None:
        """A file that ArviZ opens: .json (`arviz.from_json`), or .nc (`arviz.from_netcdf`, and in its newer version
        `xarray.open_datatree`): NetCDF with a group for each of `groups`."""
        name = os.fspath(path)
        if name.endswith(".json"):
            _engine.write_file(name, self._arviz_text)
            return
        if not name.endswith(".nc"):
            raise Error(f"{name}: ends neither in .json nor in .nc", "usage")
        mode = "w"
        for group, dataset in self.to_xarray().items():
            dataset.to_netcdf(name, group=group, mode=mode)
            mode = "a"

    def __len__(self) -> int:
        return len(self._chain)

    def __repr__(self) -> str:
        return f"<Draws: {len(self)} of {len(self._columns)} quantities>"
