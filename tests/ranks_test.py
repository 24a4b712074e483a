"""Several processes under `mpirun` work on one run: files are the same bytes for any number of ranks and threads, a killed
rank costs time and nothing else, and an error on any rank is one message and one exit code.

    ranks_test.py PROGRAM PROJECT [--kills N] [--all-layouts]
        N kills of a random rank in each of fit and sample, 3 unless told; ranks 1, 2, 3, 5, 8 each with 1 and with 2 threads,
        instead of with one of the two
"""
import csv
import hashlib
import json
import os
import pathlib
import random
import re
import shutil
import signal
import subprocess
import sys
import time
import unittest

from patience import slowed
from program import PROGRAM, ProgramTest, main

KILLS = 3
LAYOUTS = [(2, 1), (3, 2), (5, 1), (8, 2)]  # ranks, threads
ALL_LAYOUTS = [(ranks, threads) for ranks in (1, 2, 3, 5, 8) for threads in (1, 2)]
MPIRUN = ["mpirun", "--oversubscribe"] + (["--allow-run-as-root"] if os.geteuid() == 0 else [])
# Loaded before MPI's library: the first rank takes three seconds to be gone when all is done, as on a busy machine.
SLOW_TO_LEAVE = """
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
int MPI_Finalize(void) {
  void* mpi = dlopen("libmpi.so.40", RTLD_LAZY | RTLD_NOLOAD);
  int result = ((int (*)(void))dlsym(mpi, "PMPI_Finalize"))();
  if (strcmp(getenv("OMPI_COMM_WORLD_RANK"), "0") != 0) return result;
  for (int i = 0; i < 30; ++i) usleep(100000); /* a signal ends only one of them */
  return result;
}
"""


def children_of(pid):
    """Processes that this one started, by the kernel's list."""
    found = []
    for task in pathlib.Path(f"/proc/{pid}/task").glob("*/children"):
        try:
            found += map(int, task.read_text().split())
        except OSError:
            pass
    return found


@unittest.skipUnless(shutil.which("mpirun"), "mpirun is not installed (scripts/setup test installs it)")
class RanksTest(ProgramTest):
    def setUp(self):
        super().setUp()
        self.random = random.Random(1)
        self.run_well("simulate", "bias", "--patients", 200, "--seed", 5, "--output", "visits.csv", "--quiet")

    def words(self, verb, *more):
        return [verb, "--study", self.study("bias"), "--data", "visits.csv", *more]

    def mpirun(self, ranks, *arguments, before=(), **options):
        command = [*MPIRUN, "-n", ranks, *before, PROGRAM, *arguments]
        return subprocess.run(list(map(str, command)), cwd=self.folder, capture_output=True, text=True,
                              timeout=slowed(600), check=False, **options)

    def run_ranks(self, ranks, *arguments):
        result = self.mpirun(ranks, *arguments)
        self.assertEqual(result.returncode, 0, result.stderr)
        return result

    def start(self, ranks, *arguments):
        command = [*MPIRUN, "-n", ranks, PROGRAM, *arguments]
        return subprocess.Popen(list(map(str, command)), cwd=self.folder, stdout=subprocess.PIPE,
                                stderr=subprocess.PIPE, text=True)

    def bytes_of(self, name):
        return (self.folder / name).read_bytes()

    def check_one_error(self, result, code, *parts):
        self.assertEqual(result.returncode, code, result.stderr)
        errors = [line for line in result.stderr.splitlines() if line.startswith("error: ")]
        self.assertEqual(len(errors), 1, result.stderr)
        for part in parts:
            self.assertIn(part, errors[0])


