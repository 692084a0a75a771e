"""The table of the fields of a run record, which is one line of `runs.jsonl`.

Jobs write these fields, the reader of results checks and completes them, exports use this order, filters use the names, and the
report shows the fields with a label. A new field needs one line in `FIELDS` and one where it is measured: in
`solving.run.record_of` for every run of a solver, in `bench.run.job` for benchmarks only.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from cnfgen_puzzles.evidence.checkers import DRAT_TRIM
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

TASK, OUTCOME, RUN = "task", "outcome", "run"
"""The parts of a slim record: fields that the runs of a task share, that the runs of a solver share, and of one run."""

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


def plain(value: Any, _record: Record) -> str:
    """A value as text for the user; empty for an empty value.

    >>> plain(12.5, {}), plain([0, 1], {}), plain({"amo": "ladder"}, {}), plain(None, {}), plain(True, {})
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
    part: str = ""
    """The part of a slim record that contains it, for scores and tables: `TASK`, `OUTCOME`, `RUN`, or none."""
    label: str = ""
    """The label in the details of a run in the report; without a label, the report does not show the field."""
    unit: str = ""
    text: Callable[[Any, Record], str] = plain
    """The function that makes the text for the details; an empty text is not shown."""
    searched: bool = False
    """Whether the search of the report includes it."""

    def fits(self, value: Any) -> bool:
        """Whether a value that is not null has the kind of the field."""
        kind = self.kind
        if kind is float:
            return is_amount(value)
        return isinstance(value, kind) and (kind is not int or _is_whole(value))

    def fact(self, record: Record) -> str:
        """The value with its unit for the details."""
        value = record.get(self.name)
        text = "" if value is None else (self.text if self.fits(value) else plain)(value, record)
        return f"{text} {self.unit}" if text and self.unit else text


