"""Explanations and audits as a user meets them: numbers against each other, against Python, and refusals."""
import csv
import io
import itertools
import json
import math

import program
from program import ProgramTest

SIGNS = ("belated_diagnoses", "uninformative_tests", "unlikely_records")


class AdniTest(ProgramTest):
    def adni(self, patients=400, seed=3, fit=False):
        self.run_well("simulate", "adni", "--patients", patients, "--seed", seed, "--output", "adni.csv", "--truth",
                      "truth.json", "--quiet")
        study = program.PROJECT / "studies" / "adni" / "adnimerge.toml"
        if fit:
            self.run_well("fit", "--study", study, "--data", "adni.csv", "--output", "model.json", "--quiet")
        return ("--model", "model.json" if fit else "truth.json", "--study", study, "--data", "adni.csv", "--quiet")

    def rows(self, name):
        return list(csv.DictReader(io.StringIO((self.folder / name).read_text())))


class Explain(AdniTest):
    def test_the_table_of_all_and_the_explanation_of_one_agree(self):
        flags = self.adni()
        self.run_well("explain", *flags, "--csv", "all.csv")
        rows = self.rows("all.csv")
        patient = next(row["patient"] for row in rows if row["step"] == "4")
        mine = [row for row in rows if row["patient"] == patient]
        told = self.run_json("explain", *flags, "--patient", patient)
        self.assertEqual([visit["visit"] for visit in told["visits"]], [row["visit"] for row in mine])
        for visit, row in zip(told["visits"], mine):
            for state, belief in visit["belief"].items():
                self.assertAlmostEqual(belief, float(row[f"belief:{state}"]), delta=1e-5)
            self.assertAlmostEqual(visit["probability"], float(row["probability"]), delta=1e-5)
            self.assertAlmostEqual(2 ** -visit["surprise_bits"], visit["probability"], delta=1e-12)
            move = visit["move"]
            for state in visit["belief"]:
                parts = [move["time"]["log_odds"][state]]
                parts += [factor["log_odds"][state] for factor in move["evidence_by_factor"].values()]
                self.assertAlmostEqual(sum(parts), move["total"]["log_odds"][state], delta=1e-12)
        for before, after in itertools.pairwise(told["visits"]):
            for state, belief in before["move"]["after"].items():
                self.assertAlmostEqual(belief, after["belief"][state], delta=1e-15)
        words = self.run_well("explain", *flags, "--patient", patient, "--visit", told["visits"][1]["visit"]).stdout
        for visit in told["visits"]:
            self.assertIn(visit["sentence"], words)
        self.assertIn("expected information", words)

    def test_the_factual_outcome_is_among_the_counterfactual_ones(self):
        flags = self.adni()
        self.run_well("explain", *flags, "--csv", "all.csv")
        patient = self.rows("all.csv")[0]["patient"]
        for visit in self.run_json("explain", *flags, "--patient", patient)["visits"]:
            done = next(action for action in visit["counterfactuals"] if action["action"] == visit["action"])
            factual = next(x for x in done["outcomes"] if x["observation"] == visit["observation"])
            self.assertEqual(factual["belief"], visit["move"]["after"])
            for action in visit["counterfactuals"]:
                self.assertAlmostEqual(sum(x["probability"] for x in action["outcomes"]), 1.0, delta=1e-12)

    def test_intervals_surround_what_they_are_intervals_of(self):
        flags = self.adni(fit=True)
        self.run_well("explain", *flags, "--csv", "all.csv")
        patient = self.rows("all.csv")[0]["patient"]
        inside = total = 0
        for visit in self.run_json("explain", *flags, "--patient", patient)["visits"]:
            for state, interval in visit["belief_interval"].items():
                self.assertLessEqual(interval["low"], interval["high"])
                total += 1
                inside += interval["low"] - 1e-9 <= visit["belief"][state] <= interval["high"] + 1e-9
        self.assertGreater(inside, 0.6 * total)

    def test_a_study_with_declarations(self):
        self.run_well("simulate", "bias", "--patients", 300, "--output", "v.csv", "--truth", "truth.json", "--quiet")
        told = self.run_json("explain", "--model", "truth.json", "--data", "v.csv", "--patient", "p000001")
        self.assertIsNone(told["visits"][-1]["move"])
        audit = self.run_json("audit", "--model", "truth.json", "--data", "v.csv")
        self.assertIn("ends the record", audit["not_applicable"]["belated_diagnoses"])
        self.assertIsNone(audit["not_applicable"]["uninformative_tests"])

    def test_refusals(self):
        flags = self.adni(patients=40)
        self.refuse(("explain", *flags), 2, "--patient", "--csv")
        self.run_well("simulate", "bias", "--patients", 30, "--output", "v.csv", "--truth", "bias.json", "--quiet")
        bias = ("--model", "bias.json", "--data", "v.csv")
        self.refuse(("explain", *bias, "--patient", "p000O12"), 3, "p000O12", "did you mean \"p000012\"?")
        self.refuse(("explain", *bias, "--patient", "p000O12", "--csv", "x.csv"), 3, "p000O12", "p000012")
        self.refuse(("explain", *bias, "--patient", "p000012", "--visit", "x"), 2, "--visit", "no visit \"x\"")
        self.refuse(("explain", "--model", "bias.json", *flags[2:], "--patient", "1"),
                    3, "states[0]", "\"NL\"", "\"healthy\"")
        self.refuse(("audit", *flags, "--cohort", "AGE ~ 75"), 2, "character 5")
        self.refuse(("audit", *flags, "--cohort", "AGEE > 75"), 2, "character 1", "did you mean \"AGE\"?")
        self.refuse(("audit", *bias, "--cohort", "age > 75"), 2, "--cohort", "no columns")
        self.refuse(("audit", *flags, "--certainty", "0.9"), 3, "--certainty")
        self.refuse(("audit", *flags, "--certainty", "7"), 2, "--certainty", "7")
        self.refuse(("audit", *flags, "--test", "mrj"), 2, "--test", "did you mean \"mri\"?")
        self.refuse(("audit", *flags, "--min-cell=-3"), 2, "--min-cell")
        self.assertFalse((self.folder / "x.csv").exists())


