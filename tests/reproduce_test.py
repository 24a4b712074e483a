"""The paper's tables by one command: files, seeds, going on after an interruption, refusals."""
import csv
import json
import math
import random
import signal
import subprocess
import sys
import time
import xml.etree.ElementTree

from patience import slowed
from program import PROGRAM, ProgramTest, main

CHEAP = "interpole-shared,po-mb-il,bc,majority"
FILES = ("table.txt", "table.json", "table.csv", "table.tex", "runs.csv")  # seconds.csv holds times


class ReproduceTest(ProgramTest):
    def reproduce(self, *arguments):
        return self.run_well("reproduce", *arguments)

    def read(self, *names):
        return {name: (self.folder / name).read_bytes() for name in names}

    def rows(self, name):
        with open(self.folder / name, encoding="utf-8", newline="") as file:
            return list(csv.DictReader(file))

    def refuse(self, code, arguments, *parts):
        super().refuse(("reproduce", *arguments), code, *parts)


class Tables(ReproduceTest):
    def test_all_forms_of_the_table_say_the_same(self):
        shown = self.reproduce("diag", "--datasets", 2, "--patients", 25, "--learner", CHEAP, "--output", "out").stdout
        self.assertEqual(shown, (self.folder / "out/table.txt").read_text(encoding="utf-8"))
        for part in ("Table 3", "2 data sets of 25 patients, seeds 1 to 2", "PO-MB-IL", "42.7 ± 34", "interpole 0."):
            self.assertIn(part, shown)
        table = json.loads((self.folder / "out/table.json").read_text())
        self.assertEqual([row["learner"] for row in table["learners"]], CHEAP.split(","))
        self.assertEqual((table["table"], table["seed"], table["datasets"], table["patients"]), ("diag", 1, 2, 25))
        runs = self.rows("out/runs.csv")
        self.assertEqual(len(runs), 8)
        summary = {(row["learner"], row["score"]): row for row in self.rows("out/table.csv")}
        self.assertEqual(len(summary), 4 * 4)
        for row in table["learners"]:
            for key, score in row["scores"].items():
                values = [float(run[key]) for run in runs if run["learner"] == row["learner"] and run[key]]
                self.assertEqual(values, [value for value in score["values"] if value is not None])
                line = summary[row["learner"], key]
                if not values:
                    self.assertEqual((score["mean"], line["mean"]), (None, ""))
                    continue
                self.assertAlmostEqual(score["mean"], sum(values) / len(values), places=12)
                self.assertEqual(float(line["mean"]), score["mean"])
                self.assertEqual([float(line["interval_low"]), float(line["interval_high"])], score["interval"])
                deviation = abs(values[0] - values[1]) / math.sqrt(2)
                reach = 12.706204736 * deviation / math.sqrt(2)  # Student's t with one degree of freedom
                self.assertAlmostEqual(score["interval"][1], score["mean"] + reach, places=7)
                self.assertEqual(score["interval"][0], max(0.0, score["interval"][0]))
        interpole = table["learners"][0]["scores"]["belief_mismatch"]
        self.assertAlmostEqual(interpole["paper"]["mean"], 0.6e-3)
        self.assertEqual(interpole["worse_than_paper"], interpole["mean"] > 0.65e-3)
        latex = (self.folder / "out/table.tex").read_text(encoding="utf-8")
        for part in ("\\toprule", "\\midrule", "\\bottomrule", "\\times 10^{3}", "PO-MB-IL"):
            self.assertIn(part, latex)
        body = [line for line in latex.splitlines() if line.endswith("\\\\")]
        self.assertEqual({line.count("&") for line in body}, {body[0].count("&")})
        figure = xml.etree.ElementTree.parse(self.folder / "out/figure5.svg").getroot()
        text = " ".join(figure.itertext())
        for part in ("Inferred, not stated, beliefs", "Truth", "PO-MB-IL", "INTERPOLE, shared", "INTERPOLE, coupled"):
            self.assertIn(part, text)

    def test_every_number_can_be_had_by_hand(self):
        self.reproduce("bias", "--datasets", 2, "--patients", 40, "--seed", 5, "--learner", "po-mb-il", "--output", "out")
        self.run_well("simulate", "bias", "--patients", 40, "--seed", 6, "--output", "visits.csv", "--truth", "truth.json")
        self.run_well("simulate", "bias", "--patients", 500, "--seed", 1000006, "--output", "fresh.csv")
        self.run_well("fit", "--study", self.study("bias"), "--data", "visits.csv", "--seed", 6, "--algorithm",
                      "po-mb-il", "--output", "model.json", "--quiet")
        scores = self.run_json("evaluate", "--model", "model.json", "--data", "fresh.csv", "--truth", "truth.json",
                               "--bootstrap", 0, "--seed", 6)
        run = self.rows("out/runs.csv")[1]
        self.assertEqual((run["dataset"], run["seed"]), ("2", "6"))
        for key in ("belief_mismatch", "policy_mismatch", "stopping_time_error", "stopping_time_error_common"):
            self.assertAlmostEqual(float(run[key]), scores[key], places=9, msg=key)

    def test_adni_is_cross_validated_as_compare_does(self):
        learners = "interpole-shared,majority"
        self.reproduce("adni", "--datasets", 1, "--patients", 90, "--folds", 2, "--learner", learners, "--output", "out")
        self.assertFalse((self.folder / "out/figure5.svg").exists())
        self.run_well("simulate", "adni", "--patients", 90, "--seed", 1, "--output", "adni.csv", "--quiet")
        study = self.study("adni/adnimerge")
        compared = self.run_json("compare", "--study", study, "--data", "adni.csv", "--folds", 2, "--learners", learners)
        for run, row in zip(self.rows("out/runs.csv"), compared["learners"]):
            self.assertEqual(run["learner"], row["learner"])
            # Of two actions: the same for both. States are named in one and not in the other, so they may be added up in
            # another order: predictions that tie then differ in the last bit, which moves AUROC by a few ranks of some thousand pairs.
            self.assertAlmostEqual(float(run["brier"]), row["brier"]["mean"], places=9)
            self.assertAlmostEqual(float(run["auroc"]), row["auroc"]["mean"], delta=5e-4)
        own = self.run_json("reproduce", "adni", "--datasets", 1, "--folds", 2, "--learner", learners, "--study", study,
                            "--data", "adni.csv")
        runs = self.rows("out/runs.csv")
        for row, run in zip(own["learners"], runs):
            self.assertAlmostEqual(row["scores"]["auprc"]["values"][0], float(run["auprc"]), places=12)

    def test_threads_change_nothing(self):
        for threads in (1, 3):
            self.reproduce("diag", "--datasets", 2, "--patients", 20, "--learner", CHEAP, "--threads", threads, "--output",
                           f"out{threads}")
        for name in (*FILES, "figure5.svg"):
            self.assertEqual(*self.read(f"out1/{name}", f"out3/{name}").values(), name)


