#!/usr/bin/env python3
"""How well a table is made sense of without help: the figures of docs/start.md.

    scripts/start_figures.py PROGRAM tables          twenty tables, each to a provisional report by one command
    scripts/start_figures.py PROGRAM timing [N]      of N simulated tables: is `seen` guessed right, and doubted where it is wrong?
"""
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import time

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "tests"))
import people_tables  # noqa: E402


def run(program, *arguments, folder):
    return subprocess.run([program, *map(str, arguments)], cwd=folder, capture_output=True, text=True, check=False)


def tables(program, folder):
    people_tables_folder = folder / "tables"
    people_tables_folder.mkdir()
    for make in people_tables.TABLES:
        make(people_tables_folder)
    reached = 0
    for table in sorted(people_tables_folder.iterdir()):
        output = folder / table.name
        begin = time.monotonic()
        result = run(program, "start", table, "--output", output, "--json", folder=folder)
        seconds = time.monotonic() - begin
        good = result.returncode == 0 and (output / "report.html").exists()
        reached += good and seconds < 60
        found = json.loads(result.stdout) if good else {}
        words = f"{found['patients']} patients, {found['decisions']} decisions, AUROC {found['auroc']:.2f}, " \
                f"seen {found.get('seen', {})}" if good else result.stderr.strip()
        print(f"{table.name:18} {'report' if good else 'no report'} {seconds:5.1f} s  {words}", flush=True)
    print(f"{reached} of {len(people_tables.TABLES)} reached a provisional report within a minute each")


def declared(draft, seen):
    """The draft with this reading for everything."""
    text = re.sub(r'^seen = "(before|after)"  #.*\n', "", draft, flags=re.MULTILINE)
    return re.sub(r'^seen = "(before|after)"', f'seen = "{seen}"', text, flags=re.MULTILINE)


def timing(program, folder, count):
    right = sure = doubted_wrong = doubted_right = 0
    for seed in range(count):
        seen = people_tables.timing_table(folder / "t.csv", seed)
        other = "before" if seen == "after" else "after"
        result = run(program, "study", "init", "t.csv", "--force", "--quiet", folder=folder)
        assert result.returncode == 0, result.stderr
        draft = (folder / "study.toml").read_text()
        guessed = re.search(r'^seen = "(before|after)"', draft, re.MULTILINE).group(1)
        factors = re.findall(r'^seen = "(before|after)"  #', draft, re.MULTILINE)
        good = guessed == seen and not factors
        right += good
        sure += "does not say it clearly" not in draft
        doubts = {}
        for reading in (seen, other):
            (folder / "s.toml").write_text(declared(draft, reading))
            checked = run(program, "study", "check", "s.toml", "--data", "t.csv", "--json", folder=folder)
            assert checked.returncode == 0, checked.stderr
            doubts[reading] = bool(json.loads(checked.stdout)["seen_doubtful"])
        doubted_right += doubts[seen]
        doubted_wrong += doubts[other]
        if not good or doubts[seen] or not doubts[other]:
            print(f"table {seed}: {seen}, guessed {guessed} {factors}; doubted if right {doubts[seen]}, if wrong {doubts[other]}",
                  flush=True)
    print(f"of {count} tables: {right} guessed right, {sure} of the guesses called clear; doubted {doubted_wrong} of {count} that were "
          f"declared wrongly and {doubted_right} of {count} declared rightly")


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as name:
        where = pathlib.Path(name)
        executable = str(pathlib.Path(sys.argv[1]).resolve())
        if sys.argv[2] == "tables":
            tables(executable, where)
        else:
            timing(executable, where, int(sys.argv[3]) if len(sys.argv) > 3 else 200)
