"""For tests of the checkers of certificates about mazes in scripts/check: their verdicts, and certificates that do not hold."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

REFUSED = "REFUSED: "


def verdict(check: Callable[..., str], folder: Path, content: dict[str, Any] | str, **options: Any) -> str:
    """What the checker says about a file with this content, or the error with which it refuses the file."""
    path = folder / "certificate.json"
    path.write_text(content if isinstance(content, str) else json.dumps(content))
    try:
        return check(path, **options)
    except (OSError, ValueError, LookupError, TypeError, AttributeError, EOFError) as error:
        return f"{REFUSED}{error}"


def accepted_forgeries(check: Callable[..., str], folder: Path, entry: dict[str, Any]) -> list[tuple[int, str]]:
    """The numbers and verdicts of forgeries that the checker accepts; the certificate itself must hold."""
    entry = json.loads(json.dumps(entry))
    assert not verdict(check, folder, entry).startswith(REFUSED)
    verdicts = [verdict(check, folder, changed) for changed in forgeries(entry)]
    return [(number, found) for number, found in enumerate(verdicts) if not found.startswith(REFUSED)]


def forgeries(entry: dict[str, Any]) -> Iterator[dict[str, Any] | str]:
    """Changed certificates that do not hold, if `entry` needs all of its mazes, levels, and cubes."""
    for name in entry:
        yield {other: value for other, value in entry.items() if other != name}
    for name, value in changes(entry):
        if value != entry.get(name):
            yield {**entry, name: value}
    text = json.dumps(entry)
    yield from (text[: len(text) // 2], text[:-2], "", "[]")


def changes(entry: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    """Other values of single fields."""
    mazes, tuples = entry["mazes"], entry["tuples"]
    yield from (("more", 1), ("certificate", "a universal maze string"), ("size", "4x4"), ("size", "2x3"))
    yield "kind", "thin" if entry["kind"] == "blocked" else "blocked"
    yield from (("mazes", changed) for changed in (mazes[:-1], mazes[1:]))
    yield "mazes", ["###/###/###", *mazes[1:]]
    yield from (("tuples", changed) for changed in ([[len(mazes)], *tuples], [[-1], *tuples]))
    if tuples:
        yield "tuples", []
    if "length" in entry:
        yield from (("length", entry["length"] + more) for more in (1, 2, -1))
    if "pattern" in entry:
        pattern = entry["pattern"]
        yield from (("pattern", changed) for changed in (pattern.lower(), pattern.replace("*", ""), "*" + pattern, pattern + "*"))
        yield from (("pattern", changed) for changed in (pattern.replace("*", "**", 1), "*" + pattern[1:], pattern[:-1] + "*"))
    if "levels" in entry:
        levels = entry["levels"]
        yield from (("levels", changed) for changed in ([*levels[:-1], levels[-1] + 1], levels[:-1], [*levels[:-2], 0], [0], []))
        yield from (("tuples", tuples[:-1]), ("mazes", mazes + mazes[:1]))
    if "cubes" in entry:
        yield from (("cubes", []), ("mazes", mazes[1:] + mazes[:1]))
        yield from (("cubes", changed) for changed in changed_cubes(entry["cubes"], len(mazes)))


def changed_cubes(cubes: list[dict[str, Any]], mazes: int) -> Iterator[list[dict[str, Any]]]:
    """The first cube with lemmas, or else the first one, with another value of one field."""
    first = next((cube for cube in cubes if cube.get("tuples")), cubes[0])
    prefix, chosen = first["prefix"], first["mazes"]
    changes = [{"prefix": prefix + "N"}, {"prefix": prefix[:-1] + "NS"[prefix[-1] == "N"]}, {"formula": "0" * 64}]
    changes += [{"mazes": changed} for changed in (chosen[1:], chosen[1:] + chosen[:1], [*chosen, mazes])]
    changes += [{"tuples": first["tuples"][1:]}] if first.get("tuples") else []
    for change in changes:
        yield [{**cube, **change} if cube is first else cube for cube in cubes]
