"""Every genre, and nonograms, against pzprjs: URLs, files, the verdict on each board, the only solution of each puzzle."""

import json
from pathlib import Path
from random import Random

import pytest

from cnfgen_puzzles.common.sources import Source
from cnfgen_puzzles.families import BUILT_IN, find_family
from cnfgen_puzzles.families.links.pzprfile import answer_in, read_file
from cnfgen_puzzles.families.squares import components
from cnfgen_puzzles.pipeline.api import unique

GENRES = [name for name, module in BUILT_IN.items() if ".grid." in module]

UNSEEN = {"bdDeadEnd"}
"""Rules of drawings that boards cannot break: a board of regions has no walls within a region."""

COMPLETE = {"fillomino"}
"""Genres whose boards are tried only if they are complete: pzprjs draws walls on others, which ours do not have."""


@pytest.fixture(scope="module")
def published():
    """Puzzles and boards of pzprjs (MIT license, in LICENSE-pzprjs.txt), by genre; of genres that pzprjs lacks, our own."""
    return json.loads(Path(__file__).with_name("pzpr-boards.json").read_text())


def puzzle_of(name, published):
    return find_family(name).read(Source("url", f"{name}/{published[name]['url']}\n".encode(), ""))


@pytest.mark.parametrize("name", [*GENRES, "nonogram"])
def test_urls_and_files_are_written_as_they_were_read(published, name):
    genre, puzzle = find_family(name), puzzle_of(name, published)
    assert genre.write(puzzle, "url") == f"{name}/{published[name]['url']}\n"
    again = genre.read(Source("file", genre.write(puzzle, "pzprv3").encode(), ""))
    assert again == puzzle
    assert genre.puzzle_from_json(json.loads(json.dumps(genre.puzzle_to_json(puzzle)))) == puzzle


@pytest.mark.parametrize("name", GENRES)
def test_each_board_breaks_the_rule_that_pzprjs_names(published, name):
    genre, seen = find_family(name), []
    for entry in published[name]["boards"]:
        text = entry["board"].replace("/", "\n")
        flagged = (text.split("\n") + [""] * 5)[4] in genre.variants
        if (entry.get("variant") and not flagged) or entry["verdict"] in UNSEEN or text.split("\n")[1] != name:
            continue
        size, found = read_file(text, name, (*genre.older, genre.file), genre.variants)
        parts = {part[:-1]: part[-1] for part in answer_in(found)}
        blank = Source("url", f"{name}/{size.width}/{size.height}\n".encode(), "")
        puzzle = genre.puzzle(*size, **found) if found else genre.read(blank)
        board = genre.board_of(puzzle, parts)
        if name in COMPLETE and any(value <= 0 for row in board for value in row):
            continue
        seen.append((entry["verdict"], next(iter(genre.broken(puzzle, board)), "right")))
    assert seen
    assert [verdict for verdict, _ in seen] == [mine for _, mine in seen]


@pytest.mark.parametrize("name", GENRES)
def test_any_answer_breaks_listed_rules_only(published, name):
    """Random answers with the values of the judged ones; `broken` looks up each code in `rules`."""
    genre, chance, drawn = find_family(name), Random(name), []
    for entry in published[name]["boards"]:
        text = entry["board"].replace("/", "\n")
        if entry.get("variant") or text.split("\n")[1] != name:
            continue
        size, found = read_file(text, name, (*genre.older, genre.file))
        drawn.append((size, {part[:-1]: part[-1] for part in answer_in(found)}, found))
    values = {len(place): {value for _, parts, _ in drawn for other, value in parts.items() if len(other) == len(place)}
              for _, parts, _ in drawn for place in parts}  # fmt: skip
    for size, parts, found in drawn:
        puzzle = (
            genre.puzzle(*size, **found)
            if found
            else genre.read(Source("url", f"{name}/{size.width}/{size.height}\n".encode(), ""))
        )
        for share in (0.1, 0.3, 0.6, 1):
            other = {p: chance.choice(sorted(values[len(p)])) if chance.random() < share else v for p, v in parts.items()}
            assert set(genre.broken(puzzle, genre.board_of(puzzle, other), other)) <= set(genre.rules.split())


def test_each_board_of_a_nonogram_is_right_where_pzprjs_says_so(published):
    family = find_family("nonogram")
    for entry in published["nonogram"]["boards"]:
        text = entry["board"].replace("/", "\n")
        puzzle = family.read(Source("file", text.encode(), ""))
        board = tuple(tuple(cell or 0 for cell in row) for row in puzzle.saved[0]) if puzzle.saved else family.blank(puzzle)
        assert (family.check(puzzle, board) == []) == (entry["verdict"] == "right")
        assert family.write(puzzle, "pzprv3") == text


@pytest.mark.sample(14)
@pytest.mark.parametrize("name", [*GENRES, "nonogram"])
def test_each_puzzle_of_pzprjs_has_one_solution_by_each_encoding(published, name):
    genre, puzzle = find_family(name), puzzle_of(name, published)
    answers = [unique(puzzle, encoding=encoding) for encoding in genre.encodings]
    assert [answer.verdict for answer in answers] == ["one"] * len(answers)
    assert len({answer.boards[0] for answer in answers}) == 1


@pytest.mark.parametrize("name", GENRES)
def test_text_shows_the_rooms(published, name):
    genre, puzzle = find_family(name), puzzle_of(name, published)
    text = genre.views["text"].draw(puzzle, genre.blank(puzzle)).splitlines()
    if not puzzle.rooms:
        assert "rooms" not in {codec.field for codec in genre.url}
        return
    first = next(k for k, line in enumerate(text) if line.lstrip().startswith("·"))
    lines = [line[text[first].index("·") :] for line in text[first:]]

    def reached(cell):
        ways = [(1, 0, "─"), (-1, 0, "─"), (0, 1, "│"), (0, -1, "│")]
        return [(cell[0] + r, cell[1] + c) for r, c, wall in ways if lines[2 * cell[0] + 1 + r][4 * cell[1] + 2 + 2 * c] != wall]

    assert sorted(map(sorted, components(puzzle.cells, reached))) == sorted(map(sorted, puzzle.room_cells()))
