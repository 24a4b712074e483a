"""What the tests of the package share: the program beside it, and a folder of one's own."""
import contextlib
import json
import pathlib
import subprocess
import sys
import tempfile
import unittest
import warnings

PROGRAM, PROJECT = (pathlib.Path(argument).resolve() for argument in sys.argv[1:3])
STUDIES = PROJECT / "studies"

import interpole  # noqa: E402


class PackageTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        quiet = self.quiet()
        quiet.__enter__()
        self.addCleanup(quiet.__exit__, None, None, None)

    @staticmethod
    @contextlib.contextmanager
    def quiet():
        """Small data sets are doubted, rightly."""
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", interpole.Doubt)
            yield

    def run_program(self, *arguments):
        result = subprocess.run([PROGRAM, *map(str, arguments)], cwd=self.folder, capture_output=True, text=True,
                                check=False)
        self.assertEqual(result.returncode, 0, result.stderr)
        return result.stdout

    def run_json(self, *arguments):
        return json.loads(self.run_program(*arguments, "--json"))

    def assert_same_bytes(self, one, other):
        self.assertEqual((self.folder / one).read_bytes(), (self.folder / other).read_bytes())


def main():
    del sys.argv[1:3]
    unittest.main(module="__main__", verbosity=2)
