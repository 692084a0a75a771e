"""Import of BenchExec's results: result files (`*.results.*.xml`, also packed by bzip2) and the output of runexec.

The imported records have the same fields as those of bench-cnf, and scores, plots, and reports use them alike. Their verdicts
are claimed: BenchExec checks neither models nor proofs. A verdict that contradicts the expected one raises an alarm.

For tasks that `tasks.py` exported, instance, encoding, solver, and seed have their names of the suite. The suite of the records
is `NAME (BenchExec)`, so that runs of two tools never replace each other.
"""

from __future__ import annotations

import bz2
import datetime
import json
import math
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path, PurePath
from typing import Any

from cnfgen_puzzles.bench.benchexec.tasks import PROPERTY, facts_in
from cnfgen_puzzles.bench.planfile import PLAN
from cnfgen_puzzles.bench.record import VERSION, Record, damage
from cnfgen_puzzles.bench.runs import RESULTS, Store
from cnfgen_puzzles.bench.suite.plan import CNF
from cnfgen_puzzles.common.errors import InputError, printable
from cnfgen_puzzles.common.files import register_input
from cnfgen_puzzles.common.inputlimits import input_limits, too_much
from cnfgen_puzzles.common.readers.strictxml import Element, parse_xml
from cnfgen_puzzles.common.version import __version__
from cnfgen_puzzles.evidence.evidence import CLAIMED, Evidence
from cnfgen_puzzles.solving.answers import DECIDED, SATISFIABLE, UNKNOWN, UNSATISFIABLE
from cnfgen_puzzles.solving.run import ERROR, MEMOUT, TIMEOUT
from cnfgen_puzzles.solving.supervision import CPU_LIMIT, EXIT, INTERRUPTED, MEMORY_LIMIT, SIGNAL, WALL_LIMIT

EXPECTED = "a result file of BenchExec or the output of runexec"
VERDICTS = {"true": SATISFIABLE, "sat": SATISFIABLE, "false": UNSATISFIABLE, "unsat": UNSATISFIABLE}
EXIT_CODES = {10: SATISFIABLE, 20: UNSATISFIABLE, 0: UNKNOWN}
"""The verdicts of runexec's return values: the convention of the SAT competitions."""
ENDED = {"cputime": CPU_LIMIT, "cputime-soft": CPU_LIMIT, "walltime": WALL_LIMIT, "memory": MEMORY_LIMIT, "killed": INTERRUPTED}
BY_LIMIT = {CPU_LIMIT: TIMEOUT, WALL_LIMIT: TIMEOUT, MEMORY_LIMIT: MEMOUT, INTERRUPTED: UNKNOWN}
UNITS = {"": 1, "s": 1, "min": 60, "h": 3600, "B": 1, "kB": 10**3, "MB": 10**6, "GB": 10**9, "TB": 10**12}
AMOUNT = re.compile(r"\s*(\d+(?:\.\d*)?(?:[eE][+-]?\d+)?)\s*([A-Za-z]*)\s*")
RUN_NAME = re.compile(r"(.+?)(?:\.seed(\d+))?(?:\.run(\d+))?")
LOG_LINE = re.compile(r"[a-z][\w-]*=.*")
NOTE = "BenchExec does not check it"


def import_results(
    paths: Sequence[Path], folder: Path, *, solver: str = "", cpu_limit: float | None = None
) -> tuple[Counter[str], list[str]]:
    """Add the runs in these files to the result file of the folder: the number of runs by status, and notes for the user.

    A run that the file has already is replaced.

    The output of runexec contains neither the solver nor the limit: `solver` is by default the name of the log's folder.
    """
    if (folder / PLAN).exists():
        raise InputError("found the results of a suite in this folder, expected another folder", source=str(folder))
    notes: list[str] = []
    records = [record for path in paths for record in _records(path, solver, cpu_limit, notes)]
    with Store(folder / RESULTS) as store:
        for record in records:
            store.add(record)
    return Counter(record["status"] for record in records), notes


def _records(path: Path, solver: str, cpu_limit: float | None, notes: list[str]) -> Iterator[Record]:
    text = _text(path)
    if text.lstrip().startswith("<"):
        found = _of_xml(parse_xml(text, str(path), EXPECTED), path, notes)
    else:
        found = iter([_of_log(text, path, solver or path.absolute().parent.name, cpu_limit)])
    for record in found:
        if problem := damage(record):
            raise InputError(f"{problem} ({record['instance']})", source=str(path))
        yield record


