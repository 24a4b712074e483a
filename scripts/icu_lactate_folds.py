#!/usr/bin/env python3
"""The ICU lactate study, held out and whole: how well are orders foreseen in stays the fit never saw, which terms does the
policy take, what is left of a difference between agent and world, and how long does it take?

Usage: scripts/icu_lactate_folds.py [FOLDER with seta_steps.csv and seta_stays.csv]
                                    [--folds-only | --fits-only | --searches-only]
--searches-only: whether the searches of each kind of dynamics end, in every fold, with the gradient's norm.
Says so and stops where the folder is absent: the data are not part of the project (studies/icu-lactate/README.md).
"""
import argparse
import csv
import json
import pathlib
import statistics
import subprocess
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
PROGRAM = ROOT / "build" / "interpole"
STUDY = ROOT / "studies" / "icu-lactate" / "icu-lactate.toml"
FOLDS = 5
OURS = ("interpole-terms", "interpole", "interpole-subjective", "interpole-shared")
LEARNERS = (*OURS, "interpole-averaged", "po-mb-il", "po-irl", "off-po-irl", "r-bc", "recurrent-tree", "contextual", "irl",
            "mb-il", "gail", "bc", "logistic", "previous-action", "majority")


def run(*arguments):
    return json.loads(subprocess.run([PROGRAM, *map(str, arguments), "--json"], check=True, stdout=subprocess.PIPE,
                                     text=True).stdout)


def compare(tables, learners, against, threads):
    """Five folds by stay, the same for all learners, and every learner less one of ours on the same stays."""
    table = run("compare", "--study", STUDY, *tables, "--learners", ",".join(learners), "--threads", threads, *against)
    print(f"{'learner':<22} {'log-loss':<18} {'AUROC':<18} {'calibration':<12} {'first steps':<12} seconds of all fits", flush=True)
    for row in table["learners"]:
        shown = [f"{row[key]['mean']:.4f} ± {row[key]['standard_error']:.4f}" for key in ("log_loss", "auroc")]
        print(f"{row['learner']:<22} {shown[0]:<18} {shown[1]:<18} {row['calibration_error']['mean']:<12.4f} "
              f"{row['first_steps']['mean']:<12.4f} {row['seconds']:.0f} {row.get('doubt', '')}", flush=True)
    paired = table["paired"]
    print(f"\nless {paired['reference']}: log-loss [95%], AUROC [95%]")
    for row in paired["learners"]:
        shown = ["{:+.4f} [{:+.4f}, {:+.4f}]".format(row[key]["mean"], *row[key]["interval"]) for key in ("log_loss", "auroc")]
        print(f"{row['learner']:<22} {shown[0]:<30} {shown[1]}")
    for sentence in table["sentences"]:
        print(f"note: {sentence}")


