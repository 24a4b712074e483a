"""Bad input: a sentence that names the place, the value and the remedy; never a crash."""
import datetime

import numpy as np
import pandas as pd

from case import STUDIES, PackageTest, interpole, main

GOOD = {"patient": ["p1", "p1", "p2"], "step": [1, 2, 1], "action": ["monitor", "declare-healthy", "monitor"],
        "observation": ["negative", None, "positive"]}


def changed(**columns):
    return {**GOOD, **columns}


# (name, data, what the message must say)
TABLES = [
    ("no rows", {name: [] for name in GOOD}, "frame: there are no rows below the header; nothing to learn from"),
    ("empty frame", pd.DataFrame(), "frame: there are no columns; give at least one"),
    ("no patient", {name: GOOD[name] for name in ("step", "action", "observation")},
     'frame: column "patient" is missing; say by argument record which one it is; the columns are step, action, observation'),
    ("no action", {name: GOOD[name] for name in ("patient", "step", "observation")},
     'frame: column "action" is missing; say by argument action which one it is; the columns are patient, step, observation'),
    ("no observation", {name: GOOD[name] for name in ("patient", "step", "action")},
     'frame: column "observation" is missing; say by argument observation which one it is'),
    ("patient misspelt", {"pateint": GOOD["patient"], **{name: GOOD[name] for name in ("step", "action", "observation")}},
     'frame: column "patient" is missing; is it "pateint"? The columns are pateint, step, action, observation'),
    ("patient in the index", pd.DataFrame(GOOD).set_index("patient"),
     'frame: column "patient" is missing; it is the index of the data frame: give frame.reset_index()'),
    ("patient none", changed(patient=["p1", None, "p2"]),
     "frame: row 1: column patient: the cell is empty; every row must name its patient"),
    ("patient NaN", changed(patient=np.array(["p1", "p1", float("nan")], dtype=object)),
     "frame: row 2: column patient: the cell is empty"),
    ("patient NaN number", changed(patient=[1.0, 1.0, float("nan")]), "frame: row 2: column patient: the cell is empty"),
    ("patient apart", changed(patient=["p1", "p2", "p1"], action=["monitor"] * 3, observation=["negative"] * 3),
     'frame: row 2: column patient: patient "p1" was already in row 0, with other patients between'),
    ("number apart", changed(patient=[1, 2, 1], action=["monitor"] * 3, observation=["negative"] * 3),
     'frame: row 2: column patient: patient "1" was already in row 0'),
    ("step text", changed(step=["1", "two", "1"]), 'frame: row 1: column step: "two" is not a whole number'),
    ("step half", changed(step=[1.0, 1.5, 1.0]), 'frame: row 1: column step: "1.5" is not a whole number'),
    ("step NaN", changed(step=[1.0, float("nan"), 1.0]), 'frame: row 1: column step: "" is not a whole number'),
    ("step inf", changed(step=[1.0, float("inf"), 1.0]), 'frame: row 1: column step: "inf" is not a whole number'),
    ("step twice", changed(step=[1, 1, 1]), 'frame: row 1: column step: step 1 of patient "p1" is there twice'),
    ("step falls", changed(step=[2, 1, 1]), 'frame: row 1: column step: step 1 of patient "p1" comes after step 2; sort'),
    ("step date", changed(step=np.array(["2020-01-01"] * 3, dtype="datetime64[D]")),
     'frame: row 0: column step: "2020-01-01" is not a whole number'),
    ("unknown action", changed(action=["monitor", "operate", "monitor"]),
     'frame: row 1: column action: "operate" is not an action of this study; the actions are'),
    ("misspelt action", changed(action=["moniter", "declare-healthy", "monitor"]),
     'frame: row 0: column action: "moniter" is not an action of this study; did you mean "monitor"?'),
    ("number as action", changed(action=[1, 2, 1]), 'frame: row 0: column action: "1" is not an action of this study'),
    ("truth as action", changed(action=[True, False, True]), 'frame: row 0: column action: "True" is not an action'),
    ("action none", changed(action=["monitor", None, "monitor"]),
     'frame: row 1: column action: "" is not an action of this study'),
    ("action NA", changed(action=pd.array(["monitor", pd.NA, "monitor"], dtype="string")),
     'frame: row 1: column action: "" is not an action of this study'),
    ("goes on after the end", changed(patient=["p1"] * 3, step=[1, 2, 3]),
     'frame: row 2: column action: patient "p1" goes on after "declare-healthy", which ends a record'),
    ("unknown observation", changed(observation=["negative", None, "purple"]),
     'frame: row 2: column observation: "purple" is not an observation of this study'),
    ("unseen category", changed(observation=pd.Categorical(["negative", None, "dark"])),
     'frame: row 2: column observation: "dark" is not an observation of this study'),
    ("NA word", changed(observation=["negative", "NA", "positive"]), 'frame: row 1: column observation: "NA" after'),
    ("seen after the end", changed(observation=["negative", "positive", "positive"]),
     'frame: row 1: column observation: "positive" after "declare-healthy", which ends the record and yields nothing'),
    ("observation number", changed(observation=[0.0, float("nan"), 1.0]),
     'frame: row 0: column observation: "0" is not an observation of this study'),
    ("mixed types", changed(observation=np.array(["negative", None, ["positive"]], dtype=object)),
     "frame: row 2: column observation: a list is neither text nor a number"),
    ("dict in a cell", changed(action=np.array(["monitor", {"a": 1}, "monitor"], dtype=object)),
     "frame: row 1: column action: a dict is neither text nor a number"),
    ("bytes in a cell", changed(action=np.array([b"monitor", "monitor", "monitor"], dtype=object)),
     "frame: row 0: column action: a bytes is neither text nor a number"),
    ("half a character", changed(action=np.array(["monitor", "\ud800", "monitor"], dtype=object)),
     "frame: row 1: column action: the text cannot be written as UTF-8"),
    ("complex", changed(step=np.array([1j, 2, 1])), "column step: values of type complex128 are not read"),
    ("bytes array", changed(action=np.array([b"a", b"b", b"a"])), "frame: row 0: column action: a bytes is neither text nor"),
    ("two dimensions", changed(step=np.ones((3, 2))), "column step: has 2 dimensions; give one value for each row"),
    ("unequal lengths", changed(step=[1, 2]), "column step: 2 rows, and the first column has 3"),
    ("timedelta", changed(step=np.array([1, 2, 1], dtype="timedelta64[D]")),
     'frame: row 0: column step: "1 days" is not a whole number'),
    ("date in a cell", changed(action=np.array([datetime.date(2020, 1, 1), "monitor", "monitor"], dtype=object)),
     'frame: row 0: column action: "2020-01-01" is not an action'),
    ("a number", 7, "a int is not a table; give a data frame"),
    ("an array", np.ones((3, 4)), "This Interpole estimator requires y to be passed, but the target y is None"),
    ("nothing", None, "This Interpole estimator requires y to be passed, but the target y is None"),
    ("no such file", "nowhere.csv", "nowhere.csv: cannot be read: No such file or directory; check the name"),
    ("no such pattern", "nowhere-*.csv", "nowhere-*.csv: no file is called like this; check the pattern"),
    ("kind of file", "visits.xlsx", "visits.xlsx: the kind of table is told by the file's name"),
]

