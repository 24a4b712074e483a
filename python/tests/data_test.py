"""Tables as people have them: odd types give what their CSV file gives, columns may have any name, nothing is copied that
need not be."""
import datetime
import decimal
import io
import uuid

import numpy as np
import pandas as pd

from case import STUDIES, PackageTest, interpole, main

from interpole import _engine
from interpole._columns import columns_of
from interpole._tables import held

def digest(data):
    """Of the CSV file that a table would be, as the engine writes it into a model file."""
    model = interpole.learners.make("majority", study=STUDIES / "bias.toml").fit(data)
    return model.model_.to_dict()["provenance"]["data"]["sha256"]


def csv_digest(folder, frame):
    frame.to_csv(folder / "table.csv", index=False)
    return digest(folder / "table.csv")


class Types(PackageTest):
    """A further column of every type, beside those of a visits table."""

    def setUp(self):
        super().setUp()
        self.frame, _ = interpole.simulate("bias", patients=12, seed=1)
        self.rows = len(self.frame)

    def same_as_its_csv(self, column):
        frame = self.frame.assign(extra=column)
        self.assertNotEqual(digest(frame), digest(self.frame))
        self.assertEqual(digest(frame), csv_digest(self.folder, frame))

    def repeated(self, values, dtype=None):
        return pd.Series([values[i % len(values)] for i in range(self.rows)], dtype=dtype)

    def test_each_is_what_its_csv_file_holds(self):
        days = pd.Series(pd.date_range("2020-01-31", periods=self.rows))
        kinds = {
            "whole": np.arange(self.rows), "small": np.arange(self.rows).astype(np.int8),
            "unsigned": np.arange(self.rows).astype(np.uint16),
            "large": np.full(self.rows, 2 ** 63 + 5, dtype=np.uint64),
            "nullable": self.repeated([1, None, 3], "Int64"), "nullable float": self.repeated([1.5, None], "Float64"),
            "truths": self.repeated([True, False]), "nullable truths": self.repeated([True, None, False], "boolean"),
            "texts": self.repeated(["a b", 'say "no"', "x, y", None, "ü"]), "strings": self.repeated(["a", None], "string"),
            "categories": self.repeated(["low", "high", None]).astype("category"),
            "categories of numbers": self.repeated([1, 2]).astype("category"),
            "ranges": pd.cut(pd.Series(np.arange(self.rows)), 3),
            "days": days, "hours": days + pd.Timedelta(hours=1), "some hours": days.where(days.index % 2 == 0, None),
            "zones": days.dt.tz_localize("UTC"), "months": days.dt.to_period("M"),
            "single floats": self.repeated([0.5, 0.25, 2.75]).astype(np.float32),
            "python dates": self.repeated([datetime.date(2020, 1, 1), None]).astype(object),
            "decimals": self.repeated([decimal.Decimal("2.50")]).astype(object),
            "mixed": self.repeated([1, "one", None, True]).astype(object),
            "scalars of numpy": self.repeated([np.float32(0.1), np.bool_(True), np.int8(3), np.float32("nan")]).astype(object),
            "no decimal": self.repeated([decimal.Decimal("2.50"), decimal.Decimal("NaN")]).astype(object),
            "identifiers": self.repeated([uuid.UUID(int=7), uuid.UUID(int=8)]).astype(object),
        }
        for name, column in kinds.items():
            with self.subTest(name):
                self.same_as_its_csv(column)

    def test_numbers_of_few_bits_are_as_they_are_written(self):
        frame = self.frame.assign(extra=self.repeated([0.1, 2.3]).astype(np.float32))
        self.assertEqual(digest(frame), digest(self.frame.assign(extra=self.repeated([0.1, 2.3]))))

    def test_visits_columns_of_other_types(self):
        expected = digest(self.frame)
        for changed in ({"step": "Int64"}, {"step": np.int16}, {"patient": "category"}, {"patient": "string"},
                        {"action": "category", "observation": "category"}, {"action": "string", "observation": "string"}):
            with self.subTest(changed):
                self.assertEqual(digest(self.frame.astype(changed)), expected)
        self.assertEqual(digest({name: self.frame[name].to_list() for name in self.frame}), expected)
        self.assertEqual(digest({name: self.frame[name] for name in self.frame}), expected)
        self.assertEqual(digest(self.frame.set_index(pd.Index(range(self.rows, 0, -1)))), expected)

    def test_patients_that_are_numbers(self):
        frame = self.frame.assign(patient=self.frame["patient"].str[1:].astype(int))
        model = interpole.learners.make("majority", study=STUDIES / "bias.toml").fit(frame)
        self.assertEqual(list(model.beliefs()["patient"].unique()), [str(i + 1) for i in range(12)])


