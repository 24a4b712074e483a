"""The query that `study sql` prints, run where the rows are, and what `--counts` makes of its result."""
import csv
import json
import random
import re
import shutil

import sqlglot

from engines import Clickhouse, Duckdb, Postgres
from program import PROJECT, ProgramTest, main

FEW_STEPS = ("--restarts", 1, "--most-iterations", 30, "--quiet")

# Everything a mapping can say, on a table of random rows.
MAPPED = """
format = "interpole-study"
version = 1
states = ["well", "ill"]
[[actions]]
name = "wait"
[[actions]]
name = "test"
[source]
tables = ["rounds"]
missing = ["NA", "-4"]
[record]
id = "id"
order = "day"
kind = "number"
{record}
[action]
column = "act"
values = {{ "0" = "wait", "1" = "test" }}
[[factors]]
name = "pulse"
column = "pulse"
kind = "numeric"
levels = ["low", "mid", "high"]
cuts = [60, 90]
{seen}
[[factors]]
name = "culture"
column = "culture"
kind = "categorical"
levels = ["clean", "grown"]
values = {{ "-" = "clean", "+" = "grown" }}
yielded_by = ["test"]
[filters]
where = "ward <> 'pilot'"
required = ["pulse"]
minimum_visits = 2
drop_if_last = "ward = 'transfer'"
[[covariates]]
name = "over 65"
sql = "age::DOUBLE > 65"
[policy]
context = ["over 65"]
habit = false
lapse = false
time = false
missing = false
kinds = 1
"""


def without_file(model):
    """The bytes of a model file without what names the files that were read, and their digests."""
    text, found = re.subn(r'("data": \{).*?("patients")', r"\1\2", model.read_text(), flags=re.DOTALL)
    assert found == 1
    return text


class Engines:
    """Started once."""
    running = {}

    @classmethod
    def all(cls):
        if not cls.running:
            started = {"duckdb": Duckdb(PROJECT)}
            if Postgres.is_installed():
                started["postgres"] = Postgres()
            else:
                print("Postgres is not installed: queries are not run in it (scripts/setup test installs it)")
            if Clickhouse.is_installed():
                started["clickhouse"] = Clickhouse()
            else:
                print("INTERPOLE_CHDB does not name libchdb.so: queries are not run in ClickHouse")
            cls.running = started  # all or none: a test must not pass because one did not start
        return cls.running.values()

    @classmethod
    def close(cls):
        for engine in cls.running.values():
            engine.close()
        cls.running.clear()


def tearDownModule():  # pylint: disable=invalid-name
    Engines.close()


class WarehouseTest(ProgramTest):
    def query(self, study, dialect, *options):
        return self.run_well("study", "sql", study, "--dialect", dialect, *options).stdout

    def counts_in(self, engine, study, tables, *options, name="counts.csv"):
        for table, path in tables.items():
            engine.load(table, path)
        path = self.folder / name
        engine.counts(self.query(study, engine.name, *options), path)
        return path

    def simulate(self, environment, patients, seed=3):
        path = self.folder / f"{environment}.csv"
        self.run_well("simulate", environment, "--patients", patients, "--seed", seed, "--output", path, "--quiet")
        return path

    def fit(self, study, output, *data):
        self.run_well("fit", "--study", study, *data, "--output", output, *FEW_STEPS)
        return self.folder / output


