"""The package elsewhere, as a wheel in an environment of its own and as `make install` leaves it: whole, and at work without
anything of the folder it was built in."""
import base64
import csv
import hashlib
import pathlib
import subprocess
import sys
import tempfile
import zipfile

from case import PROJECT, PackageTest, interpole, main

BUILD = pathlib.Path(interpole.__file__).resolve().parents[2]

# Where it looks for nothing but what is in the folder, and says which libraries it has loaded.
SCRIPT = """
import interpole, pathlib, warnings
warnings.simplefilter("ignore")
frame, truth = interpole.simulate("bias", patients=40, seed=1)
model = interpole.Interpole(states=["healthy", "diseased"], restarts=1, policy="belief").fit(frame)
frame.to_csv("visits.csv", index=False)
again = interpole.Interpole(study=model.study_text(), restarts=1, policy="belief").fit("visits.csv")  # through DuckDB
assert (again.predict_proba("visits.csv") == model.predict_proba(frame)).all()
model.report("report.html")
loaded = {line.split()[-1] for line in pathlib.Path("/proc/self/maps").read_text().splitlines() if ".so" in line}
print("\\n".join(sorted(path for path in loaded if "interpole" in path or "duckdb" in path)))
"""


class ElsewhereTest(PackageTest):
    def works(self, place, *command, **environment):
        """Everything it loads is in `place`."""
        result = subprocess.run([*command, "-c", SCRIPT], cwd=self.folder, capture_output=True, text=True, check=False,
                                env={"PATH": "/usr/bin:/bin", "HOME": str(self.folder), **environment})
        self.assertEqual(result.returncode, 0, result.stderr)
        loaded = result.stdout.split()
        self.assertGreaterEqual(len(loaded), 3)  # the module, the library, DuckDB
        for path in loaded:
            self.assertTrue(path.startswith(str(place)), path)
        self.assertTrue((self.folder / "report.html").is_file())


class Wheel(ElsewhereTest):
    @classmethod
    def setUpClass(cls):
        made = subprocess.run([sys.executable, PROJECT / "python" / "tools" / "wheel.py", BUILD], check=True,
                              capture_output=True, text=True).stdout
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        environment = pathlib.Path(folder.name).resolve() / "environment"
        subprocess.run([sys.executable, "-m", "venv", "--without-pip", "--system-site-packages", environment], check=True)
        cls.python = environment / "bin" / "python3"
        cls.place = next(environment.glob("lib/python3*/site-packages"))
        with zipfile.ZipFile(made.split()[1]) as archive:
            archive.extractall(cls.place)

    def test_it_is_whole(self):
        record = next(self.place.glob("*.dist-info")) / "RECORD"
        listed = {name: digest for name, digest, _ in csv.reader(record.read_text().splitlines())}
        found = {path.relative_to(self.place).as_posix() for path in self.place.rglob("*") if path.is_file()}
        self.assertEqual(set(listed), found)
        for name, digest in listed.items():
            if digest:
                made = base64.urlsafe_b64encode(hashlib.sha256((self.place / name).read_bytes()).digest())
                self.assertEqual(digest, "sha256=" + made.rstrip(b"=").decode(), name)
        sources = {path.name for path in (PROJECT / "python" / "interpole").iterdir() if path.suffix in (".py", ".typed")}
        inside = {path.name for path in (self.place / "interpole").iterdir() if path.suffix in (".py", ".typed")}
        self.assertEqual(inside, sources)

    def test_it_works_with_no_other_folder(self):
        self.works(self.place, self.python, "-I")


class Installed(ElsewhereTest):
    def test_it_works_with_no_other_folder(self):
        prefix = (self.folder / "prefix").resolve()
        subprocess.run(["cmake", "--install", BUILD, "--prefix", prefix], check=True, capture_output=True)
        package = next(prefix.rglob("_engine*.so")).parent
        sources = {path.name for path in (PROJECT / "python" / "interpole").iterdir() if path.suffix in (".py", ".typed")}
        self.assertEqual(sources - {path.name for path in package.iterdir()}, set())
        self.works(prefix, sys.executable, PYTHONPATH=str(package.parent))


if __name__ == "__main__":
    main()
