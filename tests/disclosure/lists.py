"""What a reader can work out from what is published besides the tables of cohorts: lists of counts that add up to a total
that is known, means, and the text. Each function gives what was recovered, in words."""
import math
import re


def small_in(counts, total, min_cell, what):
    """`counts`, some of them None (at least 1, since zeros are shown), add up to `total`: those that only one value fits, and
    shown ones that are small."""
    found = [f"{what}: {count} is shown" for count in counts if count is not None and 0 < count < min_cell]
    hidden = sum(count is None for count in counts)
    left = total - sum(count or 0 for count in counts)
    if hidden and (hidden == 1 or left == hidden):
        each = left if hidden == 1 else 1
        if 0 < each < min_cell:
            found.append(f"{what}: withheld is {each}")
    return found


def calibration(page, min_cell):
    """Bins over all actions: their decisions add up to decisions times actions, those taken to decisions."""
    decisions = page["counts"]["decisions"]
    if decisions is None:
        return []
    bins = page["check"]["calibration"]
    taken = [None if b["decisions"] is None else round(b["observed"] * b["decisions"]) for b in bins]
    others = [None if b["decisions"] is None else b["decisions"] - x for b, x in zip(bins, taken)]
    total = decisions * len(page["model"]["actions"])
    return [*small_in([b["decisions"] for b in bins], total, min_cell, "calibration, decisions"),
            *small_in(taken, decisions, min_cell, "calibration, taken"),
            *small_in(others, total - decisions, min_cell, "calibration, not taken")]


def tests(values, decisions, where, min_cell):
    """How often each test was done: these and the visits with none add up to all."""
    if decisions is None:
        return []
    done = [value[where] and value[where]["visits"] for value in values]
    shown = [x for x in done if x is not None]
    found = [f"visits with a test: {x}" for x in shown if 0 < x < min_cell]
    left = decisions - sum(shown)  # visits without a test, and with one that is withheld
    if len(shown) == len(done) and 0 < left < min_cell:
        found.append(f"visits without a test: {left}")
    return found


def means(audit, patients, min_cell):
    """A rounded mean of whole numbers: over how many patients could it be? It must not follow that some number from half of the
    true one on cannot be it, nor that few are behind it or behind its difference to that of all."""
    flags = {"belated_diagnoses": "belated", "patients_with_uninformative_tests": "uninformative",
             "unlikely_records": "unlikely"}
    found = []
    for row in audit["means"]:
        known = [p for p in patients if p[row["covariate"]]]
        for name in ("all_patients", *flags):
            moments = row[name]
            if moments is None:
                continue
            behind = [p for p in known if name == "all_patients" or int(p[flags[name]]) > 0]
            for few in (len(behind), len(known) - len(behind)):
                if 0 < few < min_cell:
                    found.append(f"mean of {name}: over {few}")
            digits = len(f"{moments['mean']:.10g}".partition(".")[2])
            half = 0.5 * 10.0 ** -digits
            impossible = [n for n in range(max(min_cell, len(behind) // 2 + 1), len(known) + 1)
                          if math.floor(n * (moments["mean"] + half)) < math.ceil(n * (moments["mean"] - half))]
            if impossible:
                found.append(f"mean of {name}, {moments['mean']}: not over {impossible[:5]}")
            if not moments["sd"] > 0:
                found.append(f"mean of {name}: all are {moments['mean']}")
    return found


def text(publication):
    """Patients in the table less those kept: what was left out."""
    rows = re.findall(r"^\| (in the table|left out: [^|]*|kept) \| ([^|]*) \| ([^|]*) \|$", publication["text"], re.MULTILINE)
    found = []
    for column in (1, 2):
        counts = [int(row[column].replace(",", "")) if re.fullmatch(r"[\d,]+", row[column]) else None for row in rows]
        total, *parts = counts
        found += [f"attrition: {x} is shown" for x in parts if x is not None and 0 < x < publication["min_cell"]]
        if total is not None and None in parts:
            found += small_in(parts, total, publication["min_cell"], "attrition")
    kept = len(publication["patients"])
    told = [int(x.replace(",", "")) for x in re.findall(r"of ([\d,]+) patients?", publication["text"])]
    found += [f"text: {x - kept} patients left out" for x in told if 0 < abs(x - kept) < publication["min_cell"]]
    assert rows, publication["text"]
    return found


def recovered(publication):
    audit, page, min_cell = publication["audit"], publication["page"], publication["min_cell"]
    decisions = page["counts"]["decisions"]
    return [*calibration(page, min_cell), *tests(audit["tests"], decisions, "where_done", min_cell),
            *tests(audit["tests"], decisions, "where_not_done", min_cell), *tests(page["audit"]["test_values"], decisions, "done", min_cell),
            *means(audit, publication["patients"], min_cell), *text(publication)]
