"""Plots: their data against values computed by hand, the files, and the message if there is nothing to draw."""

from __future__ import annotations

import csv
import io
import json
import math
import random
import struct
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from cnfgen_puzzles.bench.analyse.alarms import judged
from cnfgen_puzzles.bench.analyse.rules import Rules
from cnfgen_puzzles.bench.analyse.scores import FLOOR, grid, named_groups
from cnfgen_puzzles.bench.analyse.statistics import compare, fit_power
from cnfgen_puzzles.bench.show.drawing import charts
from cnfgen_puzzles.bench.show.plots import (
    DARK,
    LIGHT,
    csv_of,
    render,
    scene,
    theme,
)
from cnfgen_puzzles.cli.bench.plot import command
from cnfgen_puzzles.common.errors import InputError

LIMIT = 10.0


def record(instance, solver, cpu, status="SATISFIABLE", *, family="nonogram", encoding="order", size=None, **more):
    key = json.dumps([family, instance, encoding, more.get("scramble"), solver, more.get("seed"), more.get("repetition", 1)])
    return {
        "record": 2, "key": key, "suite": "s", "family": family, "instance": instance, "encoding": encoding, "solver": solver,
        "size": {"cells": size} if size else {}, "cnf": {"variables": 10, "clauses": 7 * (size or 3)},
        "limits": {"cpu": LIMIT, "wall": 2 * LIMIT, "memory": None}, "status": status, "cpu": cpu, "wall": cpu + 1, **more,
    }  # fmt: skip


def small():
    """Two solvers and two encodings on three instances; `b` fails on the third."""
    return [
        record("x/p1.non", "a", 0.0, encoding="order", size=10),
        record("x/p2.non", "a", 0.5, encoding="order", size=20),
        record("x/p3.non", "a", 4.0, encoding="order", size=40),
        record("x/p1.non", "b", 0.2, encoding="order", size=10),
        record("x/p2.non", "b", 0.1, encoding="order", size=20),
        record("x/p3.non", "b", 10.01, "TIMEOUT", encoding="order", size=40),
        record("x/p1.non", "a", 0.4, encoding="direct", size=10),
        record("x/p2.non", "a", 9.0, "MEMOUT", encoding="direct", size=20),
    ]


def one(kind, records, name=None, **options):
    plots = [p for p in charts(records, kinds=[kind], **options) if name in (None, p.name)]
    assert len(plots) == 1
    return plots[0]


def test_cactus_counts_solved_runs_by_time():
    plot = one("cactus", small(), by="solver")
    lines = {s: [(r["solved"], r["seconds"], r["shown"]) for r in plot.data if r["solver"] == s] for s in "ab"}
    assert lines == {"a": [(1, 0.0, FLOOR), (2, 0.4, 0.4), (3, 0.5, 0.5), (4, 4.0, 4.0)], "b": [(1, 0.1, 0.1), (2, 0.2, 0.2)]}
    assert "6 of 8 runs are solved (CPU time, limit 10 s)" in plot.caption
    assert "Times below 1 ms are drawn at 1 ms (1 run)" in plot.caption


def test_survival_is_a_share_of_all_runs_of_a_line():
    plot = one("survival", small())
    shares = {(r["line"], r["seconds"]): r["share"] for r in plot.data}
    assert shares[("a order", 4.0)] == 1
    assert shares[("b order", 0.2)] == pytest.approx(2 / 3)
    assert shares[("a direct", 0.4)] == 1 / 2


def test_wall_time_has_its_own_values_and_limit():
    plot = one("scatter", small(), rules=Rules(time="wall"), compare=("a", "b"))
    assert [r["b_shown"] for r in plot.data] == [1.2, 1.1, 2 * LIMIT]
    assert "wall time, limit 20 s" in plot.caption


