"""Agent and world told apart: coupled fits, the bias audit, numbers of states, and data that teach little."""
import json
import math
import re

import program
from program import ProgramTest


def all_numbers(value):
    if isinstance(value, dict):
        for item in value.values():
            yield from all_numbers(item)
    elif isinstance(value, list):
        for item in value:
            yield from all_numbers(item)
    elif isinstance(value, float):
        yield value


STUDY = """
format = "interpole-study"
version = 1
states = ["well", "ill"]
observations = ["negative", "positive"]
[[actions]]
name = "test"
[[actions]]
name = "stop"
terminal = true
"""


class Coupling(ProgramTest):
    def simulate(self, study="bias", patients=1000, seed=1):
        self.run_well("simulate", study, "--patients", patients, "--seed", seed, "--output", "visits.csv", "--quiet")

    def fit(self, *more, study=None):
        return self.run_json("fit", "--study", study or self.study("bias"), "--data", "visits.csv", "--output",
                             "model.json", *more)

    def bias(self, *more):
        return self.run_json("bias", "--model", "model.json", "--data", "visits.csv", *more)

    def test_the_audit_says_what_the_doctors_of_bias_overestimate(self):
        self.simulate()
        fit = self.fit()
        audit = self.bias()
        self.assertEqual(fit["agent_and_world"],
                         {key: audit[key] for key in ("verdict", "reasons", "tempered_log_bayes_factor")})
        self.assertGreater(audit["log_bayes_factor"], 10)
        found = {row["parameter"]: row for row in audit["parameters"]}
        missed = found["observation[monitor,diseased,negative]"]
        self.assertTrue(missed["flagged"])
        self.assertLess(missed["agent"]["low"], 0.2 + 0.02)
        self.assertGreater(missed["agent"]["high"], 0.2)
        self.assertTrue(missed["world"]["low"] < 0.4 < missed["world"]["high"])
        self.assertFalse(found["observation[monitor,healthy,positive]"]["flagged"])
        self.assertTrue(0.05 < audit["cost"]["changed_decisions"]["estimate"] < 0.3)
        self.assertTrue(0.0 < audit["cost"]["changed_beyond_chance"]["low"]
                        < audit["cost"]["changed_decisions"]["estimate"])
        self.assertIn("acts as if \"monitor\" gave \"negative\"", audit["sentences"][1])
        words = self.run_well("bias", "--model", "model.json", "--data", "visits.csv").stdout
        self.assertIn(audit["sentences"][1], words)

    def test_the_audit_stays_quiet_where_agent_and_world_agree(self):
        self.simulate("diag", 100)
        self.fit(study=self.study("diag"))
        audit = self.bias()
        self.assertLess(audit["log_bayes_factor"], math.log(3))
        self.assertFalse(any(row["flagged"] for row in audit["parameters"]))

    def test_the_ends_of_the_coupling_are_the_other_two_modes(self):
        self.simulate(patients=300)

        def model(*more):
            self.fit(*more)
            return json.loads((self.folder / "model.json").read_text())["observation"][0][1][0]

        self.assertAlmostEqual(model("--coupling", 0), model("--dynamics", "shared"), delta=1e-4)
        self.assertAlmostEqual(model("--coupling", "inf"), model("--dynamics", "subjective"), delta=1e-4)

    def test_a_known_world_is_held(self):
        self.simulate(patients=300)
        self.write("study.toml", self.study("bias").read_text() +
                   "\n[world]\nobservation.monitor = [[0.6, 0.4], [0.4, 0.6]]\n")
        self.fit(study="study.toml")
        model = json.loads((self.folder / "model.json").read_text())
        self.assertEqual(model["world"]["observation"][0], [[0.6, 0.4], [0.4, 0.6]])
        self.assertLess(model["observation"][0][1][0], 0.3)
        self.assertEqual(self.bias()["parameters"][0]["world"]["low"], self.bias()["parameters"][0]["world"]["high"])

    def test_numbers_of_states_are_reported_and_no_model_is_written(self):
        self.simulate(patients=200)
        table = self.run_json("fit", "--study", self.study("bias"), "--data", "visits.csv", "--states", "1..2",
                              "--restarts", 4)
        one, two = table["state_counts"]
        self.assertGreater(two["held_out_log_likelihood_per_decision"], one["held_out_log_likelihood_per_decision"])
        self.assertGreater(two["log_evidence"], one["log_evidence"])
        self.assertEqual([path.name for path in self.folder.iterdir()], ["visits.csv"])

    def test_refusals_name_the_remedy(self):
        self.simulate(patients=50)
        data = ("--data", "visits.csv")
        study = ("--study", self.study("bias"))
        self.fit("--dynamics", "shared")
        self.refuse(("bias", "--model", "model.json", *data), 3, "model.json", "--dynamics coupled")
        self.run_well("simulate", "bias", "--patients", 5, "--truth", "truth.json", "--output", "v.csv", "--quiet")
        self.refuse(("bias", "--model", "truth.json", *data), 3, "truth.json", "fit it again", "--draws")
        self.fit()
        self.refuse(("bias", "--model", "model.json", *data, "--margin", 7), 2, "--margin", "7")
        self.refuse(("fit", *study, *data, "--states", "5..2"), 2, "--states", "5..2")
        self.refuse(("fit", *study, *data, "--states", "2", "--folds", 60), 2, "--folds", "50")
        self.refuse(("fit", *study, *data, "--output", "m.json", "--coupling=-1"), 2, "--coupling", "-1")
        self.refuse(("fit", *study, *data, "--output", "m.json", "--dynamics", "shared", "--coupling", "1"),
                    2, "--coupling")
        self.refuse(("fit", *study, *data, "--output", "m.json", "--dynamics", "coupled", "--optimizer", "algorithm1"),
                    2, "algorithm1", "--dynamics shared")
        self.refuse(("fit", *study, *data), 2, "--output")
        text = (self.folder / "model.json").read_text()
        self.write("cut.json", re.sub(r'"centre": \[[^]]*\]', '"centre": [1.0]', text, count=1))
        self.refuse(("bias", "--model", "cut.json", *data),
                    3, "uncertainty.components[0].centre", "fit the model again")


