"""Write a software bill of materials (CycloneDX, JSON): Python packages and solvers.

    python scripts/make/sbom.py -o dist/sbom.json     # as `make sbom` does

The Python packages are those of this environment, as cyclonedx-py finds them, with their licenses; the checksums of their files
come from requirements-dev.txt. `scope` is `required` for packages of an installation without extras, otherwise `optional`. The
solvers are those of the recipes: version, license, origin and checksum of the archive, and the checksum of the program if it was
built here. No solver is part of the package. The result is validated against the schema.
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import sys
from collections.abc import Iterator, Mapping
from importlib.metadata import PackageNotFoundError, requires
from pathlib import Path
from typing import Any

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from cnfgen_puzzles.common.files import atomic_file
from cnfgen_puzzles.solving.executables import checksum
from cnfgen_puzzles.solving.table import Solver, load_solvers

REPOSITORY = Path(__file__).resolve().parents[2]
LOCK = REPOSITORY / "requirements-dev.txt"
PACKAGE = "cnfgen-puzzles"
SPECIFICATION = "1.6"
FREE = {"MIT", "Apache-2.0", "BSD-3-Clause"}
"""Licenses of solvers that are SPDX identifiers; other licenses are described in words."""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("-o", "--output", type=Path, default=REPOSITORY / "dist" / "sbom.json")
    output = parser.parse_args().output
    bom = complete(python_bom(), pinned_hashes(LOCK.read_text(encoding="utf-8")), load_solvers())
    if (wrong := fault(bom)) is not None:
        print(f"the list does not follow the schema: {wrong}", file=sys.stderr)
        return 1
    output.parent.mkdir(parents=True, exist_ok=True)
    with atomic_file(output) as stream:
        stream.write((json.dumps(bom, indent=2, ensure_ascii=False) + "\n").encode())
    solvers = sum(component["bom-ref"].startswith("solver:") for component in bom["components"])
    print(f"{output}: {len(bom['components']) - solvers} Python packages, {solvers} solvers and checkers")
    return 0


def python_bom() -> dict[str, Any]:
    """The packages of this environment, by cyclonedx-py."""
    command = [
        sys.executable, "-m", "cyclonedx_py", "environment", "--pyproject", str(REPOSITORY / "pyproject.toml"),
        "--spec-version", SPECIFICATION, "--no-validate", "--output-reproducible", "--output-format", "JSON", sys.executable,
    ]  # fmt: skip
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=300)
    if done.returncode:
        told = done.stderr.strip().splitlines() or [f"exit code {done.returncode}"]
        sys.exit(f"cyclonedx-py (the package cyclonedx-bom) lists no packages: {told[-1]}")
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def complete(bom: dict[str, Any], hashes: Mapping[str, list[str]], solvers: Mapping[str, Solver]) -> dict[str, Any]:
    """The list with checksums, scopes, and solvers, without data about this machine (folders of installations)."""
    needed = set(core())
    packages = [one for one in bom.get("components", ()) if canonicalize_name(one["name"]) != PACKAGE]
    for component in packages:
        name = canonicalize_name(component["name"])
        component["scope"] = "required" if name in needed else "optional"
        origins = [one for one in component.get("externalReferences", ()) if not one["url"].startswith("file:")]
        if found := hashes.get(f"{name}=={component['version']}"):
            url = component.get("purl") or f"pkg:pypi/{name}@{component['version']}"
            sums = [{"alg": "SHA-256", "content": value} for value in found]
            origins.append({"type": "distribution", "url": url, "comment": "a hash for each of its files", "hashes": sums})
        component["externalReferences"] = origins
    root = bom["metadata"].get("component", {})
    root["externalReferences"] = [one for one in root.get("externalReferences", ()) if not one["url"].startswith("file:")]
    bom["components"] = packages + [solver_component(solver) for solver in solvers.values() if solver.build]
    refs = {component["bom-ref"] for component in bom["components"]} | {root.get("bom-ref")}
    bom["dependencies"] = [
        {**one, "dependsOn": [ref for ref in one.get("dependsOn", ()) if ref in refs]}
        for one in bom.get("dependencies", ())
        if one["ref"] in refs
    ]
    return bom


def core(name: str = PACKAGE, seen: frozenset[str] = frozenset()) -> Iterator[str]:
    """The packages of an installation without extras, by canonical name."""
    try:
        wanted = [Requirement(line) for line in requires(name) or ()]
    except PackageNotFoundError:
        return
    for each in wanted:
        below = canonicalize_name(each.name)
        if below not in seen and (each.marker is None or each.marker.evaluate({"extra": ""})):
            yield below
            yield from core(below, seen | {below})


def solver_component(solver: Solver) -> dict[str, Any]:
    """A solver or checker of the recipes: its archive, and its program if it was built here."""
    build = solver.build or {}
    licence = {"id": solver.licence} if solver.licence in FREE else {"name": solver.licence or "not said"}
    origins = [each["url"] for each in build.get("origins", ()) if "url" in each]
    hashes = {"hashes": [{"alg": "SHA-256", "content": build["sha256"]}]} if "sha256" in build else {}
    sums = " ".join(f"{name} sha256:{value}" for name, value in (build.get("contents") or {"": build["sha256"]}).items()).strip()
    component: dict[str, Any] = {
        "type": "application",
        "bom-ref": f"solver:{solver.name}@{solver.version}",
        "name": solver.name,
        "version": solver.version,
        "description": f"{solver.title} (a {solver.kind}; fetched and built by the user, no part of the package)",
        "licenses": [{"license": licence}],
        "scope": "excluded",
        "externalReferences": [
            *([{"type": "website", "url": solver.website}] if solver.website else []),
            *({"type": "source-distribution", "url": url, **hashes} for url in origins),
        ],
        "properties": [{"name": "cnfgen:archive", "value": f"{build['archive']} {sums}"}],
    }
    if solver.available():
        component["properties"].append({"name": "cnfgen:program", "value": f"sha256:{checksum(solver.locate())}"})
    return component


def pinned_hashes(lock: str) -> dict[str, list[str]]:
    """The checksums of the files, by `name==version`.

    >>> pinned_hashes("click==8.1 \\\\\\n    --hash=sha256:ab \\\\\\n    --hash=sha256:cd\\n")
    {'click==8.1': ['ab', 'cd']}
    """
    found: dict[str, list[str]] = {}
    name = ""
    for line in lock.splitlines():
        if pinned := re.match(r"([\w.-]+)==(\S+)", line):
            name = f"{canonicalize_name(pinned[1])}=={pinned[2]}"
        if hashed := re.search(r"--hash=sha256:(\w+)", line):
            found.setdefault(name, []).append(hashed[1])
    return found


def fault(bom: Mapping[str, Any]) -> str | None:
    """The errors of the list according to the schema of CycloneDX; None if there are none."""
    from cyclonedx.schema import SchemaVersion
    from cyclonedx.validation.json import JsonStrictValidator

    wrong = JsonStrictValidator(SchemaVersion.from_version(SPECIFICATION)).validate_str(json.dumps(bom))
    return None if wrong is None else str(wrong)


if __name__ == "__main__":
    sys.exit(main())