# (name, parameters, what the message must say)
PARAMETERS = [
    ("dynamics", {"dynamics": "copled"}, 'argument dynamics: "copled" is not known; choose shared, coupled or subjective'),
    ("policy", {"policy": "all"}, 'argument policy: "all" is not known; choose belief, auto or full'),
    ("optimizer", {"optimizer": "sgd"}, 'argument optimizer: "sgd" is not known; choose lbfgs or algorithm1'),
    ("restarts", {"restarts": -1}, "argument restarts: -1 is negative; ask for at least one"),
    ("restarts half", {"restarts": 1.5}, "argument restarts: 1.5 is not a whole number"),
    ("coupling", {"coupling": -1.0}, "argument coupling: -1 is not a number from 0 to inf"),
    ("coupling NaN", {"coupling": float("nan")}, "argument coupling: nan is not a number from 0 to inf"),
    ("coupling word", {"coupling": "weak"}, "argument coupling: 'weak' is not a number"),
    ("seed none", {"seed": None}, "argument seed: None is not a whole number"),
    ("seed below zero", {"seed": -1}, "argument seed: -1 is negative or too large"),
    ("threads word", {"threads": "all"}, "argument threads: 'all' is not a whole number"),
    ("dynamics number", {"dynamics": 2}, "argument dynamics: 2 is not a text"),
    ("two columns", {"observation": ["test", "sign"]},
     "argument observation: ['test', 'sign'] is not the name of one column"),
    ("step called otherwise", {"step": "visit"},
     'frame: column "visit" is missing; say by argument step which one it is; the columns are patient, step, action'),
    ("study a number", {"study": 3}, "argument study: a int is neither the path nor the text of a study"),
    ("study missing", {"study": "nowhere.toml"}, "nowhere.toml: cannot be read: No such file or directory"),
    ("study empty", {"study": "\n"}, "study.toml: format: the key is missing"),
    ("study syntax", {"study": "format = \n"}, "study.toml:1:10: Error while parsing key-value pair"),
    ("study of another kind", {"study": 'format = "recipe"\nversion = 1\n'},
     'study.toml:1: format: not "interpole-study"; is this a study file?'),
    ("states none", {"study": None, "states": 0}, "argument states: 0 is not a number of states from 1 to 50"),
    ("states half", {"study": None, "states": 2.5}, "argument states: 2.5 is neither a list of names nor how many there are"),
    ("states one word", {"study": None, "states": "healthy"}, "argument states: 'healthy' is one name"),
    ("states twice", {"study": None, "states": ["a", "a"]}, "argument states: ['a', 'a'] must be at least one name, each once"),
    ("labels one word", {"study": None, "labels": "monitor"},
     "argument labels: 'monitor' is not a pair: an action, and an observation that becomes likelier along the states"),
    ("labels unknown", {"study": None, "labels": ("monitor", "blue")},
     'study.toml:16: labels.observation: "blue" is not an observation'),
    ("actions lacking", {"study": None, "actions": ["monitor"]},
     "argument actions: ['monitor'] lacks 'declare-healthy', which the table has"),
    ("several tables without a study", {"study": None, "_data": {"a": "a.csv", "b": "b.csv"}},
     "argument study is needed to read several tables; without one, give a single table"),
]


