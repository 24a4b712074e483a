#!/usr/bin/env python3
"""Five-fold held-out scores on the ICU lactate study: how well are orders predicted in stays the fit never saw?

Usage: scripts/icu_lactate_folds.py [FOLDER with seta_steps.csv and seta_stays.csv]
Says so and stops where the folder is absent: the data are not part of the project (studies/icu-lactate/README.md).
"""
import csv
import json
import pathlib
import statistics
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
PROGRAM = ROOT / "build" / "interpole"
STUDY = ROOT / "studies" / "icu-lactate" / "icu-lactate.toml"
FOLDS = 5


def run(*arguments):
    return json.loads(subprocess.run([PROGRAM, *map(str, arguments), "--json"], check=True, capture_output=True,
                                     text=True).stdout)


def write_folds(steps, folder):
    """Stays are dealt to folds in the order of their numbers."""
    with open(steps, encoding="utf-8", newline="") as file:
        reader = csv.reader(file)
        header = next(reader)
        rows = list(reader)
    fold_of = {stay: i % FOLDS for i, stay in enumerate(sorted({row[0] for row in rows}))}
    for fold in range(FOLDS):
        for name, inside in (("train", lambda row: fold_of[row[0]] != fold), ("test", lambda row: fold_of[row[0]] == fold)):
            with open(folder / f"{name}{fold}.csv", "w", encoding="utf-8", newline="") as file:
                writer = csv.writer(file)
                writer.writerow(header)
                writer.writerows(row for row in rows if inside(row))


def mean_beliefs(folder, data, dynamics):
    """Mean belief in each state over a stay, by SOFA and by outcome: do the names mean what they say?"""
    tables = ("--data", f"steps={data}/seta_steps.csv", "--data", f"stays={data}/seta_stays.csv")
    run("fit", "--study", STUDY, *tables, "--dynamics", dynamics, "--output", folder / "all.json", "--quiet")
    subprocess.run([PROGRAM, "beliefs", "--study", STUDY, *tables, "--model", folder / "all.json", "--output",
                    folder / "beliefs.csv", "--quiet"], check=True)
    with open(data / "seta_stays.csv", encoding="utf-8") as file:
        stays = {row["id"]: row for row in csv.DictReader(file)}
    with open(folder / "beliefs.csv", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    states = [name for name in rows[0] if name.startswith("belief:")]
    groups = [("SOFA 0-3", lambda s: 0 <= int(s["sofa"]) <= 3), ("SOFA 4-7", lambda s: 4 <= int(s["sofa"]) <= 7),
              ("SOFA 8-11", lambda s: 8 <= int(s["sofa"]) <= 11), ("SOFA 12+", lambda s: int(s["sofa"]) >= 12),
              ("survived", lambda s: s["died_in_hospital"] == "0"), ("died", lambda s: s["died_in_hospital"] == "1")]
    print(f"\nmean belief before a decision, {dynamics}, all stays")
    print(f"{'':<12}" + "".join(f"{name.removeprefix('belief:'):>14}" for name in states))
    for title, belongs in groups:
        chosen = [row for row in rows if belongs(stays[row["patient"]])]
        print(f"{title:<12}" + "".join(f"{statistics.fmean(float(row[name]) for row in chosen):>14.3f}" for name in states))


def main():
    data = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ROOT.parent / "shared" / "data" / "icu_lactate")
    if not (data / "seta_steps.csv").exists():
        print(f"skipped: no seta_steps.csv in {data.name}; see studies/icu-lactate/README.md")
        return
    stays = data / "seta_stays.csv"
    print(f"{'dynamics':<12} {'AUROC of order':<24} {'log-loss':<24} seconds per fit")
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        write_folds(data / "seta_steps.csv", folder)
        for dynamics in ("subjective", "coupled", "shared"):
            auroc, loss, seconds = [], [], []
            for fold in range(FOLDS):
                model = folder / "model.json"
                fitted = run("fit", "--study", STUDY, "--data", f"steps={folder}/train{fold}.csv", "--data",
                             f"stays={stays}", "--dynamics", dynamics, "--output", model, "--quiet")
                scores = run("evaluate", "--study", STUDY, "--model", model, "--data", f"steps={folder}/test{fold}.csv",
                             "--data", f"stays={stays}", "--quiet")
                auroc.append(scores["by_action"]["order"]["auroc"])
                loss.append(scores["log_loss"])
                seconds.append(fitted["seconds"])
            print(f"{dynamics:<12} {statistics.mean(auroc):.4f} ± {statistics.stdev(auroc):.4f}{'':<8} "
                  f"{statistics.mean(loss):.4f} ± {statistics.stdev(loss):.4f}{'':<8} {statistics.mean(seconds):.1f}")
        for dynamics in ("subjective", "coupled", "shared"):
            mean_beliefs(folder, data, dynamics)


if __name__ == "__main__":
    main()
