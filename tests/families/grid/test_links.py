"""Addresses, files, and verdicts as puzz.link has them: facts that pzprjs (commit 0401fc6) gave, without its code.

`scripts/check/compare_pzprjs.py` finds more of them; the last test runs it if there is a checkout of pzprjs.
"""

import base64
import os
import shutil
import subprocess
import sys
import zlib
from dataclasses import replace

import inprocess
import pytest
from repository import REPOSITORY

from cnfgen_puzzles.common.errors import InputError
from cnfgen_puzzles.common.inputlimits import other_input_limits
from cnfgen_puzzles.common.sources import Source, open_source
from cnfgen_puzzles.families import GENRES, find_family
from cnfgen_puzzles.families.detection import detect_family
from cnfgen_puzzles.pipeline.api import count, solve


def read(address):
    source = open_source(address)
    return detect_family(source).read(source)


def of_file(name, text):
    return find_family(name).read(Source("answer.txt", text.encode(), ".txt"))


def chosen(puzzle):
    """With its saved answer as known values."""
    return replace(puzzle, known=puzzle.saved)


# -- walls inside rooms -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "address, solutions",
    [
        ("lits/4/2/200", 13),
        ("heyawake/4/2/jg8i", 7),
        ("country/3/4/0g20./", 21),
        ("nanro/2/2/g0j", 9),
        ("norinori/4/2/200", 10),
    ],
)
def test_walls_inside_rooms_count(address, solutions):
    """The numbers are those of all boards that pzprjs takes as right."""
    puzzle = read(address)
    assert puzzle.walls
    assert count(puzzle).solutions == solutions
    assert "walls inside rooms" not in puzzle.family.formats.lost(puzzle, "url", puzzle.family.write(puzzle, "url"))


def test_a_file_that_cannot_have_walls_inside_rooms_is_written_with_a_note():
    done = inprocess.call_text(["convert-puzzle", "juosan/2/2/g0g", "--to", "pzprv3"])
    assert done.returncode == 0 and "cannot store: walls inside rooms" in done.stderr


def test_pictures_show_walls_inside_rooms():
    puzzle = read("lits/4/2/200")
    assert "│" in puzzle.family.draw_puzzle(puzzle, "text").splitlines()[3][1:-1]


# -- files ------------------------------------------------------------------------------------------------------------------

FILES = {
    "lits/2/2/0o": ["pzprv3/lits/2/2/2/0 0/1 1/. ./. ./", "pzprv3.1/lits/2/2/0/0/1 1/. ./. ./"],
    "norinori/2/2/0o": ["pzprv3/norinori/2/2/2/0 0/1 1/. ./. ./", "pzprv3.1/norinori/2/2/0/0/1 1/. ./. ./"],
    "heyawake/2/2/0o2g": ["pzprv3/heyawake/2/2/2/0 0/1 1/2 ./. ./. ./. ./", "pzprv3.1/heyawake/2/2/0/0/1 1/2 ./. ./# +/. ./"],
    "aqre/2/2/0o2g": ["pzprv3/aqre/2/2/2/0 0/1 1/2 ./. ./. ./. ./", "pzprv3.1/aqre/2/2/0/0/1 1/2 ./. ./. ./. ./"],
    "nanro/2/2/0o2i": ["pzprv3/nanro/2/2/2/0 0/1 1/2 ./. ./. ./. ./", "pzprv3.1/nanro/2/2/0/0/1 1/2 ./. ./. 2/+ -/"],
    "country/2/2/0o2g": [
        "pzprv3/country/2/2/2/0 0/1 1/2 ./. ./0/0/0 0/",
        "pzprv3.1/country/2/2//2/0 0/1 1/2 ./. ./0/0/0 0/0 0/0 0/",
        "pzprv3.2/country/2/2//0/0/1 1/2 ./. ./-1/0/0 1/0 1/2 0/",
    ],
    "slither/2/1/g3": ["pzprv3/slither/1/2/. 3/0 0 0/0 0/0 0/", "pzprv3.1/slither/1/2/. 3/0 2/0 1 -1/0 0/0 0/"],
    "castle/2/1/b": ["pzprv3/castle/1/2/. ./0/", "pzprv3/castle/1/2/0,-1,0 0,-1,0/0/"],
    "castle/2/1/014a": ["pzprv3/castle/1/2/1,4,0 ./0/", "pzprv3/castle/1/2/1,4,4 0,-1,0/0/"],
}


