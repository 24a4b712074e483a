"""Tables as people have them: a simulated clinic, written in twenty shapes, and tables whose rows are read one way or the other.

    python3 tests/people_tables.py FOLDER     writes the twenty tables, one file each
"""

import datetime
import gzip
import json
import math
import pathlib
import random
import sys


class Clinic:
    """Patients who are well or ill, a marker that follows it, and doctors who act on what they believe.

    `seen`: "before": the marker of a row led to its action; "after": it came of the action, which is what a visits table holds.
    """

    def __init__(self, seed, patients=150, visits=(4, 9), seen="before", apart=2.0, stay=0.85, sharp=6.0, effect=0.35,
                 actions=("wait", "treat"), noise=1.0, starts=0.4, moves=0.0):
        rng = random.Random(seed)
        self.records = []
        for patient in range(patients):
            ill = rng.random() < starts
            belief = starts
            rows = []
            for visit in range(rng.randint(*visits)):
                def observe():
                    nonlocal belief
                    x = rng.gauss(apart if ill else 0.0, noise)
                    ratio = math.exp((apart * x - apart * apart / 2) / noise ** 2)
                    belief = belief * ratio / (belief * ratio + 1 - belief)
                    return x

                def act():
                    cuts = [(k + 1) / len(actions) for k in range(len(actions) - 1)]
                    scores = [0.0]
                    for cut in cuts:
                        scores.append(scores[-1] + sharp * (belief - cut))
                    weights = [math.exp(s) for s in scores]
                    return rng.choices(range(len(actions)), weights)[0]

                def evolve(action):
                    nonlocal ill, belief
                    cured = effect * action / (len(actions) - 1)
                    to_ill = 1 - stay
                    stay_ill = stay * (1 - cured)
                    belief = belief * stay_ill + (1 - belief) * to_ill
                    ill = rng.random() < (stay_ill if ill else to_ill)

                if seen == "before":
                    x = observe()
                    action = act()
                    evolve(action)
                else:
                    action = act()
                    evolve(action)
                    x = observe()
                    # What an action does to the marker itself, beside the patient's state.
                x += moves * action
                rows.append({"visit": visit + 1, "x": x, "action": actions[action], "ill": ill})
            self.records.append({"id": 1000 + 7 * patient, "rows": rows, "age": rng.randint(30, 85),
                                 "sex": rng.choice("MF"), "first": datetime.date(2021, 1, 4) + datetime.timedelta(rng.randint(0, 500))})
        self.rng = rng

    def flat(self):
        """(record, row, day) for each row."""
        for record in self.records:
            day = record["first"]
            for row in record["rows"]:
                yield record, row, day
                day = day + datetime.timedelta(days=28 + (record["id"] + row["visit"]) % 9)


def lines(header, rows, delimiter=","):
    return "\n".join([delimiter.join(header)] + [delimiter.join(str(cell) for cell in row) for row in rows]) + "\n"


def hba1c(row):
    return round(6.2 + 0.9 * row["x"], 1)


def comma(number):
    return str(number).replace(".", ",")


def plain_iso(folder):
    c = Clinic(1)
    (folder / "plain.csv").write_text(lines(["patient_id", "visit_date", "hba1c", "age", "treatment"], (
        (p["id"], d.isoformat(), hba1c(r), p["age"], r["action"]) for p, r, d in c.flat())))


def german(folder):
    c = Clinic(2, actions=("abwarten", "behandeln"))
    (folder / "german.csv").write_text(lines(["Patient", "Datum", "HbA1c", "Gewicht", "Therapie"], (
        (p["id"], d.strftime("%d.%m.%Y"), comma(hba1c(r)), comma(round(70 + (p["id"] % 40) + 0.7 * r["x"], 1)), r["action"])
        for p, r, d in c.flat()), ";"))


def american_tabs(folder):
    c = Clinic(3, seen="after")
    (folder / "american.tsv").write_text(lines(["Subject", "Visit Date", "Glucose", "Drug"], (
        (p["id"], d.strftime("%m/%d/%Y"), round(110 + 25 * r["x"]), r["action"]) for p, r, d in c.flat()), "\t"))


def latin1(folder):
    c = Clinic(4, actions=("zuwarten", "Überweisung"))
    text = lines(["Patientennummer", "Besuch", "Größe (mm)", "Maßnahme"], (
        (p["id"], r["visit"], comma(round(12 + 3 * r["x"], 1)), r["action"]) for p, r, _ in c.flat()), ";")
    (folder / "latin1.csv").write_bytes(text.encode("latin-1"))


