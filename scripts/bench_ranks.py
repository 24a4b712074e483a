#!/usr/bin/env python3
"""How much faster two ranks are than one (docs/cluster.md): a likelihood of 10⁶ histories, four chains, and reading a table in
parts, with the memory of each rank. Runs of one and of two ranks take turns, so that what else the machine does touches both.
On a quiet machine with two cores, after `cmake --build build`:

    scripts/bench_ranks.py [--repeats 5] [--only likelihood|chains|reading]
"""
import argparse
import json
import os
import pathlib
import re
import statistics
import subprocess
import sys
import tempfile
import time

PROJECT = pathlib.Path(__file__).resolve().parent.parent
PROGRAM = PROJECT / "build" / "interpole"
PROBE = PROJECT / "build" / "ranks_probe"
ROOT = ["--allow-run-as-root"] if os.geteuid() == 0 else []


def run(ranks, *command, **options):
    before = ["mpirun", *ROOT, "--oversubscribe", "-n", str(ranks)] if ranks > 1 else []
    return subprocess.run([*before, *map(str, command)], check=True, capture_output=True, text=True, **options).stdout


def shown(name, unit, pairs):
    """`pairs`: of one and of two ranks, one after the other."""
    ratios = [one / two for one, two in pairs]
    one, two = (statistics.median(column) for column in zip(*pairs))
    print(f"{name}: one rank {one:.2f} {unit}, two {two:.2f} {unit} (medians of {len(pairs)}); "
          f"ratio {statistics.median(ratios):.2f}, from {min(ratios):.2f} to {max(ratios):.2f}", flush=True)


def likelihood(repeats, _folder):
    """Milliseconds of an evaluation with its gradient: the median of a hundred, and the least."""
    found = []
    for _ in range(repeats):
        texts = [run(ranks, PROBE, 20000, 60) for ranks in (1, 2)]
        found.append([re.search(r"evaluation ([\d.]+) ms, at least ([\d.]+)", text).groups() for text in texts])
    print(texts[1].strip())
    for which, name in enumerate(("median of 100", "least of 100")):
        shown(f"likelihood and gradient, {name}", "ms", [[float(run[which]) for run in pair] for pair in found])


def chains(repeats, folder):
    data = folder / "bias.csv"
    run(1, PROGRAM, "simulate", "bias", "--patients", 2000, "--seed", 7, "--output", data, "--quiet")
    command = [PROGRAM, "sample", "--study", PROJECT / "studies/bias.toml", "--data", data, "--draws", 1500, "--warm-up", 500,
               "--chains", 4, "--threads", 1, "--restarts", 1, "--policy", "belief", "--json", "--quiet", "--output",
               folder / "draws.csv"]
    shown("four chains", "s", [[json.loads(run(ranks, *command))["seconds"] for ranks in (1, 2)] for _ in range(repeats)])


# Runs a command and prints the most memory that it held, in MB.
PEAK = """
import resource, subprocess, sys
subprocess.run(sys.argv[1:], check=True, stdout=subprocess.DEVNULL)
print(f"{resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024:.0f}")
"""


def reading(repeats, folder):
    """Seconds of the whole command, with MPI's start; a fit of one iteration beside the reading. Then the memory of each rank."""
    run(1, PROGRAM, "simulate", "bias", "--patients", 400000, "--seed", 7, "--rows-per-file", 200000, "--output",
        folder / "visits.csv", "--quiet")
    command = [PROGRAM, "fit", "--study", PROJECT / "studies/bias.toml", "--data", folder / "visits-*.csv", "--restarts", 1,
               "--most-iterations", 1, "--policy", "belief", "--dynamics", "shared", "--threads", 1, "--quiet", "--output",
               folder / "model.json"]

    def seconds(ranks):
        begin = time.monotonic()
        run(ranks, *command)
        return time.monotonic() - begin

    shown("a table in parts, read and fitted once", "s", [[seconds(ranks) for ranks in (1, 2)] for _ in range(repeats)])
    size = sum(path.stat().st_size for path in folder.glob("visits-*.csv"))
    for ranks in (1, 2, 4):
        peaks = run(ranks, sys.executable, "-c", PEAK, *command).split()
        print(f"peak memory of each of {ranks} ranks, {size / 1e6:.0f} MB of table: {', '.join(peaks)} MB", flush=True)


def main():
    what = {"likelihood": likelihood, "chains": chains, "reading": reading}
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--only", choices=sorted(what))
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        for name, measure in what.items():
            if arguments.only in (None, name):
                measure(arguments.repeats, pathlib.Path(folder))


if __name__ == "__main__":
    main()
