#!/usr/bin/env python3
"""How the time of a gradient grows with records and their length: exponents fitted to one run of the benchmarks."""
import json
import math
import sys

LEAST_STEPS = 20_000  # smaller problems measure the call, not the sum


def exponent(points):
    """Slope of log time over log size, by least squares, and its standard error."""
    xs = [math.log(size) for size, _ in points]
    ys = [math.log(time) for _, time in points]
    mean_x, mean_y = sum(xs) / len(xs), sum(ys) / len(ys)
    spread = sum((x - mean_x) ** 2 for x in xs)
    slope = sum((x - mean_x) * (y - mean_y) for x, y in zip(xs, ys)) / spread
    errors = sum((y - mean_y - slope * (x - mean_x)) ** 2 for x, y in zip(xs, ys))
    return slope, math.sqrt(errors / max(len(xs) - 2, 1) / spread)


def main() -> None:
    with open(sys.argv[1], encoding="utf-8") as file:
        runs = json.load(file)["benchmarks"]
    curves = {}
    for run in runs:
        kind, _, rest = run["run_name"].partition("/")
        if run.get("aggregate_name") == "median" and kind in ("over_length", "over_records"):
            curves.setdefault((kind, rest.split("/")[0]), []).append(run)
    if not curves:
        return
    print("\ntime of one gradient ~ size^exponent (Proposition 2 allows: records 1, length 2)")
    for (kind, shape), points in curves.items():
        what = "length" if kind == "over_length" else "records"
        large = [(p[what], p["real_time"]) for p in points if p["records"] * p["length"] >= LEAST_STEPS]
        nodes, _ = exponent([(p[what], p["nodes"]) for p in points if p["records"] * p["length"] >= LEAST_STEPS])
        slope, error = exponent(large)
        print(f"  {what:<8} {shape:<5} time {slope:5.2f} ± {error:.2f}   nodes {nodes:5.2f}   "
              f"({len(large)} sizes from {large[0][0]:.0f} to {large[-1][0]:.0f})")


if __name__ == "__main__":
    main()
