"""Studies that map tables: what is refused says where, what and what to do, and leaves nothing behind; what only
looks odd is read."""
import gzip
import os
import re

from bad_source_cases import ARRAY, DATABASE, LINES, SOURCES
from bad_study_cases import STUDIES
from bad_table_cases import PARQUET, TABLES
from clinic import HEADER, TABLE, Case, study
from program import ProgramTest, main

PATIENT = re.compile(r"q7\d+")
NOTHING_LEFT = "warning: no record is left: there is nothing to learn from\n"

PARQUET_STUDY = """format = "interpole-study"
version = 1
states = ["healthy", "diseased"]
[[actions]]
name = "monitor"
[[actions]]
name = "declare-diseased"
terminal = true
[source]
tables = ["visits"]
[record]
id = "patient"
order = "step"
kind = "number"
[action]
column = "action"
[[factors]]
name = "test"
column = "observation"
kind = "categorical"
levels = ["negative", "positive"]
"""


class Refused(ProgramTest):
    """One method for each case is added below."""

    def setUp(self):
        super().setUp()
        self.elsewhere = self.folder / "elsewhere"  # where temporary files and a home folder would be
        self.folder = self.folder / "work"
        self.elsewhere.mkdir()
        (self.folder / "folder.csv").mkdir(parents=True)

    def refuse(self, case: Case):
        self.write("study.toml", case.study)
        self.write(case.file, case.table)
        data = [word for value in case.data or (case.file,) for word in ("--data", value)]
        if case.nothing_left:
            self.check_nothing_left(data)
        else:
            self.check_message(case, ("study", "check", "study.toml", *data))
        if case.fit:
            self.check_message(case, ("fit", "--study", "study.toml", *data, "--output", "model.json"))

    def run_alone(self, arguments):
        """Runs the program and sees that no file came or went."""
        before = sorted(self.folder.iterdir())
        result = self.run_program(*arguments, env={**os.environ, "TMPDIR": str(self.elsewhere),
                                                   "HOME": str(self.elsewhere)})
        self.assertEqual(sorted(self.folder.iterdir()), before)
        self.assertEqual(list(self.elsewhere.iterdir()), [])
        return result

    def check_message(self, case, arguments):
        result = self.run_alone(arguments)
        self.assertEqual(result.returncode, case.code, result.stderr)
        self.assertEqual(result.stdout, "")
        self.assertRegex(result.stderr, r"\Aerror: [^\n]{20,600}\n\Z")
        self.assertTrue(result.stderr[:-1].isprintable(), result.stderr)
        for part in case.says:
            self.assertIn(part, result.stderr)
        self.assertLessEqual(set(PATIENT.findall(result.stderr)), set(case.names), result.stderr)

    def check_nothing_left(self, data):
        """`study check` still shows its table, which is there to say where all rows went."""
        result = self.run_alone(("study", "check", "study.toml", *data))
        self.assertEqual((result.returncode, result.stderr), (3, NOTHING_LEFT))
        self.assertNotRegex(result.stdout, PATIENT)


def add_cases(kind, cases):
    """Each message names its file: the study's for studies, the table's (or, where SQL is at fault, the study's)."""
    for name, case in cases.items():
        file = "study.toml" if kind == "study" else case.file
        if not case.data and not any("study.toml" in part for part in case.says):
            case.says = (file, *case.says)
        method = "test_" + re.sub(r"\W+", "_", f"{kind} {name}")
        if hasattr(Refused, method):
            raise ValueError(f"two cases are called {method}")
        setattr(Refused, method, lambda self, case=case: self.refuse(case))


add_cases("table", TABLES)
add_cases("study", STUDIES)
add_cases("source", SOURCES)


