"""scikit-learn's manners, by scikit-learn's own checks."""
import pickle
import subprocess
import sys
import warnings

import numpy as np
import pandas as pd
from sklearn.base import clone
from sklearn.metrics import log_loss
from sklearn.model_selection import GridSearchCV, GroupKFold, cross_val_predict, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer
from sklearn.utils.estimator_checks import check_estimator

from case import STUDIES, PackageTest, interpole, main

from interpole._rows import RowsReader

# How many docs/python.md says there are, and what cannot apply, and why.
CHECKS = 43
EXCEPTIONS = {
    "check_classifiers_classes": "wants every class predicted; the check has no records, so each row is one by itself, and "
                                 "the likeliest action is the commonest for all of them",
}


def quick(**parameters):
    return interpole.Interpole(policy="belief", restarts=1, **parameters)


class Manners(PackageTest):
    def test_checks_of_scikit_learn(self):
        failed = {}
        for estimator in (quick(states=2), interpole.learners.make("majority")):
            checks = list(check_estimator(estimator, generate_only=True))
            self.assertEqual(len(checks), CHECKS)
            for one, check in checks:
                name = check.func.__name__
                with self.subTest(name), warnings.catch_warnings():
                    warnings.simplefilter("ignore")
                    try:
                        check(one)
                    except Exception as error:  # whatever a check throws is its verdict; none is to be skipped
                        failed[name] = str(error)
        self.assertEqual({name: words for name, words in failed.items() if name not in EXCEPTIONS}, {})
        self.assertEqual(set(EXCEPTIONS) - set(failed), set(), "these checks pass now")

    def test_parameters(self):
        model = quick(states=["a", "b"], seed=7)
        self.assertEqual(model.get_params()["seed"], 7)
        self.assertEqual(clone(model).set_params(seed=8).seed, 8)
        with self.assertRaises(ValueError):
            model.set_params(sed=1)

    def test_fitted_estimators_are_pickled(self):
        frame, _ = interpole.simulate("bias", patients=40, seed=1)
        model = quick(study=STUDIES / "bias.toml").fit(frame)
        again = pickle.loads(pickle.dumps(model))
        np.testing.assert_array_equal(again.predict_proba(frame), model.predict_proba(frame))
        with self.assertRaisesRegex(interpole.Error, "give data"):
            again.bias()
        self.assertEqual(again.bias(frame).json, model.bias().json)
        self.assertEqual(clone(model).get_params(), model.get_params())
        rival = interpole.learners.make("bc").fit(frame)
        np.testing.assert_array_equal(pickle.loads(pickle.dumps(rival)).predict(frame), rival.predict(frame))

    def test_without_scikit_learn(self):
        """The manners are there where it is not installed."""
        script = (
            "import sys; sys.modules['sklearn'] = None\n"
            "import interpole\n"
            "frame, _ = interpole.simulate('bias', patients=40, seed=1)\n"
            "X, y, groups = interpole.as_rows(frame)\n"
            "model = interpole.learners.make('bc', seed=2)\n"
            "try: model.predict(frame)\n"
            "except interpole.Error as error: print(error, model)\n"
            "print(model.fit(X, y).set_params(seed=3).get_params()['seed'], model.predict_proba(X).shape[1])\n")
        result = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
        self.assertEqual(result.stdout, "this Bc is not fitted yet; call fit first Bc(seed=2)\n3 3\n")