def numbers_in(value):
    if isinstance(value, dict):
        return [number for item in value.values() for number in numbers_in(item)]
    if isinstance(value, list):
        return [number for item in value for number in numbers_in(item)]
    return [value] if isinstance(value, (int, float)) and not isinstance(value, bool) else []


class Audit(AdniTest):
    def test_flags_are_ninety_per_cent_certain_unless_asked_otherwise(self):
        flags = self.adni(patients=300, fit=True)
        usual, all_of_them = (self.run_json("audit", *flags, "--min-cell", 0, "--list", *more)
                              for more in ((), ("--certainty", 0)))
        self.assertEqual(usual["rules"]["certainty"], 0.9)
        self.assertLess(usual["frequency"][0]["uninformative_tests"]["flagged"],
                        all_of_them["frequency"][0]["uninformative_tests"]["flagged"])
        for patient in usual["flagged_patients"]:
            for test in patient.get("uninformative_tests", []):
                self.assertGreaterEqual(test["probability"], 0.9)
            self.assertGreaterEqual(patient.get("belated", {"probability": 1.0})["probability"], 0.9)

    def test_flags_of_a_model_that_does_not_say_how_sure_it_is(self):
        flags = self.adni(patients=100)
        told = self.run_program("audit", *flags[:-1])  # not quietly
        self.assertEqual(told.returncode, 0)
        self.assertIn("does not say how sure it is", told.stderr)
        self.assertIn("How certain flags are is not known", told.stdout)
        told = self.run_json("audit", *flags)
        self.assertEqual(told["rules"]["certainty"], 0.0)
        self.assertIn("how certain flags are", " ".join(told["warnings"]))

    def test_p_values_are_adjusted_for_the_number_of_cohorts(self):
        flags = self.adni(patients=600, fit=True)
        one = self.run_json("audit", *flags, "--min-cell", 0, "--cohort", "AGE > 75")["frequency"][1]
        rows = self.run_json("audit", *flags, "--min-cell", 0, "--cohort", "AGE > 75", "--cohort", "AGE > 70",
                             "--cohort", "PTGENDER = Female")["frequency"]
        for kind in ("belated_diagnoses", "uninformative_tests", "unlikely_records"):
            self.assertEqual(one[kind]["p_value"], one[kind]["p_value_adjusted"])
            self.assertEqual(one[kind]["p_value"], rows[1][kind]["p_value"])
            self.assertGreaterEqual(rows[1][kind]["p_value_adjusted"], one[kind]["p_value"])
            self.assertIsNone(rows[0][kind]["p_value_adjusted"])
            smallest = min(row[kind]["p_value"] for row in rows[1:])
            self.assertAlmostEqual(min(row[kind]["p_value_adjusted"] for row in rows[1:]), min(1.0, 3 * smallest))

    def test_cohort_tables_match_the_exported_flags(self):
        flags = self.adni(patients=1200, fit=True)
        cohorts = ("AGE > 75", "PTGENDER = Female", "not \"signs at first visit\" and AGE <= 75")
        arguments = [x for cohort in cohorts for x in ("--cohort", cohort)]
        told = self.run_json("audit", *flags, *arguments, "--min-cell", 0, "--certainty", 0.8, "--csv", "flags.csv")
        patients = self.rows("flags.csv")

        def members(cohort):
            def is_in(row):
                if cohort == "all patients":
                    return True
                if cohort == cohorts[1]:
                    return row["PTGENDER"] == "Female"
                if row["AGE"] == "":
                    return False
                if cohort == cohorts[0]:
                    return float(row["AGE"]) > 75
                return row["signs at first visit"] == "false" and float(row["AGE"]) <= 75
            return [row for row in patients if is_in(row)]

        for row in told["frequency"]:
            mine = members(row["cohort"])
            self.assertEqual(row["patients"], len(mine))
            for kind, flagged, total in (
                    ("belated_diagnoses", sum(int(x["belated"]) for x in mine), len(mine)),
                    ("uninformative_tests", sum(int(x["uninformative"]) for x in mine),
                     sum(int(x["tests"]) for x in mine)),
                    ("patients_with_uninformative_tests", sum(int(x["uninformative"]) > 0 for x in mine), len(mine)),
                    ("unlikely_records", sum(int(x["unlikely"]) for x in mine), len(mine))):
                self.assertEqual((row[kind]["flagged"], row[kind]["total"]), (flagged, total), (row["cohort"], kind))
                self.assertAlmostEqual(row[kind]["share"], flagged / total, delta=1e-12)
                if kind != "uninformative_tests":  # those are clustered in patients
                    for end, value in zip(("low", "high"), wilson(flagged, total)):
                        self.assertAlmostEqual(row[kind][end], value, delta=1e-9)
        for row in patients:
            self.assertEqual(int(row["belated"]) > 0, row["confirmed_visit"] != "")
            if row["belated"] == "1":
                self.assertGreaterEqual(float(row["belated_probability"]), 0.8)
        self.assertGreater(sum(int(row["belated"]) for row in patients), 20)

    def test_nothing_small_is_in_the_document_and_nothing_withheld_follows_from_it(self):
        flags = self.adni(patients=260)
        told = self.run_json("audit", *flags, "--csv", "flags.csv")
        patients = self.rows("flags.csv")
        self.assertTrue(told["withheld"])
        self.assertNotIn("flagged_patients", told)
        counts = {}
        for row in told["frequency"]:
            self.assertTrue(row["patients"] is None or row["patients"] >= 11)
            for kind in SIGNS:
                cell = row[kind]
                if cell is not None:
                    counts[row["cohort"], kind] = cell["flagged"]
                    self.assertFalse(0 < cell["flagged"] < 11 or 0 < cell["total"] - cell["flagged"] < 11)
        # Sex splits all patients: of two withheld or shown cells that sum to a shown one, none stands alone.
        for kind in ("belated_diagnoses", "unlikely_records"):
            shown = [(cohort, kind) in counts for cohort in ("all patients", "sex = Female", "sex = Male")]
            if shown[0]:
                self.assertEqual(shown[1], shown[2])
        # No number of the document is the share of a withheld cell.
        all_numbers = numbers_in(told["frequency"]) + numbers_in(told["features"])
        for sex in ("Female", "Male"):
            mine = [row for row in patients if row["sex"] == sex]
            flagged = sum(int(row["belated"]) for row in mine)
            if (f"sex = {sex}", "belated_diagnoses") not in counts and 0 < flagged < 11:
                self.assertFalse(any(math.isclose(x, flagged / len(mine), rel_tol=1e-9) for x in all_numbers))

    def test_lists_name_the_visits_behind_each_flag(self):
        flags = self.adni(patients=600)
        told = self.run_json("audit", *flags, "--list")
        belated = [row for row in told["flagged_patients"] if "belated" in row]
        self.assertGreater(len(belated), 5)
        explained = self.run_json("explain", *flags, "--patient", belated[0]["patient"])["visits"]
        visits = {visit["visit"]: visit for visit in explained}
        for name in belated[0]["belated"]["left_out"]:
            self.assertEqual((visits[name]["action"], visits[name]["likeliest_action"]), ("no-mri", "mri"))
        confirmed = visits[belated[0]["belated"]["confirmed"]]
        self.assertEqual(confirmed["action"], "mri")
        self.assertGreaterEqual(max(confirmed["move"]["after"].values()), 0.9)
        self.assertIn(belated[0]["patient"], self.run_well("audit", *flags, "--list").stdout)

    def test_covariates_of_a_visits_table(self):
        rows = ["patient,step,action,observation,age"]
        for i in range(60):
            rows += [f"p{i},1,monitor,{'positive' if i % 2 else 'negative'},{50 + i}", f"p{i},2,monitor,positive,"]
            rows += [f"p{i},3,declare-diseased,,"]
        self.write("visits.csv", "\n".join(rows) + "\n")
        self.run_well("simulate", "bias", "--patients", 5, "--output", "v.csv", "--truth", "truth.json", "--quiet")
        told = self.run_json("audit", "--model", "truth.json", "--data", "visits.csv", "--cohort", "age >= 90",
                             "--min-cell", 0)
        self.assertEqual([row["patients"] for row in told["frequency"]], [60, 20])


