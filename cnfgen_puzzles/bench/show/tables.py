"""Score tables for the terminal, Markdown, and LaTeX; the sentence that names the best solvers; notes on the results.

A `ScoreTable` has cells of plain text, which the report draws, too. `analyse/` computes the scores.
"""

from __future__ import annotations

import contextlib
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from math import exp, inf, log

from tabulate import tabulate

from cnfgen_puzzles.bench.analyse import statistics
from cnfgen_puzzles.bench.analyse.rules import DEFAULT, TIMES, Rules, common_notes, formula_of, hosts_apart, several_hosts
from cnfgen_puzzles.bench.analyse.scores import (
    BOTH,
    DEFAULT_GROUPS,
    FEATURES,
    FLOOR,
    MARK,
    SOLVER,
    Grid,
    GroupScores,
    Score,
    default_groups,
    disqualified,
    grid,
    group_scores,
    grouped,
    name_of,
    proofs_matter,
)
from cnfgen_puzzles.bench.analyse.statistics import Estimate
from cnfgen_puzzles.bench.record import Instance, Record, host_of, instance_of
from cnfgen_puzzles.common import showing
from cnfgen_puzzles.common.errors import InputError, printable, unknown_name
from cnfgen_puzzles.common.installation import install_extra
from cnfgen_puzzles.solving.run import ERROR

FORMATS = {"plain": "simple", "markdown": "github", "latex": "latex_booktabs"}
MOST_ALARMS = 20
MIB = 1 << 20


@dataclass(frozen=True)
class ScoreTable:
    """Cells are text. The first `words` columns are words, the others numbers. `best` has the highlighted rows."""

    title: str
    note: str
    headers: Sequence[str]
    rows: Sequence[Sequence[str]]
    words: int
    best: frozenset[int] = frozenset()

    def __repr__(self) -> str:
        return showing.in_brackets("Table", self.title, showing.numbered(len(self.rows), "row"), " | ".join(self.headers))

    def __str__(self) -> str:
        return render(self)

    def _repr_html_(self) -> str:
        head, note = (showing.words(text) if text else "" for text in (self.title, self.note))
        return head + render(self, "html") + note


def render(table: ScoreTable, format: str = "plain") -> str:
    """The table in one of `FORMATS` with its title and note; `html`, for notebooks and reports, is the table alone."""
    if format == "html":
        return showing.table(table.headers, table.rows, words=table.words, best=table.best)
    title, note = _spelled(table.title, format), _spelled(table.note, format)
    if format == "latex":
        title, note = (f"% {title}" if title else "", f"% {note}" if note else "")
    elif format == "markdown" and title:
        title = f"### {title}\n"
    cells = [[_spelled(cell, format, cell=True) for cell in row] for row in (table.headers, *table.rows)]
    aligned = ["left"] * table.words + ["right"] * (len(table.headers) - table.words)
    body = tabulate(cells[1:], headers=cells[0], tablefmt=FORMATS[format], disable_numparse=True, colalign=aligned)
    return "\n".join(part for part in (title, body, f"\n{note}" if note else "") if part)


def document(parts: Iterable[str | ScoreTable], format: str) -> Iterator[str]:
    """Tables and lines of text in one of `FORMATS`, part by part: tables do not wait for the tests of the last sentence."""
    for number, part in enumerate(parts):
        line = render(part, format) if isinstance(part, ScoreTable) else printable(part)
        if isinstance(part, str) and format == "latex":
            line = f"% {line}"
        elif isinstance(part, str) and format == "markdown" and line.startswith("ALARM"):
            line = f"**{line}**"
        yield "\n" * bool(number) + line + "\n"


def _spelled(text: str, format: str, cell: bool = False) -> str:
    """Text with the special characters of Markdown escaped; tabulate escapes those of LaTeX in cells."""
    text = printable(" ".join(text.split()))
    return re.sub(r"([\\|*_`<])", r"\\\1", text) if format == "markdown" and cell else text


# -- scores ---------------------------------------------------------------------------------------------------------------


