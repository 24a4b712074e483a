"""Extreme but valid models, studies and problems through the verbs: no signal, no undocumented exit code, and neither inf nor
nan in anything that is printed or written.

    extremes_test.py PROGRAM PROJECT [--cases N]     N of each kind; 60 unless told
"""
import json
import random
import re
import sys

from program import ProgramTest, main

CASES = 60
NOT_A_NUMBER = re.compile(r"(?<![\w\"-])[-+]?(inf|nan|infinity)(?![\w\"])", re.IGNORECASE)
TINY = (5e-324, 1e-323, 1e-308, 1e-300, 1e-160, 1e-17, 1e-9, 1e-3)


def row(draw, size):
    """Probabilities that sum to one, some of them next to nothing."""
    weights = [draw.choice((0.0, 1.0, draw.random(), draw.choice(TINY))) for _ in range(size)]
    total = sum(weights)
    if not total > 1e-3:
        weights[draw.randrange(size)], total = 1.0, 1.0 + total
    return [weight / total for weight in weights]


def dynamics(draw, states, actions, outcomes):
    return {"initial_belief": row(draw, states),
            "transition": [[row(draw, states) for _ in range(states)] for _ in range(actions)],
            "observation": [[row(draw, outcomes) for _ in range(states)] for _ in range(actions)]}


def mean(draw, states):
    values = [draw.choice((0.5, 0.0, 1.0, -0.3, 1e3, -1e3, 1e7)) for _ in range(states)]
    values[-1] = 1.0 - sum(values[:-1])
    return values


def random_model(draw):
    states, actions, outcomes = draw.randint(1, 3), draw.randint(1, 3), draw.randint(1, 3)
    model = {"format": "interpole-model", "version": 1, "states": [f"s{i}" for i in range(states)],
             "actions": [f"a{i}" for i in range(actions)], "observations": [f"z{i}" for i in range(outcomes)],
             **dynamics(draw, states, actions, outcomes),
             "inverse_temperature": draw.choice((1e-300, 1e-9, 0.1, 1.0, 10.0, 1e4, 1e30, 1e150, 1e300)),
             "means": [mean(draw, states) for _ in range(actions)]}
    if draw.random() < 0.5:
        model["world"] = dynamics(draw, states, actions, outcomes)
    return model


def random_visits(draw, actions, outcomes):
    lines = ["patient,step,action,observation"]
    for patient in range(draw.randint(1, 15)):
        for step in range(draw.choice((1, 2, 5, 40))):
            seen = f"z{draw.randrange(outcomes)}" if draw.random() < 0.9 else ""
            lines.append(f"p{patient},{step},a{draw.randrange(actions)},{seen}")
    return "\n".join(lines) + "\n"


