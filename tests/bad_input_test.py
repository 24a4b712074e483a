"""Bad input of every kind: the exit code, and a message that names the place, the value and the remedy."""
import json
import os
import pathlib
import resource
import signal

from program import PROGRAM, ProgramTest, main

GOOD_TABLE = """patient,step,action,observation
p1,1,monitor,negative
p1,2,declare-healthy,
p2,1,monitor,positive
p2,2,monitor,positive
p2,3,declare-diseased,
"""

GOOD_MODEL = {
    "format": "interpole-model", "version": 1,
    "states": ["healthy", "diseased"],
    "actions": ["monitor", "declare-healthy", "declare-diseased"],
    "observations": ["negative", "positive"],
    "initial_belief": [0.5, 0.5],
    "transition": [[[1, 0], [0, 1]]] * 3,
    "observation": [[[0.6, 0.4], [0.4, 0.6]], None, None],
    "inverse_temperature": 10,
    "means": [[0.5, 0.5], [1.3, -0.3], [-0.3, 1.3]],
}


class BadInput(ProgramTest):
    def refuse_table(self, table, *parts):
        self.write("visits.csv", table)
        self.refuse(("fit", "--study", self.study("bias"), "--data", "visits.csv", "--output", "model.json"), 3,
                    "visits.csv", *parts)
        self.assertFalse((self.folder / "model.json").exists())

    def refuse_model(self, text, *parts):
        self.write("model.json", text if isinstance(text, (str, bytes)) else json.dumps(text))
        self.write("visits.csv", GOOD_TABLE)
        self.refuse(("evaluate", "--model", "model.json", "--data", "visits.csv"), 3, "model.json", *parts)

    def changed(self, **changes):
        return {**GOOD_MODEL, **changes}

    def test_the_good_ones_are_good(self):
        self.write("visits.csv", GOOD_TABLE)
        self.write("model.json", json.dumps(GOOD_MODEL))
        self.run_well("evaluate", "--model", "model.json", "--data", "visits.csv")
        self.run_well("fit", "--study", self.study("bias"), "--data", "visits.csv", "--output", "m.json", "--quiet")

    # --- tables

    def test_empty_file(self):
        self.refuse_table("", "empty")

    def test_header_only(self):
        self.refuse_table("patient,step,action,observation\n", "no rows")

    def test_missing_file(self):
        self.refuse(("fit", "--study", self.study("bias"), "--data", "none.csv", "--output", "m.json"), 3, "none.csv")

    def test_missing_column(self):
        self.refuse_table(GOOD_TABLE.replace("action", "axtion", 1), "action", "axtion")

    def test_unknown_action(self):
        self.refuse_table(GOOD_TABLE.replace("p2,2,monitor", "p2,2,monitr"), "row 5", "action", "monitr", "monitor")

    def test_unknown_outcome(self):
        self.refuse_table(GOOD_TABLE.replace("p2,2,monitor,positive", "p2,2,monitor,pos"), "row 5", "observation",
                          '"pos"')

    def test_outcome_the_mask_forbids(self):
        study = self.study("bias").read_text().replace('name = "monitor"', 'name = "monitor"\noutcomes = ["negative"]')
        self.write("study.toml", study[:study.index("[labels]")])
        self.write("visits.csv", GOOD_TABLE)
        self.refuse(("fit", "--study", "study.toml", "--data", "visits.csv", "--output", "m.json"), 3, "visits.csv",
                    "row 4", "positive", "monitor")

    def test_observation_after_a_terminal_action(self):
        self.refuse_table(GOOD_TABLE.replace("declare-healthy,", "declare-healthy,negative"), "row 3",
                          "declare-healthy")

    def test_steps_after_a_terminal_action(self):
        self.refuse_table(GOOD_TABLE.replace("p1,2,declare-healthy,\n", "p1,2,declare-healthy,\np1,3,monitor,\n"),
                          "row 4", "declare-healthy")

    def test_duplicate_patient_and_step(self):
        self.refuse_table(GOOD_TABLE.replace("p2,2,", "p2,1,"), "row 5", "step 1", "p2", "twice")

    def test_steps_out_of_order(self):
        self.refuse_table(GOOD_TABLE.replace("p2,2,", "p2,0,"), "row 5", "step 0", "p2")

    def test_patient_in_two_places(self):
        self.refuse_table(GOOD_TABLE + "p1,3,monitor,\n", "row 7", "p1")

    def test_ragged_row(self):
        self.refuse_table(GOOD_TABLE + "p3,1\n", "line 7")

    def test_numbers_of_a_study_too_extreme_to_compute_with(self):
        text = pathlib.Path(self.study("bias")).read_text(encoding="utf-8")
        self.write("visits.csv", GOOD_TABLE)
        self.write("extreme.toml", text + "[priors]\nobservation = 1e-300\n")
        for verb in ("fit", "sample"):
            self.refuse((verb, "--study", "extreme.toml", "--data", "visits.csv", "--output", "out"), 3,
                        "extreme.toml: no search met a finite log-posterior", "priors.observation = 1e-300",
                        "bring it nearer to 1")

    def test_zero_probability_observation_in_fit(self):
        study = self.study("bias").read_text().replace(
            "means.monitor", "observation.monitor = [[1, 0], [1, 0]]\nmeans.monitor")
        self.write("study.toml", study)
        self.write("visits.csv", GOOD_TABLE)
        self.refuse(("fit", "--study", "study.toml", "--data", "visits.csv", "--output", "m.json"), 3, "visits.csv",
                    '"p2"', "step 1", "positive", "impossible")

    def test_zero_probability_observation_in_evaluate_and_beliefs(self):
        self.write("model.json", json.dumps(self.changed(observation=[[[1, 0], [1, 0]], None, None])))
        self.write("visits.csv", GOOD_TABLE)
        for verb, more in (("evaluate", ()), ("beliefs", ("--output", "b.csv")), ("report", ("--output", "r.html"))):
            self.refuse((verb, "--model", "model.json", "--data", "visits.csv", *more), 3, '"p2"', "step 1",
                        "positive", "impossible")
        self.assertEqual(sorted(os.listdir(self.folder)), ["model.json", "visits.csv"])

    # --- models

    def test_nan_and_infinity_in_a_model(self):
        text = json.dumps(GOOD_MODEL)
        self.refuse_model(text.replace("0.6", "NaN", 1))
        self.refuse_model(text.replace("0.6", "1e999", 1))
        self.refuse_model(self.changed(inverse_temperature="inf"), "inverse_temperature")

    def test_rows_not_summing_to_one(self):
        self.refuse_model(self.changed(initial_belief=[0.5, 0.6]), "initial_belief", "1.1")
        self.refuse_model(self.changed(observation=[[[0.6, 0.4], [0.4, 0.5]], None, None]), "observation[0][1]", "0.9")

    def test_negative_probability(self):
        self.refuse_model(self.changed(initial_belief=[1.5, -0.5]), "initial_belief[1]", "-0.5")

    def test_wrong_dimensions(self):
        self.refuse_model(self.changed(initial_belief=[0.2, 0.3, 0.5]), "initial_belief")
        self.refuse_model(self.changed(means=[[0.5, 0.5]]), "means")
        self.refuse_model(self.changed(transition=[[[1, 0], [0, 1]]] * 2), "transition")

    def test_truncated_json(self):
        self.refuse_model(json.dumps(GOOD_MODEL)[:200])

    def test_depth_bomb(self):
        self.refuse_model("[" * 1_000_000)
        self.refuse_model('{"a":' * 1_000_000)

    def test_duplicate_key(self):
        self.refuse_model(json.dumps(GOOD_MODEL).replace('"version"', '"format": "x", "version"'), "format")

    def test_newer_format_version(self):
        self.refuse_model(self.changed(version=99), "version", "newer")

    def test_not_a_model(self):
        self.refuse_model(b"\xff\xfe\x00")
        self.refuse_model("[]")
        self.refuse_model(self.changed(format="something-else"), "something-else")

    def test_model_and_data_that_do_not_fit(self):
        self.write("model.json", json.dumps(self.changed(actions=["watch", "declare-healthy", "declare-diseased"])))
        self.write("visits.csv", GOOD_TABLE)
        self.refuse(("evaluate", "--model", "model.json", "--data", "visits.csv"), 3, "row 2", "monitor")

    def test_truth_of_another_problem(self):
        self.write("model.json", json.dumps(GOOD_MODEL))
        self.write("truth.json", json.dumps(self.changed(states=["well", "ill"])))
        self.write("visits.csv", GOOD_TABLE)
        self.refuse(("evaluate", "--model", "model.json", "--data", "visits.csv", "--truth", "truth.json"), 3, "states")

    # --- studies

    def test_study_with_a_misspelt_key(self):
        self.write("study.toml", self.study("bias").read_text().replace("observations =", "observation =", 1))
        self.write("visits.csv", GOOD_TABLE)
        self.refuse(("fit", "--study", "study.toml", "--data", "visits.csv", "--output", "m.json"), 3, "study.toml",
                    "observations")

    def test_study_that_is_not_toml(self):
        self.write("study.toml", "states = [")
        self.write("visits.csv", GOOD_TABLE)
        self.refuse(("fit", "--study", "study.toml", "--data", "visits.csv", "--output", "m.json"), 3, "study.toml:1")

    # --- outputs

    def test_unwritable_output(self):
        self.write("visits.csv", GOOD_TABLE)
        self.refuse(("fit", "--study", self.study("bias"), "--data", "visits.csv", "--output", "no/folder/m.json"), 1,
                    "no/folder/m.json")

    def test_full_disk_keeps_the_old_file(self):
        self.write("visits.csv", GOOD_TABLE)
        self.write("model.json", "old")

        def no_room():
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100))

        self.refuse(("fit", "--study", self.study("bias"), "--data", "visits.csv", "--output", "model.json"), 1,
                    "model.json", preexec_fn=no_room)
        self.assertEqual((self.folder / "model.json").read_text(), "old")
        self.assertEqual(sorted(os.listdir(self.folder)), ["model.json", "visits.csv"])

    # --- usage

    def test_wrong_words(self):
        self.write("visits.csv", GOOD_TABLE)
        fit = ("fit", "--study", self.study("bias"), "--data", "visits.csv", "--output", "m.json")
        self.refuse((*fit, "--dynamics", "sharde"), 2, "sharde", "subjective")
        self.refuse((*fit, "--optimizer", "newton"), 2, "newton", "lbfgs")
        self.refuse((*fit, "--algorithm", "magic"), 2, "magic", "interpole")
        self.refuse((*fit, "--restarts", "0"), 2, "--restarts")
        self.refuse((*fit, "--restarts", "many"), 2, "--restarts")
        self.refuse((*fit, "--colour"), 2, "--colour")
        self.refuse(("fit",), 2, "--study")
        self.refuse(("simulate", "mars"), 2, "mars", "bias")
        self.refuse(("simulate", "bias", "--patients", "-3"), 2, "-3")
        self.refuse(("explode",), 2, "explode")
        self.refuse((), 2)
        self.assertFalse((self.folder / "m.json").exists())


if __name__ == "__main__":
    main()
