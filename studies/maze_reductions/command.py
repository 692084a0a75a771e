"""List the reductions of the mazes of a grid: the number of mazes that each leaves, and its proof.

    python scripts/studies/maze_reductions.py --kind thin --size 3x3 [--reduce all]

`--reduce` names the steps, as for gen-cnf: `article` (default), `all`, `none`, or names separated by commas. The complete
arguments: `cnfgen_puzzles/families/maze/sets.py`. With `all`, blocked mazes that another one dominates are removed as well.
"""

from __future__ import annotations

import argparse
import textwrap
from collections.abc import Sequence

from tabulate import tabulate

from cnfgen_puzzles.families.maze.model import KINDS, THIN
from cnfgen_puzzles.families.maze.sets import ARTICLE, chosen_steps, step_names
from cnfgen_puzzles.families.options import SIZE_HELP
from studies.maze_reductions.counts import effects_of

WIDTH = 90
"""The width of the arguments, in characters."""

FACTS = (
    "(a) if a string fails, some cell that is not the start is never visited; whatever changes only behind it changes no move",
    "(b) on a path no move lets two walks pass each other",
)


def main(words: Sequence[str] | None = None) -> int:
    """The exit code. Raises CnfgenError for what cannot be."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kind", choices=KINDS, required=True)
    parser.add_argument("--size", required=True, help=SIZE_HELP)
    parser.add_argument("--reduce", default=ARTICLE, help=f"({ARTICLE})")
    arguments = parser.parse_args(words)
    print(table(arguments.kind, arguments.size, arguments.reduce))
    return 0


def table(kind: str, size: str, reduce: str) -> str:
    """The effect of each step, and the steps that were not requested."""
    found = effects_of(kind, size, reduce)
    before = [None, *(effect.left for effect in found[:-1])]
    rows = [
        (effect.step, effect.left, was and effect.left - was, textwrap.fill(effect.argument, WIDTH))
        for was, effect in zip(before, found, strict=True)
    ]
    text = tabulate(rows, headers=["step", "left", "change", "proof"], intfmt=",")
    if kind == THIN:
        text += "\n\n" + "\n".join(FACTS)
    done = chosen_steps(kind, reduce)
    omitted = [name for name in step_names(kind) if name not in done]
    return text + (f"\n\nnot done: {', '.join(omitted)} (--reduce all)" if omitted else "")
