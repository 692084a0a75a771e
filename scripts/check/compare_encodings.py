#!/usr/bin/env python3
"""Compare every encoding, with all its options, with independent solutions of small puzzles, and record the comparisons.

    python scripts/check/compare_encodings.py [FAMILY...] [-o FILE] [--check]

tests/exhaustive/ has the puzzles, naive code that solves them, and the list of comparisons. All families take about twenty
minutes on one core. The record is cnfgen_puzzles/families/compared.json, with the SHA-256 of every file of `families` and
`formula` whose code runs while formulas are written, or whose constants such a file imports (files below these only set limits).
The library ignores a record whose files have changed. `--check` compares nothing and lists the changed files (exit code 1).
Families that are not named keep their entries.
"""

from __future__ import annotations

import argparse
import ast
import json
import sys
import time
from importlib.metadata import version
from pathlib import Path
from typing import Any

REPOSITORY = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(REPOSITORY), str(REPOSITORY / "tests")]

from exhaustive.comparing import Range, Tally, cutter, tallies, variants  # noqa: E402  from tests/, which the lines above make known
from exhaustive.table import RECORDED, ranges_of  # noqa: E402

from cnfgen_puzzles.families import Family, find_family  # noqa: E402
from cnfgen_puzzles.families.compared import PACKAGE, RECORD, SCHEMA, checksum  # noqa: E402

ROOMS = ("families/", "formula/")


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("families", metavar="FAMILY", nargs="*", help=f"of {', '.join(RECORDED)}; by default all of these")
    parser.add_argument("-o", "--output", type=Path, default=RECORD, metavar="FILE")
    parser.add_argument("--check", action="store_true", help="only tell whether the record is of the code as it is")
    parser.add_argument("--part", action="store_true", help="only what `make test` compares; the record says so")
    given = parser.parse_args(arguments)
    record = json.loads(given.output.read_text()) if given.output.exists() else {"schema": SCHEMA, "families": {}}
    if given.check:
        return check(record)
    for name in given.families or RECORDED:
        record["families"][name] = entry_of(find_family(name), whole=not given.part)
        record["solver"] = f"minisat 2.2 of python-sat {version('python-sat')}"
        given.output.write_text(written(record))
    return 0


def check(record: dict[str, Any]) -> int:
    changed = [
        f"{name}: {file} has changed" for name, entry in record["families"].items() for file, told in entry["files"].items()
        if checksum(file) != told
    ]  # fmt: skip
    changed += [f"{name}: never compared" for name in RECORDED if name not in record["families"]]
    print("\n".join(changed) or "the record is of this code")
    return 1 if changed else 0


def entry_of(family: Family, whole: bool) -> dict[str, Any]:
    """Compare the encodings of a family; returns the entry of the record. AssertionError at the first difference."""
    ranges = ranges_of(family)
    files = files_of(family, ranges)
    found: dict[tuple[str, Any], list[tuple[int, Tally]]] = {}
    for number, one in enumerate(ranges):
        start = time.process_time()
        told = tallies(family, one, 1 if whole else one.step)
        for variant, tally in told.items():
            found.setdefault(variant, []).append((number, tally))
        first = next(iter(told.values()))
        print(f"{family.name}: {one.name}: {first.puzzles:,} puzzles, {first.solutions:,} solutions, {len(told)} variants, "
              f"{time.process_time() - start:.0f} s", flush=True)  # fmt: skip
    encodings: dict[str, list[Any]] = {}
    for (name, options), each in found.items():
        encodings.setdefault(name, []).append({
            "options": dict(options),
            "compared": [[number, tally.puzzles, tally.solutions] for number, tally in each],
            "one_model_each": all(tally.one_model_each for _, tally in each),
            "left_out": any(tally.left_out for _, tally in each),
        })  # fmt: skip
    return {"ranges": [("" if whole else "some of: ") + one.name for one in ranges], "encodings": encodings, "files": files}


def files_of(family: Family, ranges: list[Range]) -> dict[str, str]:
    """The files whose code runs while formulas are written, found by a profiler, and the files whose constants they import."""
    ran: set[str] = set()

    def seen(frame: Any, event: str, argument: Any) -> None:
        ran.add(frame.f_code.co_filename)

    for one in ranges:
        for case in one.some(one.step):
            for encoding in family.encodings.values():
                for options in variants(encoding):
                    sys.setprofile(seen)
                    try:
                        _ = cutter(family, case.puzzle, encoding, options) or encoding.build(case.puzzle, **options)
                    finally:
                        sys.setprofile(None)
    mine = {Path(file).relative_to(PACKAGE).as_posix() for file in ran if Path(file).is_relative_to(PACKAGE)}
    new = set(mine)
    while new := {file for known in new for file in constants_of(known)} - mine:
        mine |= new
    return {file: checksum(file) or "" for file in sorted(mine) if file.startswith(ROOMS)}


def constants_of(file: str) -> set[str]:
    """The files of the package from which this file imports names in capitals."""
    found = set()
    for node in ast.walk(ast.parse((PACKAGE / file).read_text(encoding="utf-8"))):
        if (
            isinstance(node, ast.ImportFrom)
            and (node.module or "").startswith(PACKAGE.name)
            and any(a.name.isupper() for a in node.names)
        ):
            place = PACKAGE.parent / str(node.module).replace(".", "/")
            found.add(place.with_suffix(".py") if place.with_suffix(".py").exists() else place / "__init__.py")
    return {each.relative_to(PACKAGE).as_posix() for each in found}


def written(record: dict[str, Any]) -> str:
    """JSON with one line for each variant, so that differences are readable."""
    lines = []
    for name, entry in sorted(record["families"].items()):
        encodings = ",\n".join(
            f"   {json.dumps(encoding)}: [\n" + ",\n".join(f"    {json.dumps(each)}" for each in each_variant) + "\n   ]"
            for encoding, each_variant in entry["encodings"].items()
        )
        parts = [f'   "ranges": {json.dumps(entry["ranges"], indent=1)}', f'   "encodings": {{\n{encodings}\n   }}',
                 f'   "files": {json.dumps(entry["files"], indent=1)}']  # fmt: skip
        lines.append(f"  {json.dumps(name)}: {{\n" + ",\n".join(parts) + "\n  }")
    head = {key: value for key, value in record.items() if key != "families"}
    return json.dumps(head, indent=1)[:-2] + ',\n "families": {\n' + ",\n".join(lines) + "\n }\n}\n"


if __name__ == "__main__":
    sys.exit(main())
