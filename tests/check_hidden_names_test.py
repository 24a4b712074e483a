"""scripts/check_hidden_names.py on a tiny library."""
import pathlib
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "scripts"))
sys.dont_write_bytecode = True
import check_hidden_names  # noqa: E402

HEADERS = {
    "include/interpole/public.hpp": "namespace interpole {\nstd::string shown(const Model& model);\n}\n",
    "src/interpole/learn/fit/fit.hpp": """// namespace { int commented(); }
namespace interpole::learn {
struct Fit {
  double value() const { return value_; }
};
template <class Work>
auto repeat(const Work& work) { return work(); }
double score(
    const Fit& fit);
}  // namespace interpole::learn
""",
    "src/interpole/base/text.hpp": "namespace interpole::base {\nint width(const std::string& text);\n}\n",
}


def local(text):
    return "namespace interpole::learn {\nnamespace {\n\n" + text + "\n}  // namespace\n}  // namespace interpole::learn\n"


class HiddenNameCheck(unittest.TestCase):
    def found(self, text, name="src/interpole/learn/other/other.cpp"):
        with tempfile.TemporaryDirectory() as folder:
            for path, content in {**HEADERS, name: text}.items():
                path = pathlib.Path(folder, path)
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(content, encoding="utf-8")
            return list(check_hidden_names.problems(pathlib.Path(folder)))

    def test_names_of_the_room_and_public_ones_are_refused(self):
        for text in ("double score(int x) { return x; }", "template <class T>\nvoid repeat(const T& x) {}",
                     "const std::vector<int>& shown(int x);", "const char* text = \"}\";\nint score(int x) { return x; }"):
            with self.subTest(text):
                found = self.found(local(text))
                self.assertEqual(len(found), 1, found)
                line = 4 + text[:max(text.find("int score"), 0)].count("\n")
                self.assertIn(f"src/interpole/learn/other/other.cpp:{line}: ", found[0])

    def test_static_functions_are_local_too(self):
        self.assertEqual(len(self.found("namespace interpole::learn {\nstatic int score(int x) { return x; }\n}\n")), 1)

    def test_other_names_are_left_alone(self):
        for text in ("int width(int x) { return x; }  // of another room", "int value(int x) { return x; }  // of a class",
                     "int commented() { return 0; }", "struct Local { double score() const; };",
                     "int used() { return score(repeat(1)); }", "const int kScore = score(3);"):
            with self.subTest(text):
                self.assertEqual(self.found(local(text)), [])

    def test_definitions_of_what_the_header_declares_are_left_alone(self):
        self.assertEqual(self.found("namespace interpole::learn {\ndouble score(const Fit& fit) { return 0; }\n}\n"), [])

    def test_tests_are_compiled_as_one_too_and_benchmarks_are_not(self):
        text = local("double score(int x) { return x; }")
        self.assertEqual(len(self.found(text, "src/interpole/learn/other/other_test.cpp")), 1)
        self.assertEqual(self.found(text, "src/interpole/learn/other/other_bench.cpp"), [])


if __name__ == "__main__":
    unittest.main()
