"""What a reader can work out from everything that is published of one data set: whole numbers by HiGHS.

The reader knows what cohorts mean, so which combinations of sex, site and age there can be. Unknown are, for every
such part, how many patients it has and how many of them have each flag. Every published number is an equation."""
import itertools

import numpy
from scipy.optimize import Bounds, LinearConstraint, milp

KINDS = {"belated": ("belated_diagnoses", "belated"), "unlikely": ("unlikely_records", "unlikely"),
         "uninformative": ("patients_with_uninformative_tests", "uninformative_patients")}
COUNTS = ("patients", *KINDS)

# Does a cohort of random_publication.COHORTS hold? None: not known, because a value is missing.
CONDITIONS = {"sex": lambda p: p["sex"] or None, "site": lambda p: p["site"] or None,
              "age": lambda p: float(p["age"]) if p["age"] else None}


def compared(text, patient):
    name, relation, value = text.split()
    mine = CONDITIONS[name](patient)
    if mine is None:
        return None
    return mine > float(value) if relation == ">" else mine == value.strip('"')


def holds(text, patient):
    """Three-valued logic over "x and y", "x or y", "not x"."""
    for word, decides in ((" and ", False), (" or ", True)):
        if word in text:
            values = [holds(part, patient) for part in text.split(word)]
            return decides if decides in values else None if None in values else not decides
    if text.startswith("not "):
        value = holds(text[4:], patient)
        return None if value is None else not value
    return compared(text, patient)


def flags_of(patient):
    return {"patients": 1, "belated": int(patient["belated"]), "unlikely": int(patient["unlikely"]),
            "uninformative": int(int(patient["uninformative"]) > 0)}


class Reader:
    def __init__(self, cohorts, patients):
        """`patients`: the truth, which only says which parts there are and, later, what would have been secret."""
        self.cohorts = cohorts
        self.parts = sorted({self.part(p) for p in patients}, key=str)
        self.truth = {count: [0] * len(self.parts) for count in COUNTS}
        for patient in patients:
            for count, value in flags_of(patient).items():
                self.truth[count][self.parts.index(self.part(patient))] += value
        self.rows, self.values = [], []

    def part(self, patient):
        return tuple(holds(cohort, patient) for cohort in self.cohorts)

    def column(self, count, part):
        return COUNTS.index(count) * len(self.parts) + part

    def members(self, cohort, value=True):
        """Parts of a cohort (None: all patients), of its rest (value False), or of those not known (value None)."""
        if cohort is None:
            return range(len(self.parts))
        place = self.cohorts.index(cohort)
        return [i for i, part in enumerate(self.parts) if part[place] is value]

    def row(self, count, parts):
        row = numpy.zeros(len(COUNTS) * len(self.parts))
        row[[self.column(count, i) for i in parts]] = 1
        return row

    def learn(self, count, parts, value):
        self.rows.append(self.row(count, parts))
        self.values.append(value)

    def learn_table(self, rows, kinds):
        """Rows of audit --json or of the page: `kinds` maps our names to (row -> share or None)."""
        for row in rows:
            name = row.get("cohort", row.get("name"))
            cohort = None if name == "all patients" else name
            if cohort is not None and cohort not in self.cohorts:
                continue
            inside = self.members(cohort)
            if row["patients"] is not None:
                self.learn("patients", inside, row["patients"])
            for kind, share_of in kinds.items():
                share = share_of(row)
                if share is None:
                    continue
                self.learn(kind, inside, share["flagged"])
                self.learn("patients", inside, share["total"])
                if share["p_value"] is not None:  # tells what is in the rest: the exact test can be inverted
                    rest = self.members(cohort, False)
                    self.learn(kind, rest, sum(self.truth[kind][i] for i in rest))
                    self.learn("patients", rest, sum(self.truth["patients"][i] for i in rest))

    def range_of(self, objective):
        """The least and the largest value that fits everything learned."""
        columns = len(objective)
        conditions = [LinearConstraint(numpy.array(self.rows), self.values, self.values)] if self.rows else []
        size = len(self.parts)
        for kind in range(1, len(COUNTS)):  # flagged patients are patients
            for i in range(size):
                row = numpy.zeros(columns)
                row[i], row[kind * size + i] = 1, -1
                conditions.append(LinearConstraint(row[None, :], 0, numpy.inf))
        ends = []
        for sign in (1, -1):
            found = milp(sign * objective, constraints=conditions, integrality=numpy.ones(columns),
                         bounds=Bounds(0, 100000))
            if found.status != 0:
                raise RuntimeError(f"no table fits what is published: {found.message}")
            ends.append(round(sign * found.fun))
        return ends

    def secrets(self, min_cell):
        """(what, row, value) of every count that must not be known: of cohorts, rests and their overlaps in pairs."""
        sets = {}
        for cohort in [None, *self.cohorts]:
            for value in (True,) if cohort is None else (True, False, None):
                sets[f"{cohort} is {value}"] = frozenset(self.members(cohort, value))
        for (x, one), (y, other) in itertools.combinations(list(sets.items()), 2):
            sets[f"{x}, {y}"] = one & other
        seen = set()
        for what, parts in sets.items():
            if parts in seen:
                continue
            seen.add(parts)
            if len(parts) == len(self.parts):
                continue  # what is so of all patients, their courses on the page tell
            for count in COUNTS:
                value = sum(self.truth[count][i] for i in parts)
                if 0 < value < min_cell:
                    yield f"{count}: {what}", self.row(count, parts), value
                others = sum(self.truth["patients"][i] for i in parts) - value
                if count != "patients" and value > 0 and 0 < others < min_cell:
                    yield f"not {count}: {what}", self.row("patients", parts) - self.row(count, parts), others


def readers(publication):
    """The reader of the audit, of the page, and of both."""
    audit, page = publication["audit"], publication["page"]
    cohorts = [row["cohort"] for row in audit["frequency"][1:]]
    in_audit = {kind: (lambda row, key=names[0]: row[key]) for kind, names in KINDS.items()}
    in_page = {kind: (lambda row, key=names[1]: row["flags"][key]) for kind, names in KINDS.items()}
    reader = Reader(cohorts, publication["patients"])
    reader.learn_table(audit["frequency"], in_audit)
    reader.learn_table(page["cohorts"]["rows"], in_page)
    reader.learn("patients", reader.members(None), page["counts"]["patients"])
    for kind in KINDS:  # a page holds every course: whoever follows the rules counts the flags of all patients
        reader.learn(kind, reader.members(None), sum(reader.truth[kind]))
    return reader


def recovered(publication):
    """Small counts that only one value fits."""
    reader = readers(publication)
    leaks = []
    for what, objective, value in reader.secrets(publication["min_cell"]):
        low, high = reader.range_of(objective)
        if low == high:
            leaks.append(f"{what} = {value}")
    return leaks
