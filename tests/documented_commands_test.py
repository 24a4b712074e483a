"""The commands of README and docs: all name verbs and flags that exist, and those of whole pages run, on fewer patients."""
import os
import pathlib
import re
import shlex
import subprocess

from program import PROGRAM, PROJECT, ProgramTest, main

PAGES = [PROJECT / "README.md", *sorted((PROJECT / "docs").rglob("*.md"))]
FIT = ("interpole fit", "interpole fit --policy belief --restarts 2 --coupling 1")
LOOK = ("interpole fit", "interpole fit --restarts 1")
ADNI = ("interpole simulate adni", "interpole simulate adni --patients 80")
# Pages whose commands run from first to last, and what is made smaller for it.
WHOLE = {
    "README.md": [("build/interpole", "interpole"), ("--patients 1000", "--patients 60"), FIT],
    "docs/explain.md": [("--patients 1626", "--patients 80"), FIT],
    "docs/explorer.md": [("--patients 1000", "--patients 60"), LOOK],
    "docs/figures.md": [ADNI, ("--patients 1000", "--patients 60"), ("--patients 600", "--patients 60"),
                        ("--restarts 1 ", ""), LOOK],
    "docs/start.md": [("p <= 120", "p <= 30"), ("interpole start", "interpole start --seconds 5"),
                      ("interpole fit", "interpole fit --policy belief --restarts 2 --coupling 0.5")],
    "docs/guide/late-diagnosis.md": [ADNI, FIT],
    "docs/guide/more-than-belief.md": [("--patients 2000", "--patients 60"), ("--patients 1000", "--patients 60"), FIT],
    "docs/guide/overestimated-test.md": [("--patients 1000", "--patients 60"), FIT,
                                         ("interpole sample", "interpole sample --draws 20 --chains 2 --policy belief")],
    "docs/guide/tests-to-stop.md": [ADNI, FIT],
    "docs/guide/two-sites.md": [("--patients 300", "--patients 25"), ("interpole groups", "interpole groups --policy belief")],
}
# Pages that take files as given: what makes such files.
GIVEN = {
    "docs/audit.md": "simulate adni --patients 80 --seed 1 --output adni.csv;"
                     "fit --study studies/adni/adnimerge.toml --data adni.csv --policy belief --restarts 2 --output model.json",
    "docs/explorer-data.md": "simulate bias --patients 60 --output visits.csv;"
                             "fit --study studies/bias.toml --data visits.csv --policy belief --restarts 2 --output model.json",
}


def blocks(page):
    return re.findall(r"^```(?:sh)?\n(.*?)^```$", page.read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE)


def commands(page):
    """Lines of code blocks that call the program, without what a column of remarks says of them."""
    for block in blocks(page):
        for line in block.replace("\\\n", " ").splitlines():
            line = re.sub(r"^(\$ )?(build/)?", "", line.strip())
            if line.startswith("interpole "):
                yield re.sub(r"\s{3,}.*|\s+# .*", "", line)


class DocumentedCommands(ProgramTest):
    def test_all_name_verbs_and_flags_that_exist(self):
        known = {}
        def flags_of(verb):
            if verb not in known:
                known[verb] = self.run_json("help", *verb.split())["flags"]
            return known[verb]
        verbs = self.run_json("help")["verbs"]
        count = 0
        for page in PAGES:
            if "decisions" in page.parts:
                continue
            for command in commands(page):
                words = shlex.split(command.replace("…", ""))[1:]
                if not words or words[0].startswith("-") or words[0].isupper():
                    continue
                with self.subTest(page=page.name, command=command):
                    self.assertIn(words[0], verbs)
                    verb = " ".join(words[:2]) if words[0] == "study" else words[0]
                    for word in words:
                        if word.startswith("--"):
                            self.assertIn(word.split("=")[0], flags_of(verb))
                    count += 1
        self.assertGreater(count, 80)

    def test_whole_pages_run(self):
        for name in [*WHOLE, *GIVEN]:
            with self.subTest(name):
                smaller = WHOLE.get(name, [])
                folder = self.folder / pathlib.Path(name).stem
                folder.mkdir()
                (folder / "studies").symlink_to(PROJECT / "studies")
                environment = dict(os.environ, PATH=f"{PROGRAM.parent}:{os.environ['PATH']}")
                for command in filter(None, GIVEN.get(name, "").split(";")):
                    subprocess.run([PROGRAM, *command.split(), "--quiet"], cwd=folder, check=True)
                ran = 0
                for block in blocks(PROJECT / name):
                    # The paper's tables take an hour; program.Reproduce makes small ones.
                    if not re.search(r"^((build/)?interpole|awk) ", block, re.MULTILINE) or " reproduce " in block:
                        continue
                    script = block if block.startswith("awk") else "\n".join(
                        line for line in block.replace("\\\n", " ").splitlines()
                        # "…" stands for what the command above it has.
                        if re.match(r"((build/)?interpole|mkdir) ", line) and "…" not in line)
                    for old, new in smaller:
                        script = script.replace(old, new)
                    result = subprocess.run(["sh", "-e", "-c", script], cwd=folder, env=environment, capture_output=True, text=True,
                                            check=False)
                    self.assertEqual(result.returncode, 0, f"{script}\n{result.stderr}")
                    ran += 1
                self.assertGreater(ran, 0)


if __name__ == "__main__":
    main()
