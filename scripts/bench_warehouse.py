#!/usr/bin/python3
"""What counting in a warehouse costs, and what leaving rare sequences out does to estimates (docs/warehouse.md).

scripts/bench_warehouse.py query --engine duckdb|postgres --patients 1450000    seconds of the query, of the engine's own
                                                                                GROUP BY patient; bytes that leave it
scripts/bench_warehouse.py query --folder DISK --patients 4835000 --repeats 1   100 million rows; DISK has 15 GB free
scripts/bench_warehouse.py rare --patients 20000 --min-cell 5 11                estimates with and without rare sequences
"""
import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time

PROJECT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(PROJECT / "tests"))
from engines import Duckdb, Postgres  # noqa: E402  pylint: disable=wrong-import-position

PROGRAM = PROJECT / "build" / "interpole"
SETTINGS = "shared_buffers = 2GB\nwork_mem = 1GB\nmax_parallel_workers_per_gather = 2\nmax_wal_size = 8GB\n"  # of Postgres
TYPED = {"duckdb": "ALTER TABLE visits ALTER step TYPE BIGINT",
         "postgres": "ALTER TABLE visits ALTER step TYPE BIGINT USING CAST(step AS BIGINT)"}
ROWS_PER_FILE = 5_000_000
GROUPED = {"duckdb": "list(struct_pack(step, action, observation))", "postgres": "array_agg(visits)"}


def interpole(*arguments):
    return subprocess.run([PROGRAM, *map(str, arguments)], check=True, capture_output=True, text=True).stdout


def run(engine, *statements):
    for statement in statements:
        engine.run(*(("-c", statement) if engine.name == "postgres" else (statement,)))


def seconds(engine, select):
    begin = time.monotonic()
    run(engine, f"CREATE TEMP TABLE result AS {select}")
    taken = time.monotonic() - begin
    run(engine, "DROP TABLE IF EXISTS result")  # Postgres has dropped it with the session
    return taken


def simulated(folder, arguments):
    """The file, or for many rows the pattern of several files."""
    table = folder / "visits.csv"
    words = ["simulate", "diag", "--patients", arguments.patients, "--output", table, "--quiet"]
    if arguments.patients * 21 <= ROWS_PER_FILE or arguments.engine != "duckdb":
        interpole(*words)
        return table
    interpole(*words, "--rows-per-file", ROWS_PER_FILE)
    return folder / "visits-*.csv"


def query(folder, arguments):
    begin = time.monotonic()
    table = simulated(folder, arguments)
    files = sorted(folder.glob(table.name))
    size = sum(path.stat().st_size for path in files)
    print(f"simulated {size} bytes in {time.monotonic() - begin:.0f} s", flush=True)
    # In a file DuckDB compresses what it holds; in memory it does not.
    engine = Duckdb(PROJECT, folder / "visits.duckdb") if arguments.engine == "duckdb" else Postgres(SETTINGS)
    try:
        begin = time.monotonic()
        engine.load("visits", table)
        run(engine, TYPED[engine.name], "ANALYZE visits")
        for path in files:
            path.unlink()
        print(f"loaded in {time.monotonic() - begin:.0f} s", flush=True)
        text = interpole("study", "sql", PROJECT / "studies/diag.toml", "--dialect", engine.name)
        for _ in range(arguments.repeats):
            count = seconds(engine, "SELECT patient, count(*) AS n FROM visits GROUP BY patient")
            rows = seconds(engine, f"SELECT patient, {GROUPED[engine.name]} AS rows FROM visits GROUP BY patient")
            ours = seconds(engine, text)
            print(f"{engine.name}: count(*) {count:.1f} s, its rows {rows:.1f} s, the query {ours:.1f} s "
                  f"({ours / rows:.2f} of its rows, {ours / count:.1f} of count(*))", flush=True)
        counts = folder / "counts.csv"
        engine.counts(text, counts)
        with open(counts, encoding="utf-8") as file:
            sequences = sum(1 for _ in file) - 1
        print(f"{engine.name}: {size} bytes of rows, {os.path.getsize(counts)} bytes of counts, {sequences} distinct records")
    finally:
        engine.close()


def estimates(model):
    agent = json.loads(model.read_text())
    monitor = agent["observation"][0]
    return (f"P(negative | healthy) {monitor[0][0]:.3f}, P(positive | diseased) {monitor[1][1]:.3f}, in the world "
            f"{agent['world']['observation'][0][0][0]:.3f} and {agent['world']['observation'][0][1][1]:.3f}")


def rare(folder, arguments):
    table = folder / "visits.csv"
    interpole("simulate", "bias", "--patients", arguments.patients, "--output", table, "--truth", folder / "truth.json", "--quiet")
    print(f"truth: {estimates(folder / 'truth.json')}")
    study = PROJECT / "studies/bias.toml"
    engine = Duckdb(PROJECT)
    engine.load("visits", table)
    for least in [0, *arguments.min_cell]:
        counts = folder / "counts.csv"
        engine.counts(interpole("study", "sql", study, "--dialect", "duckdb", "--min-cell", least), counts)
        model = folder / "model.json"
        fit = json.loads(interpole("fit", "--study", study, "--counts", counts, "--output", model, "--policy", "belief", "--json",
                                   "--quiet"))
        print(f"min-cell {least}: {fit['patients']} records, {fit['decisions'] / fit['patients']:.1f} decisions each; "
              f"{estimates(model)}", flush=True)
    engine.close()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["query", "rare"])
    parser.add_argument("--engine", choices=sorted(GROUPED), default="duckdb")
    parser.add_argument("--patients", type=int, default=100000)
    parser.add_argument("--repeats", type=int, default=2)
    parser.add_argument("--folder", help="where files go; default: that of temporary files")
    parser.add_argument("--min-cell", type=int, nargs="+", default=[5, 11])
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(dir=arguments.folder) as folder:
        os.chmod(folder, 0o755)
        {"query": query, "rare": rare}[arguments.what](pathlib.Path(folder), arguments)


if __name__ == "__main__":
    main()
