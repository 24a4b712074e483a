"""Types and examples: mypy --strict on the package and on a user's script, doctests, the README's lines, the tutorial."""
import doctest
import importlib
import os
import pathlib
import re
import subprocess
import sys

from case import PROGRAM, PROJECT, PackageTest, interpole, main

PACKAGE = pathlib.Path(interpole.__file__).parent

SCRIPT = '''
import interpole

frame, truth = interpole.simulate("bias", patients=10, seed=1)
model = interpole.Interpole(study="bias.toml", dynamics="coupled", seed=1)
model.fit(frame)
verdict: str = model.bias().verdict
states: list[str] = truth.states
rival = interpole.learners.make("bc", seed=2)
score: float = rival.fit(frame).score(frame)
counts = interpole.learners.Bc(study="bias.toml")
'''


class Types(PackageTest):
    def mypy(self, *arguments):
        return subprocess.run([sys.executable, "-m", "mypy", "--strict", "--config-file", PROJECT / "python" / "mypy.ini",
                               "--cache-dir", self.folder / "cache", *arguments], cwd=self.folder, capture_output=True,
                              text=True, check=False, env={**os.environ, "MYPYPATH": f"{PACKAGE.parent}:{self.folder}"})

    def test_mypy_strict(self):
        (self.folder / "script.py").write_text(SCRIPT)
        (self.folder / "wrong.py").write_text(SCRIPT + "number: int = model.bias().verdict\nmodel.fti(frame)\n")
        modules = [f"interpole.{path.stem}" for path in PACKAGE.glob("*.py") if path.stem != "__init__"]
        result = self.mypy("-m", "interpole", *(part for name in modules for part in ("-m", name)), "-m", "script", "-m",
                           "wrong")
        self.assertIn("Found 2 errors in 1 file", result.stdout)
        self.assertEqual(result.stdout.count("wrong.py:"), 2, result.stdout)


class Examples(PackageTest):
    def test_docstrings(self):
        tried = 0
        for name in ("interpole", "interpole._estimator", "interpole._rows", "interpole._simulate", "interpole.learners"):
            found = doctest.testmod(importlib.import_module(name))
            self.assertEqual(found.failed, 0, name)
            tried += found.attempted
        self.assertGreater(tried, 10)

    def run_python(self, *arguments):
        result = subprocess.run([sys.executable, *map(str, arguments)], cwd=self.folder, capture_output=True, text=True,
                                check=False)
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        return result.stdout

    def test_the_lines_of_the_readme(self):
        text = (PROJECT / "README.md").read_text(encoding="utf-8")
        lines = re.search(r"\*\*Python\.\*\*.*?```python\n(.*?)```", text, re.S)[1]
        self.assertLessEqual(len(lines.strip().splitlines()), 12)
        (self.folder / "studies").symlink_to(PROJECT / "studies")
        (self.folder / "out").mkdir()
        (self.folder / "readme.py").write_text(lines)
        self.assertIn("The records speak clearly for a difference", self.run_python("readme.py"))
        self.assertTrue((self.folder / "out" / "report.html").is_file())
        subprocess.run([PROGRAM, "simulate", "bias", "--patients", "1000", "--seed", "1", "--output", "visits.csv"],
                       cwd=self.folder, check=True, capture_output=True)
        subprocess.run([PROGRAM, "fit", "--study", "studies/bias.toml", "--data", "visits.csv", "--output", "model.json"],
                       cwd=self.folder, check=True, capture_output=True)
        self.assert_same_bytes("out/model.json", "model.json")

    def test_the_tutorial(self):
        shown = self.folder / "shown.ipynb"
        self.run_python(PROJECT / "python" / "tools" / "run_notebook.py",
                        PROJECT / "examples" / "python" / "tutorial.ipynb", shown)
        text = shown.read_text()
        self.assertIn("<svg", text)
        self.assertIn("Agent and world", text)


if __name__ == "__main__":
    main()
