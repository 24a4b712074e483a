"""Visits at irregular times: rates and their recovery, beliefs between visits, and times that cannot be."""
import csv
import json

import program
from program import ProgramTest

STUDY = """
format = "interpole-study"
version = 1
states = ["well", "ill"]
observations = ["low", "high"]
[[actions]]
name = "see"
[[actions]]
name = "refer"
terminal = true
"""
VISITS = "patient,step,time,action,observation\np,1,0,see,low\np,2,2.5,see,high\np,3,9,refer,\n"
MAPPED = STUDY.replace('observations = ["low", "high"]\n', "") + """
[source]
tables = ["visits"]
[record]
id = "id"
order = "n"
kind = "number"
{record}
[action]
column = "done"
[[factors]]
name = "level"
column = "level"
kind = "categorical"
levels = ["low", "high"]
"""


class Time(ProgramTest):
    def fit_clinic(self, *more, patients=1500):
        self.run_well("simulate", "clinic", "--patients", patients, "--seed", 3, "--output", "visits.csv", "--truth", "truth.json", "--quiet")
        return self.run_json("fit", "--study", self.study("clinic"), "--data", "visits.csv", "--output", "model.json", "--policy",
                             "belief", "--restarts", 2, *more)

    def rows(self, name):
        with open(self.folder / name, encoding="utf-8", newline="") as file:
            return list(csv.DictReader(file))

    def given(self):
        return "--study", self.study("clinic"), "--model", "model.json", "--data", "visits.csv"

    def test_rates_of_agent_and_world_are_found_again(self):
        self.fit_clinic()
        model = json.loads((self.folder / "model.json").read_text(encoding="utf-8"))
        self.assertEqual(model["version"], 4)
        self.assertEqual(model["time"]["unit"], "days")
        self.assertAlmostEqual(model["rates"][0][0][1], 0.01, delta=0.004)
        self.assertAlmostEqual(model["world"]["rates"][0][0][1], 0.03, delta=0.006)
        for block in model, model["world"]:
            for row in block["rates"][0]:
                self.assertAlmostEqual(sum(row), 0.0, places=12)
        audit = self.run_json("bias", *self.given())
        self.assertEqual(audit["verdict"], "difference")
        found = {row["parameter"]: row for row in audit["parameters"]}
        self.assertTrue(found["transition[see,quiet,flare]"]["flagged"])
        self.assertTrue(any("days after \"see\"" in sentence for sentence in audit["sentences"]), audit["sentences"])
        score = self.run_json("evaluate", *self.given(), "--truth", "truth.json")
        self.assertLess(score["belief_mismatch"]["value"] if isinstance(score["belief_mismatch"], dict) else score["belief_mismatch"], 2e-3)
        self.run_well("check", *self.given())
        self.run_well("explain", *self.given(), "--patient", "p000001")

    def test_beliefs_between_visits_begin_with_those_at_visits(self):
        self.fit_clinic("--dynamics", "shared", patients=200)
        self.run_well("beliefs", *self.given(), "--output", "at_visits.csv", "--quiet")
        self.run_well("beliefs", *self.given(), "--at", "0,3.5,7,1000", "--output", "between.csv", "--quiet")
        rows = {name: self.rows(name) for name in ("at_visits.csv", "between.csv")}
        starts = {row["patient"]: row["belief:flare"] for row in rows["at_visits.csv"] if row["step"] == "1"}
        times = {row["patient"]: {} for row in rows["between.csv"]}
        for row in rows["between.csv"]:
            self.assertAlmostEqual(float(row["belief:flare"]) + float(row["belief:quiet"]), 1.0, places=12)
            times[row["patient"]][float(row["time"])] = row["belief:flare"]
        self.assertEqual({patient: at[0.0] for patient, at in times.items()}, starts)
        # A visit on day 7 after the first: the belief before its decision.
        visits = self.rows("visits.csv")
        second = {(row["patient"], row["step"]): row["belief:flare"] for row in rows["at_visits.csv"]}
        on_seven = [row for row in visits if row["time"] == "7"]
        self.assertTrue(on_seven)
        for row in on_seven:
            self.assertEqual(times[row["patient"]][7.0], second[row["patient"], row["step"]])
        self.refuse(("beliefs", *self.given(), "--at", "-1"), 2, "is before the first visit")

    def test_draws_are_of_these_rates(self):
        self.fit_clinic("--dynamics", "shared", patients=150)
        self.run_well("sample", "--study", self.study("clinic"), "--data", "visits.csv", "--dynamics", "shared", "--policy", "belief",
                      "--draws", 40, "--warm-up", 60, "--chains", 1, "--seed", 1, "--output", "draws.csv", "--quiet")
        header = (self.folder / "draws.csv").read_text(encoding="utf-8").splitlines()[0]
        self.assertIn("transition[see,quiet,flare]", header)

    def test_steps_are_fitted_where_the_study_says_so(self):
        self.write("weeks.toml", STUDY + '[record]\ntime = "time"\nunit = "days"\nsteps = 7\nwait = "see"\n')
        self.write("visits.csv", VISITS.replace("2.5", "7").replace(",9,", ",28,"))
        self.run_well("fit", "--study", "weeks.toml", "--data", "visits.csv", "--output", "weeks.json", "--policy", "belief",
                      "--dynamics", "shared", "--quiet")
        model = json.loads((self.folder / "weeks.json").read_text(encoding="utf-8"))
        self.assertEqual(model["time"], {"unit": "days", "step": 7, "wait": "see"})
        self.assertIn("transition", model)
        self.write("visits.csv", VISITS)
        self.refuse(("fit", "--study", "weeks.toml", "--data", "visits.csv", "--output", "weeks.json"), 3, "row 3",
                    "no whole multiple of 7")

    def test_times_that_cannot_be_are_refused_with_their_row(self):
        self.write("study.toml", STUDY + '[record]\ntime = "time"\nunit = "days"\n')
        for cell, words in (("-1", "time goes backwards"), ("0", "no time passes"), ("", "the cell is empty"),
                            ("soon", '"soon" is not a finite number'), ("inf", "is not a finite number"), ("1e999", "not a finite number")):
            self.write("visits.csv", VISITS.replace("2.5", cell))
            self.refuse(("fit", "--study", "study.toml", "--data", "visits.csv", "--output", "m.json"), 3, "visits.csv: row 3: column time", words)
        self.write("visits.csv", VISITS.replace(",time,", ",when,"))
        self.refuse(("fit", "--study", "study.toml", "--data", "visits.csv", "--output", "m.json"), 3, 'column "time" is missing')

    def test_studies_say_what_is_wrong_with_their_time(self):
        self.write("visits.csv", VISITS)
        for record, words in (('time = "time"', "unit"), ('time = "time"\nunit = "fortnights"', "fortnights"),
                              ('time = "day"\nunit = "days"', "a column of that name"),
                              ('time = "time"\nunit = "days"\nsteps = 7', "wait"),
                              ('time = "time"\nunit = "days"\nsteps = 7\nwait = "refer"', "terminal"),
                              ('time = "time"\nunit = "days"\ntypical = 0', "typical"),
                              ('time = "time"\nunit = "days"\nid = "patient"', "id")):
            self.write("study.toml", STUDY + "[record]\n" + record + "\n")
            self.refuse(("fit", "--study", "study.toml", "--data", "visits.csv", "--output", "m.json"), 3, "study.toml", words)
        timed = STUDY + '[record]\ntime = "time"\nunit = "days"\n[known]\n'
        for known, words in (("transition.see = [[0.9, 0.1], [0, 1]]", "rates.see"), ("rates.see = [[-1, 1], [-2, 2]]", "is negative"),
                             ("rates.see = [[3, 1], [0, 0]]", "on the diagonal"), ("rates.look = [[0, 0], [0, 0]]", "is not an action")):
            self.write("study.toml", timed + known + "\n")
            self.refuse(("fit", "--study", "study.toml", "--data", "visits.csv", "--output", "m.json"), 3, "study.toml", words)

    def test_known_rates_are_held_in_the_unit_whatever_the_gaps(self):
        self.write("study.toml", STUDY + '[record]\ntime = "time"\nunit = "days"\n[known]\nrates.see = [["?", 0.2], [0, "?"]]\n')
        self.write("visits.csv", VISITS)
        self.run_well("fit", "--study", "study.toml", "--data", "visits.csv", "--output", "m.json", "--policy", "belief",
                      "--dynamics", "shared", "--quiet")
        rates = json.loads((self.folder / "m.json").read_text(encoding="utf-8"))["rates"][0]
        self.assertAlmostEqual(rates[0][1], 0.2, places=12)
        self.assertEqual(rates[1], [0, 0])

    def test_dates_of_a_mapped_table_are_times_and_gaps_no_longer_cut(self):
        record = 'spacing = 1\ntime = "day"\nunit = "weeks"\nseen = "before"'
        self.write("study.toml", MAPPED.format(record=record))
        self.write("table.csv", "id,n,day,done,level\n1,1,2020-01-01,see,low\n1,2,2020-01-08,see,low\n1,5,2020-01-29,see,high\n")
        check = self.run_json("study", "check", "study.toml", "--data", "table.csv")
        self.assertEqual(check["attrition"]["rows_kept"], 3)
        self.assertEqual(check["gaps"], {"unit": "weeks", "quantiles": {"5%": 1, "50%": 1, "95%": 3}})
        self.assertRegex(self.run_well("study", "check", "study.toml", "--data", "table.csv").stdout, r"weeks +median 1, 90% from 1 to 3")
        self.run_well("fit", "--study", "study.toml", "--data", "table.csv", "--output", "m.json", "--policy", "belief", "--dynamics",
                      "shared", "--quiet")
        self.assertEqual(json.loads((self.folder / "m.json").read_text(encoding="utf-8"))["time"], {"unit": "weeks", "typical_gap": 1})
        self.write("study.toml", MAPPED.format(record=record + '\ngaps = "cut"'))
        check = self.run_json("study", "check", "study.toml", "--data", "table.csv")
        self.assertEqual(check["attrition"]["rows_kept"], 2)
        for cell, words in (("2020-01-01", "no time passes"), ("2019-12-31", "time goes backwards"), ("", "the cell is empty"),
                            ("later", "neither a finite number nor a date")):
            self.write("table.csv", f"id,n,day,done,level\n1,1,2020-01-01,see,low\n1,2,{cell},see,low\n")
            self.refuse(("fit", "--study", "study.toml", "--data", "table.csv", "--output", "m.json"), 3, "row 3", "column day", words)

    def test_visits_too_soon_are_counted_beside_those_too_late(self):
        self.write("study.toml", MAPPED.format(record="spacing = 2\ntolerance = 0.5"))
        self.write("table.csv", "id,n,day,done,level\n1,1,,see,low\n1,2,,see,low\n1,4,,see,low\n1,9,,see,high\n")
        kept = self.run_json("study", "check", "study.toml", "--data", "table.csv")["attrition"]
        self.assertEqual((kept["rows_kept"], kept["rows_too_soon"], kept["patients_too_soon"]), (3, 1, 1))
        said = self.run_well("study", "check", "study.toml", "--data", "table.csv")
        self.assertRegex(said.stdout, r"of these too soon +1 +1")

    def test_every_figure_and_the_report_show_visits_with_times(self):
        self.fit_clinic(patients=150)
        for figure in ("policy", "trajectory", "figure4", "beliefs", "bias", "densities"):
            self.run_well("plot", figure, *self.given(), "--output", f"{figure}.svg")
        said = self.run_well("report", *self.given(), "--output", "r.html", "--payload", "p.json")
        self.assertIn("next: interpole serve", said.stderr)
        page = json.loads((self.folder / "p.json").read_text(encoding="utf-8"))
        self.assertEqual(page["model"]["time"], {"unit": "days", "rule": "rates", "typical": 10, "wait": None})
        gaps = [gap for of_record in page["records"]["gaps"] for gap in of_record]
        self.assertEqual({3, 7, 10, 14, 28, 45}, set(gaps))
        self.assertEqual([len(steps) - 1 for steps in page["records"]["steps"]], [len(of) for of in page["records"]["gaps"]])
        # Times of day tell people apart, and hardly change what is believed.
        rows = self.rows("visits.csv")
        with open(self.folder / "visits.csv", "w", encoding="utf-8", newline="") as file:
            writer = csv.DictWriter(file, rows[0])
            writer.writeheader()
            for number, row in enumerate(rows):
                writer.writerow({**row, "time": float(row["time"]) + 0.3 * ((number * 37) % 101) / 101})
        self.run_well("report", *self.given(), "--output", "r.html", "--payload", "p.json", "--quiet")
        page = json.loads((self.folder / "p.json").read_text(encoding="utf-8"))
        self.assertTrue(all(2 * gap == int(2 * gap) for of in page["records"]["gaps"] for gap in of))

    def test_the_audit_knows_when_visits_happened(self):
        self.fit_clinic("--dynamics", "shared", patients=150)
        audit = self.run_json("audit", *self.given(), "--csv", "audit.csv")
        self.assertGreater(audit["rules"]["least_significant_move"], 0)
        self.assertEqual(len(self.rows("audit.csv")), 150)
        self.assertIn("next: interpole report", self.run_well("audit", *self.given()).stderr)

    def test_policies_are_compared_with_the_gaps_that_they_were_fitted_to(self):
        self.fit_clinic("--dynamics", "shared", patients=300)
        own = self.run_json("evaluate", *self.given())["log_loss"]
        own = own["value"] if isinstance(own, dict) else own
        compared = self.run_json("compare", "--study", self.study("clinic"), "--data", "visits.csv", "--learners", "interpole-shared", "--folds", 2)
        self.assertAlmostEqual(compared["learners"][0]["log_loss"]["mean"], own, delta=0.05)

    def test_groups_with_times_are_compared(self):
        self.write("study.toml", MAPPED.format(record='time = "day"\nunit = "days"\nseen = "before"') + '[group]\ncolumn = "site"\n')
        rows = ["id,n,day,done,level,site"]
        for patient in range(60):
            day = 0
            for visit in range(4):
                ill = (patient * 7 + visit * 3) % 5 < 2
                acted = "wait" if ill == (patient % 2 == 0) else "see"
                rows.append(f"{patient},{visit},{day},{acted},{'high' if ill else 'low'},{'north' if patient % 2 else 'south'}")
                day += 3 + (patient + visit) % 9
        self.write("table.csv", "\n".join(rows) + "\n")
        text = (self.folder / "study.toml").read_text(encoding="utf-8").replace('name = "refer"\nterminal = true', 'name = "wait"')
        self.write("study.toml", text)
        found = self.run_json("groups", "--study", "study.toml", "--data", "table.csv", "--dynamics", "shared", "--restarts", 1)
        self.assertEqual({group["group"] for group in found["groups"]}, {"north", "south"})

    def test_what_has_no_place_for_gaps_says_so(self):
        self.fit_clinic("--dynamics", "shared", patients=100)
        for words in (("plot", "tree", *self.given(), "--output", "p.svg"), ("export", "--model", "model.json", "--output", "p.pomdp")):
            self.refuse(words, 3, "visits have times (in days)", "report, explain and the other figures show this model")
        self.assertIn("next: interpole check", self.run_well("evaluate", *self.given()).stderr)
        self.assertIn("next: interpole bias", self.run_well("check", *self.given()).stderr)
        said = self.run_well("compare", "--study", self.study("clinic"), "--data", "visits.csv", "--learners", "bc,majority", "--folds", 2)
        self.assertIn("bc: this learner takes one visit like another", said.stderr)
        self.refuse(("study", "sql", self.study("clinic"), "--dialect", "duckdb"), 3)


if __name__ == "__main__":
    program.main()
