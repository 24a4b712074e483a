"""Do sites decide differently? The comparison of groups as a user runs it."""
import math
import random

import program
from program import ProgramTest


def clinic(ill, patients, seed):
    """Records of doctors who declare from a belief of 80% on, and know how many of their patients are ill."""
    draw = random.Random(seed)
    rows = ["patient,step,action,observation"]
    for patient in range(patients):
        state, belief, step = draw.random() < ill, ill, 0
        while True:
            step += 1
            closeness = [-10 * 2 * (belief - mean) ** 2 for mean in (0.5, -0.1, 1.1)]
            weights = [math.exp(x - max(closeness)) for x in closeness]
            action = draw.choices(("monitor", "declare-healthy", "declare-diseased"), weights)[0]
            if action != "monitor":
                rows.append(f"{patient},{step},{action},")
                break
            positive = draw.random() < (0.75 if state else 0.35)
            rows.append(f"{patient},{step},monitor,{'positive' if positive else 'negative'}")
            if_ill, if_well = (0.75, 0.35) if positive else (0.25, 0.65)
            belief = belief * if_ill / (belief * if_ill + (1 - belief) * if_well)
    return "\n".join(rows) + "\n"


class Groups(ProgramTest):
    def simulate(self, name, boundary, seed, patients=200):
        self.run_well("simulate", "diag", "--patients", patients, "--seed", seed, "--boundary", boundary, "--output",
                      f"{name}.csv", "--quiet")

    def groups(self, *more):
        return self.run_json("groups", "--study", self.study("two-sites"), "--data", "north=north.csv", "--data",
                             "south=south.csv", *more)

    def test_two_sites_with_other_boundaries_are_told_apart(self):
        self.simulate("north", 0.7, 1)
        self.simulate("south", 0.9, 2)
        found = self.groups()
        self.assertGreater(found["log_bayes_factor"], math.log(20))
        self.assertEqual((found["verdict"], found["cause"], found["reasons"]), ("difference", "policy", []))
        self.assertAlmostEqual(sum(h["probability"] for h in found["hypotheses"]), 1.0, places=6)
        self.assertEqual(max(found["hypotheses"], key=lambda h: h["probability"])["differ"], "policy")
        declare = next(b for b in found["boundaries"] if b["after"] == "declare-diseased")
        for site, truth in (("north", 0.7), ("south", 0.9)):
            self.assertAlmostEqual(declare["groups"][site]["estimate"], truth, delta=0.04)
        self.assertGreater(declare["largest_gap"]["low"], 0.1)
        apart = declare["furthest_apart"]
        self.assertEqual((apart["lowest"], apart["highest"], apart["differ"]), ("north", "south", True))
        self.assertGreater(apart["difference"]["low"], 0.0)
        self.assertTrue(any('in "north"' in sentence for sentence in found["sentences"][1:]))
        words = self.run_well("groups", "--study", self.study("two-sites"), "--data", "north=north.csv", "--data",
                              "south=south.csv").stdout
        self.assertIn(found["sentences"][0], words)

    def test_states_are_named_by_the_recorded_diagnoses(self):
        self.run_well("simulate", "adni", "--patients", 700, "--seed", 3, "--output", "adni.csv", "--quiet")
        found = self.run_json("groups", "--study", self.study("adni/adnimerge"), "--data", "adni.csv", "--min-cell", 16)
        sides = {(b["from"], b["to"]): (b["before"], b["after"]) for b in found["boundaries"]}
        self.assertEqual(sides[("NL", "MCI")], ("no-mri", "mri"))

    def test_sites_that_are_alike_are_not(self):
        self.simulate("north", 0.8, 3)
        self.simulate("south", 0.8, 4)
        found = self.groups()
        self.assertLess(found["log_bayes_factor"], 0.0)
        self.assertEqual((found["verdict"], found["cause"], found["differ"]), ("none", "none", []))
        # The extremes of groups that are alike are no finding.
        self.assertEqual(len(found["sentences"]), 1)
        self.assertFalse(any(b["furthest_apart"]["differ"] for b in found["boundaries"]))

    def test_other_patients_are_not_called_another_policy(self):
        self.write("north.csv", clinic(0.5, 300, seed=1))
        self.write("south.csv", clinic(0.25, 300, seed=2))
        found = self.groups()
        self.assertEqual((found["verdict"], found["cause"]), ("difference", "patients"))
        self.assertEqual(found["numbers"][0]["cause"], "patients")
        self.assertIn("at the first visit", found["sentences"][1])
        self.assertFalse(any(b["furthest_apart"]["differ"] for b in found["boundaries"]))

    def test_small_groups_are_not_shown_by_themselves(self):
        self.simulate("north", 0.7, 1)
        self.simulate("south", 0.9, 2, patients=5)
        result = self.run_program("groups", "--study", self.study("two-sites"), "--data", "north=north.csv", "--data",
                                  "south=south.csv")
        self.assertEqual(result.returncode, 3)
        self.assertIn("fewer than two groups have 11 patients", result.stderr)
        self.assertNotIn("south", result.stdout)

    def test_refusals(self):
        self.run_well("simulate", "diag", "--patients", 5, "--output", "v.csv", "--quiet")
        result = self.run_program("groups", "--study", self.study("diag"), "--data", "v.csv")
        self.assertEqual(result.returncode, 3)
        self.assertIn("names no site or clinician", result.stderr)
        result = self.run_program("simulate", "diag", "--boundary", "0.3")
        self.assertEqual(result.returncode, 2)
        self.assertIn("--boundary: 0.3", result.stderr)
        result = self.run_program("simulate", "tree", "--boundary", "0.8")
        self.assertEqual(result.returncode, 2)


if __name__ == "__main__":
    program.main()
