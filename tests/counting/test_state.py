"""States of a count: what is in the folder is what was kept there, or it is told; nothing else changes a number."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
from pathlib import Path

import pytest
from counting.enumerating import cnf_of, permutations, projected
from hypothesis import given, settings
from hypothesis import strategies as st

from cnfgen_puzzles.common.errors import InputError
from cnfgen_puzzles.counting import Engine, Enumeration, Problem
from cnfgen_puzzles.counting.problem import Parts
from cnfgen_puzzles.counting.state import State

BLOCKING = Engine("blocking", "minisat22")

OLD = Path(__file__).parent / "state-0.1.0"
"""Of version 0.1.0: `permutations(4)` in eight parts and the rest, one of them divided; two parts are not finished."""


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """The state of `permutations(4)` in four parts that have six solutions each, and the rest; one part is divided."""
    folder = tmp_path_factory.mktemp("whole")
    problem = permutations(4)
    state = State(folder, problem, [(1,), (2,), (3,), (4,)])
    state.parts.divide(2, [5, 6])
    state.close()
    assert len(counted(folder)) == 24
    return folder


@pytest.fixture
def kept(whole, tmp_path):
    return Path(shutil.copytree(whole, tmp_path / "state"))


def counted(folder: Path) -> list[frozenset[int]]:
    """The solutions of `permutations(4)` by the state of a folder; InputError if it is not believed."""
    enumeration = Enumeration(permutations(4), BLOCKING, jobs=1, state=folder)
    found = list(enumeration)
    assert enumeration.complete
    assert len(found) == len(set(found)) == 24
    return found


def part(folder: Path, number: int) -> Path:
    return folder / f"part-{number:05}.txt"


def refused(folder: Path, path: Path, words: str) -> None:
    with pytest.raises(InputError, match=words) as caught:
        counted(folder)
    assert caught.value.source == str(path)


# -- parts ----------------------------------------------------------------------------------------------------------------


def test_what_was_kept_is_not_searched_again(kept):
    before = {path: path.stat().st_mtime_ns for path in kept.iterdir()}
    enumeration = Enumeration(permutations(4), BLOCKING, jobs=1, state=kept)
    assert len(set(enumeration)) == 24
    assert (enumeration.cpu, enumeration.parts, enumeration.unsealed) == (0, 7, 0)
    assert {path: path.stat().st_mtime_ns for path in kept.iterdir()} == before


def test_a_copied_part(kept):
    shutil.copy(part(kept, 0), part(kept, 1))
    refused(kept, part(kept, 1), "found part 0, expected 1")


def test_swapped_parts(kept):
    part(kept, 0).rename(kept / "x")
    part(kept, 3).rename(part(kept, 0))
    (kept / "x").rename(part(kept, 3))
    refused(kept, part(kept, 0), "found part 3, expected 0")


@pytest.mark.parametrize("number", [2, 8, 99, 10**8])
def test_a_part_that_the_search_does_not_have(kept, number):
    """Number 2 was divided, the last one is 7."""
    shutil.copy(part(kept, 0), part(kept, number))
    refused(kept, part(kept, number), "found a part that the search has not")


def test_a_part_of_another_problem(kept, tmp_path):
    other = permutations(4)
    other.cnf.add_clauses([[1, 2, 3, 4, 5]])
    list(Enumeration(Problem(other.cnf, other.projection, antichain=True, cubes=[]), BLOCKING, state=tmp_path / "other"))
    shutil.copy(part(tmp_path / "other", 0), part(kept, 0))
    refused(kept, part(kept, 0), "found problem")


def test_a_part_of_another_split(kept, tmp_path):
    State(tmp_path / "other", permutations(4), [(1, -6), (2,), (3,), (4,)]).close()
    counted(tmp_path / "other")
    shutil.copy(part(tmp_path / "other", 0), part(kept, 0))
    refused(kept, part(kept, 0), "found cube")
    shutil.copy(part(tmp_path / "other", 1), part(kept, 1))  # the same cube, the same part
    shutil.copy(part(tmp_path / "other", 4), part(kept, 4))
    part(kept, 0).unlink()
    refused(kept, part(kept, 4), "found without")


def test_an_edited_part_even_with_another_checksum(kept):
    path = part(kept, 0)
    header, *lines = path.read_text().splitlines()
    path.write_text("\n".join([header, *lines[:-1]]) + "\n")
    refused(kept, path, "its checksum is not that of its content")
    for changed, words in ([lines[0], *lines[:-1]], "there twice"), (["2 5 11 16", *lines[1:]], "none of part 0"):
        entry = json.loads(header)
        del entry["sha256"]
        body = "".join(f"{line}\n" for line in changed)
        seal = hashlib.sha256(f"{json.dumps(entry, sort_keys=True)}\n{body}".encode()).hexdigest()
        path.write_text(json.dumps(entry | {"sha256": seal}) + "\n" + body)
        refused(kept, path, words)


def test_a_removed_part_is_searched_again(kept):
    part(kept, 3).unlink()
    counted(kept)
    assert part(kept, 3).exists()


@pytest.mark.parametrize("what", ["folder", "pipe", "device"])
@pytest.mark.parametrize("name", ["part-00000.txt", "state.json"])
def test_what_is_no_file(kept, what, name):
    path = kept / name
    path.unlink()
    {"folder": path.mkdir, "pipe": lambda: os.mkfifo(path), "device": lambda: path.symlink_to("/dev/zero")}[what]()
    refused(kept, path, "found a directory" if what == "folder" else "found something else than a file")


@settings(max_examples=150)
@given(data=st.data())
def test_no_flipped_cut_or_added_bytes_change_a_number(data, whole, tmp_path_factory):
    """Whatever file is changed and how: the file is named, or nothing has changed."""
    folder = Path(shutil.copytree(whole, tmp_path_factory.mktemp("mutated") / "state"))
    path = data.draw(st.sampled_from(sorted(folder.glob("*[nt]"))))
    content = path.read_bytes()
    at, length = data.draw(st.integers(0, len(content))), data.draw(st.integers(0, 20))
    added = data.draw(
        st.binary(max_size=8) | st.sampled_from([b"1", b"-1", b"[" * 100_000, b"9" * 5000, b"1e999", b"NaN", b"{}"])
    )
    changed = content[:at] + added + content[at + length :]
    path.write_bytes(changed)
    if changed == content:
        counted(folder)
    else:
        refused(folder, path, ".")
    shutil.rmtree(folder.parent)


# -- state.json -----------------------------------------------------------------------------------------------------------


def test_changed_cubes(kept):
    path = kept / "state.json"
    entry = json.loads(path.read_text())
    path.write_text(json.dumps(entry | {"cubes": [[1], [2], [3]]}))
    refused(kept, path, "its checksum is not that of its content")
    path.unlink()
    refused(kept, kept, "found parts, but no state.json")


@pytest.mark.parametrize(
    "change",
    [
        {"cubes": 7},
        {"cubes": [7]},
        {"cubes": [["1"]]},
        {"cubes": [[1.0]]},
        {"cubes": [[True]]},
        {"cubes": [[0]]},
        {"cubes": [[10**30]]},
        {"cubes": {"1": 2}},
        {"cubes": None},
        {"cubes": [[float("inf")]]},
        {"divisions": [[99, [1]]]},
        {"divisions": [[0, []]]},
        {"divisions": [[0]]},
        {"divisions": [[-1, [1]]]},
        {"divisions": "ab"},
        {"unsealed": 3},
        {"version": 3},
        {"schema": []},
        {"problem": {}},
        {"problem": "0" * 64},
    ],
)
def test_a_state_that_says_nonsense(tmp_path, change):
    """States of version 1, which have no checksum that would tell."""
    entry = json.loads((OLD / "state.json").read_text()) | change
    (tmp_path / "state.json").write_text(json.dumps(entry))
    refused(tmp_path, tmp_path / "state.json", "damaged state|belongs to another|expected cnfgen-puzzles/enumeration")


@pytest.mark.parametrize("text", ["", "{", "[]", "7", "null", '"x"', "[" * 100_000, '{"a":' * 100_000, "9" * 10_000, "\xff\0"])
def test_a_state_that_is_none(tmp_path, text):
    (tmp_path / "state.json").write_text(text, encoding="latin-1")
    refused(tmp_path, tmp_path / "state.json", "damaged state")


# -- states of older versions -----------------------------------------------------------------------------------------------


@pytest.fixture
def old(tmp_path):
    return Path(shutil.copytree(OLD, tmp_path / "old"))


def test_a_state_of_version_0_1_0_is_continued(old):
    before = {path: path.read_text() for path in old.glob("part-*.txt")}
    enumeration = Enumeration(permutations(4), BLOCKING, state=old)
    found = list(enumeration)
    assert (len(found), len(set(found)), enumeration.complete) == (24, 24, True)
    assert (enumeration.parts, enumeration.parts_done, enumeration.unsealed) == (13, 13, 11)
    assert {path: path.read_text() for path in before} == before
    assert len(list(old.glob("part-*.txt"))) == len(before) + 2 == 13
    again = Enumeration(permutations(4), BLOCKING, state=old)
    assert set(again) == set(found)
    assert (again.cpu, again.unsealed) == (0, 11)


def test_what_can_be_seen_of_old_parts_is(old):
    path = max(old.glob("part-*.txt"), key=lambda path: path.stat().st_size)
    lines = path.read_text().splitlines()[:-1]
    for text, words in (
        ("", "its last line"),
        (path.read_text()[:-3], "its last line"),
        ("\n".join([*lines, lines[0], f"end {len(lines) + 1}"]), "there twice"),
        ("\n".join([*lines[:-1], "4 7 10 13", f"end {len(lines)}"]), "is none of part"),
        ("\n".join([*lines[:-1], "1 2 99", f"end {len(lines)}"]), "none of the projection variables"),
        ("\n".join([*lines[:-1], "1 ²", f"end {len(lines)}"]), "can't decode"),
    ):
        path.write_text(text)
        refused(old, path, words)
    path.unlink()
    enumeration = Enumeration(permutations(4), BLOCKING, state=old)
    assert len(set(enumeration)) == 24
    assert enumeration.unsealed == 10
    assert len(set(Enumeration(permutations(4), BLOCKING, state=old))) == 24


def test_old_parts_are_no_parts_of_a_new_state(old, kept):
    shutil.copy(part(old, 2), part(kept, 1))
    refused(kept, part(kept, 1), "damaged part")


def test_an_old_state_with_cubes_of_auxiliary_variables(tmp_path):
    """Nobody can tell to which part a solution belongs: each is counted once all the same."""
    problem = Problem(cnf_of(5, [[1, 2], [-1, 2, 3], [4, 5]]), [1, 2, 3])
    entry = {"schema": "cnfgen-puzzles/enumeration", "version": 1, "problem": problem.identity()}
    (tmp_path / "state.json").write_text(json.dumps(entry | {"cubes": [[1], [4], [-4, 5]]}))
    for _ in range(2):
        found = list(Enumeration(problem, BLOCKING, jobs=1, state=tmp_path))
        assert len(found) == len(set(found))
        assert set(found) == projected(problem)


# -- where a solution belongs -----------------------------------------------------------------------------------------------

LITERAL = st.integers(1, 5).flatmap(lambda v: st.sampled_from([v, -v]))


@given(st.lists(st.lists(LITERAL, max_size=3).map(tuple), max_size=5), st.data())
def test_each_solution_is_at_home_in_one_part(cubes, data):
    parts = Parts(cubes)
    for _ in range(data.draw(st.integers(0, 3))):
        parts.divide(data.draw(st.sampled_from(parts.numbers())), data.draw(st.lists(LITERAL, min_size=1, max_size=3)))
    for bits in range(2**5):
        true = {v for v in range(1, 6) if bits >> (v - 1) & 1}
        having = [number for number in parts.numbers() if parts[number].has(true)]
        assert parts.home(true) in having
