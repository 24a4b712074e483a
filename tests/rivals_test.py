"""Learners without beliefs beside independent computations, from their files: logistic regression by scikit-learn, soft
value iteration in numpy. Debian's own interpreter has both."""
import csv
import itertools
import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

import numpy
from sklearn.linear_model import LogisticRegression

PROGRAM, ROOT = (pathlib.Path(path).resolve() for path in sys.argv[1:3])


def softmax(logits):
    shifted = numpy.exp(logits - logits.max(axis=1, keepdims=True))
    return shifted / shifted.sum(axis=1, keepdims=True)


class RivalTest(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = pathlib.Path(scratch.name)

    def run_json(self, *arguments):
        done = subprocess.run([PROGRAM, *map(str, arguments), "--quiet", "--json"], cwd=self.folder, check=True,
                              stdout=subprocess.PIPE, text=True)
        return json.loads(done.stdout)

    def fitted(self, environment, study, algorithm, *options, patients=200):
        subprocess.run([PROGRAM, "simulate", environment, "--patients", str(patients), "--output", "visits.csv", "--quiet"],
                       cwd=self.folder, check=True)
        more = itertools.chain.from_iterable(("--learner-option", option) for option in options)
        fit = self.run_json("fit", "--study", ROOT / "studies" / f"{study}.toml", "--data", "visits.csv", "--algorithm",
                            algorithm, "--output", "learned.json", *more)
        return fit, json.loads((self.folder / "learned.json").read_text(encoding="utf-8"))

    def records(self):
        with open(self.folder / "visits.csv", encoding="utf-8") as file:
            rows = list(csv.DictReader(file))
        return [list(group) for _, group in itertools.groupby(rows, key=lambda row: row["patient"])]


class Logistic(RivalTest):
    def features_of(self, history, row, content, structure):
        """What the documentation says of a history, by name."""
        found = {}
        for covariate in content["covariates"]:
            value = row[covariate["name"]]
            if "categories" in covariate:
                found[f"{covariate['name']} = {value}"] = 1.0
            else:
                found[covariate["name"]] = (float(value) - covariate["centre"]) / covariate["scale"]
        if not history:
            return {**found, "first decision": 1.0}
        found["steps"] = len(history)
        found[f"last action: {history[-1]['action']}"] = 1.0
        if len(history) > 1:
            found[f"action before: {history[-2]['action']}"] = 1.0
        found[f"last outcome: {history[-1]['observation'] or 'not recorded'}"] = 1.0
        known = [step["observation"] for step in history if step["observation"]]
        if known:
            found[f"last known: {known[-1]}"] = 1.0
        for action in structure["actions"]:
            found[f"count: {action}"] = sum(step["action"] == action for step in history)
        for outcome in structure["observations"]:
            found[f"count: {outcome}"] = sum(step["observation"] == outcome for step in history)
        return found

    def compare(self, environment, study, penalty, patients):
        fit, saved = self.fitted(environment, study, "logistic", f"penalty={penalty}", patients=patients)
        content, structure = saved["content"], saved["structure"]
        self.assertTrue(fit["converged"])
        place = {name: i for i, name in enumerate(content["features"])}
        rows, taken = [], []
        for record in self.records():
            for t, step in enumerate(record):
                x = numpy.zeros(len(place))
                for name, value in self.features_of(record[:t], step, content, structure).items():
                    x[place[name]] = value
                rows.append(x)
                taken.append(structure["actions"].index(step["action"]))
        x, taken = numpy.array(rows), numpy.array(taken)
        spread = x.std(axis=0)
        scales = numpy.array(content["scales"])
        numpy.testing.assert_allclose(scales[scales > 0], spread[scales > 0], rtol=1e-9)
        self.assertLess(spread[scales == 0].max(initial=0.0), 1e-9)
        x = x[:, scales > 0] / scales[scales > 0]
        ours = softmax(x @ numpy.array(content["weights"])[scales > 0] + numpy.array(content["intercepts"]))
        peer = LogisticRegression(C=1 / penalty, multi_class="multinomial", solver="newton-cg", tol=1e-9, max_iter=300)
        theirs = peer.fit(x, taken).predict_proba(x)
        worst = numpy.abs(ours[:, peer.classes_] - theirs).max()
        print(f"{environment}, penalty {penalty}: largest difference from scikit-learn {worst:.1e}", file=sys.stderr)
        self.assertLess(worst, 1e-6)
        self.assertAlmostEqual(fit["log_likelihood"]["actions"], numpy.log(ours[range(len(taken)), taken]).sum(), places=6)

    def test_is_scikit_learns(self):
        self.compare("diag", "diag", 1, 200)
        self.compare("diag", "diag", 0.03, 200)

    def test_is_scikit_learns_with_covariates_and_missing_results(self):
        self.compare("ward", "ward", 3, 150)

    def test_chooses_the_penalty_by_patients_or_says_that_it_cannot(self):
        fit, saved = self.fitted("diag", "diag", "logistic", patients=100)
        self.assertIn("chosen by 100 patients held out in 5 parts", fit["stop_reason"])
        self.assertGreater(saved["content"]["penalty"], 0.01)
        fit, saved = self.fitted("diag", "diag", "logistic", patients=1)
        self.assertIn("holding patients out needs two of them at least", fit["stop_reason"])
        self.assertEqual(saved["content"]["penalty"], 1.0)


class Irl(RivalTest):
    def test_policy_and_optimum_are_those_of_an_independent_soft_value_iteration(self):
        _, saved = self.fitted("ward", "ward", "irl", "prior-sd=2", patients=300)
        structure, content = saved["structure"], saved["content"]
        A, Z = len(structure["actions"]), len(structure["observations"]) + 1
        X = 1 + A * Z
        terminal = [outcomes is None for outcomes in structure["outcomes"]]
        moves = numpy.zeros((X, A, X))
        chances = numpy.array(content["outcome_chances"]).reshape(X, A, Z)
        for a in range(A):
            moves[:, a, 1 + a * Z:1 + (a + 1) * Z] = chances[:, a, :]
        self.assertTrue((moves[:, terminal].sum() == 0))
        group = [0] + [1 + (x - 1) % Z for x in range(1, X)]

        def policy(rewards):
            values = numpy.zeros(X)
            for _ in range(2000):
                q = rewards[group] + content["discount"] * moves @ values
                values = q.max(axis=1) + numpy.log(numpy.exp(q - q.max(axis=1, keepdims=True)).sum(axis=1))
            return numpy.exp(q - values[:, None])

        rewards = numpy.array(content["rewards"])
        self.assertLess(numpy.abs(policy(rewards) - numpy.array(content["policy"])).max(), 1e-10)

        counts = numpy.zeros((X, A))
        for record in self.records():
            x = 0
            for step in record:
                a = structure["actions"].index(step["action"])
                counts[x, a] += 1
                z = structure["observations"].index(step["observation"]) if step["observation"] else Z - 1
                x = 1 + a * Z + z

        def log_posterior(at):
            return (counts * numpy.log(policy(at))).sum() - (at ** 2).sum() / (2 * 2.0 ** 2)

        best = log_posterior(rewards)
        for g, a in itertools.product(range(1, 1 + Z), range(A)):
            steps = []
            for sign in (1, -1):
                moved = rewards.copy()
                moved[g, a] += sign * 1e-3
                steps.append(log_posterior(moved))
            self.assertLess(abs(steps[0] - steps[1]) / 2e-3, 1e-3, (g, a))  # no slope left
            self.assertLess(max(steps), best)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
