"""Inputs that once broke the program, each with what should come of it (files in attacks/)."""
import gzip
import hashlib
import pathlib
import random
import re
import shutil
import subprocess
import time

from patience import slowed
from program import PROGRAM, ProgramTest, main

ATTACKS = pathlib.Path(__file__).resolve().parent / "attacks"
NOT_A_NUMBER = re.compile(r"(?<![\w-])[-+]?(inf|nan|infinity)(?!\w|\.json|\.csv)", re.IGNORECASE)


class AttackTest(ProgramTest):
    def take(self, *names):
        for name in names:
            shutil.copy(ATTACKS / name, self.folder / name)

    def simulate(self, patients=60):
        self.run_well("simulate", "bias", "--patients", patients, "--seed", 5, "--output", "visits.csv", "--quiet")

    def bias_with(self, name, *changes, more=""):
        text = self.study("bias").read_text(encoding="utf-8")
        for old, new in changes:
            self.assertIn(old, text)
            text = text.replace(old, new)
        self.write(name, text + more)

    def learn(self, verb, study, *more):
        return (verb, "--study", study, "--data", "visits.csv", "--quiet", *more)


class Numbers(AttackTest):
    def test_rewards_whose_sum_is_infinite(self):
        self.take("inf.pomdp")
        self.refuse(("plan", "inf.pomdp", "--output", "x.alpha"), 3, "inf.pomdp:21: R: 1e+308 is too large to plan with")
        self.assertFalse((self.folder / "x.alpha").exists())

    def test_rewards_as_large_as_they_may_be(self):
        text = (ATTACKS / "inf.pomdp").read_text().replace("1e308", "1e12")
        self.write("large.pomdp", text)
        for more in ((), ("--method", "point"), ("--horizon", 50, "--discount", 1)):
            result = self.run_well("plan", "large.pomdp", "--output", "x.alpha", *more)
            self.assertIsNone(NOT_A_NUMBER.search(result.stdout + (self.folder / "x.alpha").read_text()), result.stdout)

    def test_outcomes_that_are_all_but_impossible(self):
        self.take("inf.json", "inf.csv", "audit_inf.json", "audit_inf.csv")
        for name in ("inf", "audit_inf"):
            for verb, *more in (("evaluate",), ("audit",), ("bias",), ("beliefs", "--output", "-"),
                                ("explain", "--csv", "-"), ("explain", "--patient", "p0"),
                                ("report", "--payload", "r.json")):
                with self.subTest(f"{verb} {name}"):
                    result = self.run_program(verb, "--model", f"{name}.json", "--data", f"{name}.csv", *more)
                    self.assertIn(result.returncode, (0, 3), result.stderr)
                    self.assertIsNone(NOT_A_NUMBER.search(result.stdout + result.stderr), result.stdout + result.stderr)

    def test_studies_with_numbers_nobody_can_compute_with(self):
        self.simulate()
        self.bias_with("means.toml", ("means.monitor = [0.5, 0.5]", "means.monitor = [1e15, -1e15]"))
        self.bias_with("prior.toml", ('transition."*" = "identity"', ""), more="[priors]\ntransition = 1e99\n")
        self.bias_with("small.toml", more="[priors]\nobservation = 1e-300\n")
        for study, *parts in (("means.toml", "known.means.monitor", "1000000000000000", "too far from all beliefs"),
                              ("prior.toml", "priors.transition", "1e+99", "too large to compute with"),
                              ("small.toml", "no search met a finite log-posterior", "priors.observation = 1e-300")):
            for verb, *more in (("fit", "--output", "m.json"), ("fit", "--output", "m.json", "--dynamics", "shared"),
                                ("sample", "--output", "d.csv"),
                                ("compare", "--folds", 2, "--learners", "interpole,majority")):
                with self.subTest(f"{verb} {study} {more}"):
                    self.refuse(self.learn(verb, study, *more), 3, study, *parts)

    def test_a_study_no_restart_of_which_is_finite(self):
        self.take("segv.toml", "ck.csv")
        for verb, *more in (("sample", "--output", "d.csv"), ("fit", "--output", "m.json")):
            self.refuse((verb, "--study", "segv.toml", "--data", "ck.csv", "--restarts", 2, "--quiet", *more), 3,
                        "segv.toml: no search met a finite log-posterior", "priors.observation = 0.005")

    def test_groups_and_tables_name_the_study_too(self):
        self.run_well("simulate", "diag", "--patients", 40, "--output", "v.csv", "--quiet")
        self.write("sites.toml", self.study("two-sites").read_text() + "\n[priors]\nobservation = 1e-300\n")
        self.refuse(("groups", "--study", "sites.toml", "--data", "north=v.csv", "--data", "south=v.csv", "--quiet"), 3,
                    "sites.toml: no search met a finite log-posterior", "priors.observation = 1e-300")
        self.run_well("simulate", "adni", "--patients", 60, "--output", "adni.csv", "--quiet")
        text = self.study("adni/adnimerge").read_text()
        self.write("adni.toml", text + "\n[priors]\nobservation = 1e-300\n")
        self.refuse(("reproduce", "adni", "--study", "adni.toml", "--data", "adni.csv", "--learner", "interpole",
                     "--datasets", 1, "--folds", 2, "--quiet"), 3, "adni.toml: no search met a finite log-posterior")