class GoingOn(ReproduceTest):
    LEARNERS = "po-irl-paper,interpole,bc"
    ARGUMENTS = ("diag", "--datasets", 4, "--patients", 30, "--learner", LEARNERS, "--quiet")

    def command(self, *more):
        return [PROGRAM, "reproduce", *map(str, (*self.ARGUMENTS, "--threads", 2, *more))]

    def stopped(self, patience, how):
        """True if the run was stopped by this signal before its end."""
        with subprocess.Popen(self.command("--output", "out"), cwd=self.folder, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE) as process:
            time.sleep(patience)
            process.send_signal(how)
            process.communicate(timeout=slowed(300))
        if how == signal.SIGINT:
            # The last: the program had not yet begun to listen.
            self.assertIn(process.returncode, (0, 130, -signal.SIGINT))
        return process.returncode != 0

    def test_whatever_stops_it_the_bytes_are_the_same(self):
        begin = time.monotonic()
        self.reproduce(*self.ARGUMENTS, "--output", "straight")
        duration = time.monotonic() - begin
        expected = self.read(*(f"straight/{name}" for name in FILES))
        chance = random.Random(1)
        stops = {signal.SIGINT: 0, signal.SIGKILL: 0}
        for _ in range(12):
            how = chance.choice(list(stops))
            stops[how] += self.stopped(chance.uniform(0.05, 0.4 * duration), how)
        self.reproduce(*self.ARGUMENTS, "--output", "out")
        print(f"stopped by Ctrl-C {stops[signal.SIGINT]} times, killed {stops[signal.SIGKILL]} times", file=sys.stderr)
        self.assertGreater(sum(stops.values()), 0)
        for name in FILES:
            self.assertEqual((self.folder / "out" / name).read_bytes(), expected[f"straight/{name}"], name)

    def test_ctrl_c_keeps_what_is_finished(self):
        with subprocess.Popen([PROGRAM, "reproduce", "diag", "--datasets", "50", "--learner", "bc,off-po-irl",
                               "--threads", "2", "--output", "out"], cwd=self.folder, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, text=True) as process:
            deadline = time.monotonic() + slowed(120)
            while not (self.folder / "out/fits.checkpoint").exists() and time.monotonic() < deadline:
                time.sleep(0.05)
            process.send_signal(signal.SIGINT)
            output, errors = process.communicate(timeout=slowed(120))
        self.assertEqual(process.returncode, 130, errors)
        self.assertIn("the same command goes on", errors)
        self.assertIn("Interrupted", output)
        self.assertTrue(json.loads((self.folder / "out/table.json").read_text())["interrupted"])

    def test_more_data_sets_and_learners_build_on_what_is_there(self):
        self.reproduce("diag", "--datasets", 3, "--patients", 15, "--learner", "bc,majority", "--output", "straight")
        self.reproduce("diag", "--datasets", 1, "--patients", 15, "--learner", "majority", "--output", "out")
        result = self.reproduce("diag", "--datasets", 3, "--patients", 15, "--learner", "bc,majority", "--output", "out")
        self.assertIn("1 of 6 fits were done before", result.stderr)
        for name in FILES:
            self.assertEqual(*self.read(f"straight/{name}", f"out/{name}").values(), name)

    def test_fits_of_another_run_are_refused(self):
        good = ("diag", "--datasets", 1, "--patients", 15, "--learner", "bc", "--output", "out")
        self.reproduce(*good)
        before = self.read(*(f"out/{name}" for name in FILES))
        self.refuse(3, (*good, "--seed", 2), "out/fits.checkpoint", "another run", "--seed is 1, here it is 2", "--output")
        self.refuse(3, ("diag", "--datasets", 1, "--patients", 16, "--learner", "bc", "--output", "out"), "--patients is 15")
        self.refuse(3, ("bias", *good[1:]), "reproduce diag", "reproduce bias")
        self.assertEqual(before, self.read(*before))
        path = self.folder / "out/fits.checkpoint"
        path.write_bytes(path.read_bytes()[:-30])
        self.refuse(3, good, "out/fits.checkpoint", "cut or was altered")


