"""Half-filled boards: the boards found are those of an enumeration that agree, in all genres; wrong boards name the rule."""

import json
from itertools import islice
from pathlib import Path
from random import Random

import pytest
from exhaustive import gridranges
from exhaustive.comparing import Case, Comparison, alone

from cnfgen_puzzles.common.errors import InputError
from cnfgen_puzzles.common.sources import Source
from cnfgen_puzzles.families import GENRES, find_family
from cnfgen_puzzles.families.grid.layer.givens import KNOWN
from cnfgen_puzzles.pipeline.api import encode, mus, read, solve

PUBLISHED = json.loads(Path(__file__).with_name("pzpr-boards.json").read_text())
TRIED, COMPARED = 600, 6
"""How many random puzzles are drawn at most, and how many half-filled boards are compared for each genre."""


def with_known(puzzle, parts):
    known = [[*place, value] for place, value in sorted(parts)]
    return puzzle.family.puzzle_from_json({**puzzle.family.puzzle_to_json(puzzle), "known": known})


def some_parts(genre, board, chance):
    share = chance.choice((0.1, 0.3, 0.6))
    return [part for part in sorted(genre.parts_of(board).items()) if chance.random() < share]


def agrees(genre, board, parts):
    every = genre.parts_of(board)
    return all(every.get(place) == value for place, value in parts)


def half_filled(name):
    """Random small puzzles with random values of one of their solutions, or of any board."""
    genre, chance, found = find_family(name), Random(f"known {name}"), 0
    for _ in range(TRIED):
        drawn = gridranges.drawn_puzzle(genre, chance)
        if drawn is None or not drawn.solutions:
            continue
        boards = sorted(drawn.solutions) if chance.random() < 0.7 else list(islice(gridranges.boards(genre, drawn.puzzle), 200))
        if parts := some_parts(genre, chance.choice(boards), chance):
            found += 1
            yield genre, drawn, with_known(drawn.puzzle, parts), parts
        if found == COMPARED:
            break
    assert found


@pytest.mark.sample(5)
@pytest.mark.parametrize("name", GENRES)
def test_the_boards_are_those_that_agree_with_the_known_values(name):
    """By every encoding."""
    for genre, drawn, puzzle, parts in half_filled(name):
        expected = frozenset(board for board in drawn.solutions if agrees(genre, board, parts))
        case = Case(puzzle, lambda boards=expected: boards, alone)
        for encoding in genre.encodings.values():
            Comparison(genre, gridranges.RANGES[name][-1], case).compare(encoding, {})
        assert all(genre.check(puzzle, board) for board in drawn.solutions - expected)


@pytest.mark.sample(5)
@pytest.mark.parametrize("name", GENRES)
def test_values_that_contradict_are_minimal(name):
    """No solution of the clues has the values of a set, some solution has them without any one."""
    for genre, drawn, puzzle, parts in half_filled(name):
        if any(agrees(genre, board, parts) for board in drawn.solutions):
            continue
        result = mus(puzzle, proof=False)
        assert result.sets and result.alone == "SATISFIABLE"
        for each in result.sets:
            chosen = [parts[number] for number in each.numbers]
            assert each.minimal and not any(agrees(genre, board, chosen) for board in drawn.solutions)
            for part in chosen:
                rest = [other for other in chosen if other != part]
                assert any(agrees(genre, board, rest) for board in drawn.solutions)


# -- boards of pzprjs ---------------------------------------------------------------------------------------------------------


def answers(name):
    """The puzzles and answers of pzprjs, with their verdicts."""
    for entry in PUBLISHED[name]["boards"]:
        if not entry.get("variant") and entry["board"].startswith(f"pzprv3/{name}/"):
            text = entry["board"].replace("/", "\n")
            if text.count("\n") > 4:
                yield entry["verdict"], find_family(name).read(Source("answer.txt", text.encode(), ".txt"))


def chosen(puzzle):
    return puzzle.family.puzzle_from_json(
        {**puzzle.family.puzzle_to_json(puzzle), "known": [list(part) for part in puzzle.saved]}
    )


UNSEEN = {"bdDeadEnd"}
"""Rules of drawings that boards cannot break (`test_genres.py`)."""


