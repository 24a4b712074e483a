"""interpole report: what is in the file, what is not, and that nobody can be found in it."""
import base64
import csv
import gzip
import hashlib
import html
import io
import json
import re

from hostile_strings import HOSTILE
from program import ProgramTest, main

BLOCK = re.compile(r'(<script id="interpole-data" type="application/octet-stream">)([^<]*)(</script>)')
COUNTS = {"patients", "decisions", "histories", "visits", "total", "flagged"}


def payload_text(page):
    blocks = BLOCK.findall(page)
    assert len(blocks) == 1, "one block of data"
    assert re.fullmatch(r"[A-Za-z0-9+/]+=*", blocks[0][1])
    return gzip.decompress(base64.b64decode(blocks[0][1])).decode()


def refuse(token):
    raise AssertionError(f"{token} is not JSON")


def counts_in(value, key=None):
    """Every whole number that stands under the name of a count."""
    if isinstance(value, dict):
        for name, inner in value.items():
            yield from counts_in(inner, name)
    elif isinstance(value, list):
        for inner in value:
            yield from counts_in(inner, key)
    elif key in COUNTS and isinstance(value, int) and not isinstance(value, bool):
        yield key, value


class ReportTest(ProgramTest):
    def simulate(self, patients=200, seed=1):
        self.run_well("simulate", "bias", "--patients", patients, "--seed", seed, "--output", "visits.csv", "--truth",
                      "truth.json", "--quiet")
        return list(csv.DictReader(io.StringIO((self.folder / "visits.csv").read_text())))

    def write_rows(self, name, rows):
        text = io.StringIO()
        writer = csv.DictWriter(text, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)
        return self.write(name, text.getvalue())

    def report(self, *more, data="visits.csv", model="truth.json"):
        return self.run_well("report", "--model", model, "--data", data, "--output", "report.html", *more)

    def page(self):
        return (self.folder / "report.html").read_text()

    def payload(self):
        return json.loads(payload_text(self.page()), parse_constant=refuse)