def wilson(count, total):
    z = 1.959963984540054
    share = count / total
    middle = (share + z * z / (2 * total)) / (1 + z * z / total)
    half = z / (1 + z * z / total) * math.sqrt(share * (1 - share) / total + z * z / (4 * total * total))
    return (0.0 if count == 0 else middle - half, 1.0 if count == total else middle + half)


class DisclosureRules(ProgramTest):
    def test_a_rule_is_its_smallest_cell(self):
        self.run_well("simulate", "bias", "--patients", 60, "--seed", 1, "--output", "v.csv", "--truth", "m.json",
                      "--quiet")
        audit = ("audit", "--model", "m.json", "--data", "v.csv", "--quiet", "--json")
        for rule, cell in (("cms", 11), ("nhs", 8), ("ohdsi", 5), ("datashield", 3)):
            shown = self.run_well(*audit, "--disclosure", rule).stdout
            self.assertEqual(json.loads(shown)["rules"]["min_cell"], cell)
            self.assertEqual(shown, self.run_well(*audit, "--min-cell", cell).stdout)
        self.refuse((*audit, "--disclosure", "gdpr"), 2, "--disclosure", '"gdpr"', "cms")
        self.refuse((*audit, "--disclosure", "cms", "--min-cell", 5), 2, "--disclosure")


if __name__ == "__main__":
    program.main()
