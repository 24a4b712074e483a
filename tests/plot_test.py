"""interpole plot: every kind of figure as SVG and PDF, from simulated data; names, identifiers and bad requests."""
import json
import re
import xml.etree.ElementTree as ElementTree

from program import ProgramTest, main

SVG = "{http://www.w3.org/2000/svg}"
INFERRED = "Inferred, not stated, beliefs."


def texts(svg):
    return [element.text for element in ElementTree.fromstring(svg).iter(SVG + "text")]


def check_pdf(test, pdf):
    """Every object is where the table of objects says, and the stream is as long as it says."""
    test.assertTrue(pdf.startswith(b"%PDF-1.4"))
    table = int(re.search(rb"startxref\n(\d+)\n%%EOF", pdf)[1])
    test.assertTrue(pdf[table:].startswith(b"xref\n0 8\n"))
    for number, row in enumerate(pdf[table:].split(b"\n")[3:10], 1):
        test.assertTrue(pdf[int(row[:10]):].startswith(b"%d 0 obj\n" % number))
    length = int(re.search(rb"/Length (\d+)", pdf)[1])
    begin = pdf.index(b"stream\n") + len(b"stream\n")
    test.assertTrue(pdf[begin + length:].startswith(b"endstream"))
    # No text can end its string: each is on a line of its own, with every bracket and backslash escaped.
    shown = [line for line in pdf[begin:begin + length].split(b"\n") if b" Tr " in line]
    test.assertTrue(shown)
    for line in shown:
        test.assertTrue(re.fullmatch(rb"[01] Tr \((?:[^()\\]|\\.)*\) Tj ET", line), line)