@pytest.mark.parametrize("address", FILES)
def test_all_layouts_of_files_are_read(address):
    expected = read(address)
    for text in FILES[address]:
        assert read("https://puzz.link/p?" + text.replace(" ", "%20")) == expected
        assert of_file(expected.family.name, text.replace("/", "\n")) == expected


def test_a_later_layout_than_the_last_is_refused():
    with pytest.raises(InputError, match=r"line 1: found pzprv3\.2, expected pzprv3 to pzprv3\.1 for lits"):
        of_file("lits", "pzprv3.2\nlits\n2\n2\n0\n0\n1 1\n. .\n. .\n")


WRITTEN = {
    "aquarium/2/1/0/g.g": "pzprv3\naquarium\n1\n2\n0 \n. . -2 \n",
    "battleship/2/2/jj//c": "pzprv3\nbattleship\n2\n2\nc\n. . . \n",
    "statuepark/2/2/00//t": "pzprv3\nstatuepark\n2\n2\nt\n",
    "statuepark/2/1/0/1/11g": "pzprv3\nstatuepark\n1\n2\n1\n11g\n. . \n",
    "tentaisho/2/1/4": "pzprv3\ntentaisho\n1\n2\n1..\n0 \n",
    "kakuro/2/1/l--3": "pzprv3\nkakuro\n1\n2\n0 -1 -1 \n3 . . \n. . \n",
    "starbattle/2/1/1/0": "pzprv3\nstarbattle\n1\n2\n1\n1\n0 0 \n. . \n",
    "castle/2/1/014a": "pzprv3\ncastle\n1\n2\n1,4,0 0,-1,0 \n0 \n",
    "country/2/1/0g": "pzprv3.2\ncountry\n1\n2\n\n0 \n. . \n0 \n0 0 \n",
}


@pytest.mark.parametrize("address", WRITTEN)
def test_files_are_written_as_puzz_link_reads_them(address):
    """Lists of pieces and rows of stars end without a blank, other rows with one."""
    puzzle = read(address)
    assert puzzle.family.write(puzzle, "pzprv3").startswith(WRITTEN[address])


@pytest.mark.parametrize(
    "address",
    ["slither/5/5/cbcbcddad", "nurikabe/5/5/g5k2o1k3g", "shikaku/6/6/j3g56h6t6h23g5j", "sudoku/4/4/g1k23k3g",
     "yajilin/5/5/m32j10", "hashikake/5/5/4g2i3h23k3g1g3g4g3", "fillomino/6/6/h4j53g2k5233k2g14j3h"],
)  # fmt: skip
def test_the_answer_is_written_and_read_again(address, tmp_path):
    file = tmp_path / "solved.txt"
    done = inprocess.call_text(["convert-puzzle", address, "--answer", "-o", file])
    assert done.returncode == 0 and not done.stderr
    puzzle = of_file(address.partition("/")[0], file.read_text())
    assert puzzle == read(address)
    assert solve(chosen(puzzle)).remark.startswith("The half-filled board is a solution")


def test_an_answer_needs_a_format_that_holds_it_and_a_solution():
    done = inprocess.call_text(["convert-puzzle", "slither/5/5/cbcbcddad", "--answer", "--to", "url"])
    assert done.returncode == 2 and "url holds no answer" in done.stderr
    done = inprocess.call_text(["convert-puzzle", "slither/5/5/cbcb3ddad", "--answer", "--to", "pzprv3"])
    assert done.returncode == 2 and "the puzzle has no solution" in done.stderr


def test_known_values_become_the_answer_of_a_file():
    done = inprocess.call_text(["convert-puzzle", "nurikabe/2/2/2i", "--known", "|..|?#|", "--to", "pzprv3"])
    assert done.stdout.endswith("2\n2\n2 + \n. # \n") and not done.stderr


# -- addresses --------------------------------------------------------------------------------------------------------------

BODY = "5/5/cbcbcddad"


