"""Forged certificates: from genuine ones, some hundred kinds of folders that state something false or whose evidence is damaged.

The forger rewrites any file and adjusts the others: `SHA256SUMS`, `manifest.txt`, `certificate.json`, and `README.md` with the
text of the package. The verifier and its machine are unchanged.

    forged(genuine, folder, FORGERIES[kind])

A kind is a `Forgery`. `true` is the reason why its statement holds nevertheless: a verifier may accept it. `beyond` is the reason
why `verify.sh`, which does not depend on puzzles, may accept it; `verify-certificate` may not. `donor` is another certificate
whose files it takes.
"""

from __future__ import annotations

import contextlib
import itertools
import json
import shutil
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from certificates import manifest_of, shown_in
from conftest import CAT, CONTRADICTION, IMPOSSIBLE, SWITCH
from repository import INSTANCES

from cnfgen_puzzles.common.digests import digest
from cnfgen_puzzles.common.sources import Source
from cnfgen_puzzles.evidence.certificate import (
    FRAME,
    SUMS,
    Certificate,
    ListNumbers,
    Program,
    formula_readme,
    readme_text,
    seal_folder,
)
from cnfgen_puzzles.families import find_family
from cnfgen_puzzles.formula import VariableMap
from cnfgen_puzzles.formula.dimacs import read_dimacs
from cnfgen_puzzles.formula.varmap import identity
from cnfgen_puzzles.pipeline.certificates.claims import PuzzleFacts, readme

Change = Callable[[Path], object]

FILES = {
    "one.nin": CAT,
    "two.nin": SWITCH,
    "none.nin": IMPOSSIBLE,
    "contradiction.nin": CONTRADICTION,
    "coloured.g": "#d\n   0:.  #ffffff  w\n   y:y  #ffe066  yellow\n   r:r  #c8102e  red\n"
    ": rows\n1y 1r\n2r\n: columns\n1y 1r\n2r\n: end\n",
    "formula.cnf": "p cnf 4 2\n1 2 0\n-3 -4 0\n",
}
BASES = {
    "solution": "solve-puzzle one.nin",
    "unique": "solve-puzzle one.nin --unique",
    "several": "solve-puzzle two.nin --unique",
    "none": "solve-puzzle none.nin",
    "argument": "solve-puzzle contradiction.nin",
    "colored": "solve-puzzle coloured.g --unique",
    "triddler": f"solve-puzzle {INSTANCES}/triddler/random-6.g --unique",
    "tiling": "solve-puzzle tiling --board 1x3 --pieces XXX --unique",
    "count": "solve-puzzle tiling --board 2x3 --pieces X,XX,XXX --count --keep-proofs",
    "pairs": "solve-puzzle two.nin --count --keep-proofs",
    "maze": "solve-puzzle maze --kind blocked --size 3x3 --length 10",
    "path": "solve-puzzle maze --kind blocked --size 3x3 --length 11",
    "models": "count-cnf formula.cnf --keep-proofs",
    "shown": "count-cnf formula.cnf --show 1,2 --keep-proofs",
}
"""The genuine certificates: the commands that make them, in a folder that contains FILES."""
SO = {
    "solution": "solution unique board",
    "unique": "solution unique board",
    "several": "solution several board",
    "none": "none",
    "argument": "argument none",
    "colored": "solution unique board",
    "triddler": "solution unique board",
    "tiling": "solution unique board",
    "count": "solution several board count",
    "pairs": "solution several board count",
    "maze": "none",
    "path": "solution several board",
}
"""The truth about the puzzles."""


@dataclass(frozen=True)
class Forgery:
    """`change` comes first, then all texts and checksums are adjusted; `after` comes last and adjusts checksums if needed."""

    base: str
    change: Change = lambda folder: None
    after: Change = lambda folder: None
    true: str = ""
    beyond: str = ""
    donor: str = ""


FORGERIES: dict[str, Forgery] = {}


def turns(share: int) -> Callable[[], bool]:
    """True once in `share` calls, if all combinations would be too many; `share` is prime, so that each value occurs."""
    calls = itertools.count()
    return lambda: next(calls) % share == 0


def kind(name: str, *forgery: Any, **how: Any) -> None:
    """Register a forgery."""
    assert name not in FORGERIES, name
    FORGERIES[name] = Forgery(*forgery, **how)


# -- a forger's tools -----------------------------------------------------------------------------------------------------------


