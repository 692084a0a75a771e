"""A certificate runs no program that came with it: verify.sh knows the SHA-256 of the awk programs of the package."""

import hashlib
import json
import os
import re
import shutil

import inawk
import pytest
from certificates import BUILT, refused_by_both, reseal, run_script
from conftest import make_script
from inawk import AWKS, CALLS, PROGRAMS
from repository import REPOSITORY
from smallpuzzles import small_puzzles

import cnfgen_puzzles as cp
from cnfgen_puzzles.evidence.certificate import VERIFY_SH
from cnfgen_puzzles.families import find_family

LINE = re.compile(r"^([0-9a-f]{64})  ([a-z-]+\.awk)$", re.MULTILINE)


def test_the_list_is_that_of_the_package_and_of_the_documentation():
    programs = {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in PROGRAMS.iterdir()}
    for text in (VERIFY_SH, REPOSITORY / "docs/how-to/certificates.md"):
        found = LINE.findall(text.read_text())
        assert [(digest, name) for name, digest in sorted(programs.items())] == found, text


def test_the_programs_contain_no_number_of_a_puzzle_and_are_readable():
    assert {path.name for path in PROGRAMS.iterdir()} >= {"json.awk"}
    for path in PROGRAMS.iterdir():
        text = path.read_text()
        assert text.isascii() and text.count("\n") < 300 and max(map(len, text.splitlines())) <= 130, path
        assert not re.search(r"system *\(|getline|ENVIRON|ARG[CV]|print[^;}]*[|>] *\"", text), path


def test_families_name_programs_of_the_list():
    for name in ("nonogram", "triddler", "tiling", "maze"):
        family = find_family(name)
        for puzzle in small_puzzles(family)[:2]:
            for encoding in family.encodings:
                encoder = family.encoder_in_awk(puzzle, encoding, {})
                assert encoder is None or (PROGRAMS / f"{encoder}.awk").exists()


@pytest.fixture(scope="session")
def certificate(tmp_path_factory):
    """A nonogram with two solutions, of which one is certified."""
    folder = tmp_path_factory.mktemp("known") / "c"
    cp.solve(find_family("nonogram").puzzle(((1,), (1,)), ((1,), (1,))), certificate=folder)
    return folder


MARK = "{mark}"
PUBLISHED = """\
BEGIN { if (projection) print 1 ? "p cnf 1 2\\n1 0\\n-1 0" :
"" > "{mark}" }
"""
FORGED = {
    "print to a file after a line end": PUBLISHED,
    "print to a file after ?": 'BEGIN { print 1 ?\n"x" : "y" > "{mark}" }\n',
    "print after a comma": 'BEGIN { print "x", # why\n"y" > "{mark}" }\n',
    "printf in parentheses": 'BEGIN { printf("x") >> "{mark}" }\n',
    "a command": 'BEGIN { s = "touch {mark}"; s | getline; close(s) }\n',
    "system": 'BEGIN { system("touch {mark}") }\n',
    "a pipe": 'BEGIN { print "x" | "cat > {mark}" }\n',
    "nothing": "BEGIN { exit 0 }\n",
    "one blank more": None,
}


@pytest.mark.skipif(not BUILT, reason="drat-trim or lrat-check is not built")
@pytest.mark.sample(4)
@pytest.mark.parametrize("awk", CALLS)
@pytest.mark.parametrize("forgery", FORGED)
def test_no_other_program_runs(certificate, tmp_path, forgery, awk):
    if awk.split() not in AWKS:
        pytest.skip(f"{awk} is not installed")
    make_script(tmp_path / "awk", f'exec {awk} "$@"')
    mark = tmp_path / "mark"
    for name in ("json.awk", "rules.awk", "encode.awk"):
        folder = shutil.copytree(certificate, tmp_path / name)
        text = FORGED[forgery]
        (folder / name).write_text(f"{(folder / name).read_text()} \n" if text is None else text.replace(MARK, str(mark)))
        reseal(folder)
        code, output = run_script(folder, AWK=tmp_path / "awk")
        assert code == 1 and f"{name}: is an unknown program: its SHA-256 is not in the list" in output and not mark.exists(), (
            output
        )
        if awk == CALLS[0]:
            assert "is an unknown program" in refused_by_both(folder)[1]


