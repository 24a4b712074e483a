"""The package and the program give the same bytes."""
import json

import pandas as pd

from case import STUDIES, PackageTest, interpole, main


def without_source(text):
    """A model file without the name and digest of its data."""
    model = json.loads(text)
    for key in ("file", "sha256"):
        del model["provenance"]["data"][key]
    return model


def with_flags(result):
    """JSON of a result, in which the program has flags where Python has arguments."""
    return {**result.json, "intervals_from": result.json["intervals_from"].replace("argument ", "--")}


class Simulated(PackageTest):
    """BIAS and DIAG: from a data frame to the program's own files."""

    def agree(self, name, patients):
        study = STUDIES / f"{name}.toml"
        self.run_program("simulate", name, "--patients", patients, "--seed", 3, "--output", "visits.csv", "--truth",
                         "truth.json")
        self.run_program("fit", "--study", study, "--data", "visits.csv", "--output", "program.json", "--seed", 3)
        frame, truth = interpole.simulate(name, patients=patients, seed=3)
        frame.to_csv(self.folder / "frame.csv", index=False)
        self.assert_same_bytes("frame.csv", "visits.csv")
        truth.save(self.folder / "package-truth.json")
        self.assert_same_bytes("package-truth.json", "truth.json")
        model = interpole.Interpole(study=study, seed=3).fit(frame, name="visits.csv")
        model.save(self.folder / "package.json")
        self.assert_same_bytes("package.json", "program.json")
        return model, frame, truth

    def test_bias(self):
        model, frame, truth = self.agree("bias", 300)
        self.run_program("beliefs", "--model", "program.json", "--data", "visits.csv", "--output", "beliefs.csv")
        model.beliefs().to_csv(self.folder / "package-beliefs.csv", index=False)
        self.assert_same_bytes("package-beliefs.csv", "beliefs.csv")
        model.beliefs(frame).to_csv(self.folder / "again.csv", index=False)
        self.assert_same_bytes("again.csv", "beliefs.csv")
        self.assertEqual(with_flags(model.bias()), self.run_json("bias", "--model", "program.json", "--data", "visits.csv",
                                                                 "--seed", 3))
        self.assertEqual(
            model.evaluate(truth=truth).json,
            self.run_json("evaluate", "--model", "program.json", "--data", "visits.csv", "--truth", "truth.json", "--seed",
                          3))
        self.assertEqual(with_flags(model.explain("p000002")), self.run_json(
            "explain", "--model", "program.json", "--data", "visits.csv", "--patient", "p000002", "--seed", 3))
        self.assertEqual(model.check().json, self.run_json("check", "--model", "program.json", "--data", "visits.csv"))
        self.run_program("audit", "--model", "program.json", "--data", "visits.csv", "--csv", "audit.csv", "--seed", 3)
        flags = pd.read_csv(self.folder / "audit.csv", dtype={"patient": str}, float_precision="round_trip")
        pd.testing.assert_frame_equal(model.audit().frame, flags)
        self.run_program("plot", "policy", "--model", "program.json", "--data", "visits.csv", "--output", "map.svg",
                         "--seed", 3)
        self.assertEqual(model.plot("policy").svg, (self.folder / "map.svg").read_text())

    def test_report(self):
        model, _, _ = self.agree("bias", 60)
        self.run_program("report", "--model", "program.json", "--study", STUDIES / "bias.toml", "--data", "visits.csv",
                         "--output", "report.html", "--seed", 3)
        model.report(self.folder / "package.html")
        self.assert_same_bytes("package.html", "report.html")

    def test_diag_and_draws(self):
        model, _, _ = self.agree("diag", 60)
        options = ("--draws", 50, "--warm-up", 50, "--chains", 2, "--seed", 3, "--policy", "auto")
        self.run_program("sample", "--study", STUDIES / "diag.toml", "--data", "visits.csv", "--output", "draws.csv",
                         "--arviz", "draws.json", *options)
        draws = model.sample(draws=50, warm_up=50, chains=2)
        draws.save(self.folder / "package-draws.csv")
        self.assert_same_bytes("package-draws.csv", "draws.csv")
        draws.to_arviz(self.folder / "package-draws.json")
        self.assert_same_bytes("package-draws.json", "draws.json")
        written = pd.read_csv(self.folder / "draws.csv", float_precision="round_trip")
        pd.testing.assert_frame_equal(draws.frame, written, check_exact=True, check_dtype=False)
        self.assertEqual(draws.groups["posterior"]["means"].shape, (2, 50, 3, 2))


class Mapped(PackageTest):
    """A table in ADNI's format: by its path, and as a data frame."""

    def test_adni(self):
        study = STUDIES / "adni" / "adnimerge.toml"
        self.run_program("simulate", "adni", "--patients", 150, "--seed", 5, "--output", "adni.csv")
        self.run_program("fit", "--study", study, "--data", "adni.csv", "--output", "program.json", "--restarts", 2)
        estimator = interpole.Interpole(study=study, restarts=2)
        estimator.fit(self.folder / "adni.csv").save(self.folder / "package.json")
        self.assert_same_bytes("package.json", "program.json")
        frame, _ = interpole.simulate("adni", patients=150, seed=5)
        of_frame = estimator.fit(frame)
        self.assertEqual(without_source(of_frame.model_.text), without_source((self.folder / "program.json").read_text()))
        self.run_program("beliefs", "--model", "program.json", "--study", study, "--data", "adni.csv", "--output",
                         "beliefs.csv")
        of_frame.beliefs().to_csv(self.folder / "package-beliefs.csv", index=False)
        self.assert_same_bytes("package-beliefs.csv", "beliefs.csv")


class Learners(PackageTest):
    def test_a_learner_that_is_no_model(self):
        self.run_program("simulate", "bias", "--patients", 100, "--seed", 3, "--output", "visits.csv")
        self.run_program("fit", "--study", STUDIES / "bias.toml", "--data", "visits.csv", "--algorithm", "bc",
                         "--output", "program.json", "--seed", 3)
        frame, _ = interpole.simulate("bias", patients=100, seed=3)
        learner = interpole.learners.make("bc", study=STUDIES / "bias.toml", seed=3).fit(frame, name="visits.csv")
        learner.save(self.folder / "package.json")
        self.assert_same_bytes("package.json", "program.json")


if __name__ == "__main__":
    main()