def capitals(folder):
    c = Clinic(5, actions=("WATCH", "OPERATE"))
    (folder / "capitals.csv").write_text(lines(["PATIENT ID", "VISIT", "TUMOUR SIZE", "SEX", "DECISION"], (
        (f"P{p['id']}", r["visit"], round(20 + 6 * r["x"]), p["sex"], r["action"]) for p, r, _ in c.flat())))


def long_values(folder):
    c = Clinic(6)
    rows = []
    for p, r, d in c.flat():
        rows += [(p["id"], d.isoformat(), "HbA1c", hba1c(r)), (p["id"], d.isoformat(), "SBP", round(120 + 8 * r["x"])),
                 (p["id"], d.isoformat(), "treatment", r["action"])]
    (folder / "long.csv").write_text(lines(["patient", "date", "test", "value"], rows))


def long_german(folder):
    c = Clinic(7, actions=("nichts", "Insulin"))
    rows = []
    for p, r, d in c.flat():
        day = d.strftime("%d.%m.%Y")
        rows += [(p["id"], day, "HbA1c", comma(hba1c(r)), r["action"]),
                 (p["id"], day, "Kreatinin", comma(round(1.0 + 0.1 * ((p["id"] + r["visit"]) % 7), 2)), r["action"])]
    (folder / "labor.csv").write_text(lines(["Patient", "Datum", "Parameter", "Wert", "Therapie"], rows, ";"))


def wide_suffix(folder):
    c = Clinic(8, visits=(3, 6))
    header = ["id", "age", "sex"] + [f"{stem}_{v}" for v in range(1, 7) for stem in ("hba1c", "treat")]
    rows = []
    for p in c.records:
        cells = []
        for v in range(6):
            cells += [hba1c(p["rows"][v]), p["rows"][v]["action"]] if v < len(p["rows"]) else ["", ""]
        rows.append([p["id"], p["age"], p["sex"]] + cells)
    (folder / "wide.csv").write_text(lines(header, rows))


def wide_prefix(folder):
    c = Clinic(9, visits=(3, 5), actions=("none", "statin"))
    header = ["SubjectID"] + [f"V{v}_{stem}" for v in range(1, 6) for stem in ("LDL", "Drug")]
    rows = []
    for p in c.records:
        cells = []
        for v in range(5):
            cells += [comma(round(3.2 + 0.8 * p["rows"][v]["x"], 2)), p["rows"][v]["action"]] if v < len(p["rows"]) else ["", ""]
        rows.append([p["id"]] + cells)
    (folder / "wide_prefix.csv").write_text(lines(header, rows, ";"))


def small(folder):
    c = Clinic(10, patients=24, visits=(5, 8), apart=2.5, sharp=10)
    (folder / "small.csv").write_text(lines(["patient", "visit", "score", "action"], (
        (p["id"], r["visit"], round(10 + 4 * r["x"]), r["action"]) for p, r, _ in c.flat())))


def small_capitals(folder):
    c = Clinic(11, patients=18, visits=(6, 9), apart=2.5, sharp=10, actions=("No", "Yes"))
    (folder / "SMALL.CSV").write_text(lines(["ID", "MONTH", "PAIN", "OPIOID"], (
        (p["id"], 3 * r["visit"], max(0, min(10, round(4 + 2 * r["x"]))), r["action"]) for p, r, _ in c.flat())))


def file_order(folder):
    c = Clinic(12)
    (folder / "unordered.csv").write_text(lines(["patient", "crp", "antibiotic_given"], (
        (p["id"], round(20 * math.exp(0.6 * r["x"]), 1), "yes" if r["action"] == "treat" else "no") for p, r, _ in c.flat())))


def british(folder):
    c = Clinic(13)
    (folder / "british.csv").write_text(lines(["NHS Number", "Date of visit", "eGFR", "Referred"], (
        (900000 + p["id"], d.strftime("%d/%m/%Y"), round(70 - 12 * r["x"]), "Y" if r["action"] == "treat" else "N")
        for p, r, d in c.flat())))


def clock(folder):
    c = Clinic(14, seen="after")
    (folder / "clock.csv").write_text(lines(["stay_id", "charttime", "map", "lactate", "action"], (
        (p["id"], f"{d.isoformat()} {8 + r['visit']:02d}:30:00", round(75 - 8 * r["x"]),
         round(1.5 + 0.2 * ((p["id"] + r["visit"]) % 5), 1), r["action"]) for p, r, d in c.flat())))


