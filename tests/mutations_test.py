"""Files with random damage through the program: no signal, no hang, no undocumented exit code, neither inf nor nan in what is
printed, and no message that does not name the file.

    mutations_test.py PROGRAM PROJECT [--cases N] [--files A,B]     N damaged files of each kind; 12 unless told
"""
import gzip
import json
import random
import re
import subprocess
import sys

from every_verb import make_inputs
from patience import slowed
from program import PROGRAM, ProgramTest, main

CASES = 12
FILES = ()  # all
SECONDS = 30  # for what takes well under one
NOT_A_NUMBER = re.compile(r"(?<![\w\"-])[-+]?(inf|nan|infinity)(?![\w\"])", re.IGNORECASE)
NUMBER = re.compile(rb"-?\d+(?:\.\d+)?(?:e[-+]?\d+)?")
# What programs stumble over: numbers at and beyond the ends, structure where none should be, bytes that are no text.
WORDS = (b"", b"0", b"-1", b"1e308", b"-1e308", b"1e-320", b"1e999", b"nan", b"inf", b"99999999999999999999", b"0.1", b"null", b"true",
         b'"', b"'", b",", b"\n", b"\r", b"\r\n", b"\x00", b"\x1b[2J", b"\xff\xfe", b"\xe2\x80\xae", b"[", b"]", b"{", b"}", b"=", b"#",
         b"[[", b"..", b"/etc/passwd", b"%s%n", b"A" * 5000, b"[" * 400)


def damaged(draw, good):
    """One to four changes, each somewhere in the file."""
    data = bytearray(good)
    for _ in range(draw.choice((1, 1, 1, 2, 4))):
        at = draw.randrange(len(data) + 1)
        to = min(len(data), at + draw.choice((1, 1, 3, 20, 300)))
        kind = draw.randrange(8)
        if kind == 0 and at < len(data):
            data[at] ^= 1 << draw.randrange(8)
        elif kind == 1:
            data[at:at] = draw.choice(WORDS)
        elif kind == 2:
            data[at:to] = draw.choice(WORDS)
        elif kind == 3:
            del data[at:to]
        elif kind == 4:
            data[at:at] = data[at:to]
        elif kind == 5:
            del data[at:]
        elif kind == 6:
            numbers = list(NUMBER.finditer(data))
            if numbers:
                data[slice(*draw.choice(numbers).span())] = draw.choice(WORDS)
        else:
            lines = bytes(data).split(b"\n")
            i, j = draw.randrange(len(lines)), draw.randrange(len(lines))
            lines[i], lines[j] = lines[j], lines[i]
            data = bytearray(b"\n".join(lines))
    return bytes(data)


