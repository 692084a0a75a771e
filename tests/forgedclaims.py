"""Kinds of forgeries: puzzles, origins, maps, files of other certificates, words, JSON, awk programs, odd files."""

from __future__ import annotations

import json
import os
import shutil
import socket
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from conftest import SWITCH
from forgedevidence import FORMULA_ONLY, UNREAD, of_json, of_nodes
from forger import (
    Change,
    all_of,
    belongs,
    claim,
    clauses,
    details,
    edited,
    gone,
    in_certificate,
    kind,
    lines_of,
    of,
    of_map,
    put,
    raw,
    stated,
)

from cnfgen_puzzles.evidence.certificate import (
    ListNumbers,
)
from cnfgen_puzzles.pipeline.certificates.certify import canonical

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


def without(members: Mapping[str, Any], name: str) -> dict[str, Any]:
    return {key: value for key, value in members.items() if key != name}


def one_of_two(folder: Path) -> None:
    """`two.nin` has exactly one solution: unit clauses in its formula exclude the other one."""
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
    """A puzzle that has a solution has none: two additional clauses."""
    of("formula.cnf", clauses("1 0", "-1 0"))(folder)
    gone("model.txt", "board.txt", "board.json", "rules.awk", "solution.txt")(folder)
    put("proof.drat", "0\n")(folder)
    belongs(folder)
    claim(code="none")(folder)
    stated("no-model")(folder)


def another_puzzle(folder: Path) -> None:
    """The refutation of a puzzle, stated for a puzzle that has a solution."""
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
for base in ("solution", "unique", "triddler", "colored", "tiling", "maze", "path"):
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
    "another puzzle": lambda entry: entry["puzzle"]["columns" if "columns" in entry["puzzle"] else "pieces"].reverse(),
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
for how, change in {
    "another file": edited("puzzle.nin", "5 10\n2\n", "5 10\n3\n"),
    "a file of another size": edited("puzzle.nin", "5 10", "10 5"),
    "a file with another puzzle": put("puzzle.nin", SWITCH),
    "a file with two puzzles": of("puzzle.nin", lambda data: data + data),
    "another puzzle": edited("puzzle.json", "[2]", "[3]"),
    "a puzzle that is none": edited("puzzle.json", "[2]", "[-2]"),
    "no puzzle": gone("puzzle.json"),
    "another family": details(family="tiling"),
    "an unknown claim": claim(code="all is well"),
    "nothing about its origin": in_certificate(lambda old: replace(old, details=without(old.details, "origin"))),
    "no proof": gone("proof.drat", "proof.lrat"),
    "a puzzle with more": edited("puzzle.json", '"rows"', '"more": 1, "rows"'),
    "a puzzle with colors": edited("puzzle.json", '"rows"', '"colors": [], "rows"'),
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

for base, how, change in [
    ("solution", "no encoder", gone("encode.awk")),
    ("path", "an encoder", put("encode.awk", "BEGIN { }\n")),
]:
    kind(f"{base}: {how} for awk", base, change, beyond=OTHER_FORMULA)

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
DONATED = {
    ("unique", "proof.drat"): "unit propagation refutes the formula without the lemmas",
    ("none", "proof.drat"): "unit propagation refutes the formula without the lemmas",
    ("models", "formula.cnf"): "the same formula",
    ("unique", "rules.awk"): "the same program for nonograms and triddlers",
    ("several", "rules.awk"): "the same program",
}
for base, donor, names in DONORS:
    for name in names.split():

        def taken(folder: Path, name: str = name) -> None:
            shutil.copy(folder.with_name("donor") / name, folder / name)

        kind(
            f"{base}: {name} of {donor}",
            base,
            taken,
            donor=donor,
            beyond=UNREAD.get(name, ""),
            true=DONATED.get((base, name), ""),
        )

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
            f' "programs": {json.dumps(entry["programs"])}\n'.encode(),
        )

    return change


WORDS_ONLY = "words, of which verify.sh has no statement"
for how, text in PROSE.items():
    change = in_certificate(lambda old, text=text: replace(old, package=text))
    kind(f"unique: the package has {how}", "unique", change, beyond=WORDS_ONLY)
for how, new in {"another format": '"format": 3.0', "no format": '"formats": 3'}.items():
    change = edited("certificate.json", '"format": 3', new)
    kind(f"unique: certificate.json has {how}", "unique", after=raw(change), beyond=WORDS_ONLY)
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
HEADINGS = {
    "has an evasive heading": "exactly 5 solutions up to all symmetries, 7 in all really, 11 in all",
    "has a heading with a title": 'a solution: 5x10 nonogram "x" is the only one (proof checked by cake_lpr). See also "y"',
    "has a heading with a colon": "a solution: it is the only one, 2x2 nonogram",
    "has a projected heading": "exactly one solution, projected on 1 of the 2 variables",
    "has a heading with a convention": "exactly one solution up to everything that you think of",
}
for base, code in (
    ("count", "exactly 1 solution up to symmetry, 4 in all"),
    ("unique", "exactly one solution"),
    ("solution", "a solution"),
):
    for how, has in HEADINGS.items():
        kind(f"{base}: README.md {how}", base, after=raw(edited("README.md", code, has)))
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
CONTINUED = """BEGIN { if (projection) print 1 ? "p cnf 1 2\\n1 0\\n-1 0" :
"" > "formula.cnf" }
"""
"""gawk and busybox awk allow a line end after `:`, so a filter of lines does not see that it writes a file."""
RULES["that write on two lines"] = CONTINUED
for base in ("solution", "path"):
    for how, text in RULES.items():
        for name in ("rules.awk", "json.awk", "encode.awk") if base == "solution" else ("rules.awk",):
            kind(f"{base}: {name} {how}", base, put(name, text))
for base, name, other in [
    ("solution", "rules.awk", "encode.awk"),
    ("solution", "encode.awk", "rules.awk"),
    ("solution", "rules.awk", "json.awk"),
    ("unique", "json.awk", "rules.awk"),
]:
    kind(
        f"{base}: {other} in place of {name}",
        base,
        lambda folder, name=name, other=other: shutil.copy(folder / other, folder / name),
    )
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
    "model-2.txt",
    "model-3.txt",
    "cover.drat",
    "boards.jsonl",
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
