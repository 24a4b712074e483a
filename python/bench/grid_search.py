#!/usr/bin/env python3
"""scikit-learn's GridSearchCV over kinds of dynamics and numbers of states on BIAS, folds by patient: log-loss of decisions of
patients not seen, for each. After `make python`:

    PYTHONPATH=build/python /usr/bin/python3 python/bench/grid_search.py [PATIENTS]     300 unless given
"""
import sys
import warnings

from sklearn.model_selection import GridSearchCV, GroupKFold

import interpole

PATIENTS = int(sys.argv[1]) if len(sys.argv) > 1 else 300
GRID = {"dynamics": ["shared", "coupled", "subjective"], "states": [1, 2, 3]}
FOLDS = 5


def main() -> None:
    warnings.simplefilter("ignore", interpole.Doubt)
    frame, _ = interpole.simulate("bias", patients=PATIENTS, seed=1)
    X, y, groups = interpole.as_rows(frame)
    model = interpole.Interpole(actions=sorted(set(y)), policy="belief", restarts=3, threads=1)
    search = GridSearchCV(model, GRID, cv=GroupKFold(FOLDS), scoring="neg_log_loss", error_score="raise", n_jobs=-1)
    search.fit(X, y, groups=groups)
    print(f"{PATIENTS} patients, {len(y):,} decisions, {FOLDS} folds by patient")
    found = search.cv_results_
    for parameters, mean, spread in zip(found["params"], found["mean_test_score"], found["std_test_score"]):
        print(f"{parameters['dynamics']:>10}, {parameters['states']} states: log-loss {-mean:.4f} (SD over folds {spread:.4f})")
    print(f"best: {search.best_params_}")


main()
