"""Detection of the family of a file: `solve-puzzle cat.nin`; options without a file; random puzzles; formats by suffix."""

from __future__ import annotations

import gzip
import importlib.metadata
import json
import sys
import zipfile

import pytest
from conftest import CAT, IMPOSSIBLE

from cnfgen_puzzles import families
from cnfgen_puzzles.common.errors import InputError
from cnfgen_puzzles.common.sources import Source
from cnfgen_puzzles.families import BUILT_IN, ENDINGS, Encoding, by_name, find_family
from cnfgen_puzzles.families.detection import detect_family
from cnfgen_puzzles.families.family import Family
from cnfgen_puzzles.families.fileformats import Format, FormatTable

BOARD = "size: 3x4\npieces:\n  - piece: L tromino\n    count: 4\n"
MAZES = "# two\nmazes blocked 2x2\n../..\n.#/..\n"
BURRTOOLS = '<?xml version="1.0"?>\n<!-- a puzzle -->\n<puzzle version="2"><gridType type="0"/></puzzle>'
WEBPBN = '<?xml version="1.0"?>\n<!DOCTYPE pbn SYSTEM "pbn-0.3.dtd">\n<puzzleset></puzzleset>'


def fake(name, suffix, recognise=None):
    """A family of which only the files matter."""

    class Other(Family):
        formats = FormatTable(name, f"a {name}", [Format(name, name, (suffix,), recognise, read=lambda text, source: text)])
        encodings = by_name(Encoding("none", "none", lambda puzzle: None))
        decode = check = None

    Other.name = name
    return Other()


FAMILIES = [find_family(name) for name in ("nonogram", "tiling", "maze", "triddler")]


@pytest.mark.parametrize(
    "text, suffix, name",
    [
        (CAT, ".nin", "nonogram"),
        (CAT, "", "nonogram"),
        (CAT, ".txt", "nonogram"),
        (CAT.replace("\n", "\r\n"), ".foo", "nonogram"),
        (MAZES, ".txt", "maze"),
        (MAZES, "", "maze"),
        (BOARD, ".yaml", "tiling"),
        (BOARD, "", "tiling"),
        (BURRTOOLS, ".xml", "tiling"),
        (BURRTOOLS, "", "tiling"),
        (WEBPBN, ".xml", "nonogram"),
        (WEBPBN, "", "nonogram"),
        ("rubbish", ".nin", "nonogram"),
        ("rubbish", ".xmpuzzle", "tiling"),
        ("", ".non", "nonogram"),
        ("12345678.\n", ".sdk", "sudoku"),
        ("5 10\n", ".sdk", "sudoku"),
    ],
)
def test_the_only_family_that_can_read_it(text, suffix, name):
    families = [*FAMILIES, fake("sudoku", ".sdk")]
    assert detect_family(Source("x", text.encode(), suffix), families=families).name == name


@pytest.mark.parametrize(
    "text, suffix, parts",
    [
        ("rubbish", "", ["no known file format", "a nonogram, a tiling puzzle"]),
        ("", "", ["an empty file"]),
        ("rubbish", ".xml", ["may be a nonogram, a tiling puzzle or a triddler", "`tiling x` or `triddler x`"]),
        (CAT, ".foo", ["may be a nonogram or a griddler", "`griddler x`"]),
    ],
)
def test_candidates_are_named(text, suffix, parts):
    families = [*FAMILIES, fake("griddler", ".grid", lambda text: text[:1] == "5")]
    with pytest.raises(InputError) as caught:
        detect_family(Source("x", text.encode(), suffix), families=families)
    assert all(part in str(caught.value) for part in parts), str(caught.value)


# -- as typed ---------------------------------------------------------------------------------------------------------------


@pytest.fixture
def here(tmp_path, command):
    """`here("solve-puzzle cat.nin ...")` runs a command in a folder of puzzles."""
    for name, text in (("cat.nin", CAT), ("nonogram", CAT), ("board.yaml", BOARD), ("set.txt", MAZES), ("none.nin", IMPOSSIBLE)):
        (tmp_path / name).write_text(text)
    (tmp_path / "cat.nin.gz").write_bytes(gzip.compress(CAT.encode()))

    def run(line, input=None, code=None):
        done = command(*line.split(), cwd=tmp_path, input=input)
        assert code is None or done.returncode == code, done.stderr.decode()
        return done

    run.folder = tmp_path
    return run


PLAIN = b".##..\n.##.#\n..#.#\n.###.\n#.#..\n#.#..\n..##.\n.#.#.\n.#.##\n##...\n"


@pytest.mark.parametrize(
    "line", ["cat.nin", "--quiet cat.nin", "nonogram cat.nin", "./nonogram", "nonogram nonogram", "cat.nin.gz"]
)
def test_the_same_board(here, line):
    assert here(f"solve-puzzle {line} --as plain", code=0).stdout == PLAIN


def test_from_a_pipe(here):
    assert here("solve-puzzle - --as plain", CAT.encode(), 0).stdout == PLAIN
    assert here("convert-puzzle - --to nin", CAT.encode(), 0).stdout.decode() == CAT


