"""Every n-th call of a kind fails, in every verb that writes: a file is then as it was or new, never between; nothing else is
left beside it; and the program says what happened, with an exit code that is not 0.

    faults_test.py PROGRAM PROJECT SHIM [--verbs NAME,…] [--most N]
"""
import pathlib
import re
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
SHIM = pathlib.Path(sys.argv.pop(3)).resolve()


def option(name, default):
    if name not in sys.argv:
        return default
    at = sys.argv.index(name)
    value = sys.argv[at + 1]
    del sys.argv[at:at + 2]
    return value


ONLY = option("--verbs", "")
MOST = int(option("--most", 6))  # of calls of one kind in one run, from the first to the last

from every_verb import TIGER  # noqa: E402
from patience import slowed  # noqa: E402
from program import PROGRAM, ProgramTest, main  # noqa: E402

OLD = b"what was there before\n"
CALLS = ("create", "write", "fsync", "rename", "close", "read", "malloc")


class Faults(ProgramTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.runs = 0
        cls.failures = {call: 0 for call in CALLS}

    def setUp(self):
        super().setUp()
        self.run_well("simulate", "bias", "--patients", 25, "--seed", 1, "--output", "visits.csv", "--truth", "truth.json",
                      "--quiet")
        self.run_well("fit", "--study", self.study("bias"), "--data", "visits.csv", "--output", "model.json", "--restarts", 1,
                      "--policy", "belief", "--quiet")
        self.write("tiger.pomdp", TIGER)
        self.write("study.toml", self.study("bias").read_text())
        self.inputs = {path.name for path in self.folder.iterdir()}

    def verbs(self):
        """{name: (arguments, outputs)}"""
        learn = ("--study", "study.toml", "--data", "visits.csv")
        model = ("--model", "model.json", "--data", "visits.csv")
        quick = ("--restarts", 1, "--policy", "belief")
        verbs = {
            "simulate": (("simulate", "bias", "--patients", 5, "--output", "a", "--truth", "b"), ("a", "b")),
            "fit": (("fit", *learn, *quick, "--output", "a"), ("a",)),
            "fit with a checkpoint": (("fit", *learn, *quick, "--output", "a", "--checkpoint", "run.checkpoint",
                                       "--checkpoint-seconds", 0), ("a",)),
            "fit another learner": (("fit", *learn, "--algorithm", "bc", "--output", "a"), ("a",)),
            "sample": (("sample", *learn, *quick, "--draws", 5, "--warm-up", 5, "--chains", 1, "--output", "a", "--arviz",
                        "b"), ("a", "b")),
            "compare": (("compare", *learn, "--folds", 2, "--learners", "bc,majority", "--csv", "a"), ("a",)),
            "reproduce": (("reproduce", "diag", "--datasets", 1, "--patients", 10, "--learner", "majority", "--output",
                           "tables"), ()),
            "beliefs": (("beliefs", *model, "--output", "a"), ("a",)),
            "explain": (("explain", *model, "--csv", "a"), ("a",)),
            "audit": (("audit", *model, "--csv", "a"), ("a",)),
            "report": (("report", *model, "--output", "a", "--payload", "b"), ("a", "b")),
            "plot": (("plot", "policy", *model, "--output", "a.svg"), ("a.svg",)),
            "plan": (("plan", "tiger.pomdp", "--output", "a"), ("a",)),
            "export": (("export", "--model", "truth.json", "--output", "a"), ("a",)),
            "study init": (("study", "init", "visits.csv", "--force", "--output", "a"), ("a",)),
            "write-up": (("write-up", *model, "--output", "a"), ("a",)),
        }
        return {name: what for name, what in verbs.items() if not ONLY or name in ONLY.split(",")}

    def run_with(self, arguments, call, place):
        """The result, how many such calls there were, and whether one of them failed."""
        log = self.folder.parent / (self.folder.name + ".log")
        log.unlink(missing_ok=True)
        environment = {"LD_PRELOAD": str(SHIM), "FAULT": f"{call}:{place}", "FAULT_FOLDER": str(self.folder),
                       "FAULT_LOG": str(log)}
        result = subprocess.run([PROGRAM, *map(str, arguments), "--quiet", *self.threads(arguments)], cwd=self.folder, env=environment,
                                capture_output=True, timeout=slowed(120), check=False)
        said = re.fullmatch(r"(\d+)( failed)?\n", log.read_text()) if log.exists() else None
        log.unlink(missing_ok=True)
        self.runs += 1
        return result, int(said[1]) if said else 0, bool(said and said[2])

    @staticmethod
    def threads(arguments):
        return ("--threads", "1") if arguments[0] in ("fit", "sample", "compare", "reproduce") else ()

    def contents(self, outputs):
        return {name: (self.folder / name).read_bytes() for name in outputs}

    def put_back(self, outputs):
        for path in self.folder.iterdir():
            if path.name not in self.inputs:
                if path.is_dir():
                    for inner in path.iterdir():
                        inner.unlink()
                    path.rmdir()
                else:
                    path.unlink()
        for name in outputs:
            self.write(name, OLD)

    def look(self, arguments, outputs, new, call, place):
        self.put_back(outputs)
        result, _, failed = self.run_with(arguments, call, place)
        said = result.stderr.decode(errors="replace")
        found = self.contents(outputs)
        for name in outputs:
            self.assertIn(found[name], (OLD, new[name]), f"{name} is neither old nor new")
        left = {path.name for path in self.folder.iterdir()} - self.inputs - set(outputs) - {"tables", "run.checkpoint"}
        self.assertEqual(left, set(), said)
        self.assertIn(result.returncode, (0, 1, 3), said)
        if not failed:
            return
        self.failures[call] += 1
        if result.returncode != 0:
            self.assertRegex(said, r"^error: \S")
            return
        # What failed was not needed, or was done another way: a read of what may be missing, or memory that is asked for twice.
        self.assertIn(call, ("read", "malloc"), said)
        self.assertEqual(found, new, said)

    def test_every_call_that_fails(self):
        for name, (arguments, outputs) in self.verbs().items():
            self.put_back(outputs)
            self.run_well(*arguments, "--quiet", *self.threads(arguments))
            new = self.contents(outputs)
            for call in CALLS:
                self.put_back(outputs)
                _, count, _ = self.run_with(arguments, call, 0)
                places = range(1, count + 1)
                if count > MOST:
                    places = sorted({1 + round(i * (count - 1) / (MOST - 1)) for i in range(MOST)})
                for place in places:
                    with self.subTest(verb=name, call=call, place=place, of=count):
                        self.look(arguments, outputs, new, call, place)
        print(f"{self.runs} runs, {sum(self.failures.values())} faults: {self.failures}", file=sys.stderr)
        if not ONLY:
            for call in CALLS:
                self.assertGreater(self.failures[call], 10, f"{call} never failed: is the shim in place?")


if __name__ == "__main__":
    main()