class Privacy(ReportTest):
    def patients_with_secrets(self):
        """Identifiers, covariates and file names that can be recognised anywhere."""
        rows = self.simulate(patients=120)
        order = {}
        for row in rows:
            number = order.setdefault(row["patient"], len(order))
            row["patient"] = f"MRN-{70000 + 7 * number}"
            row["age"] = f"{50 + number / 3:.5f}"
            row["postcode"] = f"ZQ{number * 11:05d}"
            row["sex"] = "F" if number % 2 else "M"
        self.write_rows("jane-roe-ward-9.csv", rows)
        secrets = {row[key] for row in rows for key in ("patient", "age", "postcode")}
        return rows, secrets | {"jane-roe-ward-9"}

    def fit_secrets(self):
        self.run_well("fit", "--study", self.study("bias"), "--data", "jane-roe-ward-9.csv", "--output", "model.json",
                      "--restarts", 2, "--quiet")

    def test_nothing_of_a_single_patient_is_in_the_file(self):
        _, secrets = self.patients_with_secrets()
        self.fit_secrets()
        result = self.report("--cohort", "sex = F", "--cohort", "age > 70", data="jane-roe-ward-9.csv",
                             model="model.json")
        self.assertIn("120 patients under pseudonyms", result.stderr)
        self.assertRegex(result.stderr, r"\d+ kB")
        text = payload_text(self.page())
        for secret in secrets:
            self.assertNotIn(secret, text)
            self.assertNotIn(secret, BLOCK.sub("", self.page()))
        payload = self.payload()
        self.assertFalse(payload["individual"])
        for key in ("ids", "visits", "groups"):
            self.assertIsNone(payload["records"][key])
        self.assertEqual(set(payload["records"]), {"steps", "ids", "visits", "groups", "sampled"})
        self.assertEqual([row["name"] for row in payload["cohorts"]["rows"]], ["all patients", "sex = F", "age > 70"])
        self.assertIn("sha256", payload["check"]["provenance"]["data"])

    def test_individuals_only_on_request_and_with_a_warning(self):
        rows, _ = self.patients_with_secrets()
        self.fit_secrets()
        result = self.report("--allow-individual", data="jane-roe-ward-9.csv", model="model.json")
        self.assertIn("--allow-individual", result.stderr)
        payload = self.payload()
        self.assertTrue(payload["individual"])
        records = payload["records"]
        self.assertEqual(sorted(records["ids"]), sorted({row["patient"] for row in rows}))
        codes = {name: i for i, name in enumerate(payload["model"]["observations"])}
        actions = payload["model"]["actions"]
        for patient, steps, visits in zip(records["ids"], records["steps"], records["visits"]):
            own = [row for row in rows if row["patient"] == patient]
            self.assertEqual(steps, [actions.index(row["action"]) * 3 + codes.get(row["observation"], -1) + 1
                                     for row in own])
            self.assertEqual(visits, [row["step"] for row in own])
        self.assertEqual(payload["check"]["provenance"]["data"]["file"], "jane-roe-ward-9.csv")

    def test_the_order_of_records_does_not_depend_on_the_tables(self):
        rows, _ = self.patients_with_secrets()
        self.report("--payload", "first.json", "--cohort", "sex = F", data="jane-roe-ward-9.csv")
        first = (self.folder / "first.json").read_text()
        turned = sorted(rows, key=lambda row: (row["postcode"][::-1], int(row["step"])))
        self.assertNotEqual([row["patient"] for row in turned], [row["patient"] for row in rows])
        self.write_rows("turned.csv", turned)
        self.report("--payload", "turned.json", "--cohort", "sex = F", data="turned.csv")
        self.assertEqual((self.folder / "turned.json").read_text(), first)
        self.report("--payload", "seed.json", "--cohort", "sex = F", "--seed", 2, data="turned.csv")
        shuffled = json.loads((self.folder / "seed.json").read_text())["records"]["steps"]
        steps = json.loads(first)["records"]["steps"]
        self.assertNotEqual(shuffled, steps)
        self.assertEqual(sorted(shuffled), sorted(steps))
        self.assertNotEqual(steps, sorted(steps))

    def test_small_counts_are_nowhere(self):
        rows = self.simulate(patients=40)
        patients = list(dict.fromkeys(row["patient"] for row in rows))
        for row in rows:
            row["rare"] = "yes" if patients.index(row["patient"]) < 4 else "no"
        self.write_rows("visits.csv", rows)
        self.run_well("fit", "--study", self.study("bias"), "--data", "visits.csv", "--output", "model.json", "--restarts",
                      1, "--quiet")
        self.report("--cohort", "rare = yes", "--cohort", "rare = no", model="model.json")
        payload = self.payload()
        small = [count for count in counts_in(payload) if 0 < count[1] < 11]
        self.assertEqual(small, [])
        self.assertTrue(payload["cohorts"]["withheld"])
        self.assertEqual([row["patients"] for row in payload["cohorts"]["rows"]], [40, None, None])
        self.report("--cohort", "rare = yes", "--min-cell", 0, model="model.json")
        self.assertIn(("patients", 4), list(counts_in(self.payload())))

    def test_few_patients_are_not_counted_either(self):
        self.simulate(patients=5)
        self.run_well("fit", "--study", self.study("bias"), "--data", "visits.csv", "--output", "model.json", "--restarts",
                      1, "--quiet")
        self.report(model="model.json")
        payload = self.payload()
        self.assertIsNone(payload["counts"]["patients"])
        self.assertIsNone(payload["check"]["provenance"]["data"]["patients"])
        self.assertEqual([count for count in counts_in(payload) if 0 < count[1] < 11], [])