def test_clues_without_a_header_and_an_error_with_an_example(here):
    code = here("solve-puzzle - --as plain", CAT.encode()).returncode
    clues = b"Rows:\n1,1\n2\nColumns:\n2\n1\n1\n"
    assert here("solve-puzzle - --as plain", clues, code).stdout == b"#.#\n##.\n"
    assert here("gen-cnf nonogram -", clues, 0).stdout.startswith(b"c 3x2 nonogram, encoding order")
    (here.folder / "bad.txt").write_bytes(clues.replace(b"2\nC", b"2x\nC"))
    told = here("solve-puzzle bad.txt", code=2).stderr
    assert b"bad.txt:3: found '2x'" in told and b"\nprintf 'rows\\n1 1\\n2\\n\\ncolumns\\n2\\n1\\n1\\n'\n" in told


def test_the_format_by_the_ending(here):
    here("convert-puzzle cat.nin -o y.non", code=0)
    assert b"rows\n2\n" in (here.folder / "y.non").read_bytes()
    here("convert-puzzle board.yaml -o y.XMPUZZLE", code=0)
    assert b"<puzzle" in (here.folder / "y.XMPUZZLE").read_bytes()
    here("convert-puzzle cat.nin -o z.non --to webpbn", code=0)
    assert b"<puzzleset" in (here.folder / "z.non").read_bytes()


def test_a_random_puzzle_is_the_same_everywhere(here):
    options = "nonogram --generate blobs --size 8 --seed 7"
    here(f"convert-puzzle {options} -o r.nin", code=0)
    direct = json.loads(here(f"solve-puzzle {options} --as json --solver-seed 5", code=0).stdout)
    from_file = json.loads(here("solve-puzzle r.nin --as json --seed 5", code=0).stdout)
    assert direct["puzzle"]["rows"] == from_file["puzzle"]["rows"]
    assert [run["seed"] for run in direct["runs"]] == [run["seed"] for run in from_file["runs"]] == [5]
    assert json.loads(here(f"solve-puzzle {options} --as json", code=0).stdout)["runs"][0]["seed"] is None
    assert b"solution" in here(f"solve-puzzle {options} --count", code=0).stdout


# -- the sidecar of the CNF that was run ------------------------------------------------------------------------------------


def test_decoding_finds_the_map_of_the_cnf_that_was_run(here):
    here("gen-cnf cat.nin -o x.cnf", code=0)
    answer = here("run-cnf kissat x.cnf", code=10).stdout
    assert here("decode-cnf - --as plain", answer, 0).stdout == PLAIN


def test_a_sidecar_of_another_formula_is_not_handed_on(here):
    here("gen-cnf cat.nin -o x.cnf", code=0)
    here("gen-cnf none.nin -o y.cnf", code=0)
    (here.folder / "x.map.json").write_bytes((here.folder / "y.map.json").read_bytes())
    done = here("run-cnf kissat x.cnf", code=10)
    assert b"x.map.json: this map belongs to another formula" in done.stderr
    assert b"found no variable map" in here("decode-cnf", done.stdout, 2).stderr
    (here.folder / "x.map.json").write_text("{")
    assert b"warning: x.map.json" in here("run-cnf kissat x.cnf", code=10).stderr


def test_the_table_of_endings_is_that_of_the_formats():
    found = {}
    for name in (name for name, module in BUILT_IN.items() if ".grid." not in module):  # files name the genres of those
        for suffix in {suffix for entry in find_family(name).formats.values() for suffix in entry.suffixes}:
            found[suffix] = (*found.get(suffix, ()), name)
    assert found == ENDINGS


@pytest.mark.parametrize(
    "text, suffix", [(CAT, ".nin"), (MAZES, ".txt"), (BOARD, ".yaml"), (BURRTOOLS, ".xml"), (WEBPBN, ".xml")]
)
def test_the_suffix_finds_the_same_family_as_the_content(text, suffix):
    source = Source(f"x{suffix}", text.encode(), suffix)
    assert detect_family(source) is detect_family(source, families=FAMILIES)


@pytest.mark.parametrize("zipped", [False, True])
def test_third_party_families_are_those_that_the_metadata_names(monkeypatch, tmp_path, zipped):
    """Whether the package's reader finds them, or `importlib.metadata`, since a package is in a zip file."""
    folder = tmp_path / "cnfgen_made-1.0.dist-info"
    folder.mkdir()
    (folder / "METADATA").write_text("Metadata-Version: 2.1\nName: cnfgen-made\nVersion: 1.0\n")
    text = "[console_scripts]\nrun = made:main\n\n# ours\n[cnfgen_puzzles.families]\nmade = made.sub:FAMILY [extra]\n other=o:F\n"
    (folder / "entry_points.txt").write_text(text)
    with zipfile.ZipFile(tmp_path / "empty.zip", "w"):
        pass
    monkeypatch.setattr(sys, "path", [str(tmp_path), str(tmp_path / "gone"), *sys.path, *[str(tmp_path / "empty.zip")] * zipped])
    found = families._third_party.__wrapped__()
    points = importlib.metadata.entry_points(group=families.ENTRY_POINTS)
    assert found == {point.name: f"{point.module}:{point.attr}" for point in points}
    assert (found["made"], found["other"]) == ("made.sub:FAMILY", "o:F")
