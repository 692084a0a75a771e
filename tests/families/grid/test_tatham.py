"""Game IDs of Simon Tatham's puzzles, encoded here from published puzzles as the games write them, without the reader."""

import json
import re
from dataclasses import replace
from pathlib import Path

import pytest

from cnfgen_puzzles.common.addresses import GAMES
from cnfgen_puzzles.common.sources import open_source
from cnfgen_puzzles.families.detection import detect_family
from cnfgen_puzzles.pipeline.api import unique

PUBLISHED = json.loads(Path(__file__).with_name("pzpr-boards.json").read_text())
LETTERS = "abcdefghijklmnopqrstuvwxyz"


def read(address):
    source = open_source(address)
    return detect_family(source).read(source)


def published(genre):
    return read(f"{genre}/{PUBLISHED[genre]['url']}")


def flat(rows):
    return [value for row in rows for value in row]


def gaps(values, sign, between=""):
    """Clues by their signs; a run of empty cells as a letter, and `between` two clues that follow each other."""
    text = between.join(sign(value) if value != -1 else " " for value in values)
    text = re.sub(f"{between} |{' ' + between}" if between else "$^", " ", text)
    return re.sub(" +", lambda run: "z" * (len(run[0]) // 26) + (" " + LETTERS)[len(run[0]) % 26].strip(), text)


def encoded(game, puzzle):
    """The game ID of a puzzle without question marks other than those that the game has."""
    size, values = f"{puzzle.width}x{puzzle.height}", flat(puzzle.numbers)
    if game in ("range", "rect", "solo"):
        return ("2x2" if game == "solo" else size) + ":" + gaps(values, str, "_")
    if game == "bridges":
        return f"{size}m2:" + gaps(values, lambda n: "0123456789ABCDEFG"[n])
    if game == "lightup":
        return f"{size}b20s4d0:" + gaps(values, lambda n: "B" if n == -2 else str(n))
    if game == "slant":
        return f"{size}de:" + gaps(flat(puzzle.corners), str)
    if game == "pearl":
        return f"{size}dt:" + gaps(values, lambda n: ".WB"[n])
    if game == "singles":
        return f"{size}de:" + "".join(f"{n:x}" for n in values)
    if game == "towers":
        return f"{puzzle.width}de:" + "/".join(map(shown, flat(puzzle.outside)))
    if game == "tents":
        runs = "".join(str(int(n == 1)) for n in values) + "1"
        headings = [*puzzle.outside[0], *puzzle.outside[2]]
        return (
            f"{size}de:"
            + re.sub("0*1", lambda run: ("_" + LETTERS)[len(run[0]) - 1], runs)
            + "".join(f",{n}" for n in map(shown, headings))
        )
    if game == "unruly":
        return f"{size}udt:" + re.sub(
            "0*[12]",
            lambda run: getattr(LETTERS[len(run[0]) - 1], "lower" if run[0][-1] == "1" else "upper")(),
            "".join(str(max(n, 0)) for n in values) + "1",
        )
    if game == "galaxies":
        points = "".join(str(point % 3) for point in flat(puzzle.points)).rstrip("0")
        return f"{size}dn:" + re.sub(
            "0*[12]", lambda run: getattr(LETTERS[len(run[0]) - 1], "lower" if run[0][-1] == "1" else "upper")(), points
        )
    return f"{size}{'t0de' * (game == 'loopy')}:" + gaps(values, str)


def shown(number):
    return str(number) if number >= 0 else ""


def playable(game):
    """The published puzzle without what the game does not have: holes, and question marks."""
    puzzle = published(GAMES[game])
    if game == "galaxies":
        puzzle = replace(puzzle, points=tuple(tuple(point % 3 for point in row) for row in puzzle.points))
    return puzzle


@pytest.mark.parametrize("game", GAMES)
def test_an_encoded_puzzle_is_read_as_it_was(game):
    puzzle = playable(game)
    assert read(f"{game}:{encoded(game, puzzle)}") == puzzle
    assert read(f"https://www.chiark.greenend.org.uk/~sgtatham/puzzles/js/{game}.html#{encoded(game, puzzle)}") == puzzle


def test_a_game_by_hand():
    puzzle = read("loopy:5x5t0de:2b1b2b1b2b3b3b0b3")
    assert puzzle == published("slither") and unique(puzzle).verdict == "one"
    assert read("range:5x5:c7a5_2r").numbers[:2] == ((-1, -1, -1, 7, -1), (5, 2, -1, -1, -1))
    trees = read("tents:3x2:_ca,1,0,1,1,1")
    assert trees.numbers == ((1, -1, -1), (-1, 1, -1)) and trees.outside[0] == (1, 0, 1) and trees.outside[2] == (1, 1)
    assert read("towers:2:1/2/2/1/1/2/2/1,1c") == read("skyscrapers/2/2/122112211i")
    assert read("solo:2x3:zj").width == 6
