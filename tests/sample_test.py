"""interpole sample: the files, the summary, checkpoints, Ctrl-C, and what it refuses."""
import csv
import json
import os
import signal
import subprocess
import time

from patience import slowed
from program import PROGRAM, ProgramTest, main

CLOSED_STUDY = """format = "interpole-study"
version = 1
states = ["healthy", "diseased"]
observations = ["negative", "positive"]
[[actions]]
name = "monitor"
[[actions]]
name = "declare-healthy"
terminal = true
[[actions]]
name = "declare-diseased"
terminal = true
[known]
initial_belief = [0.5, 0.5]
inverse_temperature = 10
transition."*" = "identity"
means.monitor = [0.5, 0.5]
means.declare-healthy = [1.3, -0.3]
means.declare-diseased = [-0.3, 1.3]
observation.monitor = [[0.6, 0.4], [0.4, 0.6]]
"""


class Sample(ProgramTest):
    def setUp(self):
        super().setUp()
        self.run_well("simulate", "bias", "--patients", 300, "--seed", 2, "--output", "visits.csv", "--quiet")

    def arguments(self, *more, study=None):
        usual = [(flag, value) for flag, value in (("--draws", 200), ("--warm-up", 200), ("--chains", 2))
                 if flag not in more]
        return ("sample", "--study", study or self.study("bias"), "--data", "visits.csv", "--output", "draws.csv",
                *(word for pair in usual for word in pair), *more)

    def draws(self):
        with open(self.folder / "draws.csv", encoding="utf-8", newline="") as file:
            return list(csv.DictReader(file))

    # --- what it writes

    def test_a_row_for_every_draw(self):
        summary = self.run_json(*self.arguments())
        rows = self.draws()
        self.assertEqual([(r["chain"], r["iteration"]) for r in rows],
                         [(str(c), str(i)) for c in (1, 2) for i in range(1, 201)])
        self.assertEqual(summary["draws"], 400)
        for row in rows:
            values = {name: float(value) for name, value in row.items()}
            for prefix in ("", "world."):
                for state in ("healthy", "diseased"):
                    both = [values[f"{prefix}observation[monitor,{state},{z}]"] for z in ("negative", "positive")]
                    self.assertAlmostEqual(sum(both), 1.0, places=12)
            self.assertEqual(values["inverse_temperature"], 10.0)  # known: the same in every row
            self.assertGreater(values["scale[observation]"], 0.0)
        column = [float(row["observation[monitor,diseased,negative]"]) for row in rows]
        shown = {q["name"]: q for q in summary["quantities"]}["observation[monitor,diseased,negative]"]
        self.assertAlmostEqual(shown["mean"], sum(column) / len(column), places=12)
        # The truth is 0.2, and 300 patients tell it to about 0.02.
        self.assertLess(abs(shown["mean"] - 0.2), 0.08)
        self.assertNotIn("inverse_temperature", [q["name"] for q in summary["quantities"]])
        self.assertEqual(len(summary["chains"]), 2)

    def test_dynamics_decide_what_is_drawn(self):
        for dynamics in ("shared", "subjective"):
            self.run_well(*self.arguments("--dynamics", dynamics, "--quiet"))
            names = self.draws()[0].keys()
            self.assertIn("observation[monitor,diseased,negative]", names)
            self.assertFalse([n for n in names if n.startswith(("world.", "scale["))])
        self.run_well(*self.arguments("--coupling", 0.5, "--quiet"))
        names = self.draws()[0].keys()
        self.assertTrue([n for n in names if n.startswith("world.")])
        self.assertFalse([n for n in names if n.startswith("scale[")])

    def test_arviz_gets_rectangular_arrays_with_named_dimensions(self):
        self.run_well(*self.arguments("--arviz", "draws.json", "--quiet"))
        data = json.loads((self.folder / "draws.json").read_text())
        self.assertEqual(set(data), {"posterior", "sample_stats", "coords", "dims", "attrs"})

        def shape(nested):
            if not isinstance(nested, list):
                return []
            shapes = [shape(item) for item in nested]
            self.assertTrue(all(s == shapes[0] for s in shapes))
            return [len(nested), *shapes[0]]

        for name, values in data["posterior"].items():
            dims = data["dims"].get(name, [])
            self.assertEqual(len(set(dims)), len(dims), "a variable may have a dimension once")
            self.assertEqual(shape(values), [2, 200] + [len(data["coords"][d]) for d in dims], name)
            self.assertNotIn(name, data["coords"], "a variable may not be called like a dimension")
        self.assertEqual(set(data["sample_stats"]), {"lp", "energy", "acceptance_rate", "step_size", "tree_depth",
                                                     "n_steps", "diverging"})
        for name, values in data["sample_stats"].items():
            self.assertEqual(shape(values), [2, 200], name)
        self.assertIs(type(data["sample_stats"]["diverging"][0][0]), bool)
        rows = self.draws()
        self.assertEqual(data["posterior"]["observation"][1][7][0][1][0],
                         float(rows[207]["observation[monitor,diseased,negative]"]))
        self.assertEqual(data["posterior"]["world_observation"][1][7][0][1][0],
                         float(rows[207]["world.observation[monitor,diseased,negative]"]))

    def test_same_seed_same_bytes_whatever_the_threads(self):
        files = set()
        for threads in (1, 2, 5):
            self.run_well(*self.arguments("--threads", threads, "--quiet"))
            files.add((self.folder / "draws.csv").read_bytes())
        self.assertEqual(len(files), 1)
        self.run_well(*self.arguments("--seed", 2, "--quiet"))
        self.assertNotIn((self.folder / "draws.csv").read_bytes(), files)

    def test_the_bias_audit_reads_the_draws(self):
        self.run_well("fit", "--study", self.study("bias"), "--data", "visits.csv", "--output", "model.json", "--quiet")
        self.run_well(*self.arguments("--quiet"))
        self.run_well("bias", "--model", "model.json", "--data", "visits.csv", "--draws", "draws.csv")

    def test_table_for_people(self):
        result = self.run_well(*self.arguments())
        for part in ("90% interval", "R-hat", "effective draws", "observation[monitor,diseased,negative]", "draws.csv"):
            self.assertIn(part, result.stdout)
        self.assertNotIn("inverse_temperature", result.stdout)

    def test_draws_can_go_to_standard_output(self):
        result = self.run_well("sample", "--study", self.study("bias"), "--data", "visits.csv", "--output", "-",
                               "--draws", 20, "--warm-up", 100, "--chains", 1)
        self.assertEqual(len(result.stdout.splitlines()), 21)
        self.assertTrue(result.stdout.startswith("chain,iteration,log_posterior,divergent,"))

    def test_strict_says_when_the_draws_cannot_be_trusted(self):
        few = ("sample", "--study", self.study("bias"), "--data", "visits.csv", "--output", "draws.csv", "--draws", 8,
               "--warm-up", 50, "--chains", 2)
        self.assertEqual(self.run_program(*few, "--strict").returncode, 4)
        lenient = self.run_program(*few)
        self.assertEqual(lenient.returncode, 0)
        self.assertIn("warning: there are too few draws to judge them", lenient.stderr)

    # --- stopping and going on

    def interrupt(self, *more, after=2.0):
        command = [PROGRAM, *map(str, self.arguments("--draws", 100000, "--threads", 2, *more))]
        with subprocess.Popen(command, cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              text=True) as process:
            time.sleep(slowed(after))
            process.send_signal(signal.SIGINT)
            _, errors = process.communicate(timeout=slowed(120))
        self.assertEqual(process.returncode, 130, errors)
        return errors

    def test_ctrl_c_keeps_the_draws_there_are(self):
        errors = self.interrupt("--arviz", "draws.json", "--warm-up", 20, after=4.0)
        self.assertIn("interrupted; the ", errors)
        self.assertIn("draws.csv", errors)
        rows = self.draws()
        self.assertEqual({row["chain"] for row in rows}, {"1", "2"})
        self.assertLess(len(rows), 200000)
        shortest = min(sum(row["chain"] == c for row in rows) for c in "12")
        lp = json.loads((self.folder / "draws.json").read_text())["sample_stats"]["lp"]
        self.assertEqual([len(chain) for chain in lp], [shortest, shortest])

    def test_ctrl_c_in_warm_up_has_nothing_to_keep(self):
        errors = self.interrupt("--warm-up", 1000000, "--checkpoint", "run.checkpoint")
        self.assertIn("no draws to keep", errors)
        self.assertIn("goes on from run.checkpoint", errors)
        self.assertFalse((self.folder / "draws.csv").exists())
        self.assertTrue((self.folder / "run.checkpoint").exists())

    def checkpoint(self):
        """One of a run that was stopped."""
        self.interrupt("--warm-up", 1000000, "--checkpoint", "run.checkpoint")
        return ("--draws", 100000, "--warm-up", 1000000, "--checkpoint", "run.checkpoint")

    def test_a_checkpoint_of_another_run_is_refused(self):
        same = self.checkpoint()
        self.refuse(self.arguments(*same, "--seed", 7), 3, "run.checkpoint: the checkpoint is of another run: its --seed "
                    "is 1, here it is 7; delete it, or name another file by --checkpoint")
        self.refuse(self.arguments(*same, "--dynamics", "shared"), 3, "its --dynamics is coupled, here it is shared")
        with open(self.folder / "visits.csv", "a", encoding="utf-8") as file:
            file.write("late,1,declare-healthy,\n")
        self.refuse(self.arguments(*same), 3, "its data's SHA-256 is ")
        self.refuse(("fit", "--study", self.study("bias"), "--data", "visits.csv", "--output", "model.json",
                     "--checkpoint", "run.checkpoint"), 3, "its verb is sample, here it is fit")
        self.assertTrue((self.folder / "run.checkpoint").exists())

    def test_a_checkpoint_that_was_cut_is_refused(self):
        same = self.checkpoint()
        path = self.folder / "run.checkpoint"
        path.write_bytes(path.read_bytes()[:-100])
        self.refuse(self.arguments(*same), 3, "run.checkpoint: the checkpoint is cut or was altered",
                    "delete it, or name another file")
        path.write_text("patient,step\n")
        self.refuse(self.arguments(*same), 3, "not a checkpoint of this program")

    def test_a_finished_run_leaves_no_checkpoint(self):
        self.run_well(*self.arguments("--checkpoint", "run.checkpoint", "--checkpoint-seconds", 0, "--quiet"))
        self.assertEqual(sorted(os.listdir(self.folder)), ["draws.csv", "visits.csv"])

    # --- what it refuses

    def test_flags_that_make_no_sense(self):
        for flag, value, message in (("--draws", 0, "--draws: 0 is below 1"),
                                     ("--chains", 0, "--chains: 0 is below 1"),
                                     ("--warm-up", -1, "--warm-up: -1 is below 0"),
                                     ("--target-accept", 1.5, "--target-accept: 1.5 is not between 0 and 1"),
                                     ("--metric", "round", '--metric: "round" is not known; choose dense or diagonal'),
                                     ("--dynamics", "none", '--dynamics: "none" is not known'),
                                     ("--coupling", "wide", '--coupling: "wide" is not a number from 0 to inf'),
                                     ("--coupling", "inf", "--dynamics subjective")):
            self.refuse(("sample", "--study", self.study("bias"), "--data", "visits.csv", "--output", "draws.csv", flag,
                         value), 2, message)
        self.refuse(self.arguments("--dynamics", "shared", "--coupling", 0.3), 2, "only coupled dynamics have one")
        self.assertFalse((self.folder / "draws.csv").exists())

    def test_files_that_get_in_each_others_way(self):
        self.refuse(self.arguments("--checkpoint", "draws.csv"), 2, "--output and --checkpoint both name draws.csv")
        self.refuse(self.arguments("--arviz", "draws.csv"), 2, "--output and --arviz both name draws.csv")
        self.refuse(("sample", "--study", self.study("bias"), "--data", "visits.csv", "--output", "-", "--json"), 2,
                    "cannot both go to standard output")

    def test_places_that_cannot_be_written_are_found_before_the_work(self):
        begin = time.monotonic()
        self.refuse(self.arguments("--arviz", "none/draws.json", "--draws", 1000000), 1, "--arviz: none/draws.json",
                    "no folder none")
        self.assertLess(time.monotonic() - begin, slowed(5.0))

    def test_a_study_that_knows_everything(self):
        self.write("closed.toml", CLOSED_STUDY)
        for dynamics in ("shared", "coupled", "subjective"):
            self.refuse(self.arguments("--dynamics", dynamics, study="closed.toml"), 3,
                        "the study knows every value, so there is nothing to draw")

    def test_data_that_the_study_calls_impossible(self):
        study = CLOSED_STUDY.replace("[0.6, 0.4]", "[1.0, 0.0]").replace("[0.4, 0.6]", "[1.0, 0.0]")
        self.write("impossible.toml", study.replace("inverse_temperature = 10\n", ""))
        self.refuse(self.arguments(study="impossible.toml"), 3, "visits.csv", "patient", "positive")


if __name__ == "__main__":
    main()