class Read(ProgramTest):
    """Tables that look odd and are sound."""

    def read(self, table, file="visits.csv", text=None):
        self.write("study.toml", text or study())
        self.write(file, table)
        result = self.run_json("study", "check", "study.toml", "--data", file)
        self.assertEqual(sorted(path.name for path in self.folder.iterdir()), sorted(["study.toml", file]))
        return result

    def same(self, table, file="visits.csv", **options):
        """Reads like the plain table."""
        expected = self.read(TABLE)
        (self.folder / "visits.csv").unlink()
        self.assertEqual(self.read(table, file, **options), expected)

    def test_plain(self):
        found = self.read(TABLE)
        self.assertEqual((found["patients"], found["decisions"]), (2, 5))

    def test_cases_are_many(self):
        self.assertGreaterEqual(len(TABLES) + len(STUDIES), 60)

    def test_byte_order_mark(self):
        self.same(b"\xef\xbb\xbf" + TABLE.encode())

    def test_line_ends_of_windows(self):
        self.same(TABLE.replace("\n", "\r\n"))

    def test_line_ends_of_old_macs(self):
        self.same(TABLE.replace("\n", "\r"))

    def test_no_last_line_end(self):
        self.same(TABLE.rstrip("\n"))

    def test_blank_lines(self):
        self.same(TABLE.replace("\n", "\n\n"))

    def test_tabs(self):
        self.same(TABLE.replace(",", "\t"))

    def test_semicolons(self):
        self.same(TABLE.replace(",", ";"))

    def test_bars(self):
        self.same(TABLE.replace(",", "|"))

    def test_quoted_newlines(self):
        self.same(TABLE.replace("q71001", '"q7\n1001"'))

    def test_blanks_around_cells(self):
        self.same(HEADER + TABLE.removeprefix(HEADER).replace(",", " , "))

    def test_a_delimiter_at_the_end_of_a_row(self):
        self.same(TABLE.replace("q71002,bl,wait,2,", "q71002,bl,wait,2,,"))

    def test_rows_out_of_order(self):
        self.same(HEADER + "".join(reversed(TABLE.removeprefix(HEADER).splitlines(keepends=True))))

    def test_negative_zero(self):
        self.same(TABLE.replace(",1,", ",-0,"))

    def test_numbers_in_other_spellings(self):
        self.same(TABLE.replace(",7.5,", ",+75e-1,").replace(",9,", ",009.0,"))

    def test_columns_nobody_asked_for(self):
        wide = "".join(line + ",note,näher\n" for line in TABLE.splitlines()).replace("note", "remark", 1)
        self.same(wide.replace("näher", "other", 1))

    def test_gzip(self):
        self.same(gzip.compress(TABLE.encode(), mtime=0), "visits.csv.gz")

    def test_parquet(self):
        found = self.read(PARQUET, "visits.parquet", PARQUET_STUDY)
        self.assertGreater(found["patients"], 0)

    def test_json(self):
        self.same(ARRAY, "visits.json")

    def test_json_lines(self):
        self.same(LINES, "visits.jsonl")

    def test_json_with_numbers(self):
        self.same(re.sub(r'"score": "([\d.]+)"', r'"score": \1', ARRAY), "visits.json")

    def test_json_in_gzip(self):
        self.same(gzip.compress(LINES.encode(), mtime=0), "visits.ndjson.gz")

    def test_database(self):
        self.same(DATABASE, "clinic.duckdb")

    def test_database_with_a_table_named(self):
        expected = self.read(TABLE)
        self.write("clinic.duckdb", DATABASE)
        for table in ("visits", "joined", "archive.older"):
            self.assertEqual(self.run_json("study", "check", "study.toml", "--data", "clinic.duckdb#" + table), expected)

    def test_two_tables_of_one_database(self):
        text = study(source='[source]\ntables = ["visits", "people"]\nmissing = ["NA", "-4"]\n'
                            'sql = "SELECT * FROM visits JOIN people USING (id)"\n')
        self.assertEqual(self.read(DATABASE, "clinic.duckdb", text)["patients"], 2)

    def test_fit_of_a_database(self):
        self.write("study.toml", study())
        self.write("clinic.duckdb", DATABASE)
        self.run_well("fit", "--study", "study.toml", "--data", "clinic.duckdb#visits", "--output", "model.json")
        data = self.run_json("evaluate", "--model", "model.json", "--study", "study.toml", "--data", "clinic.duckdb#joined")
        self.assertEqual((data["patients"], data["decisions"]), (2, 5))

    def test_draft_of_a_database(self):
        self.write("clinic.duckdb", DATABASE)
        self.run_well("study", "init", "clinic.duckdb#longer", "--output", "study.toml")
        draft = (self.folder / "study.toml").read_text()
        self.assertIn('tables = ["longer"]', draft)
        self.assertNotIn("notes", draft)

    def test_one_visit(self):
        found = self.read(HEADER + "q71001,bl,wait,1,\n")
        self.assertEqual((found["patients"], found["decisions"]), (1, 1))

    def test_one_patient(self):
        found = self.read(TABLE.split("q71002")[0])
        self.assertEqual((found["patients"], found["decisions"]), (1, 3))

    def test_a_factor_without_values(self):
        found = self.read(TABLE.replace("small", "").replace("large", "NA"))
        self.assertEqual(found["patients"], 2)
        self.assertIn('factor "size" has no value at any visit', str(found))

    def test_a_spread_without_values(self):
        table = re.sub(r"(wait|scan),[\d.]+,", r"\1,NA,", TABLE)
        text = study(score=('levels = ["low", "high"]\ncuts = [5]', "bins = { sd = 0.5 }"))
        self.assertIn('factor "score" has no value at any visit', str(self.read(table, text=text)))

    def test_names_no_patient(self):
        self.assertNotRegex(str(self.read(TABLE)), PATIENT)


if __name__ == "__main__":
    main()
