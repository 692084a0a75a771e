"""Addresses of puzz.link and files of pzpr that users get wrong, and files of addresses."""

import json
import re
from dataclasses import replace
from pathlib import Path

import inprocess
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from repository import REPOSITORY

from cnfgen_puzzles.common.errors import InputError
from cnfgen_puzzles.common.sources import Source, open_source
from cnfgen_puzzles.families import BUILT_IN, REGISTERED, find_family
from cnfgen_puzzles.families.detection import detect_family
from cnfgen_puzzles.families.links import pzprfile
from cnfgen_puzzles.families.nonogram.puzzle import Nonogram

GENRES = [name for name, module in BUILT_IN.items() if ".grid." in module]
PUBLISHED = json.loads(Path(__file__).with_name("pzpr-boards.json").read_text())


def read(address):
    source = open_source(address)
    return detect_family(source).read(source)


@pytest.mark.parametrize(
    "address, told",
    [
        ("slither/5/5/cbcbcdda!", "character 21: found '!', expected a digit"),
        ("https://puzz.link/p?slither/5/5/cbcbcdda!", "character 41: found '!', expected a digit"),
        ("slither/5/5/cbcb", "character 17: the URL ends after 12 cells, expected 25 cells"),
        ("slither/5/5/cbcbcddad1", "character 22: found '1', expected the end"),
        ("nurikabe/5/5/zz", "character 15: found 'z', expected at most 25 cells"),
        ("hitori/2/2/12-z", "the URL ends after character 15, expected at least 16"),
        ("hitori/2/2/1/23", "character 13: found '/' after 1 cells, expected 4 cells"),
        ("mashu/3/3/00r", "character 13: found 'r', expected a digit to base 27"),
        ("heyawake/2/2/0w", "character 15: found 'w', expected a digit to base 32"),
        ("yajilin/2/2/1x", "character 14: found 'x', expected a digit to base 16"),
        ("tapa/2/2/fzi", "character 10: found 'f', expected a digit, a letter, a point, or a code of several numbers"),
        ("kakuro/2/2/k!1", "character 13: found '!', expected a sum"),
        ("creek/2/2/f", "character 11: found 'f', expected a digit, a letter but f"),
        ("starbattle/5/5/x/", "character 16: found 'x', expected a number of objects"),
        ("statuepark/2/2/00//q", "character 20: found 'q', expected a list of pieces"),
        ("statuepark/2/2/00/1/zz", "character 21: found 'zz', expected a piece"),
        ("tentaisho/2/2/!", "character 15: found '!', expected a digit to base 36"),
        ("slither/0/5/c", "character 9: found the width 0, expected 1 to 200"),
        ("slither/5/1000000000/c", "character 11: found the height 1000000000, expected 1 to 200"),
        (f"slither/5/{'9' * 5000}/c", "character 11: found the height 99999999999999999999, expected 1 to 200"),
        ("slither/v:/5/5/cbcbcddad", "character 9: found the variant 'v:' of slither"),
        ("slithr/5/5/c", "unknown genre 'slithr'; did you mean slither or lits?"),
        ("https://puzz.link/p?tapaloop/5/5/c", "found the genre tapaloop of puzz.link, whose addresses this package"),
        ("https://example.org/slither", "found another URL, expected GENRE/WIDTH/HEIGHT/BODY"),
        ("slither/x/5/5/c", "found the variant 'x' of slither, expected one of f"),
        ("slither/fx/5/5/c", "found the variant 'fx' of slither, expected one of f"),
        ("kurodoko/f/5/5/c", "found the variant 'f' of kurodoko, expected no variant"),
        ("country/f/5/5/c", "found the variant 'f' of country, expected one of e"),
        ("creek/d/2/2/000000000", "an old form of addresses of creek"),
        ("pzprv3/mashu/1/2/x/. ./0/", "line 5: found 1 entries, expected 2"),
        ("v:x/pzprv3/mashu/1/2/. ./0/", "line 1: found the variant 'v:x' of mashu"),
        ("solo:2x2k:p", "the URL ends after character 11"),
        ("loopy:5x5t1:a", "character 10: found 't1', expected the usual rules"),
        ("loopy:5x5:2b1b2b1b2b3b3b0b7", "character 27: found '7', expected a letter for a gap, or one of 01234"),
        ("loopy:5:a", "character 7: found '5', expected WIDTHxHEIGHT"),
        ("loopy:0x5:a", "character 7: found '0x5', expected sides from 1 to 200"),
        ("loopy:999999999x5:a", "character 7: found '999999999x5', expected WIDTHxHEIGHT"),
        ("loopy:2x2:c", "character 12: the URL ends after 3 cells, expected 4 cells"),
        ("loopy:2x2:e", "character 11: found 'e', expected at most 4 cells"),
        ("loopy:2x2:da", "character 12: found 'a', expected the end"),
        ("bridges:7x7m3:a", "character 12: found 'm3', expected the usual rules"),
        ("solo:4j:p,z", "character 11: found 'z', expected a gap that ends at wall 25"),
        ("solo:4j:p,1", "character 11: found '1', expected a gap from a to z or _"),
        ("unruly:6x6dt:a", "lines that may be equal"),
        ("unruly:2x2u:d", "found letters for 4 cells, expected 4, and one"),
        ("unruly:2x2u:f", "character 13: found 'f', expected at most 5 places"),
        ("tents:2x2:e,1,1,1,1", "character 11: found 'e', expected a gap that ends at cell 4"),
        ("tents:2x2:d,1,1,1", "the URL ends after character 17"),
        ("towers:2:1/2,1", "character 13: found ',', expected '/' between 8 numbers"),
        ("galaxies:2x2:zc", "character 15: found 'c', expected at most 9 places"),
        ("galaxies:2x2:Z", "character 14: found 'Z', expected a letter"),
        ("singles:2x2:12-4", "character 15: found '-', expected one of"),
        ("map:5x5:a", "unknown genre 'map'"),
        ("nonogram/3/2/1?", "character 15: found '?', expected a digit"),
        ("nonogram/1/1/00", "found a block of no cells"),
        ("nonogram/3/2/21", "character 16: the URL ends after 2 cells, expected 7 cells"),
        ("nonogram/3/201", "character 12: found the height 201, expected 1 to 200"),
        ("pzprv3/nonogram/1/1/. 1/1/", "line 6: found 1 entries, expected 2"),
        ("pzprv3/nonogram/1/1/. x/1 ./", "lines 5 to 6: found 'x' beside the board, expected a number"),
    ],
)
def test_errors_name_the_character_what_was_found_and_what_was_expected(address, told):
    with pytest.raises(InputError) as caught:
        read(address)
    assert told in str(caught.value) and caught.value.source == address