class Tables(PackageTest):
    def test_every_table_is_refused_in_words(self):
        for name, data, words in TABLES:
            with self.subTest(name):
                model = interpole.Interpole(study=STUDIES / "bias.toml", restarts=1)
                with self.assertRaises(interpole.Error) as caught:
                    model.fit(data)
                self.assertTrue(str(caught.exception).startswith(words), str(caught.exception))
                self.assertNotIn("memory:", str(caught.exception))

    def test_every_parameter_is_refused_in_words(self):
        for name, parameters, words in PARAMETERS:
            with self.subTest(name):
                given = {"study": STUDIES / "bias.toml", **parameters}
                data = given.pop("_data", GOOD)
                with self.assertRaises(interpole.Error) as caught:
                    interpole.Interpole(**given).fit(data)
                self.assertTrue(str(caught.exception).startswith(words), str(caught.exception))

    def test_there_are_sixty(self):
        self.assertGreaterEqual(len(TABLES) + len(PARAMETERS), 60)

    def test_data_frames_say_the_same(self):
        for name, data, words in TABLES:
            if not isinstance(data, dict) or name in ("two dimensions", "unequal lengths"):  # no data frame has these
                continue
            with self.subTest(name), self.assertRaises(interpole.Error) as caught:
                interpole.Interpole(study=STUDIES / "bias.toml").fit(pd.DataFrame(data))
            self.assertIn(words, str(caught.exception))

    def test_cells_are_named_by_row_and_column_as_the_user_calls_it(self):
        own = {"patient": "id", "step": "visit no.", "action": "what was done", "observation": "result"}
        named = 0
        for name, data, words in TABLES:
            if not isinstance(data, dict) or not words.startswith("frame: row "):
                continue
            column = next(one for one in own if f"column {one}:" in words)
            with self.subTest(name), self.assertRaises(interpole.Error) as caught:
                interpole.Interpole(study=STUDIES / "bias.toml").fit(
                    {own[one]: cells for one, cells in data.items()}, record="id", step="visit no.", action="what was done",
                    observation="result")
            self.assertIn(words.replace(f"column {column}:", f"column {own[column]}:"), str(caught.exception))
            named += 1
        self.assertGreater(named, 25)