@pytest.mark.parametrize(
    "found, same",
    [
        (f"slither_edit/{BODY}", f"slither/{BODY}"),
        (f"https://puzz.link/p?slither_play/{BODY}", f"slither/{BODY}"),
        (f"https://puzz.link/p?type=editor&slither/{BODY}", f"slither/{BODY}"),
        (f"https://puzz.link/p?slither/{BODY}&utm_source=x", f"slither/{BODY}"),
        (f"https://puzz.link/p?slither/{BODY}#top", f"slither/{BODY}"),
        ("yajirin/5/5/m32j10", "yajilin/5/5/m32j10"),
        ("fillomino01/2/1/12", "fillomino/2/1/12"),
        ("simpleloop/3/3/", "simpleloop/3/3/00"),
        ("simpleloop/3/3", "simpleloop/3/3/00"),
        ("hitori/2/2/1@12", "hitori/2/2/1%12"),
        ("lits/c/4/4/9q02jg", "lits/4/4/9q02jg"),
        ("nurikabe/2/1/@000g", "nurikabe/2/1/%000g"),
        ("https://puzz.link/p?akari/2/2/7g.", "lightup/2/2/7g."),
        ("hashi/2/1/21", "hashikake/2/1/21"),
        ("masyu/2/2/9i", "mashu/2/2/9i"),
        ("kakuro/2/2/k...-5", "kakuro/2/2/k...05"),
        ("hitori/2/2/1221/", "hitori/2/2/1221"),
        ("yajilin/b/3/3/21h", "yajilin/3/3/21h"),
        ("tilepaint/3/1/0g..g1.0.", "tilepaint/3/1/og..g1.0."),  # clue cells divide rooms
    ],
)
def test_spellings_of_addresses(found, same):
    assert read(found) == read(same)


@pytest.mark.parametrize("body", ["2k0eo00o00", "hd0g30g040"])
def test_black_cells_of_double_back_belong_to_no_room(body):
    assert count(read(f"doubleback/4/4/{body}")).solutions == 1


@pytest.mark.parametrize("version, name", [("", "nawabari"), (".1", "fourcells")])
def test_borders_within_a_region_count_for_numbers(version, name):
    puzzle = of_file(name, f"pzprv3{version}\n{name}\n2\n2\n2 . \n. . \n0 1 0 \n0 0 0 \n0 0 \n0 0 \n0 0 \n")
    parts = {part[:-1]: part[-1] for part in puzzle.saved}
    assert list(puzzle.family.broken(puzzle, puzzle.family.board_of(puzzle, parts), parts)) == ["nmBorderNe", "bdDeadEnd"]


def test_shaded_cells_inside_the_loop_of_koburin():
    puzzle = of_file(
        "koburin", "pzprv3\nkoburin\n3\n3\no\n. . . \n. . . \n. . . \n. . . \n. # . \n. . . \n1 1 \n0 0 \n1 1 \n1 0 1 \n1 0 1 \n"
    )
    assert "inside the loop" in solve(chosen(puzzle)).remark


def test_a_blank_and_a_question_mark_of_hitori_differ():
    assert read("hitori/3/1/1.@").numbers == ((1, -1, -2),)
    assert find_family("hitori").write(read("hitori/3/1/1.@"), "url") == "hitori/3/1/1.@\n"


# -- penpa-edit and save files -------------------------------------------------------------------------------------------------


def penpa(width, height, parts, tags="[]", margins="[0,0,0,0]", title=""):
    """An address as penpa-edit writes it; `parts` is JSON."""
    head = f"square,{width},{height},38,0,1,1,152,152,0,0,0,0,0,0,Title: {title},Author: ,,,OFF,false,"
    middle = ["{}", "[]", "[]", "{}", '"x"', '"x"', "[3,2,1]", "{}", '"x"', "0", "{}", "{}", "{}"]
    text = "\n".join([head, margins, "{}", parts, *middle, tags, ""])
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    data = packer.compress(text.replace('"number"', "zN").encode()) + packer.flush()
    return f"https://swaroopg92.github.io/penpa-edit/#m=edit&p={base64.b64encode(data).decode()}"


