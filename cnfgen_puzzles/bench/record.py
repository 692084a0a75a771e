"""The table of the fields of a run record, which is one line of `runs.jsonl`.

Jobs write these fields, the reader of results checks and completes them, exports use this order, filters use the names, and the
report shows the fields with a label. A new field needs one line in `FIELDS` and one where it is measured: in
`solving.run.record_of` for every run of a solver, in `bench.run.job` for benchmarks only.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from cnfgen_puzzles.evidence.evidence import CLAIMED, MODEL, PROOF, Evidence
from cnfgen_puzzles.evidence.evidence import KINDS as BASES
from cnfgen_puzzles.solving.answers import SATISFIABLE, UNSATISFIABLE
from cnfgen_puzzles.solving.run import STATUSES

Record = dict[str, Any]
"""A run: the fields of `FIELDS` by name, and unknown fields of later versions, which stay unchanged."""

Instance = tuple[str, str, str]
"""Suite, family, and name: equal names in two suites can mean different puzzles."""
AS_GIVEN = "as given"
"""The name of the encoding of a CNF file."""
REFUTED, DISQUALIFIED, BROKEN_ENCODING = MARKS = ("refuted", "disqualified", "encoding_disqualified")
"""Fields that readers of results add (`analyse/alarms.py`): why the verdict, the solver, or the encoding of a run is wrong."""

VERSION = 2
"""The version of the records. It changes if a field gets another meaning; a new field does not change it, since readers keep
unknown fields."""

MOST_AMOUNT = 10**18
"""The maximum plausible amount: an exabyte, thirty billion years."""

LEFT_OUT: Final = object()
"""The default of an optional field without a default value."""

SHOWN = 80
"""The maximum number of characters of a damaged value in an error."""

KINDS: Mapping[Any, str] = {
    str: "text",
    int: "a whole number",
    float: "a number",
    bool: "true or false",
    list: "a list",
    dict: "an object",
}


def plain(value: Any) -> str:
    """A value as text for the user; empty for an empty value.

    >>> plain(12.5), plain([0, 1]), plain({"amo": "ladder"}), plain(None), plain(True)
    ('12.5', '0, 1', 'amo ladder', '', 'yes')
    """
    if value is None or value == [] or value == {}:
        return ""
    if isinstance(value, bool):
        return "yes" if value else ""
    if isinstance(value, float):
        return f"{value:.4g}"
    if isinstance(value, dict):
        return ", ".join(f"{name} {part}" for name, part in value.items())
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value)


@dataclass(frozen=True)
class Field:
    """A field of a run record."""

    name: str
    kind: type
    """The type of a value that is not null. float: an amount (`is_amount`). object: any type."""
    default: Any = LEFT_OUT
    """The value for a record without the field, or with null; all records share it, so it is never changed."""
    needed: bool = False
    """Whether every reader needs it: it must have its kind, and be present if it has no default."""
    scored: bool = False
    """Whether scores, tables, or plots read it; the other fields are not kept in memory for them."""
    label: str = ""
    """The label in the details of a run in the report; without a label, the report does not show the field."""
    text: Callable[[Any], str] = plain
    """The function that makes the text for the details; an empty text is not shown."""
    searched: bool = False
    """Whether the search of the report includes it."""

    def fits(self, value: Any) -> bool:
        """Whether a value that is not null has the kind of the field."""
        return has_kind(value, self.kind)


def has_kind(value: Any, kind: type) -> bool:
    """Whether the value has this type. float: an amount, which is a number from 0 to `MOST_AMOUNT`."""
    if kind is float:
        return isinstance(value, (int, float)) and not isinstance(value, bool) and 0 <= value <= MOST_AMOUNT
    if kind is int:
        return isinstance(value, int) and not isinstance(value, bool) and abs(value) <= MOST_AMOUNT
    return isinstance(value, kind)


# -- values as text ------------------------------------------------------------------------------------------------------


def size_text(count: float) -> str:
    """Bytes as text, such as `2 GiB`."""
    for unit in ("bytes", "KiB", "MiB"):
        if count < 1024:
            return f"{count:.3g} {unit}"
        count /= 1024
    return f"{count:.4g} GiB"


def limits_text(limits: Mapping[str, Any]) -> str:
    """Limits as text: `CPU 2 s, wall 10 s, memory 2 GiB`."""
    parts = [f"{name} {limits[key]:g} s" for key, name in (("cpu", "CPU"), ("wall", "wall")) if limits.get(key)]
    if limits.get("memory"):
        parts.append(f"memory {size_text(limits['memory'])}")
    return ", ".join(parts) or "no limits"


def _evidence(value: Any) -> str:
    """`the model satisfies every clause, ...`, `a proof, checked by drat-trim`, `claimed by minisat (it writes no proofs)`."""
    try:
        basis = Evidence(**value)
    except TypeError:  # of a later version
        return plain(value)
    if basis.kind == PROOF:
        return f"a proof, checked by {basis.by}" + (f" ({basis.note})" if basis.note else "")
    if basis.kind == CLAIMED:
        return f"claimed by {basis.by}" + (f" ({basis.note})" if basis.note else "")
    return basis.by or BASES.get(basis.kind, basis.kind)


def _proof(value: Any) -> str:
    verdict = "checked" if value.get("verified") else "refused" if value.get("refused") else "not verified"
    return f"{verdict}: {value['reason']}" if value.get("reason") else verdict


def _counts(value: Any) -> str:
    return ", ".join(f"{count:,} {name}" if isinstance(count, int) else f"{count} {name}" for name, count in value.items())


# -- the table ------------------------------------------------------------------------------------------------------------

_TABLE = (
    # the order of the columns of an export and of the details: frequently needed fields first
    Field("suite", str, "", needed=True, scored=True),
    Field("family", str, needed=True, scored=True),
    Field("instance", str, needed=True, scored=True),
    Field("describe", str),
    Field("encoding", str, None, scored=True),
    Field("scramble", int, None, scored=True),
    Field("solver", str, needed=True, scored=True),
    Field("version", str, "", scored=True, label="Version"),
    Field("seed", int, None, scored=True),
    Field("repetition", int, 1, scored=True),
    Field("status", str, needed=True, scored=True),
    Field("reason", str, "", scored=True, label="Reason", searched=True),
    Field(REFUTED, str, scored=True, label="Refuted", searched=True),
    Field(DISQUALIFIED, str, scored=True, label="Solver disqualified", searched=True),
    Field(BROKEN_ENCODING, str, scored=True, label="Encoding disqualified", searched=True),
    Field("cpu", float, needed=True, scored=True),
    Field("wall", float, needed=True, scored=True),
    Field("memory", float, 0, scored=True),
    Field("encode_seconds", float, scored=True),
    Field("cnf", dict, {}, scored=True),
    # evidence, and how the run ended
    Field("verified", bool, None, scored=True),
    Field("evidence", dict, scored=True, label="Evidence", text=_evidence),
    Field("proofs", bool, scored=True),
    Field("proof", dict, scored=True, label="Proof", text=_proof),
    Field("ended", str, scored=True, label="Ended by"),
    Field("exit_code", int, label="Exit code"),
    Field("signal", int, label="Signal"),
    Field("statistics", dict, {}, label="Statistics", text=_counts),
    # solver, machine, and limits
    Field("solver_name", str, scored=True),
    Field("solver_options", list, scored=True, label="Options", text=lambda value: " ".join(map(str, value))),
    Field("like", str, label="Called as"),
    Field("environment", dict, label="Environment"),
    Field("binary_sha256", str, scored=True, label="Binary", text=lambda value: f"SHA-256 {value}"),
    Field("threads", int, 1, scored=True),
    Field("limits", dict, {}, scored=True, label="Limits", text=limits_text),
    Field("cores", list, label="Cores"),
    Field("load", float, label="Load at start"),
    Field("memory_method", str, scored=True, label="Memory measured by"),
    Field("leftovers", int, scored=True, label="Leftover processes",
          text=lambda value: f"{value}, killed" if value else ""),
    Field("confinement", str, label="Confined by"),
    Field("warnings", list, [], scored=True, label="Warnings", text=lambda value: "; ".join(map(str, value)), searched=True),
    Field("machine", dict, {}, scored=True, label="Machine",
          text=lambda value: ", ".join(str(value[name]) for name in ("host", "cpu") if value.get(name))),
    Field("worker", str, label="Worker", searched=True),
    Field("date", str, "", needed=True, scored=True, label="Date"),
    Field("imported", dict, label="Imported from", text=lambda value: ", ".join(map(str, value.values()))),
    Field("cnfgen_puzzles", str, scored=True, label="Written by", text=lambda value: f"cnfgen-puzzles {value}"),
    # the rest
    Field("size", dict, {}, scored=True),
    Field("expected", str, None, scored=True),
    Field("expected_by", str, "", scored=True),
    Field("features", dict, {}, scored=True, label="Features"),
    Field("encoding_name", str, scored=True),
    Field("encoding_options", dict),
    Field("suite_sha256", str, scored=True),
    Field("cnf_file", str),
    Field("command", str),
    Field("output", str),
    Field("kept", str),
    Field("board", object),
    Field("key", str, needed=True),
    Field("record", int, VERSION, needed=True),
)  # fmt: skip
FIELDS: dict[str, Field] = {field.name: field for field in _TABLE}
SCORED = frozenset(field.name for field in _TABLE if field.scored)


def instance_of(record: Record) -> Instance:
    return record.get("suite") or "", record["family"], record["instance"]


def encoding_of(record: Record) -> str:
    return record.get("encoding") or AS_GIVEN


def host_of(record: Record) -> str:
    return str((record.get("machine") or {}).get("host", "unknown"))


def flat(record: Record) -> Record:
    """Nested objects as dotted names, lists as JSON; an empty object is left out.

    >>> flat({"status": "TIMEOUT", "limits": {"cpu": 5, "memory": None}, "cores": [0, 1]})
    {'status': 'TIMEOUT', 'limits.cpu': 5, 'limits.memory': None, 'cores': '[0, 1]'}
    """
    row: Record = {}
    for name, value in record.items():
        if name == "board":  # one value of any shape
            row[name] = None if value is None else json.dumps(value, ensure_ascii=False)
        elif isinstance(value, dict):
            for inner, part in flat(value).items() if value else ():
                row[f"{name}.{inner}"] = part
        elif isinstance(value, (list, tuple)):
            row[name] = json.dumps(value, ensure_ascii=False)
        else:
            row[name] = value
    return row


def defaults() -> Record:
    """The default values of the fields."""
    return {name: field.default for name, field in FIELDS.items() if field.default is not LEFT_OUT}


REQUIRED = {field.name: field for field in _TABLE if field.needed and field.default is LEFT_OUT}
TEXT_PARTS = {"machine": ("host", "cpu"), "evidence": ("kind", "by", "note"), "cnf": ("sha256",)}
AMOUNT_PARTS = {"cnf": ("variables", "clauses")}
"""The parts of objects that are read; all parts of the limits and of the size are amounts, too."""


def damage(record: Record) -> str:
    """The fault of a damaged record; empty for a valid one. Unknown fields are valid."""
    version = record.get("record")
    if version != VERSION or not has_kind(version, int):
        return f"found record version {_shown(version)}, expected {VERSION} (did another version of cnfgen-puzzles write it?)"
    for name, value in record.items():
        field = FIELDS.get(name)
        if field is not None and not field.fits(value) and (value is not None or field.needed):
            return f"found {_shown(value)} as {name!r} of a run, expected {KINDS[field.kind]}"
    for name, field in REQUIRED.items():
        if name not in record:
            return f"found {_shown(None)} as {name!r} of a run, expected {KINDS[field.kind]}"
    for name in ("limits", "size", "cnf", "machine", "evidence"):
        for part, value in (record.get(name) or {}).items():
            text = part in TEXT_PARTS.get(name, ())
            kind = str if text else float if name in ("limits", "size") or part in AMOUNT_PARTS.get(name, ()) else object
            if not has_kind(value, kind) and (value is not None or name in ("machine", "evidence")):
                return f"found {_shown(value)} as {part!r} of the {name} of a run, expected {KINDS[kind]}"
    return _contradiction(record)


def _contradiction(record: Record) -> str:
    """The fault of a record whose fields have their kinds: an unknown status, or evidence that does not fit; else empty."""
    status, found, proof = record["status"], record.get("evidence"), record.get("proof") or {}
    if status not in STATUSES:
        return f"found the status {_shown(status)}, expected one of: {', '.join(STATUSES)}"
    if record.get("expected") not in (None, SATISFIABLE, UNSATISFIABLE):
        return f"found {_shown(record['expected'])} as 'expected' of a run, expected {SATISFIABLE} or {UNSATISFIABLE}"
    if found is None:
        return ""
    of_status = (MODEL, CLAIMED) if status == SATISFIABLE else BASES.keys() - {MODEL}  # imported models are not checked
    if found.get("kind") not in of_status:
        return f"found the evidence {_shown(found)} for {status}, expected one of: {', '.join(BASES)}"
    decided, proved = status in (SATISFIABLE, UNSATISFIABLE), found["kind"] == PROOF
    if not decided or proof.get("refused") is True or bool(proof.get("verified", proved)) != proved:
        return f"found the evidence {_shown(found)} for {status}, which its status or its proof contradicts"
    return ""


def _shown(value: Any) -> str:
    """A value of a damaged record, shortened."""
    text = ascii(value) if not isinstance(value, int) or abs(value) < 10**SHOWN else "a number of many digits"
    return text if len(text) <= SHOWN else f"{text[:SHOWN]}..."


# -- evidence of a verdict -----------------------------------------------------------------------------------------------


def evidence_of(record: Record) -> Evidence | None:
    """The evidence of the verdict of a run, None without a verdict. Without the field, an unsatisfiable verdict is claimed."""
    if found := record.get("evidence"):
        return Evidence(found["kind"], found.get("by", ""), found.get("note", ""))
    if record["status"] == SATISFIABLE:
        return Evidence(MODEL)
    return Evidence(CLAIMED, record.get("solver_name") or record["solver"]) if record["status"] == UNSATISFIABLE else None


def is_claimed(record: Record) -> bool:
    """Whether the verdict is not independently verified."""
    basis = evidence_of(record)
    return basis is not None and not basis.certain


def facts(record: Record) -> list[tuple[str, str]]:
    """Labels and texts of the details of a run, without empty texts."""
    found = []
    for field in FIELDS.values():
        value = record.get(field.name)
        if field.label and value is not None and (text := (field.text if field.fits(value) else plain)(value)):
            found.append((field.label, text))
    return found
