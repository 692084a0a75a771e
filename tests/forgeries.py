"""Forged certificates: from genuine ones, some hundred kinds of folders that state something false or whose evidence is damaged.

The forger rewrites every file as he likes, and everything else so that it fits: `SHA256SUMS`, `manifest.txt`, `certificate.json`,
and `README.md` with the words that the package would use. He changes neither the verifier nor its machine.

    forged(genuine, folder, FORGERIES[kind])

A kind is a `Forgery`. `true` says why its statement is so nevertheless: a verifier may accept it. `beyond` says why `verify.sh`,
which knows no puzzle, may accept it; `verify-certificate` may not. `donor` is another certificate whose files it takes.
"""

from __future__ import annotations

import contextlib
import itertools
import json
import os
import shutil
import socket
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
    role_of,
    seal_folder,
)
from cnfgen_puzzles.families import find_family
from cnfgen_puzzles.formula import VariableMap
from cnfgen_puzzles.formula.dimacs import read_dimacs
from cnfgen_puzzles.formula.varmap import identity
from cnfgen_puzzles.pipeline.certificates.certify import canonical
from cnfgen_puzzles.pipeline.certificates.claims import CLAIMS, PuzzleFacts, readme

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
    "coloured": "solve-puzzle coloured.g --unique",
    "triddler": f"solve-puzzle {INSTANCES}/triddler/random-6.g --unique",
    "tiling": "solve-puzzle tiling --board 1x3 --pieces XXX --unique",
    "count": "solve-puzzle tiling --board 2x3 --pieces X,XX,XXX --count --keep-proofs",
    "pairs": "solve-puzzle two.nin --count --keep-proofs",
    "maze": "solve-puzzle maze --kind blocked --size 3x3 --length 10",
    "path": "solve-puzzle maze --kind blocked --size 3x3 --length 11",
    "models": "count-cnf formula.cnf --keep-proofs",
    "shown": "count-cnf formula.cnf --show 1,2 --keep-proofs",
}
"""The genuine certificates: how they are made, in a folder that has FILES."""
SO = {
    "solution": "solution unique board",
    "unique": "solution unique board",
    "several": "solution several board",
    "none": "none",
    "argument": "argument none",
    "coloured": "solution unique board",
    "triddler": "solution unique board",
    "tiling": "solution unique board",
    "count": "solution several board count",
    "pairs": "solution several board count",
    "maze": "none",
    "path": "solution several board",
}
"""What is so of the puzzles."""


@dataclass(frozen=True)
class Forgery:
    """`change` is made first, then all words and checksums; `after` is made last, with what checksums it wants."""

    base: str
    change: Change = lambda folder: None
    after: Change = lambda folder: None
    true: str = ""
    beyond: str = ""
    donor: str = ""


FORGERIES: dict[str, Forgery] = {}


def turns(share: int) -> Callable[[], bool]:
    """True once in `share` calls, where all combinations would be too many; a prime, so that each value has its turn."""
    calls = itertools.count()
    return lambda: next(calls) % share == 0


def kind(name: str, *forgery: Any, **how: Any) -> None:
    """One more."""
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
    """Roles, README, manifest, and checksums that fit the files."""
    statement, count = manifest_of(folder)
    certificate = certificate_of(folder)
    names = [path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()]
    certificate = replace(
        certificate, roles={name: certificate.roles.get(name, role_of(name)) for name in names if name not in FRAME}
    )
    (folder / "certificate.json").write_bytes(certificate.to_text())
    with contextlib.suppress(Exception):  # so odd that the package has no words for it: the forger leaves the old ones
        (folder / "README.md").write_bytes(readme_text(_words(folder, certificate, statement, count), certificate))
    seal_folder(folder, statement, count)


def _words(folder: Path, certificate: Certificate, statement: str, count: ListNumbers | None) -> Any:
    details = certificate.details
    if "family" not in details:
        return formula_readme(statement, count, certificate.roles, shown_in(folder))
    family = find_family(details["family"])
    puzzle = family.puzzle_from_json(json.loads((folder / "puzzle.json").read_text()))
    vmap = VariableMap.from_json((folder / "map.json").read_text(), "map.json") if "map.json" in certificate.roles else None
    return readme(PuzzleFacts(family, puzzle, vmap, certificate.claim, details, certificate.roles))


def certificate_of(folder: Path) -> Certificate:
    """certificate.json, whatever it says."""
    entry = json.loads((folder / "certificate.json").read_text())
    programs = tuple(Program(**each) for each in entry["programs"])
    return Certificate(entry["claim"], entry["details"], programs, entry["package"], entry["files"])


def all_of(*changes: Change) -> Change:
    return lambda folder: [change(folder) for change in changes]


def put(name: str, content: str | bytes) -> Change:
    data = content if isinstance(content, bytes) else content.encode("utf-8", "surrogatepass")

    def change(folder: Path) -> None:
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_bytes(data)

    return change


def of(name: str, change: Callable[[bytes], bytes]) -> Change:
    """Another content, made of the one that is there."""

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
    """The statement, with files for it where there are none, as good as a forger has them."""

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
    """Members of the claim; None removes one."""
    return in_certificate(lambda old: replace(old, claim=_merged(old.claim, members)))


def details(**members: Any) -> Change:
    return in_certificate(lambda old: replace(old, details={**old.details, **members}))


def _merged(old: Mapping[str, Any], new: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in {**old, **new}.items() if value is not None}


def raw(change: Change) -> Change:
    """For `after`: a change of any file but manifest.txt and SHA256SUMS, which fit it afterwards."""
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
    """Another map, which belongs to the formula that there is."""

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
    """The map stays as it is, and belongs to another formula."""


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
        in_certificate(lambda old: replace(old, claim={**given, "code": statement, **numbers}, roles={}))(folder)
        stated(statement, count)(folder)

    return change


# -- kinds: bytes ---------------------------------------------------------------------------------------------------------------

