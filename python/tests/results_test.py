"""What a fitted model gives: draws for ArviZ and xarray, the explorer, figures, cards for notebooks; and plans."""
import json
import pathlib
import stat
import unittest.mock
import webbrowser
from xml.etree import ElementTree

import netCDF4
import numpy as np
import pandas as pd
import xarray

from case import STUDIES, PackageTest, interpole, main

TIGER = """
discount: 0.75
values: reward
states: left right
actions: listen open-left open-right
observations: hear-left hear-right
start: uniform
T: * uniform
T: listen identity
O: * uniform
O: listen
0.85 0.15
0.15 0.85
R: listen : * : * : * -1
R: open-left : left : * : * -100
R: open-left : right : * : * 10
R: open-right : left : * : * 10
R: open-right : right : * : * -100
"""


class Results(PackageTest):
    @classmethod
    def setUpClass(cls):
        cls.frame, cls.truth = interpole.simulate("bias", patients=150, seed=4)
        cls.model = interpole.Interpole(study=STUDIES / "bias.toml", policy="belief", restarts=1, seed=4)
        with cls.quiet():
            cls.model.fit(cls.frame)
            cls.draws = cls.model.sample(draws=30, warm_up=60, chains=2)


class ForArviz(Results):
    def test_groups(self):
        groups = self.draws.groups
        self.assertEqual(set(groups), {"posterior", "sample_stats"})
        for arrays in groups.values():
            for name, values in arrays.items():
                self.assertEqual(values.shape[:2], (2, 30), name)

    def test_xarray_names_dimensions(self):
        found = self.draws.to_xarray()
        means = found["posterior"]["means"]
        self.assertEqual(means.dims[:2], ("chain", "draw"))
        self.assertEqual(list(means.coords["action"].values), self.model.model_.actions)
        second = self.draws.frame.query("chain == 2")["means[monitor,diseased]"].to_numpy()
        np.testing.assert_array_equal(means.sel(chain=1, action="monitor", state="diseased").values, second)

    def test_netcdf_as_both_versions_of_arviz_lay_it_out(self):
        """A group of the file for each group of draws: what InferenceData.from_netcdf walks (version 0) and what
        xarray.open_datatree makes nodes of (version 1). Both need chain and draw as dimensions of every variable, with
        coordinates, and nothing but groups at the root."""
        path = self.folder / "draws.nc"
        self.draws.to_arviz(path)
        with netCDF4.Dataset(path) as file:
            self.assertEqual(set(file.groups), {"posterior", "sample_stats"})
            self.assertEqual((len(file.variables), len(file.dimensions)), (0, 0))
            for group in file.groups.values():
                self.assertIn("chain", group.variables)
                self.assertIn("draw", group.variables)
                for name, variable in group.variables.items():
                    if name not in group.dimensions:
                        self.assertEqual(variable.dimensions[:2], ("chain", "draw"), name)
        for name, written in self.draws.to_xarray().items():
            with xarray.open_dataset(path, group=name) as read:
                xarray.testing.assert_equal(read.load(), written)
        self.draws.to_arviz(path)  # replaced, not added to
        with netCDF4.Dataset(path) as file:
            self.assertEqual(set(file.groups), {"posterior", "sample_stats"})

    def test_netcdf_is_complete_or_unchanged(self):
        path = self.folder / "draws.nc"
        path.write_text("an older file")
        with unittest.mock.patch.object(xarray.Dataset, "to_netcdf", side_effect=OSError(28, "No space left on device")):
            with self.assertRaisesRegex(interpole.Error, "draws.nc: cannot be written: No space left on device"):
                self.draws.to_arviz(path)
        self.assertEqual([(file.name, file.read_text()) for file in self.folder.iterdir()], [("draws.nc", "an older file")])
        with self.assertRaisesRegex(interpole.Error, "there is no folder /nowhere; make it first"):
            self.draws.to_arviz("/nowhere/draws.nc")

    def test_json(self):
        self.draws.to_arviz(self.folder / "draws.json")
        read = json.loads((self.folder / "draws.json").read_text())
        for group, arrays in self.draws.groups.items():
            for name, values in arrays.items():
                np.testing.assert_array_equal(np.array(read[group][name]), values)
        with self.assertRaisesRegex(interpole.Error, "draws.csv: ends neither in .json nor in .nc"):
            self.draws.to_arviz("draws.csv")


