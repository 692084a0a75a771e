"""Wheel and sdist: their contents, reproducible builds, metadata, and an installation outside of the checkout."""

from __future__ import annotations

import re
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from email import message_from_bytes
from pathlib import Path, PurePosixPath

import pytest
import yaml
from published.wheels import build, clean_environment
from repository import REPOSITORY

pytestmark = pytest.mark.release

PACKAGE = "cnfgen_puzzles"
PYPROJECT = tomllib.loads((REPOSITORY / "pyproject.toml").read_text())
ROOT_FILES = {
    ".dockerignore", ".gitignore", ".pre-commit-config.yaml", "CHANGELOG.md", "CITATION.cff", "CONTRIBUTING.md", "Dockerfile",
    "LICENSE", "Makefile",
    "PKG-INFO", "README.md", "SECURITY.md", "mkdocs.yml", "pyproject.toml", "requirements-dev.txt",
}  # fmt: skip
FOLDERS = {PACKAGE, ".github", "docs", "instances", "scripts", "solvers", "studies", "tests"}


def kept_files() -> set[str]:
    """The files that git tracks, or would track."""
    if not (REPOSITORY / ".git").exists():
        pytest.skip("this is not a git checkout")
    words = ["git", "ls-files", "--cached", "--others", "--exclude-standard"]
    listed = subprocess.check_output(words, cwd=REPOSITORY, text=True)
    return {line for line in listed.splitlines() if (REPOSITORY / line).exists()}


def members(sdist: Path) -> dict[str, bytes]:
    with tarfile.open(sdist) as archive:
        files = {PurePosixPath(member.name): member for member in archive.getmembers() if member.isfile()}
        return {str(PurePosixPath(*name.parts[1:])): archive.extractfile(member).read() for name, member in files.items()}


def test_the_wheel_holds_the_package_and_the_recipes(dist):
    kept = kept_files()
    with zipfile.ZipFile(dist.wheel) as archive:
        names = {name for name in archive.namelist() if ".dist-info/" not in name}
        metadata = {PurePosixPath(name).name for name in archive.namelist() if ".dist-info/" in name}
    expected = {name for name in kept if name.startswith(f"{PACKAGE}/")}
    recipes = {PurePosixPath(name).name for name in kept if re.fullmatch(r"solvers/[\w-]+\.yaml", name)}
    assert names == expected | {f"{PACKAGE}/solving/recipes/{name}" for name in {*recipes, "recipes.json"}}
    assert len(recipes) >= 10 and f"{PACKAGE}/py.typed" in names
    assert metadata == {"METADATA", "WHEEL", "RECORD", "entry_points.txt", "LICENSE"}
    assert dist.wheel.stat().st_size < 1_500_000


def test_the_sdist_holds_the_tracked_files_and_no_sources_of_solvers(dist):
    names, kept = set(members(dist.sdist)), kept_files()
    assert {name.split("/")[0] for name in names} <= ROOT_FILES | FOLDERS
    assert names - {"PKG-INFO"} == {name for name in kept if name.split("/")[0] in FOLDERS | ROOT_FILES}
    assert not [name for name in names if name.endswith((".tar.gz", ".zip", ".whl", ".so", ".pyc"))]
    assert dist.sdist.stat().st_size < 3_000_000


def test_the_sdist_builds_the_same_wheel(dist, tmp_path):
    """Byte by byte: the published wheel can be built from the published sdist."""
    with tarfile.open(dist.sdist) as archive:
        archive.extractall(tmp_path, filter="data")
    (source,) = tmp_path.iterdir()
    build(source, tmp_path / "again", "wheel")
    (again,) = (tmp_path / "again").glob("*.whl")
    assert again.name == dist.wheel.name
    assert again.read_bytes() == dist.wheel.read_bytes()


def test_metadata_name_python_license_and_extras(dist):
    with zipfile.ZipFile(dist.wheel) as archive:
        (name,) = (name for name in archive.namelist() if name.endswith("METADATA"))
        told = message_from_bytes(archive.read(name))
    assert told["Requires-Python"] == ">=3.11" and told["License-Expression"] == "MIT"
    assert {"solvers", "counting", "pictures", "bench", "notebook", "docs", "test"} <= set(told.get_all("Provides-Extra"))
    assert "Typing :: Typed" in told.get_all("Classifier")


ADDRESS = "https://github.com/some-one/puzzles"


