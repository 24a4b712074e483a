"""Outcomes as they are measured: factors with families, empty cells, and agent and world in the unit of the measurement."""
import csv
import json
import random

import program
from program import ProgramTest

HEAD = """
format = "interpole-study"
version = 2
states = ["stable", "shock"]
[[actions]]
name = "watch"
[[actions]]
name = "transfer"
terminal = true
"""

FACTOR = """
[[factors]]
name = "lactate"
kind = "continuous"
family = "lognormal"
"""


class Measured(ProgramTest):
    def simulate(self, patients=1000, seed=1, output="visits.csv"):
        self.run_well("simulate", "vitals", "--patients", patients, "--seed", seed, "--output", output, "--truth", "truth.json",
                      "--quiet")

    def fit(self, *more, data="visits.csv", output="model.json"):
        return self.run_json("fit", "--study", self.study("vitals"), "--data", data, "--output", output, "--policy", "belief",
                             "--restarts", 2, *more)

    def test_the_audit_speaks_in_the_unit_of_the_measurement(self):
        self.simulate()
        self.fit()
        audit = self.run_json("bias", "--study", self.study("vitals"), "--model", "model.json", "--data", "visits.csv")
        self.assertEqual(audit["verdict"], "difference")
        found = {row["parameter"]: row for row in audit["parameters"]}
        lactate = found["observation[measure,shock,lactate median]"]
        self.assertTrue(lactate["flagged"])
        self.assertLess(lactate["agent"]["low"], 3.1)
        self.assertGreater(lactate["agent"]["high"], 3.1)
        self.assertLess(lactate["world"]["low"], 4.4)
        self.assertGreater(lactate["world"]["high"], 4.4)
        self.assertTrue(any("mmol/L; it is" in sentence for sentence in audit["sentences"]), audit["sentences"])

    def test_empty_cells_leave_the_update_to_the_other_factors(self):
        """Of single cells 30% are lost already; of a table in which every row lacks one, beliefs are still near the truth."""
        self.simulate(patients=600)
        with open(self.folder / "visits.csv", encoding="utf-8", newline="") as file:
            rows = list(csv.reader(file))
        chance = random.Random(4)
        with open(self.folder / "fewer.csv", "w", encoding="utf-8", newline="") as file:
            writer = csv.writer(file)
            writer.writerow(rows[0])
            for row in rows[1:]:
                row[3 + chance.randrange(3)] = ""
                writer.writerow(row)
        self.fit("--dynamics", "shared")
        self.fit("--dynamics", "shared", data="fewer.csv", output="fewer.json")
        mismatch = [self.run_json("evaluate", "--study", self.study("vitals"), "--model", model, "--data", "visits.csv", "--truth",
                                  "truth.json")["belief_mismatch"] for model in ("model.json", "fewer.json")]
        self.assertLess(mismatch[1], 4 * mismatch[0] + 0.02)

    def test_files_are_read_back_and_every_record_has_its_beliefs(self):
        self.simulate(patients=60)
        self.fit("--coupling", 0.5)
        with open(self.folder / "model.json", encoding="utf-8") as file:
            model = json.load(file)
        self.assertEqual(model["version"], 3)
        self.assertEqual([factor["family"] for factor in model["factors"]], ["normal", "lognormal", "poisson"])
        self.run_well("beliefs", "--study", self.study("vitals"), "--model", "model.json", "--data", "visits.csv", "--output",
                      "beliefs.csv")
        with open(self.folder / "beliefs.csv", encoding="utf-8") as file:
            beliefs = list(csv.DictReader(file))
        with open(self.folder / "visits.csv", encoding="utf-8") as file:
            self.assertEqual(len(beliefs), len(list(csv.DictReader(file))))
        for row in beliefs:
            self.assertAlmostEqual(float(row["belief:stable"]) + float(row["belief:shock"]), 1.0)
        said = self.run_well("explain", "--study", self.study("vitals"), "--model", "model.json", "--data", "visits.csv", "--patient",
                             "p000001").stdout
        self.assertIn("pressure", said)
        self.assertIn("mmHg", said)

    def test_what_cannot_be_is_refused_with_row_and_remedy(self):
        self.write("study.toml", HEAD + FACTOR)
        fit = ("fit", "--study", "study.toml", "--data", "visits.csv", "--output", "model.json")
        header = "patient,step,action,lactate\n"
        for cell, *words in (("-2", "row 3", "lactate", "-2 is not above 0", "normal"), ("much", "row 3", "not a finite number"),
                             ("inf", "row 3", "not a finite number"), ("nan", "row 3", "not a finite number")):
            self.write("visits.csv", header + f"p1,1,watch,1.5\np1,2,watch,{cell}\n")
            self.refuse(fit, 3, *words)
        self.write("visits.csv", "patient,step,action,observation\np1,1,watch,1.5\n")
        self.refuse(fit, 3, "lactate", "is missing")
        for replaced, by, *words in (("lognormal", "lognormall", "lognormall", "did you mean"),
                                     ("lognormal\"", "lognormal\"\nbelow = 4\nabove = 1", "exchange"),
                                     ("lognormal\"", "poisson\"\nbelow = 1", "limits of detection"),
                                     ("version = 2", "version = 1", "version 2")):
            self.write("study.toml", (HEAD + FACTOR).replace(replaced, by))
            self.refuse(fit, 3, "study.toml", *words)

    def test_audit_report_and_figures_show_them(self):
        self.simulate(patients=80)
        self.fit("--coupling", 0.5)
        given = ("--study", self.study("vitals"), "--model", "model.json", "--data", "visits.csv")
        audit = self.run_json("audit", *given, "--list", "--certainty", 0)
        self.assertEqual([test["action"] for test in audit["tests"]], ["measure"])
        self.assertGreater(audit["frequency"][0]["patients"], 0)
        self.run_well("report", *given, "--output", "r.html", "--payload", "payload.json")
        with open(self.folder / "payload.json", encoding="utf-8") as file:
            payload = json.load(file)
        self.assertEqual([factor["unit"] for factor in payload["model"]["measured"]["factors"]], ["mmHg", "mmol/L", "per minute"])
        for kind in ("densities", "policy", "trajectory", "beliefs", "bias"):
            figure = self.run_well("plot", kind, *given, "--output", "-").stdout
            self.assertIn("</svg>", figure, kind)
            self.assertNotIn("nan", figure, kind)
        self.assertIn("mmol/L", self.run_well("plot", "densities", "--model", "model.json", "--output", "-").stdout)

    def test_check_says_where_values_lie_and_which_cells_are_empty(self):
        self.simulate(patients=300)
        said = self.run_json("study", "check", self.study("vitals"), "--data", "visits.csv")
        lactate = said["values"]["lactate"]
        self.assertEqual(list(lactate["empty"]), ["measure"])
        self.assertEqual(lactate["values"] + lactate["empty"]["measure"], said["actions"]["measure"])
        self.assertAlmostEqual(lactate["empty"]["measure"] / said["actions"]["measure"], 0.3, delta=0.05)
        self.assertLess(lactate["quantiles"]["5%"], lactate["quantiles"]["50%"])
        self.assertIn("mmol/L, 90% from", self.run_well("study", "check", self.study("vitals"), "--data", "visits.csv").stdout)

    def test_what_shows_listed_outcomes_alone_says_so(self):
        self.simulate(patients=30)
        self.fit("--coupling", 0.5)
        given = ("--study", self.study("vitals"), "--model", "model.json", "--data", "visits.csv")
        self.refuse(("plot", "tree", *given, "--output", "t.svg"), 3, "list of results", "joint = true")
        said = self.run_well("compare", "--study", self.study("vitals"), "--data", "visits.csv", "--learners", "bc,majority", "--folds", 2)
        self.assertIn("bc: this learner knows outcomes from a list", said.stderr)
        self.refuse(("fit", "--algorithm", "bc", "--study", self.study("vitals"), "--data", "visits.csv", "--output", "bc.json"), 3,
                    "knows outcomes from a list", "joint = true")


if __name__ == "__main__":
    program.main()
