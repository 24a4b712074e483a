"""Random small data sets, what the program publishes of them, and the truth that must stay unknown."""
import csv
import io
import json
import pathlib
import random
import subprocess

STUDY = """
format = "interpole-study"
version = 1
states = ["well", "ill"]
[[actions]]
name = "wait"
[[actions]]
name = "mri"
[[actions]]
name = "pet"
[source]
tables = ["v"]
[record]
id = "id"
order = "t"
kind = "number"
[action]
column = "a"
[[factors]]
name = "score"
column = "score"
kind = "categorical"
levels = ["lo", "hi"]
[[factors]]
name = "scan"
column = "scan"
kind = "categorical"
levels = ["neg", "pos"]
yielded_by = ["mri"]
otherwise = "none"
[[factors]]
name = "tracer"
column = "tracer"
kind = "categorical"
levels = ["n", "p"]
yielded_by = ["pet"]
otherwise = "none"
[[covariates]]
name = "age"
sql = "AGE::DOUBLE"
[[covariates]]
name = "sex"
sql = "SEX"
[[covariates]]
name = "site"
sql = "SITE"
[group]
column = "SITE"
[filters]
minimum_visits = 2
"""

COLUMNS = ["id", "t", "a", "score", "scan", "tracer", "AGE", "SEX", "SITE"]
COHORTS = [[], ["sex = F", "sex = M", "site = a"], ["age > 60", "age > 65", "sex = F"],
           ["site = a", "site = b", "site = a or site = b", "sex = F and site = a"],
           ["sex = F", "sex = F and age > 60", "site = c and not age > 60"]]


def visits(rng, patients):
    """Rows of a table: patients with two to five visits, courses that follow illness, some values missing."""
    rare, tests = rng.random() * 0.3, 0.1 + 0.5 * rng.random()
    missing = rng.choice([0.0, 0.03, 0.15])
    sites = rng.choice([["a", "b"], ["a", "b", "c"], ["a", "b", "c", "d"]])
    for patient in range(patients):
        ill = rng.random() < 0.5
        covariates = [rng.randint(50, 80), "M" if rng.random() < rare else "F", rng.choice(sites)]
        covariates = ["" if rng.random() < missing else value for value in covariates[:2]] + covariates[2:]
        for t in range(rng.randint(2, 5) if rng.random() < 0.95 else 1):
            ill = ill or rng.random() < 0.15
            action = rng.choices(["wait", "mri", "pet"], [1 - tests, 0.8 * tests, 0.2 * tests])[0]
            told = {"mri": "pos" if rng.random() < (0.9 if ill else 0.1) else "neg", "pet": "p" if ill else "n"}
            yield [patient, t, action, "hi" if rng.random() < (0.7 if ill else 0.3) else "lo",
                   told["mri"] if action == "mri" else "", told["pet"] if action == "pet" else "", *covariates]


def table(rng, patients):
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(COLUMNS)
    writer.writerows(visits(rng, patients))
    return text.getvalue()


def model():
    """Well and ill, a score that tells little, an MRI that tells more and a PET that tells all but everything."""
    def chances(action, ill):
        scores = {"lo": 0.3, "hi": 0.7} if ill else {"lo": 0.7, "hi": 0.3}
        scans = {"none": 1.0} if action != "mri" else {"neg": 0.2, "pos": 0.8} if ill else {"neg": 0.8, "pos": 0.2}
        tracers = {"none": 1.0} if action != "pet" else {"n": 0.03, "p": 0.97} if ill else {"n": 0.97, "p": 0.03}
        return [scores[x] * scans.get(y, 0.0) * tracers.get(z, 0.0)
                for x in ("lo", "hi") for y in ("neg", "pos", "none") for z in ("n", "p", "none")]
    names = [f"{x} | {y} | {z}" for x in ("lo", "hi") for y in ("neg", "pos", "none") for z in ("n", "p", "none")]
    table = [[chances(action, ill) for ill in (False, True)] for action in ("wait", "mri", "pet")]
    return {"format": "interpole-model", "version": 1, "states": ["well", "ill"], "actions": ["wait", "mri", "pet"],
            "observations": names, "initial_belief": [0.6, 0.4], "transition": [[[0.9, 0.1], [0.02, 0.98]]] * 3,
            "observation": table,
            "outcomes": [[name for name, chance in zip(names, rows[0]) if chance > 0] for rows in table],
            "inverse_temperature": 6, "means": [[0.9, 0.1], [0.5, 0.5], [0.1, 0.9]]}


def asked(cohorts):
    return [word for cohort in cohorts for word in ("--cohort", cohort)]


class Refused(Exception):
    """The ledger would not have it."""


class Publisher:
    """Audits and reports random tables by one model. Without `ledger`, the second audit knows nothing of the first."""

    def __init__(self, program, folder, ledger=True):
        self.program, self.folder, self.ledger = program, pathlib.Path(folder), ledger
        (self.folder / "study.toml").write_text(STUDY)
        (self.folder / "model.json").write_text(json.dumps(model()))

    def run(self, *arguments):
        done = subprocess.run([self.program, *map(str, arguments), "--quiet", "--threads", "1"], cwd=self.folder,
                              capture_output=True, text=True, check=False)
        if done.returncode == 3 and "published before" in done.stderr:
            raise Refused(done.stderr)
        if done.returncode != 0:
            raise RuntimeError(f"{arguments}: {done.stderr}")
        return done.stdout

    def publish(self, seed, groups=False):
        """A dict: what is published (audit, more, page, text, groups), what is true (patients), min_cell. `more` is a second
        audit by other cohorts, `refused` its message if the ledger refused it; `groups` takes seconds."""
        rng = random.Random(seed)
        (self.folder / "v.csv").write_text(table(rng, rng.randint(30, 160)))
        (self.folder / "ledger.json").unlink(missing_ok=True)
        min_cell = rng.choice([3, 5, 8, 11])
        cohorts, others = rng.sample(COHORTS, 2)
        data = ["--study", "study.toml", "--data", "v.csv", "--min-cell", min_cell]
        kept = [*data, "--ledger", "ledger.json"]
        found = {"min_cell": min_cell, "refused": None, "more": None, "groups": None}
        found["audit"] = json.loads(self.run("audit", "--model", "model.json", *kept, *asked(cohorts), "--csv", "truth.csv", "--json"))
        self.run("report", "--model", "model.json", *kept, *asked(cohorts), *([] if groups else ["--without-groups"]),
                 "--payload", "page.json")
        found["page"] = json.loads((self.folder / "page.json").read_text())
        try:
            found["more"] = json.loads(self.run("audit", "--model", "model.json", *(kept if self.ledger else data),
                                                *asked(others), "--json"))
        except Refused as refusal:
            found["refused"] = str(refusal)
        if groups:
            found["groups"] = json.loads(self.run("groups", *kept, "--restarts", 1, "--policy", "belief", "--json"))
        self.run("write-up", "--model", "model.json", *data, "--output", "text.md")
        found["text"] = (self.folder / "text.md").read_text()
        found["patients"] = self.patients("truth.csv")
        found["in_table"] = len(set(row["id"] for row in self.patients("v.csv")))
        return found

    def patients(self, name):
        return list(csv.DictReader(io.StringIO((self.folder / name).read_text())))
