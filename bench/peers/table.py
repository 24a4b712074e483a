"""Puts the results of all programs side by side: table.py FOLDER STUDY...

Exits with 1 if Stan and interpole end at different log-likelihoods, or if the two peers disagree about the likelihood
at the common start: then the times do not belong to the same fit.
"""

import glob
import json
import statistics
import sys

SAME_OPTIMUM = 1e-3  # nats
SAME_FUNCTION = 1e-8  # nats, at the common start
COLUMNS = ["program", "seconds", "ratio", "evaluations", "actions", "observations", "total", "difference",
           "O(neg|diseased)", "O(neg|healthy)"]


def read(path):
    with open(path) as file:
        return json.load(file)


def read_interpole(folder, study):
    """Several runs of the same fit: the median of their times, the results of the first."""
    runs = [read(path) for path in sorted(glob.glob(f"{folder}/{study}-interpole-*.json"))]
    model = read(f"{folder}/{study}.json")
    return runs[0] | {"program": "interpole", "seconds": statistics.median(run["seconds"] for run in runs),
                      "observation": model["observation"][0]}


def row(result, ours):
    likelihood = result["log_likelihood"]
    healthy, diseased = (outcomes[0] for outcomes in result["observation"])
    at_least = ">" if result.get("capped") else ""
    return [result["program"], f"{at_least}{result['seconds']:.6f}",
            f"{at_least}{result['seconds'] / ours['seconds']:,.1f}x",
            str(result["evaluations"]), f"{likelihood['actions']:.4f}", f"{likelihood['observations']:.4f}",
            f"{likelihood['total']:.6f}", f"{likelihood['total'] - ours['log_likelihood']['total']:+.6f}",
            f"{diseased:.4f}", f"{healthy:.4f}"]


def print_table(rows):
    widths = [max(len(line[i]) for line in rows) for i in range(len(rows[0]))]
    for line in rows:
        print("  ".join([line[0].ljust(widths[0])] + [cell.rjust(width) for cell, width in zip(line[1:], widths[1:])]))


def disagreements(study, ours, stan, algorithm1):
    gap = stan["log_likelihood"]["total"] - ours["log_likelihood"]["total"]
    if abs(gap) > SAME_OPTIMUM:
        yield f"{study}: Stan and interpole end {gap:+.6f} nats apart (allowed: {SAME_OPTIMUM:g}): not the same optimum"
    for part in ("actions", "observations"):
        gap = stan["log_likelihood_at_start"][part] - algorithm1["log_likelihood_at_start"][part]
        if abs(gap) > SAME_FUNCTION:
            yield f"{study}: Stan and PyTorch differ by {gap:+.2e} nats ({part}) at the common start: not the same model"


def report(folder, study):
    ours = read_interpole(folder, study)
    stan = read(f"{folder}/{study}-stan.json")
    expected, exact = (read(f"{folder}/{study}-algorithm1-{monitor}.json") for monitor in ("expected", "exact"))
    print(f"\n{study.upper()}")
    print_table([COLUMNS] + [row(result, ours) for result in (ours, stan, expected, exact)])
    print(f"stopped because: interpole: {ours['stop_reason']}; Stan: {stan['stop_reason']}; "
          f"Algorithm 1: {expected['stop_reason']}; with exact monitor: {exact['stop_reason']}")
    print(f"compiling the Stan model took {stan['compile_seconds']:.1f} s and is not in the table")
    if expected["capped"] or exact["capped"]:
        print("--quick: Algorithm 1 was cut short, so its time and ratio are lower bounds and its optimum is not reached")
    return list(disagreements(study, ours, stan, exact))


def main():
    if len(sys.argv) < 3:
        sys.exit("usage: table.py FOLDER STUDY...")
    folder, studies = sys.argv[1], sys.argv[2:]
    failures = [failure for study in studies for failure in report(folder, study)]
    print("\nratio: seconds divided by interpole's. actions, observations, total: log-likelihood (nats) at the end.\n"
          "difference: of the total from interpole's.")
    for failure in failures:
        print(failure, file=sys.stderr)
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
