"""Text that travels: names from tables and models neither steer a terminal nor become formulas in a spreadsheet, and keep
their meaning in JSON."""
import csv
import json
import re

from program import ProgramTest, main

# Escape sequences, C1, bidirectional marks: in patients, actions, outcomes and states.
CLEAR, C1, TURN = "\x1b[2J", "\u009b2J", "\u202e"
STEERING = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")
FORMULAS = ("=1+1", "@SUM(A1)", "+cmd|' /C calc'!A0", "-2+3", "=HYPERLINK(\"http://example.invalid\")")

MODEL = {"format": "interpole-model", "version": 1, "states": ["well" + TURN, "ill" + CLEAR],
         "actions": ["wait" + C1, "=test()"], "observations": ["low" + TURN, "-1+1"],
         "initial_belief": [0.5, 0.5], "transition": [[[0.9, 0.1], [0, 1]]] * 2,
         "observation": [[[0.6, 0.4], [0.3, 0.7]]] * 2, "inverse_temperature": 5, "means": [[0.8, 0.2], [0.2, 0.8]]}


class Text(ProgramTest):
    def setUp(self):
        super().setUp()
        self.write("m.json", json.dumps(MODEL))
        rows = ["patient,step,action,observation"]
        for patient in (*FORMULAS, "p" + TURN, "q" + C1):
            cell = '"' + patient.replace('"', '""') + '"'
            rows += [f'{cell},1,{MODEL["actions"][0]},{MODEL["observations"][0]}',
                     f'{cell},2,{MODEL["actions"][1]},{MODEL["observations"][1]}']
        self.write("v.csv", "\n".join(rows) + "\n")
        self.both = ("--model", "m.json", "--data", "v.csv")

    def test_what_is_printed_steers_no_terminal(self):
        for arguments in (("evaluate", *self.both, "--bootstrap", 0), ("audit", *self.both, "--min-cell", 1, "--list"),
                          ("bias", *self.both), ("explain", *self.both, "--patient", "p" + TURN),
                          ("explain", *self.both, "--patient", "q" + C1, "--visit", 1),
                          ("study", "check", "s.toml", "--data", "v.csv"), ("explain", *self.both, "--patient", "nobody" + CLEAR),
                          ("evaluate", "--model", "m.json", "--data", f"no{CLEAR}such.csv")):
            with self.subTest(arguments=arguments):
                result = self.run_program(*arguments)
                self.assertIn(result.returncode, (0, 2, 3), result.stderr)
                shown = result.stdout + result.stderr
                self.assertTrue(shown)
                self.assertIsNone(STEERING.search(shown), ascii(shown))

    def test_json_keeps_the_names(self):
        found = self.run_json("explain", *self.both, "--patient", "p" + TURN)
        self.assertIn("p" + TURN, json.dumps(found, ensure_ascii=False))
        self.assertIsNone(STEERING.search(self.run_well("explain", *self.both, "--patient", "p" + TURN, "--json").stdout))

    def test_no_cell_is_a_formula(self):
        for arguments in (("beliefs", *self.both, "--output", "o.csv"), ("explain", *self.both, "--csv", "o.csv"),
                          ("audit", *self.both, "--csv", "o.csv")):
            with self.subTest(arguments[0]):
                self.run_well(*arguments, "--quiet")
                with open(self.folder / "o.csv", encoding="utf-8", newline="") as file:
                    cells = [cell for row in csv.reader(file) for cell in row]
                for name in FORMULAS:
                    self.assertIn("'" + name, cells)
                for cell in cells:
                    number = re.fullmatch(r"[-+]?[0-9.]+(e[-+]?[0-9]+)?", cell)
                    self.assertTrue(number or cell[:1] not in ("=", "+", "-", "@", "\t", "\r"), cell)


if __name__ == "__main__":
    main()
