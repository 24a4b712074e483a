#!/usr/bin/env python3
"""A fit to many visits with measured numbers, hardly two of them alike (`simulate vitals`): time, memory, evaluations of log-likelihood
and gradient per second with one thread and with two.

Usage: scripts/bench_measured_scale.py [--patients 1405000] [--iterations 25] [--dynamics shared] [--threads 1 2]
Each search is cut short after so many iterations; what is told is the time of an evaluation. The rest is reading, intervals and model
checks.
"""
import argparse
import json
import os
import pathlib
import subprocess
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
PROGRAM = ROOT / "build" / "interpole"
STUDY = ROOT / "studies" / "vitals.toml"


def run(folder, *arguments):
    """What it says, the seconds on the clock and the most memory in GB."""
    begin = time.time()
    with open(folder / "said.json", "w+", encoding="utf-8") as said:
        process = subprocess.Popen([PROGRAM, *map(str, arguments), "--json", "--quiet"], stdout=said)
        _, status, usage = os.wait4(process.pid, 0)
        if os.waitstatus_to_exitcode(status) not in (0, 4):
            raise SystemExit(f"{arguments[0]} failed")
        said.seek(0)
        return json.load(said), time.time() - begin, usage.ru_maxrss / 1e6


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--patients", type=int, default=1_405_000)
    parser.add_argument("--iterations", type=int, default=25)
    parser.add_argument("--dynamics", default="shared")
    parser.add_argument("--threads", type=int, nargs="+", default=[1, 2])
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(temporary)
        table = folder / "vitals.csv"
        simulated, seconds, _ = run(folder, "simulate", "vitals", "--patients", asked.patients, "--seed", 1, "--output", table)
        print(f"{simulated['rows']:,} visits of {asked.patients:,} patients, {table.stat().st_size / 1e6:,.0f} MB, simulated in "
              f"{seconds:.0f} s", flush=True)
        print(f"{'threads':>7} {'histories':>11} {'the rest s':>11} {'search s':>9} {'evaluations':>12} {'per second':>11} "
              f"{'ns/history':>11} {'memory GB':>10}")
        for threads in asked.threads:
            fit, whole, memory = run(folder, "fit", "--study", STUDY, "--data", table, "--dynamics", asked.dynamics, "--policy", "belief",
                                     "--restarts", 1, "--most-iterations", asked.iterations, "--threads", threads,
                                     "--output", folder / "model.json")
            per_second = fit["evaluations"] / fit["seconds"]
            print(f"{threads:>7} {fit['histories']:>11,} {whole - fit['seconds']:>11.1f} {fit['seconds']:>9.1f} {fit['evaluations']:>12} "
                  f"{per_second:>11.2f} {1e9 / per_second / fit['histories']:>11.1f} {memory:>10.2f}", flush=True)


if __name__ == "__main__":
    main()