VARIANTS = [(name, flag) for name in GENRES for flag in find_family(name).variants]


@pytest.mark.parametrize(("name", "flag"), VARIANTS)
def test_a_variant_is_read_and_written_with_its_rule(name, flag):
    genre, address = find_family(name), f"{name}/{flag}/{PUBLISHED[name]['url']}"
    puzzle = read(address)
    assert puzzle.variant == flag and genre.variants[flag] in genre.describe(puzzle)
    assert genre.write(puzzle, "url") == f"{address}\n"
    assert genre.read(Source("x", genre.write(puzzle, "pzprv3").encode(), ".txt")) == puzzle
    assert genre.puzzle_from_json(json.loads(json.dumps(genre.puzzle_to_json(puzzle)))) == puzzle
    assert puzzle != read(f"{name}/{PUBLISHED[name]['url']}")


def test_a_variant_beside_a_look():
    assert read("yajilin/ob/5/5/m32j10") == read("yajilin/o/5/5/m32j10")
    with pytest.raises(ValueError, match="found the variant 'x', expected one of o"):
        replace(read("yajilin/5/5/m32j10"), variant="x")


SIGNS = st.sampled_from("0123456789abcdefghijklmnopqrstuvwxyz-+=%./!AZ#\n ,٣")
CHANGES = st.lists(st.tuples(st.integers(0, 400), st.integers(0, 3), st.text(SIGNS, max_size=3)), min_size=1, max_size=3)


def test_a_board_that_is_no_square_has_no_file_with_one_side():
    with pytest.raises(InputError, match="found a board of 4x1 cells, expected a square"):
        find_family("sudoku").write(read("sudoku/4/1/1i"), "pzprv3")


def test_clues_of_a_nonogram_without_a_place_are_not_written():
    with pytest.raises(InputError, match="found 3 blocks in number 1 of the rows, expected at most 2"):
        find_family("nonogram").write(Nonogram(((1, 1, 1),), ((1,), (), (1,))), "url")