class SameModel(WarehouseTest):
    """Model files from counts are those from rows, byte for byte but for the name and digest of the file. One engine's counts are
    fitted; the others' are the same counts, in whatever order."""

    @staticmethod
    def rows_of(counts):
        with open(counts, newline="", encoding="utf-8") as file:
            return sorted(sorted(row.items()) for row in csv.DictReader(file))

    def compare(self, study, tables, data, *options, engines=("duckdb", "postgres", "clickhouse")):
        rows = without_file(self.fit(study, "rows.json", *data))
        expected = None
        for engine in Engines.all():
            if engine.name not in engines:
                continue
            with self.subTest(engine=engine.name):
                counts = self.counts_in(engine, study, tables, *options)
                if expected is None:
                    expected = self.rows_of(counts)
                    self.assertGreater(len(expected), 1)
                    self.assertEqual(without_file(self.fit(study, "counts.json", "--counts", counts)), rows)
                self.assertEqual(self.rows_of(counts), expected)
        return rows

    def test_of_a_visits_table(self):
        """From every engine's counts, and from Parquet."""
        table = self.simulate("diag", 300)
        rows = self.compare(self.study("diag"), {"visits": table}, ("--data", table))
        for engine in Engines.all():
            for name in ["counts.csv"] + (["counts.parquet"] if engine.name == "duckdb" else []):
                with self.subTest(engine=engine.name, counts=name):
                    counts = self.counts_in(engine, self.study("diag"), {"visits": table}, name=name)
                    self.assertEqual(without_file(self.fit(self.study("diag"), "counts.json", "--counts", counts)), rows)

    def test_where_the_policy_may_follow_covariates(self):
        table = self.simulate("ward", 300)
        self.compare(self.study("ward"), {"visits": table}, ("--data", table))

    def test_where_an_empty_cell_is_an_outcome(self):
        study = self.folder / "lost.toml"
        text = self.study("ward").read_text(encoding="utf-8")
        listed = 'observations = ["normal", "abnormal"]'
        self.assertIn(listed, text)
        study.write_text(text.replace(listed, 'observations = ["normal", "abnormal", "lost"]\nnot_recorded = "lost"'),
                         encoding="utf-8")
        table = self.simulate("ward", 300)
        self.compare(study, {"visits": table}, ("--data", table), engines=("duckdb",))
        self.assertIn('"not_recorded": "lost"', (self.folder / "rows.json").read_text(encoding="utf-8"))

    def test_where_beliefs_may_start_apart(self):
        table = self.simulate("starts", 300)
        self.compare(self.study("starts"), {"visits": table}, ("--data", table))

    def test_of_adni(self):
        table = self.simulate("adni", 600)
        self.compare(PROJECT / "studies/adni/adnimerge.toml", {"adnimerge": table}, ("--data", table))

    def test_of_intensive_care(self):
        """Two tables and SQL of the study's own: DuckDB runs it, Postgres has a view in its place."""
        draw = random.Random(5)
        with open(self.folder / "steps.csv", "w", newline="", encoding="utf-8") as file:
            rows = csv.writer(file)
            rows.writerow(["id", "t", "a", "lactate_max", "map_min"])
            for stay in range(300):
                for t in range(draw.randint(2, 8)):
                    order = draw.random() < 0.3
                    rows.writerow([stay, t, int(order), round(draw.uniform(0.5, 6), 1) if order else "",
                                   draw.randint(50, 90) if draw.random() < 0.8 else ""])
        with open(self.folder / "stays.csv", "w", newline="", encoding="utf-8") as file:
            rows = csv.writer(file)
            rows.writerow(["id", "age", "sex", "icu_type", "sofa", "died_in_hospital"])
            for stay in range(300):
                rows.writerow([stay, draw.choice([40, 60, 80]), draw.choice("fm"), draw.randint(1, 4), draw.randint(-1, 15), 0])
        study = PROJECT / "studies/icu-lactate/icu-lactate.toml"
        tables = {name: self.folder / f"{name}.csv" for name in ("steps", "stays")}
        data = [word for name, path in tables.items() for word in ("--data", f"{name}={path}")]
        self.compare(study, tables, data, engines=("duckdb",))
        if not Postgres.is_installed():
            return
        self.refuse(("study", "sql", study, "--dialect", "postgres"), 3, "source.sql: it is DuckDB's SQL", "--table")
        postgres = next(engine for engine in Engines.all() if engine.name == "postgres")
        for table, path in tables.items():
            postgres.load(table, path)
        # No IGNORE NULLS there: the last known value is the one of the last row that has one.
        postgres.run("-c", """CREATE VIEW windows AS
            SELECT id, t, a, lactate_max, coalesce(map_min, max(map_min) OVER (PARTITION BY id, known), '70') AS map_min,
                   CAST(age AS DOUBLE PRECISION) AS age, sex, icu_type
            FROM (SELECT *, count(map_min) OVER (PARTITION BY id ORDER BY CAST(t AS INTEGER)) AS known FROM steps) AS s
                 LEFT JOIN stays USING (id)""")
        counts = self.folder / "view.csv"
        postgres.counts(self.query(study, "postgres", "--table", "windows"), counts)
        self.assertEqual(without_file(self.fit(study, "counts.json", "--counts", counts)),
                         without_file(self.folder / "rows.json"))

    def random_rounds(self):
        draw = random.Random(11)
        path = self.folder / "rounds.csv"
        with open(path, "w", newline="", encoding="utf-8") as file:
            rows = csv.writer(file)
            rows.writerow(["id", "day", "act", "pulse", "culture", "ward", "age"])
            lines = []
            for patient in range(400):
                day = draw.choice([0, 0, 0, -2, 1])
                age = draw.choice(["40", "66.5", "80", ""])
                for _ in range(draw.randint(1, 7)):
                    act = draw.randint(0, 1)
                    lines.append([draw.choice([patient, f" {patient} "]), day, act,
                                  draw.choice(["50", "60", "75.5", "90", "120", "NA", "-4", "", " "]),
                                  draw.choice(["-", "+", "", "NA"]), draw.choice(["A", "A", "A", "transfer", "pilot"]), age])
                    day += draw.choice([1, 1, 1, 1.5, 3])
            draw.shuffle(lines)
            rows.writerows(lines)
        return path

    def test_of_every_rule_of_a_mapping(self):
        table = self.random_rounds()
        for record in ('spacing = 1\nfirst = 0', 'spacing = 1\ntolerance = 0.5\ngaps = "drop"', 'spacing = 1\ngaps = "keep"', ""):
            for seen in ('seen = "before"', ""):
                with self.subTest(record=record, seen=seen):
                    study = self.write("rounds.toml", MAPPED.format(record=record, seen=seen))
                    self.compare(study, {"rounds": table}, ("--data", table))


