"""Every verb as a quick command that prints, for tests of what holds for all of them."""
import json

TIGER = """# Which of two doors hides a tiger?
discount: 0.75
values: reward
states: tiger-left tiger-right
actions: listen open-left open-right
observations: hear-left hear-right
start: uniform
T: listen identity
T: open-left uniform
T: open-right uniform
O: listen
0.85 0.15
0.15 0.85
O: open-left uniform
O: open-right uniform
R: listen : * : * : * -1
R: open-left : tiger-left : * : * -100
R: open-left : tiger-right : * : * 10
R: open-right : tiger-left : * : * 10
R: open-right : tiger-right : * : * -100
"""


def make_inputs(test, patients=40):
    """visits.csv, truth.json, model.json, north.csv, south.csv, tiger.pomdp, rewards.json in the test's folder."""
    test.run_well("simulate", "bias", "--patients", patients, "--seed", 1, "--output", "visits.csv", "--truth",
                  "truth.json", "--quiet")
    test.run_well("fit", "--study", test.study("bias"), "--data", "visits.csv", "--output", "model.json", "--restarts",
                  2, "--policy", "belief", "--quiet")
    for site, seed in (("north", 2), ("south", 3)):
        test.run_well("simulate", "diag", "--patients", patients, "--seed", seed, "--output", f"{site}.csv", "--quiet")
    test.write("tiger.pomdp", TIGER)
    test.write("rewards.json", json.dumps([[-0.03, -0.03], [0.6, -1], [-1, 0.6]]))


def printing(test):
    """{what: arguments}: prints its result to standard output. `serve`, which goes on, is not among them."""
    study, sites = test.study("bias"), test.study("two-sites")
    data = ("--data", "visits.csv")
    model = ("--model", "model.json", *data)
    learn = ("--study", study, *data)
    quick = ("--restarts", 2, "--policy", "belief")
    return {
        "help": ("--help",),
        "version": ("--version",),
        "help of a verb": ("help", "fit"),
        "completion": ("completion", "bash"),
        "write-up": ("write-up", *model, "--output", "-"),
        "simulate": ("simulate", "bias", "--patients", 5),
        "simulate adni": ("simulate", "adni", "--patients", 30),
        "simulate to a file": ("simulate", "bias", "--patients", 5, "--output", "s.csv", "--json"),
        "fit": ("fit", *learn, "--output", "m.json", *quick),
        "fit --json": ("fit", *learn, "--output", "m.json", *quick, "--json"),
        "fit to standard output": ("fit", *learn, "--output", "-", *quick),
        "fit another learner": ("fit", *learn, "--output", "m.json", "--algorithm", "bc"),
        "fit --states": ("fit", *learn, "--states", "2", "--folds", 2, *quick),
        "evaluate": ("evaluate", *model, "--bootstrap", 0),
        "evaluate --json": ("evaluate", *model, "--bootstrap", 0, "--json"),
        "compare": ("compare", *learn, "--folds", 2, "--learners", "bc,majority"),
        "reproduce": ("reproduce", "diag", "--datasets", 1, "--patients", 10, "--learner", "majority"),
        "beliefs": ("beliefs", *model, "--output", "-"),
        "explain": ("explain", *model, "--patient", "p000001"),
        "explain --csv": ("explain", *model, "--csv", "-"),
        "audit": ("audit", *model),
        "audit --json": ("audit", *model, "--json"),
        "bias": ("bias", *model),
        "sample": ("sample", *learn, *quick, "--draws", 20, "--warm-up", 20, "--chains", 1, "--output", "d.csv"),
        "sample to standard output": ("sample", *learn, *quick, "--draws", 20, "--warm-up", 20, "--chains", 1,
                                      "--output", "-"),
        "groups": ("groups", "--study", sites, "--data", "north=north.csv", "--data", "south=south.csv"),
        "plan": ("plan", "tiger.pomdp", "--output", "t.alpha"),
        "plan to standard output": ("plan", "tiger.pomdp", "--output", "-"),
        "export": ("export", "--model", "truth.json", "--output", "-"),
        "plot": ("plot", "policy", *model, "--output", "-"),
        "report": ("report", *model, "--output", "-"),
        "study check": ("study", "check", study, *data),
        "study init": ("study", "init", "visits.csv", "--output", "-"),
    }
