#!/usr/bin/env python3
"""How well flags of a fitted model match those of the true one, over simulated ADNI cohorts.

usage: flag_accuracy.py PROGRAM STUDY [--cohorts 20] [--patients 1626] [--certainty 0.9]

Each cohort is simulated from a known decision-maker and fitted. Flags of the true model are the reference: sensitivity
is the share of them that the fit finds, false flags the share of the others it calls flagged, precision the share of its
flags that are true; each also for flags that are at least so certain. Counts are pooled over cohorts.
"""
import argparse
import csv
import pathlib
import subprocess
import tempfile


def read_flags(path, certainty=0.0):
    """Belated patients, uninformative tests (patient, visit), and everyone and every test that was judged."""
    belated, uninformative, patients, tests = set(), set(), set(), 0
    with open(path, newline="", encoding="utf-8") as file:
        for row in csv.DictReader(file):
            patients.add(row["patient"])
            tests += int(row["tests"])
            if row["belated"] == "1" and float(row["belated_probability"] or 1) >= certainty:
                belated.add(row["patient"])
            visits = zip(row["uninformative_visits"].split(";"), row["uninformative_probabilities"].split(";"))
            for visit, probability in visits:
                if visit and float(probability or 1) >= certainty:
                    uninformative.add((row["patient"], visit))
    return belated, uninformative, len(patients), tests


def run(program, *arguments):
    subprocess.run([program, *map(str, arguments), "--quiet"], check=True, stdout=subprocess.DEVNULL)


def one_cohort(program, study, patients, seed, folder):
    data, truth, model = folder / "adni.csv", folder / "truth.json", folder / "model.json"
    run(program, "simulate", "adni", "--patients", patients, "--seed", seed, "--output", data, "--truth", truth)
    run(program, "fit", "--study", study, "--data", data, "--output", model, "--seed", seed)
    for name, file in (("true", truth), ("fitted", model)):
        run(program, "audit", "--model", file, "--study", study, "--data", data, "--certainty", 0, "--csv",
            folder / f"{name}.csv")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("study")
    parser.add_argument("--cohorts", type=int, default=20)
    parser.add_argument("--patients", type=int, default=1626)
    parser.add_argument("--certainty", type=float, default=0.9)
    arguments = parser.parse_args()
    kinds = ("belated diagnoses", "uninformative tests")
    totals = {(kind, sure): [0, 0, 0, 0] for kind in kinds for sure in (False, True)}  # both, true, flagged, judged
    for seed in range(1, arguments.cohorts + 1):
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            one_cohort(arguments.program, arguments.study, arguments.patients, seed, folder)
            true = read_flags(folder / "true.csv")
            for sure in (False, True):
                fitted = read_flags(folder / "fitted.csv", arguments.certainty if sure else 0.0)
                for i, kind in enumerate(kinds):
                    counts = (len(true[i] & fitted[i]), len(true[i]), len(fitted[i]), true[i + 2])
                    totals[kind, sure] = [x + y for x, y in zip(totals[kind, sure], counts)]
    print(f"{'flags':36} {'judged':>8} {'true':>7} {'found':>7} {'sensitivity':>12} {'false flags':>12} {'precision':>10}")
    for (kind, sure), (both, true, flagged, judged) in totals.items():
        name = kind + (f", ≥ {arguments.certainty:.0%} certain" if sure else "")
        print(f"{name:36} {judged:8} {true:7} {flagged:7} {both / max(true, 1):12.1%} "
              f"{(flagged - both) / max(judged - true, 1):12.1%} {both / max(flagged, 1):10.1%}")


if __name__ == "__main__":
    main()
