"""scripts/check_flags.py on a tiny library."""
import pathlib
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "scripts"))
sys.dont_write_bytecode = True
import check_flags  # noqa: E402

FINE = r"""
// --flags may be named in comments, "--like this"
for (char c = '"'; left > 0; --left) throw Error("option seed: a -- b, a--b and \"--\" name no flag");
const char* text = R"(a "quoted" --)" "pre--fix";
"""


class FlagCheck(unittest.TestCase):
    def found(self, text, name="src/interpole/base/words.cpp"):
        with tempfile.TemporaryDirectory() as folder:
            for path, content in [(path, '"--seed"') for path in check_flags.EXCEPTIONS] + [(name, text)]:
                path = pathlib.Path(folder, path)
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(content, encoding="utf-8")
            return list(check_flags.problems(pathlib.Path(folder)))

    def test_what_is_no_flag_is_left_alone(self):
        self.assertEqual(self.found(FINE), [])

    def test_flags_in_texts_are_found(self):
        for text in ('"--seed: 3"', '\n"give --seed"', 'R"(say (--seed))"', r'"\"--seed\""', "'\"' + \"--seed\""):
            with self.subTest(text):
                found = self.found(text)
                self.assertEqual(len(found), 1, found)
                self.assertIn(f"src/interpole/base/words.cpp:{1 + text.count(chr(10))}: ", found[0])

    def test_public_headers_are_read_and_tests_are_not(self):
        self.assertEqual(len(self.found('"--seed"', "include/interpole/words.hpp")), 1)
        self.assertEqual(self.found('"--seed"', "src/interpole/base/words_test.cpp"), [])

    def test_an_exception_that_is_none_is_found(self):
        name = sorted(check_flags.EXCEPTIONS)[0]
        self.assertIn("is no exception", "".join(self.found('"seed"', name)))


if __name__ == "__main__":
    unittest.main()