class OwnNames(PackageTest):
    def setUp(self):
        super().setUp()
        self.frame, _ = interpole.simulate("bias", patients=12, seed=1)
        self.own = self.frame.rename(columns={"patient": "Patient ID", "step": "visit", "action": "what was done",
                                              "observation": "test result"})
        self.names = {"record": "Patient ID", "step": "visit", "action": "what was done", "observation": "test result"}
        self.quick = interpole.Interpole(study=STUDIES / "bias.toml", restarts=1, policy="belief")

    def test_columns_may_have_any_name(self):
        expected = self.quick.fit(self.frame).beliefs()
        pd.testing.assert_frame_equal(self.quick.fit(self.own, **self.names).beliefs(), expected)
        pd.testing.assert_frame_equal(self.quick.beliefs(self.own), expected)
        in_parameters = interpole.Interpole(study=STUDIES / "bias.toml", restarts=1, policy="belief", **self.names)
        pd.testing.assert_frame_equal(in_parameters.fit(self.own).beliefs(), expected)
        self.own.to_csv(self.folder / "own.csv", index=False)
        pd.testing.assert_frame_equal(self.quick.fit(self.folder / "own.csv", **self.names).beliefs(), expected)

    def test_fit_leaves_parameters_alone(self):
        before = self.quick.get_params()
        self.quick.fit(self.own, **self.names)
        self.assertEqual(self.quick.get_params(), before)

    def test_another_column_may_have_the_name(self):
        frame = self.own.assign(patient="someone else", action="something else")
        expected = self.quick.fit(self.frame).beliefs()
        pd.testing.assert_frame_equal(self.quick.fit(frame, **self.names).beliefs(), expected)

    def test_rows_are_numbered_where_nothing_else_does(self):
        del self.names["step"]
        model = self.quick.fit(self.own.drop(columns="visit"), **self.names)
        self.assertEqual(list(model.beliefs()["step"]), list(self.frame["step"]))

    def test_a_file_needs_no_study(self):
        self.frame.to_csv(self.folder / "visits.csv", index=False)
        model = interpole.Interpole(states=["healthy", "ill"], labels=("monitor", "positive"), restarts=1, policy="belief")
        of_file = model.fit(self.folder / "visits.csv").model_.text
        self.assertEqual(model.fit(self.frame, name="visits.csv").model_.text, of_file)
        self.assertIn('order = ["healthy", "ill"]', model.study_text())


class Memory(PackageTest):
    def test_numbers_and_categories_are_used_where_they_lie(self):
        frame = pd.DataFrame({"a": np.arange(5), "b": np.arange(5) / 2})
        columns, _ = columns_of(frame, {})
        for name, _, array, _ in columns:
            self.assertTrue(np.shares_memory(array, frame[name].to_numpy()), name)

    def test_a_table_is_read_as_long_as_it_lives(self):
        frame, _ = interpole.simulate("bias", patients=5, seed=1)
        source = held(frame, columns={name: name for name in ("patient", "step", "action", "observation")})
        tables = source.tables
        self.assertEqual(_engine.read_data(str(STUDIES / "bias.toml"), tables, None)[0], 5)
        del source
        with self.assertRaises(interpole.Error):
            _engine.read_data(str(STUDIES / "bias.toml"), tables, None)

    def test_frames_that_are_slices(self):
        frame, _ = interpole.simulate("bias", patients=20, seed=1)
        part = frame[frame["patient"] <= "p000010"]
        text = io.StringIO(part.to_csv(index=False))
        again = pd.read_csv(text, keep_default_na=False, na_values={"observation": [""]})
        self.assertEqual(digest(part), digest(again))
        self.assertEqual(digest(frame[["patient", "step", "action", "observation"]][::1]), digest(frame))


if __name__ == "__main__":
    main()
