"""scripts/check_layers.py on a tiny house: in order, and with one thing wrong of each kind."""
import pathlib
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "scripts"))
sys.dont_write_bytecode = True
import check_layers  # noqa: E402
from rooms import read_rooms  # noqa: E402

ROWS = [
    ("0", "base", ".", "errors"),
    ("1", "model", ".", "numbers"),
    ("1", "server", ".", "sockets"),
    ("2", "learn", "posterior", "what is maximised"),
    ("2", "learn", "fit", "how"),
    ("2", "learn", ".", "both"),
]
FILES = {
    "base/error.hpp": "#pragma once\n#include <string>\n",
    "model/model.hpp": '#include "interpole/base/error.hpp"\n#include "interpole/outcome.hpp"\n',
    "model/model_test.cpp": '#include "interpole/server/server.hpp"\n',
    "server/server.hpp": '#include "interpole/base/error.hpp"\n',
    "learn/posterior/posterior.hpp": '#include "interpole/model/model.hpp"\n',
    "learn/posterior/posterior_test.cpp": '#include "interpole/learn/fit/fit.hpp"\n',
    "learn/fit/fit.hpp": '#include "interpole/learn/posterior/posterior.hpp"\n',
    "learn/learn.hpp": '#include "interpole/learn/fit/fit.hpp"\n#include <interpole/outcome.hpp>\n',
    "learn/testdata/deep/table.csv": "patient\n",
}
PUBLIC = {
    "outcome.hpp": "#include <vector>\n#include <cstdint>\n",
    "fit.hpp": '#include "interpole/outcome.hpp"\n#include <interpole/outcome.hpp>\n',
}


