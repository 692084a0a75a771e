"""Output of a comparison of two sets of results: text for a terminal, Markdown for a pull request, JSON for programs.

Regressions come first. `analyse/diff.py` finds them, `cli/bench/diff.py` decides how many are allowed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from typing import Any

from cnfgen_puzzles.bench.analyse.diff import GAINS, KINDS, NEW, OLD, REGRESSIONS, SAME, Diff
from cnfgen_puzzles.bench.analyse.statistics import FEW, LEVEL, TIES
from cnfgen_puzzles.bench.show.tables import ScoreTable, estimate_cells, p_cell, render
from cnfgen_puzzles.common.errors import printable

OF_PAIR, OF_SIDE = ("kind", "instance", "group", "encoding", "solver", "near_limit"), ("status", "seconds", "disturbed")
"""The properties of a pair, and of its old and new performance, in JSON."""
LISTS = {"Regressions": REGRESSIONS, "Gains": GAINS}
MOST = 20
"""The maximum number of instances in a list."""
ANCHOR = "<!-- bench-cnf diff -->"
"""The first line of the Markdown, by which a script finds its earlier comment."""


def text(found: Diff, faults: Sequence[str], sides: Mapping[str, Sequence[str]], format: str = "plain") -> str:
    """For a terminal, or with the format `markdown` for a pull request, with folded long lists."""
    marked = format == "markdown"
    bold, mark = ("**", "- ") if marked else ("", "note: ")
    parts = [ANCHOR, f"## {'Regressions found' if faults else 'No regression'}"] if marked else []
    lines = ((side, printable("; ".join(facts))) for side, facts in sides.items())
    parts.append("\n".join(f"{bold}{side}{bold}: {facts}{'  ' if marked else ''}" for side, facts in lines))
    parts.append(printable(f"REGRESSION: {'; '.join(faults)}.") if faults else "No regression beyond the thresholds.")
    totals, groups = ([key for key in found.comparisons if bool(key[1]) == named] for named in (False, True))
    parts.append(render(_tests(found, totals, "" if marked else "All instances"), format))
    tables = [_tests(found, groups, "By group")] if groups else []
    tables += filter(None, (_pairs(found, title, kinds) for title, kinds in LISTS.items()))
    for table in tables:
        opened = " open" if table.title.startswith("Regressions") else ""
        body = render(replace(table, title="") if marked else table, format)
        parts.append(f"<details{opened}><summary>{table.title}</summary>\n\n{body}\n\n</details>" if marked else body)
    same = found.of([SAME])
    neither = sum(not pair.old.solved for pair in same)
    message = f" ({neither} of them solved by neither)" if neither else ""
    parts.append(f"Unchanged: {len(same)} of {len(found.pairs)}{message}.")
    parts.append(("\n" if marked else "\n\n").join(printable(f"{mark}{note}") for note in found.notes))
    return "\n\n".join(filter(None, parts)) + "\n"


def _tests(found: Diff, keys: Sequence[tuple[str, str]], title: str) -> ScoreTable:
    headers = ["solver", *(["group"] if any(group for _, group in keys) else []), "instances", "runs old", "runs new"]
    headers += ["solved old", "solved new"]
    headers += ["wrong", "lost", "slower", "gained", "faster", "PAR old", "PAR new", "PAR ratio", f"{LEVEL:.0%}", "p", "effect"]
    rows = []
    for solver, group in keys:
        kinds, c = found.kinds(solver, group), found.comparisons[solver, group]  # a is the new one
        solved = [str(n) for n in (*reversed(c.runs), c.both + c.only_b, c.both + c.only_a)]
        bad = str(kinds["wrong"] + kinds["conflict"] or "")
        counts = [bad, *(str(kinds[kind] or "") for kind in ("lost", "slower", "gained", "faster"))]
        verdict = found.verdict(solver, group) or "not different"
        tests = [*estimate_cells(c.par_ratio), p_cell(c.p), f"{c.effect + 0.0:+.2f}", verdict]
        pars = [f"{c.par_b:.3f}", f"{c.par_a:.3f}"]
        names = [solver, *([group] if "group" in headers else [])]
        rows.append([*names, str(c.points), *solved, *counts, *pars, *tests])
    note = (
        "PAR ratio: old divided by new, above 1 if the new one is better, with its interval. p: Wilcoxon's signed-rank test on "
        f"instances, with Holm's correction. effect: -1 (always worse) to 1 (always better). {TIES}"
    )
    few = [group or solver for solver, group in keys if found.comparisons[solver, group].instances < FEW]
    note += f" Fewer than {FEW} instances, too few for reliable tests: {', '.join(few)}." if few else ""
    return ScoreTable(title, note, [*headers, "new is"], rows, 2 if "group" in headers else 1)


def _pairs(found: Diff, title: str, kinds: Sequence[str]) -> ScoreTable | None:
    pairs = found.of(kinds)
    if not pairs:
        return None
    encodings = len({pair.encoding for pair in found.pairs}) > 1
    headers = ["what", "instance", *["encoding"] * encodings, "solver", "old", "new", "factor"]
    rows = []
    for pair in pairs[:MOST]:
        row = [pair.kind + " (near the limit)" * pair.near_limit, pair.instance, *[pair.encoding] * encodings, pair.solver]
        row += [f"{performance.status} {performance.seconds:.3f} s" for performance in (pair.old, pair.new)]
        both = pair.old.solved and pair.new.solved
        rows.append([*row, f"{max(pair.new.seconds, 1e-3) / max(pair.old.seconds, 1e-3):.2f}" if both else ""])
    more = f"and {len(pairs) - MOST} more (--json writes all)" if len(pairs) > MOST else ""
    return ScoreTable(f"{title}: {len(pairs)}", more, headers, rows, len(headers) - 1)


def to_json(found: Diff, faults: Sequence[str], sides: Mapping[str, Sequence[str]]) -> dict[str, Any]:
    """The comparison as a JSON object."""
    return {
        "diff": 1,
        "regression": bool(faults),
        "faults": list(faults),
        **asdict(found.rules),
        "old": list(sides["OLD"]),
        "new": list(sides["NEW"]),
        "kinds": dict(KINDS),
        "totals": [_comparison_json(found, *key) for key in found.comparisons if not key[1]],
        "groups": [_comparison_json(found, *key) for key in found.comparisons if key[1]],
        "pairs": [
            {name: getattr(pair, name) for name in OF_PAIR}
            | {
                side: {name: getattr(one, name) for name in OF_SIDE} | {"runs": len(one.runs)}
                for side, one in ((OLD, pair.old), (NEW, pair.new))
            }
            for pair in found.of(KINDS)
        ],
        "notes": found.notes,
    }


def _comparison_json(found: Diff, solver: str, group: str) -> dict[str, Any]:
    c = found.comparisons[solver, group]
    return {
        "solver": solver,
        "group": group or None,
        "instances": c.instances,
        "points": c.points,
        "runs_old": c.runs[1],
        "runs_new": c.runs[0],
        **found.kinds(solver, group),
        "par_old": c.par_b,
        "par_new": c.par_a,
        "par_ratio": c.par_ratio.value,
        "interval": [c.par_ratio.low, c.par_ratio.high],
        "speedup": None if c.speedup is None else c.speedup.value,
        "wilcoxon": c.wilcoxon,
        "holm": c.p,
        "sign": c.sign,
        "effect": c.effect,
        "verdict": found.verdict(solver, group) or None,
        "disqualified": found.disqualified.get(solver),
    }