def _text(path: Path) -> str:
    limit = input_limits().size
    try:
        with path.open("rb") as stream:
            register_input(path)
            packed = stream.read(3) == b"BZh"
            stream.seek(0)
            data = (bz2.BZ2File(stream) if packed else stream).read(limit + 1)
    except (OSError, EOFError) as error:
        raise InputError(f"cannot be read: {error}", source=str(path)) from None
    if len(data) > limit:
        raise too_much("size", f"more than {limit} bytes", source=str(path))
    return data.decode("utf-8", "replace")


def amount(text: str | None) -> float | None:
    """A number with its unit, in seconds or bytes; None for anything else.

    >>> amount("1.5s"), amount("2 GB"), amount("15 min"), amount("None")
    (1.5, 2000000000.0, 900.0, None)
    """
    match = AMOUNT.fullmatch(text or "")
    value = float(match[1]) * UNITS[match[2]] if match and match[2] in UNITS else math.inf
    return value if math.isfinite(value) else None


# -- result files ---------------------------------------------------------------------------------------------------------


def _of_xml(root: Element, path: Path, notes: list[str]) -> Iterator[Record]:
    if root.name != "result":
        raise root.error(f"found <{root.name}>, expected <result> as in {EXPECTED}")
    missing = 0
    for run in root.named("run"):
        values = {column.attributes.get("title", ""): column.attributes.get("value", "") for column in run.named("column")}
        if not values.get("status"):
            missing += 1
            continue
        yield _of_run(root.attributes, run, values, _machine(root), path)
    if missing:
        notes.append(f"{path}: {missing} runs have no result and are left out")


def _of_run(head: Mapping[str, str], run: Element, values: Mapping[str, str], machine: Mapping[str, Any], path: Path) -> Record:
    name, properties = run.attributes.get("name", ""), run.attributes.get("properties", "")
    if properties and "sat" not in properties.lower():
        found = f"found results for the property {properties!r}, expected those of SAT solvers (property {PROPERTY!r})"
        raise run.error(found)
    facts = facts_in(path.parent / name) if name.endswith(".yml") else {}
    rundefinition = head.get("name", "").removesuffix(head.get("block", "")).rstrip(".")
    tool = head.get("tool", "unknown")
    label, seed, repetition = " ".join(filter(None, (tool, rundefinition))), None, 1
    if facts and (match := RUN_NAME.fullmatch(rundefinition)):
        label, seed, repetition = match[1], int(match[2]) if match[2] else None, int(match[3] or 1)
    status, reason = verdict_of(values["status"])
    expected = VERDICTS.get(run.attributes.get("expectedVerdict", "").partition("(")[0])
    raw = {key: values.get(key) for key in ("status", "category", "terminationreason")}
    return _record(
        facts or {"suite": head.get("benchmarkname", ""), "family": CNF, "instance": _instance(run)},
        label,
        values,
        status=status,
        reason=reason,
        seed=seed,
        repetition=repetition,
        version=head.get("version", ""),
        solver_name=head.get("toolmodule"),
        solver_options=[*head.get("options", "").split(), *run.attributes.get("options", "").split()],
        threads=int(amount(head.get("cpuCores")) or 1),
        limits={"cpu": amount(head.get("timelimit")), "wall": None, "memory": amount(head.get("memlimit"))},
        machine=machine,
        date=values.get("starttime") or head.get("starttime") or "",
        imported={"by": head.get("generator", "BenchExec"), **{key: value for key, value in raw.items() if value}},
        **({"expected": expected, "expected_by": "the task definition"} if expected and not facts.get("expected") else {}),
    )


def verdict_of(status: str) -> tuple[str, str]:
    """Our status and the reason for a status of BenchExec. A word that is no verdict never becomes one.

    >>> verdict_of("true"), verdict_of("TIMEOUT (true)"), verdict_of("SEGMENTATION FAULT")
    (('SATISFIABLE', ''), ('TIMEOUT', 'BenchExec: TIMEOUT (true)'), ('ERROR', 'BenchExec: SEGMENTATION FAULT'))
    """
    if status in VERDICTS:
        return VERDICTS[status], ""
    word = status.partition(" (")[0]
    known = {"TIMEOUT": TIMEOUT, "OUT OF MEMORY": MEMOUT, "unknown": UNKNOWN, "done": UNKNOWN, "KILLED": UNKNOWN}
    return known.get(word, ERROR), f"BenchExec: {status}"