def forged(genuine: Callable[[str], Path], folder: Path, forgery: Forgery) -> Path:
    """The forged certificate, in a new folder; `genuine` gives the folder of a base."""
    shutil.copytree(genuine(forgery.base), folder)
    if forgery.donor:
        shutil.copytree(genuine(forgery.donor), folder.with_name("donor"))
    forgery.change(folder)
    seal(folder)
    forgery.after(folder)
    return folder


def seal(folder: Path) -> None:
    """Write README, manifest, and checksums that match the files."""
    statement, count = manifest_of(folder)
    certificate = certificate_of(folder)
    (folder / "certificate.json").write_bytes(certificate.to_text())
    with contextlib.suppress(Exception):  # so odd that the package has no words for it: the forger leaves the old ones
        (folder / "README.md").write_bytes(readme_text(_words(folder, certificate, statement, count)))
    seal_folder(folder, statement, count)


def _words(folder: Path, certificate: Certificate, statement: str, count: ListNumbers | None) -> Any:
    details = certificate.details
    if "family" not in details:
        return formula_readme(statement, count, shown_in(folder))
    family = find_family(details["family"])
    puzzle = family.puzzle_from_json(json.loads((folder / "puzzle.json").read_text()))
    vmap = VariableMap.from_json((folder / "map.json").read_text(), "map.json") if (folder / "map.json").exists() else None
    names = {path.relative_to(folder).as_posix() for path in folder.rglob("*")}
    return readme(PuzzleFacts(family, puzzle, vmap, certificate.claim, details, names))


def certificate_of(folder: Path) -> Certificate:
    """certificate.json with any content."""
    entry = json.loads((folder / "certificate.json").read_text())
    programs = tuple(Program(**each) for each in entry["programs"])
    return Certificate(entry["claim"], entry["details"], programs, entry["package"])


def all_of(*changes: Change) -> Change:
    return lambda folder: [change(folder) for change in changes]


def put(name: str, content: str | bytes) -> Change:
    data = content if isinstance(content, bytes) else content.encode("utf-8", "surrogatepass")

    def change(folder: Path) -> None:
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_bytes(data)

    return change


def of(name: str, change: Callable[[bytes], bytes]) -> Change:
    """A change of the existing content."""

    def apply(folder: Path) -> None:
        data = (folder / name).read_bytes()
        new = change(data)
        assert new != data, f"{name} is as it was"
        (folder / name).write_bytes(new)

    return apply


def edited(name: str, old: str, new: str, count: int = 1) -> Change:
    return of(name, lambda data: data.replace(old.encode(), new.encode("utf-8", "surrogatepass"), count))


def lines_of(name: str, change: Callable[[list[str]], list[str]]) -> Change:
    return of(name, lambda data: "".join(change(data.decode().splitlines(keepends=True))).encode())


def gone(*names: str) -> Change:
    return lambda folder: [(folder / name).unlink() for name in names if (folder / name).exists()]


def stated(statement: str, count: ListNumbers | None = None) -> Change:
    """The statement of manifest.txt."""

    def change(folder: Path) -> None:
        numbers = count or manifest_of(folder)[1] or ListNumbers(1, 1, False)
        seal_folder(folder, statement, numbers if statement == "all-models" else None)

    return change


def pretended(statement: str) -> Change:
    """The statement, with plausible files for it if there are none."""

    def change(folder: Path) -> None:
        there = {path.name for path in folder.iterdir()}
        add = {"formula.cnf": "p cnf 1 1\n1 0\n", "projection.txt": "1\n"}
        header = (folder / "formula.cnf").read_text().split("\n", 1)[0] if "formula.cnf" in there else "p cnf 1 1"
        values = [f"-{variable}" for variable in range(1, int(header.split()[2]) + 1)]
        if "model.txt" in there:
            values = [word for word in (folder / "model.txt").read_text().split()[2:] if word not in ("v", "0")]
        shown = set((folder / "projection.txt").read_text().split()) if "projection.txt" in there else {"1"}
        block = " ".join(word[1:] if word[0] == "-" else f"-{word}" for word in values if word.lstrip("-") in shown)
        model = "s SATISFIABLE\nv " + " ".join(values) + " 0\n"
        add |= {"model.txt": model, "model-2.txt": model, "proof.drat": "0\n", "rules.awk": "{ next }\n", "solution.txt": "x\n"}
        add |= {"solutions.txt": " ".join(word for word in values if word[0] != "-") + "\n", "cubes.txt": "0\n"}
        text = (folder / "formula.cnf").read_bytes() if "formula.cnf" in there else add["formula.cnf"].encode()
        add["blocked.cnf"] = clauses(f"{block} 0")(text).decode()
        for name in NEEDED[statement].split():
            if name not in there:
                put(name, add[name])(folder)
        for end in ("txt", "json") if statement == "two-models" and "board.json" in there else ():
            shutil.copy(folder / f"board.{end}", folder / f"board-2.{end}")
        stated(statement)(folder)

    return change