class Page(ReportTest):
    def test_policy_names_exactly_what_is_in_the_page(self):
        self.simulate(patients=50)
        self.report()
        page = self.page()
        policy = html.unescape(re.search(r'<meta http-equiv="Content-Security-Policy" content="([^"]*)"', page)[1])
        directives = {part.split()[0]: part.split()[1:] for part in policy.split("; ")}
        self.assertEqual(directives["default-src"], ["'none'"])
        self.assertEqual(directives["connect-src"], ["'none'"])
        for directive, element in (("script-src", r'<script type="module"[^>]*>(.*?)</script>'),
                                   ("style-src", r"<style[^>]*>(.*?)</style>")):
            bodies = re.findall(element, page, re.S)
            self.assertTrue(bodies)
            hashes = [f"'sha256-{base64.b64encode(hashlib.sha256(body.encode()).digest()).decode()}'" for body in bodies]
            self.assertEqual(directives[directive], hashes)
        self.assertLess(page.index("Content-Security-Policy"), page.index("<script"))

    def test_page_loads_nothing(self):
        self.simulate(patients=50)
        self.report()
        page = BLOCK.sub("", self.page())
        styles = "".join(re.findall(r"<style[^>]*>(.*?)</style>", page, re.S))
        self.assertNotRegex(styles, r"@import|url\((?!['\"]?(data:|#))")
        markup = re.sub(r"<(script|style)[^>]*>.*?</\1>", "", page, flags=re.S)
        self.assertNotRegex(markup, r"\b(src|href|srcset|action|poster)\s*=")
        self.assertNotRegex(re.sub(r"<script type=\"module\"[^>]*>.*?</script>", "", page, flags=re.S), r"https?://")

    def test_hostile_names_are_data_and_never_markup(self):
        self.assertGreaterEqual(len(set(HOSTILE)), 50)
        bare = None
        for begin in range(0, len(HOSTILE), 10):
            names = HOSTILE[begin:begin + 10]
            self.hostile_model(names)
            data = names[0].replace("/", "∕") + ".csv"
            self.write_rows(data, [{"patient": patient, "step": 1, "action": names[i % len(names)],
                                    "observation": names[(i + 1) % len(names)]} for i, patient in enumerate(HOSTILE)])
            self.report("--allow-individual", f"--title={names[-1]}", data="./" + data, model="hostile.json")
            payload = self.payload()
            for key in ("states", "actions", "observations"):
                self.assertEqual(payload["model"][key], names)
            self.assertEqual(sorted(payload["records"]["ids"]), sorted(HOSTILE))
            self.assertEqual(payload["title"], names[-1])
            # All that differs from one page to the next is base64.
            rest = BLOCK.sub(r"\1\3", self.page())
            bare = bare or rest
            self.assertEqual(rest, bare)
        self.assertFalse(list(self.folder.glob("hacked*")))

    def hostile_model(self, names):
        count = len(names)
        row = [1 / count] * count
        self.write("hostile.json", json.dumps({
            "format": "interpole-model", "version": 1, "states": names, "actions": names, "observations": names,
            "initial_belief": row, "transition": [[row] * count] * count, "observation": [[row] * count] * count,
            "inverse_temperature": 2, "means": [[float(s == a) for s in range(count)] for a in range(count)],
            "provenance": {"program": names[0], "data": {"file": names[-1]}}}))

    def test_same_seed_same_bytes_whatever_the_threads(self):
        self.simulate(patients=60)
        self.run_well("fit", "--study", self.study("bias"), "--data", "visits.csv", "--output", "model.json", "--restarts",
                      1, "--quiet")
        pages = []
        for threads in (1, 3):
            self.report("--threads", threads, model="model.json")
            pages.append(self.page())
        self.assertEqual(pages[0], pages[1])