def _is_whole(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and abs(value) <= MOST_AMOUNT


def is_amount(value: Any) -> bool:
    """Whether the value is a number from 0 to `MOST_AMOUNT`."""
    return isinstance(value, (int, float)) and not isinstance(value, bool) and 0 <= value <= MOST_AMOUNT


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


def _limits(value: Any, _record: Record) -> str:
    return limits_text(value) if value else ""


def _verified(value: Any, record: Record) -> str:
    """The text for a record without `evidence`."""
    if not value or record.get("evidence"):
        return ""
    return "the model satisfies every clause" if record.get("status") == SATISFIABLE else "by a proof"


def _evidence(value: Any, _record: Record) -> str:
    """`the model satisfies every clause, ...`, `a proof, checked by drat-trim`, `claimed by minisat (it writes no proofs)`."""
    try:
        basis = Evidence(**value)
    except TypeError:  # of a later version
        return plain(value, _record)
    if basis.kind == PROOF:
        return f"a proof, checked by {basis.by}" + (f" ({basis.note})" if basis.note else "")
    if basis.kind == CLAIMED:
        return f"claimed by {basis.by}" + (f" ({basis.note})" if basis.note else "")
    return basis.by or BASES.get(basis.kind, basis.kind)


def _proof(value: Any, _record: Record) -> str:
    verdict = "checked" if value.get("verified") else "refused" if value.get("refused") else "not verified"
    return f"{verdict}: {value['reason']}" if value.get("reason") else verdict


def _counts(value: Any, _record: Record) -> str:
    return ", ".join(f"{count:,} {name}" if isinstance(count, int) else f"{count} {name}" for name, count in value.items())


def _environment(value: Any, _record: Record) -> str:
    return " ".join(f"{name}={text}" for name, text in value.items())


def _machine(value: Any, _record: Record) -> str:
    return ", ".join(str(value[name]) for name in ("host", "cpu") if value.get(name))


# -- the table ------------------------------------------------------------------------------------------------------------

_TABLE = (
    # the order of the columns of an export and of the details: frequently needed fields first
    Field("suite", str, "", needed=True, part=TASK),
    Field("family", str, needed=True, part=TASK),
    Field("instance", str, needed=True, part=TASK),
    Field("describe", str),
    Field("encoding", str, None, part=TASK),
    Field("scramble", int, None, part=TASK),
    Field("solver", str, needed=True, part=OUTCOME),
    Field("version", str, "", part=OUTCOME, label="Version"),
    Field("seed", int, None, part=RUN),
    Field("repetition", int, 1, part=RUN),
    Field("status", str, needed=True, part=OUTCOME),
    Field("reason", str, "", part=OUTCOME, label="Reason", searched=True),
    Field(REFUTED, str, part=OUTCOME, label="Refuted", searched=True),
    Field(DISQUALIFIED, str, part=OUTCOME, label="Solver disqualified", searched=True),
    Field(BROKEN_ENCODING, str, part=OUTCOME, label="Encoding disqualified", searched=True),
    Field("cpu", float, needed=True, part=RUN),
    Field("wall", float, needed=True, part=RUN),
    Field("memory", float, 0, part=RUN),
    Field("encode_seconds", float, part=TASK),
    Field("cnf", dict, {}, part=TASK),
    # evidence, and how the run ended
    Field("verified", bool, None, part=OUTCOME, label="Verified", text=_verified),
    Field("evidence", dict, part=OUTCOME, label="Evidence", text=_evidence),
    Field("proofs", bool, part=TASK),
    Field("proof", dict, part=OUTCOME, label="Proof", text=_proof),
    Field("ended", str, part=OUTCOME, label="Ended by"),
    Field("exit_code", int, label="Exit code"),
    Field("signal", int, label="Signal"),
    Field("statistics", dict, {}, label="Statistics", text=_counts),
    # solver, machine, and limits
    Field("solver_name", str, part=OUTCOME),
    Field("solver_options", list, part=OUTCOME, label="Options", text=lambda value, _: " ".join(map(str, value))),
    Field("like", str, label="Called as"),
    Field("environment", dict, label="Environment", text=_environment),
    Field("binary_sha256", str, part=OUTCOME, label="Binary", text=lambda value, _: f"SHA-256 {value}"),
    Field("threads", int, 1, part=OUTCOME),
    Field("limits", dict, {}, part=OUTCOME, label="Limits", text=_limits),
    Field("cores", list, label="Cores"),
    Field("load", float, label="Load at start"),
    Field("memory_method", str, part=OUTCOME, label="Memory measured by"),
    Field("leftovers", int, part=OUTCOME, label="Leftover processes",
          text=lambda value, _: f"{value}, killed" if value else ""),
    Field("confinement", str, label="Confined by"),
    Field("warnings", list, [], part=OUTCOME, label="Warnings", text=lambda value, _: "; ".join(map(str, value)), searched=True),
    Field("machine", dict, {}, part=OUTCOME, label="Machine", text=_machine),
    Field("worker", str, label="Worker", searched=True),
    Field("date", str, "", needed=True, part=RUN, label="Date"),
    Field("imported", dict, label="Imported from", text=lambda value, _: ", ".join(map(str, value.values()))),
    Field("cnfgen_puzzles", str, part=OUTCOME, label="Written by", text=lambda value, _: f"cnfgen-puzzles {value}"),
    # the rest
    Field("size", dict, {}, part=TASK),
    Field("expected", str, None, part=TASK),
    Field("expected_by", str, "", part=TASK),
    Field("features", dict, {}, part=TASK, label="Features"),
    Field("encoding_name", str, part=TASK),
    Field("encoding_options", dict),
    Field("suite_sha256", str, part=TASK),
    Field("cnf_file", str),
    Field("command", str),
    Field("output", str),
    Field("kept", str),
    Field("board", object),
    Field("key", str, needed=True),
    Field("record", int, VERSION, needed=True),
)  # fmt: skip
FIELDS: dict[str, Field] = {field.name: field for field in _TABLE}


def instance_of(record: Record) -> Instance:
    return record.get("suite") or "", record["family"], record["instance"]


def encoding_of(record: Record) -> str:
    return record.get("encoding") or AS_GIVEN


def host_of(record: Record) -> str:
    return str((record.get("machine") or {}).get("host", "unknown"))


def defaults() -> Record:
    """The default values of the fields."""
    return {name: field.default for name, field in FIELDS.items() if field.default is not LEFT_OUT}


def written(record: Record) -> Record:
    """The record; KeyError if a field is not in the table."""
    strange = sorted(record.keys() - FIELDS.keys())
    if strange:
        raise KeyError(f"{', '.join(strange)}: not in the table of bench/record.py")
    return record


def damage(record: Record) -> str:
    """The fault of a damaged record; empty for a valid one."""
    version = record.get("record")
    if version != VERSION or not _is_whole(version):
        return f"found record version {_shown(version)}, expected {VERSION} (did another version of cnfgen-puzzles write it?)"
    return wrong_field(record) or _wrong_part(record)


def wrong_field(record: Record) -> str | None:
    """The first fault in the fields of the table, None if there is none; unknown fields are valid."""
    for name, value in record.items():
        field = FIELDS.get(name)
        if field is None or (type(value) is field.kind and field.kind in _FIT_BY_KIND):
            continue
        if (value is not None or field.needed) and not field.fits(value):
            return f"found {_shown(value)} as {name!r} of a run, expected {KINDS[field.kind]}"
    for name, kind in _REQUIRED.items():
        if name not in record:
            return f"found {_shown(None)} as {name!r} of a run, expected {kind}"
    return None


_FIT_BY_KIND = (str, bool, dict, list)
_REQUIRED = {field.name: KINDS[field.kind] for field in _TABLE if field.needed and field.default is LEFT_OUT}
_AMOUNTS = {"limits": "the limit", "size": "the size", "cnf": "the formula's"}
_NUMBERS_OF_CNF = ("variables", "clauses")


def _wrong_part(record: Record) -> str:
    """The first fault inside fields of the right kind; empty if there is none."""
    for name, what in _AMOUNTS.items():
        for key, amount in (record.get(name) or {}).items():
            if (name != "cnf" or key in _NUMBERS_OF_CNF) and amount is not None and not is_amount(amount):
                return f"found {_shown(amount)} as {what} {key!r} of a run, expected a number or null"
    if not isinstance((record.get("cnf") or {}).get("sha256") or "", str):
        return f"found {_shown(record['cnf']['sha256'])} as the formula's checksum of a run, expected text"
    for name in ("host", "cpu"):
        if not isinstance((record.get("machine") or {}).get(name, ""), str):
            return f"found {_shown(record['machine'][name])} as the machine's {name!r} of a run, expected text"
    if record["status"] not in STATUSES:
        return f"found the status {_shown(record['status'])}, expected one of: {', '.join(STATUSES)}"
    if record.get("expected") not in (None, SATISFIABLE, UNSATISFIABLE):
        return f"found {_shown(record['expected'])} as 'expected' of a run, expected {SATISFIABLE} or {UNSATISFIABLE}"
    found = record.get("evidence")
    if found is None:
        return ""
    texts = all(isinstance(found.get(name, ""), str) for name in ("kind", "by", "note"))
    of_status = (MODEL, CLAIMED) if record["status"] == SATISFIABLE else BASES.keys() - {MODEL}  # imported models are not checked
    if not texts or found.get("kind") not in BASES or found["kind"] not in of_status:
        return f"found the evidence {_shown(found)} for {record['status']}, expected one of: {', '.join(BASES)}"
    decided, proof, proved = record["status"] in (SATISFIABLE, UNSATISFIABLE), record.get("proof") or {}, found["kind"] == PROOF
    if not decided or proof.get("refused") is True or bool(proof.get("verified", proved)) != proved:
        return f"found the evidence {_shown(found)} for {record['status']}, which its status or its proof contradicts"
    return ""


def _shown(value: Any) -> str:
    """A value of a damaged record, shortened."""
    text = ascii(value) if not isinstance(value, int) or abs(value) < 10**SHOWN else "a number of many digits"
    return text if len(text) <= SHOWN else f"{text[:SHOWN]}..."


# -- evidence of a verdict -----------------------------------------------------------------------------------------------


def evidence_of(record: Record) -> Evidence | None:
    """The evidence of the verdict of a run, None without a verdict.

    Versions before 0.3.0 wrote only `verified`: an unsatisfiable verdict with false or null is claimed.
    """
    found = record.get("evidence")
    if found:
        return Evidence(found["kind"], found.get("by", ""), found.get("note", ""))
    if record["status"] == SATISFIABLE:
        return Evidence(MODEL)
    if record["status"] != UNSATISFIABLE:
        return None
    proof = record.get("proof") or {}
    if record.get("verified") or proof.get("verified"):
        return Evidence(PROOF, DRAT_TRIM.title)
    reason = proof.get("reason")
    return Evidence(CLAIMED, record.get("solver_name") or record["solver"], reason if isinstance(reason, str) else "")


def is_claimed(record: Record) -> bool:
    """Whether the verdict is not independently verified."""
    basis = evidence_of(record)
    return basis is not None and not basis.certain


def facts(record: Record, known: dict[Any, str] | None = None) -> list[tuple[str, str]]:
    """Labels and texts of the details of a run, without empty texts.

    `known` is a cache of texts for equal values and for objects that records share, as long as these exist.
    """
    found = []
    for name, field in FIELDS.items():
        if field.label and (value := record.get(name)) is not None:
            if known is None or field.text is _verified:  # which reads the whole record
                text = field.fact(record)
            else:
                key = (name, type(value), value if isinstance(value, (str, int, float)) else id(value))
                if key not in known:
                    known[key] = field.fact(record)
                text = known[key]
            if text:
                found.append((field.label, text))
    return found
