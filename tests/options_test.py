"""What the library calls "option NAME" the program calls --NAME."""
import json
import re
import sys

from program import PROJECT, ProgramTest, main

sys.path.insert(0, str(PROJECT / "scripts"))
sys.dont_write_bytecode = True
import check_flags  # noqa: E402

VERBS = """start write-up simulate fit evaluate compare reproduce beliefs explain audit bias check sample groups plan export plot report serve
           study study-check study-init study-sql""".split()
ONLY_IN_CPP = {"tolerance", "clearly"}  # options that no verb offers


class Options(ProgramTest):
    def simulate(self):
        self.run_well("simulate", "bias", "--patients", 30, "--seed", 1, "--output", "v.csv", "--quiet")

    def refuse_with(self, arguments, sentence):
        """The whole of what is said."""
        result = self.run_program(*arguments)
        self.assertNotEqual(result.returncode, 0)
        self.assertEqual(result.stderr, f"error: {sentence}\n")

    def fit(self, *more):
        return "fit", "--study", self.study("bias"), "--data", "v.csv", "--output", "m.json", *more

    def test_every_option_the_library_names_is_a_flag(self):
        flags = set()
        for verb in VERBS:
            flags |= set(re.findall(r"--([a-z][a-z0-9-]*)", self.run_well(*verb.split("-"), "--help").stdout))
        named = set()
        for path in check_flags.sources(PROJECT):
            for _, text in check_flags.texts_of(path.read_text(encoding="utf-8")):
                named |= set(re.findall(r"(?<!learner )(?<!an )\boption ([a-z][a-z0-9-]*)", text))
        self.assertGreater(len(named), 40)
        self.assertEqual(named - flags, ONLY_IN_CPP)

    def test_errors_have_flags(self):
        self.refuse_with(("simulate", "diag", "--boundary", 7),
                         "--boundary: 7 is not a belief between 0.5 and 1")
        self.simulate()
        self.refuse_with(self.fit("--optimizer", "algorithm1", "--dynamics", "coupled"),
                         "--optimizer algorithm1: the paper's algorithm fits one set of dynamics; add --dynamics "
                         "shared or --dynamics subjective")
        self.refuse_with(self.fit("--checkpoint", "m.json"),
                         "--output and --checkpoint both name m.json; give each a file of its own")

    def test_options_of_learners_have_a_flag_of_their_own(self):
        self.simulate()
        self.refuse_with(self.fit("--algorithm", "po-mb-il", "--learner-option", "restarts"),
                         '--learner-option: "restarts" is not name=number; write for example restarts=20')
        result = self.run_program(*self.fit("--algorithm", "po-mb-il", "--learner-option", "restarts=1.5"))
        self.assertIn("error: --learner-option restarts: 1.5 is not a whole number", result.stderr)

    def test_numbers_are_what_they_look_like(self):
        self.simulate()
        whole = "is not a whole number from 0 to 18446744073709551615"
        for text in ("-1", "18446744073709551616", "99999999999999999999", "0x10", "1e3", "1.5", "nan", ""):
            result = self.run_program("simulate", "bias", "--patients", 1, f"--seed={text}")
            self.assertEqual(result.returncode, 2, text)
            if text:
                self.assertIn(f"{text} {whole}", result.stderr)
        self.run_well("simulate", "bias", "--patients", 1, "--seed", "18446744073709551615")
        for flag in ("--checkpoint-seconds", "--restarts", "--threads"):
            for text in ("nan", "inf", "-1", "1e999", "99999999999999999999", "five"):
                result = self.run_program(*self.fit("--checkpoint", "c", f"{flag}={text}"))
                if flag == "--checkpoint-seconds" and text == "99999999999999999999":
                    continue  # seconds may be many
                self.assertEqual(result.returncode, 2, (flag, text, result.stderr))
                self.assertIn(flag, result.stderr)

    def test_what_the_user_wrote_stays(self):
        self.refuse_with(self.fit("--dynamics", "option data"),
                         '--dynamics: "option data" is not known; choose shared, coupled or subjective')
        self.simulate()
        (self.folder / "v.csv").rename(self.folder / "option data.csv")
        self.write("v.csv", "patient,step,action,observation\n1,1,option seed,negative\n")
        result = self.run_program(*self.fit())
        self.assertIn('"option seed"', result.stderr)
        self.assertNotIn("--seed", result.stderr)
        result = self.run_program("fit", "--study", self.study("tree"), "--data", "option data.csv", "--output", "m")
        self.assertIn("error: option data.csv", result.stderr)

    def test_warnings_have_flags_on_the_screen_and_in_json(self):
        self.simulate()
        result = self.run_program("sample", "--study", self.study("bias"), "--data", "v.csv", "--output", "d.csv",
                                  "--restarts", 1, "--chains", 2, "--draws", 20, "--warm-up", 20, "--json")
        warnings = json.loads(result.stdout)["warnings"]
        self.assertIn("ask for more --draws", "\n".join(warnings))
        self.assertNotIn("option", result.stdout + result.stderr)
        for warning in warnings:
            self.assertIn(f"warning: {warning}\n", result.stderr)

    def test_sources_of_intervals_have_flags(self):
        self.simulate()
        self.run_well(*self.fit("--restarts", 2, "--quiet"))
        files = ("--model", "m.json", "--data", "v.csv")
        for command in (("bias", *files), ("audit", *files, "--certainty", 0.5), ("explain", *files, "--patient", "p000003")):
            with self.subTest(command[0]):
                for more in ((), ("--json",)):
                    self.assertIn("sample, then --draws)", self.run_well(*command, *more).stdout)


if __name__ == "__main__":
    main()
