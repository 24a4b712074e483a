"""scikit-learn's manners, by scikit-learn's own checks."""
import pickle
import unittest
import warnings

import numpy as np
import pandas as pd
from sklearn.base import clone
from sklearn.model_selection import GridSearchCV, GroupKFold, cross_val_predict
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer
from sklearn.utils.estimator_checks import check_estimator

from case import STUDIES, PackageTest, interpole, main

# What cannot apply, and why.
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
            for one, check in check_estimator(estimator, generate_only=True):
                name = check.func.__name__
                with self.subTest(name), warnings.catch_warnings():
                    warnings.simplefilter("ignore")
                    try:
                        check(one)
                    except unittest.SkipTest:
                        pass
                    except Exception as error:  # whatever a check throws is its verdict
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
            found = cross_val_predict(quick(study=STUDIES / "bias.toml"), self.X, self.y, groups=self.groups,
                                      cv=GroupKFold(3), method=method)
            self.assertEqual(len(found), len(self.y))
        self.assertGreater((found == self.y).mean(), 0.75)

    def test_grid_search_over_dynamics_and_states(self):
        actions = sorted(set(self.y))
        search = GridSearchCV(quick(actions=actions), {"dynamics": ["shared", "subjective"], "states": [1, 2]},
                              cv=GroupKFold(3), scoring="neg_log_loss", error_score="raise")
        search.fit(self.X, self.y, groups=self.groups)
        self.assertEqual(search.best_params_["states"], 2)

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


if __name__ == "__main__":
    main()