def score_table(
    records: Sequence[Record],
    by: Sequence[str] | None = None,
    *,
    rules: Rules = DEFAULT,
    title: str = "",
    groups: Sequence[GroupScores] | None = None,
) -> ScoreTable:
    """The scores of each group: the best solver first, then the virtual best solver, then disqualified ones.

    If a solver has several threads, the table also has PAR by the other time. Without `by`, the groups are `default_groups`;
    `groups` are their scores, if they are known.
    """
    by = default_groups(records, rules) if by is None else by
    groups = group_scores(records, by, rules=rules) if groups is None else groups
    other_rules = replace(rules, time=next(name for name in TIMES if name != rules.time))
    other: dict[tuple[tuple[str, ...], str], str] = {}
    if any((record.get("threads") or 1) > 1 for record in records):
        with contextlib.suppress(InputError):  # no limit on that time, so no PAR
            others = group_scores(records, by, rules=other_rules)
            other = {(score.values, score.solver): _seconds(score.par) for group in others for score in group.scores}
    columns = [name.removeprefix(FEATURES) for name in by if name != "version"]
    claimed = proofs_matter(records)
    headers = [
        *columns,
        "solver",
        "runs",
        "solved",
        "sat",
        "unsat",
        *["claimed"] * claimed,
        "failed",
        "unique",
        f"PAR-{rules.par:g}",
    ]
    headers += [f"PAR-{rules.par:g} {other_rules.time}"] * bool(other) + ["CPU", "wall", "peak MiB"]
    best_rows: set[int] = set()
    rows: list[list[str]] = []
    for group in groups:
        fair = [score for score in group.scores if not score.disqualified]
        if fair:
            best_rows.add(len(rows))
        for score in (*fair, *[group.best] * (len(fair) > 1), *group.scores[len(fair) :]):
            cells = [str(score.runs or ""), f"{score.solved}/{score.instances}", str(score.sat), str(score.unsat)]
            cells += [str(score.claimed or "")] * claimed + [
                str(score.failed or ""),
                str(score.unique or ""),
                _seconds(score.par),
            ]
            cells += [other.get((group.values, score.solver), "")] * bool(other)
            means = [_seconds(score.cpu / score.runs), _seconds(score.wall / score.runs)] if score.runs else ["", ""]
            peak = f"{score.memory / MIB:.0f}" if score.runs else ""
            rows.append([*group.values, score.solver + MARK * bool(score.disqualified), *cells, *means, peak])
    note = " ".join(
        [_mean(records, rules), "CPU and wall: mean seconds of a run.", *common_notes(records, rules, disqualified(records))]
    )
    return ScoreTable(title, note, headers, rows, len(columns) + 1, frozenset(best_rows))


def _mean(records: Sequence[Record], rules: Rules) -> str:
    limits = sorted({limit for r in records if (limit := (r.get("limits") or {}).get(rules.time)) is not None})
    message = ", ".join(f"{limit:g}" for limit in limits[:4]) + (" ..." if len(limits) > 4 else "")
    limit = f"the limit ({message} s)" if limits else "the limit"
    seconds = f"mean {'CPU' if rules.time == 'cpu' else 'wall'} seconds"
    return f"PAR-{rules.par:g}: {seconds}; an unsolved run counts {rules.par:g} times {limit}."


def _seconds(value: float) -> str:
    """Three significant digits, at most milliseconds."""
    return f"{value:.3f}" if value < 10 else f"{value:.2f}" if value < 100 else f"{value:.1f}"


