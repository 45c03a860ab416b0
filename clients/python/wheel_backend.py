"""Builds the wheel with the standard library alone (PEP 517), so that it needs no network.

`pip wheel --no-deps .` calls it, and `python3 wheel_backend.py FOLDER` does the same without pip.
"""

import base64
import hashlib
import re
import sys
import tarfile
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent
PROJECT = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
VERSION = re.search(r'__version__ = "(.+)"', (ROOT / "src/hourcast/__init__.py").read_text(encoding="utf-8")).group(1)
# The same files make the same bytes, whenever that is.
MADE_AT = (2026, 1, 1, 0, 0, 0)


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    """Writes the wheel into the folder, and returns its name."""
    info = f"hourcast-{VERSION}.dist-info"
    files = {f"hourcast/scaffold/{name}": path.read_bytes() for name, path in _scaffold().items()}
    files.update({path.relative_to(ROOT / "src").as_posix(): path.read_bytes() for path in _sources()})
    files[f"{info}/METADATA"] = _metadata().encode()
    files[f"{info}/WHEEL"] = b"Wheel-Version: 1.0\nGenerator: wheel_backend\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
    files[f"{info}/entry_points.txt"] = f"[console_scripts]\nhourcast = {_setting('hourcast')}\n".encode()
    licence = ROOT / "../../LICENSE"
    if licence.exists():
        files[f"{info}/LICENSE"] = licence.read_bytes()
    record = "".join(f"{name},sha256={_digest(data)},{len(data)}\n" for name, data in files.items())
    files[f"{info}/RECORD"] = f"{record}{info}/RECORD,,\n".encode()
    name = f"hourcast-{VERSION}-py3-none-any.whl"
    with zipfile.ZipFile(Path(wheel_directory) / name, "w", zipfile.ZIP_DEFLATED) as wheel:
        for path, data in files.items():
            entry = zipfile.ZipInfo(path, MADE_AT)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = 0o644 << 16
            wheel.writestr(entry, data)
    return name


def build_sdist(sdist_directory, config_settings=None):
    """Writes the sources into the folder, and returns the archive's name."""
    stem = f"hourcast-{VERSION}"
    (info := ROOT / "PKG-INFO").write_text(_metadata(), encoding="utf-8")
    try:
        with tarfile.open(Path(sdist_directory) / f"{stem}.tar.gz", "w:gz") as archive:
            for path in [info, ROOT / "pyproject.toml", ROOT / "README.md", ROOT / "wheel_backend.py", *_sources()]:
                archive.add(path, f"{stem}/{path.relative_to(ROOT).as_posix()}")
            for name, path in _scaffold().items():
                archive.add(path, f"{stem}/src/hourcast/scaffold/{name}")
    finally:
        info.unlink()
    return f"{stem}.tar.gz"


def _sources():
    return sorted(path for path in (ROOT / "src").rglob("*") if path.suffix in (".py", ".gz") or path.name in ("py.typed", "LICENSE"))


def _scaffold():
    """The files of new bots by name, from the repository, or from an archive of the sources."""
    folder = next(one for one in (ROOT / "../scaffold", ROOT / "src/hourcast/scaffold") if one.exists())
    paths = sorted(path for path in folder.rglob("*") if path.is_file() and path.suffix != ".pyc")
    return {path.relative_to(folder).as_posix(): path for path in paths}


def _metadata():
    return (
        f"Metadata-Version: 2.1\nName: hourcast\nVersion: {VERSION}\nSummary: {_setting('description')}\n"
        f"License: MIT\nRequires-Python: {_setting('requires-python')}\nDescription-Content-Type: text/markdown\n\n"
        + (ROOT / "README.md").read_text(encoding="utf-8")
    )


def _setting(name):
    """The text behind a name in pyproject.toml; Python reads TOML from 3.11 on only."""
    return re.search(rf'^{name} = "(.+)"$', PROJECT, re.MULTILINE).group(1)


def _digest(data):
    return base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()


if __name__ == "__main__":
    print(build_wheel(sys.argv[1] if len(sys.argv) > 1 else "."))