class Refusals(ReproduceTest):
    def test_words_that_are_wrong(self):
        self.refuse(2, ("tree",), '"tree"', "diag", "bias", "adni")
        self.refuse(2, ("diag", "--datasets", 0), "--datasets", "0")
        self.refuse(2, ("diag", "--datasets=-3",), "--datasets", "-3")
        self.refuse(2, ("diag", "--patients", 0), "--patients", "0")
        self.refuse(2, ("diag", "--learner", "majorty"), "--learner", '"majorty"', 'did you mean "majority"?', "po-irl-paper")
        self.refuse(2, ("diag", "--learner", "bc,bc"), "bc", "twice")
        self.refuse(2, ("diag", "--data", "x.csv"), "--data", "adni")
        self.refuse(2, ("bias", "--folds", 3), "--folds", "adni")
        self.refuse(2, ("adni", "--data", "x.csv"), "--data and --study")
        self.refuse(2, ("adni", "--study", self.study("adni/adnimerge")), "--data and --study")
        self.refuse(2, ("adni", "--patients", 20, "--folds", 1, "--learner", "bc"), "--folds", "1")
        self.refuse(2, ("adni", "--patients", 20, "--folds", 90, "--learner", "bc"), "--folds", "90")
        self.refuse(2, ("adni", "--patients", 9, "--data", "x.csv", "--study", "y.toml"), "--patients")

    def test_files_that_are_wrong(self):
        self.write("file", "")
        self.refuse(1, ("diag", "--datasets", 1, "--patients", 9, "--learner", "bc", "--output", "file"), "--output", "file")
        self.refuse(3, ("adni", "--data", "none.csv", "--study", self.study("adni/adnimerge")), "none.csv")
        self.run_well("simulate", "diag", "--patients", 9, "--output", "visits.csv")
        self.refuse(3, ("adni", "--data", "visits.csv", "--study", self.study("diag")), '"mri"', "interpole compare")


if __name__ == "__main__":
    main()