def test_scatter_pairs_runs_and_puts_failures_on_the_line():
    plot = one("scatter", small(), compare=("a", "b"))
    assert [(r["instance"], r["a_shown"], r["b_shown"], r["b_status"]) for r in plot.data] == [
        ("x/p1.non", FLOOR, 0.2, "SATISFIABLE"),
        ("x/p2.non", 0.5, 0.1, "SATISFIABLE"),
        ("x/p3.non", 4.0, LIMIT, "TIMEOUT"),
    ]
    assert "3 pairs on 3 instances: a is better on 2, b on 1 (below the diagonal), 0 are ties" in plot.caption
    assert "Times that differ by less than 0.01 s or 5% are ties" in plot.caption


def test_scatter_caption_counts_ties_as_scores_do():
    """Times that differ by less than the noise, in two encodings of ten instances, some of them on a disturbed machine."""
    times = random.Random(3)
    records = []
    for number in range(10):
        warnings = ["load 9 on 2 cores"] * (number % 3 == 0)
        for encoding in ("order", "direct"):
            base = times.choice([0.5, 0.002])
            for solver in "ab":
                cpu = base * times.choice([1, 1.03, 1.2, 2])
                status = times.choice(["SATISFIABLE"] * 4 + ["TIMEOUT"])
                records.append(record(f"x/p{number}.non", solver, cpu, status, encoding=encoding, warnings=warnings))
    found = compare(grid(records), "a", "b")
    caption = one("scatter", records, compare=("a", "b")).caption
    assert f"a is better on {found.wins}, b on {found.losses} (below the diagonal), {found.ties} are ties" in caption
    assert found.ties > 1 and found.wins and found.losses


def test_scatter_of_encodings():
    plot = one("scatter", small(), name="scatter-encodings-nonogram")
    assert [(r["solver"], r["instance"], r["a_shown"], r["b_shown"]) for r in plot.data] == [
        ("a", "x/p1.non", FLOOR, 0.4),
        ("a", "x/p2.non", 0.5, LIMIT),
    ]
    assert plot.title == "direct against order"


def test_of_several_seeds_the_median_is_compared():
    records = [record("p", "a", t, seed=i) for i, t in enumerate((1, 5, 3))] + [record("p", "b", 2.0)]
    records += [record("q", "a", t, s, seed=i) for i, (t, s) in enumerate(((1, "SATISFIABLE"), (9, "TIMEOUT"), (2, "TIMEOUT")))]
    records += [record("q", "b", 2.0)]
    assert [(r["a_shown"], r["a_status"]) for r in one("scatter", records, compare=("a", "b")).data] == [
        (3, "SATISFIABLE"),
        (LIMIT, "TIMEOUT"),
    ]


def test_box_rows():
    rows = {r["solver"]: r for r in one("box", small(), rules=Rules(par=3)).data}
    assert rows["b"]["solved"] == 2 and rows["b"]["median"] == 0.2 and rows["b"]["slowest"] == LIMIT
    assert rows["b"]["q1"] == pytest.approx(0.15)
    assert rows["b"]["par"] == pytest.approx((0.2 + 0.1 + 30) / 3)
    assert rows["a"]["par"] == pytest.approx((0 + 0.5 + 4 + 0.4 + 30) / 5)


def test_heat_orders_instances_by_hardness():
    plot = one("heat", small())
    cells = {(r["name"], r["column"]): r["status"] for r in plot.data}
    assert len(plot.data) == 8 and cells[("p3", "order: b")] == "TIMEOUT"
    vertical = plot.chart.to_dict()["layer"][0]["encoding"]["y"]["scale"]["domain"]
    assert vertical == ["p1", "p2", "p3"]  # p2 and p3 each failed once, p3 took longer
    assert vertical == sorted(vertical, key=lambda n: sum(r["shown"] for r in plot.data if r["name"] == n))


def test_intervals_contain_the_true_exponent_at_their_level():
    source = random.Random(1)
    held = 0
    for _ in range(400):
        fit = fit_power([(n, 5e-4 * n**2 * math.exp(source.gauss(0, 0.5))) for n in (10, 20, 30, 50, 80, 130)])
        held += fit.low <= 2 <= fit.high
    assert 365 <= held <= 395  # 380 expected, standard deviation 4.4


