"""All learners: fitting by name, their files, and the cross-validated table."""
import csv
import json
import random
import re
import signal
import subprocess
import time

from patience import slowed
from program import PROGRAM, ProgramTest, main

QUICK = "interpole-shared,po-mb-il,bc,majority"


class LearnerTest(ProgramTest):
    def simulate(self, environment="diag", patients=60, seed=1):
        self.run_well("simulate", environment, "--patients", patients, "--seed", seed, "--output", "visits.csv",
                      "--truth", "truth.json", "--quiet")

    def fit(self, algorithm, *more, output="learned.json"):
        return self.run_json("fit", "--study", self.study("diag"), "--data", "visits.csv", "--output", output,
                             "--algorithm", algorithm, *more)

    def evaluate(self, *more):
        return self.run_json("evaluate", "--model", "learned.json", "--data", "visits.csv", *more)

    def known(self):
        """The learners that --help lists."""
        listed = self.run_well("fit", "--help").stdout.split("Learners (--algorithm)")[1]
        return re.findall(r"^  ([a-z][a-z-]*)  +\S", listed, flags=re.MULTILINE)


class Learners(LearnerTest):
    def test_every_learner_of_the_list_fits_and_is_scored(self):
        names = self.known()
        self.assertTrue({"interpole", "interpole-shared", "interpole-subjective", "po-mb-il", "bc",
                         "majority"} <= set(names), names)
        self.simulate(patients=12)
        for name in names:
            with self.subTest(name):
                self.fit(name)
                saved = json.loads((self.folder / "learned.json").read_text())
                self.assertIn(saved["format"], ("interpole-model", "interpole-learner"))
                scores = self.evaluate("--truth", "truth.json", "--bootstrap", 10)
                self.assertGreater(scores["log_loss"], 0.0)
                self.assertGreater(scores["policy_mismatch"], 0.0)
                self.assertIn("stopping_time_error", scores)
                self.assertEqual(len(scores["intervals"]["log_loss"]), 2)
                if saved["format"] == "interpole-model":
                    self.run_well("beliefs", "--model", "learned.json", "--data", "visits.csv", "--output", "b.csv")
                else:
                    self.assertEqual(saved["algorithm"], name)
                    self.refuse(("beliefs", "--model", "learned.json", "--data", "visits.csv", "--output", "b.csv"),
                                3, "learned.json", f'"{name}"', "--algorithm interpole")

    def test_interpole_by_its_other_names_is_the_same_fit(self):
        self.simulate()
        for mode in ("shared", "subjective"):
            self.fit(f"interpole-{mode}", output="a.json")
            self.fit("interpole", "--dynamics", mode, output="b.json")
            self.assertEqual((self.folder / "a.json").read_bytes(), (self.folder / "b.json").read_bytes())

    def test_same_seed_same_bytes_whatever_the_threads(self):
        self.simulate()
        for name in ("po-mb-il", "bc"):
            files = set()
            for threads in (1, 2, 5):
                self.fit(name, "--threads", threads)
                files.add((self.folder / "learned.json").read_bytes())
            self.assertEqual(len(files), 1)

    def test_options_of_a_learner(self):
        self.simulate()
        loose = self.fit("bc", "--learner-option", "smoothing=1000")["log_loss"]
        self.assertGreater(loose, self.fit("bc", "--learner-option", "smoothing=0.5")["log_loss"])
        fit = ("fit", "--study", self.study("diag"), "--data", "visits.csv", "--output", "x.json", "--algorithm")
        self.refuse((*fit, "bc", "--learner-option", "smothing=1"), 2, "smothing", 'did you mean "smoothing"?')
        self.refuse((*fit, "bc", "--learner-option", "smoothing=-1"), 2, "smoothing", "-1")
        self.refuse((*fit, "bc", "--learner-option", "smoothing"), 2, "name=number")
        self.refuse((*fit, "po-mb-il", "--learner-option", "restarts=1.5"), 2, "restarts", "1.5", "whole")
        self.refuse((*fit, "po-mb-il", "--restarts", 3), 2, "--restarts", "--learner-option")
        self.refuse((*fit, "interpole-shared", "--dynamics", "coupled"), 2, "--dynamics", "interpole-shared")
        self.refuse((*fit, "majorty"), 2, "--algorithm", "majorty", 'did you mean "majority"?', *self.known())
        self.assertFalse((self.folder / "x.json").exists())

    def test_ctrl_c_during_r_bc_keeps_the_best_so_far(self):
        self.simulate(patients=200)
        with subprocess.Popen([PROGRAM, "fit", "--study", self.study("diag"), "--data", "visits.csv", "--output",
                               "learned.json", "--algorithm", "r-bc", "--learner-option", "patience=100000"],
                              cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
            time.sleep(slowed(2.0))
            process.send_signal(signal.SIGINT)
            _, errors = process.communicate(timeout=slowed(120))
        self.assertEqual(process.returncode, 130, errors)
        if (self.folder / "learned.json").exists():  # unless the machine was too busy for a first iteration
            self.assertIn("the best so far was written", errors)
            self.assertFalse(json.loads((self.folder / "learned.json").read_text())["fit"]["converged"])

    def test_what_a_prediction_rests_on_can_be_printed_and_exported(self):
        self.simulate()
        quick = ("--learner-option", "most-iterations=60", "--learner-option", "least-iterations=1")
        fit = self.fit("recurrent-tree", "--learner-option", "depth=2", *quick)
        self.assertRegex(fit["words"], r"(?s)split 1: second branch by .*leaf 4: monitor \d+%")
        self.evaluate("--visits", "visits-out.csv")
        with open(self.folder / "visits-out.csv", encoding="utf-8") as file:
            rows = list(csv.DictReader(file))
        self.assertEqual(len(rows), len((self.folder / "visits.csv").read_text().splitlines()) - 1)
        for row in rows:
            self.assertAlmostEqual(sum(float(row[f"leaf:{i}"]) for i in range(1, 5)), 1.0, places=9)
            self.assertAlmostEqual(sum(float(row[f"policy:{name}"]) for name in
                                       ("monitor", "declare-healthy", "declare-diseased")), 1.0, places=9)
        fit = self.fit("contextual", "--learner-option", "units=8", *quick)
        self.assertIn("after monitor:", fit["words"])
        self.evaluate("--visits", "visits-out.csv")
        with open(self.folder / "visits-out.csv", encoding="utf-8") as file:
            row = list(csv.DictReader(file))[-1]
        self.assertIn("monitor:outcome positive", row)
        self.refuse(("evaluate", "--model", "learned.json", "--data", "visits.csv", "--visits", "visits.csv"), 2, "--visits")

    def test_new_learner_files_are_read_strictly(self):
        self.simulate()
        evaluate = ("evaluate", "--model", "bad.json", "--data", "visits.csv")
        quick = ("--learner-option", "most-iterations=5")
        for name, change, parts in (
                ("logistic", lambda c: c["weights"].pop(), ("content.weights", "expected")),
                ("logistic", lambda c: c["features"].__setitem__(2, "age"), ("content.features[2]", '"age"')),
                ("irl", lambda c: c["policy"][0].__setitem__(0, 2), ("content.policy[0][0]", "2 is not a probability")),
                ("gail", lambda c: c["policy"].pop(), ("content.policy", "entries")),
                ("mb-il", lambda c: c.__setitem__("rewards", []), ("content.rewards", "unknown key")),
                ("previous-action", lambda c: c["counts"].pop(), ("content.counts", "entries")),
                ("recurrent-tree", lambda c: c.__setitem__("depth", 40), ("content.depth", "40", "from 1 to 6")),
                ("contextual", lambda c: c["always"].pop(), ("content.always", "entries"))):
            with self.subTest(name):
                self.fit(name, *(quick if name in ("recurrent-tree", "contextual") else ()))
                text = (self.folder / "learned.json").read_text()
                saved = json.loads(text)
                change(saved["content"])
                self.write("bad.json", json.dumps(saved))
                self.refuse(evaluate, 3, "bad.json", *parts)
                self.write("bad.json", text[:len(text) // 2])
                self.refuse(evaluate, 3, "bad.json")
        fit = ("fit", "--study", self.study("diag"), "--data", "visits.csv", "--output", "x.json", "--algorithm")
        for name, option in (("irl", "discount=1"), ("logistic", "penalty=-1"), ("gail", "entropy=-0.1"),
                             ("mb-il", "additive=0.5"), ("recurrent-tree", "depth=9"), ("contextual", "units=12")):
            self.refuse((*fit, name, "--learner-option", option), 2, *option.split("="))

    def test_a_learner_file_is_read_strictly(self):
        self.simulate()
        self.fit("bc")
        good = (self.folder / "learned.json").read_text()
        evaluate = ("evaluate", "--model", "bad.json", "--data", "visits.csv")
        saved = json.loads(good)
        for change, parts in (
                ({"version": 7}, ("version", "7", "update")),
                ({"algorithm": "bd"}, ("algorithm", '"bd"', "bc")),
                ({"content": {"smoothing": 1, "counts": [1]}}, ("content.counts", "1 entries")),
                ({"content": {"smoothing": "a", "counts": []}}, ("content.smoothing", '"a"')),
                ({"structure": {**saved["structure"], "outcomes": [None]}}, ("structure.outcomes", "1 entries"))):
            self.write("bad.json", json.dumps({**saved, **change}))
            self.refuse(evaluate, 3, "bad.json", *parts)
        self.write("bad.json", good[:-20])
        self.refuse(evaluate, 3, "bad.json")

    def test_an_outcome_that_cannot_be_is_named_by_patient(self):
        self.write("study.toml", self.study("diag").read_text().replace(
            "[known]", "[known]\nobservation.monitor = [[1, 0], [1, 0]]"))
        self.write("visits.csv", "patient,step,action,observation\np1,1,monitor,negative\np2,1,monitor,positive\n")
        for verb in (("fit", "--output", "x.json", "--algorithm", "bc"), ("compare", "--folds", 2)):
            self.refuse((verb[0], "--study", "study.toml", "--data", "visits.csv", *verb[1:]),
                        3, "visits.csv", "p2", "positive")

    def test_intervals_hold_their_estimates_and_can_be_left_out(self):
        self.simulate(patients=200)
        self.fit("interpole-shared")
        scores = self.evaluate("--truth", "truth.json")
        self.assertEqual(scores["intervals"]["replicates"], 200)
        for key in ("log_loss", "brier", "auroc", "auprc", "belief_mismatch", "policy_mismatch",
                    "stopping_time_error"):
            low, high = scores["intervals"][key]
            self.assertTrue(low <= scores[key] <= high, key)
        for action in scores["by_action"].values():
            self.assertEqual(sum(b["decisions"] for b in action["calibration"]), scores["scored_decisions"])
        self.assertEqual(scores, self.evaluate("--truth", "truth.json", "--threads", 1))
        self.assertNotIn("intervals", self.evaluate("--bootstrap", 0))
        self.refuse(("evaluate", "--model", "learned.json", "--data", "visits.csv", "--bootstrap=-1"), 2, "--bootstrap")


class Compare(LearnerTest):
    def compare(self, *more):
        return self.run_json("compare", "--study", self.study("diag"), "--data", "visits.csv", *more)

    def test_the_table_orders_learners_by_what_they_know(self):
        self.simulate("diag", patients=150)
        table = self.compare("--learners", QUICK, "--csv", "table.csv")
        self.assertEqual((table["patients"], table["folds"], table["interrupted"]), (150, 5, False))
        rows = {row["learner"]: row for row in table["learners"]}
        self.assertEqual(list(rows), QUICK.split(","))
        loss = {name: row["log_loss"]["mean"] for name, row in rows.items()}
        self.assertLess(loss["interpole-shared"], loss["bc"])
        self.assertLess(loss["po-mb-il"], loss["bc"])
        self.assertLess(loss["bc"], loss["majority"])
        self.assertAlmostEqual(rows["majority"]["auroc"]["mean"], 0.5, places=12)
        for row in rows.values():
            for score in ("log_loss", "brier", "auroc", "auprc", "calibration_error", "first_steps"):
                folds = row[score]["folds"]
                self.assertEqual(len(folds), 5)
                mean = sum(folds) / 5
                error = (sum((x - mean) ** 2 for x in folds) / 4 / 5) ** 0.5
                self.assertAlmostEqual(row[score]["mean"], mean, places=12)
                self.assertAlmostEqual(row[score]["standard_error"], error, places=12)
                low, high = row[score]["interval"]  # of Student's t, 4 degrees of freedom
                self.assertAlmostEqual(low, max(0.0, mean - 2.776445 * error), places=6)
                most = {"log_loss": float("inf"), "brier": 2.0}.get(score, 1.0)
                self.assertAlmostEqual(high, min(most, mean + 2.776445 * error), places=6)
        with open(self.folder / "table.csv", encoding="utf-8") as file:
            written = list(csv.DictReader(file))
        self.assertEqual([row["learner"] for row in written], list(rows))
        self.assertEqual(float(written[1]["auroc"]), rows["po-mb-il"]["auroc"]["mean"])
        shown = self.run_well("compare", "--study", self.study("diag"), "--data", "visits.csv", "--learners", QUICK)
        reach = rows["bc"]["log_loss"]["interval"][1] - loss["bc"]
        self.assertIn(f"{loss['bc']:.4f} ± {reach:.4f}", shown.stdout)

    def test_differences_are_taken_pair_by_pair(self):
        self.simulate("diag", patients=150)
        table = self.compare("--learners", "interpole-shared,bc,gail,majority", "--against", "bc")
        rows = {row["learner"]: row for row in table["learners"]}
        self.assertEqual(table["paired"]["reference"], "bc")
        paired = {row["learner"]: row for row in table["paired"]["learners"]}
        self.assertEqual(list(paired), ["interpole-shared", "gail", "majority"])
        for name, row in paired.items():
            for score in ("log_loss", "auroc"):
                differences = [x - y for x, y in zip(rows[name][score]["folds"], rows["bc"][score]["folds"])]
                for ours, expected in zip(row[score]["folds"], differences):
                    self.assertAlmostEqual(ours, expected, places=12)
                self.assertAlmostEqual(row[score]["mean"], sum(differences) / 5, places=12)
                low, high = row[score]["interval"]
                self.assertTrue(low <= row[score]["mean"] <= high, (name, score))
                mean = row[score]["mean"]
                reach = 2.776445 * (sum((x - mean) ** 2 for x in differences) / 4 / 5) ** 0.5
                self.assertAlmostEqual(row[score]["interval_over_folds"][0], mean - reach, places=6)
                self.assertAlmostEqual(row[score]["interval_over_folds"][1], mean + reach, places=6)
        # Pairs are told apart though the scores themselves are spread wider than the difference.
        self.assertGreater(paired["majority"]["log_loss"]["interval"][0], 0.0)
        self.assertLess(paired["interpole-shared"]["log_loss"]["interval"][1], 0.0)
        self.assertEqual(self.compare("--learners", "bc,majority,gail")["paired"]["reference"],
                         min(("bc", "majority", "gail"), key=lambda name: rows[name]["log_loss"]["mean"]))
        self.refuse(("compare", "--study", self.study("diag"), "--data", "visits.csv", "--learners", "bc,majority",
                     "--against", "r-bc"), 2, "--against", "r-bc")

    def test_a_floor_that_knows_nearly_all_is_named_in_words(self):
        # Who did it last time does it again, whatever was seen.
        lines, chance = ["patient,step,action,observation"], random.Random(1)
        for patient in range(300):
            action = chance.choice(("wait", "test"))
            for step in range(1, 7):
                lines.append(f"p{patient:03},{step},{action},{chance.choice(('normal', 'abnormal'))}")
                if chance.random() < 0.1:
                    action = "wait" if action == "test" else "test"
        self.write("visits.csv", "\n".join(lines) + "\n")
        study = self.study("ward").read_text()
        self.write("study.toml", study[:study.index("[policy]")])
        command = ("compare", "--study", "study.toml", "--data", "visits.csv", "--learners", "previous-action,bc,majority")
        sentences = self.run_json(*command)["sentences"]
        self.assertIn("who knows the last action knows nearly all", sentences[0])
        self.assertIn("Note: who knows the last action knows nearly all", self.run_well(*command).stdout)
        self.simulate("diag", patients=100)
        self.assertEqual(self.compare("--learners", "interpole-shared,previous-action")["sentences"], [])

    def test_is_fixed_by_its_seed(self):
        self.simulate()

        def scores(*more):
            table = self.compare("--learners", "po-mb-il,bc", "--folds", 3, *more)
            return [row["log_loss"]["folds"] for row in table["learners"]]

        self.assertEqual(scores(), scores("--threads", 1))
        self.assertNotEqual(scores(), scores("--seed", 2))

    def test_refusals(self):
        self.simulate(patients=4)
        compare = ("compare", "--study", self.study("diag"), "--data", "visits.csv")
        self.refuse((*compare, "--folds", 5), 2, "--folds", "5", "4")
        self.refuse((*compare, "--folds", 1), 2, "--folds", "1")
        self.refuse((*compare, "--learners", "bc,mjority"), 2, "--learners", "mjority", 'did you mean "majority"?')
        self.refuse((*compare, "--learners", "bc,bc"), 2, "bc is named twice")
        self.refuse((*compare, "--learners", "bc", "--folds", 2, "--csv", "none/table.csv"), 1, "--csv", "none")

    def test_ctrl_c_keeps_the_finished_rows(self):
        self.simulate("tree", patients=5000)
        command = [PROGRAM, "compare", "--study", self.study("tree"), "--data", "visits.csv", "--learners",
                   "majority,interpole", "--folds", "500", "--csv", "table.csv", "--json"]
        with subprocess.Popen(command, cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              text=True) as process:
            time.sleep(slowed(4.0))  # majority takes a fraction of it, 500 fits of interpole ten times as long
            process.send_signal(signal.SIGINT)
            output, errors = process.communicate(timeout=slowed(60))
        self.assertEqual(process.returncode, 130, errors)
        self.assertIn("interrupted", errors)
        table = json.loads(output)
        self.assertTrue(table["interrupted"])
        self.assertEqual([row["learner"] for row in table["learners"]], ["majority"])
        self.assertEqual(len((self.folder / "table.csv").read_text().splitlines()), 2)


if __name__ == "__main__":
    main()
