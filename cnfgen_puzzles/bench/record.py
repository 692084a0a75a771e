"""A run record, which is one line of `runs.jsonl`: the table of its fields, and what follows from the table.

Jobs write these fields, the reader of results checks and completes them, exports put them in this order, filters know them by
name, and the report shows those that have a label. So a new measured field is one line in `FIELDS`, beside the line that
measures it: in `solving.run.record_of` if it belongs to every run of a solver, in `bench.run.job` if it belongs to benchmarks.

Not here: reading files (`analyse/results.py`), measuring, and what the table of all runs in the report has as its columns.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from cnfgen_puzzles.evidence.basis import KINDS as BASES
from cnfgen_puzzles.evidence.basis import MODEL, PROOF, WORD, Evidence
from cnfgen_puzzles.evidence.checkers import DRAT_TRIM
from cnfgen_puzzles.solving.answers import SATISFIABLE, UNSATISFIABLE
from cnfgen_puzzles.solving.run import STATUSES

Record = dict[str, Any]
"""A run as it is written and read: the fields of `FIELDS` by name, and those of later versions, which are kept as they are."""

VERSION = 2
"""The version of the records that this program writes and reads. It changes if a field gets another meaning or an old reader
would go wrong; a field that is added changes nothing, since readers keep what they do not know."""

TASK, OUTCOME, RUN = "task", "outcome", "run"
"""The parts of a slim record: what many runs of a task share, what many runs of a solver share, what is one run's alone."""

MOST_AMOUNT = 10**18
"""What is more than that was not measured: an exabyte, thirty billion years."""

LEFT_OUT: Final = object()
"""The default of a field that stays out of a record which lacks it."""

SHOWN = 80
"""Characters of a damaged value that an error shows."""

KINDS: Mapping[Any, str] = {
    str: "text",
    int: "a whole number",
    float: "a number",
    bool: "true or false",
    list: "a list",
    dict: "an object",
}


def plain(value: Any, _record: Record) -> str:
    """A value of any kind as a person reads it; nothing for what is empty.

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
    """Of its value where it is not null. float: an amount (`is_amount`). object: anything."""
    default: Any = LEFT_OUT
    """What it is for readers where a record lacks it, or has null; shared by all records, so never changed in place."""
    needed: bool = False
    """Whether it tells runs apart or every reader rests on it: it must be of its kind, and there if it has no default."""
    part: str = ""
    """Which part of a slim record has it, which is what scores and tables look at: `TASK`, `OUTCOME` or `RUN`; else none."""
    label: str = ""
    """What the details of a run in the report call it; without one they do not show it."""
    unit: str = ""
    text: Callable[[Any, Record], str] = plain
    """How the details show it, given the whole record; it is left out if that is empty."""
    searched: bool = False
    """Whether the report's box for words looks into it."""

    def fits(self, value: Any) -> bool:
        """Whether a value that is not null is of the field's kind."""
        kind = self.kind
        if kind is float:
            return is_amount(value)
        return isinstance(value, kind) and (kind is not int or _is_whole(value))

    def fact(self, record: Record) -> str:
        """The value with its unit, as the details show it."""
        value = record.get(self.name)
        text = "" if value is None else (self.text if self.fits(value) else plain)(value, record)
        return f"{text} {self.unit}" if text and self.unit else text