class Tables(AttackTest):
    def test_a_damaged_database_takes_no_time(self):
        (self.folder / "hang.duckdb").write_bytes(gzip.decompress((ATTACKS / "hang.duckdb.gz").read_bytes()))
        begin = time.monotonic()
        self.refuse(("study", "init", "hang.duckdb", "--output", "-"), 3,
                    "hang.duckdb: opening it takes more than 10 seconds", "write it again")
        self.assertLess(time.monotonic() - begin, slowed(40))

    def test_a_last_row_that_is_not_read(self):
        self.simulate()
        self.run_well("fit", *self.learn("", self.study("bias"), "--output", "model.json", "--restarts", 2)[1:])
        text = (self.folder / "visits.csv").read_bytes()
        self.write("x.csv", text + b"zz,1,monitor," + bytes(40_000_000))
        self.refuse(("evaluate", "--model", "model.json", "--data", "x.csv", "--bootstrap", 0), 3, "x.csv: line ",
                    f"a zero byte, which text has not (offset {len(text) + 13})")


class Disclosure(AttackTest):
    def test_tests_are_withheld_together(self):
        """All visits are those with an MRI, with a PET and with neither: of two withheld, none follows."""
        self.take("privacy.toml")
        draw = random.Random(1)
        rows = ["id,t,a,score,scan,petv,AGE,SEX,SITE"]
        pets = 0
        for patient in range(100):
            for visit in range(5):
                action = draw.choices(("wait", "mri"), (0.7, 0.3))[0]
                if pets < 5 and visit == 0 and patient % 20 == 0:
                    action, pets = "pet", pets + 1
                rows.append(f"q{patient},{visit},{action},{draw.choice(('lo', 'hi'))},"
                            f"{draw.choice(('neg', 'pos')) if action == 'mri' else ''},"
                            f"{draw.choice('np') if action == 'pet' else ''},{40 + patient % 40},{'MF'[patient % 2]},A")
        self.write("v.csv", "\n".join(rows) + "\n")
        self.run_well("fit", "--study", "privacy.toml", "--data", "v.csv", "--output", "m.json", "--restarts", 2,
                      "--policy", "belief", "--quiet")
        audit = self.run_json("audit", "--model", "m.json", "--study", "privacy.toml", "--data", "v.csv", "--quiet")
        for test in audit["tests"]:
            if test["action"] in ("mri", "pet"):
                self.assertEqual((test["where_done"], test["where_not_done"]), (None, None), test)


class CheckpointFile:
    """The parts of a checkpoint, to be changed; written back, its checksum is right again."""

    def __init__(self, path):
        self.path = path
        text = path.read_bytes().rpartition(b"sha256 ")[0]
        self.head, rest = re.match(rb"(interpole-checkpoint 1\n\d+\n(?:[^\n]*\t[^\n]*\n)*)\d+\n(.*)", text,
                                   re.DOTALL).groups()
        self.parts = {}
        while rest:
            first, _, rest = rest.partition(b"\n")
            size, name = first.split(b" ", 1)
            self.parts[name.decode()], rest = rest[:int(size)], rest[int(size):]

    def write(self):
        body = self.head + b"%d\n" % len(self.parts)
        for name in sorted(self.parts):
            body += b"%d %s\n" % (len(self.parts[name]), name.encode()) + self.parts[name]
        self.path.write_bytes(body + b"sha256 " + hashlib.sha256(body).hexdigest().encode() + b"\n")


