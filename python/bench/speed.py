#!/usr/bin/env python3
"""Python beside the program, in one run: a data frame to the history tree beside the same rows from CSV (what the program's
verbs begin with), memory beside the frame, predictions for a million rows on one core, and how long an import takes.
After `make python`:

    PYTHONPATH=build/python /usr/bin/python3 python/bench/speed.py [ROWS]     10 million unless given
"""
import ctypes
import gc
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time
import warnings

import pandas as pd
from sklearn.base import clone

import interpole
from interpole import _engine
from interpole._tables import ARGUMENTS, held

ROOT = pathlib.Path(__file__).resolve().parents[2]
STUDY = str(ROOT / "studies" / "bias.toml")
ROWS = int(float(sys.argv[1])) if len(sys.argv) > 1 else 10_000_000
ROUNDS = 3
IMPORTS = 11


def memory(what: str) -> float:
    """In GB: VmRSS, or VmHWM, the most since the last forget_peak()."""
    with open("/proc/self/status", encoding="ascii") as file:
        return next(int(line.split()[1]) for line in file if line.startswith(what)) / 1e6


def forget_peak() -> None:
    """What was freed goes back to the system first, so that nothing of it is used again unseen."""
    gc.collect()
    ctypes.CDLL("libc.so.6").malloc_trim(0)
    with open("/proc/self/clear_refs", "w", encoding="ascii") as file:
        file.write("5")


def timed(work):
    """Seconds, seconds of processor time, and the result."""
    begin, begin_cpu = time.perf_counter(), time.process_time()
    result = work()
    return time.perf_counter() - begin, time.process_time() - begin_cpu, result


def read_frame(frame):
    source = held(frame, columns={column: column for column in ARGUMENTS})  # kept until it is read
    return _engine.read_data(STUDY, source.tables, None)


def in_turn(ways):
    """The best of several rounds of each, taken in turn: whatever else the machine does meets all of them."""
    runs = {name: [] for name in ways}
    results = set()
    for _ in range(ROUNDS):
        for name, work in ways.items():
            seconds, cpu, result = timed(work)
            runs[name].append((seconds, cpu))
            results.add(result)
    assert len(results) == 1, results
    return {name: (min(wall for wall, _ in found), min(cpu for _, cpu in found)) for name, found in runs.items()}, results.pop()


def bench_reading() -> pd.DataFrame:
    with tempfile.TemporaryDirectory() as folder:
        table = str(pathlib.Path(folder, "visits.csv"))
        _engine.simulate("bias", ROWS * 13 // 100, 1, 0, "", None, table, "", 0, None)
        frame = pd.read_csv(table, keep_default_na=False, na_values={"observation": [""]})
        assert len(frame) >= ROWS, len(frame)
        forget_peak()
        before = memory("VmRSS")
        read_frame(frame)
        more = memory("VmHWM") - before
        coded = frame.astype({"patient": "category", "action": "category", "observation": "category"})
        best, counts = in_turn({"CSV": lambda: _engine.read_data(STUDY, [("", table)], None),
                                "data frame": lambda: read_frame(frame), "data frame of categories": lambda: read_frame(coded)})
    print(f"{len(frame):,} rows, {counts[0]:,} patients, {counts[2]:,} histories; best of {ROUNDS} in turn")
    for name, (wall, cpu) in best.items():
        print(f"{name}: {wall:.2f} s ({wall / best['CSV'][0]:.2f}x), {cpu:.2f} s of processor time "
              f"({cpu / best['CSV'][1]:.2f}x)")
    print(f"memory: {before:.2f} GB with the frame, {more:.2f} GB more at the peak of reading it")
    return frame


def whole_records(frame: pd.DataFrame, rows: int) -> pd.DataFrame:
    """At least so many rows, where there are so many."""
    last = frame["patient"].iloc[min(rows, len(frame)) - 1]
    return frame[:frame["patient"].searchsorted(last, side="right")]


def bench_predicting(frame: pd.DataFrame) -> None:
    part, few = whole_records(frame, 1_000_000), whole_records(frame, 5000)
    model = interpole.Interpole(study=STUDY, policy="belief", restarts=1, threads=1)
    ways = [("a table", clone(model).fit(few), part),
            ("X as scikit-learn has it", clone(model).fit(*interpole.as_rows(few)[:2]), interpole.as_rows(part)[0])]
    cores = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {min(cores)})
    for what, fitted, rows in ways:
        runs = [timed(lambda: fitted.predict_proba(rows))[:2] for _ in range(ROUNDS)]
        print(f"predict_proba of {len(rows):,} rows on one core, {what}: {min(runs)[0]:.2f} s, "
              f"{min(cpu for _, cpu in runs):.2f} s of processor time")
    os.sched_setaffinity(0, cores)


def bench_import(words: str, what: str) -> None:
    script = (f"import time; begin, cpu = time.perf_counter(), time.process_time(); {what}; "
              "print(time.perf_counter() - begin, time.process_time() - cpu)")
    runs = [tuple(map(float, subprocess.run([sys.executable, "-c", script], check=True, capture_output=True,
                                            text=True).stdout.split())) for _ in range(IMPORTS)]
    print(f"{words}: {1000 * statistics.median(wall for wall, _ in runs):.0f} ms, "
          f"{1000 * statistics.median(cpu for _, cpu in runs):.0f} ms of processor time (medians of {IMPORTS})")


def main() -> None:
    warnings.simplefilter("ignore")
    bench_import("import interpole", "import interpole")
    bench_import("the library with DuckDB, at the first call", "import interpole._engine")
    bench_import("the estimator, and so scikit-learn too", "import interpole; interpole.Interpole")
    bench_predicting(bench_reading())


main()