class Problems(WarehouseTest):
    """What rows would be refused for is counted by the query, and reading its result is an error."""

    def refuse_rows(self, study, table, header, rows, *parts):
        path = self.write(f"{table}.csv", header + "\n" + "\n".join(rows) + "\n")
        for engine in Engines.all():
            with self.subTest(engine=engine.name, rows=rows):
                counts = self.counts_in(engine, study, {table: path})
                self.refuse(("fit", "--study", study, "--counts", counts, "--output", "m.json"), 3, counts.name, "row ",
                            *parts)
                self.assertFalse((self.folder / "m.json").exists())

    def test_of_a_visits_table(self):
        good = ["a,1,monitor,negative", "a,2,declare-healthy,"]
        for rows, words in ((["b,1,monitor,positive", "b,1,monitor,negative"], "1 record with two rows at the same step"),
                            (["b,1,watch,positive"], "an action that is not the study's"),
                            (["b,1,monitor,maybe"], "an observation that is not the study's"),
                            (["b,1,declare-healthy,positive"], "an observation that its action cannot yield"),
                            (["b,1,declare-healthy,", "b,2,monitor,negative"], "a step after an action that ends the record"),
                            ([",1,monitor,negative"], "no patient"),
                            (["b,,monitor,negative"], "a row without a step")):
            self.refuse_rows(self.study("diag"), "visits", "patient,step,action,observation", good + rows, words)

    def test_of_a_covariate_with_two_values(self):
        study = self.write("two.toml", self.study("diag").read_text() + '\n[policy]\ncontext = ["sex"]\n')
        self.refuse_rows(study, "visits", "patient,step,action,observation,sex",
                         ["a,1,monitor,negative,f", "a,2,monitor,negative,m"], 'two values of')

    def test_of_a_mapped_table(self):
        study = self.write("rounds.toml", MAPPED.format(record="", seen=""))
        good = ["a,1,0,50,,A,50", "a,2,1,50,+,A,50"]
        for rows, words in ((["b,1,0,50,,A,50", "b,1,1,60,-,A,50"], "two rows of one visit"),
                            (["b,x,0,50,,A,50"], "a day that is no number"),
                            (["b,1,7,50,,A,50"], "a act that is no action of the study"),
                            (["b,1,,50,,A,50"], "no act (action)"),
                            (["b,1,0,fast,,A,50"], "a pulse that is no number of the study"),
                            (["b,1,1,50,?,A,50"], "a culture that is no level of the study")):
            self.refuse_rows(study, "rounds", "id,day,act,pulse,culture,ward,age", good + rows, words)


class RareSequences(WarehouseTest):
    def test_are_left_out_and_counted(self):
        table = self.simulate("diag", 400)
        study = self.study("diag")
        for engine in Engines.all():
            with self.subTest(engine=engine.name):
                every = self.read(self.counts_in(engine, study, {"visits": table}))
                few = self.read(self.counts_in(engine, study, {"visits": table}, "--min-cell", 5))
                rare = {sequence: n for sequence, n in every.items() if n < 5}
                self.assertGreater(len(rare), 10)
                expected = {sequence: n for sequence, n in every.items() if n >= 5}
                expected[f"rare {len(rare)}"] = sum(rare.values())
                self.assertEqual(few, expected)
                result = self.run_well("fit", "--study", study, "--counts", "counts.csv", "--output", "m.json",
                                       "--restarts", 1, "--most-iterations", 5)
                self.assertIn(f"{sum(rare.values())} records", result.stderr)
                self.assertIn("rare sequences were left out", result.stderr)

    def test_are_told_apart_by_covariates(self):
        table = self.simulate("ward", 300)
        for engine in Engines.all():
            with self.subTest(engine=engine.name):
                counts = self.counts_in(engine, self.study("ward"), {"visits": table}, "--min-cell", 3)
                with open(counts, newline="", encoding="utf-8") as file:
                    rows = list(csv.DictReader(file))
                self.assertEqual(sum(int(row["records"]) for row in rows), 300)
                self.assertEqual(len([row for row in rows if row["sequence"].startswith("rare ")]), 1)
                self.assertTrue(all(int(row["records"]) >= 3 for row in rows if not row["sequence"].startswith("rare ")))

    @staticmethod
    def read(path):
        with open(path, newline="", encoding="utf-8") as file:
            return {row["sequence"]: int(row["records"]) for row in csv.DictReader(file)}


