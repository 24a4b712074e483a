"""The package and the program give the same bytes."""
import json

import pandas as pd

from case import PROJECT, STUDIES, PackageTest, interpole, main


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
        self.run_program("beliefs", "--model", "program.json", "--data", "visits.csv", "--output", "beliefs.csv")
        model.beliefs().to_csv(self.folder / "package-beliefs.csv", index=False)
        self.assert_same_bytes("package-beliefs.csv", "beliefs.csv")
        return model, frame, truth

    def test_bias(self):
        model, frame, truth = self.agree("bias", 300)
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

    def test_numbers_as_measured_and_irregular_visits(self):
        for name in ("vitals", "clinic"):
            with self.subTest(name):
                study = STUDIES / f"{name}.toml"
                self.run_program("simulate", name, "--patients", 80, "--seed", 3, "--output", "visits.csv")
                self.run_program("fit", "--study", study, "--data", "visits.csv", "--output", "program.json", "--seed", 3,
                                 "--dynamics", "shared", "--policy", "belief", "--restarts", 1)
                frame, _ = interpole.simulate(name, patients=80, seed=3)
                self.assertTrue(all(kind == float for kind in frame.dtypes.iloc[-3:]), frame.dtypes)
                model = interpole.Interpole(study=study, seed=3, dynamics="shared", policy="belief", restarts=1)
                model.fit(frame, name="visits.csv").save(self.folder / "package.json")
                self.assertEqual(without_source((self.folder / "package.json").read_text()),
                                 without_source((self.folder / "program.json").read_text()))
                self.run_program("beliefs", "--study", study, "--model", "program.json", "--data", "visits.csv", "--output",
                                 "beliefs.csv")
                model.beliefs(frame).to_csv(self.folder / "package-beliefs.csv", index=False)
                self.assert_same_bytes("package-beliefs.csv", "beliefs.csv")

    def test_report(self):
        model, _, _ = self.agree("bias", 60)
        self.run_program("report", "--model", "program.json", "--study", STUDIES / "bias.toml", "--data", "visits.csv",
                         "--output", "report.html", "--seed", 3)
        model.report(self.folder / "package.html")
        self.assert_same_bytes("package.html", "report.html")

    def agree_on_draws(self, name, patients, shape):
        model, _, _ = self.agree(name, patients)
        options = ("--draws", 50, "--warm-up", 50, "--chains", 2, "--seed", 3)
        self.run_program("sample", "--study", STUDIES / f"{name}.toml", "--data", "visits.csv", "--output", "draws.csv",
                         "--arviz", "draws.json", *options)
        draws = model.sample(draws=50, warm_up=50, chains=2)
        draws.save(self.folder / "package-draws.csv")
        self.assert_same_bytes("package-draws.csv", "draws.csv")
        draws.to_arviz(self.folder / "package-draws.json")
        self.assert_same_bytes("package-draws.json", "draws.json")
        written = pd.read_csv(self.folder / "draws.csv", float_precision="round_trip")
        pd.testing.assert_frame_equal(draws.frame, written, check_exact=True, check_dtype=False)
        self.assertEqual(draws.groups["posterior"]["means"].shape, shape)

    def test_draws_of_bias(self):
        self.agree_on_draws("bias", 60, (2, 50, 3, 2))

    def test_draws_of_diag(self):
        self.agree_on_draws("diag", 60, (2, 50, 3, 2))


class Mapped(PackageTest):
    """Tables that a study maps, by their paths and as data frames of texts: model, beliefs and draws."""

    def agree(self, study, files, options, **parameters):
        """`files`: table name (empty: the only one) → path of a CSV file; `options`: of the program's search."""
        data = [word for name, path in files.items() for word in ("--data", f"{name}={path}" if name else path)]
        common = ("--study", study, *data)
        draws = ("--draws", 4, "--warm-up", 4, "--chains", 2)
        self.run_program("fit", *common, *options, "--output", "program.json")
        self.run_program("beliefs", *common, "--model", "program.json", "--output", "beliefs.csv")
        self.run_program("sample", *common, *options, *draws, "--output", "draws.csv")
        frames = {name: pd.read_csv(path, dtype=str, keep_default_na=False) for name, path in files.items()}
        names = {name: path.name for name, path in files.items()}
        given = [(files, {}), (frames, {"name": names})]
        if "" in files:
            given = [(files[""], {}), (frames[""], {"name": names[""]})]
        for table, called in given:
            model = interpole.Interpole(study=study, **parameters).fit(table, **called)
            model.save(self.folder / "package.json")
            self.assert_same_bytes("package.json", "program.json")
            model.beliefs().to_csv(self.folder / "package-beliefs.csv", index=False)
            self.assert_same_bytes("package-beliefs.csv", "beliefs.csv")
        model.sample(draws=4, warm_up=4, chains=2).save(self.folder / "package-draws.csv")
        self.assert_same_bytes("package-draws.csv", "draws.csv")

    def test_adni(self):
        self.run_program("simulate", "adni", "--patients", 150, "--seed", 5, "--output", "adni.csv")
        # Without quotes around cells, which a data frame does not keep and the digest would tell.
        pd.read_csv(self.folder / "adni.csv", dtype=str, keep_default_na=False).to_csv(self.folder / "plain.csv", index=False)
        self.agree(STUDIES / "adni" / "adnimerge.toml", {"": self.folder / "plain.csv"},
                   ("--restarts", 1, "--policy", "belief"), restarts=1, policy="belief")
        frame, _ = interpole.simulate("adni", patients=150, seed=5)  # of numbers: a table that is written otherwise
        model = interpole.Interpole(study=STUDIES / "adni" / "adnimerge.toml", restarts=1, policy="belief").fit(frame)
        self.assertEqual(without_source(model.model_.text), without_source((self.folder / "program.json").read_text()))

    def test_icu(self):
        """One set of dynamics, belief alone, one search: a minute or more is saved, and every step is taken."""
        folder = PROJECT / ".." / "shared" / "data" / "icu_lactate"
        if not folder.is_dir():
            self.skipTest("no folder ../shared/data/icu_lactate beside the project")
        self.agree(STUDIES / "icu-lactate" / "icu-lactate.toml",
                   {"steps": folder / "seta_steps.csv", "stays": folder / "seta_stays.csv"},
                   ("--dynamics", "shared", "--policy", "belief", "--restarts", 1),
                   dynamics="shared", policy="belief", restarts=1)

    def test_files_that_a_pattern_names_are_one_table(self):
        frame, _ = interpole.simulate("bias", patients=40, seed=3)
        first = frame["patient"] < "p000021"
        frame[first].to_csv(self.folder / "part-1.csv", index=False)
        frame.loc[~first, ["observation", "action", "patient", "step"]].to_csv(self.folder / "part-2.csv", index=False)
        quick = interpole.Interpole(study=STUDIES / "bias.toml", restarts=1, policy="belief")
        whole = quick.fit(frame, name="part-*.csv").model_.text
        self.assertEqual(quick.fit(self.folder / "part-*.csv").model_.text, whole)
        (self.folder / "part-3.csv").write_text("patient,step\np1,1\n")
        with self.assertRaisesRegex(interpole.Error, "part-3.csv: its columns are patient, step, those of .*part-1.csv are"):
            quick.fit(self.folder / "part-*.csv")


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
