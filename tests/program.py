"""Runs the program the way a user's script does; shared by the tests in this folder."""
import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

from patience import slowed

PROGRAM = pathlib.Path(sys.argv[1]).resolve()
PROJECT = pathlib.Path(sys.argv[2]).resolve()


class ProgramTest(unittest.TestCase):
    """Each test works in an empty folder of its own."""

    def setUp(self):
        self._folder = tempfile.TemporaryDirectory()
        self.folder = pathlib.Path(self._folder.name)

    def tearDown(self):
        self._folder.cleanup()

    def run_program(self, *arguments, **options):
        return subprocess.run([PROGRAM, *map(str, arguments)], cwd=self.folder, capture_output=True, text=True,
                              timeout=slowed(300), check=False, **options)

    def run_well(self, *arguments):
        result = self.run_program(*arguments)
        self.assertEqual(result.returncode, 0, result.stderr)
        return result

    def refuse(self, arguments, code, *parts, **options):
        """Ends with this code and an error that has these parts, and gives out no data."""
        result = self.run_program(*arguments, **options)
        self.assertEqual(result.returncode, code, result.stderr)
        self.assertTrue(result.stderr.startswith("error: "), result.stderr)
        for part in parts:
            self.assertIn(part, result.stderr)
        self.assertEqual(result.stdout, "")
        return result

    def run_json(self, *arguments):
        return json.loads(self.run_well(*arguments, "--json").stdout)

    def write(self, name, text):
        path = self.folder / name
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return path

    def study(self, name):
        return PROJECT / "studies" / f"{name}.toml"


def main():
    del sys.argv[1:3]
    unittest.main(module="__main__", verbosity=2)