@pytest.mark.parametrize("name", GENRES)
def test_wrong_answers_name_the_rule(name):
    genre = find_family(name)
    for verdict, puzzle in answers(name):
        if verdict != "right" and verdict not in UNSEEN and puzzle.saved and name != "fillomino":
            known = chosen(puzzle)
            code, sentence = next(iter(genre.broken(known, genre.board_of(known, known.parts), known.parts).items()))
            assert code == verdict
            assert KNOWN.remark(known).splitlines()[1].strip() == sentence


# -- drawings and files ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", GENRES)
def test_a_drawing_of_a_part_of_the_solution(name):
    """Two of three signs of the solution in JSON, the others unknown."""
    genre = find_family(name)
    source = Source("url", f"{name}/{PUBLISHED[name]['url']}\n".encode(), "")
    board = solve(genre.read(source), proof=False).board
    rows = [row.replace(" ", ".") for row in genre.board_to_json(genre.read(source), board)["rows"]]
    drawn = ["".join(sign if (r + c) % 3 else "?" for c, sign in enumerate(row)) for r, row in enumerate(rows)]
    puzzle = genre.read(source, known=f"|{'|'.join(drawn)}|")
    assert puzzle.known and not genre.check(puzzle, board)
    assert solve(puzzle, proof=False).board == board
    assert genre.puzzle_from_json(json.loads(json.dumps(genre.puzzle_to_json(puzzle)))) == puzzle
    assert genre.views["svg"].draw(puzzle, genre.blank(puzzle), None)


LOOP = "pzprv3\nslither\n1\n2\n. 3\n1 -1 0\n0 0\n1 1\n"


@pytest.mark.parametrize(
    "known, told",
    [
        ("..\n..\n", "found 2 cells, expected 3 as in the puzzle"),
        ("\n┌??\n", "half.txt:2: found 1 rows, expected 2"),
        ("┌??\n???\n???\n", "half.txt:3: found 3 rows, expected 2"),
        ("┌??\n?x?\n", "half.txt:2: found 'x', expected only . ╵"),
        ("┌??\n.??\n", "half.txt:1: found lines at row 1, column 1 that lead to a neighbor without them"),
        ("┘??\n???\n", "half.txt:1: found lines at row 1, column 1 that lead to a neighbor without them"),
        (LOOP.replace(". 3", ". 2"), "half.txt: found the answer of another puzzle, expected one of loop.txt"),
        (LOOP.replace("slither", "mashu"), "half.txt: found ['pzprv3', 'mashu', '1', '2'], expected pzprv3, slither"),
        (LOOP.replace("-1", "5"), "half.txt: lines 6 to 8: found '5', expected -1, 0, 1, or 2"),
        (LOOP.replace("0 0", "0"), "half.txt: line 7: found 1 entries, expected 2"),
    ],
)
def test_errors_name_the_line(known, told, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "loop.txt").write_text(LOOP)
    (tmp_path / "half.txt").write_text(known)
    with pytest.raises(InputError) as error:
        read("loop.txt", known="half.txt")
    assert told in str(error.value)


def test_the_formula_without_known_values_does_not_change(tmp_path):
    (tmp_path / "loop.txt").write_text(LOOP)
    plain, saved = read(tmp_path / "loop.txt"), read(tmp_path / "loop.txt", known="saved")
    assert plain.saved == saved.known == ((0, 0, 1, 0, 1), (0, 1, 1, 1, 0), (1, 0, 1, 1, 1), (1, 1, 1, 2, 1))
    assert "saved" not in plain.family.puzzle_to_json(plain) and "known" not in plain.family.puzzle_to_json(plain)
    first, second = encode(plain).cnf.literals, encode(saved).cnf.literals
    assert second[: len(first)] == first and len(second) > len(first)


@pytest.mark.parametrize("part", [[0, 0], [2, 0, 1], [0, 0, 1, 1, 1], [0, 0, 0, 1, 3], [0, 2, 0, 3, 1], [0, 1, 0, 0, 1]])
def test_json_with_wrong_known_values_is_refused(part):
    genre = find_family("slither")
    with pytest.raises(ValueError, match="known value"):
        genre.puzzle_from_json({"height": 1, "width": 2, "numbers": [[-1, 3]], "known": [part]})


def test_a_file_without_an_answer_has_no_saved_values(tmp_path):
    (tmp_path / "loop.txt").write_text(LOOP.partition("1 -1")[0])
    with pytest.raises(InputError, match="found no answer, expected a file of pzpr with one"):
        read(tmp_path / "loop.txt", known="saved")
