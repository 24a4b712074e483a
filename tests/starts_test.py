"""Starting beliefs by sex and age: simulated, found again, said, and used record by record."""
import base64
import csv
import gzip
import json
import math
import re

import program
from program import ProgramTest


class Starts(ProgramTest):
    def simulate(self, patients=1000):
        self.run_well("simulate", "starts", "--patients", patients, "--seed", 5, "--output", "visits.csv", "--truth",
                      "truth.json", "--quiet")

    def fit(self, *more, study=None):
        return ("fit", "--study", study or self.study("starts"), "--data", "visits.csv", "--output", "model.json", *more)

    def model(self):
        return json.loads((self.folder / "model.json").read_text())

    @staticmethod
    def start_of(model, sex, age):
        """The belief that a record starts with, from the numbers of the file."""
        logs = [math.log(p) for p in model["initial_belief"]]
        covariates = {c["name"]: c for c in model["policy"]["covariates"]}
        for term in model["policy"].get("start", []):
            of = covariates[term["covariate"]]
            value = 1.0
            row = 0
            if "categories" in of:
                row = of["categories"].index(sex)
            else:
                value = (float(age) - of["centre"]) / of["scale"]
            logs = [x + value * w for x, w in zip(logs, term["weights"][row], strict=True)]
        total = sum(map(math.exp, logs))
        return [math.exp(x) / total for x in logs]

    def test_starts_are_found_said_and_used(self):
        self.simulate()
        said = self.run_well(*self.fit()).stdout
        self.assertIn("start by sex, start by age", said)
        self.assertIn('By sex, "ill" is believed at the start with', said)
        model, truth = self.model(), json.loads((self.folder / "truth.json").read_text())
        self.assertEqual(model["version"], 2)
        found, true = ({term["covariate"]: term["weights"] for term in m["policy"]["start"]} for m in (model, truth))
        self.assertEqual(found.keys(), true.keys())
        for name, rows in true.items():
            for row, true_row in zip(found[name], rows, strict=True):
                for x, y in zip(row, true_row, strict=True):
                    self.assertAlmostEqual(x, y, delta=0.2)

        with open(self.folder / "visits.csv", newline="") as file:
            first = next(csv.DictReader(file))
        expected = self.start_of(model, first["sex"], first["age"])
        explained = self.run_json("explain", "--model", "model.json", "--data", "visits.csv", "--patient",
                                  first["patient"])
        for state, chance in zip(("well", "ill"), expected, strict=True):
            self.assertAlmostEqual(explained["visits"][0]["belief"][state], chance, places=12)
        self.run_well("beliefs", "--model", "model.json", "--data", "visits.csv", "--output", "beliefs.csv", "--quiet")
        with open(self.folder / "beliefs.csv", newline="") as file:
            row = next(csv.DictReader(file))
        self.assertAlmostEqual(float(row["belief:ill"]), expected[1], places=12)

        scores = self.run_json("evaluate", "--model", "model.json", "--data", "visits.csv", "--truth", "truth.json")
        self.assertAlmostEqual(scores["log_likelihood"]["actions"], model["fit"]["log_likelihood"]["actions"], delta=1e-3)
        self.assertLess(scores["belief_mismatch"]["mean"] if isinstance(scores["belief_mismatch"], dict)
                        else scores["belief_mismatch"], 0.02)

        found = self.run_json("bias", "--model", "model.json", "--study", self.study("starts"), "--data", "visits.csv")
        self.assertNotEqual(found["verdict"], "difference")
        self.run_well("report", "--model", "model.json", "--study", self.study("starts"), "--data", "visits.csv",
                      "--output", "page.html", "--quiet")
        block = re.search(r'<script id="interpole-data"[^>]*>([^<]*)</script>', (self.folder / "page.html").read_text())
        page = json.loads(gzip.decompress(base64.b64decode(block[1])))
        self.assertIn("Starting beliefs differ by", page["terms"]["starts"])
        self.assertNotIn("start", page["model"].get("policy", {}))

    def test_json_has_the_starting_beliefs(self):
        self.simulate(600)
        found = self.run_json(*self.fit())
        ages = [x for x in found["starting_beliefs"] if x["covariate"] == "age" and x["state"] == "ill"]
        self.assertEqual(len(ages), 3)
        self.assertLess(ages[0]["belief"]["estimate"], ages[2]["belief"]["estimate"])
        self.assertEqual({x["level"] for x in found["starting_beliefs"] if x["covariate"] == "sex"}, {"f", "m"})

    def test_nothing_is_taken_without_being_asked_for(self):
        self.simulate(300)
        self.run_well(*self.fit("--policy", "belief", "--quiet"))
        self.assertEqual(self.model()["version"], 1)
        text = self.study("starts").read_text()
        self.write("weight.toml", text.replace('"sex", "age"', '"weight"'))
        self.refuse(self.fit(study="weight.toml"), 3, 'no covariate "weight", which the study\'s [initial_belief] names')


if __name__ == "__main__":
    program.main()
