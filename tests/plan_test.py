"""interpole plan and interpole export: the files they write, and what they refuse."""
import json

from every_verb import TIGER
from program import ProgramTest, main


def vectors_of(text):
    """[(action, [value in each state])] of an .alpha file."""
    blocks = [block.split("\n") for block in text.strip().split("\n\n")]
    return [(int(action), [float(x) for x in values.split()]) for action, values in blocks]


class Plan(ProgramTest):
    def setUp(self):
        super().setUp()
        self.write("tiger.pomdp", TIGER)

    def test_the_tiger_listens_first(self):
        summary = self.run_json("plan", "tiger.pomdp", "--output", "tiger.alpha")
        self.assertEqual(summary["method"], "exact")
        self.assertTrue(summary["converged"])
        self.assertEqual(summary["action_at_start"], "listen")
        vectors = vectors_of((self.folder / "tiger.alpha").read_text())
        self.assertEqual(summary["vectors"], len(vectors))
        best = max(0.5 * a + 0.5 * b for _, (a, b) in vectors)
        self.assertAlmostEqual(best, summary["value_at_start"]["lower"], places=5)
        self.assertEqual({action for action, _ in vectors}, {0, 1, 2})

    def test_both_methods_agree_to_their_gap(self):
        exact = self.run_json("plan", "tiger.pomdp", "--method", "exact", "--output", "a.alpha")
        points = self.run_json("plan", "tiger.pomdp", "--method", "point", "--epsilon", 0.01, "--output", "b.alpha")
        self.assertEqual(points["method"], "point-based")
        self.assertLessEqual(points["value_at_start"]["lower"], exact["value_at_start"]["upper"] + 1e-9)
        self.assertGreaterEqual(points["value_at_start"]["upper"], exact["value_at_start"]["lower"] - 1e-9)
        self.assertLessEqual(points["value_at_start"]["upper"] - points["value_at_start"]["lower"], 0.01 + 1e-9)

    def test_one_decision_is_the_best_reward(self):
        summary = self.run_json("plan", "tiger.pomdp", "--horizon", 1, "--discount", 1, "--output", "one.alpha")
        self.assertEqual(summary["horizon"], 1)
        self.assertEqual(summary["discount"], 1)
        self.assertEqual(dict(vectors_of((self.folder / "one.alpha").read_text())),
                         {0: [-1, -1], 1: [-100, 10], 2: [10, -100]})

    def test_standard_output_gets_the_vectors_alone(self):
        result = self.run_well("plan", "tiger.pomdp", "--horizon", 2, "--output", "-")
        self.assertTrue(vectors_of(result.stdout))
        self.assertEqual(self.run_program("plan", "tiger.pomdp", "--json", "--output", "-").returncode, 2)

    def test_people_get_a_table(self):
        self.assertIn("listen", self.run_well("plan", "tiger.pomdp", "--output", "t.alpha").stdout)

    def test_what_does_not_converge_is_said(self):
        arguments = ("plan", "tiger.pomdp", "--method", "point", "--epsilon", 1e-12, "--discount", 0.999,
                     "--output", "t.alpha")
        result = self.run_program(*arguments, "--strict")
        self.assertEqual(result.returncode, 4, result.stderr)
        self.assertIn("before it was as accurate as asked", result.stderr)
        self.assertTrue((self.folder / "t.alpha").exists())

    def test_bad_problems_name_their_line(self):
        for text, line, part in (
                (TIGER.replace("0.85 0.15", "0.85 0.25", 1), 11, "sums to"),
                (TIGER.replace("open-left uniform", "open-lft uniform", 1), 9, "open-lft"),
                (TIGER.replace("discount: 0.75", "discount: 7.5"), 2, "7.5"),
                (TIGER.replace("R: listen : * : * : * -1", "R: listen : * : * : * minus"), 16, "minus")):
            self.write("bad.pomdp", text)
            self.refuse(("plan", "bad.pomdp", "--output", "bad.alpha"), 3, f"bad.pomdp:{line}:", part)
            self.assertFalse((self.folder / "bad.alpha").exists())
        self.refuse(("plan", "nowhere.pomdp", "--output", "x.alpha"), 3, "nowhere.pomdp")

    def test_bad_flags(self):
        self.refuse(("plan", "tiger.pomdp", "--output", "x", "--method", "guess"), 2, "guess", "exact")
        self.refuse(("plan", "tiger.pomdp", "--output", "x", "--discount", 1.5), 2, "1.5")
        self.refuse(("plan", "tiger.pomdp", "--output", "x", "--discount", 1), 2, "horizon")
        self.refuse(("plan", "tiger.pomdp", "--output", "x", "--horizon", 0), 2, "--horizon")
        self.refuse(("plan", "tiger.pomdp", "--output", "x", "--epsilon", -1), 2, "epsilon")


