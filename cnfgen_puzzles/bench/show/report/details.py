"""Data of the report, from which its script makes the table of runs and the parts of instances.

Each run has a list (`COLUMNS`) and an object with its details, each instance has an object. The table of fields
(`bench/record.py`) determines the details; a fact that many runs share, such as a version, is stored once.
"""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Sequence
from pathlib import Path, PurePath
from typing import Any
from urllib.parse import quote

from cnfgen_puzzles.bench.analyse.scores import MARK
from cnfgen_puzzles.bench.record import (
    DISQUALIFIED,
    FIELDS,
    Instance,
    Record,
    evidence_of,
    facts,
    host_of,
    instance_of,
)
from cnfgen_puzzles.bench.run.formulacache import read_map
from cnfgen_puzzles.bench.show.plots import theme
from cnfgen_puzzles.bench.suite.plan import CNF
from cnfgen_puzzles.common.errors import CnfgenError
from cnfgen_puzzles.families import Family, Puzzle
from cnfgen_puzzles.pipeline.instance import sidecar_of
from cnfgen_puzzles.solving.answers import SATISFIABLE, excerpt, output_without_model

MOST_PICTURES = 2
"""The maximum number of different boards of an instance; two show that it has several solutions."""
MOST_CHARACTERS = 400_000
"""The maximum size of an SVG, so that the page opens fast."""


def pictures(records: Sequence[Record], folders: Sequence[Path]) -> tuple[list[tuple[str, str]], str]:
    """The different boards of an instance as SVG with a caption, or the reason why there is none."""
    if records[0]["family"] == CNF:
        return [], "The instance is a CNF file, which has no board."
    if not any(record["status"] == SATISFIABLE for record in records):
        return [], "No run found a board."
    found: dict[str, str] = {}
    reasons: list[str] = []
    for record in records:
        if record.get("board") is None or len(found) >= MOST_PICTURES:
            continue
        try:
            encoding = f" ({record['encoding']})" if record.get("encoding") else ""
            found.setdefault(draw(record, folders), f"found by {record['solver']}{encoding}")
        except CnfgenError as error:
            reasons.append(str(error))
    missing = "No run kept its board." if not reasons else f"The board cannot be drawn: {reasons[0]}."
    return list(found.items()), "" if found else missing


def draw(record: Record, folders: Sequence[Path]) -> str:
    """The board of a record as SVG; CnfgenError with the reason why it cannot be drawn."""
    family, puzzle = puzzle_in(record, folders)
    if "svg" not in family.views:
        raise CnfgenError(f"the family {family.name} draws no SVG")
    try:
        board = family.board_from_json(puzzle, record["board"])
        if board is None:
            raise CnfgenError(f"the family {family.name} cannot read boards from results")
        faults = family.check(puzzle, board)
    except (KeyError, TypeError, ValueError, IndexError) as error:
        raise CnfgenError(f"the result file has a damaged board ({type(error).__name__}: {error})") from None
    if faults:
        raise CnfgenError(f"the board in the result file does not solve the puzzle ({faults[0]})")
    svg = family.view("svg").draw(puzzle, board, None)
    svg = svg.decode() if isinstance(svg, bytes) else svg
    if len(svg) > MOST_CHARACTERS:
        raise CnfgenError("the picture is too large for this page")
    return svg


def puzzle_in(record: Record, folders: Sequence[Path]) -> tuple[Family, Puzzle]:
    """The puzzle of a record, from the map next to its CNF file."""
    name = record.get("cnf_file")
    if not name:
        raise CnfgenError("the result file does not name the file of the formula")
    # an absolute name ignores the folder
    sidecar = next((path for folder in folders if (path := sidecar_of(folder / name)).is_file()), None)
    if sidecar is None:
        raise CnfgenError(f"the map {sidecar_of(Path(name))} of the formula does not exist")
    family, puzzle, _ = read_map(sidecar, (record.get("cnf") or {}).get("sha256", ""))
    return family, puzzle


COLUMNS = (
    "instance", "family", "encoding", "solver", "status", "basis", "cpu", "wall", "memory", "conflicts", "variables", "clauses",
    "scramble", "seed", "repetition", "threads",
)  # fmt: skip
"""The columns of the table of runs; `instance` is the number of the instance."""

WHOLE = ("command", "output", "kept")
"""The details besides `bench.record.facts`, which have special forms."""

SEARCHED = [field.label for field in FIELDS.values() if field.searched]
KEPT_FILES = ("stdout", "stderr")
ALL_KEPT_CHARACTERS = 1_000_000
"""With more characters of kept outputs, the others have a link, but no excerpt."""


RESERVED = {"data", "charts", "content", "filters", "rows", "run-table", "shown", "instance-list", "theme"}
"""Identifiers of the page that contain a hyphen, or could be names of instances."""


