"""Alarms: contradictions and wrong answers, and the solvers and encodings that they disqualify.

The reader of results calls `judged` for all records of its files before filters select some of them, so no filter hides a wrong
answer. docs/reference/scores.md has the rule ("Disqualification"). `scores.py` ranks only contestants that are not disqualified.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from cnfgen_puzzles.bench.analyse.rules import DEFAULT, Rules, listed
from cnfgen_puzzles.bench.record import (
    BROKEN_ENCODING,
    DISQUALIFIED,
    REFUTED,
    Instance,
    Record,
    encoding_of,
    instance_of,
    is_claimed,
)
from cnfgen_puzzles.pipeline.instance import BROKEN_BOARD
from cnfgen_puzzles.solving.answers import DECIDED, SATISFIABLE, UNSATISFIABLE
from cnfgen_puzzles.solving.run import ERROR, WRONG


def program_of(record: Record) -> tuple[str, ...]:
    """Suite, label of the solver (a program with its options), and checksum of the binary: the owner of a wrong answer."""
    return record.get("suite") or "", record["solver"], str(record.get("binary_sha256") or record.get("version") or "")


def encoding_key(record: Record) -> tuple[str, ...]:
    """Suite, family, and encoding: the owner of a wrong formula."""
    return (*instance_of(record)[:2], encoding_of(record))


# -- wrong answers --------------------------------------------------------------------------------------------------------


def judged(records: Sequence[Record], revoked: Sequence[Record] = (), rules: Rules = DEFAULT) -> list[Record]:
    """The records with marks at wrong verdicts and, by the rule, at all runs of disqualified solvers and encodings
    (`record.MARKS`).

    `revoked` are other runs whose verdicts count for this.
    """
    runs = [*records, *revoked]
    known = _known(runs)
    refuted = [_refuted(record, known) for record in runs]
    solvers: dict[tuple[str, ...], str] = {}
    encodings: dict[tuple[str, ...], str] = {}
    for record, why in zip(runs, refuted, strict=True):
        of_encoding = not is_claimed(record)  # a proof that is right refutes the formula
        if record["status"] == WRONG:
            why = f"a wrong model of {record['instance']}: {record.get('reason') or 'no reason given'}"
            of_encoding = str(record.get("reason")).startswith(BROKEN_BOARD)  # the model satisfies the formula
        elif _refused(record):
            why, of_encoding = f"its proof for {record['instance']} was refused", False
        if why and of_encoding:
            encodings.setdefault(encoding_key(record), why)
        elif why:
            solvers.setdefault(program_of(record), why)
    found = []
    for record, why in zip(records, refuted, strict=False):
        marks = {REFUTED: why}
        if rules.wrong_answer == "disqualify":
            marks |= {
                DISQUALIFIED: solvers.get(program_of(record), ""),
                BROKEN_ENCODING: encodings.get(encoding_key(record), ""),
            }
        given = {name: why for name, why in marks.items() if why}
        found.append(record | given if given else record)
    return found


def _known(records: Iterable[Record]) -> dict[tuple[Instance, str], str]:
    """The verdicts that are wrong with the evidence against them: a checked model or proof, or the expected verdict."""
    found: dict[tuple[Instance, str], str] = {}
    for record in sorted(records, key=is_claimed):  # checked evidence first
        status, truths = record["status"], dict[str, str]()
        if status in DECIDED and not is_claimed(record):
            truths[status] = f"a checked {'model' if status == SATISFIABLE else 'proof'} shows"
        if record.get("expected"):
            truths.setdefault(record["expected"], f"{record.get('expected_by') or 'the suite'} states")
        for truth, source in truths.items():
            other = UNSATISFIABLE if truth == SATISFIABLE else SATISFIABLE
            why = f"{other.lower()} on {record['instance']}, although {source} that it is {truth.lower()}"
            found.setdefault((instance_of(record), other), why)
    return found


def _refuted(record: Record, known: dict[tuple[Instance, str], str]) -> str:
    """Why the verdict of a run is wrong; empty for another one. Nothing refutes a checked model, nor a proof for a CNF file."""
    if record["status"] not in DECIDED:
        return ""
    safe = not is_claimed(record) and (record["status"] == SATISFIABLE or not record.get("encoding"))
    return "" if safe else known.get((instance_of(record), record["status"]), "")


def _refused(record: Record) -> bool:
    return record["status"] == ERROR and bool((record.get("proof") or {}).get("refused"))


def status_of(record: Record) -> str:
    """The status that counts: a refuted verdict is wrong."""
    return WRONG if record.get(REFUTED) else str(record["status"])


# -- alarms ---------------------------------------------------------------------------------------------------------------


def alarms(records: Sequence[Record]) -> list[tuple[Instance, str]]:
    """The alarms with their instances: disagreements first, then wrong answers, then refused proofs.

    `records` include earlier records of repeated runs with the opposite verdict.
    """
    found, refused = disagreements(records), list[tuple[Instance, str]]()
    for record in records:
        solver, why = f"{record['solver']} ({encoding_of(record)})", record.get("reason") or "no reason given"
        if record["status"] == WRONG:
            found.append((instance_of(record), f"{solver} gave a wrong answer on {record['instance']}: {why}"))
        if _refused(record):
            why = record["proof"].get("reason") or "no reason given"
            message = f"{solver} calls {record['instance']} unsatisfiable, but its proof was refused: {why}"
            refused.append((instance_of(record), message))
    return list(dict.fromkeys([*found, *refused]))


def disagreements(records: Iterable[Record]) -> list[tuple[Instance, str]]:
    """Contradictions: opposite verdicts on one instance, or a verdict that contradicts the expected one."""
    claims: dict[Instance, dict[str, set[str]]] = {}
    expected: dict[Instance, tuple[str, str]] = {}
    for record in records:
        instance = instance_of(record)
        if record.get("expected"):
            expected[instance] = record["expected"], record.get("expected_by") or "the suite"
        if record["status"] in DECIDED:
            basis = "claimed" if is_claimed(record) else "checked model" if record["status"] == SATISFIABLE else "checked proof"
            claimant = f"{record['solver']} ({encoding_of(record)}, {basis})"
            claims.setdefault(instance, {}).setdefault(record["status"], set()).add(claimant)
    found: list[tuple[Instance, str]] = []
    for instance, verdicts in claims.items():
        message = "; ".join(f"{status.lower()} by {listed(sorted(verdicts[status]))}" for status in DECIDED if status in verdicts)
        if len(verdicts) == 2:
            found.append((instance, f"solvers disagree on {instance[2]}: {message}"))
        elif instance in expected and expected[instance][0] not in verdicts:
            truth, by = expected[instance]
            found.append((instance, f"{instance[2]} is known to be {truth.lower()} (by {by}): {message}"))
    return found
