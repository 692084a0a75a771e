"""Kinds of forgeries: damaged bytes, formulas, numbers, proofs, models, lists of solutions, symmetries."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from certificates import manifest_of
from forger import (
    SO,
    Change,
    all_of,
    claim,
    clauses,
    edited,
    formula,
    in_certificate,
    kind,
    lines_of,
    manifest,
    of,
    pretended,
    put,
    raw,
    stated,
    turns,
)

from cnfgen_puzzles.evidence.certificate import (
    SUMS,
    ListNumbers,
)
from cnfgen_puzzles.pipeline.certificates.claims import CLAIMS

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
    "verify.sh": "the script itself: a reader compares it, and verify-certificate does",
}
"""Files about which verify.sh makes no statement; verify-certificate compares them."""
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
        "boards.jsonl",
        "proofs/00001.lrat",
    ],
}


def still_so(name: str, how: str) -> str:
    """The reason why a file may have this change."""
    if name == "puzzle.nin" and how in ("has carriage returns", "begins with a byte order mark", "has no final newline"):
        return "the same puzzle"
    if how == "is there twice" and name.startswith(("proof", "cover", "cubes", "symmetries")):
        return "steps, cubes, or symmetries are there twice"
    if how == "has its lines in reverse" and name == "proof.drat":
        return "unit propagation refutes the formula without the lemmas"
    return (
        "the same cubes or symmetries" if how == "has its lines in reverse" and name in ("covering.txt", "symmetries.txt") else ""
    )


of_bytes, of_numbers, of_json, of_nodes = turns(3), turns(5), turns(2), turns(2)
for base, names in DAMAGED.items():
    for name in names:
        for how, change in BYTES.items():
            if of_bytes() and not (how == "has its lines in reverse" and name in ("map.json", "cover.drat")):  # of one line
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
    for code, statement in CLAIMS.items():
        if code not in so.split():
            numbers = {"solutions": 1, "orbits": 1, "convention": ""} if code == "count" else {}
            fresh = in_certificate(lambda old, code=code, numbers=numbers: replace(old, claim={"code": code, **numbers}))
            kind(f"{base}: {code} is claimed and stated", base, all_of(fresh, pretended(statement)))
            kind(f"{base}: {code} is claimed", base, fresh, beyond=FORMULA_ONLY)
            kind(f"{base}: {statement} is stated", base, pretended(statement)) if code != "argument" else None
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
HEADERS += ["c made by gen cnf 1 2 1 0 -1 0\np cnf 124 327"]
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
    ("format 3", "format 02"),
    ("format 3", "format 3.0"),
    ("format 3", "format 1"),
    ("format 3", "format 4"),
    ("format 3", "format 0"),
    ("format 3", "format 99999999999"),
    ("format 3", "format -2"),
    ("format 3", "format 3\nformat 4"),
    ("format 3", "Format 2"),
    ("format 3\n", ""),
    ("format 3", "format 3\r"),
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
    (" cubes.txt", " cubes.txt\nfile 7 model-2.txt"),
]:
    kind(
        f"count: manifest.txt has {new!r} for {old!r}",
        "count",
        after=manifest(lambda text, old=old, new=new: text.replace(old, new, 1)),
    )
kind("unique: manifest.txt has the numbers of a list", "unique", after=manifest(lambda text: text + "solutions 1\n"))
kind("unique: manifest.txt has a file twice", "unique", after=manifest(lambda text: text + text.splitlines()[-1] + "\n"))
kind("unique: manifest.txt has a file less", "unique", after=manifest(lambda text: text.rpartition("file ")[0]))
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
    """A list of all models without cubes, unless `files` contains them."""
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


# -- kinds: several files -------------------------------------------------------------------------------------------------------


def first_clause_removed(name: str) -> Change:
    return of(name, lambda data: clauses(drop=lambda line: line == data.decode().splitlines()[1])(data))


def exchanged(folder: Path) -> None:
    one, other = (folder / name for name in ("formula.cnf", "blocked.cnf"))
    data = one.read_bytes()
    one.write_bytes(other.read_bytes())
    other.write_bytes(data)


kind(
    "unique: both formulas without their first clause",
    "unique",
    all_of(*map(first_clause_removed, ("formula.cnf", "blocked.cnf"))),
)
kind("unique: the formulas in each other's place", "unique", after=raw(exchanged))
kind("count: a solution is listed twice", "count", lines_of("solutions.txt", lambda lines: sorted([*lines, lines[0]])))
kind("count: a cube is left out", "count", lines_of("cubes.txt", lambda lines: lines[:-1]))
