"""From tables as people have them to a draft, and with one command to a provisional report."""
import json
import re

import people_tables
from program import ProgramTest, main

# What is whom, when, what was done, and what was seen, by table: id, order, action, first factor, seen.
UNDERSTOOD = {
    "plain.csv": ("patient_id", "visit_date", "treatment", "hba1c", "before"),
    "german.csv": ("Patient", "Datum", "Therapie", "HbA1c", "before"),
    "american.tsv": ("Subject", "Visit Date", "Drug", "Glucose", "after"),
    "latin1.csv": ("Patientennummer", "Besuch", "Maßnahme", "Größe (mm)", "before"),
    "capitals.csv": ("PATIENT ID", "VISIT", "DECISION", "TUMOUR SIZE", "before"),
    "long.csv": ("patient", "date", "treatment", "HbA1c", "before"),
    "labor.csv": ("Patient", "Datum", "Therapie", "HbA1c", "before"),
    "wide.csv": ("id", "visit", "treat", "hba1c", "before"),
    "wide_prefix.csv": ("SubjectID", "visit", "Drug", "LDL", "before"),
    "small.csv": ("patient", "visit", "action", "score", "before"),
    "SMALL.CSV": ("ID", "MONTH", "OPIOID", "PAIN", "before"),
    "unordered.csv": ("patient", "row in the table", "antibiotic_given", "crp", "before"),
    "british.csv": ("NHS Number", "Date of visit", "Referred", "eGFR", "before"),
    "clock.csv": ("stay_id", "charttime", "action", "map", "after"),
    "codes.csv": ("RID", "VISCODE", "THERAPY", "MMSE", "before"),
    "censored.csv": ("participant", "week", "intervention", "troponin", "before"),
    "duplicates.csv": ("patient", "date", "medication", "hba1c", "before"),
    "clinic.jsonl.gz": ("person_id", "date", "treatment", "systolic", "before"),
}


def value(text, key):
    return re.search(rf'^{key} = "(.*?)"', text, re.MULTILINE).group(1)


class Drafts(ProgramTest):
    def test_tables_are_understood(self):
        for make in people_tables.TABLES:
            make(self.folder)
        for name, expected in UNDERSTOOD.items():
            with self.subTest(name):
                self.run_well("study", "init", name, "--output", "s.toml", "--force")
                text = (self.folder / "s.toml").read_text(encoding="utf-8")
                action, factor = re.findall(r'^column = "(.*?)"', text, re.MULTILINE)[:2]
                self.assertEqual((value(text, "id"), value(text, "order"), action, factor, value(text, "seen")), expected)
        # What was ordered came of the order; the sign beside it led to it.
        self.run_well("study", "init", "ordered.csv", "--output", "s.toml", "--force")
        text = (self.folder / "s.toml").read_text(encoding="utf-8")
        self.assertEqual(value(text, "seen"), "after")
        self.assertRegex(text, r'column = "temperature"(\n.*)*?\nseen = "before"')
        self.assertIn('yielded_by = ["test"]', text)

    def test_numbers_are_taken_as_measured_and_visits_when_they_were(self):
        for make in people_tables.TABLES:
            make(self.folder)
        # Family of the first factor; unit of time, where visits are at irregular distances.
        for name, family, unit in (("plain.csv", "normal", "days"), ("unordered.csv", "lognormal", None), ("small.csv", None, None),
                                   ("SMALL.CSV", None, None), ("codes.csv", "normal", None), ("clock.csv", "normal", "days")):
            with self.subTest(name):
                self.run_well("study", "init", name, "--output", "s.toml", "--force")
                text = (self.folder / "s.toml").read_text(encoding="utf-8")
                self.assertIn("version = 2\n", text)
                self.assertEqual(re.findall(r'^family = "([a-z-]+)"  # guessed because they are ', text, re.MULTILINE), [family] if family else [])
                self.assertEqual(re.findall(r'^unit = "(.*?)"', text, re.MULTILINE), [unit] if unit else [])
                if unit:
                    self.assertIn("Guessed because visits come at irregular distances (most after 28 to 36 days", text)
                    self.assertEqual(value(text, "time"), value(text, "order"))
                checked = self.run_json("study", "check", "s.toml", "--data", name)
                self.assertEqual("gaps" in checked, unit is not None)

    def test_a_draft_of_a_wide_table_keeps_every_visit(self):
        people_tables.wide_suffix(self.folder)
        self.run_well("study", "init", "wide.csv")
        checked = self.run_json("study", "check", "study.toml", "--data", "wide.csv")
        visits = sum(len(p["rows"]) for p in people_tables.Clinic(8, visits=(3, 6)).records)
        self.assertEqual(checked["decisions"], visits)
        self.assertEqual(checked["patients"], 150)

    def test_a_draft_without_answers_asks(self):
        self.write("t.csv", "weight,height\n1,2\n1,3\n")
        self.refuse(("study", "init", "t.csv"), 3, "no column looks like a record id", "what was understood is in study.toml")
        text = (self.folder / "study.toml").read_text(encoding="utf-8")
        self.assertIn('"weight": numbers', text)
        self.assertIn("which column tells whose row it is?", text)
        self.refuse(("start", "t.csv", "--output", "d"), 3, "what was understood is in d/study.toml")

    def test_the_wrong_reading_is_doubted(self):
        for seed in (0, 1):
            seen = people_tables.timing_table(self.folder / "t.csv", seed)
            self.run_well("study", "init", "t.csv", "--force", "--quiet")
            text = (self.folder / "study.toml").read_text(encoding="utf-8")
            self.assertEqual(value(text, "seen"), seen)
            self.assertEqual(self.run_json("study", "check", "study.toml", "--data", "t.csv")["seen_doubtful"], [])
            other = "after" if seen == "before" else "before"
            self.write("wrong.toml", text.replace(f'seen = "{seen}"', f'seen = "{other}"'))
            result = self.run_well("study", "check", "wrong.toml", "--data", "t.csv")
            self.assertRegex(result.stderr, f'seems? to have been seen {seen} the action of the row, not {other}')


class Start(ProgramTest):
    def test_one_command_makes_a_report(self):
        people_tables.small(self.folder)
        result = self.run_well("start", "small.csv", "--output", "out")
        for part in ("Assumed", "24 patients", "seen before the decision", "Found, provisionally", "AUROC", "Beware"):
            self.assertIn(part, result.stdout)
        self.assertLess(len(result.stdout.splitlines()), 30)
        self.assertIn("next: look at out/report.html", result.stderr)
        self.assertGreater((self.folder / "out" / "report.html").stat().st_size, 100000)
        self.assertEqual(json.loads((self.folder / "out" / "model.json").read_text())["format"], "interpole-model")
        # What is there may be somebody's work.
        self.refuse(("start", "small.csv", "--output", "out"), 2, "there is a study in this folder", "--force")
        found = self.run_json("start", "small.csv", "--output", "out", "--force")
        self.assertEqual(found["seen"], {"score": "before"})
        self.assertGreater(found["auroc"], 0.6)


if __name__ == "__main__":
    main()