def test_scaling_leaves_out_failures_and_repetitions():
    records = [record(f"p{n}", "a", 1e-4 * n**2, size=n, repetition=k) for n in (5, 10, 20, 40, 80) for k in (1, 2, 3)]
    records += [record("p300", "a", 10.0, "TIMEOUT", size=300), record("p2", "a", 0.0, size=2)]
    plot = one("scaling", records)
    assert {r["series"] for r in plot.data} == {"a: 2.00 [2.00, 2.00]"}
    assert [(r["size"], r["shown"]) for r in plot.data if not r["solved"]] == [(300, LIMIT)]
    assert len(plot.data) == 7
    assert plot.title == "Time against cells: nonogram, order"
    assert {r["size"] for r in one("scaling", records, size="clauses").data} == {7 * n for n in (2, 5, 10, 20, 40, 80, 300)}


def test_too_few_sizes_give_no_scaling_plot():
    assert charts([record("p", "a", 1, size=5), record("q", "a", 2, size=6)], kinds=["scaling"]) == []
    assert fit_power([(1, 1), (1, 2), (2, 2), (2, 3)]) is None


def test_an_unsat_answer_that_a_model_contradicts_is_not_solved():
    records = judged([record("p", "a", 1.0, verified=True), record("p", "liar", 0.1, "UNSATISFIABLE")])
    assert [r["solver"] for r in one("cactus", records, by="solver").data] == ["a"]


def test_bare_records_and_cnf_files():
    old = {"key": "k", "family": "cnf", "instance": "f.cnf", "encoding": None, "solver": "a", "status": "SATISFIABLE", "cpu": 0.1,
           "wall": 0.1}  # fmt: skip
    plots = charts([old])
    assert {p.name for p in plots} == {"cactus", "survival", "box", "heat"}
    assert plots[0].data[0]["encoding"] == "as given"
    assert all(p.chart.to_dict() for p in plots)


def test_no_records_no_charts():
    assert charts([]) == []


def test_every_chart_names_the_run_on_hover():
    """The rows have the text that the report shows on hover, and the layer of runs uses it."""
    plots = charts(small())
    assert len(plots) > 3
    for plot in plots:
        spec = plot.chart.to_dict()
        fields = {t["field"] for layer in spec["layer"] for t in layer.get("encoding", {}).get("tooltip", ())}
        assert {"instance", "encoding", "solver"} <= fields, plot.name
        assert {"seconds", "status"} <= fields or {"a_seconds", "a_status", "b_seconds", "b_status"} <= fields, plot.name
        shown = spec["datasets"][spec["data"]["name"]]
        assert all(fields - set(row) <= {"par", "q1", "median", "q3", "fastest", "slowest", "runs", "solved"} for row in shown)


def test_solvers_keep_their_colors_in_all_charts():
    records = small() + [record(f"t{n}", "c", 0.1 * n, family="tiling", encoding="product", size=n) for n in (1, 2, 3)]
    domains = set()
    for plot in charts(records, kinds=["cactus", "survival", "box"]):
        for layer in plot.chart.to_dict()["layer"]:
            hue = layer.get("encoding", {}).get("color", {})
            domains |= {tuple(hue["scale"]["domain"])} if "scale" in hue else set()
    assert domains == {scene(records).solvers}


def test_many_solvers_and_encodings_are_split_by_encoding():
    records = [record(f"p{i}", f"s{s}", 0.1 + s, encoding=e) for i in range(2) for s in range(9) for e in ("order", "a b=1")]
    assert [p.name for p in charts(records, kinds=["cactus"])] == ["cactus-a_b_1", "cactus-order"]


def test_limit_without_unsolved_runs_does_not_stretch_the_axis():
    layers = one("cactus", [record("p", "a", 0.01), record("q", "a", 0.02)], by="solver").chart.to_dict()["layer"]
    assert [layer["mark"]["type"] for layer in layers] == ["line", "point"]
    assert layers[0]["encoding"]["y"]["scale"]["domain"][1] < 0.1


