"""What the program says of itself: help, what was meant, completion, manual pages, the next command, --json everywhere."""
import json
import shutil
import subprocess

from program import PROGRAM, ProgramTest, main

VERBS = ("start simulate fit evaluate compare reproduce beliefs explain audit bias check sample groups plan export plot report "
         "serve write-up study help completion manual").split()


class Handbook(ProgramTest):
    def test_help_is_that_of_the_verb(self):
        self.assertEqual(self.run_well("help", "fit").stdout, self.run_well("fit", "--help").stdout)
        self.assertEqual(self.run_well("help", "study", "check").stdout, self.run_well("study", "check", "--help").stdout)
        listed = self.run_json("help")
        self.assertEqual(sorted(listed["verbs"]), sorted(VERBS))
        self.refuse(("help", "fitt"), 2, 'there is no verb "fitt"; did you mean fit?')

    def test_says_what_was_meant(self):
        self.refuse(("fti", "--study", "s.toml"), 2, "did you mean fit?")
        self.refuse(("fit", "--sutdy", "s.toml"), 2, "did you mean --study?")
        self.refuse(("study", "chek", "s.toml"), 2, "did you mean check?")
        self.refuse(("simulate", "bias", "--patient=3"), 2, "did you mean --patients?")
        self.assertNotIn("did you mean", self.run_program("fit", "--xyzzy").stderr)

    def test_every_verb_has_json(self):
        for verb in VERBS[:-4] + ["study check", "study init", "help", "completion", "manual"]:
            with self.subTest(verb):
                self.assertIn("--json", self.run_well(*verb.split(), "--help").stdout)

    def test_completion_knows_every_flag(self):
        script = self.run_well("completion", "bash").stdout
        path = self.write("completion", script)
        def complete(*words):
            line = f'source {path}; COMP_WORDS=({" ".join(words)}); COMP_CWORD={len(words) - 1}; _interpole; echo "${{COMPREPLY[@]}}"'
            return subprocess.run(["bash", "-c", line], capture_output=True, text=True, check=True).stdout.split()
        self.assertEqual(complete("interpole", "eval"), ["evaluate"])
        self.assertEqual(complete("interpole", "fit", "--dyn"), ["--dynamics"])
        self.assertEqual(complete("interpole", "study", "ch"), ["check"])
        self.assertIn("--data", complete("interpole", "study", "check", "--da"))
        for shell in ("zsh", "fish"):
            self.assertIn("write-up", self.run_well("completion", shell).stdout)
        self.refuse(("completion", "cmd"), 2, "choose bash, zsh or fish")

    def test_manual_pages_are_written(self):
        files = self.run_json("manual", "--output", "share")["files"]
        pages = self.folder / "share" / "man" / "man1"
        self.assertIn("share/man/man1/interpole-fit.1", files)
        self.assertTrue((pages / "interpole-study-check.1").is_file())
        text = (pages / "interpole-fit.1").read_text(encoding="utf-8")
        self.assertIn("\\fB\\-\\-dynamics\\fR", text)
        self.assertTrue((self.folder / "share" / "bash-completion" / "completions" / "interpole").is_file())
        if shutil.which("man"):
            shown = subprocess.run(["man", "-l", pages / "interpole-fit.1"], capture_output=True, text=True, check=False)
            self.assertIn("Learn beliefs and decision boundaries from records", shown.stdout)

    def test_a_verb_names_the_next_command(self):
        result = self.run_well("simulate", "bias", "--patients", 30, "--output", "my visits.csv")
        self.assertIn("next: interpole fit --study studies/bias.toml --data 'my visits.csv' --output model.json", result.stderr)
        fit = ("fit", "--study", self.study("bias"), "--data", "my visits.csv", "--output", "m.json", "--policy", "belief",
               "--restarts", 1, "--coupling", 1)
        self.assertIn("next: interpole report --model m.json", self.run_well(*fit).stderr)
        self.assertEqual(self.run_well(*fit, "--quiet").stderr, "")
        self.assertNotIn("next:", self.run_well(*fit, "--json").stderr)
        written = self.run_json("beliefs", "--model", "m.json", "--data", "my visits.csv", "--output", "b.csv")
        self.assertEqual(written["patients"], 30)
        report = self.run_json("report", "--model", "m.json", "--data", "my visits.csv", "--output", "r.html")
        self.assertEqual(report["output"], "r.html")
        self.refuse(("beliefs", "--model", "m.json", "--data", "my visits.csv", "--json"), 2, "would share standard output")

    def test_a_write_up_has_the_numbers_of_the_model(self):
        self.run_well("simulate", "bias", "--patients", 60, "--seed", 1, "--output", "v.csv", "--quiet")
        self.run_well("fit", "--study", self.study("bias"), "--data", "v.csv", "--output", "m.json", "--policy", "belief",
                      "--restarts", 2, "--coupling", 1, "--quiet")
        written = self.run_json("write-up", "--model", "m.json", "--data", "v.csv", "--output", "w.md")
        text = (self.folder / "w.md").read_text(encoding="utf-8")
        self.assertEqual(written["text"], text)
        scores = self.run_json("evaluate", "--model", "m.json", "--data", "v.csv")
        self.assertIn(f"{scores['decisions']} decisions of 60 patients", text)
        self.assertIn(f"AUROC {scores['auroc']:.3f}", text)
        self.assertIn("seed 1", text)
        for part in ("## Methods", "## Results", "@inproceedings", "RECORD", "TRIPOD+AI", "AUTHOR"):
            self.assertIn(part, text)
        self.assertGreater(written["open"], 10)


if __name__ == "__main__":
    main()