@pytest.mark.parametrize(
    "address, expected",
    [
        (penpa(3, 3, '{"number":{"16":["1",1,"1"],"25":[3,1,"1"]}}', '["slitherlink"]'), "slither/3/3/bhdg"),
        (penpa(2, 2, '{"symbol":{"14":[1,"circle_L",1],"21":[2,"circle_L",1]}}', '["masyu"]'), "mashu/2/2/9i"),
        (
            penpa(2, 2, '{"symbol":{"14":[1,"circle_L",1],"21":[2,"circle_L",1]},"number":{"14":["4",1,"1"]}}', '["shingoki"]'),
            "shingoki/2/2/8h1",
        ),
        (penpa(2, 2, '{"number":{"14":["2",1,"1"]},"lineE":{"44,50":2,"50,56":2}}', '["heyawake"]'), "heyawake/2/2/o02g"),
        (penpa(2, 2, '{"surface":{"14":4,"21":4},"number":{"14":["2",7,"1"]}}', '["akari"]'), "lightup/2/2/7g."),
        (penpa(2, 2, '{"number":{"14":["11",1,"4"]}}', '["tapa"]'), "tapa/2/2/a7i"),
        (penpa(2, 2, '{"number":{"14":["1_3",1,"2"]}}', '["yajilin"]'), "yajilin/2/2/21c"),
        (penpa(2, 2, '{"number":{"14":["1",1,"1"]}}', title="Sudoku"), "sudoku/2/2/1i"),
        (penpa(2, 2, '{"numberS":{"200":[2,1]},"lineE":{"44,50":2,"50,56":2}}', '["heyawake"]'), "heyawake/2/2/o02g"),
        (
            penpa(
                2,
                2,
                '{"surface":{"15":3},"number":{"14":["1"]},"symbol":{"14":[[0,1,0,0,0,0,0,0],"arrow_fouredge_B",2]}}',
                '["yajilin"]',
            ),
            "yajilin/2/2/210.b",
        ),
        (penpa(2, 2, '{"symbol":{"14":[2,"circle_L",1],"21":[1,"circle_L",1]}}', '["snake"]'), "snake/2/2/i9j"),
        (penpa(2, 2, '{"surface":{"21":4},"lineE":{"44,50":2,"50,56":2}}', '["doubleback"]'), "doubleback/2/2/o02"),
    ],
)
def test_addresses_of_penpa_edit(address, expected):
    puzzle = read(address)
    assert puzzle == read(expected)


def test_an_address_of_penpa_edit_without_a_genre_is_read_if_the_genre_is_named():
    address = penpa(3, 3, '{"number":{"16":["1",1,"1"]}}')
    done = inprocess.call_text(["convert-puzzle", address, "--to", "url"])
    assert done.returncode == 2 and "name it before the address" in done.stderr
    done = inprocess.call_text(["convert-puzzle", "slither", address, "--to", "url"])
    assert (done.returncode, done.stdout) == (0, "slither/3/3/bl\n")


@pytest.mark.parametrize(
    "address, told",
    [
        ("https://swaroopg92.github.io/penpa-edit/#m=edit&p=AAAA", "found no puzzle of penpa-edit"),
        ("nothree/3/2/of9g", "character 15"),
        (penpa(3, 3, '{"cage":{"1":1}}', '["classic"]'), "such variants have other rules"),
        (penpa(3, 3, '{"thermo":[["16","17"]]}', '["classic"]'), "found thermo in"),
        (
            penpa(3, 3, '{"number":{"16":[1,1,"1"]},"symbol":{"17":[3,"circle_L",1]}}', '["classic"]'),
            "found small numbers or signs",
        ),
        (penpa(3, 3, '{"number":{"16":[1,1,"1"]},"numberS":{"264":[1,1]}}', '["nanro"]'), "small numbers or signs"),
        (penpa(3, 3, "[]", '["slitherlink"]'), "found no dict in line 4"),
        (penpa(3, 3, "{}", '["slitherlink"]'), "found a drawing without clues"),
        (penpa(3, 3, '{"number":{"16":["x",1,"1"]}}', '["slitherlink"]'), "found 'x' at row 1, column 1"),
        (penpa(900, 3, "{}", '["slitherlink"]'), "expected sides from 1 to 200"),
        (penpa(3, 3, "{}", '["tomtom"]'), "whose tags name 'tomtom'"),
    ],
)
def test_wrong_addresses_of_penpa_edit(address, told):
    with pytest.raises(InputError) as caught:
        read(address)
    assert told in str(caught.value) and caught.value.source == address


def test_the_text_of_penpa_edit_is_bounded():
    address = penpa(3, 3, " " * 5_000_000, '["slitherlink"]')
    with other_input_limits(size=1 << 20), pytest.raises(InputError, match="more than 1048576 bytes of text"):
        read(address)


