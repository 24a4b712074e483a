"""The installed library: every public header stands alone, and examples/in_memory builds against it and runs."""
import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

BUILD, SOURCE, CMAKE, COMPILER = (pathlib.Path(argument) for argument in sys.argv[1:5])


def run(*command, folder):
    """What a command prints; if it fails, all of it in the error."""
    result = subprocess.run([str(part) for part in command], cwd=folder, check=False, text=True, stdout=subprocess.PIPE,
                            stderr=subprocess.STDOUT)
    if result.returncode != 0:
        raise AssertionError(f"{' '.join(map(str, command))} ended with {result.returncode}:\n{result.stdout}")
    return result.stdout


class Installed(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder = pathlib.Path(folder.name)
        cls.prefix = cls.folder / "prefix"
        run(CMAKE, "--install", BUILD, "--prefix", cls.prefix, folder=cls.folder)

    def test_only_public_headers_are_there(self):
        public = {path.name for path in (SOURCE / "include" / "interpole").iterdir()}
        installed = {str(path.relative_to(self.prefix / "include" / "interpole"))
                     for path in (self.prefix / "include").rglob("*") if path.is_file()}
        self.assertEqual(installed, {name for name in public if name.endswith(".hpp")})

    def test_manual_pages_and_completion_are_there(self):
        share = self.prefix / "share"
        for name in ("man/man1/interpole.1", "man/man1/interpole-study-check.1", "bash-completion/completions/interpole",
                     "zsh/site-functions/_interpole", "fish/vendor_completions.d/interpole.fish"):
            self.assertTrue((share / name).is_file(), name)

    def test_every_header_compiles_alone(self):
        for header in sorted((self.prefix / "include" / "interpole").glob("*.hpp")):
            with self.subTest(header.name):
                run(COMPILER, "-std=c++20", "-fsyntax-only", "-Wall", "-Wextra", "-Werror", "-I", self.prefix / "include",
                    "-x", "c++", "-include", f"interpole/{header.name}", "/dev/null", folder=self.folder)

    def test_the_example_builds_and_runs(self):
        example = self.folder / "example"
        run(CMAKE, "-S", SOURCE / "examples" / "in_memory", "-B", example, f"-DCMAKE_PREFIX_PATH={self.prefix}",
            f"-DCMAKE_CXX_COMPILER={COMPILER}", folder=self.folder)
        run(CMAKE, "--build", example, folder=self.folder)
        words = run(example / "example", folder=self.folder)
        self.assertIn("The records speak clearly for a difference between agent and world", words)
        self.assertIn('The decision-maker acts as if "monitor" gave "negative" for', words)
        model = json.loads((self.folder / "model.json").read_text())
        self.assertEqual(model["format"], "interpole-model")
        self.assertLess(model["observation"][0][1][0], model["world"]["observation"][0][1][0])
        run(self.prefix / "bin" / "interpole", "plot", "tree", "--model", "model.json", "--output", "tree.svg",
            folder=self.folder)
        self.assertTrue((self.folder / "tree.svg").is_file())


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