class Rows(PackageTest):
    def setUp(self):
        super().setUp()
        self.frame, _ = interpole.simulate("bias", patients=120, seed=2)
        self.X, self.y, self.groups = interpole.as_rows(self.frame)

    def test_rows_and_table_are_the_same_fit(self):
        study = STUDIES / "bias.toml"
        table = quick(study=study).fit(self.frame)
        rows = quick(study=study).fit(self.X, self.y)
        by_name = dict(zip(table.classes_, table.predict_proba(self.frame).T))
        for name, column in zip(rows.classes_, rows.predict_proba(self.X).T):
            np.testing.assert_array_equal(column, by_name[name])

    def test_no_later_row_is_used(self):
        model = quick(study=STUDIES / "bias.toml").fit(self.X, self.y)
        whole = model.predict_proba(self.X)
        rng = np.random.default_rng(1)
        for row in rng.choice(len(self.X), 40, replace=False):
            same = (self.X["patient"] == self.X["patient"].iloc[row]) & (np.arange(len(self.X)) <= row)
            np.testing.assert_array_equal(model.predict_proba(self.X[same])[-1], whole[row])
        table = quick(study=STUDIES / "bias.toml").fit(self.frame)
        whole = table.predict_proba(self.frame)
        for row in rng.choice(len(self.frame), 40, replace=False):
            same = (self.frame["patient"] == self.frame["patient"].iloc[row]) & (np.arange(len(self.frame)) <= row)
            np.testing.assert_array_equal(table.predict_proba(self.frame[same])[-1], whole[row])

    def test_cross_validated_predictions(self):
        for method in ("predict_proba", "predict"):
            model = quick(study=STUDIES / "bias.toml").set_params(restarts=3)
            found = cross_val_predict(model, self.X, self.y, groups=self.groups, cv=GroupKFold(3), method=method)
            self.assertEqual(len(found), len(self.y))
        self.assertGreater((found == self.y).mean(), (self.y == "monitor").mean() + 0.02)

    def test_grid_search_over_dynamics_and_states(self):
        actions = sorted(set(self.y))
        grid = {"dynamics": ["shared", "subjective", "coupled"], "states": [1, 2]}
        search = GridSearchCV(quick(actions=actions), grid, cv=GroupKFold(3), scoring="neg_log_loss", error_score="raise")
        search.fit(self.X, self.y, groups=self.groups)
        self.assertEqual(search.best_params_["states"], 2)
        found = pd.DataFrame(search.cv_results_)
        self.assertEqual(len(found), 6)
        self.assertTrue(np.isfinite(found["mean_test_score"]).all())
        self.assertEqual(search.predict_proba(self.X).shape, (len(self.X), len(actions)))

    def test_searches_run_side_by_side(self):
        search = GridSearchCV(quick(study=STUDIES / "bias.toml", threads=1), {"dynamics": ["shared", "coupled"]},
                              cv=GroupKFold(2), n_jobs=2, error_score="raise").fit(self.X, self.y, groups=self.groups)
        alone = GridSearchCV(quick(study=STUDIES / "bias.toml", threads=1), {"dynamics": ["shared", "coupled"]},
                             cv=GroupKFold(2), error_score="raise").fit(self.X, self.y, groups=self.groups)
        np.testing.assert_array_equal(search.cv_results_["mean_test_score"], alone.cv_results_["mean_test_score"])

    def test_tables_are_cross_validated_without_y(self):
        scores = cross_val_score(interpole.learners.make("bc", study=STUDIES / "bias.toml"), self.frame,
                                 groups=self.frame["patient"], cv=GroupKFold(3), error_score="raise")
        expected = []
        for train, test in GroupKFold(3).split(self.frame, groups=self.frame["patient"]):
            rival = interpole.learners.make("bc", study=STUDIES / "bias.toml").fit(self.frame.iloc[train])
            rows = self.frame.iloc[test]
            expected.append((rival.predict(rows) == rows["action"]).mean())
        np.testing.assert_allclose(scores, expected)

    def test_measures_of_scikit_learn_understand_the_columns(self):
        model = quick(study=STUDIES / "bias.toml").fit(self.frame)
        self.assertEqual(list(model.classes_), sorted(model.model_.actions))
        actions = model.evaluate().json["log_likelihood"]["actions"]
        self.assertAlmostEqual(log_loss(self.frame["action"], model.predict_proba(self.frame)), -actions / len(self.frame))
        self.assertEqual(model.score(self.frame), (model.predict(self.frame) == self.frame["action"]).mean())

    def test_types_of_pandas_change_nothing(self):
        expected = quick(study=STUDIES / "bias.toml").fit(self.X, self.y).predict_proba(self.X)
        for kind in ("string", "category"):
            X, y = self.X.astype(kind), pd.Series(self.y).astype(kind)
            model = quick(study=STUDIES / "bias.toml").fit(X, y)
            np.testing.assert_array_equal(model.predict_proba(X), expected)
            np.testing.assert_array_equal(model.predict(self.X.astype(kind)), model.classes_[expected.argmax(axis=1)])
            again, taken, groups = interpole.as_rows(self.frame.astype({name: kind for name in ("patient", "action",
                                                                                                "observation")}))
            pd.testing.assert_frame_equal(again, self.X)
            self.assertEqual((list(taken), list(groups)), (list(self.y), list(self.groups)))

    def test_beliefs_of_rows(self):
        rows = quick(study=STUDIES / "bias.toml").fit(self.X, self.y)
        pd.testing.assert_frame_equal(rows.beliefs(self.X), rows.beliefs())
        pd.testing.assert_frame_equal(rows.beliefs(self.frame), rows.beliefs())

    def test_records_without_their_beginning_are_doubted(self):
        model = quick(study=STUDIES / "bias.toml").fit(self.X, self.y)
        with warnings.catch_warnings():
            warnings.simplefilter("error", interpole.Doubt)
            model.predict(self.X.head(3))
        second = self.X[self.X["last_action"].notna()].head(1)
        with self.assertWarnsRegex(interpole.Doubt, "X has record 'p000001' from its middle on") as caught:
            model.predict(second)
        self.assertEqual(caught.filename, __file__)

    def test_in_a_pipeline(self):
        steps = make_pipeline(FunctionTransformer(lambda rows: rows), quick(study=STUDIES / "bias.toml"))
        self.assertEqual(steps.fit(self.X, self.y).predict(self.X).shape, self.y.shape)

    def test_every_learner_of_the_registry(self):
        slow = {"interpole-averaged", "po-irl", "off-po-irl"}
        for name, learner in interpole.learners.all_learners().items():
            with self.subTest(name):
                self.assertEqual(clone(learner()).get_params()["seed"], 1)
                if name in slow:
                    continue
                fitted = learner(study=STUDIES / "bias.toml", **({"restarts": 1} if "restarts" in learner().get_params()
                                                                 else {})).fit(self.frame.head(200).pipe(whole_records))
                proba = fitted.predict_proba(self.frame.head(50).pipe(whole_records))
                np.testing.assert_allclose(proba.sum(axis=1), 1.0)