class LayerCheck(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)
        self.list_rooms(ROWS)
        for name, text in FILES.items():
            self.write(f"src/interpole/{name}", text)
        for _, room, sub_room, _ in ROWS:
            self.write(f"src/interpole/{room}/{sub_room}/README.md", "")
            self.write(f"src/interpole/{room}/README.md", "")
        for name, text in PUBLIC.items():
            self.write(f"include/interpole/{name}", text)

    def write(self, name, text):
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")

    def list_rooms(self, rows):
        self.write("src/interpole/rooms.tsv", "# floor\troom\n" + "".join("\t".join(row) + "\n" for row in rows))

    def expect(self, *parts, found=None):
        """Exactly one problem, which says all of these."""
        found = check_layers.problems(self.root) if found is None else found
        self.assertEqual(len(found), 1, found)
        for part in parts:
            self.assertIn(part, found[0])

    def sub_room_problems(self):
        return list(check_layers.sub_room_problems(check_layers.room_includes(self.root), read_rooms(self.root)))

    def test_a_house_in_order_is_left_alone(self):
        self.assertEqual(check_layers.problems(self.root), [])
        self.assertEqual(self.sub_room_problems(), [])

    def test_a_room_that_is_not_listed(self):
        self.write("src/interpole/attic/box.cpp", "")
        self.expect("src/interpole/attic", "not in src/interpole/rooms.tsv")

    def test_a_sub_room_that_is_not_listed(self):
        self.write("src/interpole/model/policy/policy.cpp", "")
        self.expect("src/interpole/model/policy", "not in src/interpole/rooms.tsv")

    def test_files_directly_in_a_room_that_lists_only_sub_rooms(self):
        self.list_rooms([row for row in ROWS if row[1:3] != ("learn", ".")])
        self.expect("src/interpole/learn: not in")

    def test_a_third_level(self):
        self.write("src/interpole/learn/fit/modes/modes.cpp", "")
        self.expect("src/interpole/learn/fit/modes", "two levels")

    def test_a_listed_folder_that_is_not_there(self):
        self.list_rooms([*ROWS, ("3", "attic", ".", "boxes")])
        self.expect("attic is listed")

    def test_a_row_that_lacks_a_cell(self):
        self.list_rooms([*ROWS, ("3", "attic", "boxes")])
        self.expect("rooms.tsv:8", "with tabs between")

    def test_floors_out_of_order(self):
        self.list_rooms(ROWS[1:3] + ROWS[:1] + ROWS[3:])
        self.expect("the lowest floor comes first")

    def test_a_sub_room_listed_twice(self):
        self.list_rooms([*ROWS, ROWS[-1]])
        self.expect("learn/. is listed twice")

    def test_a_room_on_two_floors(self):
        self.list_rooms([*ROWS[:-1], ("3", "learn", ".", "both")])
        self.expect("learn is on two floors")

    def test_a_room_that_includes_a_floor_above(self):
        self.write("src/interpole/base/error.cpp", '#include "interpole/model/model.hpp"\n')
        self.expect("src/interpole/base/error.cpp:1: base (floor 0) may not include model")

    def test_a_test_that_includes_a_floor_above(self):
        self.write("src/interpole/base/error_test.cpp", '#include "interpole/model/model.hpp"\n')
        self.expect("src/interpole/base/error_test.cpp:1: base (floor 0) may not include model")

    def test_a_room_that_includes_its_own_floor(self):
        self.write("src/interpole/model/model.cpp", '\n#include <interpole/server/server.hpp>\n')
        self.expect("src/interpole/model/model.cpp:2: model (floor 1) may not include server")

    def test_a_room_that_nobody_knows(self):
        self.write("src/interpole/learn/learn.cpp", '#include "interpole/attic/box.hpp"\n')
        self.expect("src/interpole/learn/learn.cpp:1: learn (floor 2) may not include attic")

    def test_a_sub_room_that_includes_one_above_it(self):
        self.write("src/interpole/learn/posterior/posterior.cpp", '#include "interpole/learn/fit/fit.hpp"\n')
        self.expect("src/interpole/learn/posterior/posterior.cpp:1: learn/posterior may not include learn/fit",
                    found=self.sub_room_problems())

    def test_a_sub_room_that_includes_what_lies_directly_in_the_room_above_it(self):
        self.write("src/interpole/learn/fit/fit.cpp", '#include "interpole/learn/learn.hpp"\n')
        self.expect("src/interpole/learn/fit/fit.cpp:1: learn/fit may not include learn/.",
                    found=self.sub_room_problems())

    def test_a_public_header_that_includes_a_room(self):
        self.write("include/interpole/learn.hpp", '#include "interpole/learn/learn.hpp"\n')
        self.expect("include/interpole/learn.hpp:1", "not interpole/learn/learn.hpp")

    def test_a_public_header_that_includes_another_library(self):
        self.write("include/interpole/matrix.hpp", "#include <vector>\n#include <Eigen/Core>\n")
        self.expect("include/interpole/matrix.hpp:2", "not Eigen/Core")

    def test_a_door_that_includes_a_room(self):
        self.write("python/module/tables.cpp", '#include "interpole/base/base.hpp"\n#include "interpole/learn/learn.hpp"\n')
        self.expect("python/module/tables.cpp:2: a door includes public headers, service and base, not "
                    "interpole/learn/learn.hpp")

    def test_a_sub_room_without_a_readme(self):
        (self.root / "src/interpole/learn/fit/README.md").unlink()
        self.expect("src/interpole/learn/fit: no README.md")

    def test_a_folder_with_too_many_files(self):
        for folder in ("src/interpole/base", "web/src/parts", "apps/interpole", "include/interpole"):
            with self.subTest(folder):
                have = sum(path.is_file() for path in (self.root / folder).glob("*"))
                names = [f"{folder}/more_{number}.hpp" for number in range(31 - have)]
                for name in names[1:]:
                    self.write(name, "")
                self.assertEqual(check_layers.problems(self.root), [])
                self.write(names[0], "")
                self.expect(f"{folder}: 31 files; 30 at most")
                for name in names:
                    (self.root / name).unlink()


if __name__ == "__main__":
    unittest.main()