class Verbs(WarehouseTest):
    """Every verb that takes --counts says of them what it says of the rows."""

    def setUp(self):
        super().setUp()
        self.table = self.simulate("bias", 300)
        engine = next(iter(Engines.all()))
        self.counts_in(engine, self.study("bias"), {"visits": self.table})
        self.fit(self.study("bias"), "m.json", "--data", self.table)

    def shuffled(self):
        header, *rows = (self.folder / "counts.csv").read_text().splitlines()
        random.Random(2).shuffle(rows)
        return self.write("shuffled.csv", "\n".join([header, *rows]) + "\n")

    def test_evaluate_bias_and_report(self):
        for verb, options in (("evaluate", ("--bootstrap", 20)), ("bias", ())):
            rows = self.run_json(verb, "--model", "m.json", "--data", self.table, *options)
            counts = self.run_json(verb, "--model", "m.json", "--counts", "counts.csv", *options)
            for json_of in (rows, counts):
                for key in ("checks", "misfit", "verdict", "reasons", "sentences", "tempered_log_bayes_factor"):
                    json_of.pop(key, None)  # counts have no order of records, so one check cannot be made
            self.assertEqual(rows, counts, verb)
        self.run_well("report", "--model", "m.json", "--counts", "counts.csv", "--payload", "p.json", "--output", "r.html")
        self.run_well("report", "--model", "m.json", "--data", self.table, "--payload", "q.json")
        counts, rows = (json.loads((self.folder / name).read_text()) for name in ("p.json", "q.json"))
        self.assertEqual(counts["records"], rows["records"])
        self.assertEqual(counts["counts"], rows["counts"])
        self.refuse(("report", "--model", "m.json", "--counts", "counts.csv", "--output", "x.html", "--allow-individual"), 2,
                    "--allow-individual", "counts name no patients")
        self.refuse(("evaluate", "--model", "m.json", "--counts", "counts.csv", "--visits", "v.csv"), 2, "--visits")

    def test_check_makes_every_check_but_that_of_order(self):
        names = [{check["name"] for check in self.run_json("check", "--model", "m.json", *data)["checks"]}
                 for data in (("--data", self.table), ("--counts", "counts.csv"))]
        self.assertLessEqual(names[1], names[0])
        self.assertLessEqual(len(names[0] - names[1]), 1, names[0] - names[1])

    def test_sample_draws_the_same(self):
        options = ("--draws", 20, "--warm-up", 40, "--chains", 2, "--restarts", 1, "--quiet")
        self.run_well("sample", "--study", self.study("bias"), "--data", self.table, "--output", "a.csv", *options)
        self.run_well("sample", "--study", self.study("bias"), "--counts", "counts.csv", "--output", "b.csv", *options)
        self.assertEqual((self.folder / "a.csv").read_bytes(), (self.folder / "b.csv").read_bytes())

    def test_compare_deals_folds_whatever_the_order_of_rows(self):
        def scores(counts):
            result = self.run_json("compare", "--study", self.study("bias"), "--counts", counts, "--learners", "bc,majority",
                                   "--folds", 3)
            for row in result["learners"]:
                del row["seconds"]
            return result
        first = scores("counts.csv")
        self.assertEqual(first["patients"], 300)
        self.assertEqual(first, scores(self.shuffled()))

    def test_the_next_command_takes_counts_too(self):
        result = self.run_well("check", "--model", "m.json", "--counts", "counts.csv")
        self.assertIn("next: interpole bias --model m.json --counts counts.csv", result.stderr)
        self.assertNotIn("next:", self.run_well("bias", "--model", "m.json", "--counts", "counts.csv").stderr)

    def test_one_of_data_and_counts_is_asked_for(self):
        self.refuse(("fit", "--study", self.study("bias"), "--output", "x.json"), 2, "--data or --counts")
        self.refuse(("fit", "--study", self.study("bias"), "--data", self.table, "--counts", "counts.csv", "--output", "x.json"),
                    2, "--counts")

    def test_bad_counts_are_refused(self):
        header, row, *rest = (self.folder / "counts.csv").read_text().splitlines()
        sequence, records, key = row.split(",")
        for bad, words in ((f"{sequence},-{records},{key}", "is not a count of records"),
                           (f"{sequence} 99,{records},{key}", "is not a code of this study"),
                           (f"{row}\n{row}", "was already in row 2"),
                           (f"{sequence},{records},0123", "is not the key of this study")):
            self.write("bad.csv", "\n".join([header, bad, *rest]) + "\n")
            self.refuse(("evaluate", "--model", "m.json", "--counts", "bad.csv"), 3, "bad.csv: row ", words)

    def test_an_impossible_outcome_names_the_row(self):
        study = self.write("never.toml", self.study("bias").read_text().replace("[known]", "[known]\nobservation.monitor = "
                                                                               "[[1.0, 0.0], [1.0, 0.0]]", 1))
        result = self.run_program("fit", "--study", study, "--counts", "counts.csv", "--output", "x.json")
        self.assertEqual(result.returncode, 3, result.stderr)
        self.assertRegex(result.stderr, r"counts.csv: row \d+, step \d+: the study's known values call")


