#!/usr/bin/env python3
"""What single empty cells cost, in the environment "vitals": beliefs beside the true ones, of fits to

  complete  tables in which every cell that was measured stands;
  unseen    tables in which 30% of the cells are empty because nobody measured them (as `simulate vitals` writes them);
  lost      the complete tables without 30% of their cells, which clinicians saw and the table does not hold.

The first and the last are judged on the complete tables, the second on its own.

Usage: scripts/missing_cells.py PROGRAM [SETS [PATIENTS]]
"""
import json
import math
import pathlib
import random
import subprocess
import sys
import tempfile

SHARE = 0.3
STUDY = str(pathlib.Path(__file__).resolve().parent.parent / "studies" / "vitals.toml")
# As environments/vitals.cpp has it: pressure (mean, sd), lactate (median, log sd), breaths (mean).
STATES = [(78.0, 9.0, 1.4, 0.4, 16.0), (62.0, 9.0, 4.4, 0.5, 22.0)]
BELIEVED = [STATES[0], (62.0, 9.0, 3.1, 0.5, 22.0)]
MOVES = [(0.93, 0.07), (0.1, 0.9)]
MEANS = [(1.0, 0.0), (0.6, 0.4), (0.0, 1.0)]
ACTIONS = ["watch", "measure", "transfer"]


def log_density(row, pressure, lactate, breaths):
    mean, sd, median, log_sd, rate = row
    total = 0.0 if pressure is None else -0.5 * ((pressure - mean) / sd) ** 2 - math.log(sd)
    total += 0.0 if breaths is None else breaths * math.log(rate) - rate
    if lactate is not None:
        total += -0.5 * (math.log(lactate / median) / log_sd) ** 2 - math.log(log_sd)
    return total


def poisson(generator, rate):
    count, product, limit = 0, generator.random(), math.exp(-rate)
    while product > limit:
        count, product = count + 1, product * generator.random()
    return count


def record(generator, unseen=None):
    belief, state, rows = 0.2, int(generator.random() < 0.2), []
    for _ in range(10):
        scores = [math.exp(-6.0 * ((1 - belief - m[0]) ** 2 + (belief - m[1]) ** 2)) for m in MEANS]
        action = generator.choices(range(3), scores)[0]
        if action == 2:
            rows.append((ACTIONS[action], None, None, None))
            break
        state = int(generator.random() < MOVES[state][1])
        mean, sd, median, log_sd, rate = STATES[state]
        pressure, breaths = generator.gauss(mean, sd), poisson(generator, rate)
        lactate = median * math.exp(generator.gauss(0, log_sd)) if action == 1 else None
        if unseen:
            pressure, lactate, breaths = (None if unseen.random() < SHARE else x for x in (pressure, lactate, breaths))
        rows.append((ACTIONS[action], pressure, lactate, breaths))
        before = (1 - belief) * MOVES[0][1] + belief * MOVES[1][1]
        odds = math.log(before / (1 - before))
        odds += log_density(BELIEVED[1], pressure, lactate, breaths) - log_density(BELIEVED[0], pressure, lactate, breaths)
        belief = 1 / (1 + math.exp(-odds))
    return rows


def write(path, records, generator=None):
    kept = lambda x: "" if x is None or (generator and generator.random() < SHARE) else f"{x:.6g}"
    with open(path, "w") as table:
        table.write("patient,step,action,pressure,lactate,breaths\n")
        for i, rows in enumerate(records):
            for t, (action, *values) in enumerate(rows):
                table.write(f"p{i:05},{t + 1},{action},{','.join(map(kept, values))}\n")


def main():
    program = sys.argv[1]
    sets = int(sys.argv[2]) if len(sys.argv) > 2 else 5
    patients = int(sys.argv[3]) if len(sys.argv) > 3 else 1000

    def run(*words):
        return subprocess.run([program, *words, "--quiet"], check=True, capture_output=True, text=True).stdout

    found = {"complete": [], "unseen": [], "lost": []}
    with tempfile.TemporaryDirectory() as folder:
        name = lambda file: f"{folder}/{file}"
        run("simulate", "vitals", "--patients", "1", "--output", name("one.csv"), "--truth", name("truth.json"))
        for seed in range(1, sets + 1):
            records = [record(random.Random(seed * 1000003 + i)) for i in range(patients)]
            write(name("complete.csv"), records)
            write(name("lost.csv"), records, random.Random(seed))
            write(name("unseen.csv"), [record(random.Random(seed * 1000003 + i), random.Random(i)) for i in range(patients)])
            for kind, mismatches in found.items():
                run("fit", "--study", STUDY, "--data", name(f"{kind}.csv"), "--policy", "belief", "--restarts", "2",
                    "--seed", str(seed), "--output", name("model.json"))
                said = run("evaluate", "--model", name("model.json"), "--study", STUDY,
                           "--data", name("unseen.csv" if kind == "unseen" else "complete.csv"), "--truth", name("truth.json"), "--json")
                mismatches.append(1000 * json.loads(said)["belief_mismatch"])
            print(f"set {seed}, belief mismatch × 10³:", ", ".join(f"{kind} {x[-1]:.3f}" for kind, x in found.items()), flush=True)
    mean = {kind: sum(values) / sets for kind, values in found.items()}
    print(f"mean of {sets}:", ", ".join(f"{kind} {x:.3f} (ratio {x / mean['complete']:.2f})" for kind, x in mean.items()))


if __name__ == "__main__":
    main()