@pytest.mark.sample(14)
@pytest.mark.parametrize("name", GENRES)
@given(data=st.data())
@settings(max_examples=40, deadline=None)
def test_a_damaged_url_or_file_is_read_as_a_puzzle_or_refused_in_words(name, data):
    """A puzzle that is read has all that files, JSON, pictures, and the first encoding need."""
    genre, url = find_family(name), f"{name}/{PUBLISHED[name]['url']}"
    boards = [each["board"].replace("/", "\n") for each in PUBLISHED[name]["boards"]]
    format, texts = data.draw(st.sampled_from((("url", [url]), ("pzprv3", [genre.write(read(url), "pzprv3"), *boards]))))
    text, begin = data.draw(st.sampled_from(texts)), len(name) + (1 if format == "url" else 8)
    for place, length, new in data.draw(CHANGES):
        at = begin + place % max(1, len(text) - begin)
        text = text[:at] + new + text[at + length :]
    try:
        puzzle = genre.formats[format].read_all(text, "x")[0]()
    except InputError:
        return
    square_only = name in pzprfile.SQUARE and puzzle.height != puzzle.width  # such files have one side
    for other in ("url",) if square_only else ("url", "pzprv3"):
        lost = set(genre.formats.lost(puzzle, other, genre.write(puzzle, other)))
        rooms_only = other == "pzprv3" and pzprfile.ROOMS in genre.file and puzzle.walls
        repeated = {(*cell, number) for cell, number in puzzle.given()} if genre.kind == "numbers" else set()
        answered = other == "url" and set(puzzle.saved) - repeated
        assert lost == ({"walls inside rooms"} if rooms_only else {"the answer"} if answered else set())
    assert genre.puzzle_from_json(json.loads(json.dumps(genre.puzzle_to_json(puzzle)))) == puzzle
    if puzzle.height * puzzle.width <= 60:
        genre.draw_puzzle(puzzle, "svg")
        next(iter(genre.encodings.values())).build(puzzle)


URLS = """\
# three genres, with an error on line 5

slither/5/5/cbcbcddad
  https://puzz.link/p?akari/2/2/k
nurikabe/5/5/!
kurodoko/2/2/j
"""


def test_a_file_of_urls_is_a_collection(tmp_path):
    (tmp_path / "urls.txt").write_text(URLS)
    done = inprocess.call_text(["solve-puzzle", "urls.txt", "--unique", "--quiet"], cwd=tmp_path)
    assert done.returncode == 2 and "urls.txt:5: character 14: found '!'" in done.stdout + done.stderr
    assert "urls.txt, puzzle 1: The only solution" in done.stdout
    assert "3 puzzles in 1 file: 1 with one solution, 2 with several, 1 that cannot be read" in done.stdout
    done = inprocess.call_text(["convert-puzzle", "slither", "urls.txt", "--number", "1", "--to", "url"], cwd=tmp_path)
    assert done.stdout == "slither/5/5/cbcbcddad\n"
    done = inprocess.call_text(["convert-puzzle", "slither", "urls.txt", "--number", "2", "--to", "url"], cwd=tmp_path)
    assert done.returncode == 2 and "urls.txt:4: found the genre lightup, expected slither" in done.stderr


def test_the_examples_of_the_page_are_published_puzzles_of_their_genres():
    rows = re.findall(r"^\| `(\w+)` \|.*\| `(\S+)` \|$", (REPOSITORY / "docs/how-to/grid-puzzles.md").read_text(), re.M)
    assert len(rows) >= 40 and all(url == f"{name}/{PUBLISHED[name]['url']}" for name, url in rows)


def test_an_address_finds_a_third_party_genre(monkeypatch):
    """`nagenawa` is a genre of puzz.link that this package does not have."""

    class Nagenawa(find_family("kurodoko").__class__):
        """Another genre."""

        name = "nagenawa"

    with pytest.raises(InputError, match="found the genre nagenawa of"):
        read("nagenawa/5/5/i7g5l2l2g4i")
    monkeypatch.setitem(REGISTERED, "nagenawa", Nagenawa())
    assert read("nagenawa/5/5/i7g5l2l2g4i").family.name == "nagenawa"