@pytest.mark.parametrize("address", ["", ADDRESS], ids=["no address", "address"])
def test_the_address_in_pyproject_sets_urls_and_absolute_links(address, tmp_path):
    """Without an address, which is the default, no file has one."""
    for name in sorted(kept_files()):
        if name.startswith((f"{PACKAGE}/common", "solvers/")) or name in {*ROOT_FILES, "scripts/make/package_metadata.py"}:
            (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / name).write_bytes((REPOSITORY / name).read_bytes())
    words = [sys.executable, tmp_path / "scripts" / "make" / "package_metadata.py", address]
    subprocess.run(words, check=True, cwd=tmp_path, timeout=60)
    build(tmp_path, tmp_path / "dist", "wheel")
    with zipfile.ZipFile(next((tmp_path / "dist").glob("*.whl"))) as archive:
        (name,) = (name for name in archive.namelist() if name.endswith("METADATA"))
        metadata = message_from_bytes(archive.read(name))
    urls = dict(each.split(", ") for each in metadata.get_all("Project-URL", []))
    links = re.findall(r"""(?:\]\(|src="|srcset=")([^)"]+)""", metadata.get_payload())
    readme, citation = ((tmp_path / file).read_text() for file in ("README.md", "CITATION.cff"))
    assert len(links) > 30
    if address:
        assert urls["Source"] == ADDRESS and urls["Documentation"] == "https://some-one.github.io/puzzles/"
        assert [link for link in links if not link.startswith(("https://", "#"))] == []
        assert f"{ADDRESS}/actions/workflows/tests.yml/badge.svg" in readme and ADDRESS in citation
    else:
        assert urls == {} and "docs/pictures/boards-light.svg" in links
        assert (REPOSITORY / "README.md").read_text() == readme and (REPOSITORY / "CITATION.cff").read_text() == citation


def test_one_version_everywhere():
    version = PYPROJECT["project"]["version"]
    citation = yaml.safe_load((REPOSITORY / "CITATION.cff").read_text())
    named = re.search(r'__version__ = "(.*)"', (REPOSITORY / PACKAGE / "common" / "version.py").read_text())[1]
    assert [named, str(citation["version"])] == [version, version]
    assert f"## {version}" in (REPOSITORY / "CHANGELOG.md").read_text()
    assert citation["cff-version"] == "1.2.0" and citation["authors"] and citation["license"] == "MIT" and citation["message"]


# -- installed -----------------------------------------------------------------------------------------------------------------


def test_every_command_starts_outside_of_the_checkout(installed, tmp_path):
    for name in PYPROJECT["project"]["scripts"]:
        done = subprocess.run(
            [installed.bin / name, "--version"], capture_output=True, text=True, check=False, timeout=60,
            cwd=tmp_path, env=clean_environment(),
        )  # fmt: skip
        assert done.returncode == 0 and PYPROJECT["project"]["version"] in done.stdout, (name, done.stderr)


def test_the_installed_package_comes_from_the_wheel(installed, tmp_path):
    code = (
        "import cnfgen_puzzles, cnfgen_puzzles.solving.table as table;"
        "print(cnfgen_puzzles.__file__); print(*sorted(table.load_solvers()))"
    )
    words = [installed.python, "-c", code]
    said = subprocess.check_output(words, text=True, cwd=tmp_path, env=clean_environment(), timeout=60)
    place, solvers = said.splitlines()
    assert Path(place).is_relative_to(installed.site)
    assert {"kissat", "cadical", "minisat", "drat-trim"} <= set(solvers.split())


# -- the pinned requirements -------------------------------------------------------------------------------------------------


def test_pinned_requirements_have_hashes_and_no_addresses():
    text = (REPOSITORY / "requirements-dev.txt").read_text()
    assert "://" not in text and "file:" not in text and " @ " not in text and not re.search(r"(^|\s)/\w", text)
    pins = re.split(r"\n(?=\S)", text.split("make lock\n")[1].strip())
    assert len(pins) > 80
    assert not [
        pin.partition("\n")[0] for pin in pins if not re.match(r"[\w.-]+==\S+( ;|\s)", pin) or "--hash=sha256:" not in pin
    ]


def test_pinned_requirements_satisfy_pyproject():
    """Run `make lock` after a change of the requirements."""
    packaging = pytest.importorskip("packaging.requirements")
    utils = pytest.importorskip("packaging.utils")
    extras = PYPROJECT["project"]["optional-dependencies"]
    wanted, todo = [], [*PYPROJECT["project"]["dependencies"], *extras["test"]]
    for line in todo:
        requirement = packaging.Requirement(line)
        if requirement.name == PYPROJECT["project"]["name"]:
            todo += [each for extra in requirement.extras for each in extras[extra]]
        else:
            wanted.append(requirement)
    pins: dict[str, list[str]] = {}
    for name, version in re.findall(r"^([\w.-]+)==(\S+)", (REPOSITORY / "requirements-dev.txt").read_text(), re.MULTILINE):
        pins.setdefault(utils.canonicalize_name(name), []).append(version)
    missing = [
        str(each)
        for each in wanted
        if not any(each.specifier.contains(v, prereleases=True) for v in pins.get(utils.canonicalize_name(each.name), []))
    ]
    assert not missing