def mean_beliefs(folder, tables, data, model):
    """Mean belief in each state before a decision, by SOFA and by outcome: do the names mean what they say?"""
    subprocess.run([PROGRAM, "beliefs", "--study", STUDY, *tables, "--model", model, "--output", folder / "beliefs.csv",
                    "--quiet"], check=True)
    with open(data / "seta_stays.csv", encoding="utf-8") as file:
        stays = {row["id"]: row for row in csv.DictReader(file)}
    with open(folder / "beliefs.csv", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    states = [name for name in rows[0] if name.startswith("belief:")]
    groups = [("SOFA 0-3", lambda s: 0 <= int(s["sofa"]) <= 3), ("SOFA 4-7", lambda s: 4 <= int(s["sofa"]) <= 7),
              ("SOFA 8-11", lambda s: 8 <= int(s["sofa"]) <= 11), ("SOFA 12+", lambda s: int(s["sofa"]) >= 12),
              ("survived", lambda s: s["died_in_hospital"] == "0"), ("died", lambda s: s["died_in_hospital"] == "1")]
    print("".join(f"{name.removeprefix('belief:'):>14}" for name in ["belief:", *states]))
    for title, belongs in groups:
        chosen = [row for row in rows if belongs(stays[row["patient"]])]
        print(f"{title:>14}" + "".join(f"{statistics.fmean(float(row[name]) for row in chosen):>14.3f}" for name in states))


def whole(folder, tables, data, policy):
    """The fit to all stays, what it says of terms and of a difference, and what beliefs mean in it."""
    model = folder / f"{policy}.json"
    begin = time.monotonic()
    words = subprocess.run([PROGRAM, "fit", "--study", STUDY, *tables, "--policy", policy, "--output", model],
                           check=True, stdout=subprocess.PIPE, text=True).stdout
    print(f"\n--- coupled, --policy {policy}: {time.monotonic() - begin:.1f} s\n{words}", flush=True)
    bias = run("bias", "--study", STUDY, *tables, "--model", model, "--quiet")
    flagged = sum(row["flagged"] for row in bias["parameters"])
    cost = bias["cost"]["changed_beyond_chance"] if "cost" in bias else "not said"
    print(f"bias: {bias['verdict']}, {flagged} of {len(bias['parameters'])} numbers stand out, log Bayes factor "
          f"{bias['log_bayes_factor']:.1f}; decisions that would come out otherwise, beyond chance: {cost}")
    print(subprocess.run([PROGRAM, "bias", "--shares", "--study", STUDY, *tables, "--model", model, "--quiet"], check=True,
                         stdout=subprocess.PIPE, text=True).stdout, flush=True)
    mean_beliefs(folder, tables, data, model)


def searches(folder, data, policy):
    """Of each kind of dynamics, fitted without the stays of each fold: did the search of the best explanation end?"""
    with open(data / "seta_steps.csv", encoding="utf-8") as file:
        head, *rows = file.readlines()
    stays = {name: place for place, name in enumerate(dict.fromkeys(row.split(",", 1)[0] for row in rows))}
    print(f"\n{'dynamics':<12} {'fold':<5} {'converged':<10} {'gradient norm':<14} {'log-posterior':<16} {'searches':<9} seconds")
    for dynamics in ("shared", "coupled", "subjective"):
        for fold in range(FOLDS):
            steps, model = folder / "steps.csv", folder / "fold.json"
            steps.write_text(head + "".join(row for row in rows if stays[row.split(",", 1)[0]] % FOLDS != fold), encoding="utf-8")
            begin = time.monotonic()
            subprocess.run([PROGRAM, "fit", "--study", STUDY, "--data", f"steps={steps}", "--data", f"stays={data}/seta_stays.csv",
                            "--dynamics", dynamics, "--policy", policy, "--threads", "1", "--quiet", "--output", model], check=True,
                           stdout=subprocess.DEVNULL)
            fit = json.loads(model.read_text(encoding="utf-8"))["fit"]
            print(f"{dynamics:<12} {fold + 1:<5} {'yes' if fit['converged'] else 'no':<10} {fit['gradient_norm']:<14.2g} "
                  f"{fit['log_posterior']:<16.3f} {fit['restarts']:<9} {time.monotonic() - begin:.0f}", flush=True)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", nargs="?", type=pathlib.Path, default=ROOT.parent / "shared" / "data" / "icu_lactate")
    parser.add_argument("--folds-only", action="store_true")
    parser.add_argument("--fits-only", action="store_true")
    parser.add_argument("--searches-only", action="store_true")
    parser.add_argument("--policy", default="belief", help="of the searches: belief (default), auto or full")
    parser.add_argument("--learners", default=",".join(LEARNERS))
    parser.add_argument("--against", default="", help="learner that differences are taken from; default: the least log-loss")
    parser.add_argument("--threads", type=int, default=0)
    asked = parser.parse_args()
    data = asked.folder
    if not (data / "seta_steps.csv").exists():
        print(f"skipped: no seta_steps.csv in {data.name}; see studies/icu-lactate/README.md")
        return
    tables = ("--data", f"steps={data}/seta_steps.csv", "--data", f"stays={data}/seta_stays.csv")
    if asked.searches_only:
        with tempfile.TemporaryDirectory() as name:
            searches(pathlib.Path(name), data, asked.policy)
        return
    if not asked.fits_only:
        compare(tables, asked.learners.split(","), ("--against", asked.against) if asked.against else (),
                asked.threads)
    if asked.folds_only:
        return
    with tempfile.TemporaryDirectory() as name:
        for policy in ("belief", "auto"):
            whole(pathlib.Path(name), tables, data, policy)


if __name__ == "__main__":
    main()