class Contents(ReportTest):
    def test_two_hundred_thousand_visits_fit_into_five_megabytes(self):
        rows = self.simulate(patients=25300, seed=5)
        self.assertGreater(len(rows), 190_000)
        self.report()
        self.assertLess((self.folder / "report.html").stat().st_size, 5_000_000)
        payload = self.payload()
        self.assertEqual(sum(map(len, payload["records"]["steps"])), len(rows))
        self.assertFalse(payload["records"]["sampled"])

    def test_adni_sized_report_fits_into_six_hundred_kilobytes(self):
        study = self.study("adni/adnimerge")
        self.run_well("simulate", "adni", "--seed", 1, "--output", "adni.csv", "--quiet")
        self.run_well("fit", "--study", study, "--data", "adni.csv", "--output", "model.json", "--restarts", 3, "--quiet")
        self.report("--study", study, "--without-groups", data="adni.csv", model="model.json")
        self.assertLess((self.folder / "report.html").stat().st_size, 600_000)
        payload = self.payload()
        self.assertGreater(payload["counts"]["patients"], 1500)
        self.assertEqual(payload["title"], "ADNI")
        names = [row["name"] for row in payload["cohorts"]["rows"]]
        self.assertEqual(names[0], "all patients")
        self.assertIn("sex = Female", names)
        self.assertEqual(set(payload["examples"]), {"typical", "deteriorating", "belated", "valued"})
        self.assertEqual(len(payload["draws"]["numbers"]), 3 + 2 * 9 + 2 * 3 * 12 + 1 + 6)
        self.assertEqual({len(of_draws) for of_draws in payload["draws"]["numbers"]}, {200})
        self.assertTrue(1 <= len(payload["findings"]) <= 3)
        self.assertTrue(all(row["sentence"] for row in payload["bias"]["findings"]))
        self.assertEqual(payload["factors"]["names"], ["CDR-SB", "hippocampus"])

    def test_more_visits_than_wanted_give_a_random_part_of_the_patients(self):
        rows = self.simulate(patients=200)
        result = self.report("--most-visits", 300)
        self.assertIn("a random part", result.stderr)
        payload = self.payload()
        self.assertTrue(payload["records"]["sampled"])
        visits = sum(map(len, payload["records"]["steps"]))
        self.assertTrue(200 < visits <= 300)
        self.assertEqual(payload["counts"], {"patients": 200, "decisions": len(rows), "histories":
                                             payload["counts"]["histories"]})

    def test_groups_are_compared_and_placed(self):
        for name, seed, boundary in (("north", 1, 0.7), ("south", 2, 0.9)):
            self.run_well("simulate", "diag", "--patients", 60, "--seed", seed, "--boundary", boundary, "--output",
                          f"{name}.csv", "--quiet")
        study = self.study("two-sites")
        data = ("--data", "north=north.csv", "--data", "south=south.csv")
        self.run_well("fit", "--study", study, *data, "--output", "model.json", "--restarts", 2, "--quiet")
        self.run_well("report", "--study", study, "--model", "model.json", *data, "--payload", "data.json",
                      "--allow-individual")
        payload = json.loads((self.folder / "data.json").read_text())
        groups = payload["groups"]
        self.assertEqual(groups["groups"], [{"group": "north", "patients": 60}, {"group": "south", "patients": 60}])
        self.assertGreater(groups["log_bayes_factor"], 3.0)
        self.assertTrue(payload["findings"][0].startswith("Groups decide differently"))
        for patient, place in zip(payload["records"]["ids"], payload["records"]["groups"]):
            self.assertEqual(patient.split()[0], groups["groups"][place]["group"])
        self.run_well("report", "--study", study, "--model", "model.json", *data, "--payload", "data.json",
                      "--without-groups")
        self.assertIsNone(json.loads((self.folder / "data.json").read_text())["groups"])

    def test_a_comparison_of_learners_is_taken_over(self):
        self.simulate(patients=40)
        score = {"mean": 0.5, "standard_error": 0.1, "folds": [0.4, 0.6]}
        nothing = {"mean": None, "standard_error": None, "folds": []}
        row = {"learner": "bc", "log_loss": score, "brier": score, "auroc": nothing, "auprc": score}
        self.write("compare.json", json.dumps({"learners": [row]}))
        self.report("--compare", "compare.json")
        compared = self.payload()["check"]["comparison"]
        self.assertEqual(compared[0]["learner"], "bc")
        self.assertAlmostEqual(compared[0]["scores"]["brier"]["high"], 0.5 + 12.7062 * 0.1, places=5)
        self.assertEqual(compared[0]["scores"]["auroc"], {"value": None, "low": None, "high": None})
        self.write("compare.json", json.dumps({"learners": [{"learner": "bc"}]}))
        failed = self.run_program("report", "--model", "truth.json", "--data", "visits.csv", "--output", "x.html",
                                  "--compare", "compare.json")
        self.assertEqual(failed.returncode, 3)
        self.assertIn("compare.json: learners[0]", failed.stderr)
        self.assertFalse((self.folder / "x.html").exists())

    def test_a_model_without_uncertainty_is_shown_without_intervals(self):
        self.simulate(patients=40)
        self.report()
        payload = self.payload()
        self.assertIsNone(payload["draws"])
        self.assertIsNone(payload["bias"])
        self.assertTrue(all(b["estimate"] is None and b["present"] is None for b in payload["boundaries"]))
        self.assertAlmostEqual(payload["boundaries"][0]["position"], 0.1, places=12)
        truth = json.loads((self.folder / "truth.json").read_text())
        for key in ("initial_belief", "transition", "observation", "inverse_temperature", "means", "world"):
            self.assertEqual(payload["model"][key], truth[key])

    def test_says_what_is_missing(self):
        self.simulate(patients=10)
        failed = self.run_program("report", "--model", "truth.json", "--data", "visits.csv")
        self.assertEqual(failed.returncode, 2)
        self.assertIn("--output", failed.stderr)
        failed = self.run_program("report", "--model", "truth.json", "--data", "visits.csv", "--output", "r.html",
                                  "--min-cell=-1")
        self.assertEqual(failed.returncode, 2)


if __name__ == "__main__":
    main()
