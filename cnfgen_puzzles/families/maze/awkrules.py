"""The rules of universal maze strings as a short program for awk, for certificates: it walks through every maze by itself.

Where the string solves all mazes of its grid the program makes these itself, without any reduction; else those of the puzzle
stand in it. It reads the string.
"""

from __future__ import annotations

from cnfgen_puzzles.families.maze.model import THIN, maze_text
from cnfgen_puzzles.families.maze.puzzle import MazeString
from cnfgen_puzzles.families.maze.sets import reduced

MOST_SETS = {True: 1 << 12, False: 1 << 16}
"""So many sets of walls (thin), or of blocked cells, are walked through: a few seconds."""
MOST_LISTED = 20_000

COMMON = """\
BEGIN { kind = "@KIND@"; height = @HEIGHT@; width = @WIDTH@; pattern = "@PATTERN@"; goal = height * width - 1 }
function wrong(what) { if (++bad <= 5) print what }
function walk(start,    i, cell) { # the cells that the string visits
    split("", seen); seen[cell = start]
    for (i = 1; i <= length(string); i++) { cell = to[cell, way[i]]; seen[cell] }
}
function reach(start,    queue, first, d, c) { # the cells that any string could visit
    split("", within); within[start]; queue[reached = 1] = start
    for (first = 1; first <= reached; first++) for (d = 1; d <= 4; d++) {
        c = to[queue[first], d]
        if (!(c in within)) { within[c]; queue[++reached] = c }
    }
}
function judge(start, told,    c) { # blocked: the goal must be visited if it can be; thin: all that can be
    reach(start)
    if (kind == "blocked" && !(goal in within)) return
    mazes++; walk(start)
    if (kind == "blocked") { if (!(goal in seen)) wrong(told ": the goal is not visited") }
    else for (c in within) if (!(c in seen)) { wrong(told ": cell " c " is not visited"); break }
}
function pass(a, b, d) { to[a, d] = b; to[b, (d + 1) % 4 + 1] = a } # ways: 1 north, 2 east, 3 south, 4 west
function closed(    c, d) { for (c = 0; c <= goal; c++) for (d = 1; d <= 4; d++) to[c, d] = c }
NR == 1 { string = $0 }
END {
    if (NR != 1 || string !~ /^[NESW]*$/ || length(string) != length(pattern)) wrong("no string of " length(pattern) " letters")
    for (i = 1; i <= length(pattern); i++) {
        letter = substr(pattern, i, 1); way[i] = index("NESW", substr(string, i, 1))
        if (letter != "*" && letter != substr(string, i, 1)) wrong("letter " i " is not " letter ", as the pattern says")
    }
    if (bad) exit 1
@MAZES@
    if (mazes) print "    " mazes " mazes walked through"
    exit bad > 0
}
"""

ALL_BLOCKED = """\
    for (set = 0; set < 2 ^ (goal - 1); set++) { # cells 1 .. goal-1 of each set are blocked; the walk begins in cell 0
        closed(); open[0]; for (c = 1; c < goal; c++) { delete open[c]; if (int(set / 2 ^ (c - 1)) % 2 == 0) open[c] }
        open[goal]
        for (c = 0; c <= goal; c++) if (c in open) {
            if ((c + 1) % width && (c + 1) in open) pass(c, c + 1, 2)
            if (c + width <= goal && (c + width) in open) pass(c, c + width, 3)
        }
        judge(0, "maze of the set " set)
    }"""

ALL_THIN = """\
    for (c = 0; c <= goal; c++) { # the places where a wall may stand
        if ((c + 1) % width) { from[++edges] = c; onto[edges] = c + 1; turn[edges] = 2 }
        if (c + width <= goal) { from[++edges] = c; onto[edges] = c + width; turn[edges] = 3 }
    }
    for (set = 0; set < 2 ^ edges; set++) {
        closed(); for (e = 1; e <= edges; e++) if (int(set / 2 ^ (e - 1)) % 2 == 0) pass(from[e], onto[e], turn[e])
        for (start = 0; start <= goal; start++) judge(start, "maze of the set " set ", start " start)
    }"""

LISTED = """\
@LIST@
    for (n = 1; n <= @COUNT@; n++) {
        closed(); split(maze[n], part, " "); split(part[1], rows, "/"); split(part[2], at, ",")
        for (r = 0; r < height; r++) for (k = 0; k < width; k++) {
            c = r * width + k; sign = substr(rows[r + 1], k + 1, 1)
            if (kind == "blocked") {
                if (sign == "." && k + 1 < width && substr(rows[r + 1], k + 2, 1) == ".") pass(c, c + 1, 2)
                if (sign == "." && r + 1 < height && substr(rows[r + 2], k + 1, 1) == ".") pass(c, c + width, 3)
            } else { # hexadecimal: 1 north, 2 east, 4 south, 8 west are open
                sides = index("123456789abcdef", sign)
                if (int(sides / 2) % 2) pass(c, c + 1, 2)
                if (int(sides / 4) % 2) pass(c, c + width, 3)
            }
        }
        judge(kind == "blocked" ? 0 : at[1] * width + at[2], "maze " n)
    }"""


def rules(puzzle: MazeString, string: str) -> tuple[str, str] | None:
    """The program, and the string for it; None for a great many mazes."""
    mazes = puzzle.mazes
    text = _all_of_grid(puzzle, string) or _listed(puzzle)
    if text is None:
        return None
    told = {"KIND": mazes.kind, "HEIGHT": mazes.grid.height, "WIDTH": mazes.grid.width, "PATTERN": puzzle.pattern, "MAZES": text}
    program = COMMON
    for name, value in told.items():
        program = program.replace(f"@{name}@", str(value))
    return HEADS[text in (ALL_BLOCKED, ALL_THIN)] + program, f"{string}\n"


HEADS = {
    True: "# Does the string solve every maze of this kind on this grid? The mazes are made here, one by one.\n",
    False: "# Does the string solve each of these mazes?\n",
}


def _all_of_grid(puzzle: MazeString, string: str) -> str | None:
    """What walks through all mazes of the grid, where they are few enough and the string solves them all: mostly it should."""
    mazes, thin = puzzle.mazes, puzzle.mazes.kind == THIN
    places = len(mazes.grid.edges) if thin else max(mazes.grid.cells - 2, 0)
    if 1 << places > MOST_SETS[thin] or mazes.grid.cells < 2:
        return None
    if not reduced(mazes.kind, mazes.grid, ()).solves_all(string):
        return None
    return ALL_THIN if thin else ALL_BLOCKED


def _listed(puzzle: MazeString) -> str | None:
    if len(puzzle.mazes) > MOST_LISTED:
        return None
    listed = "\n".join(f'    maze[{number}] = "{maze_text(maze)}"' for number, maze in enumerate(puzzle.mazes, start=1))
    return LISTED.replace("@LIST@", listed).replace("@COUNT@", str(len(puzzle.mazes)))