UNREAD = {
    "README.md": "words",
    "certificate.json": "words, for programs",
    "map.json": "names of the variables",
    "puzzle.json": "the puzzle; the statement is on the formula",
    "puzzle.nin": "the puzzle; the statement is on the formula",
    "board.txt": "a drawing",
    "board.json": "a board for programs",
    "boards.jsonl": "boards for programs",
    "cubes.jsonl": "a record of who proved what",
    "verify.sh": "the script itself: a reader compares it, and verify-certificate does",
}
"""What verify.sh has no statement on; verify-certificate compares it."""
BYTES: dict[str, Callable[[bytes], bytes]] = {
    "is empty": lambda data: b"",
    "is cut in the middle": lambda data: data[: len(data) // 2],
    "has no final newline": lambda data: data[:-1],
    "is there twice": lambda data: data + data,
    "has carriage returns": lambda data: data.replace(b"\n", b"\r\n"),
    "ends in NUL": lambda data: data + b"\0\n",
    "begins with a byte order mark": lambda data: b"\xef\xbb\xbf" + data,
    "ends in an empty line": lambda data: data + b"\n",
    "ends in a line without its end": lambda data: data + b"1 0",
    "ends in an escape sequence": lambda data: data + b"\x1b[2J\n",
    "has its lines in reverse": lambda data: b"".join(data.splitlines(keepends=True)[::-1]),
}
DAMAGED = {
    "unique": [
        "README.md",
        "certificate.json",
        "verify.sh",
        "formula.cnf",
        "blocked.cnf",
        "model.txt",
        "projection.txt",
        "proof.drat",
        "proof.lrat",
        "drat-trim.txt",
        "map.json",
        "puzzle.json",
        "puzzle.nin",
        "board.txt",
        "board.json",
        "rules.awk",
        "solution.txt",
    ],
    "count": [
        "formula.cnf",
        "projection.txt",
        "solutions.txt",
        "symmetries.txt",
        "cubes.txt",
        "covering.txt",
        "cover.drat",
        "cover.lrat",
        "cubes.jsonl",
        "boards.jsonl",
        "proofs/00001.lrat",
    ],
}


def still_so(name: str, how: str) -> str:
    """Why a file may have been changed so."""
    if name == "cubes.jsonl":
        return "a record, which no check needs"
    if name == "puzzle.nin" and how in ("has carriage returns", "begins with a byte order mark", "has no final newline"):
        return "the same puzzle"
    if how == "is there twice" and name.startswith(("proof", "cover", "symmetries")):
        return "steps, cubes, or symmetries are there twice"
    return (
        "the same cubes or symmetries" if how == "has its lines in reverse" and name in ("covering.txt", "symmetries.txt") else ""
    )


of_bytes, of_numbers, of_json, of_nodes = turns(3), turns(5), turns(2), turns(2)
for base, names in DAMAGED.items():
    for name in names:
        for how, change in BYTES.items():
            if of_bytes() and (name, how) != ("map.json", "has its lines in reverse"):  # it has one
                kind(
                    f"{base}: {name} {how}",
                    base,
                    after=raw(of(name, change)),
                    beyond=UNREAD.get(name, ""),
                    true=still_so(name, how),
                )


# -- kinds: statements ----------------------------------------------------------------------------------------------------------

FORMULA_ONLY = "the puzzle and what is claimed of it; the statement on the formula is still so"
for base, so in SO.items():
    for code, row in CLAIMS.items():
        if code not in so.split():
            numbers = {"solutions": 1, "orbits": 1, "convention": ""} if code == "count" else {}
            fresh = in_certificate(lambda old, code=code, numbers=numbers: replace(old, claim={"code": code, **numbers}))
            kind(f"{base}: {code} is claimed and stated", base, all_of(fresh, pretended(row.statement)))
            kind(f"{base}: {code} is claimed", base, fresh, beyond=FORMULA_ONLY)
            kind(f"{base}: {row.statement} is stated", base, pretended(row.statement)) if code != "argument" else None
for base, statement in [("models", "no-model"), ("models", "only-model"), ("shown", "no-model"), ("shown", "two-models")]:
    kind(f"{base}: {statement}", base, all_of(pretended(statement), claim(code=statement, solutions=None, orbits=None)))

# -- kinds: numbers -------------------------------------------------------------------------------------------------------------

ODD_NUMBERS = (
    "4294967297",
    "2147483648",
    "-0",
    "01",
    "+1",
    "1e0",
    "1.0",
    "0x1",
    "--1",
    "٣",
    "18446744073709551617",
    "-4294967297",
)
LITERALS = {
    "unique": ["formula.cnf", "blocked.cnf", "projection.txt", "proof.drat"],
    "count": ["solutions.txt", "symmetries.txt", "cubes.txt", "covering.txt", "cover.drat", "cover.lrat", "proofs/00001.lrat"],
}


def first_number(new: str) -> Callable[[bytes], bytes]:
    """Another first number in the last line but one, or in the last."""

    def change(data: bytes) -> bytes:
        lines = data.decode().splitlines()
        place = max(0, len(lines) - 2)
        lines[place] = " ".join([new, *lines[place].split()[1:]])
        return "".join(f"{line}\n" for line in lines).encode()

    return change


for base, names in LITERALS.items():
    for name in names:
        for number in ODD_NUMBERS:
            if of_numbers():
                kind(f"{base}: {name} has the number {number}", base, after=raw(of(name, first_number(number))))
for number in ODD_NUMBERS:
    kind(f"unique: a value {number}", "unique", after=raw(edited("model.txt", "v -1 ", f"v {number} ")))

HEADERS = ["p cnf 125 327", "p cnf 123 327", "p cnf 124 328", "p cnf 124 326", "p cnf 0124 327", "p cnf 124 0327", "p cnf 124 -0"]
HEADERS += ["p cnf 0 0", "p cnf 4294967420 327", "p cnf 124 4294967623", "p  cnf 124 327", "P CNF 124 327", "p wcnf 124 327"]
HEADERS += ["p cnf 124 327 1", "p cnf 124", "p cnf 124 327\nc p cnf 1 0", "c p cnf 124 327", "p cnf 124 327\np cnf 124 327"]
for header in HEADERS:
    change = edited("formula.cnf", "p cnf 124 327", header)
    kind(f"unique: the header {header!r}", "unique", after=raw(change))

WRONG = [("solutions", n) for n in (0, 1, 3, 5, 2147483647)] + [("orbits", n) for n in (0, 2, 3, 4)]
for name, number in WRONG:

    def count_of(folder: Path, name: str = name, number: int = number) -> None:
        count = replace(manifest_of(folder)[1], **{name: number})
        stated("all-models", count)(folder)
        claim(**{name: number})(folder)

    kind(f"count: {number} {name}", "count", count_of)
for number in (5, 4.0, "4", -4, True, [4], {"4": 4}, 2**63, 10**400):
    shown = str(number)[:20]
    kind(
        f"count: the claim has solutions {shown} ({type(number).__name__})", "count", claim(solutions=number), beyond=FORMULA_ONLY
    )
kind("count: the claim has no solutions", "count", claim(solutions=None), beyond=FORMULA_ONLY)
kind(
    "count: the other blocking clauses",
    "count",
    lambda folder: stated("all-models", replace(manifest_of(folder)[1], short=False))(folder),
)
for old, new in [
    ("solutions", "solutions 0"),
    ("solutions", "solutions -"),
    ("solutions", "solutions 2147483648\nsolutions "),
    ("orbits", "orbits +"),
    ("short 1", "short 2"),
    ("short 1", "short 01"),
    ("short 1", "short"),
    ("format 2", "format 02"),
    ("format 2", "format 2.0"),
    ("format 2", "format 1"),
    ("format 2", "format 3"),
    ("format 2", "format 0"),
    ("format 2", "format 99999999999"),
    ("format 2", "format -2"),
    ("format 2", "format 2\nformat 3"),
    ("format 2", "Format 2"),
    ("format 2\n", ""),
    ("format 2", "format 2\r"),
    ("statement all-models", "statement all-models no-model"),
    ("statement all-models", "statement no-model\nstatement all-models"),
    ("statement all-models", "statement ALL-MODELS"),
    ("statement all-models", "statement"),
    ("statement all-models\n", ""),
    ("statement all-models", "statement all-models "),
    ("statement all-models", "statement all-models\0"),
    ("file ", "file 0"),
    ("file ", "file -"),
    ("file ", "file 9"),
    ("file ", "file 1 x\nfile "),
    ("file ", "file  "),
    ("file ", "FILE "),
    (" cubes.txt", " ./cubes.txt"),
    (" cubes.txt", " cubes.txt\nfile 2 ../cubes.txt"),
    (" cubes.txt", " /etc/passwd"),
]:
    kind(
        f"count: manifest.txt has {new!r} for {old!r}",
        "count",
        after=manifest(lambda text, old=old, new=new: text.replace(old, new, 1)),
    )
for how, change in BYTES.items():
    kind(f"count: manifest.txt {how}", "count", after=manifest(lambda text, change=change: change(text.encode()).decode()))
    same = "the same checksums" if how == "has its lines in reverse" else ""
    kind(f"unique: SHA256SUMS {how}", "unique", after=of(SUMS, change), true=same)

# -- kinds: formulas alone ------------------------------------------------------------------------------------------------------

REFUTES = {
    "no step": "",
    "the empty clause": "0\n",
    "both units": "1 0\n-1 0\n0\n",
    "a deletion": "d 1 0\n0\n",
    "a new variable": "2 0\n-2 0\n0\n",
    "a large number": "-4294967297 0\n0\n",
    "a comment": "c s VERIFIED\n0\n",
    "an unended step": "0",
    "a binary step": "a\x02\x00a\x00",
}
for how, proof in REFUTES.items():
    kind(f"a satisfiable formula is refuted by {how}", "models", formula("no-model", "p cnf 1 1\n1 0\n", proof_drat=proof))
SQUARES = "p cnf 2 4\n1 2 0\n1 -2 0\n-1 2 0\n-1 -2 0\n"
HINTED = {
    "no step": "",
    "no hints": "2 0 0\n",
    "its only clause": "2 0 1 0\n",
    "a wrong unit": "2 -1 0 0\n3 0 1 2 0\n",
    "its number": "1 0 1 0\n",
    "a wrong RAT step": "2 -1 0 1 -1 0\n3 0 1 2 0\n",
    "a negative hint": "2 0 -1 0\n",
    "an unknown clause": "2 0 9 0\n",
    "a deletion": "1 d 1 0\n2 0 0\n",
    "a large hint": "2 0 4294967297 0\n",
    "a large number": "4294967298 -1 0 0\n3 0 1 2 0\n",
    "a verdict": "c VERIFIED\n",
}
for how, proof in HINTED.items():
    files = {"proof_drat": "1 0\n0\n", "proof_lrat": proof}
    kind(f"an LRAT proof by {how}", "models", formula("no-model", SQUARES, **files))
    kind(
        f"a cube refuted by {how}",
        "models",
        formula(
            "all-models", "p cnf 2 1\n1 2 0\n", ListNumbers(1, 1, False), solutions_txt="1\n", cubes_txt="0\n", proof_1=proof
        ),
    )
SATISFIABLE = {
    "a literal beyond 2^32": "p cnf 1 2\n1 0\n-4294967297 0\n",
    "a literal beyond 2^32 that is announced": "p cnf 4294967297 2\n1 0\n-4294967297 0\n",
    "a literal beyond 2^31": "p cnf 2147483649 2\n1 0\n2147483649 0\n",
    "a literal beyond 2^64": "p cnf 1 2\n1 0\n-18446744073709551617 0\n",
    "a clause on two lines": "p cnf 2 2\n1\n0\n-1 2 0\n",
    "a clause that is not ended": "p cnf 1 2\n1 0\n-1\n",
    "a clause in a comment": "p cnf 1 1\n1 0\nc\n-1 0\n",
    "a clause behind a 0": "p cnf 1 1\n1 0 -1 0\n",
    "a clause too many": "p cnf 1 1\n1 0\n-1 0\n",
    "an empty line": "p cnf 1 2\n1 0\n\n-1 2 0\n",
    "a tab": "p cnf 2 2\n1 0\n-1\t2 0\n",
    "a plus": "p cnf 1 2\n1 0\n+1 0\n",
    "a minus zero": "p cnf 1 2\n1 0\n-0\n",
    "an octal number": "p cnf 9 2\n9 0\n-011 0\n",
    "no variable": "p cnf 0 0\n",
    "no header": "1 0\n1 0\n",
    "a weighted clause": "p wcnf 1 2 9\n9 1 0\n1 -1 0\n",
    "a percent sign": "p cnf 1 1\n1 0\n%\n0\n",
}
for how, cnf in SATISFIABLE.items():
    kind(f"no model of a formula with {how}", "models", formula("no-model", cnf, proof_drat="1 0\n0\n"))
ONE_OF_TWO = "p cnf 2 1\n1 2 0\n"
MODELS = {
    "two values": "s SATISFIABLE\nv 1 -1 2 0\n",
    "a value missing": "s SATISFIABLE\nv 1 0\n",
    "no zero": "s SATISFIABLE\nv 1 -2\n",
    "another order": "s SATISFIABLE\nv -2 1 0\n",
    "another answer": "s UNSATISFIABLE\nv 1 -2 0\n",
    "two answers": "s SATISFIABLE\nv 1 -2 0\ns SATISFIABLE\nv -1 2 0\n",
    "a variable too many": "s SATISFIABLE\nv 1 -2 3 0\n",
    "no model": "s SATISFIABLE\nv -1 -2 0\n",
    "no value": "s SATISFIABLE\nv 0\n",
    "a value behind the zero": "s SATISFIABLE\nv 1 -2 0\nv 2 0\n",
    "a comment": "c x\ns SATISFIABLE\nv 1 -2 0\n",
    "no answer": "v 1 -2 0\n",
    "a large number": "s SATISFIABLE\nv 4294967297 -2 0\n",
    "no end": "s SATISFIABLE\nv 1 -2 0",
}
for how, model in MODELS.items():
    kind(f"a model with {how}", "models", formula("model", ONE_OF_TWO, model_txt=model))
MODEL = "s SATISFIABLE\nv 1 -2 0\n"
for how, other in {
    "equal models": MODEL,
    "a model of two values": MODELS["two values"],
    "no second model": "s SATISFIABLE\nv -1 -2 0\n",
}.items():
    kind(f"two models: {how}", "models", all_of(formula("two-models", ONE_OF_TWO, model_txt=MODEL), put("model-2.txt", other)))
kind(
    "two models that differ elsewhere",
    "models",
    all_of(formula("two-models", "p cnf 2 1\n1 0\n", model_txt=MODEL), put("model-2.txt", "s SATISFIABLE\nv 1 2 0\n")),
)
for how, blocked, projection in [
    ("another clause", "p cnf 2 3\n1 2 0\n-1 0\n-2 0\n", "1\n2\n"),
    ("both literals", "p cnf 2 2\n1 2 0\n0\n", "1\n2\n"),
    ("a part of the clause", "p cnf 2 2\n1 2 0\n-1 0\n", "1\n2\n"),
    ("the formula as it is", ONE_OF_TWO, "1\n2\n"),
    ("less of the projection", "p cnf 2 2\n1 2 0\n-1 0\n", "1\n"),
    ("a projection that has a variable twice", "p cnf 2 2\n1 2 0\n-1 -1 0\n", "1\n1\n"),
    ("a projection beyond the formula", "p cnf 2 2\n1 2 0\n-1 3 0\n", "1\n3\n"),
    ("a projection of literals", "p cnf 2 2\n1 2 0\n-1 2 0\n", "1\n-2\n"),
]:
    kind(
        f"the only model, blocked by {how}",
        "models",
        all_of(
            formula("only-model", ONE_OF_TWO, model_txt=MODEL, blocked_cnf=blocked, projection_txt=projection, proof_drat="0\n")
        ),
    )

# -- kinds: lists ---------------------------------------------------------------------------------------------------------------


def listed(cnf: str, solutions: int, **files: str) -> Change:
    """A list of all models without cubes, unless `files` has them."""
    return formula("all-models", cnf, ListNumbers(solutions, solutions, False), **{"cubes_txt": "0\n", **files})


SWAPPED = {
    "solutions_txt": "1 2\n",
    "cubes_txt": "1 0\n",
    "covering_txt": "1 0\n2 0\n",
    "cover_drat": "0\n",
    "proof_1": "4 0 2 3 0\n",
}
kind("a symmetry that moves the projection", "models", listed(ONE_OF_TWO, 1, symmetries_txt="2 1\n", **SWAPPED))
for how, symmetries in {
    "no permutation": "1 1\n",
    "a longer permutation": "2 1 3\n",
    "a shorter permutation": "1\n",
    "negated variables": "-1 -2\n",
    "an empty line": "\n",
    "nothing": "",
    "an unended line": "2 1",
    "a permutation beyond": "1 4294967298\n",
    "zero": "0 1\n",
}.items():
    kind(f"a list with {how} as symmetries", "models", listed(ONE_OF_TWO, 1, symmetries_txt=symmetries, **SWAPPED))
kind(
    "a permutation that is no symmetry",
    "models",
    listed("p cnf 2 2\n1 2 0\n-2 1 0\n", 1, symmetries_txt="2 1\n", **{**SWAPPED, "projection_txt": "1\n2\n"}),
)
LISTS: dict[str, dict[str, str]] = {
    "a solution too few": {"solutions_txt": "1\n2\n"},
    "a solution twice": {"solutions_txt": "1\n2\n1\n"},
    "a solution that is no model": {"solutions_txt": "1\n2\n\n"},
    "a solution beyond the formula": {"solutions_txt": "1\n2\n3\n"},
    "a solution that descends": {"solutions_txt": "1\n2\n2 1\n"},
    "a negative solution": {"solutions_txt": "1\n2\n1 -2\n"},
    "a solution that is not ended": {"solutions_txt": "1\n2\n1 2"},
    "a large number in a solution": {"solutions_txt": "1\n2\n1 4294967298\n"},
    "no cube": {"cubes_txt": ""},
    "a cube that is not ended": {"cubes_txt": "1 0"},
    "a cube without cover": {"cubes_txt": "1 0\n"},
    "a cube that contradicts itself": {"cubes_txt": "1 -1 0\n"},
    "two cubes without cover": {"cubes_txt": "1 0\n-1 0\n"},
    "a cover of other cubes": {"cubes_txt": "1 0\n", "covering_txt": "1 0\n-1 0\n", "cover_drat": "0\n"},
    "a cover of a cube too few": {"cubes_txt": "1 0\n-1 0\n", "covering_txt": "1 0\n", "cover_drat": "0\n"},
    "a cover of nothing": {"cubes_txt": "1 0\n", "covering_txt": "", "cover_drat": "0\n"},
    "a cover that is not ended": {"cubes_txt": "1 0\n", "covering_txt": "1 0\n-1 0", "cover_drat": "0\n"},
    "a cover by an empty cube": {"cubes_txt": "1 0\n", "covering_txt": "0\n", "cover_drat": "0\n"},
    "a cover without covering.txt": {"cubes_txt": "1 0\n", "cover_drat": "0\n"},
    "a cover without a proof": {"cubes_txt": "1 0\n", "covering_txt": "1 0\n"},
    "a cover by variables beyond": {"cubes_txt": "3 0\n-3 0\n", "covering_txt": "3 0\n-3 0\n", "cover_drat": "0\n"},
    "a cube that descends": {"cubes_txt": "2 1 0\n"},
    "a larger projection": {"projection_txt": "1\n2\n3\n"},
}
for how, files in LISTS.items():
    given = {"solutions_txt": "1\n2\n", "cubes_txt": "0\n", "projection_txt": "1\n2\n", "proof_1": "4 0 1 2 3 0\n", **files}
    kind(f"a list with {how}", "models", listed(ONE_OF_TWO, max(2, given["solutions_txt"].count("\n")), **given))
    kind(
        f"a list with {how}, and all that is short", "models", formula("all-models", ONE_OF_TWO, ListNumbers(2, 2, True), **given)
    )
kind("shown: the projection is all variables", "shown", put("projection.txt", "1\n2\n3\n4\n"))
kind("shown: the projection is smaller", "shown", put("projection.txt", "1\n"))
kind("shown: the projection is other variables", "shown", put("projection.txt", "3\n4\n"))
kind("shown: the projection is empty", "shown", put("projection.txt", ""))
kind("models: the projection is smaller", "models", put("projection.txt", "1\n2\n"))
kind(
    "models: a solution is left out",
    "models",
    all_of(
        lines_of("solutions.txt", lambda lines: lines[1:]),
        claim(solutions=8, orbits=8),
        stated("all-models", ListNumbers(8, 8, False)),
    ),
)
SUBGROUPS = {
    "a subgroup": lambda lines: lines[:1],
    "another subgroup": lambda lines: lines[1:],
    "no symmetry": lambda lines: [],
    "the identity": lambda lines: [" ".join(map(str, range(1, 16))) + "\n"],
    "a symmetry twice": lambda lines: lines[:1] * 2,
    "a shifted symmetry": lambda lines: [" ".join([*lines[0].split()[1:], lines[0].split()[0]]) + "\n", lines[1]],
    "swapped variables": lambda lines: [*lines, "2 1 " + " ".join(map(str, range(3, 16))) + "\n"],
}
for how, symmetries in SUBGROUPS.items():
    for orbits in (1, 2, 4):
        change = all_of(
            lines_of("symmetries.txt", symmetries), claim(orbits=orbits), stated("all-models", ListNumbers(4, orbits, True))
        )
        fits = lines_of(
            "boards.jsonl",
            lambda lines, n=orbits: [line.replace('"orbit": 4', f'"orbit": {4 // n}') for line in lines * n + [""]][:n],
        )
        kind(
            f"count: {how} as the symmetries, {orbits} orbits",
            "count",
            all_of(change, fits) if orbits > 1 else change,
            beyond="which symmetries a board and its pieces have; the statement is on orbits under those of symmetries.txt",
        )
for convention in (
    "",
    "up to the 8 symmetries of board and pieces",
    "up to anything",
    "up to the 4 symmetries of board and pieces\n",
    4,
):
    kind(f"count: the convention {convention!r}", "count", claim(convention=convention), beyond=FORMULA_ONLY)
kind("pairs: a convention", "pairs", claim(convention="up to the 2 symmetries"), beyond=FORMULA_ONLY)
for how, change in {
    "another orbit": edited("boards.jsonl", '"orbit": 4', '"orbit": 1'),
    "another board": edited("boards.jsonl", "[0, 0]", "[1, 0]"),
    "a board twice": lines_of("boards.jsonl", lambda lines: lines * 2),
    "no board": put("boards.jsonl", ""),
    "an orbit that is huge": edited("boards.jsonl", '"orbit": 4', f'"orbit": {10**30}'),
}.items():
    kind(f"count: boards.jsonl has {how}", "count", change, beyond=UNREAD["boards.jsonl"])

# -- kinds: puzzles -------------------------------------------------------------------------------------------------------------

OTHER_FORMULA = "that the formula is not that of the puzzle"
PINNED = ["1 0", "-2 0", "-3 0", "4 0"]
"""One of the two solutions of `two.nin`."""
ORIGINS: dict[str, Any] = {
    "as it was": ...,
    "empty": {},
    "no list": [],
    "a text": "puzzle.nin",
    "null": None,
    "a file": {"file": "puzzle.nin"},
    "a file and a generator": {"file": "puzzle.nin", "generator": "blobs", "seed": 7},
    "a file without options": {"file": "puzzle.nin", "suffix": ".nin"},
    "a file without a suffix": {"file": "puzzle.nin", "options": {}},
    "a suffix that is a number": {"file": "puzzle.nin", "suffix": 1, "options": {}},
    "a suffix that is null": {"file": "puzzle.nin", "suffix": None, "options": {}},
    "a file that is a list": {"file": ["puzzle.nin"], "suffix": ".nin", "options": {}},
    "a file that is null": {"file": None, "suffix": ".nin", "options": {}},
    "options that are a list": {"file": "puzzle.nin", "suffix": ".nin", "options": []},
    "options that are null": {"file": "puzzle.nin", "suffix": ".nin", "options": None},
    "unknown options": {"file": "puzzle.nin", "suffix": ".nin", "options": {"x": 1}},
    "a member more": {"file": "puzzle.nin", "suffix": ".nin", "options": {}, "note": "# Verified"},
    "another case": {"File": "puzzle.nin", "Suffix": ".nin", "Options": {}},
    "the formula": {"file": "formula.cnf", "suffix": ".nin", "options": {}},
    "a file elsewhere": {"file": "../two.nin", "suffix": ".nin", "options": {}},
    "a device": {"file": "/dev/zero", "suffix": ".nin", "options": {}},
    "a generator": {"generator": "blobs"},
    "a generator without a seed": {"generator": "blobs", "options": {}},
    "a seed that is a text": {"generator": "blobs", "seed": "7", "options": {}},
    "a seed that is true": {"generator": "blobs", "seed": True, "options": {}},
    "an unknown generator": {"generator": "x", "seed": 7, "options": {}},
    "a generator with huge options": {"generator": "blobs", "seed": 7, "options": {"size": "99999999x99999999"}},
    "no options": {"options": {}},
    "options of nothing": {"options": {"x": 1}},
    "a generator and options": {
        "generator": "blobs",
        "seed": 7,
        "options": {"size": "2x2"},
        "file": "puzzle.nin",
        "suffix": ".nin",
    },
    "nested": {"options": {"options": {"options": {}}}},
    "markdown": {"options": {"size": "2x2\n\n# This puzzle has no solution"}},
}


def one_of_two(folder: Path) -> None:
    """`two.nin` has exactly one solution: its formula has units that leave out the other."""
    of("formula.cnf", clauses(*PINNED))(folder)
    blocking = " ".join(word for unit in PINNED for word in [str(-int(unit.split()[0]))])
    put("blocked.cnf", clauses(f"{blocking} 0")((folder / "formula.cnf").read_bytes()))(folder)
    text = (folder / "model.txt").read_text()
    if "v 1 " not in text:
        for name in ("model", "board"):
            for end in ("txt", "json") if name == "board" else ("txt",):
                shutil.copy(folder / f"{name}-2.{end}", folder / f"{name}.{end}")
        put("solution.txt", "#.\n.#\n")(folder)
    gone("model-2.txt", "board-2.txt", "board-2.json")(folder)
    put("proof.drat", "0\n")(folder)
    belongs(folder)
    claim(code="unique")(folder)
    stated("only-model")(folder)


def refuted_by_units(folder: Path) -> None:
    """A puzzle that has a solution has none: two clauses more."""
    of("formula.cnf", clauses("1 0", "-1 0"))(folder)
    gone("model.txt", "board.txt", "board.json", "rules.awk", "solution.txt")(folder)
    put("proof.drat", "0\n")(folder)
    belongs(folder)
    claim(code="none")(folder)
    stated("no-model")(folder)


def another_puzzle(folder: Path) -> None:
    """The refutation of a puzzle is said of one that has a solution."""
    for name in ("puzzle.json", "map.json"):
        entry = json.loads((folder / name).read_text())
        (entry if name == "puzzle.json" else entry["puzzle"]).update(rows=[[1, 1], [], [1, 1]], columns=[[1, 1], [], [1, 1]])
        (folder / "puzzle.json").write_bytes(canonical(entry)) if name == "puzzle.json" else (folder / name).write_text(
            json.dumps(entry, separators=(",", ":")) + "\n"
        )


for how, origin in ORIGINS.items():
    whence = (lambda folder: None) if origin is ... else details(origin=origin)
    for what, base, change in [
        ("one solution of two", "several", one_of_two),
        ("none", "solution", refuted_by_units),
        ("another puzzle", "none", another_puzzle),
    ]:
        without_file = all_of(change, whence) if "puzzle.nin" in str(origin) else all_of(change, whence, gone("puzzle.nin"))
        kind(f"{what}: the origin is {how}", base, without_file if origin is not ... else change, beyond=OTHER_FORMULA)
kind(
    "one of two: a list",
    "pairs",
    all_of(
        of("formula.cnf", clauses(*PINNED)),
        put("solutions.txt", "1 4 5 7\n"),
        belongs,
        claim(solutions=1, orbits=1),
        lines_of("boards.jsonl", lambda lines: lines[:1]),
        stated("all-models", ListNumbers(1, 1, False)),
        put("proofs/00001.lrat", "22 0 17 18 19 20 21 0\n"),
    ),
    beyond=OTHER_FORMULA,
)
for base in ("solution", "unique", "triddler", "coloured", "tiling", "maze", "path"):
    kind(
        f"{base}: the formula has no clause",
        base,
        all_of(of("formula.cnf", clauses(drop=lambda line: True)), belongs) if base != "path" else put("board.json", "{}\n"),
        beyond=OTHER_FORMULA,
    )
    kind(
        f"{base}: the formula has one clause more",
        base,
        all_of(of("formula.cnf", lambda data: clauses(data.decode().splitlines()[-1])(data)), belongs)
        if base != "path"
        else put("board.json", '"N"\n'),
        beyond=OTHER_FORMULA,
    )
MAPS: dict[str, Callable[[dict[str, Any]], object]] = {
    "another encoding": lambda entry: entry.update(encoding="direct"),
    "an unknown encoding": lambda entry: entry.update(encoding="x\n# Verified"),
    "other options": lambda entry: entry.update(options={"x": 1}),
    "options that are a list": lambda entry: entry.update(options=[]),
    "another family": lambda entry: entry.update(family="maze"),
    "a smaller projection": lambda entry: entry.update(projection=[[1, 1]]),
    "no projection": lambda entry: entry.update(projection=[]),
    "a projection beyond": lambda entry: entry.update(projection=[[1, 10**9]]),
    "a larger projection": lambda entry: entry.update(projection=[[1, entry["formula"]["variables"]]]),
    "a projection in other order": lambda entry: entry.update(projection=[[2, 1], [1, 1]]),
    "no block": lambda entry: entry.update(blocks=[]),
    "blocks in other order": lambda entry: entry["blocks"].reverse(),
    "a block of another name": lambda entry: entry["blocks"][0].update(name="x\x1b[2J"),
    "a shifted block": lambda entry: entry["blocks"][0].update(first=2),
    "a huge block": lambda entry: entry["blocks"][0].update(count=10**12),
    "another version": lambda entry: entry.update(version=99),
    "a version that is a text": lambda entry: entry.update(version="1"),
    "another schema": lambda entry: entry.update(schema="x"),
    "solutions left out": lambda entry: entry.update(up_to="up to the 8 symmetries"),
    "another formula": lambda entry: entry["formula"].update(sha256="0" * 64),
    "another number of variables": lambda entry: entry["formula"].update(variables=7),
    "a huge number of variables": lambda entry: entry["formula"].update(variables=10**30),
    "a renaming": lambda entry: entry.update(version=2, renaming={"seed": 1}),
    "a member more": lambda entry: entry.update(note="x"),
    "no puzzle": lambda entry: entry.update(puzzle={}),
}
for base in ("unique", "none", "count"):
    for how, change in MAPS.items():
        if base == "count" and how in ("blocks in other order", "a larger projection"):
            continue  # it has one block
        kind(f"{base}: a map with {how}", base, of_map(change), beyond=UNREAD["map.json"])
PIECES: dict[str, Any] = {
    "none": [],
    "all": None,
    "one": [0],
    "one too few": ...,
    "true": [True],
    "a negative one": [-1],
    "a huge one": [10**12],
    "a text": "all",
    "a fraction": [0.5],
    "an object": {},
    "a list in a list": [[0]],
}
for how, pieces in PIECES.items():
    change = (
        details(pieces=pieces)
        if pieces is not ...
        else in_certificate(lambda old: replace(old, details={**old.details, "pieces": old.details["pieces"][1:]}))
    )
    kind(f"maze: the pieces are {how}", "maze", change, beyond=FORMULA_ONLY)
    if pieces is not ... and pieces is not None:
        kind(f"unique: the pieces are {how}", "unique", change, beyond=FORMULA_ONLY)
COMPARED: dict[str, Any] = {
    "a number": 1,
    "a text": "every puzzle",
    "more puzzles": {"puzzles": 10**12, "solutions": 1, "left_out": False, "version": "0" * 12},
    "prose": {"puzzles": 1, "solutions": 1, "left_out": False, "version": "0" * 12 + "\n# Verified"},
    "a part": {"puzzles": 1},
    "an empty object": {},
    "a list": [],
    "a text as a number": {"puzzles": "all", "solutions": 1, "left_out": False, "version": "0" * 12},
    "a truth as a number": {"puzzles": True, "solutions": 1, "left_out": 0, "version": "0" * 12},
    "true": True,
    "negative numbers": {"puzzles": -1, "solutions": -1, "left_out": False, "version": "0" * 12},
}
for base in ("unique", "maze"):
    for how, told in COMPARED.items():
        kind(f"{base}: the comparison is {how}", base, details(compared=told), beyond=FORMULA_ONLY)
for how, change in {
    "another file": edited("puzzle.nin", "5 10\n2\n", "5 10\n3\n"),
    "a file of another size": edited("puzzle.nin", "5 10", "10 5"),
    "a file with another puzzle": put("puzzle.nin", SWITCH),
    "a file with two puzzles": of("puzzle.nin", lambda data: data + data),
    "another puzzle": edited("puzzle.json", "[2]", "[3]"),
    "a puzzle with more": edited("puzzle.json", '"rows"', '"more": 1, "rows"'),
    "a puzzle with colours": edited("puzzle.json", '"rows"', '"colours": [], "rows"'),
    "a transposed puzzle": edited("puzzle.json", '"rows"', '"columns"'),
    "another board": edited("board.json", "#", "."),
    "another drawing": edited("board.txt", "#", "."),
    "a drawing with words": of("board.txt", lambda data: data + b"This puzzle has no solution\n"),
    "a wider board": edited("board.json", "5", "6"),
    "a board with more": edited("board.json", '"width"', '"more": 1, "width"'),
}.items():
    kind(f"unique: {how}", "unique", change, beyond=OTHER_FORMULA)
for how, change in {
    "a step less": edited("board.json", '"E', '"'),
    "another step": edited("board.json", "E", "N"),
    "a list": of("board.json", lambda data: b"[" + data.strip() + b"]\n"),
    "no step": put("board.json", '""\n'),
    "an unknown step": edited("board.json", "E", "X"),
    "small letters": of("board.json", lambda data: data.lower()),
}.items():
    kind(f"path: a board with {how}", "path", change, beyond=UNREAD["board.json"])

# -- kinds: files of other certificates -----------------------------------------------------------------------------------------

DONORS = [
    (
        "unique",
        "triddler",
        "formula.cnf blocked.cnf model.txt projection.txt proof.drat proof.lrat map.json board.json solution.txt rules.awk",
    ),
    ("none", "maze", "formula.cnf projection.txt proof.drat proof.lrat map.json puzzle.json"),
    ("count", "pairs", "formula.cnf projection.txt solutions.txt cubes.txt proofs/00001.lrat map.json puzzle.json boards.jsonl"),
    ("models", "shown", "formula.cnf projection.txt solutions.txt"),
    (
        "several",
        "solution",
        "formula.cnf model.txt projection.txt map.json puzzle.json puzzle.nin board.json rules.awk solution.txt",
    ),
]
for base, donor, names in DONORS:
    for name in names.split():

        def taken(folder: Path, name: str = name) -> None:
            shutil.copy(folder.with_name("donor") / name, folder / name)

        kind(f"{base}: {name} of {donor}", base, taken, donor=donor, beyond=UNREAD.get(name, ""))

# -- kinds: words ---------------------------------------------------------------------------------------------------------------

PROSE = {
    "a heading": "x\n# This puzzle has no solution",
    "a line": "x\nVerified. This puzzle has no solution",
    "an escape sequence": "x\x1b[2J\x1b[H",
    "a carriage return": "x\rVerified",
    "a link": "[x](https://example.org)",
    "code": "`x`",
    "emphasis": "**all is well**",
    "a tag": "<script>",
    "a bidirectional override": "\u202ex",
    "a line separator": "x\u2028# y",
    "a tab": "x\ty",
    "nothing": "",
    "half a character": "\ud800",
    "NUL": "x\0",
}


def program(**members: Any) -> Callable[[bytes], bytes]:
    def change(data: bytes) -> bytes:
        entry = json.loads(data)
        entry["programs"][0].update(members)
        return data.replace(
            next(line for line in data.splitlines(keepends=True) if b'"programs"' in line),
            f' "programs": {json.dumps(entry["programs"])},\n'.encode(),
        )

    return change


WORDS_ONLY = "words, of which verify.sh has no statement"
for number, (how, text) in enumerate(PROSE.items()):
    for base in ("unique", "models")[number % 2 :][:1]:
        for member in ("name", "version", "sha256", "used_as"):
            if text or member in ("name", "used_as"):
                kind(
                    f"{base}: {member} of a program has {how}",
                    base,
                    of("certificate.json", program(**{member: text})),
                    beyond=WORDS_ONLY,
                    true="README shows it as code"
                    if how in ("a link", "emphasis", "a tag") and member in ("name", "version")
                    else "",
                )
        kind(
            f"{base}: the package has {how}",
            base,
            in_certificate(lambda old, text=text: replace(old, package=text)),
            beyond=WORDS_ONLY,
        )
        kind(
            f"{base}: a role has {how}",
            base,
            in_certificate(lambda old, text=text: replace(old, roles={**old.roles, "formula.cnf": text})),
            beyond=WORDS_ONLY,
        )
for how, members in {
    "a number": {"name": 1},
    "an object": {"version": {}},
    "a list": {"name": ["x"]},
    "more": {"note": "x"},
    "null": {"sha256": None},
}.items():
    kind(f"unique: a program has {how}", "unique", after=raw(of("certificate.json", program(**members))), beyond=WORDS_ONLY)
for how, text in PROSE.items():
    kind(f"unique: a detail more with {how}", "unique", details(note=text), beyond=WORDS_ONLY)
for how, change in {
    "says more": of("README.md", lambda data: data + b"\nThis puzzle has no solution.\n"),
    "has another heading": edited("README.md", "exactly one", "no"),
    "has an escape sequence": edited("README.md", "# ", "# \x1b[2J"),
    "has two headings": edited("README.md", "# ", "# This puzzle has no solution\n\n# "),
}.items():
    kind(f"unique: README.md {how}", "unique", after=raw(change), beyond=WORDS_ONLY)
    older = in_certificate(lambda old: replace(old, package="cnfgen-puzzles 0.9"))
    kind(
        f"unique: README.md of another version {how}",
        "unique",
        older,
        after=raw(change),
        beyond=WORDS_ONLY,
        true="the words of other versions are not compared, and it says that; what is told is made of the checked claim",
    )
for how, text in {
    "says VERIFIED": "#!/bin/sh\necho VERIFIED\n",
    "is empty": "",
    "is a link to the shell": "#!/bin/sh\nexec true\n",
}.items():
    kind(f"unique: another verify.sh {how}", "unique", after=raw(put("verify.sh", text)), beyond=UNREAD["verify.sh"])

# -- kinds: JSON ----------------------------------------------------------------------------------------------------------------

JSONS: dict[str, Callable[[bytes], bytes]] = {
    "a key twice": lambda data: data.replace(b"{", b'{"code": "x", "code": "unique", "family": "maze", "family": "nonogram",', 1),
    "NaN": lambda data: data.replace(b"{", b'{"x": NaN,', 1),
    "infinity": lambda data: data.replace(b"{", b'{"x": -Infinity,', 1),
    "a huge number": lambda data: data.replace(b"{", b'{"x": ' + b"9" * 5000 + b",", 1),
    "a huge exponent": lambda data: data.replace(b"{", b'{"x": 1e999999,', 1),
    "deep nesting": lambda data: data.replace(b"{", b'{"x": ' + b"[" * 100_000 + b"]" * 100_000 + b",", 1),
    "deep nesting that does not end": lambda data: b"[" * 100_000,
    "half a character": lambda data: data.replace(b"{", b'{"\\ud800": 1,', 1),
    "no UTF-8": lambda data: data.replace(b"{", b'{"\xff": 1,', 1),
    "UTF-16": lambda data: data.decode().encode("utf-16"),
    "a list around it": lambda data: b"[" + data.strip() + b"]\n",
    "more behind it": lambda data: data + b"{}\n",
    "a comment": lambda data: b"// verified\n" + data,
    "single quotes": lambda data: data.replace(b'"', b"'"),
    "null alone": lambda data: b"null\n",
    "a text alone": lambda data: b'"x"\n',
    "blanks": lambda data: data.replace(b": ", b" :  ", 1).replace(b'":', b'" : ', 1),
}
for name in ("certificate.json", "map.json", "puzzle.json", "board.json"):
    for how, change in JSONS.items():
        if of_json():
            kind(f"unique: {name} with {how}", "unique", after=raw(of(name, change)), beyond=UNREAD[name])
for how, change in JSONS.items():
    kind(f"count: boards.jsonl with {how}", "count", after=raw(of("boards.jsonl", change)), beyond=UNREAD["boards.jsonl"])

# -- kinds: programs for awk ----------------------------------------------------------------------------------------------------

AWK_IS_READ = "a reader reads the rules, as README.md says; verify-certificate compares them"
RULES = {
    "that take all": "{ next }\n",
    "that exit": "BEGIN { exit 0 }\n",
    "that are empty": "\n",
    "that call": 'BEGIN { system("true") }\n',
    "that write": '{ print "x" >"/dev/null" }\n',
    "that read": '{ getline x <"/etc/passwd" }\n',
    "that pipe": '{ print | "cat" }\n',
    "that read commands": '{ "date" | getline }\n',
    "that are none": "}{\n",
    "with a comment": "# This puzzle has no solution\n{ next }\n",
    "with escape sequences": 'BEGIN { print "\x1b[2J"; exit 1 }\n',
    "that print escapes": 'BEGIN { print "\\033[2J"; exit 1 }\n',
    "with NUL": "{ next }\0\n",
    "with a continued line": "{ sys\\\ntem(1) }\n",
    "with an include": '@include "x"\n',
    "with the environment": '{ print ENVIRON["HOME"] }\n',
    "with an indirect call": '{ f = "system"; @f("true") }\n',
    "with a load": '@load "filefuncs"\n',
    "with printf": '{ printf "x" > "/dev/stdout" }\n',
}
for base in ("solution", "path"):
    for how, text in RULES.items():
        kind(f"{base}: rules {how}", base, put("rules.awk", text), beyond=AWK_IS_READ)
for how, change in {
    "another solution": edited("solution.txt", "#", "."),
    "no solution": put("solution.txt", ""),
    "a solution with a byte": put("solution.txt", b"\xff\n"),
    "a solution with words": put("solution.txt", "VERIFIED\n"),
    "a larger solution": of("solution.txt", lambda data: data * 2),
}.items():
    kind(f"solution: {how} for awk", "solution", change)
kind(
    "unique: no rules",
    "unique",
    gone("rules.awk", "solution.txt"),
    true="one piece of evidence less, not needed for the statement",
)

# -- kinds: folders -------------------------------------------------------------------------------------------------------------


def as_link(name: str, target: str) -> Change:
    return lambda folder: ((folder / name).unlink(missing_ok=True), (folder / name).symlink_to(target))


def moved_out(name: str) -> Change:
    return lambda folder: ((folder / name).rename(folder.with_name("moved")), (folder / name).symlink_to("../moved"))


def listening(name: str) -> Change:
    def change(folder: Path) -> None:
        (folder / name).unlink()
        here = os.getcwd()
        os.chdir(folder)
        try:
            with socket.socket(socket.AF_UNIX) as end:
                end.bind(name)
        finally:
            os.chdir(here)

    return change


NODES: dict[str, Callable[[str], Change]] = {
    "a link outside": moved_out,
    "a link to nothing": lambda name: as_link(name, "nowhere"),
    "a link to itself": lambda name: as_link(name, name),
    "a link to a device": lambda name: as_link(name, "/dev/zero"),
    "a link to another file": lambda name: as_link(name, "formula.cnf" if name != "formula.cnf" else "blocked.cnf"),
    "a pipe": lambda name: lambda folder: ((folder / name).unlink(), os.mkfifo(folder / name)),
    "a folder": lambda name: lambda folder: ((folder / name).unlink(), (folder / name).mkdir()),
    "a socket": listening,
    "missing": lambda name: gone(name),
    "huge": lambda name: lambda folder: os.truncate(folder / name, 1 << 40),
    "in another case": lambda name: lambda folder: (folder / name).rename(folder / name.swapcase()),
}
for name in ("formula.cnf", "manifest.txt", "SHA256SUMS", "certificate.json", "README.md", "proof.drat", "model.txt", "map.json"):
    for how, node in NODES.items():
        if of_nodes():
            kind(f"unique: {name} is {how}", "unique", after=node(name))
kind(
    "unique: a hard link",
    "unique",
    after=lambda folder: os.link(folder / "formula.cnf", folder.with_name("linked")),
    true="the same content",
)
ODD_NAMES = [
    "more.txt",
    ".hidden",
    "below/more.txt",
    "formula.cnf~",
    "white space",
    "-rf",
    "new\nline",
    "tab\tname",
    "esc\x1b[2J",
    "é.txt",
    "a:b",
    "*",
    "proofs/x.lrat",
    "proofs/00001.lrat",
    "proofs/below/x",
    "formula.cnf\n",
    "puzzle.",
    "puzzle.../x",
    "model-3.txt",
    "solutions.txt",
    "'",
    "$(date)",
    "|",
]
for name in ODD_NAMES:

    def added(folder: Path, name: str = name) -> None:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text("1 0\n")

    kind(f"unique: a file {name!r} more", "unique", after=raw(added))
    kind(f"unique: a file {name!r} more that is not listed", "unique", after=added)
kind("unique: an empty folder more", "unique", after=lambda folder: (folder / "below").mkdir())
kind("unique: a folder proofs more", "unique", after=lambda folder: (folder / "proofs").mkdir(), true="it is empty")
kind("unique: a link more", "unique", after=lambda folder: (folder / "more").symlink_to("/"))
