#!/usr/bin/env python3
"""Simulates the paper's DIAG and BIAS again and again, fits them, and prints the median mismatch with the truth.

Usage: scripts/paper_datasets.py [--datasets 20] [--first-seed 1] [--dynamics shared,coupled,subjective] [--policies auto]
                                 [--algorithm1]
With several policies (belief, auto, full) there is a row for each: what weighing terms costs where none is needed.
"""
import argparse
import json
import math
import pathlib
import statistics
import subprocess
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
PROGRAM = ROOT / "build" / "interpole"
PATIENTS = {"diag": 100, "bias": 1000}


def run(*arguments):
    return subprocess.run([PROGRAM, *map(str, arguments)], check=True, capture_output=True, text=True).stdout


def one_dataset(folder, study, seed, fit_options):
    visits, truth, model = folder / "visits.csv", folder / "truth.json", folder / "model.json"
    run("simulate", study, "--patients", PATIENTS[study], "--seed", seed, "--output", visits, "--truth", truth, "--quiet")
    summary = json.loads(run("fit", "--study", ROOT / "studies" / f"{study}.toml", "--data", visits, "--output", model,
                             "--seed", seed, "--json", "--quiet", *fit_options))
    scores = json.loads(run("evaluate", "--model", model, "--data", visits, "--truth", truth, "--json"))
    return summary | scores


def row(study, name, datasets, first_seed, fit_options):
    with tempfile.TemporaryDirectory() as folder:
        results = [one_dataset(pathlib.Path(folder), study, first_seed + i, fit_options) for i in range(datasets)]

    def middle(key, scale=1.0):
        values = sorted(scale * result[key] for result in results)
        return f"{statistics.median(values):6.2f} [{values[0]:.2f}, {values[-1]:.2f}]"

    print(f"{study:<6} {name:<24} {middle('belief_mismatch', 1e3):<22} {middle('policy_mismatch', 1e3):<22} "
          f"{middle('stopping_time_error'):<20} {statistics.median(result['seconds'] for result in results):.4f}")
    taken = [sum(term["taken"] for term in result["terms"]) for result in results if "terms" in result]
    if any(taken):
        print(f"       terms beside belief in {sum(number > 0 for number in taken)} of {len(taken)} sets")
    ratios = [result["coupling"]["log_bayes_factor"] for result in results if "coupling" in result]
    if ratios:
        told_apart = sum(ratio >= math.log(3) for ratio in ratios)
        print(f"       agent and world called different (evidence ratio of at least 3) in {told_apart} of {len(ratios)} sets; "
              f"log ratios {min(ratios):.2f} to {max(ratios):.2f}")
    return [result["log_posterior"] for result in results]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--datasets", type=int, default=20)
    parser.add_argument("--first-seed", type=int, default=1)
    parser.add_argument("--dynamics", default="shared,coupled,subjective")
    parser.add_argument("--policies", default="auto")
    parser.add_argument("--algorithm1", action="store_true", help="also fit by the paper's Algorithm 1 (slow)")
    options = parser.parse_args()
    print(f"median [smallest, largest] of {options.datasets} data sets, seeds from {options.first_seed}")
    print(f"{'study':<6} {'fit':<24} {'belief mismatch ×10³':<22} {'policy mismatch ×10³':<22} "
          f"{'stopping-time error':<20} seconds")
    for study in PATIENTS:
        reached = {}
        policies = options.policies.split(",")
        for dynamics in options.dynamics.split(","):
            for policy in policies:
                name = dynamics if len(policies) == 1 else f"{dynamics}, --policy {policy}"
                reached[dynamics] = row(study, name, options.datasets, options.first_seed,
                                        ("--dynamics", dynamics, "--policy", policy))
        if not options.algorithm1:
            continue
        for monitor in ("expected", "exact"):
            values = row(study, f"shared, algorithm1, {monitor}", options.datasets, options.first_seed,
                         ("--dynamics", "shared", "--optimizer", "algorithm1", "--monitor", monitor))
            short = [best - value for best, value in zip(reached["shared"], values)]
            print(f"       nats short of L-BFGS: median {statistics.median(short):.6f}, most {max(short):.6f}, "
                  f"least {min(short):.6f}")


if __name__ == "__main__":
    main()
