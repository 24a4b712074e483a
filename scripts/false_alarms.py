#!/usr/bin/env python3
"""How often a fit warns though nothing is wrong: simulated records whose decision-makers are the model, half of them from DIAG,
where agent and world are one, half from BIAS, where they differ in one place.

    scripts/false_alarms.py PROGRAM [SETS] [PATIENTS]        100 sets of 300 patients unless told

A false alarm is a search called unfinished, restarts or modes called at odds, a model check that fails, a verdict that is
withheld, and a difference that is said to be where there is none.
"""
import json
import pathlib
import subprocess
import sys
import tempfile

PROJECT = pathlib.Path(__file__).resolve().parent.parent


def alarms(program, environment, patients, seed, folder):
    def run(*arguments):
        words = [program, *map(str, arguments), "--quiet"]
        return subprocess.run(words, cwd=folder, capture_output=True, text=True, check=True).stdout

    run("simulate", environment, "--patients", patients, "--seed", seed, "--output", "visits.csv", "--truth", "truth.json")
    fit = json.loads(run("fit", "--study", PROJECT / f"studies/{environment}.toml", "--data", "visits.csv", "--output",
                         "model.json", "--seed", seed, "--json"))
    bias = json.loads(run("bias", "--model", "model.json", "--data", "visits.csv", "--json"))
    found = []
    if not fit["converged"]:
        found.append("not converged")
    if not fit["curvature_of_a_maximum"]:
        found.append("no maximum")
    found += [f"check {check['name']}" for check in fit["checks"] if check["failed"]]
    if bias["verdict"] == "withheld":
        found.append(f"withheld: {bias['reasons']}")
    found += [warning for warning in bias["warnings"]]
    if environment == "diag" and bias["verdict"] == "difference":
        found.append("a false difference")
    return found, bias["verdict"]


def main():
    program = str(pathlib.Path(sys.argv[1]).resolve())
    sets = int(sys.argv[2]) if len(sys.argv) > 2 else 100
    patients = int(sys.argv[3]) if len(sys.argv) > 3 else 300
    alarmed = 0
    verdicts = {}
    for seed in range(1, sets + 1):
        environment = "diag" if seed % 2 else "bias"
        with tempfile.TemporaryDirectory() as name:
            found, verdict = alarms(program, environment, patients, seed, pathlib.Path(name))
        verdicts[environment, verdict] = verdicts.get((environment, verdict), 0) + 1
        alarmed += bool(found)
        if found:
            print(f"{environment}, seed {seed}: {'; '.join(found)}", flush=True)
    told = ", ".join(f"{environment} {verdict} {count}" for (environment, verdict), count in sorted(verdicts.items()))
    print(f"{alarmed} of {sets} sets of {patients} patients with a false alarm; verdicts: {told}")


if __name__ == "__main__":
    main()