class Export(ProgramTest):
    def setUp(self):
        super().setUp()
        self.run_well("simulate", "bias", "--patients", 20, "--seed", 1, "--output", "visits.csv", "--truth",
                      "truth.json", "--quiet")

    def refuse(self, arguments, code, *parts):
        super().refuse(arguments, code, *parts)
        self.assertFalse((self.folder / "x.pomdp").exists())

    def export(self, *more):
        return ("export", "--model", "truth.json", "--format", "pomdp", "--output", "x.pomdp", *more)

    def test_what_is_exported_can_be_planned_for(self):
        self.write("rewards.json", json.dumps([[-0.03, -0.03], [0.6, -1], [-1, 0.6]]))
        self.run_well(*self.export("--rewards", "rewards.json", "--discount", 0.9))
        text = (self.folder / "x.pomdp").read_text()
        self.assertIn("ended", text)  # declarations end the process
        summary = self.run_json("plan", "x.pomdp", "--horizon", 25, "--output", "x.alpha")
        self.assertEqual(summary["action_at_start"], "monitor")
        self.assertEqual(summary["states"], 3)

    def test_agent_and_world_differ(self):
        self.run_well(*self.export("--quiet"))
        agent = (self.folder / "x.pomdp").read_text()
        self.run_well(*self.export("--dynamics", "world", "--quiet"))
        world = (self.folder / "x.pomdp").read_text()
        self.assertNotEqual(agent, world)

    def test_without_rewards_all_are_zero_and_it_says_so(self):
        result = self.run_well(*self.export())
        self.assertIn("all rewards are zero", result.stderr)

    def test_rewards_may_stand_under_their_key_or_in_a_learner_file(self):
        rows = [[0, 0], [1, -1], [-1, 1]]
        texts = []
        for document in (rows, {"rewards": rows}, {"content": {"rewards": rows}}):
            self.write("rewards.json", json.dumps(document))
            self.run_well(*self.export("--rewards", "rewards.json", "--quiet"))
            texts.append((self.folder / "x.pomdp").read_text())
        self.assertEqual(texts[0], texts[1])
        self.assertEqual(texts[0], texts[2])

    def test_bad_rewards_name_their_place(self):
        for document, part in (([[0, 0]], "rewards.json: 1 entries; 3 expected"),
                               ([[0, 0], [0], [0, 0]], "[1]: 1 entries; 2 expected"),
                               ([[0, 0], [0, "much"], [0, 0]], "[1][1]"),
                               ({"prizes": 1}, "rewards")):
            self.write("rewards.json", json.dumps(document))
            self.refuse(self.export("--rewards", "rewards.json"), 3, "rewards.json", part)

    def test_bad_flags(self):
        self.refuse(("export", "--model", "truth.json", "--format", "xml", "--output", "x.pomdp"), 2, "xml", "pomdp")
        self.refuse(self.export("--dynamics", "patient"), 2, "patient")
        self.refuse(self.export("--discount", -0.5), 2, "-0.5")
        self.refuse(("export", "--model", "visits.csv", "--output", "x.pomdp"), 3, "visits.csv")
        model = json.loads((self.folder / "truth.json").read_text())
        del model["world"]
        self.write("truth.json", json.dumps(model))
        self.refuse(self.export("--dynamics", "world"), 3, "no world")


if __name__ == "__main__":
    main()
