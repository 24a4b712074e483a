"""Posterior of BIAS by interpole and by Stan side by side: sampling_table.py FOLDER

Exits with 1 if a mean or a standard deviation differs by more than four Monte Carlo standard errors.
"""

import json
import math
import sys

LARGEST = 4.0  # Monte Carlo standard errors of the difference


def read(path):
    with open(path) as file:
        return json.load(file)


def error_of_sd(quantity):
    """Of the standard deviation of nearly normal draws."""
    return quantity["sd"] / math.sqrt(2.0 * max(min(quantity["ess_bulk"], quantity["ess_tail"]), 2.0))


def report(folder, dynamics):
    ours, stan = read(f"{folder}/bias-sample-{dynamics}.json"), read(f"{folder}/bias-stan-{dynamics}.json")
    mine = {quantity["name"]: quantity for quantity in ours["quantities"]}
    print(f"\n{dynamics}: interpole {ours['draws']} draws in {ours['seconds']:.2f} s, Stan {stan['chains']} x {stan['draws']} "
          f"draws in {stan['seconds']:.1f} s (after as many of warm-up, compiling not counted)")
    print(f"{'':<42} {'mean':>19} {'sd':>17} {'differ by (errors)':>20}")
    worst = 0.0
    for name, theirs in stan["quantities"].items():
        x = mine[name]
        of_mean = (x["mean"] - theirs["mean"]) / math.hypot(x["mcse_mean"], theirs["mcse_mean"])
        of_sd = (x["sd"] - theirs["sd"]) / math.hypot(error_of_sd(x), error_of_sd(theirs))
        worst = max(worst, abs(of_mean), abs(of_sd))
        print(f"{name:<42} {x['mean']:>9.4f} {theirs['mean']:>9.4f} {x['sd']:>8.4f} {theirs['sd']:>8.4f} "
              f"{of_mean:>9.2f} {of_sd:>9.2f}")
    rate = min(mine[name]["ess_bulk"] for name in stan["quantities"]) / ours["seconds"]
    stan_rate = min(theirs["ess_bulk"] for theirs in stan["quantities"].values()) / stan["seconds"]
    print(f"effective draws per second (worst quantity): interpole {rate:.0f}, Stan {stan_rate:.1f}: {rate / stan_rate:.0f}x")
    return worst


def main():
    worst = max(report(sys.argv[1], dynamics) for dynamics in ("shared", "subjective"))
    print(f"\nlargest difference: {worst:.2f} Monte Carlo standard errors (allowed: {LARGEST:g})")
    return 1 if worst > LARGEST else 0


if __name__ == "__main__":
    sys.exit(main())
