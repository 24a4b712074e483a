#!/usr/bin/env python3
"""Simulated ADNI tables of growing size: rows, decisions, distinct histories, time to read and time to fit.

Usage: scripts/bench_adni_scale.py [--most 1000000] [--longest 3]
"""
import argparse
import json
import pathlib
import subprocess
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
PROGRAM = ROOT / "build" / "interpole"
STUDY = ROOT / "studies" / "adni" / "adnimerge.toml"


def run(*arguments):
    begin = time.time()
    output = subprocess.run([PROGRAM, *map(str, arguments), "--json", "--quiet"], check=True, capture_output=True,
                            text=True).stdout
    return json.loads(output), time.time() - begin


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--most", type=int, default=1_000_000)
    parser.add_argument("--longest", type=int, default=3, help="visits after which a patient is not followed")
    options = parser.parse_args()
    print(f"{'patients':>9} {'rows':>9} {'decisions':>10} {'histories':>10} {'read s':>8} {'fit s':>8} {'evaluations':>12} "
          f"{'µs/evaluation':>14}")
    patients = 1000
    while patients <= options.most:
        with tempfile.TemporaryDirectory() as folder:
            table = pathlib.Path(folder) / "adni.csv"
            simulated, _ = run("simulate", "adni", "--patients", patients, "--seed", 1, "--longest", options.longest,
                               "--output", table)
            fit, whole = run("fit", "--study", STUDY, "--data", table, "--dynamics", "shared", "--restarts", 4,
                             "--output", pathlib.Path(folder) / "model.json")
        print(f"{patients:>9} {simulated['rows']:>9} {fit['decisions']:>10} {fit['histories']:>10} "
              f"{whole - fit['seconds']:>8.2f} {fit['seconds']:>8.3f} {fit['evaluations']:>12} "
              f"{1e6 * fit['seconds'] / fit['evaluations']:>14.1f}", flush=True)
        patients *= 10


if __name__ == "__main__":
    main()
