#!/usr/bin/env python3
"""Times, ratios and peak memory of reading a table (called by scripts/bench-ingest with its folder)."""
import json
import os
import subprocess
import sys
import time

OURS = {"visits_to_tree": ("visits table to tree", "studies/bias.toml"),
        "mapped_to_tree": ("mapped table to tree", None)}


def medians(path: str) -> dict[str, float]:
    with open(path, encoding="utf-8") as file:
        runs = json.load(file)["benchmarks"]
    failed = [run["error_message"] for run in runs if run.get("error_occurred")]
    if failed:
        sys.exit(f"error: {failed[0]}")
    return {run["run_name"].split("/")[0]: run["real_time"] / 1e3 for run in runs if run.get("aggregate_name") == "median"}


def pandas_seconds(table: str) -> float | None:
    try:
        import pandas
    except ImportError:
        return None
    times = []
    for _ in range(3):
        begin = time.perf_counter()
        pandas.read_csv(table)
        times.append(time.perf_counter() - begin)
    return sorted(times)[1]


def peak_megabytes(study: str, table: str) -> float:
    check = subprocess.Popen(["build/interpole", "study", "check", study, "--data", table, "--json"], stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(check.pid, 0)
    if status != 0:
        sys.exit("error: interpole study check failed")
    return usage.ru_maxrss / 1024


def main() -> None:
    folder = sys.argv[1]
    table = f"{folder}/visits.csv"
    times = medians(f"{folder}/times.json")
    # Before pandas: a child's peak begins with what its parent holds when it is started.
    memory = {key: peak_megabytes(study or f"{folder}/mapped.toml", table) for key, (_, study) in OURS.items()}
    pandas = pandas_seconds(table)
    print(f"{'DuckDB alone, group and order':<32} {times['duckdb_alone']:6.2f} s")
    if pandas is not None:
        print(f"{'pandas.read_csv alone':<32} {pandas:6.2f} s")
    for key, (title, _) in OURS.items():
        beside = "–" if pandas is None else f"{times[key] / pandas:.2f}×"
        print(f"{title:<32} {times[key]:6.2f} s  {times[key] / times['duckdb_alone']:.2f}× DuckDB's  {beside} pandas'  "
              f"at most {memory[key]:.0f} MB")


if __name__ == "__main__":
    main()