@pytest.mark.skipif(not BUILT, reason="drat-trim or lrat-check is not built")
@pytest.mark.parametrize("other", ["maze-rules", "tiling-rules", "clued-encode", "json"])
def test_a_program_of_the_list_serves_only_its_purpose(certificate, tmp_path, other):
    """Rules of another family refuse the puzzle; programs for another purpose are refused by name."""
    folder = shutil.copytree(certificate, tmp_path / "c")
    shutil.copy(PROGRAMS / f"{other}.awk", folder / "rules.awk")
    reseal(folder)
    code, output = run_script(folder)
    message = "found the unknown member rows" if other.endswith("rules") else "is an unknown program"
    assert code == 1 and message in output, output


@pytest.mark.skipif(not BUILT, reason="drat-trim or lrat-check is not built")
@pytest.mark.parametrize("gone", ["json.awk", "puzzle.json"])
def test_programs_need_their_reader_and_the_puzzle(certificate, tmp_path, gone):
    folder = shutil.copytree(certificate, tmp_path / "c")
    (folder / gone).unlink()
    reseal(folder)
    assert f"does not list {gone}" in refused_by_both(folder)[1]


HOSTILE = {
    "an assignment as a name": '"rows": [[1], [1]], "projection=1": [[1]],',
    "a number that is too large": '"rows": [[99999999999], [1]],',
    "a list that is a text": '"rows": "[[1], [1]]",',
    "text in a clue": '"rows": [["1 1"], [1]],',
    "a command": '"rows": [["$(touch mark)"], [1]],',
    "a regular expression": '"rows": [[1], [1]], ".*": [],',
}


@pytest.mark.skipif(not BUILT, reason="drat-trim or lrat-check is not built")
@pytest.mark.parametrize("hostile", HOSTILE)
def test_hostile_puzzles_are_data(certificate, tmp_path, hostile):
    folder = shutil.copytree(certificate, tmp_path / "c")
    text = (folder / "puzzle.json").read_text()
    assert '"rows": [[1], [1]],' in text
    (folder / "puzzle.json").write_text(text.replace('"rows": [[1], [1]],', HOSTILE[hostile]))
    reseal(folder)
    code, output = run_script(folder)
    assert code == 1 and "NOT VERIFIED: puzzle.json: encode.awk writes no formula" in output, output
    assert sorted(os.listdir(tmp_path)) == ["c"]


# -- the reader of puzzles, in every awk: it accepts what Python reads in the same way, and nothing else ------------------------

TILING = {
    "lattice": "square", "covered": [[0, 0], [0, 1]], "optional": [], "colors": [[[0, 0], "a"], [[0, 1], "a"]], "wrap": [],
    "reflections": True, "rotations": True, "about": {},
    "pieces": [{"name": "domino", "shape": [[0, 0], [0, 1]], "least": 0, "most": None, "colors": ["a"]}],
}  # fmt: skip


def encoded(awk, puzzle, program="tiling-encode", encoding="product"):
    text = puzzle if isinstance(puzzle, str) else json.dumps(puzzle)
    return inawk.run(awk, program, text.encode(), encoding=encoding)


@pytest.mark.parametrize("awk", AWKS, ids=" ".join)
def test_a_character_has_one_spelling(awk):
    """Texts are compared as they are written. With another spelling of `a`, the domino would not fit; Python reads the same."""
    text = json.dumps(TILING)
    assert encoded(awk, text).stdout.startswith(b"p cnf 1 ")
    for spelling in ("\\u0061", "\\u0041", "\\/", "\\u00E4", "\\u000a", "\\u002f", "\\x", "\\u12"):
        done = encoded(awk, text.replace('"a"', f'"{spelling}"', 1))
        assert done.returncode == 1 and b"another spelling" in done.stdout, spelling
    for char in (
        "\\",
        '"',
        "\n",
        "\t",
        "\b",
        "\f",
        "\r",
        "\0",
        "\v",
        "\x1f",
        "\x7f",
        "\x80",
        "\xff",
        "\u1234",
        "\U0001f600",
        "\\u0061",
    ):
        written = json.dumps(char)
        done = encoded(awk, text.replace('"a"', written))
        assert done.returncode == 0 and done.stdout.startswith(b"p cnf 1 "), written