def codes(folder):
    c = Clinic(15)
    names = ["bl", "m03", "m06", "m12", "m18", "m24", "m36", "m48", "m60"]
    (folder / "codes.csv").write_text(lines(["RID", "VISCODE", "MMSE", "THERAPY"], (
        (p["id"], names[r["visit"] - 1], max(0, min(30, round(26 - 3 * r["x"]))), r["action"]) for p, r, _ in c.flat())))


def visits_table(folder):
    c = Clinic(16, seen="after")
    (folder / "visits.csv").write_text(lines(["patient", "step", "action", "observation"], (
        (p["id"], r["visit"], r["action"], "high" if r["x"] > 1 else "low") for p, r, _ in c.flat())))


def censored(folder):
    c = Clinic(17)
    def shown(x):
        value = round(0.4 + 0.5 * x, 2)
        return "<0.1" if value < 0.1 else value
    (folder / "censored.csv").write_text(lines(["participant", "week", "troponin", "intervention"], (
        (p["id"], 2 * r["visit"], shown(r["x"]), r["action"]) for p, r, _ in c.flat())))


def duplicates(folder):
    c = Clinic(18)
    rows = []
    for i, (p, r, d) in enumerate(c.flat()):
        row = (p["id"], d.isoformat(), hba1c(r), r["action"])
        rows += [row, row] if i % 40 == 0 else [row]
    (folder / "duplicates.csv").write_text(lines(["patient", "date", "hba1c", "medication"], rows))


def ordered_test(folder):
    # A sign at every visit, seen before; a test whose result stands where it was ordered.
    c = Clinic(19, actions=("no test", "test"), effect=0.0)
    rows = []
    for p, r, d in c.flat():
        result = "" if r["action"] == "no test" else round(5 + 3 * (1 if r["ill"] else 0) + c.rng.gauss(0, 1), 1)
        rows.append((p["id"], r["visit"], round(37 + 0.6 * r["x"], 1) if r["visit"] % 11 else "NA", result, r["action"]))
    (folder / "ordered.csv").write_text(lines(["patient", "day", "temperature", "crp", "ordered"], rows))


def packed_json(folder):
    c = Clinic(20)
    with gzip.open(folder / "clinic.jsonl.gz", "wt") as file:
        for p, r, d in c.flat():
            file.write(json.dumps({"person_id": p["id"], "date": d.isoformat(), "systolic": round(130 + 12 * r["x"]),
                                   "treatment": r["action"]}) + "\n")


TABLES = [plain_iso, german, american_tabs, latin1, capitals, long_values, long_german, wide_suffix, wide_prefix, small,
          small_capitals, file_order, british, clock, codes, visits_table, censored, duplicates, ordered_test, packed_json]


def timing_table(path, seed):
    """A table whose rows are read one way: returns which. Half of the seeds are of each kind."""
    rng = random.Random(90000 + seed)
    seen = "before" if seed % 2 == 0 else "after"
    clinic = Clinic(70000 + seed, patients=rng.choice([80, 120, 200, 300]), visits=(4, rng.choice([6, 8, 10])), seen=seen,
                    apart=rng.uniform(1.2, 2.8), stay=rng.uniform(0.75, 0.95), sharp=rng.uniform(4, 12),
                    effect=rng.choice([0.0, 0.3, 0.6]), actions=rng.choice([("wait", "treat"), ("wait", "test", "treat")]),
                    starts=rng.uniform(0.2, 0.6))
    second = rng.choice([None, "noise", "sign"])
    header = ["patient", "visit", "marker"] + (["other"] if second else []) + ["action"]
    rows = []
    for p, r, _ in clinic.flat():
        cells = [p["id"], r["visit"], round(r["x"], 2)]
        if second == "noise":
            cells.append(round(clinic.rng.gauss(50, 9), 1))
        elif second == "sign":
            cells.append(round(r["x"] + clinic.rng.gauss(0, 1.5), 2))
        rows.append(cells + [r["action"]])
    pathlib.Path(path).write_text(lines(header, rows))
    return seen


if __name__ == "__main__":
    target = pathlib.Path(sys.argv[1])
    target.mkdir(parents=True, exist_ok=True)
    for make in TABLES:
        make(target)
