#!/usr/bin/env python3
"""What terms beside belief cost: the ICU lactate study fitted with belief alone and with habit, time and its three
covariates, in processor time, one thread, one after the other.

Usage: scripts/cost_of_terms.py [FOLDER with seta_steps.csv and seta_stays.csv] [--repeats 1] [--program build/interpole]
Says so and stops where the folder is absent: the data are not part of the project (studies/icu-lactate/README.md).
"""
import argparse
import os
import pathlib
import re
import statistics
import subprocess
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
STUDY = ROOT / "studies" / "icu-lactate" / "icu-lactate.toml"
TERMS = "habit = true\ntime = true\nlapse = false\nmissing = false\n"


def processor_seconds(command):
    process = subprocess.Popen(list(map(str, command)), stdout=subprocess.DEVNULL)
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise SystemExit(f"{command[0]} ended with {process.returncode}")
    return used.ru_utime + used.ru_stime


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", nargs="?", type=pathlib.Path, default=ROOT.parent / "shared" / "data" / "icu_lactate")
    parser.add_argument("--program", type=pathlib.Path, default=ROOT / "build" / "interpole")
    parser.add_argument("--repeats", type=int, default=1)
    parser.add_argument("--dynamics", default="coupled")
    asked = parser.parse_args()
    if not (asked.folder / "seta_steps.csv").exists():
        print(f"skipped: no seta_steps.csv in {asked.folder.name}; see studies/icu-lactate/README.md")
        return
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        text = STUDY.read_text(encoding="utf-8")
        stated = folder / "stated.toml"  # habit, time and the study's three covariates, taken without being weighed
        stated.write_text(re.sub(r"(?m)^\[policy\]\n", "[policy]\n" + TERMS, text, count=1), encoding="utf-8")
        fits = (("belief alone", STUDY, "belief"), ("habit, time, three covariates", stated, "full"),
                ("what the evidence asks for", STUDY, "auto"))
        seconds = {title: [] for title, _, _ in fits}
        for _ in range(asked.repeats):
            for title, study, policy in fits:
                seconds[title].append(processor_seconds(
                    [asked.program, "fit", "--study", study, "--data", f"steps={asked.folder}/seta_steps.csv",
                     "--data", f"stays={asked.folder}/seta_stays.csv", "--dynamics", asked.dynamics, "--policy", policy,
                     "--threads", 1, "--quiet", "--output", folder / "model.json"]))
        least = {title: min(values) for title, values in seconds.items()}
        print(f"{'fit, ' + asked.dynamics:<34} {'processor seconds, median':>26} {'least':>8} {'times belief alone (least)':>28}")
        for title, values in seconds.items():
            print(f"{title:<34} {statistics.median(values):>26.1f} {least[title]:>8.1f} "
                  f"{least[title] / least['belief alone']:>28.2f}", flush=True)


if __name__ == "__main__":
    main()
