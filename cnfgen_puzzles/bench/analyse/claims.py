"""What must be known before a score is believed: answers that cannot both be right, proofs that were refused, and how many
unsatisfiable verdicts are claimed, that is to say rest on a solver's word and nothing more.

Not here: scores (`scores.py`), how it is shown (`show/`).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from cnfgen_puzzles.bench.analyse.groups import Instance, encoding_of, instance_of
from cnfgen_puzzles.bench.record import Record, is_claimed
from cnfgen_puzzles.bench.runs import tallied
from cnfgen_puzzles.solving.answers import DECIDED, SATISFIABLE, UNSATISFIABLE
from cnfgen_puzzles.solving.run import ERROR

OF_CLAIMS = ("status", "proofs", "proof", "evidence", "verified", "solver", "solver_name")
"""What says whether a verdict is claimed."""

# -- alarms ---------------------------------------------------------------------------------------------------------------


def disagreements(records: Iterable[Record], revoked: Iterable[Record] = ()) -> list[tuple[Instance, str]]:
    """What cannot be: an instance with a checked model that another run calls unsatisfiable, or a verdict that the suite knows
    to be false. `revoked` are earlier records of runs that were made again with the opposite verdict.
    """
    claims: dict[Instance, dict[str, set[str]]] = {}
    expected: dict[Instance, tuple[str, str]] = {}
    for record, _ in (*tallied(records, *OF_CLAIMS, "suite", "family", "instance", "encoding", "expected"), *tallied(revoked)):
        instance = instance_of(record)
        if record.get("expected"):
            expected[instance] = record["expected"], record.get("expected_by") or "the suite"
        if record["status"] in DECIDED:
            claims.setdefault(instance, {}).setdefault(record["status"], set()).add(_claimant(record))
    alarms: list[tuple[Instance, str]] = []
    for instance, found in claims.items():
        said = "; ".join(f"{_verdict(status)} by {_names(found[status])}" for status in DECIDED if status in found)
        if len(found) == 2:
            alarms.append((instance, f"solvers disagree on {instance[2]}: {said}"))
        elif instance in expected and expected[instance][0] not in found:
            truth, by = expected[instance]
            alarms.append((instance, f"{instance[2]} is known to be {truth.lower()} (by {by}): {said}"))
    return alarms


def _verdict(status: str) -> str:
    return "satisfiable, with a checked model," if status == SATISFIABLE else status.lower()


def _claimant(record: Record) -> str:
    """Who says it, and on what it rests: a checked model, a checked proof, or the solver's word."""
    proved = (record.get("proof") or {}).get("verified") or not is_claimed(record)
    basis = "" if record["status"] == SATISFIABLE else ", proof checked" if proved else ", its word alone"
    return f"{record['solver']} ({encoding_of(record)}{basis})"


def _names(found: set[str], most: int = 6) -> str:
    names = sorted(found)
    return ", ".join(names[:most]) + (f" and {len(names) - most} more" if len(names) > most else "")


def refused_proofs(records: Iterable[Record]) -> list[tuple[Instance, str]]:
    """The runs that said unsatisfiable with a proof that is wrong or missing: no answers, and a fault of the solver."""
    found = []
    for record, _ in tallied(records, "status", "proof", "solver", "suite", "family", "instance", "encoding"):
        proof = record.get("proof") or {}
        if record["status"] == ERROR and proof.get("refused"):
            said = f"{record['solver']} ({encoding_of(record)}) calls {record['instance']} unsatisfiable"
            found.append((instance_of(record), f"{said}, but its proof was refused: {proof.get('reason') or 'no reason given'}"))
    return found


# -- claims ---------------------------------------------------------------------------------------------------------------


def proofs_matter(records: Iterable[Record]) -> bool:
    """Whether proofs were asked for, so that a claimed verdict must stand out from a proved one."""
    runs = (record for record, _ in tallied(records, *OF_CLAIMS))
    return any(r.get("proofs") or r.get("proof") or (r["status"] == UNSATISFIABLE and not is_claimed(r)) for r in runs)


def claims_told(records: Sequence[Record]) -> str:
    """One sentence on the unsatisfiable verdicts that are claimed; empty if none is."""
    verdicts = [(record, runs) for record, runs in tallied(records, *OF_CLAIMS) if record["status"] == UNSATISFIABLE]
    unsat = sum(runs for _, runs in verdicts)
    claimed = sum(runs for record, runs in verdicts if is_claimed(record))
    if not claimed:
        return ""
    how_many = f"All {claimed}" if claimed == unsat else f"{claimed} of {unsat}"
    if claimed == 1:
        how_many, are = ("The one" if unsat == 1 else how_many), "is"
    else:
        are = "are"
    told = f"unsatisfiable verdict{'s' * (unsat > 1)} {are} claimed"
    way = "" if proofs_matter(records) else "; `proofs: true` in a suite has proofs checked"
    return f"{how_many} {told}: on the solver's word alone, no proof of it was checked{way}."