class SameBytes(RanksTest):
    def check(self, arguments, outputs, same=lambda text: text):
        self.run_well(*arguments)
        expected = {name: same(self.bytes_of(name)) for name in outputs}
        for ranks, threads in LAYOUTS:
            for name in outputs:
                (self.folder / name).unlink()
            self.run_ranks(ranks, *arguments, "--threads", threads)
            for name in outputs:
                self.assertEqual(same(self.bytes_of(name)), expected[name], f"{name}: {ranks} ranks, {threads} threads")

    def test_fit(self):
        self.check(self.words("fit", "--output", "model.json", "--quiet"), ["model.json"])

    def test_fit_of_a_likelihood_that_ranks_share(self):
        """More ranks than searches, and more histories than one rank takes by itself."""
        self.run_well("simulate", "bias", "--patients", 200000, "--seed", 3, "--output", "many.csv", "--quiet")
        arguments = ["fit", "--study", self.study("bias"), "--data", "many.csv", "--restarts", 1, "--most-iterations", 4,
                     "--policy", "belief", "--dynamics", "shared", "--output", "model.json"]
        one = self.run_json(*arguments)
        self.assertGreater(one["histories"], 65536)
        expected = self.bytes_of("model.json")
        for ranks, threads in ((2, 1), (3, 2), (5, 1)):
            self.run_ranks(ranks, *arguments, "--threads", threads, "--quiet")
            self.assertEqual(self.bytes_of("model.json"), expected, f"{ranks} ranks, {threads} threads")

    def test_fit_of_a_table_in_parts(self):
        """Files are dealt to ranks; records with covariates are told apart and read twice."""
        for environment, patients in (("bias", 400), ("ward", 200)):
            with self.subTest(environment=environment):
                simulate = ["simulate", environment, "--patients", patients, "--seed", 5, "--quiet", "--output"]
                self.run_well(*simulate, f"{environment}.csv")
                self.run_well(*simulate, f"p_{environment}.csv", "--rows-per-file", 300)
                rows = (self.folder / f"{environment}.csv").read_text().splitlines()
                # A record that begins in the last file and ends in another.
                last = sorted(self.folder.glob(f"p_{environment}-*.csv"))[-1]
                lines = last.read_text().splitlines()
                self.assertEqual(lines[-1].split(",")[0], lines[-2].split(",")[0])
                last.write_text("\n".join(lines[:-1]) + "\n")
                last.with_name(f"p_{environment}-z.csv").write_text(f"{rows[0]}\n{lines[-1]}\n")
                words = ["fit", "--study", self.study(environment), "--restarts", 2, "--most-iterations", 20, "--quiet"]
                self.run_well(*words, "--data", f"{environment}.csv", "--output", "whole.json")
                words += ["--data", f"p_{environment}-*.csv", "--output", "model.json"]
                self.run_well(*words)
                expected = self.bytes_of("model.json")
                model, whole = (json.loads(self.bytes_of(name)) for name in ("model.json", "whole.json"))
                self.assertGreater(len(model["provenance"]["data"].pop("parts")), 3)
                for one in (model, whole):
                    for key in ("file", "sha256"):
                        one["provenance"]["data"].pop(key, None)
                self.assertEqual(model, whole)
                for ranks in (2, 3):
                    self.run_ranks(ranks, *words)
                    self.assertEqual(self.bytes_of("model.json"), expected, f"{ranks} ranks")

    def test_sample(self):
        self.check(self.words("sample", "--output", "draws.csv", "--arviz", "draws.json", "--draws", 60, "--warm-up", 120,
                              "--chains", 4, "--restarts", 5, "--quiet"), ["draws.csv", "draws.json"])

    def test_compare(self):
        def without_seconds(text):
            rows = list(csv.DictReader(text.decode().splitlines()))
            for row in rows:
                row.pop("fit_seconds")
            return rows
        self.check(self.words("compare", "--learners", "majority,logistic,bc,interpole-shared", "--folds", 3, "--csv", "table.csv",
                              "--quiet"), ["table.csv"], without_seconds)

    def test_reproduce_and_audit(self):
        reproduce = ["reproduce", "diag", "--datasets", 2, "--patients", 60, "--learners", "majority,po-mb-il", "--quiet"]
        self.run_well(*reproduce, "--output", "one")
        self.run_well(*self.words("fit", "--output", "model.json", "--quiet"))
        audit = ["audit", "--model", "model.json", "--data", "visits.csv", "--quiet"]
        one = self.run_well(*audit, "--csv", "one.csv").stdout
        for ranks in (2, 5):
            self.run_ranks(ranks, *reproduce, "--output", f"r{ranks}")
            self.assertEqual(self.bytes_of(f"r{ranks}/runs.csv"), self.bytes_of("one/runs.csv"))
            result = self.run_ranks(ranks, *audit, "--csv", f"r{ranks}.csv")
            self.assertEqual(self.bytes_of(f"r{ranks}.csv"), self.bytes_of("one.csv"))
            self.assertEqual(result.stdout.replace(f"r{ranks}.csv", "one.csv"), one)

    def test_only_the_first_rank_speaks(self):
        one = self.run_well(*self.words("fit", "--output", "model.json"))
        many = self.run_ranks(3, *self.words("fit", "--output", "model.json"))
        without_time = [re.sub(r"[0-9.]+ s\)", "", text) for text in (one.stdout, many.stdout)]
        self.assertEqual(*without_time)
        self.assertEqual(many.stderr, one.stderr)