def score_tables(records: Sequence[Record], by: Sequence[str] | None = None, *, rules: Rules = DEFAULT) -> list[ScoreTable]:
    """The scores and the marginal contributions of each contestant, by the same groups; disqualified ones contribute nothing."""
    by = default_groups(records, rules) if by is None else by
    groups = group_scores(records, by, rules=rules)
    tables = [score_table(records, by, rules=rules, title="Scores", groups=groups)]
    if len({name_of(BOTH)(record) for record in records}) < 2:
        return tables
    if "encoding" not in by:  # otherwise solvers alone compete, as they do in the scores
        groups = group_scores(records, by, rules=rules, contestants=BOTH)
    columns = [name.removeprefix(FEATURES) for name in by if name != "version"]
    rows = []
    for group in groups:
        for share in group.best.shares:
            numbers = [f"{share.fastest:.1%}", str(share.unique or ""), _seconds(share.marginal), f"{share.shapley:.1%}"]
            rows.append([*group.values, share.contestant, *numbers])
        rows += [[*group.values, f"{score.solver}{MARK}", "", "", "", ""] for score in group.scores if score.disqualified]
    note = " ".join(
        [
            "fastest: share of the solved instances on which it is the fastest; times below "
            f"{FLOOR * 1000:g} ms are equal. marginal: increase of PAR-{rules.par:g} of the VBS without it.",
            *common_notes(records, rules, {}),
        ]
    )
    headers = [*columns, "solver", "fastest", "unique", "marginal", "Shapley"]
    title = "Marginal contributions to the virtual best solver (VBS)"
    return [*tables, ScoreTable(title, note, headers, rows, len(columns) + 1)]


# -- comparisons ----------------------------------------------------------------------------------------------------------


def compare_tables(
    records: Sequence[Record],
    what: str,
    a: str,
    b: str,
    by: Sequence[str] = (),
    *,
    rules: Rules = DEFAULT,
) -> list[ScoreTable]:
    """The comparison of two solvers, encodings, or hosts (`what`: "solver", "encoding", "host"), by group and in total."""
    name_in = name_of((what,))
    known = set(map(name_in, records))
    for name in (a, b):
        if name not in known:
            raise InputError(unknown_name(what, name, known))
    records = [record for record in records if name_in(record) in (a, b)]
    out = {name: why for name, why in disqualified(records, (what,)).items() if name in (a, b)}
    by = [name for name in by if name not in (what, "version")]
    groups = {"all": records} | ({" ".join(values): members for values, members in grouped(records, by).items()} if by else {})
    points = {name: grid(members, (what,), rules=rules) for name, members in groups.items()}
    pairs = {name: (own, a, b) for name, own in points.items() if name == "all" or any({a, b} <= set(p) for p in own.values())}
    found = statistics.compare_all(pairs, alone=("all",))
    if len(found) == 2:  # one group is all of them
        del found["all"]
    ratios, tests = [], []
    for name, c in found.items():
        counts = [str(c.instances), " + ".join(map(str, c.runs)), *(str(n) for n in (c.both, c.only_a, c.only_b))]
        pars = [_seconds(c.par_a), _seconds(c.par_b)]
        ratios.append([name, *counts, *pars, *estimate_cells(c.par_ratio), *estimate_cells(c.speedup)])
        counts = [str(n) for n in (c.wins, c.losses, c.ties)]
        p_values = [p_cell(c.wilcoxon), p_cell(c.sign), "" if name == "all" else p_cell(c.p)]
        words = "neither" if c.winner is None or c.winner in out else c.winner
        tests.append([name, *counts, f"{(c.wins + c.ties / 2) / c.instances:.0%}", *p_values, f"{c.effect:+.2f}", words])
    a, b = (f"{name}{MARK}" if name in out else name for name in (a, b))
    headers = ["group", "instances", "runs", "both", f"only {a}", f"only {b}", *(f"PAR-{rules.par:g} {each}" for each in (a, b))]
    headers += ["PAR ratio", "95 %", "speedup", "95 %"]
    note = f"Above 1: {a} is better. {_mean(records, rules)} Speedup: geometric mean if both solve."
    tables = [ScoreTable(f"{a} against {b}", " ".join([note, *common_notes(records, rules, out)]), headers, ratios, 1)]
    headers = ["group", "wins", "losses", "ties", "better", "Wilcoxon p", "sign p", "Holm p", "effect", "clearly better"]
    few = ", ".join(name for name, comparison in found.items() if comparison.instances < statistics.FEW)
    note = (
        "Tests pair instances. Clearly better: the interval of the PAR ratio excludes 1, p < 0.05 (Wilcoxon's test, with Holm's "
        "correction for several groups), and the difference is practically significant"
        f"{'; a disqualified one never is' if out else ''}. {statistics.TIES}"
        + (f" Fewer than {statistics.FEW} instances, so intervals are too narrow: {few}." if few else "")
    )
    return [*tables, ScoreTable(f"Paired tests, {a} against {b}", note, headers, tests, 1)]


