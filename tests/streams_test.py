"""Files and streams: a result that did not arrive is an error, and no output is an input or lays open what was private."""
import os
import pathlib
import stat
import subprocess
import threading

import every_verb
from patience import slowed
from program import PROGRAM, ProgramTest, main


class Streams(ProgramTest):
    def setUp(self):
        super().setUp()
        every_verb.make_inputs(self)

    def permissions(self, name):
        return stat.S_IMODE(os.stat(self.folder / name).st_mode)

    # --- standard output

    def test_a_full_disk_behind_standard_output_is_an_error_of_every_verb(self):
        for what, arguments in every_verb.printing(self).items():
            with self.subTest(what), open("/dev/full", "w", encoding="ascii") as full:
                result = subprocess.run([PROGRAM, *map(str, arguments)], cwd=self.folder, stdout=full,
                                        stderr=subprocess.PIPE, text=True, timeout=slowed(300), check=False)
                self.assertEqual(result.returncode, 1, result.stderr)
                self.assertRegex(result.stderr, "standard output: .*(No space left on device|an earlier write failed)")

    def test_serve_says_where_it_is_or_ends(self):
        with open("/dev/full", "w", encoding="ascii") as full:
            result = subprocess.run([PROGRAM, "serve", "--model", "model.json", "--data", "visits.csv", "--no-browser"],
                                    cwd=self.folder, stdout=full, stderr=subprocess.PIPE, text=True, timeout=slowed(120),
                                    check=False)
        self.assertEqual(result.returncode, 1, result.stderr)
        self.assertIn("standard output: ", result.stderr)

    def test_a_closed_standard_output_does_not_end_up_in_a_file(self):
        for arguments, output in ((("fit", "--study", self.study("bias"), "--data", "visits.csv", "--output", "m.json",
                                    "--restarts", 2, "--policy", "belief"), "m.json"),
                                  (("simulate", "bias", "--patients", 5, "--output", "s.csv", "--json"), "s.csv")):
            self.run_well(*arguments)
            expected = (self.folder / output).read_bytes()
            result = subprocess.run([PROGRAM, *map(str, arguments)], cwd=self.folder, stderr=subprocess.PIPE, text=True,
                                    timeout=slowed(300), check=False, preexec_fn=lambda: os.close(1))
            self.assertEqual(result.returncode, 1, result.stderr)
            self.assertIn("standard output: ", result.stderr)
            self.assertEqual((self.folder / output).read_bytes(), expected)

    # --- inputs and outputs

    def test_what_is_read_is_never_written(self):
        study = self.write("bias.toml", self.study("bias").read_text())
        os.symlink("visits.csv", self.folder / "link.csv")
        os.link(self.folder / "model.json", self.folder / "hard.json")
        learn = ("--study", study.name, "--data", "visits.csv")
        model = ("--model", "model.json", "--data", "visits.csv")
        (self.folder / "out").mkdir()
        self.run_well("simulate", "adni", "--patients", 60, "--output", "out/runs.csv", "--quiet")
        before = {path: path.read_bytes() for path in self.folder.rglob("*") if path.is_file()}
        for arguments, flag, use in (
                (("fit", *learn, "--output", "visits.csv"), "--output", "--data"),
                (("fit", *learn, "--output", "link.csv"), "--output", "--data"),
                (("fit", *learn, "--output", "bias.toml"), "--output", "--study"),
                (("fit", *learn, "--output", "m.json", "--checkpoint", "visits.csv"), "--checkpoint", "--data"),
                (("fit", *learn, "--output", "visits.csv", "--algorithm", "bc"), "--output", "--data"),
                (("sample", *learn, "--output", "./visits.csv"), "--output", "--data"),
                (("sample", *learn, "--output", "d.csv", "--arviz", "bias.toml"), "--arviz", "--study"),
                (("compare", *learn, "--csv", "visits.csv"), "--csv", "--data"),
                (("beliefs", *model, "--output", "visits.csv"), "--output", "--data"),
                (("explain", *model, "--csv", "model.json"), "--csv", "--model"),
                (("audit", *model, "--csv", "hard.json"), "--csv", "--model"),
                (("report", *model, "--output", "model.json"), "--output", "--model"),
                (("report", *model, "--output", "r.html", "--payload", "visits.csv"), "--payload", "--data"),
                (("export", "--model", "truth.json", "--output", "truth.json"), "--output", "--model"),
                (("export", "--model", "truth.json", "--rewards", "rewards.json", "--output", "rewards.json"),
                 "--output", "--rewards"),
                (("plan", "tiger.pomdp", "--output", "tiger.pomdp"), "--output", "the plan"),
                (("study", "init", "visits.csv", "--force", "--output", "visits.csv"), "--output", "the draft"),
                (("reproduce", "adni", "--study", self.study("adni/adnimerge"), "--data", "out/runs.csv", "--output",
                  "out"), "--output", "--data")):
            with self.subTest(arguments=arguments):
                self.refuse(arguments, 2, f"{flag}: ", f"is read by {use} and would be lost")
                self.assertEqual({path: path.read_bytes() for path in before}, before)

    def test_a_figure_does_not_replace_its_model(self):
        os.link(self.folder / "model.json", self.folder / "figure.svg")
        self.refuse(("plot", "policy", "--model", "model.json", "--data", "visits.csv", "--output", "figure.svg"), 2,
                    "--output", "is read by --model")

    def test_two_outputs_are_two_files(self):
        self.refuse(("simulate", "bias", "--output", "s", "--truth", "s"), 2, "--output and --truth both name s")
        self.write("one", "")
        os.link(self.folder / "one", self.folder / "two")
        self.refuse(("simulate", "bias", "--output", "one", "--truth", "two"), 2, "both name two")

    def test_a_model_may_come_from_a_pipe(self):
        os.mkfifo(self.folder / "pipe")
        expected = self.run_well("evaluate", "--model", "model.json", "--data", "visits.csv", "--json").stdout
        text = (self.folder / "model.json").read_text()
        writer = threading.Thread(target=lambda: (self.folder / "pipe").write_text(text))
        writer.start()
        shown = self.run_well("evaluate", "--model", "pipe", "--data", "visits.csv", "--json").stdout
        writer.join()
        self.assertEqual(shown, expected)

    def test_an_output_that_is_a_folder_is_refused_before_the_work(self):
        (self.folder / "folder").mkdir()
        (self.folder / "folder.svg").mkdir()
        model = ("--model", "model.json", "--data", "visits.csv")
        for arguments in (("simulate", "bias", "--output", "folder"), ("beliefs", *model, "--output", "folder"),
                          ("report", *model, "--output", "folder"), ("explain", *model, "--csv", "folder"),
                          ("audit", *model, "--csv", "folder"), ("plan", "tiger.pomdp", "--output", "folder"),
                          ("plot", "policy", *model, "--output", "folder.svg"),
                          ("export", "--model", "truth.json", "--output", "folder"),
                          ("study", "init", "visits.csv", "--output", "folder"),
                          ("fit", "--study", self.study("bias"), "--data", "visits.csv", "--output", "folder")):
            with self.subTest(arguments[0]):
                self.refuse(arguments, 1, "folder", "is a folder; name a file")

    def test_a_link_to_nothing_makes_the_file_it_names(self):
        os.symlink("later.csv", self.folder / "link.csv")
        self.run_well("simulate", "bias", "--patients", 3, "--output", "link.csv", "--quiet")
        self.assertTrue((self.folder / "link.csv").is_symlink())
        self.assertTrue((self.folder / "later.csv").read_text().startswith("patient,"))

    # --- who may read

    def test_what_shows_individuals_is_its_owners(self):
        model = ("--model", "model.json", "--data", "visits.csv")
        os.umask(0o022)
        for arguments, output in ((("beliefs", *model, "--output"), "b.csv"), (("explain", *model, "--csv"), "e.csv"),
                                  (("audit", *model, "--csv"), "a.csv"), (("report", *model, "--output"), "r.html"),
                                  (("plot", "trajectory", *model, "--patient", "p000001", "--output"), "t.svg")):
            self.run_well(*arguments, output, "--quiet")
            self.assertEqual(self.permissions(output), 0o600, output)
        self.run_well("plot", "policy", *model, "--output", "p.svg", "--quiet")
        self.assertEqual(self.permissions("p.svg"), 0o644)
        self.assertEqual(self.permissions("model.json"), 0o644)

    def test_a_file_that_is_replaced_keeps_its_permissions(self):
        for mode in (0o600, 0o644):
            for output in ("s.csv", "b.csv"):
                self.write(output, "old")
                os.chmod(self.folder / output, mode)
            self.run_well("simulate", "bias", "--patients", 3, "--output", "s.csv", "--quiet")
            self.run_well("beliefs", "--model", "model.json", "--data", "visits.csv", "--output", "b.csv", "--quiet")
            self.assertEqual((self.permissions("s.csv"), self.permissions("b.csv")), (mode, mode))

    def test_a_checkpoint_takes_no_file_of_others_with_it(self):
        self.write(".run.checkpoint.backup", "mine")
        self.run_well("fit", "--study", self.study("bias"), "--data", "visits.csv", "--output", "m.json",
                      "--checkpoint", "run.checkpoint", "--checkpoint-seconds", 0, "--quiet")
        self.assertEqual((self.folder / ".run.checkpoint.backup").read_text(), "mine")
        self.assertFalse(pathlib.Path(self.folder / "run.checkpoint").exists())


if __name__ == "__main__":
    main()