class Killed(RanksTest):
    def check_whole(self, name):
        path = self.folder / name
        if not path.exists():
            return False
        if name.endswith(".checkpoint"):
            body, _, digest = path.read_bytes().rpartition(b"sha256 ")
            self.assertEqual(digest.decode().strip(), hashlib.sha256(body).hexdigest())
        elif name.endswith(".json"):
            json.loads(path.read_text())
        else:
            rows = list(csv.reader(path.read_text().splitlines()))
            self.assertEqual({len(row) for row in rows}, {len(rows[0])})
        return True

    def run_until_killed(self, arguments, patience):
        """True if a rank was killed, false if all had finished before."""
        process = self.start(self.random.choice((2, 3, 5)), *arguments, "--threads", self.random.choice((1, 2)))
        with process:
            try:
                _, errors = process.communicate(timeout=patience)
            except subprocess.TimeoutExpired:
                ranks = children_of(process.pid)
                if ranks:
                    os.kill(self.random.choice(ranks), signal.SIGKILL)
                self.wait_for_end(process, bool(ranks))
                return bool(ranks) and process.returncode != 0
        self.assertEqual(process.returncode, 0, errors)
        return False

    def wait_for_end(self, process, killed):
        """All ranks end, and mpirun says why. Where one dies while MPI starts, mpirun may stay, without ranks."""
        end = time.monotonic() + slowed(60 if killed else 600)
        while process.poll() is None and (not killed or children_of(process.pid)):
            self.assertLess(time.monotonic(), end, "ranks live on")
            time.sleep(0.05)
        try:
            _, errors = process.communicate(timeout=slowed(20 if killed else 600))
            self.assertTrue(process.returncode == 0 or "signal 9" in errors or "non-zero" in errors, errors)
        except subprocess.TimeoutExpired:
            self.stayed += 1
            process.kill()
            process.communicate()

    def kill_and_resume(self, arguments, outputs):
        self.stayed = 0
        arguments = [*arguments, "--quiet"]
        began = time.monotonic()
        self.run_ranks(2, *arguments)
        duration = time.monotonic() - began
        self.run_well(*arguments)
        expected = {name: self.bytes_of(name) for name in outputs}
        arguments += ["--checkpoint", "run.checkpoint", "--checkpoint-seconds", "0.02"]
        kills = resumed = finished = 0
        while kills < KILLS or finished == 0:
            for name in outputs:
                (self.folder / name).unlink(missing_ok=True)
            while self.run_until_killed(arguments, self.random.uniform(0.2, duration) if kills < KILLS else slowed(600)):
                kills += 1
                for name in outputs:
                    self.check_whole(name)
                resumed += self.check_whole("run.checkpoint")
            finished += 1
            for name in outputs:
                self.assertEqual(self.bytes_of(name), expected[name], name)
            self.assertEqual([path.name for path in self.folder.glob("*run.checkpoint*")], [])
        print(f"{kills} kills of a rank, {resumed} left a checkpoint, {finished} runs finished; mpirun stayed {self.stayed} times",
              file=sys.stderr)
        if KILLS >= 10:
            self.assertGreater(resumed, KILLS // 5)  # or next to nothing was tested

    def test_fit(self):
        self.kill_and_resume(self.words("fit", "--output", "model.json", "--restarts", 60), ["model.json"])

    def test_sample(self):
        self.kill_and_resume(self.words("sample", "--output", "draws.csv", "--draws", 500, "--warm-up", 500, "--chains", 3),
                             ["draws.csv"])

    def check_stop(self, words, output):
        """SIGTERM to every rank, and once more, as it comes from Slurm and from mpirun. `words`: the command with so much to do."""
        much = 1
        while True:  # until there is enough to do to be stopped in the middle of it, on any machine
            arguments = [*words(much), "--quiet"]
            began = time.monotonic()
            self.run_ranks(3, *arguments)
            duration = time.monotonic() - began
            if duration > slowed(4):
                break
            much *= 2
        expected = self.bytes_of(output)
        (self.folder / output).unlink()
        arguments += ["--checkpoint", "run.checkpoint", "--checkpoint-seconds", "1000"]
        with self.start(3, *arguments) as process:
            time.sleep(0.35 * duration)  # under load a run may take three times as long as the next
            for _ in range(2):
                for rank in children_of(process.pid):
                    os.kill(rank, signal.SIGTERM)
                time.sleep(0.01)
            _, errors = process.communicate(timeout=slowed(60))
        self.assertEqual(process.returncode, 130, errors)
        self.assertTrue(self.check_whole("run.checkpoint"), errors)
        self.run_ranks(2, *arguments)
        self.assertEqual(self.bytes_of(output), expected)
        self.assertFalse((self.folder / "run.checkpoint").exists())

    def test_a_stop_writes_the_checkpoint_of_sample(self):
        self.check_stop(lambda much: self.words("sample", "--output", "draws.csv", "--draws", 1000 * much, "--warm-up", 500,
                                                "--chains", 3), "draws.csv")

    def test_a_stop_writes_the_checkpoint_of_fit(self):
        self.check_stop(lambda much: self.words("fit", "--output", "model.json", "--restarts", 100 * much), "model.json")


class Refused(RanksTest):
    def test_bad_input_is_one_message(self):
        self.write("broken.csv", "patient,visit,action,observation\n1,1,nonsense,2\n")
        arguments = ["fit", "--study", self.study("bias"), "--data", "broken.csv", "--output", "model.json"]
        one = self.run_program(*arguments)
        self.assertEqual(one.returncode, 3)
        for ranks in (2, 5):
            result = self.mpirun(ranks, *arguments)
            self.check_one_error(result, 3, one.stderr.strip().removeprefix("error: "))
        self.assertFalse((self.folder / "model.json").exists())

    def test_bad_input_in_a_part_is_what_one_process_says(self):
        self.run_well("simulate", "bias", "--patients", 100, "--rows-per-file", 200, "--output", "p.csv", "--quiet")
        parts = sorted(self.folder.glob("p-*.csv"))
        text = parts[2].read_text()
        arguments = ["fit", "--study", self.study("bias"), "--data", "p-*.csv", "--output", "model.json"]
        patient = parts[0].read_text().splitlines()[1].split(",")[0]
        for line in ("late,1,nonsense,", f"{patient},900,monitor,negative"):
            parts[2].write_text(text + line + "\n")
            one = self.run_program(*arguments)
            self.assertEqual(one.returncode, 3)
            self.assertIn(f"{parts[2].name}: row {text.count(chr(10)) + 1}: column ", one.stderr)
            self.check_one_error(self.mpirun(3, *arguments), 3, one.stderr.strip().removeprefix("error: "))
        self.assertFalse((self.folder / "model.json").exists())

    def test_usage(self):
        self.check_one_error(self.mpirun(3, *self.words("fit", "--nonsense")), 2, "--nonsense")

    def in_two_folders(self, *arguments):
        """Rank 0 in one folder, rank 1 in another."""
        for name in ("a", "b"):
            (self.folder / name).mkdir()
            shutil.copy(self.folder / "visits.csv", self.folder / name / "visits.csv")
        command = [str(word) for word in (PROGRAM, *arguments)]
        return command, ["--wdir", str(self.folder / "a"), *command, ":", "-n", "1", "--wdir", str(self.folder / "b"), *command]

    def run_in_two_folders(self, command):
        return subprocess.run([*MPIRUN, "-n", "1", *command], cwd=self.folder, capture_output=True, text=True,
                              timeout=slowed(300), check=False)

    def test_files_that_differ_or_are_missing(self):
        arguments = self.words("fit", "--output", "model.json", "--quiet")
        _, command = self.in_two_folders(*arguments)
        result = self.run_in_two_folders(command)
        self.assertEqual(result.returncode, 0, result.stderr)
        text = (self.folder / "b/visits.csv").read_text().splitlines()
        (self.folder / "b/visits.csv").write_text("\n".join(text[:-1]) + "\n")
        self.check_one_error(self.run_in_two_folders(command), 3, "visits.csv is another file on rank 1")
        (self.folder / "b/visits.csv").unlink()
        self.check_one_error(self.run_in_two_folders(command), 3, "visits.csv cannot be read on rank 1")
        (self.folder / "a/visits.csv").unlink()
        shutil.copy(self.folder / "visits.csv", self.folder / "b/visits.csv")
        self.check_one_error(self.run_in_two_folders(command), 3, "visits.csv cannot be read on rank 0")

    def test_different_commands(self):
        words = [str(word) for word in (PROGRAM, *self.words("fit", "--output", "model.json"))]
        command = [*words, "--seed", "1", ":", "-n", "1", *words, "--seed", "2"]
        self.check_one_error(self.run_in_two_folders(command), 2, "rank 1", "--seed 2")

    def test_a_first_rank_that_leaves_slowly(self):
        """mpirun sends it SIGTERM once another has left with an error; it must not speak of that."""
        (self.folder / "slow.c").write_text(SLOW_TO_LEAVE)
        subprocess.run(["cc", "-shared", "-fPIC", "slow.c", "-o", "slow.so", "-ldl"], cwd=self.folder, check=True)
        words = [str(word) for word in (PROGRAM, *self.words("fit", "--output", "model.json"))]
        command = ["-x", f"LD_PRELOAD={self.folder}/slow.so", *words, "--seed", "1", ":", "-n", "1", *words, "--seed", "2"]
        self.check_one_error(self.run_in_two_folders(command), 2, "rank 1", "--seed 2")

    def test_a_verb_for_one_process(self):
        result = self.mpirun(2, "simulate", "bias", "--output", "more.csv")
        self.check_one_error(result, 2, "simulate is the work of one")
        self.assertFalse((self.folder / "more.csv").exists())

    def test_an_output_that_cannot_be_written(self):
        result = self.mpirun(2, *self.words("fit", "--output", "nowhere/model.json"))
        self.check_one_error(result, 1, "nowhere")

    def test_processes_that_cannot_find_each_other(self):
        environment = {**os.environ, "OMPI_COMM_WORLD_SIZE": "2", "OMPI_COMM_WORLD_RANK": "0"}
        result = self.run_program(*self.words("fit", "--output", "model.json"), env=environment)
        self.assertIn(result.returncode, (1, 2))
        self.assertFalse((self.folder / "model.json").exists())

    def test_two_jobs_in_one_folder(self):
        arguments = self.words("fit", "--quiet", "--restarts", 20)
        self.run_well(*arguments, "--output", "one.json")
        jobs = [self.start(2, *arguments, "--output", "model.json", "--checkpoint", "run.checkpoint") for _ in range(2)]
        for job in jobs:
            _, errors = job.communicate(timeout=slowed(300))
            self.assertEqual(job.returncode, 0, errors)
        self.assertEqual(self.bytes_of("model.json"), self.bytes_of("one.json"))

    def test_the_program_alone_does_not_load_mpi(self):
        listed = subprocess.run(["ldd", PROGRAM], capture_output=True, text=True, check=True).stdout
        self.assertNotIn("libmpi", listed)


if __name__ == "__main__":
    if "--kills" in sys.argv:
        at = sys.argv.index("--kills")
        KILLS = int(sys.argv[at + 1])
        del sys.argv[at:at + 2]
    if "--all-layouts" in sys.argv:
        LAYOUTS = ALL_LAYOUTS
        sys.argv.remove("--all-layouts")
    main()
