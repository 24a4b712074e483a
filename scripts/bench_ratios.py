#!/usr/bin/env python3
"""Turns one run of the kernel benchmarks into a table of times per node and of ratios."""
import json
import sys


def main() -> None:
    with open(sys.argv[1], encoding="utf-8") as file:
        runs = json.load(file)["benchmarks"]
    median = {}
    for run in runs:
        if run.get("aggregate_name") == "median" and not run["run_name"].startswith("over_"):
            median[run["run_name"].replace("/real_time", "")] = run
    print(f"{'kernel, value + gradient':<40} {'nodes':>9} {'time':>12} {'ns/node':>9}")
    for name, run in median.items():
        print(f"{name:<40} {run['nodes']:>9.0f} {run['real_time'] / 1e3:>9.1f} µs {run['real_time'] / run['nodes']:>9.1f}")

    def ratio(slow: str, fast: str) -> str:
        return f"{median[slow]['real_time'] / median[fast]['real_time']:6.2f}×"

    def per_node(slow: str, fast: str) -> str:
        times = [median[name]["real_time"] / median[name]["nodes"] for name in (slow, fast)]
        return f"{times[0] / times[1]:6.2f}×"

    print("\nratios of times in this run")
    rows = [(f"vector over plain, random model, S = {s}", f"states/plain/{s}", f"states/vector/{s}") for s in (2, 3, 5, 10)]
    rows += [(f"two threads over one, random model, S = {s}", f"states/vector/{s}", f"states/vector_2_threads/{s}") for s in (2, 3, 5, 10)]
    rows += [
        ("vector over plain, BIAS 1,000 patients", "bias/tree_plain/1000", "bias/tree_vector/1000"),
        ("vector over plain, BIAS 100,000 patients", "bias/tree_plain/100000", "bias/tree_vector/100000"),
        ("two threads over one, BIAS 100,000", "bias/tree_vector/100000", "bias/tree_vector_2_threads/100000"),
        ("tree over flat list, BIAS 100,000", "bias/flat_vector/100000", "bias/tree_vector/100000"),
    ]
    for title, slow, fast in rows:
        print(f"  {title:<48} {ratio(slow, fast)}")
    for title, values in (("every value distinct", "-1"), ("values of one decimal", "1")):
        print(f"  {'two measured factors over listed outcomes, S = 3, by node: ' + title:<48} "
              f"{per_node(f'measured/vector/{values}', 'states/vector/3')}")


if __name__ == "__main__":
    main()
