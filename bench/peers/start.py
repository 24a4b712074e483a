"""Draws the point all programs start from and writes it for each of them: FOLDER/STUDY-start.json for the peers,
FOLDER/STUDY.toml (the study with its [start] replaced) for interpole.

Outcome rows and, in DIAG, the initial belief are uniform on the simplex; the means of the two declarations are (1,0)
and (0,1) plus N(0, 0.001^2), their sum kept at one.
"""

import argparse
import json
import re

import numpy as np


def draw_start(seed):
    random = np.random.default_rng(seed)
    healthy, diseased = random.normal([1.0, 0.0], 0.001)
    return {
        "seed": seed,
        "observation": random.dirichlet([1.0, 1.0], size=2).tolist(),
        "initial": random.dirichlet([1.0, 1.0]).tolist(),
        "means": [[healthy, 1.0 - healthy], [diseased, 1.0 - diseased]],
    }


def without_start(study_text):
    """The study without its [start] and [start.*] tables."""
    kept, dropping = [], False
    for line in study_text.splitlines():
        if line.startswith("["):
            dropping = re.match(r"\[start[].]", line) is not None
        if not dropping:
            kept.append(line)
    return "\n".join(kept)


def start_tables(start, learn_initial):
    initial = [f"initial_belief = {start['initial']}"] if learn_initial else []
    healthy, diseased = start["means"]
    return "\n".join([
        "", "[start]", "noise = 0.0", *initial,
        "", "[start.observation]", f"monitor = {start['observation']}",
        "", "[start.means]", f"declare-healthy = {healthy}", f"declare-diseased = {diseased}", "",
    ])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--study", choices=["bias", "diag"], required=True)
    parser.add_argument("--studies", default="studies", help="folder of the study files")
    parser.add_argument("--folder", required=True, help="where to write")
    parser.add_argument("--seed", type=int, required=True)
    options = parser.parse_args()

    start = draw_start(options.seed)
    with open(f"{options.folder}/{options.study}-start.json", "w") as file:
        json.dump(start, file, indent=1)
    with open(f"{options.studies}/{options.study}.toml") as file:
        study_text = without_start(file.read())
    with open(f"{options.folder}/{options.study}.toml", "w") as file:
        file.write(study_text + "\n" + start_tables(start, learn_initial=options.study == "diag"))


if __name__ == "__main__":
    main()
