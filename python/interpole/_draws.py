"""Posterior draws: as a data frame, by group and name, as xarray, and as a file for ArviZ."""
from __future__ import annotations

import importlib.util
import json
import os
import tempfile
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
        """The program's table."""
        import pandas as pd

        frame = pd.DataFrame(self._values, columns=self._columns)
        frame.insert(0, "chain", self._chain)
        frame.insert(1, "iteration", self._iteration)
        return frame

    @property
    def groups(self) -> dict[str, dict[str, Any]]:
        """``{group: {name: array}}``, which `arviz.from_dict` takes."""
        import numpy as np

        posterior = {name: np.asarray(values, dtype=float) for name, values in self._arviz["posterior"].items()}
        return {"posterior": posterior,
                "sample_stats": {name: np.asarray(values) for name, values in self._arviz["sample_stats"].items()}}

    @property
    def warnings(self) -> list[str]:
        """Why not to trust them."""
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
        result = {}
        for group, arrays in self.groups.items():
            variables = {name: (["chain", "draw", *self._arviz["dims"].get(name, [])], values)
                         for name, values in arrays.items()}
            chains, draws = next(iter(arrays.values())).shape[:2]
            coords = {"chain": range(chains), "draw": range(draws), **self._arviz["coords"]}  # as ArviZ counts
            used = {dim for dims, _ in variables.values() for dim in dims}
            result[group] = xarray.Dataset(variables, attrs=self._arviz["attrs"], coords={
                name: list(labels) for name, labels in coords.items() if name in used})
        return result

    def to_arviz(self, path: Path) -> None:
        """A file that ArviZ opens: .nc (`arviz.from_netcdf` of either version; the newer one is `xarray.open_datatree`),
        NetCDF with a group for each of `groups`; or .json (`arviz.from_json` of versions before 1)."""
        name = os.fspath(path)
        if name.endswith(".json"):
            _engine.write_file(name, self._arviz_text)
            return
        if not name.endswith(".nc"):
            raise Error(f"{name}: ends neither in .json nor in .nc", "usage")
        parent = os.path.dirname(os.path.abspath(name))
        if not os.path.isdir(parent):
            raise Error(f"{name}: there is no folder {parent}; make it first", "runtime")
        try:
            with tempfile.TemporaryDirectory(prefix=".interpole-", dir=parent) as folder:
                part = os.path.join(folder, "draws.nc")
                for number, (group, dataset) in enumerate(self.to_xarray().items()):
                    dataset.to_netcdf(part, group=group, mode="w" if number == 0 else "a", engine=_netcdf_engine())
                os.replace(part, name)  # complete, or unchanged
        except OSError as error:
            raise Error(f"{name}: cannot be written: {error.strerror or error}; check the folder", "runtime") from None

    def __len__(self) -> int:
        return len(self._chain)

    def __repr__(self) -> str:
        return f"<Draws: {len(self)} of {len(self._columns)} quantities>"


def _netcdf_engine() -> str:
    """A writer of NetCDF with groups."""
    for module, engine in (("netCDF4", "netcdf4"), ("h5netcdf", "h5netcdf")):
        if importlib.util.find_spec(module) is not None:
            return engine
    raise Error("a writer of NetCDF is not installed (Debian: python3-netcdf4); write a .json file, which needs none",
                "runtime")