class Calls(PackageTest):
    def setUp(self):
        super().setUp()
        self.frame, _ = interpole.simulate("bias", patients=40, seed=1)
        self.model = interpole.Interpole(study=STUDIES / "bias.toml", policy="belief", restarts=1).fit(self.frame)

    def refused(self, act, words, kind=None):
        with self.assertRaises(interpole.Error) as caught:
            act()
        self.assertIn(words, str(caught.exception))
        if kind:
            self.assertEqual(caught.exception.kind, kind)

    def test_calls(self):
        self.refused(lambda: self.model.explain("p9"), 'there is no patient "p9"')
        self.refused(lambda: self.model.plot("pie"), 'there is no figure "pie"', "usage")
        self.refused(lambda: self.model.report("/nowhere/report.html"), "there is no folder /nowhere", "runtime")
        self.refused(lambda: self.model.bias(margin=2.0), "margin", "usage")
        self.refused(lambda: self.model.sample(chains=0), "chains", "usage")
        self.refused(lambda: self.model.save("/nowhere/model.json"), "/nowhere", "runtime")
        self.refused(lambda: self.model.predict_proba([[1, 2]]), "is not a table", "usage")
        self.refused(lambda: interpole.simulate("bais"), "bais", "usage")
        self.refused(lambda: interpole.simulate("bias", patients=-1), "patients", "usage")
        self.refused(lambda: interpole.simulate("bias", patients="many"), "argument patients: 'many' is not", "usage")
        self.refused(lambda: self.model.sample(draws=10.5), "argument draws: 10.5 is not a whole number", "usage")
        self.refused(lambda: self.model.audit(tests="monitor"), "argument tests: 'monitor' is not a list of texts", "usage")
        self.refused(lambda: self.model.bias(shares="yes"), "argument shares: 'yes' is not True or False", "usage")
        self.refused(lambda: interpole.Model.read("nowhere.json"), "nowhere.json: cannot be read: No such file", "input")
        self.refused(lambda: interpole.learners.make("bc", study=STUDIES / "bias.toml", smoothing="much").fit(self.frame),
                     "argument smoothing: 'much' is not a number", "usage")
        self.refused(lambda: interpole.plan("nowhere.pomdp"), "nowhere.pomdp", "input")
        self.refused(lambda: interpole.learners.make("bcc"), "'bcc' is not a learner", "usage")
        shared = interpole.Interpole(study=STUDIES / "bias.toml", dynamics="shared", restarts=1).fit(self.frame)
        self.refused(shared.bias, "has no world beside its agent", "input")

    def test_rows_for_scikit_learn(self):
        X, y, groups = interpole.as_rows(self.frame)
        quick = interpole.Interpole(study=STUDIES / "bias.toml", policy="belief", restarts=1)
        refused = self.refused
        refused(lambda: quick.fit(X, y[:-1]), f"argument y: {len(y) - 1} labels, and X has {len(y)} rows", "usage")
        refused(lambda: quick.fit(X, np.where(np.arange(len(y)) == 3, None, y)), "argument y: row 3: the action is missing")
        refused(lambda: quick.fit(X, np.where(np.arange(len(y)) == 3, "operate", y)),
                'X: row 3: column y: "operate" is not an action of this study')
        refused(lambda: quick.fit(X, y, groups=groups[:-1]), f"argument groups: {len(y) - 1} values, and X has {len(y)} rows")
        refused(lambda: quick.fit(X.assign(patient=None), y), "X: row 0: column patient: the cell is empty")
        refused(lambda: quick.fit(X[::-1], y[::-1]), "X: row ")
        refused(lambda: quick.fit(X, pd.array([y[0], pd.NA, *y[2:]], dtype="string")), "argument y: row 1: the action is missing")
        refused(lambda: quick.fit(self.frame, self.frame["action"], groups=groups),
                'X: column "action" is y itself, which no prediction knows; give the X of interpole.as_rows(frame)')
        refused(lambda: quick.fit(X.assign(signs=[["a"]] * len(X)), y),
                "X: row 0: column signs: a list is neither text nor a number")
        refused(lambda: interpole.as_rows(7), "a int is not a data frame; give one of pandas, or a dict of columns", "usage")
        refused(lambda: interpole.as_rows(self.frame, record="id"), "column 'id' is missing; the columns are patient, step")
        refused(lambda: quick.fit(X.drop(columns="patient"), y, groups=groups).predict(X.drop(columns="patient")),
                "X has no column 'patient', and no groups are given, which the estimator was fitted with")
        quick.fit(X, y)
        refused(lambda: quick.predict(X.assign(last_observation=X["last_observation"].where(X.index != 1, "blue"))),
                'X: row 1: column last_observation: "blue" is not an observation of this study')
        refused(lambda: quick.predict(X.assign(last_action=X["last_action"].where(X.index != 1, "operate"))),
                'X: row 1: column last_action: "operate" is not an action of this study')
        refused(lambda: quick.predict(X.assign(last_action=X["last_action"].where(X.index != 1, None))),
                "X: row 1: column last_action: the cell is empty, and the row is not the first of its record")
        refused(lambda: quick.predict(X.astype("string").assign(
            last_action=X["last_action"].astype("string").where(X.index != 1, pd.NA))),
                "X: row 1: column last_action: the cell is empty, and the row is not the first of its record")
        refused(lambda: quick.predict(X.head(0)), "X: there are no rows")
        with self.assertRaisesRegex(ValueError, "last_observation"):  # scikit-learn's own words
            quick.predict(X.drop(columns="last_observation"))

    def test_not_fitted(self):
        from sklearn.exceptions import NotFittedError
        for act in ("bias", "beliefs", "sample", "check", "audit", "plot"):
            with self.subTest(act), self.assertRaises(NotFittedError):
                getattr(interpole.Interpole(states=2), act)()


if __name__ == "__main__":
    main()