class Mutations(ProgramTest):
    ran = 0

    def prepare(self):
        make_inputs(self, patients=15)
        self.run_well("fit", "--study", self.study("bias"), "--data", "visits.csv", "--output", "bc.json", "--algorithm", "bc",
                      "--quiet")
        self.run_well("simulate", "adni", "--patients", 12, "--seed", 1, "--output", "adni.csv", "--quiet")
        self.run_well("sample", "--study", self.study("bias"), "--data", "visits.csv", "--output", "draws.csv", "--policy", "belief",
                      "--dynamics", "shared", "--restarts", 1, "--draws", 15, "--warm-up", 15, "--chains", 1, "--quiet")
        self.run_well("compare", "--study", self.study("bias"), "--data", "visits.csv", "--folds", 2, "--learners", "bc,majority",
                      "--quiet", "--csv", "table.csv")
        self.write("compare.json", json.dumps(self.run_json("compare", "--study", self.study("bias"), "--data", "visits.csv", "--folds",
                                                            2, "--learners", "bc,majority", "--quiet")))
        self.run_well("audit", "--model", "model.json", "--data", "visits.csv", "--quiet", "--ledger", "ledger.json")
        self.write("study.toml", self.study("bias").read_bytes())
        self.write("mapped.toml", self.study("adni/adnimerge").read_bytes())
        self.write("visits.csv.gz", gzip.compress((self.folder / "visits.csv").read_bytes()))
        both = ("--model", "model.json", "--data", "visits.csv")
        # What is damaged, and commands that read it; what they write goes to standard output.
        return {
            "visits.csv": (("evaluate", *both, "--bootstrap", 0, "--json"), ("study", "check", "study.toml", "--data", "visits.csv"),
                           ("study", "init", "visits.csv", "--output", "-"), ("beliefs", *both, "--output", "-")),
            "visits.csv.gz": (("evaluate", "--model", "model.json", "--data", "visits.csv.gz", "--bootstrap", 0, "--json"),),
            "adni.csv": (("study", "check", "mapped.toml", "--data", "adni.csv", "--json"),
                         ("study", "init", "adni.csv", "--output", "-")),
            "model.json": (("evaluate", *both, "--bootstrap", 0, "--json"), ("export", "--model", "model.json", "--output", "-"),
                           ("explain", *both, "--csv", "-")),
            "bc.json": (("evaluate", "--model", "bc.json", "--data", "visits.csv", "--bootstrap", 0, "--json"),),
            "study.toml": (("study", "check", "study.toml", "--data", "visits.csv", "--json"),
                           ("fit", "--study", "study.toml", "--data", "visits.csv", "--restarts", 1, "--policy", "belief",
                            "--dynamics", "shared", "--output", "-")),
            "mapped.toml": (("study", "check", "mapped.toml", "--data", "adni.csv", "--json"),),
            "draws.csv": (("explain", *both, "--patient", "p000001", "--draws", "draws.csv", "--json"),),
            "tiger.pomdp": (("plan", "tiger.pomdp", "--horizon", 5, "--output", "-"),),
            "compare.json": (("report", *both, "--compare", "compare.json", "--payload", "-"),),
            "ledger.json": (("audit", *both, "--ledger", "ledger.json", "--json"),),
        }

    def check(self, name, data, arguments):
        try:
            result = subprocess.run([PROGRAM, *map(str, arguments), *([] if "plan" in arguments else ["--quiet"])], cwd=self.folder,
                                    capture_output=True, timeout=slowed(SECONDS), check=False)
        except subprocess.TimeoutExpired:
            self.fail("it goes on and on")
        said = result.stderr.decode(errors="replace")
        # 2: an option whose value depends on the file, as a patient who is not in it.
        self.assertIn(result.returncode, (0, 2, 3), said)
        if result.returncode != 0:
            self.assertIn(name, said)
            if arguments[:2] != ("study", "init"):  # which writes what it did understand
                self.assertEqual(result.stdout, b"")
        shown = result.stdout.decode(errors="replace")
        found = NOT_A_NUMBER.search(shown)
        # A name or a text of the file itself is no number.
        if found and found.group(1).lower().encode() not in data.lower():
            self.fail(shown[max(0, found.start() - 200):found.end() + 50])
        Mutations.ran += 1

    def test_damaged_files(self):
        for name, commands in self.prepare().items():
            if FILES and name not in FILES:
                continue
            good = (self.folder / name).read_bytes()
            for case in range(CASES):
                draw = random.Random(f"{name} {case}")
                data = damaged(draw, good)
                arguments = draw.choice(commands)
                self.write(name, data)
                with self.subTest(name=name, case=case, arguments=arguments):
                    self.check(name, data, arguments)
            self.write(name, good)
        print(f"{Mutations.ran} damaged files did no harm")


if __name__ == "__main__":
    for option in ("--cases", "--files"):
        if option in sys.argv:
            at = sys.argv.index(option)
            value = sys.argv[at + 1]
            del sys.argv[at:at + 2]
            if option == "--cases":
                CASES = int(value)
            else:
                FILES = tuple(value.split(","))
    main()
