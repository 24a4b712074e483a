"""cmake/units.cmake on a tiny project: what a unit says, when it is rewritten, that two clones write the same."""
import pathlib
import re
import subprocess
import tempfile
import time
import unittest

UNITS = pathlib.Path(__file__).resolve().parent.parent / "cmake/units.cmake"
PROJECT = f"""
cmake_minimum_required(VERSION 3.25)
project(tiny LANGUAGES NONE)
option(INTERPOLE_UNITY "" ON)
include({UNITS})
file(GLOB_RECURSE sources "${{PROJECT_SOURCE_DIR}}/src/*.cpp")
add_library(tiny INTERFACE)
set_target_properties(tiny PROPERTIES SOURCES "${{sources}}")
function(target_include_directories)  # an interface has no private ones
endfunction()
interpole_compile_by_room(tiny "${{PROJECT_SOURCE_DIR}}/src" 2)
get_target_property(compiled tiny SOURCES)
message(STATUS "compiled: ${{compiled}}")
"""


class Units(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def clone(self, name):
        root = self.folder / name
        self.write(root, "CMakeLists.txt", PROJECT)
        self.write(root, "src/tiny/low/a.cpp")
        self.write(root, "src/tiny/low/inner/b.cpp")
        self.write(root, "src/tiny/high/c.cpp")
        self.write(root, "src/tiny/high/vector.cpp", "#define HWY_TARGET_INCLUDE")
        return root

    @staticmethod
    def write(root, name, text=""):
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text, encoding="utf-8")

    @staticmethod
    def configure(root, *options):
        """What is compiled, each below the clone."""
        out = subprocess.run(["cmake", "-S", root, "-B", root / "build", *options],
                             capture_output=True, text=True, check=True).stdout
        line = next(line for line in out.splitlines() if "compiled: " in line)
        return sorted(str(pathlib.Path(path).relative_to(root)) for path in line.split(": ")[1].split(";"))

    def test_a_unit_for_each_room_and_what_must_stay_alone(self):
        root = self.clone("one")
        self.assertEqual(self.configure(root), ["build/units/tiny/tiny_tiny_high_0.cpp",
                                                "build/units/tiny/tiny_tiny_low_0.cpp", "src/tiny/high/vector.cpp"])

    def test_a_large_room_becomes_units_of_whole_folders(self):
        root = self.clone("one")
        for name, size in (("low/a.cpp", 150_000), ("low/inner/b.cpp", 100_000), ("low/inner/c.cpp", 100_000),
                           ("low/other/d.cpp", 100_000)):
            self.write(root, f"src/tiny/{name}", "//" + "." * size)
        self.assertEqual(self.configure(root)[1:3], ["build/units/tiny/tiny_tiny_low_0.cpp",
                                                     "build/units/tiny/tiny_tiny_low_1.cpp"])
        texts = [(root / f"build/units/tiny/tiny_tiny_low_{part}.cpp").read_text(encoding="utf-8") for part in (0, 1)]
        self.assertEqual([re.findall("low/(.*)\"", text) for text in texts],
                         [["a.cpp", "inner/b.cpp", "inner/c.cpp"], ["other/d.cpp"]])

    def test_two_clones_write_the_same(self):
        texts = []
        for name in ("one", "another"):
            root = self.clone(name)
            self.configure(root)
            texts.append((root / "build/units/tiny/tiny_tiny_low_0.cpp").read_text(encoding="utf-8"))
        self.assertEqual(texts[0], '#include "tiny/low/a.cpp"\n#include "tiny/low/inner/b.cpp"\n')
        self.assertEqual(texts[1], texts[0])

    def test_rewritten_only_when_a_source_comes_or_goes(self):
        root = self.clone("one")
        self.configure(root)
        low, high = (root / f"build/units/tiny/tiny_tiny_{folder}_0.cpp" for folder in ("low", "high"))
        before = low.stat().st_mtime_ns, high.stat().st_mtime_ns
        time.sleep(0.02)
        self.write(root, "src/tiny/low/new.cpp")
        self.configure(root)
        self.assertGreater(low.stat().st_mtime_ns, before[0])
        self.assertIn("tiny/low/new.cpp", low.read_text(encoding="utf-8"))
        self.assertEqual(high.stat().st_mtime_ns, before[1])

    def test_file_by_file_when_asked(self):
        self.assertEqual(self.configure(self.clone("one"), "-DINTERPOLE_UNITY=OFF"),
                         ["src/tiny/high/c.cpp", "src/tiny/high/vector.cpp", "src/tiny/low/a.cpp", "src/tiny/low/inner/b.cpp"])


if __name__ == "__main__":
    unittest.main()