class DataThatTeachLittle(ProgramTest):
    """Whatever the data: a model, an audit, finite numbers, and a word about what is not known."""

    def fit_and_audit(self, study, rows, *more):
        self.write("study.toml", study)
        self.write("visits.csv", "patient,step,action,observation\n" + "".join(rows))
        fitted = self.run_json("fit", "--study", "study.toml", "--data", "visits.csv", "--output", "model.json", *more)
        audit = self.run_json("bias", "--model", "model.json", "--data", "visits.csv")
        model = json.loads((self.folder / "model.json").read_text())
        for number in [*all_numbers(fitted), *all_numbers(audit), *all_numbers(model)]:
            self.assertTrue(math.isfinite(number))
        return fitted, audit

    def test_one_action_only(self):
        study = STUDY.split("[[actions]]\nname = \"stop\"")[0]
        rows = [f"p{i},{t},test,{'positive' if (i + t) % 3 else 'negative'}\n" for i in range(20) for t in (1, 2, 3)]
        fitted, _ = self.fit_and_audit(study, rows)
        self.assertTrue(fitted["decided_by_prior"])

    def test_an_outcome_that_never_varies(self):
        rows = [f"p{i},{t},test,positive\n" for i in range(20) for t in (1, 2)] + [f"p{i},3,stop,\n" for i in range(10)]
        rows.sort()
        self.fit_and_audit(STUDY, rows)

    def test_everything_known(self):
        study = STUDY + """[known]
initial_belief = [0.5, 0.5]
transition."*" = "identity"
observation.test = [[0.8, 0.2], [0.3, 0.7]]
inverse_temperature = 5
means.test = [0.5, 0.5]
means.stop = [1, 0]
"""
        rows = ["a,1,test,positive\n", "a,2,stop,\n", "b,1,test,negative\n"]
        fitted, audit = self.fit_and_audit(study, rows)
        self.assertEqual(fitted["parameters_learned"], 0)
        self.assertEqual(audit["parameters"], [])

    def test_a_single_patient_with_a_single_visit(self):
        fitted, audit = self.fit_and_audit(STUDY, ["a,1,stop,\n"])
        self.assertLess(abs(audit["log_bayes_factor"]), 1.0)
        self.assertTrue(fitted["decided_by_prior"])

    def test_a_state_that_is_never_visited(self):
        study = STUDY + "[known]\ninitial_belief = [1, 0]\ntransition.\"*\" = \"identity\"\ninverse_temperature = 5\n"
        rows = [f"p{i},{t},test,{'positive' if i % 3 == 0 else 'negative'}\n" for i in range(30) for t in (1, 2)]
        fitted, _ = self.fit_and_audit(study, rows)
        involved = {name for weak in fitted["decided_by_prior"] for name in weak["involved"]}
        self.assertTrue(any("observation[test,ill]" in name for name in involved), involved)


if __name__ == "__main__":
    program.main()