class Extremes(ProgramTest):
    def check(self, arguments, *outputs):
        for name in outputs:
            (self.folder / name).unlink(missing_ok=True)
        result = self.run_program(*arguments)
        self.assertIn(result.returncode, (0, 3), result.stderr)
        shown = result.stdout + result.stderr
        for name in outputs:
            if (self.folder / name).exists():
                shown += (self.folder / name).read_text(encoding="utf-8")
        found = NOT_A_NUMBER.search(shown)
        self.assertIsNone(found, found and shown[max(0, found.start() - 200):found.end() + 50])
        if result.returncode == 3:
            self.assertRegex(result.stderr, r"error: .*(v\.csv|m\.json|s\.toml|p\.pomdp)")

    def test_models(self):
        for seed in sorted({*range(CASES), 75, 219}):  # the last two once printed nan and inf
            draw = random.Random(seed)
            model = random_model(draw)
            self.write("m.json", json.dumps(model))
            self.write("v.csv", random_visits(draw, len(model["actions"]), len(model["observations"])))
            both = ("--model", "m.json", "--data", "v.csv")
            verbs = [("evaluate", *both, "--bootstrap", 20), ("evaluate", *both, "--bootstrap", 0, "--json"),
                     ("evaluate", *both, "--bootstrap", 5, "--truth", "m.json"), ("audit", *both),
                     ("audit", *both, "--json", "--min-cell", 1, "--csv", "o.csv"), ("bias", *both),
                     ("beliefs", *both, "--output", "o.csv"), ("explain", *both, "--csv", "o.csv"),
                     ("explain", *both, "--patient", "p0"), ("explain", *both, "--patient", "p0", "--json"),
                     ("report", *both, "--payload", "o.csv"), ("plot", "policy", *both, "--output", "o.svg"),
                     ("plot", "trajectory", *both, "--patient", "p0", "--output", "o.svg"),
                     ("export", "--model", "m.json", "--output", "o.csv")]
            for arguments in draw.sample(verbs, 3):
                with self.subTest(seed=seed, arguments=arguments):
                    self.check(arguments, "o.csv", "o.svg")

    def test_studies(self):
        self.run_well("simulate", "bias", "--patients", 12, "--seed", 3, "--output", "v.csv", "--quiet")
        text = self.study("bias").read_text(encoding="utf-8")
        number = ("1e-300", "1e-99", "1e-9", "1e-3", "0.5", "1", "1e3", "1e9", "1e99", "1e300")
        for seed in range(CASES):
            draw = random.Random(seed)
            study = text
            if draw.random() < 0.4:
                study = study.replace("inverse_temperature = 10", f"inverse_temperature = {draw.choice(number)}")
            if draw.random() < 0.4:
                far = draw.choice(("1e3", "1e8", "1e15", "1e100"))
                study = study.replace("means.monitor = [0.5, 0.5]", f"means.monitor = [{far}, -{far}]")
                study = study.replace(f"[{far}, -{far}]", f"[{float(far)!r}, {1 - float(far)!r}]")
            if draw.random() < 0.3:
                study = study.replace('transition."*" = "identity"', "")
            study += "[priors]\n" + "".join(
                f"{key} = {draw.choice(number)}\n" for key in ("initial_belief", "transition", "observation", "means_sd")
                if draw.random() < 0.5)
            self.write("s.toml", study)
            both = ("--study", "s.toml", "--data", "v.csv", "--quiet")
            verbs = [("fit", *both, "--restarts", 2, "--policy", "belief", "--output", "o.json"),
                     ("fit", *both, "--restarts", 1, "--output", "o.json", "--json"),
                     ("fit", *both, "--restarts", 1, "--dynamics", "subjective", "--policy", "full", "--output", "o.json"),
                     ("fit", *both, "--algorithm", "po-mb-il", "--output", "o.json"),
                     ("sample", *both, "--restarts", 1, "--draws", 10, "--warm-up", 10, "--chains", 1, "--policy", "belief",
                      "--output", "o.csv")]
            for arguments in draw.sample(verbs, 2):
                with self.subTest(seed=seed, arguments=arguments):
                    self.check(arguments, "o.json", "o.csv")

    def test_problems(self):
        for seed in range(CASES):
            draw = random.Random(seed)
            states, actions, outcomes = draw.randint(1, 3), draw.randint(1, 3), draw.randint(1, 3)
            lines = [f"discount: {draw.choice((0, 1e-300, 0.5, 0.95, 0.99))}", f"values: {draw.choice(('reward', 'cost'))}",
                     f"states: {states}", f"actions: {actions}", f"observations: {outcomes}"]
            for a in range(actions):
                for table, columns in (("T", states), ("O", outcomes)):
                    for s in range(states):
                        lines.append(f"{table}: {a} : {s}\n" + " ".join(repr(p) for p in row(draw, columns)))
                for s in range(states):
                    reward = draw.choice((0, 1, -1, 1e-300, -1e9, 1e9, 1e12, -1e12, 1e13, 1e308))
                    lines.append(f"R: {a} : {s} : * : * {reward!r}")
            self.write("p.pomdp", "\n".join(lines) + "\n")
            more = draw.choice(((), ("--horizon", 20, "--discount", 1), ("--method", "exact", "--epsilon", 1e-3),
                                ("--method", "point", "--horizon", 5)))
            with self.subTest(seed=seed, more=more):
                self.check(("plan", "p.pomdp", "--output", "o.alpha", *more), "o.alpha")


if __name__ == "__main__":
    if "--cases" in sys.argv:
        at = sys.argv.index("--cases")
        CASES = int(sys.argv[at + 1])
        del sys.argv[at:at + 2]
    main()