class Plots(ProgramTest):
    def prepare(self, environment, patients=300, dynamics="coupled"):
        self.run_well("simulate", environment, "--patients", patients, "--seed", 1, "--output", "visits.csv",
                      "--truth", "truth.json", "--quiet")
        self.run_well("fit", "--study", self.study(environment), "--data", "visits.csv", "--output", "model.json",
                      "--dynamics", dynamics, "--restarts", 2, "--quiet")

    def plot(self, kind, *more, output="figure.svg"):
        self.run_well("plot", kind, "--model", "model.json", "--output", output, *more)
        return (self.folder / output).read_bytes()

    def refuse(self, code, *arguments):
        result = self.run_program("plot", *arguments)
        self.assertEqual(result.returncode, code, result.stderr)
        return result.stderr

    def test_every_kind_is_a_readable_file(self):
        self.prepare("bias")
        data = ("--data", "visits.csv")
        one = ("--patient", "p000003")
        for kind, more in (("policy", data), ("trajectory", data + one), ("beliefs", data + one), ("tree", ()),
                           ("bias", ()), ("bias", data), ("shares", data), ("figure4", data)):
            with self.subTest(kind=kind, more=more):
                svg = self.plot(kind, *more)
                root = ElementTree.fromstring(svg)
                self.assertTrue(root.find(SVG + "title").text)
                self.assertTrue(root.find(SVG + "desc").text.startswith(INFERRED))
                self.assertTrue(any(text.startswith(INFERRED) for text in texts(svg)))
                self.assertIn("interpole", root.find(SVG + "metadata").text)
                self.assertNotIn(b"nan", svg)
                self.assertEqual(svg, self.plot(kind, *more))  # the same seed, the same bytes
                check_pdf(self, self.plot(kind, *more, output="figure.pdf"))

    def test_the_bias_figure_says_what_bias_says(self):
        self.prepare("bias", patients=600)
        files = ("--model", "model.json", "--data", "visits.csv")
        said = self.run_json("bias", *files)
        shown = " ".join(texts(self.plot("bias", "--data", "visits.csv")))
        self.assertIn(said["sentences"][0], shown)
        self.assertEqual(said["verdict"] == "difference", "Bold on grey" in shown)
        self.assertIn("could not be checked", " ".join(texts(self.plot("bias"))))

    def test_the_shares_figure_is_the_same_for_any_number_of_threads(self):
        self.prepare("bias")
        self.assertEqual(self.plot("shares", "--data", "visits.csv", "--threads", "1"),
                         self.plot("shares", "--data", "visits.csv", "--threads", "3"))
        self.assertIn("remains unforeseeable", " ".join(texts(self.plot("shares", "--data", "visits.csv"))))
        self.prepare("bias", dynamics="shared")
        self.assertIn("--dynamics coupled", self.refuse(3, "shares", "--model", "model.json", "--data", "visits.csv",
                                                        "--output", "x.svg"))

    def test_the_policy_of_bias_has_its_boundaries_near_10_and_90_per_cent(self):
        self.prepare("bias", patients=1000)
        svg = self.plot("policy", "--data", "visits.csv").decode()
        found = [tuple(map(int, match)) for match in
                 re.findall(r">(\d+)%\u00a0\[(\d+)%–(\d+)%\]</text>", svg)]
        self.assertEqual(len(found), 2)
        for (_, low, high), truth in zip(found, (10, 90)):
            self.assertLessEqual(low - 1, truth)  # per cent are rounded
            self.assertGreaterEqual(high + 1, truth)

    def test_draws_of_sample_are_used(self):
        self.prepare("tree", patients=1000, dynamics="shared")
        self.run_well("sample", "--study", self.study("tree"), "--data", "visits.csv", "--dynamics", "shared",
                      "--chains", 2, "--draws", 300, "--output", "draws.csv", "--quiet")
        svg = self.plot("tree", "--draws", "draws.csv")
        question = " ".join(texts(svg))
        found = re.search(r"Is the belief in dis above (\d+)%\u00a0\[(\d+)%–(\d+)%\]\?", question)
        self.assertTrue(found, question)
        middle, low, high = map(int, found.groups())
        self.assertLess(low, middle)
        self.assertLess(middle, high)
        self.assertLessEqual(low, 30)  # the truth of the simulation; the seed is fixed
        self.assertGreaterEqual(high, 30)
        self.assertIn("posterior sample", question)

    def test_identifiers_are_shown_only_if_asked_for(self):
        self.prepare("bias")
        request = ("--data", "visits.csv", "--patient", "p000003", "--patient", "p000007")
        for kind in ("trajectory", "beliefs"):
            for output in ("figure.svg", "figure.pdf"):
                self.assertNotIn(b"p00000", self.plot(kind, *request, output=output))
            svg = self.plot(kind, *request)
            self.assertIn("Patient A", texts(svg))
            self.assertIn("Patient B", texts(svg))
            self.assertIn("Patient p000007", texts(self.plot(kind, *request, "--show-ids")))

    def test_names_cannot_leave_their_place(self):
        names = ["<script>alert(1)</script>", "a & b \"c\" 'd'", "日本語", ") Tj ET (\\"]
        self.write("model.json", json.dumps({
            "format": "interpole-model", "version": 1, "states": names[:2], "actions": names,
            "observations": ["no", "<b>yes</b>"], "initial_belief": [0.4, 0.6],
            "transition": [[[1, 0], [0, 1]]] * 4, "observation": [[[0.6, 0.4], [0.3, 0.7]]] * 4,
            "inverse_temperature": 5, "means": [[1, 0], [0.6, 0.4], [0.3, 0.7], [0, 1]]}))
        self.write("visits.csv", "patient,step,action,observation\n1,1,日本語,no\n1,2,日本語,<b>yes</b>\n")
        for kind in ("policy", "trajectory", "beliefs"):
            more = () if kind == "policy" else ("--patient", "1")
            svg = self.plot(kind, "--data", "visits.csv", *more)
            self.assertNotIn(b"<script", svg)
            self.assertNotIn(b"<b>", svg)
            ElementTree.fromstring(svg)
            result = self.run_well("plot", kind, "--model", "model.json", "--data", "visits.csv", *more, "--output",
                                   "figure.pdf")
            self.assertIn("U+65E5", result.stderr)  # the PDF's font has no such letter
            check_pdf(self, (self.folder / "figure.pdf").read_bytes())

    def test_a_model_without_draws_says_so(self):
        self.prepare("bias")
        svg = self.run_well("plot", "policy", "--model", "truth.json", "--data", "visits.csv", "--output", "-").stdout
        self.assertIn("no uncertainty is shown", " ".join(texts(svg)))
        message = self.refuse(3, "bias", "--model", "truth.json", "--output", "bias.svg")
        self.assertIn("no posterior draws", message)

    def test_four_records_are_chosen_by_rule(self):
        self.run_well("simulate", "adni", "--patients", 400, "--seed", 2, "--output", "adni.csv", "--truth",
                      "model.json", "--quiet")
        study = self.study("adni/adnimerge")
        svg = self.plot("figure4", "--study", study, "--data", "adni.csv")
        for name in ("(a) Typical", "(b) Deteriorating", "(c) Belated diagnosis", "(d) High-value test"):
            self.assertIn(name, texts(svg))

    def test_bad_requests_are_refused_with_a_remedy(self):
        self.prepare("bias")
        usual = ("--model", "model.json", "--data", "visits.csv")
        self.assertIn("did you mean \"policy\"", self.refuse(2, "polcy", *usual, "--output", "f.svg"))
        self.assertIn(".svg", self.refuse(2, "policy", *usual, "--output", "f.png"))
        self.assertIn("--data", self.refuse(2, "policy", "--model", "model.json", "--output", "f.svg"))
        self.assertIn("shows no patients", self.refuse(2, "policy", *usual, "--patient", "1", "--output", "f.svg"))
        self.assertIn("did you mean \"p000003\"", self.refuse(
            3, "trajectory", *usual, "--patient", "p00003", "--output", "f.svg"))
        self.assertIn("--level", self.refuse(2, "policy", *usual, "--level", "90", "--output", "f.svg"))
        many = [word for i in range(13) for word in ("--patient", f"p{i:06}")]
        self.assertIn("at most 12", self.refuse(2, "trajectory", *usual, *many, "--output", "f.svg"))
        self.assertIn("is not an action", self.refuse(2, "figure4", *usual, "--test", "scan", "--output", "f.svg"))
        self.assertFalse((self.folder / "f.svg").exists())

    def test_data_that_do_not_fit_the_model_are_refused(self):
        self.prepare("bias")
        self.run_well("simulate", "tree", "--patients", 10, "--seed", 1, "--output", "tree.csv", "--quiet")
        self.assertIn("tree.csv", self.refuse(3, "policy", "--model", "model.json", "--data", "tree.csv", "--output",
                                              "f.svg"))


if __name__ == "__main__":
    main()