# -- colors -----------------------------------------------------------------------------------------------------------------


def luminance(color):
    channels = [int(color[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return sum(weight * c for weight, c in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


def contrast(a, b):
    high, low = sorted((luminance(a), luminance(b)), reverse=True)
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize(("palette", "page"), [(LIGHT, "#ffffff"), (DARK, "#1b1b1b")])
def test_colors_are_seen_on_their_page(palette, page):
    assert all(contrast(color, page) > 2 for color in palette)
    assert contrast(theme(page != "#ffffff")["axis"]["labelColor"], page) > 7


# -- files ------------------------------------------------------------------------------------------------------------------

MAGIC = {"png": b"\x89PNG\r\n\x1a\n", "svg": b"<svg", "pdf": b"%PDF-"}


@pytest.mark.parametrize("form", MAGIC)
def test_files_have_their_formats(form):
    content = render(one("scatter", small(), compare=("a", "b")), form, title="Heading")
    assert content.startswith(MAGIC[form])
    if form == "svg":
        assert b"Heading" in content and b"limit 10 s" in content


def test_width_and_height_are_those_of_the_drawing_area():
    sizes = []
    for width in (200, 300):
        content = render(one("cactus", small(), by="solver", width=width, height=150), "png")
        sizes.append(struct.unpack(">II", content[16:24]))
    assert sizes[1][0] - sizes[0][0] == 200  # a PNG has two pixels a unit
    assert sizes[1][1] == sizes[0][1]


@pytest.mark.release
def test_the_same_results_give_the_same_bytes(tmp_path):
    """In this process twice, and in another process."""
    path = write(tmp_path / "runs.jsonl", small())
    code = (
        "import json, sys; from cnfgen_puzzles.bench.show.drawing import charts\n"
        "from cnfgen_puzzles.bench.show.plots import render\n"
        "for p in charts([json.loads(l) for l in open(sys.argv[1])], kinds=['cactus']):"
        " sys.stdout.write(render(p, 'svg').decode())"
    )
    other = subprocess.run([sys.executable, "-c", code, path], capture_output=True, check=True, text=True).stdout
    for _ in range(2):
        assert "".join(render(p, "svg").decode() for p in charts(small(), kinds=["cactus"])) == other


def test_csv_has_the_rows_of_the_plot():
    plot = one("cactus", small(), by="solver")
    rows = list(csv.DictReader(io.StringIO(csv_of(plot).decode())))
    assert [(r["solver"], int(r["solved"]), float(r["seconds"])) for r in rows][-2:] == [("b", 1, 0.1), ("b", 2, 0.2)]
    assert "mark" not in rows[0]


# -- the command ------------------------------------------------------------------------------------------------------------


def write(path: Path, records) -> Path:
    path.write_text("".join(json.dumps(r) + "\n" for r in records))
    return path


def call(*args):
    return CliRunner().invoke(command, [str(arg) for arg in args])


def test_command_writes_files_with_captions(tmp_path):
    write(tmp_path / "runs.jsonl", small())
    result = call(tmp_path, "--kind", "scatter,box", "--compare", "a", "b", "--format", "svg,png", "--data")
    assert result.exit_code == 0, result.output
    assert {p.name for p in (tmp_path / "plots").iterdir()} == {
        f"{n}.{e}" for n in ("scatter", "box") for e in ("svg", "png", "csv")
    }
    assert "a is better on 2" in result.output


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (["--kind", "cactis"], "did you mean cactus?"),
        (["--format", "gif"], "unknown format 'gif'"),
        (["--filter", "family=maze"], "found no runs that match the filters"),
        (["--kind", "scatter", "--compare", "a", "order"], "two solvers of a, b or two encodings of direct, order"),
        (["--kind", "scatter", "--compare", "a", "a"], "expected two solvers"),
        (["--size", "cell"], "did you mean cells?"),
        (["-o", "cactus.svg"], "expected a folder; use --format svg"),
        (["--filter", "solver=c"], "found no runs that match the filters"),
        (["--kind", "scatter", "--by", "solver", "--filter", "solver=a"], "allow no scatter plot, which needs two solvers"),
    ],
)
def test_mistakes_are_reported(tmp_path, args, words):
    result = call(write(tmp_path / "runs.jsonl", small()), "-o", tmp_path / "out", *args)
    assert isinstance(result.exception, InputError) and words in str(result.exception)


def test_solver_without_solved_runs_has_plots(tmp_path):
    records = [record(f"p{n}", "a", 10.0, "TIMEOUT", size=n) for n in (1, 2, 3, 4)]
    result = call(write(tmp_path / "runs.jsonl", records), "-o", tmp_path / "out")
    assert result.exit_code == 0, result.output
    assert {p.name for p in (tmp_path / "out").iterdir()} == {"box.png", "heat.png"}


def test_runs_of_one_instance_are_one_point_unless_asked_otherwise():
    made = [
        {"suite": "s", "family": "f", "instance": "i", "solver": "a", "status": status, "cpu": cpu, "wall": cpu, "seed": cpu,
         "scramble": cpu, "limits": {"cpu": 9}}
        for cpu, status in ((1, "SATISFIABLE"), (3, "SATISFIABLE"), (2, "TIMEOUT"))
    ]  # fmt: skip
    (cactus,) = charts(made, kinds=["cactus"])
    assert [(row["solved"], row["seconds"]) for row in cactus.data] == [(1, 3)], "the longer of the solved ones is in the middle"
    assert "1 of 1 points are solved" in cactus.caption and "Based on 3 runs of 1 formula (a 3)." in cactus.caption
    (cactus,) = charts(made, kinds=["cactus"], per_run=True)
    assert [row["seconds"] for row in cactus.data] == [1, 3] and "2 of 3 runs are solved" in cactus.caption


@pytest.mark.parametrize("by", [None, "solver", "encoding"])
def test_scaling_plots_never_mix_families(by):
    """A plot for each family and each feature `family`, with its own fit; none for CNF files of unknown families."""
    sizes = (2, 5, 10, 20, 40, 80)
    laws = {("cnf", "a"): 1, ("cnf", "b"): 2, ("nonogram",): 3, ("nonogram", "a"): 1.5}
    records = [record(f"p{n}", "s", 0.01 * n, family="cnf", encoding=None, size=n) for n in sizes]
    assert charts(records, kinds=["scaling"], by=by) == []
    for (family, *feature), exponent in laws.items():
        more = {"features": {"family": feature[0]}} if feature else {}
        encoding = None if family == "cnf" else "order"
        records += [
            record(f"{feature}{n}", "s", 1e-4 * n**exponent, family=family, encoding=encoding, size=n, **more) for n in sizes
        ]
    plots = {plot.title: plot for plot in charts(records, kinds=["scaling"], by=by)}
    assert len(plots) == len(laws)
    for (family, *feature), exponent in laws.items():
        encoding = "as given" if family == "cnf" else "order"
        measure = "clauses" if family == "cnf" else "cells"
        part = [family, *feature, *([] if by == "encoding" else [encoding])]
        plot = plots[f"Time against {measure}: {', '.join(part)}"]
        line = encoding if by == "encoding" else "s"
        assert {r["series"] for r in plot.data} == {f"{line}: {exponent:.2f} [{exponent:.2f}, {exponent:.2f}]"}
        assert len(plot.data) == len(sizes)


def test_groups_by_size_are_groups_of_families():
    records = [record(f"p{family}", "a", 1, family=family, size=50) for family in ("nonogram", "tiling")]
    assert named_groups(["size"], records) == ["family", "size"] == named_groups(["family", "size"], records)
    assert named_groups(["encoding"], records) == ["encoding"]
