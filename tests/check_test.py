"""Whether a model reproduces what it was not fitted to: the verb, and what hangs on it in fit, bias and report."""
import json

import program
from program import ProgramTest

WARD = """
format = "interpole-study"
version = 1
states = ["well", "ill"]
observations = ["normal", "abnormal"]
[[actions]]
name = "wait"
[[actions]]
name = "test"
[[actions]]
name = "treat"
terminal = true
"""


class Check(ProgramTest):
    def ward(self, patients=400):
        self.run_well("simulate", "ward", "--patients", patients, "--seed", 3, "--output", "visits.csv", "--quiet")
        self.write("ward.toml", WARD)

    def fit(self, *more, study="ward.toml"):
        return self.run_json("fit", "--study", study, "--data", "visits.csv", "--output", "model.json", "--restarts", 2, *more)

    def check(self, *more):
        return self.run_json("check", "--model", "model.json", "--data", "visits.csv", *more)

    def test_a_model_of_beliefs_alone_fails_where_decisions_follow_more(self):
        self.ward()
        fit = self.fit("--policy", "belief")
        found = self.check()
        self.assertGreater(found["failed"], 0)
        failed = [check for check in found["checks"] if check["failed"]]
        self.assertEqual([check["name"] for check in fit["checks"] if check["failed"]], [check["name"] for check in failed])
        for check in found["checks"]:
            self.assertLessEqual(check["low"], check["expected"])
            self.assertLessEqual(check["expected"], check["high"])
            self.assertTrue(0.0 <= check["p_value"] <= 1.0)
            self.assertTrue(check["sentence"].endswith("."))
            self.assertIn(check["what"], [number["what"] for number in check["numbers"]])
        steps = {check["name"]: check for check in found["checks"]}["steps"]
        self.assertTrue(steps["failed"], "a test on arrival is the rule there")
        words = self.run_well("check", "--model", "model.json", "--data", "visits.csv").stdout
        self.assertIn(steps["sentence"], words)

    def test_agent_and_world_as_one_are_checked_beside_a_coupled_model(self):
        self.run_well("simulate", "bias", "--patients", 1000, "--seed", 1, "--output", "visits.csv", "--quiet")
        self.fit(study=self.study("bias"))
        found = self.check()
        self.assertEqual(found["failed"], 0)
        as_one = found["agent_and_world_as_one"]
        self.assertEqual([check["name"] for check in as_one["checks"] if check["failed"]], ["beliefs"])
        self.assertEqual(as_one["failed"], 1)
        words = self.run_well("check", "--model", "model.json", "--data", "visits.csv").stdout
        self.assertIn("With agent and world as one, 1 of 7 checks fail:", words)
        self.fit("--dynamics", "shared", study=self.study("bias"))
        self.assertIsNone(self.check()["agent_and_world_as_one"])

    def test_verdicts_are_withheld_where_a_check_failed_and_no_odds_are_said(self):
        self.ward()
        self.fit("--policy", "belief")
        bias = self.run_json("bias", "--model", "model.json", "--data", "visits.csv")
        self.assertEqual(bias["verdict"], "withheld")
        self.assertTrue(any("steps" in reason for reason in bias["reasons"]), bias["reasons"])
        self.assertFalse(any(row["flagged"] for row in bias["parameters"]))
        self.assertNotIn("to one", " ".join(bias["sentences"]))
        said = self.run_well("fit", "--study", "ward.toml", "--data", "visits.csv", "--output", "again.json", "--restarts", 2,
                             "--policy", "belief").stdout
        self.assertNotIn("to one", said)
        self.assertIn("failed; see interpole check", said)

    def test_intervals_are_wider_where_checks_prove_misfit(self):
        self.ward()
        self.fit("--policy", "belief")
        bias = self.run_json("bias", "--model", "model.json", "--data", "visits.csv")
        self.assertGreater(bias["misfit"], 1.0)
        model = json.loads((self.folder / "model.json").read_text())
        self.assertEqual(model["uncertainty"]["misfit"], bias["misfit"])
        del model["uncertainty"]["misfit"]
        (self.folder / "model.json").write_text(json.dumps(model))
        sure = self.run_json("bias", "--model", "model.json", "--data", "visits.csv")
        widths = [[row["difference"]["high"] - row["difference"]["low"] for row in each["parameters"]] for each in (bias, sure)]
        self.assertTrue(all(wide > narrow for wide, narrow in zip(*widths)), widths)

    def test_the_true_model_passes(self):
        self.run_well("simulate", "bias", "--patients", 600, "--seed", 2, "--output", "visits.csv", "--quiet")
        fit = self.fit(study=self.study("bias"))
        self.assertEqual([check["name"] for check in fit["checks"] if check["failed"]], [])
        self.assertEqual(self.check()["failed"], 0)
        bias = self.run_json("bias", "--model", "model.json", "--data", "visits.csv")
        self.assertNotEqual(bias["verdict"], "withheld", bias["reasons"])
        self.assertEqual(bias["unrecorded_sign"][0], {"right": 0.5, "log_evidence_ratio": 0.0})
        self.assertEqual(self.check()["unrecorded_sign"], bias["unrecorded_sign"])
        for row in bias["parameters"]:
            self.assertEqual("removable_by" in row, row["flagged"], row)
        if bias["verdict"] == "difference":
            self.assertTrue(any("sign that those who decide see" in sentence for sentence in bias["sentences"]))

    def test_covariates_of_the_study_are_checked(self):
        self.ward()
        self.fit("--policy", "belief")
        self.assertNotIn("covariate site", [check["name"] for check in self.check()["checks"]])
        self.write("sites.toml", WARD + '[policy]\ncontext = ["age"]\ngroup = "site"\n')
        names = [check["name"] for check in self.check("--study", "sites.toml")["checks"]]
        self.assertIn("covariate site", names)
        self.assertIn("covariate age", names)

    def test_a_policy_that_follows_covariates_is_checked_with_them(self):
        self.ward(300)
        self.write("sites.toml", WARD + '[policy]\ncontext = ["age"]\ngroup = "site"\n')
        fit = self.fit("--policy", "auto", "--dynamics", "shared", study="sites.toml")
        self.assertTrue(any(term["taken"] and term["name"] in ("age", "site") for term in fit["terms"]), fit["terms"])
        again = self.check("--study", "sites.toml")
        # Hidden information is weighed by `check`, and by `fit` only where agent and world may differ.
        again = [check for check in again["checks"] if check["name"] != "hidden-information"]
        self.assertEqual([check["name"] for check in fit["checks"]], [check["name"] for check in again])
        for before, after in zip(fit["checks"], again):
            self.assertAlmostEqual(before["p_value"], after["p_value"], places=6)

    def test_threads_change_nothing(self):
        self.ward()
        self.fit("--policy", "belief")
        self.assertEqual(self.check("--threads", 1), self.check("--threads", 2))

    def test_a_model_that_does_not_say_how_sure_it_is(self):
        self.run_well("simulate", "bias", "--patients", 200, "--seed", 2, "--output", "visits.csv", "--truth", "truth.json", "--quiet")
        found = self.run_json("check", "--model", "truth.json", "--data", "visits.csv")
        self.assertEqual(found["failed"], 0)
        self.assertIn("does not say how sure it is", found["not_checked"][0])

    def test_the_report_has_the_checks(self):
        self.ward()
        self.fit("--policy", "belief")
        self.run_well("report", "--model", "model.json", "--data", "visits.csv", "--payload", "page.json", "--quiet")
        page = json.loads((self.folder / "page.json").read_text())
        self.assertTrue(any(check["failed"] for check in page["check"]["checks"]))
        self.assertEqual(page["bias"]["verdict"], "withheld")

    def test_refusals(self):
        self.ward(50)
        self.fit("--policy", "belief")
        words = ["check", "--model", "model.json", "--data", "visits.csv"]
        self.refuse([*words, "--false-alarms", "0"], 2, "--false-alarms: 0 is not between 0 and 1")
        self.refuse([*words, "--study", self.study("bias")], 3, "not the study of model.json")

    def test_learners_that_know_nothing_of_beliefs_find_what_the_model_has_no_place_for(self):
        self.ward(120)
        self.fit("--policy", "belief")
        self.assertIsNone(self.check()["held_out"], "it takes minutes, and is made when it is asked for")
        held_out = self.check("--folds", 2)["held_out"]
        self.assertEqual([rival["learner"] for rival in held_out["rivals"]], ["r-bc", "logistic", "previous-action"])
        self.assertEqual(held_out["failed"], any(rival["clearly_better"] for rival in held_out["rivals"]))
        self.assertLess(held_out["log_loss"], held_out["majority_log_loss"])
        for rival in held_out["rivals"]:
            low, high = rival["log_loss"]["interval"]
            self.assertLessEqual(low, rival["log_loss"]["mean"])
            self.assertLessEqual(rival["log_loss"]["mean"], high)
            self.assertTrue(rival["sentence"].endswith("."))
        self.refuse(["check", "--model", "model.json", "--data", "visits.csv", "--folds", 1], 2, "--folds: 1 cannot be dealt")


if __name__ == "__main__":
    program.main()