class Checkpoints(AttackTest):
    """Right checksums over wrong contents: refused by name, or gone on from; never a crash."""

    def left_by(self, arguments, part):
        """The checkpoint of a run that was killed after this part was done."""
        path = self.folder / "run.checkpoint"
        for _ in range(40):
            with subprocess.Popen([PROGRAM, *map(str, arguments)], cwd=self.folder, stdout=subprocess.DEVNULL,
                                  stderr=subprocess.DEVNULL) as process:
                while process.poll() is None:
                    try:
                        if f" {part}\n".encode() in path.read_bytes():
                            process.kill()
                    except FileNotFoundError:  # not written yet, or finished and removed
                        pass
                    time.sleep(0.001)
            if path.exists():
                return CheckpointFile(path)
        self.fail("every run had finished before it was killed")

    def resume(self, arguments, checkpoint):
        checkpoint.write()
        result = self.run_program(*arguments)
        self.assertIn(result.returncode, (0, 3), result.stderr)
        if result.returncode == 3:
            self.assertIn("run.checkpoint: ", result.stderr)
        self.assertIsNone(NOT_A_NUMBER.search(result.stdout), result.stdout)
        return result

    def attack(self, arguments, part, count):
        left = self.left_by(arguments, part)
        good = dict(left.parts)
        draw = random.Random(part)
        names = sorted(good)
        for i in range(count):
            name = names[i % len(names)]
            lines = good[name].split(b"\n")
            at = draw.randrange(len(lines) - 1)
            words = lines[at].split(b" ")
            place = draw.randrange(1, len(words)) if len(words) > 1 else 0
            words[place] = draw.choice((b"nan", b"inf", b"-inf", b"-1", b"0", b"7", b"99999999999", b"0x1p+1000",
                                        b"-0x1p+1000", b"0x0p+0", b""))
            lines[at] = b" ".join(words)
            left.parts = {**good, name: b"\n".join(lines)}
            with self.subTest(part=name, line=lines[at][:80]):
                self.resume(arguments, left)
        return left, good

    def test_fit(self):
        self.simulate(1000)  # enough for a run to last until it is killed
        arguments = self.learn("fit", self.study("bias"), "--output", "m.json", "--restarts", 24, "--policy", "belief",
                               "--dynamics", "coupled", "--checkpoint", "run.checkpoint", "--checkpoint-seconds", 0)
        left, good = self.attack(arguments, "coupling", 80)
        # The one that crashed: a profile of the evidence that is shorter than its grid.
        text = good["coupling"]
        at = text.rindex(b"log_evidence ")
        left.parts = {**good, "coupling": text[:at] + b"log_evidence 0" + text[text.index(b"\n", at):]}
        self.assertIn("coupling: the evidence is not along one grid", self.resume(arguments, left).stderr)

    def test_sample(self):
        self.simulate(100)
        self.attack(self.learn("sample", self.study("bias"), "--output", "d.csv", "--restarts", 2, "--policy", "belief",
                               "--draws", 300, "--warm-up", 100, "--chains", 2, "--checkpoint", "run.checkpoint",
                               "--checkpoint-seconds", 0), "chain 2", 40)

    def test_a_fit_with_terms_goes_on_to_the_same_bytes(self):
        self.run_well("simulate", "ward", "--patients", 150, "--seed", 2, "--output", "visits.csv", "--quiet")
        study = self.study("ward")
        arguments = self.learn("fit", study, "--output", "m.json", "--restarts", 3, "--dynamics", "shared", "--policy",
                               "full")
        self.run_well(*arguments)
        expected = (self.folder / "m.json").read_bytes()
        self.assertIn(b'"policy"', expected)
        arguments = (*arguments, "--checkpoint", "run.checkpoint", "--checkpoint-seconds", 0)
        left = self.left_by(arguments, "restarts, 0")
        left.write()
        self.run_well(*arguments)
        self.assertEqual((self.folder / "m.json").read_bytes(), expected)


if __name__ == "__main__":
    main()
