"""An instance whose formula was changed: the files are of the changed formula, and the commands read them."""

import io
import re

import pytest
from inprocess import call

import cnfgen_puzzles as cp
from cnfgen_puzzles.common.errors import InputError
from cnfgen_puzzles.common.sources import Source
from cnfgen_puzzles.families import find_family
from cnfgen_puzzles.formula import VariableMap, read_dimacs
from cnfgen_puzzles.pipeline.instance import make_instance, scramble_instance

TWO = "2 2\n1\n1\n1\n1\n"
"""A nonogram with two solutions, the diagonals of a square."""


@pytest.fixture
def instance():
    family = find_family("nonogram")
    return make_instance(family, family.read(Source("two.nin", TWO.encode())))


def written(instance, path):
    with path.open("wb") as stream:
        instance.write(stream)
    return str(path)


def count(path):
    done = call("count-cnf", [path, "--engine", "clasp", "--jobs", "1"])
    assert done.returncode == 0, done.stderr
    return int(re.search(rb"exact arb int (\d+)", done.stdout)[1])


@pytest.mark.parametrize("scrambled", [False, True])
def test_the_commands_read_what_was_written_after_a_change(instance, tmp_path, scrambled):
    instance = scramble_instance(instance, 3) if scrambled else instance
    assert count(written(instance, tmp_path / "before.cnf")) == 2
    first = cp.solve(instance)
    instance.cnf.literals.extend([-next(v for v in instance.projection if v in set(first.run.model)), 0])
    instance.cnf.num_clauses += 1
    path = written(instance, tmp_path / "after.cnf")
    assert count(path) == 1
    solved = call("run-cnf", ["kissat", path])
    assert solved.returncode == 10, solved.stderr
    decoded = call("decode-cnf", [], solved.stdout)
    assert decoded.returncode == 0 and b"#" in decoded.stdout
    file = read_dimacs(Source("after.cnf", (tmp_path / "after.cnf").read_bytes()))
    VariableMap.of_file(file, "after.cnf").check_belongs(instance.cnf, map_name="map", cnf_name="after.cnf")
    assert instance.current_map().formula == VariableMap.of_file(file, "after.cnf").formula != instance.map.formula


def test_new_variables_are_in_the_map(instance, tmp_path):
    instance.cnf.auxiliary(2)
    assert count(written(instance, tmp_path / "x.cnf")) == 2
    assert instance.current_map().blocks == instance.cnf.blocks


def test_a_scrambled_formula_takes_no_new_variables(instance):
    instance = scramble_instance(instance, 3)
    instance.cnf.num_variables += 1
    with pytest.raises(InputError, match="add variables before scrambling"):
        instance.write(io.BytesIO())


def test_opb_after_a_change(instance, tmp_path):
    family = find_family("nonogram")
    instance = make_instance(family, family.read(Source("two.nin", TWO.encode())), pseudo_boolean=True)
    instance.cnf.literals.extend([1, 0])
    instance.cnf.num_clauses += 1
    stream = io.BytesIO()
    instance.write(stream)
    assert instance.current_map().formula["sha256"].encode() in stream.getvalue().replace(b"\n* cnfgen-map ", b"")
    assert instance.current_map().formula != instance.map.formula