@pytest.mark.parametrize("awk", AWKS, ids=" ".join)
def test_large_numbers_and_deep_lists_are_refused(awk):
    """mawk writes 5000000000 and 5000000001 alike. The memory for lists in each other grows with the square of their number."""
    for number in (99999999, 100000000, 5000000000, -9999999, -10000000):
        puzzle = TILING | {"covered": [[0, 0], [0, number]], "colors": []}
        assert encoded(awk, puzzle).returncode == (not -10000000 < number < 100000000), number
    for depth, code in ((15, 0), (100000, 1)):
        done = encoded(awk, json.dumps(TILING).replace("{}", f'{{"x": {"[" * depth}{"]" * depth}}}'))
        assert done.returncode == code and (code == 0 or b"more than 20 lists" in done.stdout), depth


@pytest.mark.parametrize("awk", AWKS, ids=" ".join)
def test_triddlers_have_six_sides_that_close_and_clues_for_each_line(awk):
    good = {"sides": [1, 1, 1, 1, 1, 1], "clues": [[[3], [3]], [[3], [3]], [[3], [3]]]}
    picture = "###\n###\n"
    assert encoded(awk, good, "clued-encode", "order").returncode == 0
    assert inawk.run(awk, "clued-rules", json.dumps(good).encode(), picture).returncode == 0
    for name, other in {
        "open": {"sides": [1, 1, 2, 2, 1, 1]},
        "seven sides": {"sides": [1, 1, 1, 1, 1, 1, 1]},
        "four directions": {"clues": [*good["clues"], [[1]]]},
        "lines of another direction": {"clues": [[[3], [3], [3]], [[3]], [[3], [3]]]},
        "a side below 0": {"sides": [3, -1, 3, 1, 1, 1]},
        "a huge hexagon": {"sides": [9999999] * 6},
    }.items():
        puzzle = good | other
        assert encoded(awk, puzzle, "clued-encode", "order").returncode == 1, name
        assert inawk.run(awk, "clued-rules", json.dumps(puzzle).encode(), picture).returncode == 1, name


@pytest.mark.parametrize("awk", AWKS, ids=" ".join)
def test_listed_mazes_have_the_size_of_the_grid(awk):
    for mazes, code in {("../..",): 0, ("../../##",): 1, ("../.. 0,0",): 1, ("...",): 1, (): 0}.items():
        puzzle = {"kind": "blocked", "size": [2, 2], "pattern": "**", "mazes": mazes}
        assert inawk.run(awk, "maze-rules", json.dumps(puzzle).encode(), "ES\n").returncode == code, mazes
    large = {"kind": "blocked", "size": [9999999, 9999999], "pattern": "**", "mazes": ["../.."]}
    assert inawk.run(awk, "maze-rules", json.dumps(large).encode(), "ES\n").returncode == 1


@pytest.mark.parametrize("awk", AWKS, ids=" ".join)
def test_only_the_same_puzzle_has_the_clues_of_the_file(awk):
    """Colors and known cells are not in a plain file: with them, a puzzle can have other solutions."""
    clues = {"rows": [[1], [1]], "columns": [[1], [1]]}
    hues = {"colors": [{}, {}, {}], "row_colors": [[1], [1]], "column_colors": [[2], [2]]}
    for more, code, output in (
        (({}, 0, b"")),
        ({"known": [[1, None], [None, 0]]}, 0, b"also states known cells"),
        (hues, 1, b""),
    ):
        done = inawk.run(awk, "clued-encode", json.dumps(clues | more).encode(), "2 2\n1\n1\n1\n1\n", given=1)
        assert done.returncode == code and output in done.stdout, more
        assert bool(done.stdout) == bool(output)


@pytest.mark.skipif(not BUILT, reason="drat-trim or lrat-check is not built")
def test_an_empty_puzzle_is_refused(certificate, tmp_path):
    """awk would take the next file for the puzzle."""
    folder = shutil.copytree(certificate, tmp_path / "c")
    (folder / "puzzle.json").write_bytes(b"")
    reseal(folder)
    assert "puzzle.json: is empty" in refused_by_both(folder)[0]


@pytest.mark.parametrize("awk", AWKS, ids=" ".join)
def test_contradictory_numbers_of_a_piece_are_refused(awk):
    for least, most, code in ((0, 1, 0), (1, 1, 0), (2, 1, 1), (2, None, 0), ("0", None, 1), (0, "1", 1)):
        piece = TILING["pieces"][0] | {"least": least, "most": most}
        assert encoded(awk, TILING | {"pieces": [piece]}).returncode == code, (least, most)
