"""simulate, fit, evaluate, beliefs, report: as in the README, on simulated data whose truth is known."""
import csv
import json
import math
import os
import signal
import subprocess
import time

from patience import slowed
from program import PROGRAM, ProgramTest, main


class EndToEnd(ProgramTest):
    def simulate(self, environment="bias", patients=1000, seed=1):
        self.run_well("simulate", environment, "--patients", patients, "--seed", seed, "--output", "visits.csv",
                      "--truth", "truth.json", "--quiet")

    def fit(self, *more, study="bias"):
        return self.run_json("fit", "--study", self.study(study), "--data", "visits.csv", "--output", "model.json",
                             *more)

    def evaluate(self):
        return self.run_json("evaluate", "--model", "model.json", "--data", "visits.csv", "--truth", "truth.json")

    def test_bias_is_recovered_by_the_actions_alone(self):
        self.simulate()
        summary = self.fit("--dynamics", "subjective")
        for key in ("log_posterior", "log_likelihood", "evaluations", "stop_reason", "seconds", "restarts", "modes"):
            self.assertIn(key, summary)
        self.assertEqual(set(summary["log_likelihood"]), {"actions", "observations", "total"})
        self.assertTrue(summary["converged"])
        model = json.loads((self.folder / "model.json").read_text())
        self.assertAlmostEqual(model["observation"][0][1][0], 0.2, delta=0.05)
        scores = self.evaluate()
        self.assertEqual(scores["patients"], 1000)
        self.assertLess(scores["belief_mismatch"], 0.002)
        self.assertLess(scores["policy_mismatch"], 0.001)
        self.assertLess(scores["stopping_time_error_common"], 1.0)
        for key in ("brier", "auroc", "auprc"):
            self.assertTrue(0.0 <= scores[key] <= 1.0)

    def test_coupled_dynamics_tell_agent_and_world_apart(self):
        self.simulate()
        summary = self.fit()
        self.assertGreater(summary["coupling"]["log_bayes_factor"], 10.0)
        model = json.loads((self.folder / "model.json").read_text())
        self.assertAlmostEqual(model["observation"][0][1][0], 0.2, delta=0.05)
        self.assertAlmostEqual(model["world"]["observation"][0][1][0], 0.4, delta=0.05)
        scores = self.evaluate()
        self.assertLess(scores["belief_mismatch"], 0.002)
        self.assertLess(scores["policy_mismatch"], 0.001)

    def test_shared_dynamics_are_pulled_to_the_world(self):
        self.simulate()
        self.fit("--dynamics", "shared")
        model = json.loads((self.folder / "model.json").read_text())
        self.assertTrue(0.2 < model["observation"][0][1][0] < 0.3)
        self.assertGreater(self.evaluate()["belief_mismatch"], 0.002)

    def test_decision_tree_threshold_is_found(self):
        self.simulate("tree", patients=5000)
        self.fit(study="tree")
        model = json.loads((self.folder / "model.json").read_text())
        dis = model["states"].index("dis")
        typ, hlt = model["actions"].index("tst-typ"), model["actions"].index("stp-hlt")
        threshold = (model["means"][typ][dis] + model["means"][hlt][dis]) / 2
        self.assertAlmostEqual(threshold, 0.30, delta=0.06)

    def test_same_seed_same_bytes_whatever_the_threads(self):
        self.simulate(patients=300)
        files = []
        for threads in (1, 2, 3, 8):
            self.fit("--threads", threads)
            files.append((self.folder / "model.json").read_bytes())
        self.assertEqual(len(set(files)), 1)

    def test_beliefs_follow_the_records(self):
        self.simulate(patients=50)
        self.run_well("beliefs", "--model", "truth.json", "--data", "visits.csv", "--output", "beliefs.csv")
        with open(self.folder / "visits.csv", encoding="utf-8") as file:
            visits = list(csv.DictReader(file))
        with open(self.folder / "beliefs.csv", encoding="utf-8") as file:
            beliefs = list(csv.DictReader(file))
        self.assertEqual([(v["patient"], v["step"]) for v in visits], [(b["patient"], b["step"]) for b in beliefs])
        b, last = 0.5, None
        for visit, row in zip(visits, beliefs):
            if visit["patient"] != last:
                b, last = 0.5, visit["patient"]
            self.assertAlmostEqual(float(row["belief:diseased"]), b, places=12)
            self.assertAlmostEqual(sum(float(row[k]) for k in row if k.startswith("policy:")), 1.0, places=12)
            if visit["observation"]:
                sick, well = (0.2, 0.6) if visit["observation"] == "negative" else (0.8, 0.4)
                b = b * sick / (b * sick + (1 - b) * well)

    def test_tables_as_gzip_are_read_the_same(self):
        self.simulate(patients=100)
        plain = self.fit()["log_posterior"]
        subprocess.run(["gzip", "-k", self.folder / "visits.csv"], check=True)
        zipped = self.run_json("fit", "--study", self.study("bias"), "--data", "visits.csv.gz", "--output", "m.json")
        self.assertEqual(zipped["log_posterior"], plain)

    def test_data_goes_to_stdout_and_talk_to_stderr(self):
        result = self.run_well("simulate", "diag", "--patients", 2)
        self.assertTrue(result.stdout.startswith("patient,step,action,observation\n"))
        self.assertEqual(result.stderr, "")

    def test_algorithm_one_watching_the_log_posterior_agrees_with_lbfgs(self):
        self.simulate(patients=200)
        lbfgs = self.fit("--dynamics", "shared")
        paper = self.fit("--optimizer", "algorithm1", "--monitor", "exact", "--restarts", 2)
        self.assertTrue(math.isclose(lbfgs["log_posterior"], paper["log_posterior"], abs_tol=1e-3),
                        (lbfgs["log_posterior"], paper["log_posterior"]))

    def test_ctrl_c_keeps_the_best_so_far(self):
        self.simulate(patients=2000)
        command = [PROGRAM, "fit", "--study", self.study("bias"), "--data", "visits.csv", "--output", "model.json",
                   "--optimizer", "algorithm1", "--restarts", "200"]
        with subprocess.Popen(command, cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              text=True) as process:
            time.sleep(slowed(3.0))
            process.send_signal(signal.SIGINT)
            _, errors = process.communicate(timeout=slowed(60))
        self.assertEqual(process.returncode, 130, errors)
        self.assertIn("interrupted", errors)
        model = json.loads((self.folder / "model.json").read_text())
        self.assertEqual(model["fit"]["stop_reason"], "interrupted")
        self.run_well("evaluate", "--model", "model.json", "--data", "visits.csv")

    def test_strict_says_when_the_search_did_not_converge(self):
        self.simulate(patients=200)
        arguments = ("fit", "--study", self.study("bias"), "--data", "visits.csv", "--output", "model.json",
                     "--most-iterations", 1, "--restarts", 1)
        self.assertEqual(self.run_program(*arguments, "--strict").returncode, 4)
        lenient = self.run_program(*arguments)
        self.assertEqual(lenient.returncode, 0)
        self.assertIn("did not converge", lenient.stderr)
        self.assertIn("allow more than 1 with --most-iterations", lenient.stderr)

    def test_adni_shaped_tables_go_round(self):
        study = self.study("adni/adnimerge")
        simulated = self.run_json("simulate", "adni", "--patients", 600, "--seed", 3, "--output", "adni.csv", "--truth",
                                  "truth.json")
        checked = self.run_json("study", "check", study, "--data", "adni.csv")
        attrition = checked["attrition"]
        dropped = sum(stage["rows"] for stage in attrition["dropped"])
        self.assertEqual(attrition["rows_in"], simulated["rows"])
        self.assertEqual(attrition["rows_in"] - dropped, attrition["rows_kept"])
        self.assertEqual(attrition["rows_kept"], simulated["decisions"])
        self.assertEqual(checked["patients"], simulated["records"])
        fitted = self.run_json("fit", "--study", study, "--data", "adni.csv", "--output", "model.json", "--restarts", 4)
        self.assertEqual(fitted["decisions"], checked["decisions"])
        scores = self.run_json("evaluate", "--study", study, "--model", "model.json", "--data", "adni.csv", "--truth",
                               "truth.json")
        self.assertLess(scores["policy_mismatch"], 0.05)
        self.run_well("report", "--study", study, "--model", "model.json", "--data", "adni.csv", "--output", "r.html",
                      "--without-groups")
        self.run_well("beliefs", "--study", study, "--model", "model.json", "--data", "adni.csv", "--output", "b.csv")
        self.assertEqual(len((self.folder / "b.csv").read_text().splitlines()), checked["decisions"] + 1)

    def test_help_of_every_verb_has_an_example(self):
        for verb in ("simulate", "study", "fit", "evaluate", "beliefs", "report"):
            self.assertIn(f"interpole {verb}", self.run_well(verb, "--help").stdout)

    def test_version_does_not_touch_the_environment(self):
        result = self.run_well("--version")
        self.assertRegex(result.stdout, r"^interpole \d+\.\d+\.\d+\n$")
        self.assertEqual(os.listdir(self.folder), [])


if __name__ == "__main__":
    main()
