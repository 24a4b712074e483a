"""Kinds of decision-makers: simulated, found again, told apart record by record."""
import csv
import json

import program
from program import ProgramTest


class Kinds(ProgramTest):
    def simulate(self, patients=800):
        self.run_well("simulate", "kinds", "--patients", patients, "--seed", 2, "--output", "visits.csv", "--truth",
                      "truth.json", "--quiet")

    def fit(self, *more, study=None):
        return ("fit", "--study", study or self.study("kinds"), "--data", "visits.csv", "--output", "model.json",
                "--dynamics", "shared", *more)

    def test_two_kinds_are_found_said_and_used(self):
        self.simulate()
        truth = json.loads((self.folder / "truth.json").read_text())
        self.assertEqual(len(truth["policy"]["kinds"]), 1)
        said = self.run_well(*self.fit()).stdout
        self.assertIn("2 kinds of decision-makers", said)
        self.assertIn("Two kinds of decision-makers:", said)
        model = json.loads((self.folder / "model.json").read_text())
        self.assertEqual(model["version"], 2)
        self.assertAlmostEqual(model["policy"]["kinds"][0]["share"], truth["policy"]["kinds"][0]["share"], delta=0.15)
        self.assertEqual(model["fit"]["kinds"]["taken"], 2)

        explained = self.run_json("explain", "--model", "model.json", "--data", "visits.csv", "--patient", "p000001")
        self.assertEqual(len(explained["kinds"]), 2)
        self.assertAlmostEqual(sum(explained["kinds"]), 1)
        first, *later = [visit["kinds"] for visit in explained["visits"]]
        self.assertAlmostEqual(first[1], model["policy"]["kinds"][0]["share"])
        if later:
            self.assertNotEqual(first, later[0])
        self.assertIn("the decision-maker is of kind",
                      self.run_well("explain", "--model", "model.json", "--data", "visits.csv", "--patient",
                                    "p000001").stdout)

        self.run_well("beliefs", "--model", "model.json", "--data", "visits.csv", "--output", "beliefs.csv", "--quiet")
        with open(self.folder / "beliefs.csv", newline="") as file:
            rows = [row for row in csv.DictReader(file) if row["patient"] == "p000001"]
        for row, visit in zip(rows, explained["visits"], strict=True):
            for action, chance in visit["policy"].items():
                self.assertAlmostEqual(float(row[f"policy:{action}"]), chance, places=12)

        scores = self.run_json("evaluate", "--model", "model.json", "--data", "visits.csv")
        self.assertAlmostEqual(scores["log_likelihood"]["actions"], model["fit"]["log_likelihood"]["actions"], places=6)

    def test_one_kind_can_be_asked_for_and_too_many_are_refused(self):
        self.simulate(patients=5)
        text = self.study("kinds").read_text()
        self.write("one.toml", text.replace("kinds = 2", "kinds = 1"))
        self.run_well(*self.fit("--quiet", study="one.toml"))
        self.assertEqual(json.loads((self.folder / "model.json").read_text())["version"], 1)
        self.write("six.toml", text.replace("kinds = 2", "kinds = 6"))
        self.refuse(self.fit(study="six.toml"), 3, "policy.kinds: 6 kinds of decision-makers, but there are 5 records")


if __name__ == "__main__":
    program.main()