def _is_whole(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and abs(value) <= MOST_AMOUNT


def is_amount(value: Any) -> bool:
    """Whether it is a number from 0 to `MOST_AMOUNT`, of seconds, bytes or things."""
    return isinstance(value, (int, float)) and not isinstance(value, bool) and 0 <= value <= MOST_AMOUNT


# -- values in words ------------------------------------------------------------------------------------------------------


def size_text(count: float) -> str:
    """Bytes as a person reads them."""
    for unit in ("bytes", "KiB", "MiB"):
        if count < 1024:
            return f"{count:.3g} {unit}"
        count /= 1024
    return f"{count:.4g} GiB"


def limits_text(limits: Mapping[str, Any]) -> str:
    """Limits in words: `CPU 2 s, wall 10 s, memory 2 GiB`."""
    parts = [f"{name} {limits[key]:g} s" for key, name in (("cpu", "CPU"), ("wall", "wall")) if limits.get(key)]
    if limits.get("memory"):
        parts.append(f"memory {size_text(limits['memory'])}")
    return ", ".join(parts) or "no limits"


def _limits(value: Any, _record: Record) -> str:
    return limits_text(value) if value else ""


def _verified(value: Any, record: Record) -> str:
    """Of a record without `evidence`, which says it better."""
    if not value or record.get("evidence"):
        return ""
    return "the model satisfies every clause" if record.get("status") == SATISFIABLE else "by a proof"


def _evidence(value: Any, _record: Record) -> str:
    """`the model satisfies every clause, ...`, `a proof, checked by drat-trim`, `minisat's word alone (it writes no proofs)`."""
    try:
        basis = Evidence(**value)
    except TypeError:  # of a later version
        return plain(value, _record)
    if basis.kind == PROOF:
        return f"a proof, checked by {basis.by}" + (f" ({basis.note})" if basis.note else "")
    if basis.kind == WORD:
        return f"{basis.by}'s word alone" + (f" ({basis.note})" if basis.note else "")
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
    # what people look for comes first: this is the order of the columns of an export, and of the details
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
    Field("cpu", float, needed=True, part=RUN),
    Field("wall", float, needed=True, part=RUN),
    Field("memory", float, 0, part=RUN),
    Field("encode_seconds", float, part=TASK),
    Field("cnf", dict, {}, part=TASK),
    # what an answer rests on, and how the run ended
    Field("verified", bool, None, part=OUTCOME, label="Verified", text=_verified),
    Field("evidence", dict, part=OUTCOME, label="Rests on", text=_evidence),
    Field("proofs", bool, part=TASK),
    Field("proof", dict, part=OUTCOME, label="Proof", text=_proof),
    Field("ended", str, label="Ended by"),
    Field("exit_code", int, label="Exit code"),
    Field("signal", int, label="Signal"),
    Field("statistics", dict, {}, label="Counted", text=_counts),
    # by what, where and under what
    Field("solver_name", str, part=OUTCOME),
    Field("solver_options", list, part=OUTCOME, label="Options", text=lambda value, _: " ".join(map(str, value))),
    Field("like", str, label="Called like"),
    Field("environment", dict, label="Environment", text=_environment),
    Field("binary_sha256", str, part=OUTCOME, label="Binary", text=lambda value, _: f"SHA-256 {value}"),
    Field("threads", int, 1, part=OUTCOME),
    Field("limits", dict, {}, part=OUTCOME, label="Limits", text=_limits),
    Field("cores", list, label="Cores"),
    Field("load", float, label="Load at start"),
    Field("memory_method", str, part=OUTCOME, label="Memory read from"),
    Field("leftovers", int, part=OUTCOME, label="Left behind",
          text=lambda value, _: f"{value} processes, which were killed" if value else ""),
    Field("confinement", str, label="Kept to its files by"),
    Field("warnings", list, [], part=OUTCOME, label="Warnings", text=lambda value, _: "; ".join(map(str, value)), searched=True),
    Field("machine", dict, {}, part=OUTCOME, label="Machine", text=_machine),
    Field("worker", str, label="Worker", searched=True),
    Field("date", str, "", needed=True, part=RUN, label="Date"),
    Field("imported", dict, label="Imported from", text=lambda value, _: ", ".join(map(str, value.values()))),
    Field("cnfgen_puzzles", str, part=OUTCOME, label="Made by", text=lambda value, _: f"cnfgen-puzzles {value}"),
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


def defaults() -> Record:
    """A record's fields where it lacks them."""
    return {name: field.default for name, field in FIELDS.items() if field.default is not LEFT_OUT}


def written(record: Record) -> Record:
    """The record, if every field of it is one of the table: what nobody declared nobody would read."""
    strange = sorted(record.keys() - FIELDS.keys())
    if strange:
        raise KeyError(f"{', '.join(strange)}: not in the table of bench/record.py")
    return record


def damage(record: Record) -> str:
    """Why no reader may rest on this record; empty if all may."""
    version = record.get("record")
    if version != VERSION or not _is_whole(version):
        return f"found record version {_shown(version)}, expected {VERSION} (another cnfgen-puzzles wrote it?)"
    return wrong_field(record) or _wrong_part(record)


def wrong_field(record: Record) -> str | None:
    """What is wrong with the fields of the table, None if nothing is; unknown ones are kept as they are."""
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
    """What is wrong within fields that are of their kind; empty if all is well."""
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
    of_status = (MODEL, WORD) if record["status"] == SATISFIABLE else BASES.keys() - {MODEL}  # imported models are not checked
    if not texts or found.get("kind") not in BASES or found["kind"] not in of_status:
        return f"found {_shown(found)} as what {record['status']} rests on, expected one of: {', '.join(BASES)}"
    decided, proof, proved = record["status"] in (SATISFIABLE, UNSATISFIABLE), record.get("proof") or {}, found["kind"] == PROOF
    if not decided or proof.get("refused") is True or bool(proof.get("verified", proved)) != proved:
        return f"found {_shown(found)} as what {record['status']} rests on, which its status or its proof contradicts"
    return ""


def _shown(value: Any) -> str:
    """A value of a damaged record, cut short where it is long."""
    text = ascii(value) if not isinstance(value, int) or abs(value) < 10**SHOWN else "a number of many digits"
    return text if len(text) <= SHOWN else f"{text[:SHOWN]}..."


# -- what a verdict rests on ----------------------------------------------------------------------------------------------


def evidence_of(record: Record) -> Evidence | None:
    """What the verdict of a run rests on, None where there is none.

    Versions before 0.3.0 wrote `verified` alone: an unsatisfiable verdict with false or null there is the solver's word.
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
        return Evidence(PROOF, DRAT_TRIM.told)
    reason = proof.get("reason")
    return Evidence(WORD, record.get("solver_name") or record["solver"], reason if isinstance(reason, str) else "")


def is_claimed(record: Record) -> bool:
    """Whether the verdict is the solver's word and nothing more."""
    basis = evidence_of(record)
    return basis is not None and not basis.certain


def facts(record: Record, known: dict[Any, str] | None = None) -> list[tuple[str, str]]:
    """What the details of a run tell: labels and texts, without those that have nothing to say.

    `known` keeps texts from one record to the next: of equal values, and of objects that records share, while these live.
    """
    found = []
    for name, field in FIELDS.items():
        if field.label and (value := record.get(name)) is not None:
            if known is None or field.text is _verified:  # which looks at the whole record
                text = field.fact(record)
            else:
                key = (name, type(value), value if isinstance(value, (str, int, float)) else id(value))
                if key not in known:
                    known[key] = field.fact(record)
                text = known[key]
            if text:
                found.append((field.label, text))
    return found
