#!/usr/bin/env python3
"""Makes a wheel of the built package that works elsewhere on the same Debian: the libraries it needs are inside, and it is
checked that none is missing.

Usage: wheel.py BUILD     writes BUILD/wheel/interpole-VERSION-cp311-cp311-linux_x86_64.whl
"""
import base64
import hashlib
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import zipfile

BUILD = pathlib.Path(sys.argv[1]).resolve()
PACKAGE = BUILD / "python" / "interpole"
# What every Debian with Python has: the C and C++ libraries. All else goes into the wheel.
SYSTEM = re.compile(r"^(ld-linux.*|lib(c|m|dl|pthread|rt|gcc_s|stdc\+\+|util|z))\.so(\..*)?$|^linux-vdso")
STAMP = (2020, 1, 1, 0, 0, 0)  # the same bytes from the same files


def needed_by(library: pathlib.Path) -> dict[str, pathlib.Path]:
    """All shared libraries that a library loads, directly or not, by name."""
    text = subprocess.run(["ldd", library], check=True, capture_output=True, text=True).stdout
    if "not found" in text:
        raise SystemExit(f"wheel: {library} lacks a library:\n{text}")
    found = re.findall(r"^\s*(\S+) => (\S+) \(", text, re.M)
    return {name: pathlib.Path(path) for name, path in found if not SYSTEM.match(name)}


def put_together(folder: pathlib.Path) -> pathlib.Path:
    """The package with its libraries in interpole/lib, each finding the others there."""
    package = folder / "interpole"
    shutil.copytree(PACKAGE, package, ignore=shutil.ignore_patterns("__pycache__"))
    libraries = package / "lib"
    libraries.mkdir()
    module = next(package.glob("_engine*.so"))
    for name, path in needed_by(module).items():
        shutil.copyfile(path, libraries / name)
        subprocess.run(["patchelf", "--force-rpath", "--set-rpath", "$ORIGIN", libraries / name], check=True)
    subprocess.run(["patchelf", "--force-rpath", "--set-rpath", "$ORIGIN/lib", module], check=True)
    for file in (module, *libraries.iterdir()):
        subprocess.run(["strip", "--strip-unneeded", file], check=True)
        strangers = [str(path) for path in needed_by(file).values() if libraries not in path.parents]
        if strangers:
            raise SystemExit(f"wheel: {file.name} would load {', '.join(strangers)}")
    return package


def metadata(version: str) -> str:
    return "\n".join([
        "Metadata-Version: 2.1", "Name: interpole", f"Version: {version}",
        "Summary: What decision-makers believed before each decision, learned from records", "License: Apache-2.0",
        "Requires-Python: >=3.11,<3.12", "Requires-Dist: numpy", "Requires-Dist: pandas",
        "Provides-Extra: sklearn", "Requires-Dist: scikit-learn<1.6; extra == 'sklearn'", ""])


def write_wheel(folder: pathlib.Path, version: str) -> pathlib.Path:
    tag = "cp311-cp311-linux_x86_64"
    information = f"interpole-{version}.dist-info"
    files = {path.relative_to(folder).as_posix(): path.read_bytes()
             for path in sorted((folder / "interpole").rglob("*")) if path.is_file()}
    files[f"{information}/METADATA"] = metadata(version).encode()
    files[f"{information}/WHEEL"] = (f"Wheel-Version: 1.0\nGenerator: interpole\nRoot-Is-Purelib: false\nTag: {tag}\n").encode()
    record = "".join(f"{name},sha256={base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b'=').decode()},"
                     f"{len(data)}\n" for name, data in files.items())
    files[f"{information}/RECORD"] = (record + f"{information}/RECORD,,\n").encode()
    target = BUILD / "wheel" / f"interpole-{version}-{tag}.whl"
    target.parent.mkdir(exist_ok=True)
    with zipfile.ZipFile(target.with_suffix(".part"), "w", zipfile.ZIP_DEFLATED, compresslevel=6) as archive:
        for name, data in files.items():
            entry = zipfile.ZipInfo(name, STAMP)
            entry.external_attr = 0o644 << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, data)
    target.with_suffix(".part").rename(target)
    return target


def main() -> None:
    version = re.search(r"VERSION:STATIC=(\S+)", (BUILD / "CMakeCache.txt").read_text())
    assert version is not None
    with tempfile.TemporaryDirectory() as folder:
        put_together(pathlib.Path(folder))
        target = write_wheel(pathlib.Path(folder), version[1])
    print(f"wheel: {target} ({target.stat().st_size / 1e6:.0f} MB)")


main()