NEEDED = {
    "model": "formula.cnf projection.txt model.txt",
    "two-models": "formula.cnf projection.txt model.txt model-2.txt",
    "only-model": "formula.cnf projection.txt model.txt blocked.cnf proof.drat",
    "no-model": "formula.cnf projection.txt proof.drat",
    "all-models": "formula.cnf projection.txt solutions.txt cubes.txt",
    "obeys": "rules.awk solution.txt",
    "argument": "",
}


def in_certificate(change: Callable[[Certificate], Certificate]) -> Change:
    def apply(folder: Path) -> None:
        (folder / "certificate.json").write_bytes(change(certificate_of(folder)).to_text())

    return apply


def claim(**members: Any) -> Change:
    """Set members of the claim; None removes one."""
    return in_certificate(lambda old: replace(old, claim=_merged(old.claim, members)))


def details(**members: Any) -> Change:
    return in_certificate(lambda old: replace(old, details={**old.details, **members}))


def _merged(old: Mapping[str, Any], new: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in {**old, **new}.items() if value is not None}


def raw(change: Change) -> Change:
    """For `after`: a change of any file except manifest.txt and SHA256SUMS, which are adjusted."""
    return lambda folder: (change(folder), seal_folder(folder, *manifest_of(folder)))


def manifest(change: Callable[[str], str]) -> Change:
    """For `after`: another manifest.txt, with its checksum."""

    def apply(folder: Path) -> None:
        text = (folder / "manifest.txt").read_text()
        new = change(text)
        assert new != text
        (folder / "manifest.txt").write_bytes(new.encode())
        sums = [line for line in (folder / SUMS).read_text().splitlines() if not line.endswith("  manifest.txt")]
        (folder / SUMS).write_text("".join(f"{line}\n" for line in [*sums, f"{digest(new)}  manifest.txt"]))

    return apply


def of_map(change: Callable[[dict[str, Any]], object], *, belongs: bool = True) -> Change:
    """Another map that belongs to the existing formula."""

    def apply(folder: Path) -> None:
        entry = json.loads((folder / "map.json").read_text())
        if belongs:
            entry["formula"] = identity(read_dimacs(Source("x", (folder / "formula.cnf").read_bytes())).cnf)
        before = json.dumps(entry)
        change(entry)
        assert change is unchanged or json.dumps(entry) != before
        (folder / "map.json").write_text(json.dumps(entry, separators=(",", ":")) + "\n")

    return apply


def unchanged(entry: dict[str, Any]) -> None:
    """The map is unchanged and belongs to another formula."""


belongs = of_map(unchanged)


def clauses(*added: str, drop: Callable[[str], bool] = lambda line: False) -> Callable[[bytes], bytes]:
    """A formula with more clauses, and without others."""

    def change(data: bytes) -> bytes:
        header, *lines = data.decode().splitlines()
        kept = [*(line for line in lines if not drop(line)), *added]
        return "".join(f"{line}\n" for line in [f"p cnf {header.split()[2]} {len(kept)}", *kept]).encode()

    return change


def formula(statement: str, cnf: str, count: ListNumbers | None = None, **files: str) -> Change:
    """A certificate of a formula alone, of `models`: its files, `_` for the dot in names."""

    def change(folder: Path) -> None:
        for path in sorted(folder.rglob("*"), reverse=True):
            if path.is_dir():
                path.rmdir()
            elif path.name not in (*FRAME, "manifest.txt"):
                path.unlink()
        for name, text in {"formula_cnf": cnf, "projection_txt": "1\n", **files}.items():
            put("proofs/00001.lrat" if name == "proof_1" else name.replace("_", "."), text)(folder)
        numbers = {"solutions": count.solutions, "orbits": count.orbits} if count else {}
        given = {name: value for name, value in certificate_of(folder).claim.items() if name not in ("solutions", "orbits")}
        in_certificate(lambda old: replace(old, claim={**given, "code": statement, **numbers}))(folder)
        stated(statement, count)(folder)

    return change