class Dialects(WarehouseTest):
    def test_are_parsed(self):
        """Those that are not run anywhere; DuckDB and Postgres run theirs above."""
        study = self.write("rounds.toml", MAPPED.format(record='spacing = 1\nfirst = 0', seen='seen = "before"'))
        studies = [self.study(name) for name in ("diag", "ward", "starts")] + [PROJECT / "studies/adni/adnimerge.toml", study]
        for dialect in ("postgres", "spark", "bigquery", "snowflake", "trino", "clickhouse"):
            for study in studies:
                for options in ((), ("--min-cell", 11)):
                    with self.subTest(dialect=dialect, study=study.name, options=options):
                        text = self.query(study, dialect, *options)
                        parsed = sqlglot.parse(text, read=dialect, error_level=sqlglot.ErrorLevel.RAISE)
                        self.assertEqual(len(parsed), 1)
                        self.assertEqual([column.alias for column in parsed[0].expressions][:3],
                                         ["sequence", "records", "study_key"])

    def test_goes_to_a_file_if_asked(self):
        text = self.query(self.study("diag"), "trino", "--table", "lake.clinic.visits")
        self.assertIn("FROM lake.clinic.visits", text)
        self.run_well("study", "sql", self.study("diag"), "--dialect", "trino", "--table", "lake.clinic.visits", "--output", "q.sql")
        self.assertEqual((self.folder / "q.sql").read_text(), text)
        self.assertEqual(self.run_json("study", "sql", self.study("diag"), "--dialect", "trino", "--table", "lake.clinic.visits"),
                         {"output": "", "dialect": "trino", "sql": text})
        self.refuse(("study", "sql", self.study("diag"), "--dialect", "mysql"), 2, "--dialect", "duckdb, postgres")
        shutil.copy(self.study("diag"), self.folder / "own.toml")
        self.refuse(("study", "sql", "own.toml", "--dialect", "trino", "--output", "own.toml"), 2, "own.toml")


class Parts(WarehouseTest):
    def test_hold_the_whole_table(self):
        for environment in ("diag", "adni"):
            with self.subTest(environment=environment):
                whole = self.simulate(environment, 300).read_text().splitlines()
                result = self.run_well("simulate", environment, "--patients", 300, "--seed", 3, "--rows-per-file", 700,
                                       "--output", f"part_{environment}.csv")
                parts = sorted(self.folder.glob(f"part_{environment}-*.csv"))
                self.assertGreater(len(parts), 1)
                self.assertIn(f"{len(whole) - 1}", result.stderr)
                lines = [path.read_text().splitlines() for path in parts]
                self.assertTrue(all(part[0] == whole[0] for part in lines))
                self.assertEqual([line for part in lines for line in part[1:]], whole[1:])
                self.assertTrue(all(len(part) <= 701 for part in lines))
                self.refuse(("simulate", environment, "--rows-per-file", 700, "--output", f"part_{environment}.csv"), 1,
                            "parts of an earlier table")
        self.refuse(("simulate", "diag", "--rows-per-file", 10), 2, "--rows-per-file")


if __name__ == "__main__":
    main()
