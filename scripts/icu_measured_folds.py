#!/usr/bin/env python3
"""The ICU stays as they were measured, held out: the study with measured factors beside the binned one, and where scikit-learn is
there, logistic regression and boosting on the same columns. Five folds of stays, the same for all; a stay's first window is not scored.

Usage: scripts/icu_measured_folds.py FOLDER [--fits "--policy belief --restarts 2 --most-iterations 400"]
FOLDER has seta_measured.csv, seta_steps.csv and seta_stays.csv (studies/icu-lactate/README.md); without it, says so and stops.
"""
import argparse
import csv
import hashlib
import json
import math
import pathlib
import shlex
import statistics
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
PROGRAM = ROOT / "build" / "interpole"
STUDIES = {"measured": ("icu-measured", "measured", "seta_measured.csv"), "binned": ("icu-lactate", "steps", "seta_steps.csv")}
COLUMNS = ("lactate_max", "map_min", "hr_max", "temp_max", "gcs_min", "urine_ml", "fio2_max", "ph_min", "creatinine_max", "wbc_max",
           "ventilated")
LOGGED = ("lactate_max", "urine_ml", "creatinine_max", "wbc_max")
FOLDS = 5


def fold_of(stay):
    return int(hashlib.md5(stay.encode()).hexdigest(), 16) % FOLDS


def split(source, fold, folder):
    with open(source, encoding="utf-8", newline="") as file:
        header, *rows = csv.reader(file)
    at = header.index("id")
    paths = [folder / f"{part}.csv" for part in ("train", "test")]
    for path, held_out in zip(paths, (False, True)):
        with open(path, "w", encoding="utf-8", newline="") as file:
            csv.writer(file).writerows([header, *(row for row in rows if (fold_of(row[at]) == fold) == held_out)])
    return paths


def run(*arguments):
    return json.loads(subprocess.run([PROGRAM, *map(str, arguments), "--json", "--quiet"], check=True, stdout=subprocess.PIPE,
                                     text=True).stdout)


def ours(data, name, options):
    study, table, source = STUDIES[name]
    scores = []
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(temporary)
        given = ("--study", ROOT / "studies" / "icu-lactate" / f"{study}.toml", "--data", f"stays={data / 'seta_stays.csv'}")
        for fold in range(FOLDS):
            train, test = split(data / source, fold, folder)
            run("fit", *given, "--data", f"{table}={train}", "--dynamics", "subjective", *options, "--output", folder / "model.json")
            found = run("evaluate", *given, "--data", f"{table}={test}", "--model", folder / "model.json")
            scores.append((found["auroc"], found["log_loss"]))
    return scores


def histories(data):
    """At each decision but a stay's first: the last value of every column, what was taken in the last window, and orders so far."""
    features, orders, folds = [], [], []
    stay = None
    with open(data / "seta_measured.csv", encoding="utf-8") as file:
        for row in csv.DictReader(file):
            if row["id"] != stay:
                stay, last, taken, before, count = row["id"], [math.nan] * len(COLUMNS), [0] * len(COLUMNS), -1, 0
            else:
                features.append([*last, *taken, before, count, int(row["t"])])
                orders.append(int(row["ordered"]))
                folds.append(fold_of(stay))
            values = [float(row[name]) if row[name] else math.nan for name in COLUMNS]
            values = [math.log1p(x) if name in LOGGED else x for name, x in zip(COLUMNS, values)]
            taken = [0 if math.isnan(x) else 1 for x in values]
            last = [old if math.isnan(x) else x for old, x in zip(last, values)]
            before = int(row["ordered"])
            count += before
    return features, orders, folds


def rivals(data):
    try:
        import numpy
        from sklearn.ensemble import HistGradientBoostingClassifier
        from sklearn.linear_model import LogisticRegression
        from sklearn.metrics import log_loss, roc_auc_score
        from sklearn.preprocessing import StandardScaler
    except ImportError:
        print("scikit-learn is not there: no logistic regression, no boosting")
        return {}
    x, y, folds = map(numpy.array, histories(data))
    scores = {"logistic regression": [], "boosting": []}
    for fold in range(FOLDS):
        train, test = folds != fold, folds == fold
        filled = numpy.where(numpy.isnan(x), numpy.nanmean(x[train], 0), x)
        filled = numpy.hstack([filled, numpy.isnan(x[:, :len(COLUMNS)]).astype(float)])
        filled = StandardScaler().fit(filled[train]).transform(filled)
        boosting = HistGradientBoostingClassifier(max_iter=200, learning_rate=0.05, random_state=0)
        for name, learner, seen in (("logistic regression", LogisticRegression(max_iter=2000), filled), ("boosting", boosting, x)):
            chance = learner.fit(seen[train], y[train]).predict_proba(seen[test])[:, 1]
            scores[name].append((roc_auc_score(y[test], chance), log_loss(y[test], chance)))
    return scores


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--fits", default="--policy belief --restarts 2 --most-iterations 400")
    asked = parser.parse_args()
    if not (asked.folder / "seta_measured.csv").exists():
        sys.exit(f"{asked.folder}: seta_measured.csv is not there; studies/icu-lactate/README.md says how to make it")
    options = shlex.split(asked.fits)
    scores = {name: ours(asked.folder, name, options) for name in STUDIES} | rivals(asked.folder)
    print(f"{'':<22} {'AUROC':<20} log-loss   (mean ± standard error over {FOLDS} folds)")
    for name, folds in scores.items():
        shown = []
        for values in zip(*folds):
            shown.append(f"{statistics.mean(values):.4f} ± {statistics.stdev(values) / math.sqrt(FOLDS):.4f}")
        print(f"{name:<22} {shown[0]:<20} {shown[1]}")


if __name__ == "__main__":
    main()
