"""Stop means stop: after Ctrl-C or SIGTERM every verb ends within a second, with exit code 130, and every file is whole:
new, or as it was before.

    stop_test.py PROGRAM PROJECT [--measure]     prints how long each verb took
"""
import os
import signal
import subprocess
import sys
import time

import every_verb
from patience import slowed
from program import PROGRAM, ProgramTest, main

MEASURE = "--measure" in sys.argv
PROMISED = 1.0  # seconds
BUSY = slowed(3.0)  # what a machine that runs other tests beside may add


class Stop(ProgramTest):
    def setUp(self):
        super().setUp()
        every_verb.make_inputs(self)
        self.run_well("simulate", "bias", "--patients", 60_000, "--seed", 1, "--output", "many.csv", "--quiet")
        self.run_well("simulate", "adni", "--patients", 20_000, "--seed", 1, "--output", "adni.csv", "--quiet")
        for site in ("many-north", "many-south"):
            self.run_well("simulate", "diag", "--patients", 20_000, "--output", f"{site}.csv", "--quiet")
        self.write("hard.pomdp", hard_problem())

    def commands(self):
        """{what: arguments}: takes longer than anybody waits here."""
        learn = ("--study", self.study("bias"), "--data", "many.csv")
        model = ("--model", "model.json", "--data", "many.csv")
        adni = self.study("adni/adnimerge")
        return {
            "simulate": ("simulate", "bias", "--patients", 100_000_000, "--output", "out"),
            "simulate adni": ("simulate", "adni", "--patients", 100_000_000, "--output", "out"),
            "fit": ("fit", *learn, "--restarts", 2000, "--output", "out"),
            "fit of a mapped table": ("fit", "--study", adni, "--data", "adni.csv", "--restarts", 100, "--output", "out"),
            "fit another learner": ("fit", *learn, "--algorithm", "po-irl", "--output", "out"),
            "fit --states": ("fit", *learn, "--states", "2..6"),
            "sample": ("sample", *learn, "--draws", 1_000_000, "--output", "out"),
            "compare": ("compare", *learn, "--folds", 10),
            "reproduce": ("reproduce", "bias", "--datasets", 100, "--output", "tables"),
            "groups": ("groups", "--study", self.study("two-sites"), "--data", "north=many-north.csv", "--data",
                       "south=many-south.csv", "--restarts", 500),
            "evaluate": ("evaluate", *model, "--bootstrap", 100_000),
            "plan": ("plan", "hard.pomdp", "--method", "exact", "--epsilon", 1e-9, "--output", "out"),
            "plan by points": ("plan", "hard.pomdp", "--method", "point", "--epsilon", 1e-12, "--output", "out"),
        }

    def stop(self, arguments, how, after):
        """Seconds from the signal to the end, and the exit code; None if it had ended before."""
        with subprocess.Popen([PROGRAM, *map(str, arguments)], cwd=self.folder, stdout=subprocess.DEVNULL,
                              stderr=subprocess.PIPE, text=True) as process:
            try:
                process.communicate(timeout=slowed(after))
                return None
            except subprocess.TimeoutExpired:
                pass
            begin = time.monotonic()
            process.send_signal(how)
            _, errors = process.communicate(timeout=slowed(60))
            return time.monotonic() - begin, process.returncode, errors

    def left(self):
        return {name for name in os.listdir(self.folder) if ".interpole-" in name}

    def test_every_verb(self):
        for what, arguments in self.commands().items():
            for how, after in ((signal.SIGINT, 0.4), (signal.SIGINT, 0.8), (signal.SIGTERM, 2.0)):
                with self.subTest(what, how=how.name, after=after):
                    self.write("out", "old")
                    ended = self.stop(arguments, how, after)
                    if ended is None:
                        self.fail("it had finished before it was stopped")
                    seconds, code, errors = ended
                    if MEASURE:
                        print(f"{what:24} {how.name:8} after {after} s: {seconds:.2f} s", file=sys.stderr)
                    self.assertEqual(code, 130, errors)
                    self.assertLess(seconds, PROMISED if MEASURE else PROMISED + BUSY, errors)
                    self.assertEqual(self.left(), set())

    def test_reading_and_drafting(self):
        """Quick verbs on a large table, stopped while they read it."""
        model = ("--model", "model.json", "--data", "many.csv")
        for arguments in (("study", "init", "many.csv", "--output", "-"),
                          ("study", "check", self.study("bias"), "--data", "many.csv"),
                          ("beliefs", *model, "--output", "out"), ("audit", *model), ("bias", *model),
                          ("bias", *model, "--shares"), ("plot", "shares", *model, "--output", "out.svg"),
                          ("report", *model, "--output", "out"), ("explain", *model, "--csv", "out"),
                          ("plot", "beliefs", *model, "--output", "out.svg")):
            for after in (0.3, 0.5):
                with self.subTest(arguments[0], after=after):
                    ended = self.stop(arguments, signal.SIGINT, after)
                    if ended is None:
                        continue
                    seconds, code, errors = ended
                    if MEASURE:
                        print(f"{arguments[0]:24} SIGINT   after {after} s: {seconds:.2f} s", file=sys.stderr)
                    self.assertIn(code, (0, 130), errors)  # it may have been about to end
                    self.assertLess(seconds, PROMISED if MEASURE else PROMISED + BUSY, errors)
                    self.assertEqual(self.left(), set())


def hard_problem(states=12, actions=6, outcomes=6):
    """A POMDP whose exact value function nobody waits for."""
    lines = ["discount: 0.99", "values: reward", f"states: {states}", f"actions: {actions}", f"observations: {outcomes}"]
    for a in range(actions):
        for table, columns in (("T", states), ("O", outcomes)):
            for s in range(states):
                weights = [1 + (7 * a + 5 * s + 3 * c) % 11 for c in range(columns)]
                lines.append(f"{table}: {a} : {s}\n" + " ".join(f"{w / sum(weights):.17g}" for w in weights))
        for s in range(states):
            lines.append(f"R: {a} : {s} : * : * {(13 * a + 7 * s) % 17 - 8}")
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    if MEASURE:
        sys.argv.remove("--measure")
    main()
