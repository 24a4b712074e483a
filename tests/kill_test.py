"""Killed at random moments (SIGKILL, as by a power cut or a full cluster), `sample`, `fit` and `reproduce` go on from their
checkpoint, and `compare` begins anew, to the same bytes as if nothing had happened; none ever leaves an unreadable file.

    kill_test.py PROGRAM PROJECT [--kills N]     N kills of each verb; 3 unless told
"""
import csv
import hashlib
import json
import random
import subprocess
import sys
import time

from patience import slowed
from program import PROGRAM, ProgramTest, main

KILLS = 3


class Killed(ProgramTest):
    def setUp(self):
        super().setUp()
        self.random = random.Random(1)
        self.run_well("simulate", "bias", "--patients", 300, "--seed", 5, "--output", "visits.csv", "--quiet")

    def command(self, verb, *more):
        return [verb, "--study", self.study("bias"), "--data", "visits.csv", "--quiet", *map(str, more)]

    def check_checkpoint(self, name):
        """Absent, or whole: it ends with a digest of all that stands above."""
        path = self.folder / name
        if not path.exists():
            return False
        body, _, digest = path.read_bytes().rpartition(b"sha256 ")
        self.assertEqual(digest.decode().strip(), hashlib.sha256(body).hexdigest())
        return True

    def check_output(self, name):
        path = self.folder / name
        if not path.exists():
            return
        if name.endswith(".json"):
            json.loads(path.read_text())
        elif name.endswith(".csv"):
            with open(path, encoding="utf-8", newline="") as file:
                rows = list(csv.reader(file))
            self.assertEqual({len(row) for row in rows}, {len(rows[0])})

    def run_until_killed(self, arguments, patience):
        """True if it was killed, false if it had finished before."""
        command = [PROGRAM, *arguments, "--threads", str(self.random.randint(1, 3))]
        with subprocess.Popen(command, cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
            try:
                _, errors = process.communicate(timeout=patience)
            except subprocess.TimeoutExpired:
                process.kill()
                process.communicate()
                return True
        self.assertEqual(process.returncode, 0, errors)
        return False

    def content(self, name):
        """The bytes, but for the columns that hold times."""
        path = self.folder / name
        if not name.endswith(".csv"):
            return path.read_bytes()
        with open(path, encoding="utf-8", newline="") as file:
            return [{key: value for key, value in row.items() if key != "fit_seconds"} for row in csv.DictReader(file)]

    def forget(self, outputs):
        for name in outputs:
            (self.folder / name).unlink(missing_ok=True)

    def kill_and_resume(self, arguments, outputs, more=("--checkpoint", "run.checkpoint", "--checkpoint-seconds", "0.02"),
                        checkpoint="run.checkpoint"):
        """`more`: with which it goes on from `checkpoint`; None: it begins anew."""
        begin = time.monotonic()
        self.run_well(*arguments)
        duration = time.monotonic() - begin
        expected = {name: self.content(name) for name in outputs}
        arguments = [*arguments, *more]
        kills = resumed = finished = 0
        while kills < KILLS or finished == 0:
            self.forget(outputs)
            if checkpoint and not more:  # kept with what is finished, for more of it
                (self.folder / checkpoint).unlink(missing_ok=True)
            while self.run_until_killed(arguments, self.random.uniform(0.0, duration) if kills < KILLS else slowed(300.0)):
                kills += 1
                for name in outputs:
                    self.check_output(name)
                resumed += checkpoint is not None and self.check_checkpoint(checkpoint)
            finished += 1
            for name in outputs:
                self.assertEqual(self.content(name), expected[name], name)
            if more:
                self.assertEqual([path.name for path in self.folder.glob("*run.checkpoint*")], [])
        print(f"{kills} kills, {resumed} resumed from a checkpoint, {finished} runs finished", file=sys.stderr)
        self.assertGreaterEqual(kills, KILLS)
        if KILLS >= 10 and checkpoint:
            self.assertGreater(resumed, KILLS // 5)  # or next to nothing was tested

    def test_sample(self):
        self.kill_and_resume(
            self.command("sample", "--output", "draws.csv", "--arviz", "draws.json", "--draws", 400, "--warm-up", 400,
                         "--chains", 3), ["draws.csv", "draws.json"])

    def test_fit(self):
        self.kill_and_resume(self.command("fit", "--output", "model.json", "--restarts", 100), ["model.json"])

    def test_reproduce(self):
        names = [f"out/{name}" for name in ("table.txt", "table.json", "table.csv", "table.tex", "runs.csv", "figure5.svg")]
        self.kill_and_resume(["reproduce", "diag", "--datasets", "4", "--patients", "30", "--learner", "po-irl-paper,interpole,bc",
                              "--quiet", "--output", "out"], names, (), "out/fits.checkpoint")

    def test_compare(self):
        self.kill_and_resume(self.command("compare", "--folds", 3, "--learners", "interpole-shared,bc,majority", "--csv", "table.csv"),
                             ["table.csv"], (), None)


if __name__ == "__main__":
    if "--kills" in sys.argv:
        at = sys.argv.index("--kills")
        KILLS = int(sys.argv[at + 1])
        del sys.argv[at:at + 2]
    main()
