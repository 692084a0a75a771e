"""Draw the pictures of the README, light and dark, for `make pictures`: solved boards, a run, and the results of `make bench`.

The same boards and results give the same files, in docs/pictures/.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
from collections.abc import Sequence
from html import escape
from pathlib import Path

import cnfgen_puzzles as cp
from cnfgen_puzzles.bench.analyse.results import read_results
from cnfgen_puzzles.bench.show.drawing import charts
from cnfgen_puzzles.bench.show.plots import render

REPOSITORY = Path(__file__).resolve().parents[2]
INSTANCES = REPOSITORY / "instances"
PICTURES = REPOSITORY / "docs" / "pictures"

BOARDS = (
    ("nonogram", "nonogram/owl.nin", "svg", "nonogram", 0),
    ("tiling", "tiling/pentominoes-8x8-centre.yaml", "svg", "twelve pentominoes", 0),
    ("tiling", "tiling/tetrahexes-4x7.yaml", "svg", "seven tetrahexes", 0),
    ("tiling", "tiling/soma-cube.yaml", "isometric", "Soma cube", 228),
)
"""Family, puzzle, view, caption, and the width of the visible part of the drawing, if not all (the cube without its layers)."""
HEIGHT, GAP, WIDTH = 220, 24, 1.6
"""The height of each board, the gap between boards, and the largest ratio of width to height."""
PAPER = {"light": "#fdfcf9", "dark": "#16181d"}
DARKEST, LIGHTEST = 28, 228
"""The range of gray values on dark paper."""
INK = {"light": "#3a3a44", "dark": "#d4d4dc"}
FONT = 'font-family="DejaVu Sans, Verdana, Helvetica, Arial, sans-serif"'
MONO = 'font-family="DejaVu Sans Mono, Menlo, Consolas, monospace"'

RUN = (
    ["cat heart.nin"],
    [
        "solve-puzzle heart.nin --unique --quiet",
        "solve-puzzle tiling --board 3x20 --pieces pentominoes --quiet",
        "solve-puzzle tiling --board 3x20 --pieces pentominoes --count --quiet",
    ],
)
"""The content of the terminal picture: panels of commands, which run in the folder of nonograms."""
LINE, LETTER = 17, 7.83
"""Distances in points between lines and between letters."""


def dark(svg: str) -> str:
    """The drawing for dark paper: gray values are inverted, colors stay."""

    def turned(match: re.Match[str]) -> str:
        red, green, blue = (int(match[1][k : k + 2], 16) for k in (0, 2, 4))
        if max(red, green, blue) - min(red, green, blue) > 24:
            return match[0]
        grey = round(DARKEST + (LIGHTEST - DARKEST) * (1 - (red + green + blue) / 765))
        return f"#{grey:02x}{grey:02x}{grey:02x}"

    return re.sub(r"#([0-9a-f]{6})\b", turned, svg.replace(PAPER["light"], PAPER["dark"][1:])).replace(
        f'"{PAPER["dark"][1:]}"', f'"{PAPER["dark"]}"'
    )


def size_of(svg: str) -> tuple[float, float]:
    """The width and the height of a drawing."""
    found = re.search(r'viewBox="0 0 ([\d.]+) ([\d.]+)"', svg)
    assert found, "every view has a viewBox"
    return float(found[1]), float(found[2])


def boards(theme: str) -> str:
    """Solved boards of several kinds in a row, at the same height."""
    parts, x = [], GAP
    for family, file, view, name, cut in BOARDS:
        puzzle = cp.read(INSTANCES / file, family=family)
        board = cp.solve(puzzle).board
        svg = cp.draw(puzzle, board, view)
        assert isinstance(svg, str)
        inner = dark(svg) if theme == "dark" else svg
        width, height = size_of(svg)
        if cut:
            inner, width = inner.replace(f'viewBox="0 0 {width:g} ', f'viewBox="0 0 {cut} '), cut
        shown = min(HEIGHT * width / height, HEIGHT * WIDTH)
        y = GAP + (HEIGHT - shown * height / width) / 2
        parts.append(
            re.sub(
                r'<svg (.*?)width="[\d.]+" height="[\d.]+"',
                rf'<svg \1x="{x:.0f}" y="{y:.0f}" width="{shown:.0f}" height="{shown * height / width:.0f}"',
                inner,
                count=1,
            )
        )
        parts.append(f'<text x="{x + shown / 2:.0f}" y="{HEIGHT + 2 * GAP}" text-anchor="middle">{escape(name)}</text>')
        x += round(shown) + GAP
    return page(x, HEIGHT + 2 * GAP + 14, theme, f'<g {FONT} font-size="15" fill="{INK[theme]}">', parts)


def page(width: float, height: float, theme: str, group: str, parts: Sequence[str]) -> str:
    """An SVG file with a background, so that it is readable on any page."""
    lines = "\n".join(parts)
    size = f'width="{width:.0f}" height="{height:.0f}" viewBox="0 0 {width:.0f} {height:.0f}"'
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" {size}>\n'
        f'<rect width="100%" height="100%" rx="8" fill="{PAPER[theme]}"/>\n{group}\n{lines}\n</g>\n</svg>\n'
    )


def printed(command: str) -> list[str]:
    """The output lines of a command."""
    done = subprocess.run(command, shell=True, cwd=INSTANCES / "nonogram", capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(f"{command}: exit code {done.returncode}\n{done.stderr}")
    return done.stdout.rstrip("\n").splitlines()


def terminal(theme: str) -> str:
    """Commands and their output as in a terminal, one panel next to another."""
    panels = [[line for command in commands for line in (f"$ {command}", *printed(command), "")][:-1] for commands in RUN]
    parts, x = [], GAP
    accent = {"light": "#00695c", "dark": "#80cbc4"}[theme]
    for lines in panels:
        for number, line in enumerate(lines):
            fill = f' fill="{accent}"' if line.startswith("$ ") else ""
            parts.append(f'<text x="{x:.0f}" y="{GAP + 10 + number * LINE}"{fill} xml:space="preserve">{escape(line)}</text>')
        x += max(map(len, lines)) * LETTER + 2 * GAP
    height = max(map(len, panels)) * LINE + GAP + 10
    return page(x - GAP, height, theme, f'<g {MONO} font-size="13" fill="{INK[theme]}">', parts)


def cactus(results: Path, theme: str) -> str:
    """The cactus plot of all families, by solver."""
    plots = charts(read_results([results]).records, kinds=["cactus"])
    return slimmer(render(plots[0], "svg", dark=theme == "dark").decode())


def slimmer(svg: str) -> str:
    """The picture without descriptions for screen readers, and with coordinates rounded to a tenth."""
    svg = re.sub(r' (?:aria-[a-z]+|role|pointer-events)="[^"]*"', "", svg)
    return re.sub(r"<[^>]+>", lambda tag: re.sub(r"-?\d+\.\d\d+", lambda found: f"{round(float(found[0]), 1):g}", tag[0]), svg)


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--results", type=Path, default=REPOSITORY / "results" / "default", help="of `make bench`")
    arguments.add_argument("--only", choices=["boards", "run", "cactus"], action="append")
    given = arguments.parse_args()
    if (not given.only or "cactus" in given.only) and not (given.results / "runs.jsonl").exists():
        sys.exit(f"{given.results} has no results: `make bench` makes them")
    PICTURES.mkdir(exist_ok=True)
    makers = {"boards": boards, "run": terminal, "cactus": lambda theme: cactus(given.results, theme)}
    for name, make in makers.items():
        for theme in PAPER if not given.only or name in given.only else ():
            path = PICTURES / f"{name}-{theme}.svg"
            path.write_text(make(theme), encoding="utf-8")
            print(f"{path.relative_to(REPOSITORY)}: {path.stat().st_size / 1000:.0f} kB")


if __name__ == "__main__":
    main()
