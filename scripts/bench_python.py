#!/usr/bin/env python3
"""Reading and predicting from Python: a data frame to the history tree beside the same rows from CSV, memory beside the
frame, and predictions for a million rows on one core. After `make python`:

    PYTHONPATH=build/python /usr/bin/python3 scripts/bench_python.py [ROWS]
"""
import pathlib
import sys
import tempfile
import time
import warnings

import pandas as pd

import interpole
from interpole import _engine
from interpole._tables import held

ROOT = pathlib.Path(__file__).resolve().parent.parent
STUDY = str(ROOT / "studies" / "bias.toml")
ROWS = int(float(sys.argv[1])) if len(sys.argv) > 1 else 10_000_000


def memory(what: str) -> float:
    """In GB: VmRSS, or VmHWM, the most since the last forget_peak()."""
    with open("/proc/self/status", encoding="ascii") as file:
        return next(int(line.split()[1]) for line in file if line.startswith(what)) / 1e6


def forget_peak() -> None:
    with open("/proc/self/clear_refs", "w", encoding="ascii") as file:
        file.write("5")


def timed(work, times=3):
    """Seconds of the best run, its processor time, and the result."""
    runs = []
    for _ in range(times):
        begin, begin_cpu = time.perf_counter(), time.process_time()
        result = work()
        runs.append((time.perf_counter() - begin, time.process_time() - begin_cpu))
    return *min(runs), result


def read_frame(frame):
    source = held(frame)  # kept until it is read
    return _engine.read_data(STUDY, source.tables, None)


def main() -> None:
    warnings.simplefilter("ignore")
    with tempfile.TemporaryDirectory() as folder:
        table = str(pathlib.Path(folder, "visits.csv"))
        _engine.simulate("bias", ROWS // 8 + 1, 1, 0, "", None, table, "", 0, None)
        from_file, file_cpu, counts = timed(lambda: _engine.read_data(STUDY, [("", table)], None))
        frame = pd.read_csv(table, keep_default_na=False, na_values={"observation": [""]})
    forget_peak()
    before = memory("VmRSS")
    from_frame, frame_cpu, same = timed(lambda: read_frame(frame))
    assert counts == same, (counts, same)
    peak = memory("VmHWM")
    coded = frame.astype({"patient": "category", "action": "category", "observation": "category"})
    from_categories, _, _ = timed(lambda: read_frame(coded))
    del coded
    print(f"{len(frame):,} rows, {counts[0]:,} patients, {counts[2]:,} histories")
    print(f"CSV {from_file:.2f} s; data frame {from_frame:.2f} s ({from_frame / from_file:.2f}x); "
          f"of categories {from_categories:.2f} s ({from_categories / from_file:.2f}x)")
    print(f"processor time: CSV {file_cpu:.2f} s, data frame {frame_cpu:.2f} s ({frame_cpu / file_cpu:.2f}x)")
    print(f"memory: {before:.2f} GB with the frame, {peak - before:.2f} GB more at the peak of reading it")
    part = frame.head(1_000_000)
    part = part[part["patient"] != part["patient"].iloc[-1]]
    model = interpole.Interpole(study=STUDY, policy="belief", restarts=1, threads=1).fit(part.head(5000).pipe(
        lambda rows: rows[rows["patient"] != rows["patient"].iloc[-1]]))
    seconds, cpu, _ = timed(lambda: model.predict_proba(part))
    print(f"predict_proba of {len(part):,} rows: {seconds:.2f} s, {cpu:.2f} s of processor time")


main()
