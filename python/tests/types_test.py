"""Types and examples: mypy --strict on the package and on a user's script, doctests, the README's lines, the tutorial."""
import doctest
import importlib
import json
import os
import pathlib
import re
import subprocess
import sys

from case import PROGRAM, PROJECT, PackageTest, interpole, main

PACKAGE = pathlib.Path(interpole.__file__).parent

# What a user's script may rely on.
SCRIPT = '''
import interpole

frame, truth = interpole.simulate("bias", patients=10, seed=1)
model = interpole.Interpole(study="bias.toml", dynamics="coupled", seed=1).fit(frame)
verdict: str = model.bias().verdict
states: list[str] = truth.states
rival = interpole.learners.make("bc", seed=2)
score: float = rival.fit(frame).score(frame)
counts = interpole.learners.Bc(study="bias.toml").fit(frame)
'''
WRONG = SCRIPT + '''
number: int = model.bias().verdict
model.fti(frame)
interpole.learners.Bc(studdy="bias.toml")
rival.bias()
'''


def python_lines(path):
    '''The blocks of Python in a page, one after the other.'''
    return "\n".join(re.findall(r"```python\n(.*?)```", path.read_text(encoding="utf-8"), re.S))


def notebook_lines(path):
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    return "\n\n".join("".join(cell["source"]) for cell in cells if cell["cell_type"] == "code")


class Types(PackageTest):
    def mypy(self, *arguments):
        return subprocess.run([sys.executable, "-m", "mypy", "--strict", "--config-file", PROJECT / "python" / "mypy.ini",
                               "--cache-dir", self.folder / "cache", *arguments], cwd=self.folder, capture_output=True,
                              text=True, check=False, env={**os.environ, "MYPYPATH": f"{PACKAGE.parent}:{self.folder}"})

    def test_mypy_strict(self):
        examples = {"script": SCRIPT, "wrong": WRONG, "readme": python_lines(PROJECT / "README.md"),
                    "guide": python_lines(PROJECT / "docs" / "python.md"),
                    "tutorial": notebook_lines(PROJECT / "examples" / "python" / "tutorial.ipynb")}
        for name, text in examples.items():
            self.assertIn("import interpole", text, name)
            (self.folder / f"{name}.py").write_text(text, encoding="utf-8")
        modules = [f"interpole.{path.stem}" for path in (PROJECT / "python" / "interpole").glob("*.py")]
        named = ["interpole", *(name for name in modules if name != "interpole.__init__"), *examples]
        result = self.mypy(*(part for name in named for part in ("-m", name)))
        self.assertEqual(result.stdout.count("error:"), 4, result.stdout)
        self.assertEqual(result.stdout.count("wrong.py:"), 4, result.stdout)


class Examples(PackageTest):
    def test_docstrings(self):
        tried = 0
        for path in sorted((PROJECT / "python" / "interpole").glob("*.py")):
            name = "interpole" if path.stem == "__init__" else f"interpole.{path.stem}"
            found = doctest.testmod(importlib.import_module(name))
            self.assertEqual(found.failed, 0, name)
            tried += found.attempted
        self.assertGreater(tried, 25)

    def run_python(self, *arguments):
        result = subprocess.run([sys.executable, *map(str, arguments)], cwd=self.folder, capture_output=True, text=True,
                                check=False)
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        return result.stdout

    def test_the_lines_of_the_readme(self):
        lines = python_lines(PROJECT / "README.md")
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
        self.assertIn("The records speak clearly for a difference", text)
        loss = re.search(r"log-loss on patients not seen: ([0-9.]+)", text)
        self.assertLess(float(loss[1]), 0.2)  # 0.42: how often each action is taken, and no more


if __name__ == "__main__":
    main()
