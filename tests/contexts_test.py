"""Policies that follow covariates, wherever they are applied to records: what is judged in its context."""
import csv
import itertools
import json

from program import ProgramTest, main


class Contexts(ProgramTest):
    @classmethod
    def setUpClass(cls):
        """One ward, fitted once: the policy follows age and site."""
        super().setUpClass()
        cls.kept = {}

    def ward(self):
        if not self.kept:
            self.run_well("simulate", "ward", "--patients", 600, "--seed", 3, "--output", "visits.csv", "--truth",
                          "truth.json", "--quiet")
            fitted = self.run_json("fit", "--study", self.study("ward"), "--data", "visits.csv", "--dynamics", "shared",
                                   "--policy", "full", "--restarts", 3, "--output", "model.json")
            self.kept["fitted"] = fitted
            for name in ("visits.csv", "truth.json", "model.json"):
                self.kept[name] = (self.folder / name).read_bytes()
        for name in ("visits.csv", "truth.json", "model.json"):
            self.write(name, self.kept[name])
        return self.kept["fitted"]

    def evaluate(self, *more, data="visits.csv"):
        return self.run_json("evaluate", "--model", "model.json", "--data", data, *more)

    def table(self):
        with open(self.folder / "visits.csv", encoding="utf-8") as file:
            return list(csv.DictReader(file))

    def write_table(self, name, rows):
        lines = [",".join(rows[0])] + [",".join(row.values()) for row in rows]
        self.write(name, "\n".join(lines) + "\n")

    def test_evaluate_scores_what_fit_maximised(self):
        fitted = self.ward()
        scores = self.evaluate("--truth", "truth.json", "--bootstrap", 20)
        self.assertAlmostEqual(scores["log_likelihood"]["actions"], fitted["log_likelihood"]["actions"],
                               delta=1e-3)  # probabilities close to zero lose something on the way to the file
        self.assertLess(scores["intervals"]["log_loss"][0], scores["log_loss"])
        self.assertGreater(scores["intervals"]["log_loss"][1], scores["log_loss"])
        self.assertLess(scores["policy_mismatch"], 0.02)

    def test_what_is_not_known_is_left_out(self):
        self.ward()
        known = self.evaluate()["log_likelihood"]["actions"]
        rows = self.table()
        self.write_table("strange.csv", [{**row, "site": "nowhere", "age": ""} for row in rows])
        self.write_table("bare.csv", [{k: v for k, v in row.items() if k not in ("site", "age")} for row in rows])
        strange = self.evaluate(data="strange.csv")["log_likelihood"]["actions"]
        result = self.run_well("evaluate", "--model", "model.json", "--data", "bare.csv", "--json")
        self.assertIn('no covariate "age"', result.stderr)
        self.assertIn('no covariate "site"', result.stderr)
        self.assertAlmostEqual(strange, json.loads(result.stdout)["log_likelihood"]["actions"], delta=1e-6)
        self.assertLess(strange, known - 5)

    def test_bad_covariates_are_refused(self):
        self.ward()
        rows = self.table()
        rows[0] = {**rows[0], "age": "old"}
        self.write_table("text.csv", [{**row, "age": "old"} if row["patient"] == rows[0]["patient"] else row for row in rows])
        for verb in (("evaluate",), ("beliefs", "--output", "b.csv"), ("audit",)):
            with self.subTest(verb[0]):
                self.refuse((*verb, "--model", "model.json", "--data", "text.csv"), 3, "text.csv", '"age"', '"old"',
                            "number")

    def test_beliefs_and_explain_see_the_record_s_own_context(self):
        self.ward()
        base = {"step": "1", "action": "wait", "observation": "normal"}
        twins = [{"patient": who, **base, "site": site, "age": "60"} for who, site in
                 (("a", "east"), ("b", "south"), ("c", "south"))]
        order = list(self.table()[0])
        self.write_table("twins.csv", [{key: row[key] for key in order} for row in twins])
        self.run_well("beliefs", "--model", "model.json", "--data", "twins.csv", "--output", "b.csv", "--quiet")
        with open(self.folder / "b.csv", encoding="utf-8") as file:
            rows = {row["patient"]: row for row in csv.DictReader(file)}
        self.assertNotEqual(rows["a"]["policy:wait"], rows["b"]["policy:wait"])
        self.assertEqual(rows["b"]["policy:wait"], rows["c"]["policy:wait"])
        self.assertEqual(rows["a"]["belief:ill"], rows["b"]["belief:ill"])
        for patient in ("a", "b"):
            told = self.run_json("explain", "--model", "model.json", "--data", "twins.csv", "--patient", patient)
            self.assertAlmostEqual(told["visits"][0]["probability"], float(rows[patient]["policy:wait"]), delta=1e-9)

    def test_the_audit_judges_records_in_their_context(self):
        self.ward()
        self.write_table("bare.csv", [{k: v for k, v in row.items() if k not in ("site", "age")} for row in self.table()])
        self.run_well("audit", "--model", "model.json", "--data", "visits.csv", "--csv", "known.csv")
        self.run_well("audit", "--model", "model.json", "--data", "bare.csv", "--csv", "unknown.csv")

        def excess(name):
            with open(self.folder / name, encoding="utf-8") as file:
                return [float(row["excess_surprise_nats"]) for row in csv.DictReader(file)]

        known, unknown = excess("known.csv"), excess("unknown.csv")
        self.assertEqual(len(known), len(unknown))
        self.assertLess(sum(known), sum(unknown))

    def test_shares_sum_to_what_is_gained(self):
        self.run_well("simulate", "ward", "--patients", 200, "--seed", 3, "--output", "visits.csv", "--quiet")
        study = ("--study", self.study("ward"), "--data", "visits.csv")
        self.run_well("fit", *study, "--policy", "full", "--coupling", 0.3, "--restarts", 1, "--output", "coupled.json",
                      "--quiet")
        shares = self.run_json("bias", *study, "--model", "coupled.json", "--shares")["shares"]
        parts = shares["parts"]
        self.assertEqual(set(parts), {"belief", "distorted picture", "habit", "time", "context", "group", "other"})
        self.assertAlmostEqual(sum(part["share"] for part in parts.values()), 1.0, delta=1e-9)
        self.assertEqual(max(parts, key=lambda name: parts[name]["share"]), "belief")
        words = self.run_well("bias", *study, "--model", "coupled.json", "--shares").stdout
        self.assertIn("What makes decisions foreseeable", words)
        self.assertRegex(words, r"(?m)^belief +\d+%  █+$")
        for sentence in shares["sentences"]:
            self.assertIn(sentence, words)
        self.assertIn("average over all orders", words)
        self.run_well("report", *study, "--model", "coupled.json", "--shares", "--payload", "page.json", "--quiet")
        page = json.loads((self.folder / "page.json").read_text(encoding="utf-8"))["shares"]
        self.assertEqual(page["sentences"], shares["sentences"])
        self.assertAlmostEqual(page["gained"], shares["gained_nats_per_decision"])
        self.assertEqual({part["name"] for part in page["parts"]}, set(parts))

    def test_two_models_that_follow_other_covariates_are_compared_on_the_same_records(self):
        self.ward()
        with open(self.study("ward"), encoding="utf-8") as file:
            by_age = self.write("by_age.toml", file.read().replace('group = "site"\n', ""))
        for name, how in (("age.json", ("--study", by_age, "--policy", "full")),
                          ("belief.json", ("--study", self.study("ward"), "--policy", "belief"))):
            self.run_well("fit", *how, "--data", "visits.csv", "--dynamics", "shared", "--restarts", 2, "--output", name,
                          "--quiet")
        models = ("model.json", "age.json", "belief.json")
        loss = {name: self.run_json("evaluate", "--model", name, "--data", "visits.csv")["log_loss"] for name in models}
        self.assertEqual(len(set(loss.values())), 3)
        for one, other in itertools.permutations(models, 2):
            with self.subTest(f"{one} and {other}"):
                self.run_well("report", "--study", self.study("ward"), "--model", one, "--beside", other, "--data",
                              "visits.csv", "--payload", "page.json", "--quiet")
                page = json.loads((self.folder / "page.json").read_text(encoding="utf-8"))
                for name, check in ((one, page["check"]), (other, page["beside"]["check"])):
                    self.assertAlmostEqual(check["scores"]["log_loss"]["value"], loss[name], delta=1e-9)
                paired = page["beside"]["paired"]["log_loss"]
                self.assertAlmostEqual(paired["middle"], loss[other] - loss[one], delta=1e-9)

    def test_a_rare_category_is_named_in_no_file(self):
        self.run_well("simulate", "ward", "--patients", 60, "--seed", 3, "--output", "visits.csv", "--quiet")
        rows = (self.folder / "visits.csv").read_text(encoding="utf-8").splitlines()
        site = rows[0].split(",").index("site")
        for i, row in enumerate(rows):
            cells = row.split(",")
            if cells[0] in ("p000001", "p000002"):
                cells[site] = "isle-of-few"
            rows[i] = ",".join(cells)
        self.write("visits.csv", "\n".join(rows) + "\n")
        fit = ("fit", "--study", self.study("ward"), "--data", "visits.csv", "--dynamics", "shared", "--restarts", 1, "--policy",
               "full", "--output", "model.json")
        result = self.run_well(*fit)
        self.assertIn('"site", a category has fewer than 11 records', result.stderr)
        self.assertNotIn("isle-of-few", (self.folder / "model.json").read_text(encoding="utf-8") + result.stdout)
        self.run_well("evaluate", "--model", "model.json", "--study", self.study("ward"), "--data", "visits.csv")
        self.run_well(*fit, "--min-cell", 0, "--quiet")
        self.assertIn("isle-of-few", (self.folder / "model.json").read_text(encoding="utf-8"))

    def test_compare_shows_terms_beside_belief_alone(self):
        self.run_well("simulate", "ward", "--patients", 300, "--seed", 3, "--output", "visits.csv", "--quiet")
        table = self.run_json("compare", "--study", self.study("ward"), "--data", "visits.csv", "--folds", 2,
                              "--learners", "interpole-shared,interpole-terms,bc")
        loss = {row["learner"]: row["log_loss"]["mean"] for row in table["learners"]}
        self.assertLess(loss["interpole-terms"], loss["interpole-shared"])


if __name__ == "__main__":
    main()