def saved(**records):
    return "".join(f"{key:<8}:{len(value)}:{value}\n" for key, value in records.items())


LOOPY = {"SAVEFILE": "Simon Tatham's Portable Puzzle Collection", "VERSION": "1", "GAME": "Loopy", "PARAMS": "7x7t0",
         "CPARAMS": "5x5t0", "DESC": "2b1b2b1b2b3b3b0b3", "NSTATES": "2", "MOVE": "12y"}  # fmt: skip


def test_save_files_of_simon_tathams_puzzles(tmp_path):
    file = tmp_path / "loopy.sav"
    file.write_text(saved(**LOOPY))
    assert read(str(file)) == read(f"slither/{BODY}")
    file.write_text(saved(**{**LOOPY, "CPARAMS": "5x5t1dn"}))
    with pytest.raises(InputError, match=r"loopy.sav:6: .*another tiling than squares"):
        read(str(file))
    file.write_text(saved(**LOOPY)[:120])
    with pytest.raises(InputError, match=r"loopy.sav: line \d: found .* expected a record of a save file"):
        read(str(file))


# -- verdicts ---------------------------------------------------------------------------------------------------------------

VERDICTS = [
    ("shikaku", "pzprv3/shikaku/1/2/2 ./1/", "bkNoNum"),
    ("shikaku", "pzprv3/shikaku/2/2/4 ./. ./1/0/0 0/", "bdDeadEnd"),
    ("tatamibari", "pzprv3/tatamibari/2/2/c ./. ./1/0/0 0/", "bdDeadEnd"),
    ("tatamibari", "pzprv3/tatamibari/4/2/- ./. b/. a/. c/1/-1/-1/-1/-1 -1/-1 -1/-1 -1/", "bkNotSquare"),
    ("tentaisho", "pzprv3/tentaisho/2/2/.../.1./.../0/0/1 0/", "bdPassStar"),
    ("fillomino", "pzprv3/fillomino/2/2/. ./. ./4 4/4 4/1/0/0 0/", "bdUnused"),
    ("fillomino", "pzprv3/fillomino/1/3/. . ./3 . 2/0 0/", "bkMixedNum"),
    ("fillomino", "pzprv3/fillomino/1/3/. . 1/2 . ./0 1/", None),
    ("nanro", "pzprv3/nanro/3/2/2/0 0/0 0/1 1/. ./- -/- -/2 2/. ./. ./", "nm2x2"),
    ("nanro", "pzprv3.1/nanro/2/3/0 1/0 1/1 0 1/. . ./. . ./- 3 -/3 - ./", "nmDivide"),
    ("nurikabe", "pzprv3/nurikabe/1/2/0 #/", "bkSizeNe"),
    ("hitori", "pzprv3/hitori/1/4/1 0 0 3/# . . ./", None),
]


@pytest.mark.parametrize("name, text, verdict", VERDICTS)
def test_the_first_broken_rule_is_that_of_pzprjs(name, text, verdict):
    puzzle = of_file(name, text.replace("/", "\n"))
    parts = {part[:-1]: part[-1] for part in puzzle.saved}
    assert next(iter(find_family(name).broken(puzzle, find_family(name).board_of(puzzle, parts), parts)), None) == verdict


def test_numberlink_without_known_values_has_no_remark():
    assert solve(read("numlin/5/5/1j2h3m1h2j3")).remark == ""


@pytest.mark.release
@pytest.mark.skipif(
    not (os.environ.get("CNFGEN_PZPRJS") and shutil.which("node")), reason="CNFGEN_PZPRJS names no sources of pzprjs"
)
@pytest.mark.parametrize(
    "name", [name for name in GENRES if name not in ("binairo", "kakurasu", "mosaic", "shingoki", "yajikabe")]
)
def test_pzprjs_agrees(name):
    """All genres but those that pzprjs does not have."""
    command = [
        sys.executable,
        "scripts/check/compare_pzprjs.py",
        os.environ["CNFGEN_PZPRJS"],
        "--genres",
        name,
        "--puzzles",
        "20",
        "--solved",
        "3",
    ]
    done = subprocess.run([*command, "--counts", "2"], cwd=REPOSITORY, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout
