"""README's C++ and CMake blocks are the files of examples/in_memory, which house.Install builds and runs."""
import pathlib
import re
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent


class ReadmeExample(unittest.TestCase):
    def test_blocks_are_the_files(self):
        readme = (ROOT / "README.md").read_text(encoding="utf-8")
        for language, name in (("cpp", "main.cpp"), ("cmake", "CMakeLists.txt")):
            blocks = re.findall(rf"^```{language}\n(.*?)^```$", readme, re.DOTALL | re.MULTILINE)
            self.assertEqual(blocks, [(ROOT / "examples" / "in_memory" / name).read_text(encoding="utf-8")])


if __name__ == "__main__":
    unittest.main()