class PageData:
    """The data of a page, with an identifier for every instance and run."""

    def __init__(self, records: Sequence[Record], folders: Sequence[Path], beside: Path):
        self.folders, self.beside = folders, beside.resolve()
        self._budget = ALL_KEPT_CHARACTERS
        self._facts: dict[tuple[str, str], int] = {}
        grouped: dict[Instance, list[Record]] = {}
        for record in records:
            grouped.setdefault(instance_of(record), []).append(record)
        names = sorted(grouped, key=lambda name: (name[1], name[2], name[0]))
        self.ids = dict(zip(names, _identifiers(names), strict=True))
        """The anchors of the instances."""
        numbers = {name: number for number, name in enumerate(names)}
        self.runs = [_row(record, numbers[instance_of(record)]) for record in records]
        self.details = [self._details(record) for record in records]
        self.instances = [self._instance(name, grouped[name]) for name in names]

    def to_json(self) -> dict[str, Any]:
        return {
            "columns": COLUMNS,
            "runs": self.runs,
            "details": self.details,
            "facts": list(self._facts),
            "searched": SEARCHED,
            "instances": self.instances,
            "themes": {"light": theme(dark=False), "dark": theme(dark=True)},
        }

    def _instance(self, name: Instance, records: Sequence[Record]) -> dict[str, Any]:
        suite, family, instance = name
        boards, note = pictures(records, self.folders)

        def first(field: str) -> Any:
            return next((record[field] for record in records if record.get(field)), None)

        return {
            "id": self.ids[name],
            "suite": suite,
            "family": family,
            "name": instance,
            "short": short_name(instance),
            "describe": first("describe"),
            "size": first("size"),
            "expected": first("expected"),
            "formulas": _formulas(records),
            "boards": boards,
            "note": note,
        }

    def _details(self, record: Record) -> dict[str, Any]:
        own: dict[str, Any] = {name: record[name] for name in WHOLE if record.get(name)}
        run = f"{record.get('key')}@{host_of(record)}"
        own["id"] = "run-" + hashlib.sha256(run.encode(errors="backslashreplace")).hexdigest()[:12]
        if record.get("kept"):
            own["kept_files"] = self._kept(record["kept"])
        own["facts"] = [self._facts.setdefault(fact, len(self._facts)) for fact in facts(record)]
        return own

    def _kept(self, kept: str) -> list[dict[str, str]]:
        """The kept outputs of a failed run: name, link, and excerpt."""
        places = [
            Path(kept),
            *(place for folder in self.folders for place in (folder / kept, folder / "kept" / PurePath(kept).name)),
        ]
        place = next((place for place in places if place.exists()), None)
        if place is None:
            return []
        found = []
        for path in [place] if place.is_file() else [place / name for name in KEPT_FILES if (place / name).is_file()]:
            link = PurePath(os.path.relpath(path.resolve(), self.beside))
            with path.open("rb") as stream:
                text = excerpt(output_without_model(stream)) if self._budget > 0 else ""
            self._budget -= len(text)
            found.append({"name": path.name, "href": "/".join(quote(part, safe="") for part in link.parts), "text": text})
        return found


def short_name(instance: str) -> str:
    """An instance without its folders: `cat.nin`."""
    return PurePath(instance).name or instance


def _row(record: Record, number: int) -> list[Any]:
    cnf, basis = record.get("cnf") or {}, evidence_of(record)
    values = {
        **record,
        "solver": record["solver"] + MARK * bool(record.get(DISQUALIFIED)),
        "instance": number,
        "basis": None if basis is None else basis.kind if basis.certain else "claimed",
        "variables": cnf.get("variables"),
        "clauses": cnf.get("clauses"),
        "conflicts": (record.get("statistics") or {}).get("conflicts"),
    }
    return [values.get(column) for column in COLUMNS]


def _formulas(records: Sequence[Record]) -> list[dict[str, Any]]:
    """Each formula of an instance once: encoding, size, and encoding time."""
    found: dict[tuple[Any, ...], dict[str, Any]] = {}
    for record in records:
        cnf = record.get("cnf") or {}
        entry = {
            "encoding": record.get("encoding"),
            "scramble": record.get("scramble"),
            "variables": cnf.get("variables"),
            "clauses": cnf.get("clauses"),
            "sha256": cnf.get("sha256"),
            "seconds": record.get("encode_seconds"),
            "file": record.get("cnf_file"),
        }
        found.setdefault((entry["encoding"], entry["scramble"], entry["sha256"]), entry)
    return list(found.values())


def _identifiers(names: Sequence[Instance]) -> list[str]:
    """A unique anchor for each instance, such as `nonogram-cat.nin`, with a number if necessary."""
    found: dict[str, None] = {}
    for _, family, instance in names:
        words = f"{family}-{short_name(instance).replace('..', '')}"
        base = chosen = re.sub(r"[^A-Za-z0-9._]+", "-", words).strip("-.") or "instance"
        number = 2
        while chosen in found or chosen in RESERVED:
            chosen, number = f"{base}-{number}", number + 1
        found[chosen] = None
    return list(found)
