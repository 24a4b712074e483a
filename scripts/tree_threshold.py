#!/usr/bin/env python3
"""How often does the interval of "significant risk" hold the truth? (docs/tutorial-decision-tree.md)

For each of many simulated sets of the decision-tree study: simulate, sample the posterior, read off the risk at which
testing for the subtype becomes likelier than stopping, and see whether its central interval holds the true 30%.

    scripts/tree_threshold.py build/interpole --sets 100
"""
import argparse
import csv
import math
import pathlib
import subprocess
import tempfile

PROJECT = pathlib.Path(__file__).resolve().parent.parent
TRUTH = 0.30
STATES = ["ini", "hlt", "dis", "dsa", "dsb"]


def threshold(row):
    """The risk p at which both actions are equally likely at the belief (1 - p) hlt + p dis."""
    def preference(action):  # 2 mu . b - |mu|^2 at hlt and at dis
        mean = [float(row[f"means[{action},{state}]"]) for state in STATES]
        square = sum(x * x for x in mean)
        return 2 * mean[1] - square, 2 * mean[2] - square
    test, stop = preference("tst-typ"), preference("stp-hlt")
    at_healthy, at_diseased = stop[0] - test[0], stop[1] - test[1]
    return at_healthy / (at_healthy - at_diseased)


def quantile(values, share):
    values = sorted(values)
    place = share * (len(values) - 1)
    low = math.floor(place)
    high = min(low + 1, len(values) - 1)
    return values[low] + (place - low) * (values[high] - values[low])


def interval(program, seed, arguments, folder):
    data, draws = folder / "tree.csv", folder / "draws.csv"
    def run(*words):
        subprocess.run([program, *map(str, words), "--seed", str(seed), "--quiet"], check=True,
                       stdout=subprocess.DEVNULL)
    run("simulate", "tree", "--patients", arguments.patients, "--output", data)
    run("sample", "--study", PROJECT / "studies/tree.toml", "--data", data, "--dynamics", arguments.dynamics,
        "--chains", arguments.chains, "--draws", arguments.draws, "--target-accept", 0.99, "--output", draws)
    with open(draws, newline="", encoding="utf-8") as file:
        values = [threshold(row) for row in csv.DictReader(file)]
    tail = (1 - arguments.level) / 2
    return quantile(values, tail), quantile(values, 0.5), quantile(values, 1 - tail)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", help="the interpole program")
    parser.add_argument("--sets", type=int, default=100)
    parser.add_argument("--first-seed", type=int, default=1)
    parser.add_argument("--patients", type=int, default=1000)
    parser.add_argument("--dynamics", default="shared")
    parser.add_argument("--chains", type=int, default=2)
    parser.add_argument("--draws", type=int, default=1000)
    parser.add_argument("--level", type=float, default=0.9)
    arguments = parser.parse_args()
    held, below, widths, middles = 0, 0, [], []
    for seed in range(arguments.first_seed, arguments.first_seed + arguments.sets):
        with tempfile.TemporaryDirectory() as folder:
            low, middle, high = interval(arguments.program, seed, arguments, pathlib.Path(folder))
        held += low <= TRUTH <= high
        below += high < TRUTH
        widths.append(high - low)
        middles.append(middle)
        print(f"set {seed}: {100 * middle:.1f}% [{100 * low:.1f}, {100 * high:.1f}]"
              f"{'' if low <= TRUTH <= high else '  misses 30%'}", flush=True)
    n = arguments.sets
    print(f"{held} of {n} intervals of {100 * arguments.level:g}% hold the truth "
          f"({below} lie below it, {n - held - below} above)")
    print(f"medians: mean {100 * sum(middles) / n:.2f}%, intervals: mean width {100 * sum(widths) / n:.1f} points")


if __name__ == "__main__":
    main()
