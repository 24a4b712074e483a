"""What a reader can work out from everything that is published of one data set: whole numbers by HiGHS.

The reader knows what cohorts mean, so which combinations of sex, site and age there can be. Unknown are, for every
such part, how many patients it has, how many of them have each flag, and how many tests and tests that told nothing.
Every published number is an equation."""
import itertools

import numpy
from scipy.optimize import Bounds, LinearConstraint, milp

# What is counted: its name in audit --json, in the page, and of one patient of audit --csv.
KINDS = {"belated": ("belated_diagnoses", "belated"), "unlikely": ("unlikely_records", "unlikely"),
         "uninformative": ("patients_with_uninformative_tests", "uninformative_patients"),
         "uninformative_tests": ("uninformative_tests", "uninformative_tests")}
COUNTS = ("patients", *KINDS, "tests")
TOTAL = {kind: "tests" if kind == "uninformative_tests" else "patients" for kind in KINDS}
# The first of each pair is never more than the second, wherever they are counted.
AT_MOST = [*TOTAL.items(), ("uninformative", "uninformative_tests")]

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


def counts_of(patient):
    return {"patients": 1, "belated": int(patient["belated"]), "unlikely": int(patient["unlikely"]),
            "uninformative": int(int(patient["uninformative"]) > 0), "tests": int(patient["tests"]),
            "uninformative_tests": int(patient["uninformative"])}


class Reader:
    def __init__(self, cohorts, patients, groups=False):
        """`patients`: the truth, which only says which parts there are and, later, what would have been secret."""
        self.cohorts = list(dict.fromkeys(cohorts))
        self.by_site = groups
        self.parts = sorted({self.part(p) for p in patients}, key=str)
        self.truth = {count: [0] * len(self.parts) for count in COUNTS}
        for patient in patients:
            for count, value in counts_of(patient).items():
                self.truth[count][self.parts.index(self.part(patient))] += value
        self.rows, self.values = [], []

    def part(self, patient):
        return (*(holds(cohort, patient) for cohort in self.cohorts), *([patient["site"]] if self.by_site else []))

    def column(self, count, part):
        return COUNTS.index(count) * len(self.parts) + part

    def members(self, cohort, value=True):
        """Parts of a cohort (None: all patients), of its rest (value False), or of those not known (value None)."""
        if cohort is None:
            return range(len(self.parts))
        place = self.cohorts.index(cohort)
        return [i for i, part in enumerate(self.parts) if part[place] is value]

    def at_sites(self, names):
        return [i for i, part in enumerate(self.parts) if part[-1] in names]

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
                self.learn(TOTAL[kind], inside, share["total"])
                if share["p_value"] is not None:  # tells what is in the rest: the exact test can be inverted
                    rest = self.members(cohort, False)
                    self.learn(kind, rest, sum(self.truth[kind][i] for i in rest))
                    self.learn(TOTAL[kind], rest, sum(self.truth[TOTAL[kind]][i] for i in rest))

    def learn_groups(self, groups, patients):
        """Sizes of sites; several small ones may be one group."""
        sites = {patient["site"] for patient in patients}
        named = {group["group"] for group in groups}
        for group in groups:
            if group["patients"] is not None:
                inside = {group["group"]} if group["group"] in sites else None
                if inside is None:  # those that are named nowhere, if all of them are in it
                    inside = sites - named
                self.learn("patients", self.at_sites(inside), group["patients"])

    def conditions(self):
        columns, size = len(COUNTS) * len(self.parts), len(self.parts)
        below = numpy.zeros((len(AT_MOST) * size, columns))
        for at, ((less, more), i) in enumerate(itertools.product(AT_MOST, range(size))):
            below[at, self.column(more, i)], below[at, self.column(less, i)] = 1, -1
        learned = [LinearConstraint(numpy.array(self.rows), numpy.array(self.values), numpy.array(self.values))] if self.rows else []
        return [*learned, LinearConstraint(below, 0, numpy.inf)]

    def end(self, objective, sign, presolve=False):
        """Counts that fit everything learned, of which the objective is least (sign 1) or most (-1).

        Not all of HiGHS's ends are: of what is learned of seed 301, presolving makes 3 to 3 of 0 to 7 (scipy 1.10.1)."""
        conditions = self.conditions()
        found = milp(sign * objective, constraints=conditions, integrality=numpy.ones(len(objective)), bounds=Bounds(0, 100000),
                     options={"presolve": presolve})
        if found.status != 0:
            raise RuntimeError(f"no table fits what is published: {found.message}")
        table = numpy.round(found.x)
        for condition in conditions:
            sums = condition.A @ table
            if (sums < condition.lb).any() or (sums > condition.ub).any() or (table < 0).any():
                raise RuntimeError("what the solver found fits only before it is rounded")
        return table

    def range_of(self, objective):
        """The least and the largest value that fits everything learned."""
        return [round(objective @ self.end(objective, sign)) for sign in (1, -1)]

    def known(self, secrets):
        """Those of the secrets (what, objective, true value) of which no other value fits. A table with another value is
        checked, whatever the solver says, and clears other secrets too."""
        tables, found = [], []
        for what, objective, value in secrets:
            if any(round(objective @ table) != value for table in tables):
                continue
            for sign, presolve in itertools.product((1, -1), (False, True)):
                tables.append(self.end(objective, sign, presolve))
                if round(objective @ tables[-1]) != value:
                    break
            else:
                found.append(f"{what} = {value}")
        return found

    def secrets(self, min_cell):
        """(what, row, value) of every count that must not be known: of cohorts, rests and their overlaps in pairs."""
        sets = {}
        for cohort in [None, *self.cohorts]:
            for value in (True,) if cohort is None else (True, False, None):
                sets[f"{cohort} is {value}"] = frozenset(self.members(cohort, value))
        if self.by_site:
            for site in {part[-1] for part in self.parts}:
                sets[f"group {site}"] = frozenset(self.at_sites({site}))
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
                if count != "tests" and 0 < value < min_cell:
                    yield f"{count}: {what}", self.row(count, parts), value
                if count not in KINDS:
                    continue
                others = sum(self.truth[TOTAL[count]][i] for i in parts) - value
                if value > 0 and 0 < others < min_cell:
                    yield f"not {count}: {what}", self.row(TOTAL[count], parts) - self.row(count, parts), others


def reader_of(publication):
    """Of the audits, the page and the groups together."""
    page, groups = publication["page"], publication["groups"]
    audits = [audit for audit in (publication["audit"], publication["more"]) if audit]
    cohorts = [row["cohort"] for audit in audits for row in audit["frequency"][1:]]
    in_audit = {kind: (lambda row, key=names[0]: row[key]) for kind, names in KINDS.items()}
    in_page = {kind: (lambda row, key=names[1]: row["flags"][key]) for kind, names in KINDS.items()}
    reader = Reader(cohorts, publication["patients"], groups is not None)
    for audit in audits:
        reader.learn_table(audit["frequency"], in_audit)
    reader.learn_table(page["cohorts"]["rows"], in_page)
    if page["counts"]["patients"] is not None:
        reader.learn("patients", reader.members(None), page["counts"]["patients"])
    for kind in (*KINDS, "tests"):  # a page holds every course: whoever follows the rules counts the flags of all patients
        reader.learn(kind, reader.members(None), sum(reader.truth[kind]))
    for table in (groups, page["groups"]):
        if table:
            reader.learn_groups(table["groups"], publication["patients"])
    return reader


def recovered(publication):
    """Small counts that only one value fits."""
    reader = reader_of(publication)
    return reader.known(reader.secrets(publication["min_cell"]))