class Pages(Results):
    def test_explore_opens_a_page_of_its_owner_alone(self):
        with unittest.mock.patch.object(webbrowser, "open") as opened:
            path = pathlib.Path(self.model.explore(title="Doctors"))
        self.addCleanup(path.parent.rmdir)
        self.addCleanup(path.unlink)
        opened.assert_called_once_with(path.as_uri())
        self.assertEqual(stat.S_IMODE(path.parent.stat().st_mode), 0o700)
        self.model.report(self.folder / "report.html", title="Doctors")
        self.assertEqual(path.read_bytes(), (self.folder / "report.html").read_bytes())

    def test_every_figure_is_svg(self):
        for kind in ("policy", "beliefs", "tree", "bias"):
            with self.subTest(kind):
                self.assertTrue(ElementTree.fromstring(self.model.plot(kind)._repr_svg_()).tag.endswith("svg"))
        trajectory = self.model.plot("trajectory", patients=["p000001"])
        trajectory.save(self.folder / "figure.svg")
        self.assertEqual((self.folder / "figure.svg").read_text(encoding="utf-8"), trajectory.svg)

    def html(self, value):
        """Well-formed, as a notebook would show it."""
        text = value._repr_html_()
        ElementTree.fromstring(f"<page>{text.replace('&nbsp;', ' ')}</page>")
        return text

    def test_cards(self):
        page = self.html(self.model)
        self.assertIn("150 records", page)
        self.assertIn("<svg", page)
        self.assertEqual(self.model._repr_mimebundle_()["text/html"], page)
        self.assertIn("not fitted yet", self.html(interpole.Interpole(states=2)))
        self.assertIn("observation[monitor,diseased,negative]", self.html(self.model.bias()))
        self.assertIn("unlikely records", self.html(self.model.audit()))
        self.html(self.model.check())
        self.html(self.model.evaluate(truth=self.truth))

    def test_an_explanation_has_a_row_for_each_visit(self):
        record = self.frame[self.frame["patient"] == "p000001"].reset_index(drop=True)
        explanation = self.model.explain("p000001")
        self.assertEqual(list(explanation.frame["action"]), list(record["action"]))
        self.assertEqual(list(explanation.frame["observation"].fillna("")), list(record["observation"].fillna("")))
        beliefs = self.model.beliefs().query("patient == 'p000001'")
        np.testing.assert_allclose(explanation.frame["belief:diseased"], beliefs["belief:diseased"])
        self.assertIn("positive" if "positive" in set(record["observation"]) else "negative", self.html(explanation))

    def test_boundaries_and_intervals_are_data_frames(self):
        self.assertEqual(set(self.model.boundaries["after"]) - set(self.model.classes_), set())
        numbers = self.model.intervals
        self.assertTrue(((numbers["low"] <= numbers["median"]) & (numbers["median"] <= numbers["high"])).all())


class Plans(PackageTest):
    def test_the_tiger(self):
        (self.folder / "tiger.pomdp").write_text(TIGER)
        plan = interpole.plan(self.folder / "tiger.pomdp", output=self.folder / "package.alpha")
        self.run_program("plan", "tiger.pomdp", "--output", "program.alpha")
        self.assert_same_bytes("package.alpha", "program.alpha")
        self.assertEqual((plan.states, plan.actions), (["left", "right"], ["listen", "open-left", "open-right"]))
        self.assertEqual(plan.action([0.5, 0.5]), "listen")
        self.assertEqual(plan.action([0.999, 0.001]), "open-right")
        self.assertEqual(plan.action([0.001, 0.999]), "open-left")
        # Open at once what is certain, and go on as from the start.
        self.assertAlmostEqual(plan.value([1.0, 0.0]), 10.0 + 0.75 * plan.value([0.5, 0.5]), places=4)
        self.assertIn("Plan of", repr(plan))

    def test_a_short_plan_ends_with_the_reward(self):
        (self.folder / "tiger.pomdp").write_text(TIGER)
        plan = interpole.plan(self.folder / "tiger.pomdp", horizon=1, method="exact")
        self.assertAlmostEqual(plan.value([1.0, 0.0]), 10.0)
        self.assertAlmostEqual(plan.value([0.5, 0.5]), -1.0)


class Simulators(PackageTest):
    def test_every_environment(self):
        from interpole import _engine
        for name in _engine.environments():
            with self.subTest(name):
                frame, truth = interpole.simulate(name, patients=5, seed=2)
                self.assertIsInstance(frame, pd.DataFrame)
                self.assertGreater(len(frame), 4)
                self.assertGreater(len(truth.states), 1)


if __name__ == "__main__":
    main()