def estimate_cells(estimate: Estimate | None) -> list[str]:
    if estimate is None:
        return ["", ""]
    span = "" if estimate.low is None else f"{estimate.low:.2f} to {estimate.high:.2f}"
    return [f"{estimate.value:.2f}", span]


def p_cell(value: float) -> str:
    return "<0.0001" if value < 0.0001 else f"{value:.4f}"


# -- sentences and notes --------------------------------------------------------------------------------------------------


def sentence(records: Sequence[Record], *, rules: Rules = DEFAULT) -> str:
    """One sentence: the best solver and encoding of each family, and whether the difference is statistically significant.

    The best one (most solved, then PAR-k) is compared with every other that ran on all instances; see `Comparison.winner`. It is
    never a disqualified one.
    """
    by = ("family", *(["host"] if hosts_apart(records, rules) else []))
    rankings: dict[str, list[Score]] = {}
    pairs: dict[tuple[str, str], tuple[Grid, str, str]] = {}
    for group in group_scores(records, by, rules=rules, contestants=BOTH):
        family = " on ".join(group.values)
        fair = [score for score in group.scores if not score.disqualified]
        ranking = rankings[family] = [score for score in fair if score.instances == len(group.points)] or fair
        for other in ranking[1:] if ranking and ranking[0].solved and statistics.available() else ():
            pair = ranking[0].solver, other.solver
            if any({*pair} <= point.keys() for point in group.points.values()):
                pairs[family, other.solver] = (group.points, *pair)
    # the same data chose the best, so the correction counts all pairs of a family
    several = sum(len(ranking) * (len(ranking) - 1) // 2 for ranking in rankings.values())
    compared = statistics.compare_all(pairs, among=several)
    parts = []
    for family, ranking in rankings.items():
        if not ranking or not ranking[0].solved:
            unsolved = f"no instance was solved ({ranking[0].instances} instances)" if ranking else "all solvers are disqualified"
            parts.append(f"{family}: {unsolved}")
            continue
        best, others = ranking[0], {name: each for (known, name), each in compared.items() if known == family}
        message = f"{family}: {best.solver} ({best.solved} of {best.instances}, PAR-{rules.par:g} {_seconds(best.par)} s)"
        equals = [name for name, comparison in others.items() if comparison.winner != best.solver]
        if equals:
            rest = f" or {len(equals) - 1} other{'s' * (len(equals) > 2)}" if len(equals) > 1 else ""
            message += f", but not statistically better than {equals[0]}{rest}"
        elif others:
            message += f", clearly ahead of {min(others) if len(others) == 1 else f'all {len(others)} others'}"
        parts.append(message)
    parts += [f"disqualified: {', '.join(disqualified(records))}"] if disqualified(records) else []
    untested = "" if statistics.available() or not parts else f" (not tested: {install_extra('bench')})"
    return "; ".join(parts) + untested + "." if parts else "No runs."


def alarm_lines(found: Sequence[tuple[Instance, str]], most: int = MOST_ALARMS) -> list[str]:
    """The alarms of the read results, one line each, at most `most` of them."""
    lines = [f"ALARM: {alarm}" for _, alarm in found[:most]]
    return [*lines, f"ALARM: and {len(found) - most} more of these"] if len(found) > most else lines


def notes(records: Sequence[Record]) -> list[str]:
    """Notes for the reader of the scores, besides those of each table: several hosts, limits, or programs."""
    found: list[str] = []
    if several := several_hosts(records):
        which = ", ".join(several[:4])
        found.append(f"{len(several)} hosts made the same runs ({which}): tables separate hosts, and --hosts A B compares two")
    limits = {(r.get("suite") or "", limit) for r in records if (limit := (r.get("limits") or {}).get("cpu")) is not None}
    if len(limits) > len({suite for suite, _ in limits}):
        found.append("runs of one suite have different CPU limits: an unsolved run costs more where the limit is higher")
    if len({(*formula_of(record), record["solver"], host_of(record) if several else "") for record in records}) < len(records):
        found.append("runs that differ in seed, repetition, or scrambling count once, by their median")
    programs: dict[str, Counter[tuple[str, str]]] = {}
    for record in records:
        if record.get("binary_sha256"):
            version = str(record.get("version") or "unknown version")
            programs.setdefault(record["solver"], Counter())[version, record["binary_sha256"][:12]] += 1
    for solver, own in programs.items():
        if len(own) > 1:
            which = ", ".join(f"{version} {binary}: {runs} runs" for (version, binary), runs in sorted(own.items())[:4])
            found.append(f"{solver} names {len(own)} different programs ({which}), which are scored as one solver")
    return found


def run_notes(records: Sequence[Record]) -> list[str]:
    """Notes for the user who made the runs: `notes`, errors by solver, and runs on a disturbed machine, each with an example."""
    found = notes(records)
    errors = [record for record in records if record["status"] == ERROR]
    examples = {record["solver"]: record["reason"] for record in reversed(errors)}
    counts = Counter(record["solver"] for record in errors)
    found += [f"{counts[solver]} runs of {solver} are ERROR (example: {why})" for solver, why in examples.items()]
    warned = [record["warnings"][0] for record in records if record["warnings"]]
    if warned:
        found.append(f"{len(warned)} of {len(records)} runs were measured on a disturbed machine (example: {warned[0]})")
    return found


OF_FORMULA = ("variables", "clauses", "sha256")
"""The fields that a formula must have."""


def size_table(records: Sequence[Record], by: Sequence[str] = DEFAULT_GROUPS, *, rules: Rules = DEFAULT) -> ScoreTable:
    """Instances, geometric means of variables and clauses (at least 1), encoding time, PAR-k of each solver, and the mean PAR-k.

    Of the groups that differ in the last value only (the encodings of a family), the one with the least mean is highlighted.
    """
    contestants = ("solver", "version") if "version" in by else SOLVER
    out = disqualified(records, contestants)
    every = dict.fromkeys(name_of(contestants)(record) for record in records)
    solvers = sorted(every, key=lambda name: name in out)
    columns = [name.removeprefix(FEATURES) for name in by if name != "version"]
    rows: list[list[str]] = []
    means: dict[tuple[str, ...], list[tuple[float, int]]] = {}
    for group in group_scores(records, by, rules=rules):
        found = {score.solver: score for score in group.scores}
        own = [found[solver] for solver in solvers if solver in found and solver not in out]
        solved, tried = sum(score.solved for score in own), sum(score.instances for score in own)
        mean = sum(score.par for score in own) / len(own) if own else inf
        means.setdefault(group.values[:-1], []).append((mean, len(rows)))
        made = (r for r in group.members if all((r.get("cnf") or {}).get(name) is not None for name in OF_FORMULA))
        formulas = list({r["cnf"]["sha256"]: r for r in made}.values())
        sizes = [""] * 3
        if formulas:
            logs = (sum(log(max(r["cnf"][name], 1)) for r in formulas) / len(formulas) for name in ("variables", "clauses"))
            seconds = sum(r.get("encode_seconds") or 0.0 for r in formulas) / len(formulas)
            sizes = [*(f"{exp(mean_log):,.0f}" for mean_log in logs), f"{seconds:.2f}"]
        counts = [str(len({instance_of(record) for record in group.members})), str(len(group.members))]
        cells = [*counts, *sizes, f"{solved}/{tried}"]
        cells += [f"{found[solver].par:.2f}" if solver in found else "" for solver in solvers]
        rows.append([*group.values, *cells, f"{mean:.2f}" if own else ""])
    by_time = f"PAR-{rules.par:g} by {TIMES[rules.time]}"
    note = f"Variables, clauses: geometric means; encode: mean seconds; then {by_time} and its mean."
    note = " ".join([note, *common_notes(records, rules, out)])
    names = [f"{name}{MARK}" if name in out else name for name in solvers]
    headers = [*columns, "instances", "runs", "variables", "clauses", "encode", "solved", *names, "mean"]
    best = frozenset(min(group)[1] for group in means.values())
    return ScoreTable("", note, headers, rows, len(columns), best)