def whole_records(frame):
    """Without the last record, which may have been cut."""
    return frame[frame["patient"] != frame["patient"].iloc[-1]]


class Numbers(PackageTest):
    def test_numbers_are_cut_into_levels(self):
        rng = np.random.default_rng(1)
        X = pd.DataFrame({"patient": np.repeat(np.arange(60), 4), "last_action": None, "lactate": rng.normal(size=240)})
        y = np.where(rng.random(240) < 0.5, "wait", "test")
        X["last_action"] = pd.Series(y).shift(1).where(X["patient"].eq(X["patient"].shift(1)), None)
        model = quick(states=2).fit(X, y)
        self.assertEqual(model.model_.to_dict()["observations"], ["level 1", "level 2", "level 3"])
        self.assertEqual(model.predict_proba(X).shape, (240, 2))
        gaps = X.assign(lactate=X["lactate"].astype("Float64").where(X.index % 5 > 0, pd.NA))
        model = quick(states=2).fit(gaps, y)
        plain = quick(states=2).fit(gaps.assign(lactate=gaps["lactate"].astype(float)), y)
        np.testing.assert_array_equal(model.predict_proba(gaps), plain.predict_proba(X.assign(
            lactate=X["lactate"].where(X.index % 5 > 0))))

    def test_columns_are_joined_to_one_text(self):
        """A visit shows both columns, where one is unknown it says so, and where both are nothing was seen."""
        reader = RowsReader("id", "last_action", 3)
        X = pd.DataFrame({"id": ["a"] * 6, "sign": [None, "mild", "mild", None, "", "a | b"],
                          "count": [None, 1, 1234567, 1234568, float("nan"), 0.1]})
        reader.learn(X, None)
        seen = reader.visits(X, ["wait"] * 6, None, None)["observation"]
        self.assertEqual(list(seen.astype(object).where(seen.notna(), None)),
                         ["mild | 1", "mild | 1234567", "unknown | 1234568", None, "a | b | 0.1", None])

    def test_nothing_but_records(self):
        X = pd.DataFrame({"patient": np.repeat(np.arange(30), 2)})
        y = np.tile(["wait", "test"], 30)
        model = quick(states=2).fit(X, y)
        self.assertEqual(model.predict_proba(X, y).shape, (60, 2))
        np.testing.assert_array_equal(model.predict_proba(X, y)[:2], model.predict_proba(X, y)[2:4])


if __name__ == "__main__":
    main()