def _instance(run: Element) -> str:
    """The first input file, else the task, without `../` in front."""
    files = run.attributes.get("files", "").strip("[]").split(", ")
    parts = PurePath(files[0] or run.attributes.get("name", "")).parts
    return "/".join(part for part in parts if part != "..") or "unknown"


def _machine(root: Element) -> dict[str, Any]:
    systems = root.named("systeminfo")
    if not systems:
        return {}
    parts = {child.name: child.attributes for child in systems[0].children}
    found = {"host": systems[0].attributes.get("hostname"), "system": parts.get("os", {}).get("name")}
    found |= {"cpu": parts.get("cpu", {}).get("model"), "cores": parts.get("cpu", {}).get("cores")}
    memory = amount(parts.get("ram", {}).get("size"))
    return {name: value for name, value in found.items() if value} | ({} if memory is None else {"memory": int(memory)})


# -- runexec --------------------------------------------------------------------------------------------------------------


def _of_log(text: str, path: Path, solver: str, cpu_limit: float | None) -> Record:
    """The run of a log with lines such as `cputime=1.5s`, which runexec prints."""
    lines = [line.strip() for line in text.splitlines()]
    values = dict(line.split("=", 1) for line in lines if LOG_LINE.fullmatch(line))
    if not {"walltime", "cputime"} & values.keys():
        raise InputError(f"found no line `cputime=...`, expected {EXPECTED}", source=str(path))
    ended = ENDED.get(values.get("terminationreason", ""))
    code = amount(values.get("returnvalue"))
    if values.get("terminationreason"):
        status, reason = BY_LIMIT.get(ended or "", ERROR), f"runexec: {values['terminationreason']}"
    elif code is None or int(code) not in EXIT_CODES:
        ending = f"signal {values['exitsignal']}" if "exitsignal" in values else f"exit code {values.get('returnvalue', '?')}"
        status, reason = ERROR, f"runexec: {ending}"
    else:
        status, reason = EXIT_CODES[int(code)], ""
    date = values.get("starttime") or datetime.datetime.fromtimestamp(path.stat().st_mtime, datetime.UTC).isoformat()
    raw = {"by": "runexec", "terminationreason": values.get("terminationreason")}
    return _record(
        {"suite": "runexec", "family": CNF, "instance": path.name.removesuffix(".log").removesuffix(".txt")},
        printable(solver) or "unknown",
        values,
        status=status,
        reason=reason,
        limits={"cpu": cpu_limit, "wall": None, "memory": None},
        date=date,
        imported={key: value for key, value in raw.items() if value},
    )


# -- records --------------------------------------------------------------------------------------------------------------


def _record(facts: Mapping[str, Any], solver: str, values: Mapping[str, str], **known: Any) -> Record:
    """The record of a run with these values of runexec."""
    suite = f"{facts.get('suite', '')} (BenchExec)".strip()
    code, signal = (amount(values.get(name)) for name in ("returnvalue", "exitsignal"))
    evidence = Evidence(CLAIMED, solver, NOTE).to_json() if known["status"] in DECIDED else None
    record: Record = {
        "record": VERSION,
        "encoding": None,
        "scramble": None,
        "seed": None,
        "repetition": 1,
        **facts,
        "suite": suite,
        "solver": solver,
        "cpu": amount(values.get("cputime")) or 0.0,
        "wall": amount(values.get("walltime")) or 0.0,
        "memory": amount(values.get("memory") or values.get("memUsage")) or 0,
        "memory_method": "BenchExec",
        "verified": False,
        "evidence": evidence,
        "ended": ENDED.get(values.get("terminationreason", ""), SIGNAL if signal else EXIT),
        "exit_code": None if code is None else int(code),
        "signal": None if signal is None else int(signal),
        "cnfgen_puzzles": __version__,
        **known,
    }
    names = ("family", "instance", "encoding", "scramble", "solver", "seed", "repetition")
    return record | {"key": json.dumps([record[name] for name in names], ensure_ascii=False, separators=(",", ":"))}
