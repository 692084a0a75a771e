"""YAML by human authors: too deep nesting, too large files, and invalid numbers are reported with a line before any recursion."""

import math
import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cnfgen_puzzles.common.errors import InputError
from cnfgen_puzzles.common.inputlimits import other_input_limits
from cnfgen_puzzles.common.readers.strictyaml import Either, Required, check_yaml, read_yaml

SCHEMA = {
    "n": int,
    "x": float,
    "flag": bool,
    "name": str,
    "word": ("a", "b"),
    "list": [Either(scalar=str, list=[int], mapping={str: float})],
    "need": {"inner": Required(str)},
}


class Nested(Either):
    """A recursive schema; its text, which pytest prints, is not recursive."""

    def __init__(self, inner):
        super().__init__(scalar=str, list=[inner], mapping={str: inner})

    def __repr__(self):
        return "Nested"


LAUGHS = "- &a0 [x,x]\n" + "".join(f"- &a{n + 1} [{','.join([f'*a{n}'] * 9)}]\n" for n in range(30))


def refusal(text, schema=SCHEMA):
    with pytest.raises(InputError) as caught:
        check_yaml(text, schema, source="x.yaml")
    told = str(caught.value)
    assert told.startswith("x.yaml:")
    assert "\n" not in told
    assert len(told) < 400
    return told


@pytest.mark.parametrize(
    "text, wanted",
    [("n: 12", 12), ("n: -3", -3), ("n: 1_000", 1000), ("x: 2", 2.0), ("x: 2.5", 2.5), ("flag: yes", True), ("n: !!int '7'", 7)],
)
def test_numbers_are_those_of_yaml(text, wanted):
    value = check_yaml(text, SCHEMA, source="x").value
    assert list(value.values()) == [wanted]
    assert type(value.popitem()[1]) is type(wanted)


def test_deep_nesting_is_refused():
    """In a separate process, since deep nesting once ended in a segmentation fault."""
    code = (
        "from cnfgen_puzzles.common.errors import InputError\n"
        "from cnfgen_puzzles.common.readers.strictyaml import check_yaml\n"
        "for text in ('[' * 50_000, '{' * 50_000, '- ' * 5_000, '? ' * 5_000, '{a: ' * 5_000, '[{' * 5_000):\n"
        "    try:\n        check_yaml(text, str, source='x')\n"
        "    except InputError as error:\n        print(error)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout.count("levels of nesting") == done.stdout.count("CNFGEN_INPUT_LIMITS=depth=") == 6


def test_the_allowed_depth_is_read():
    schema = int
    for _ in range(20):
        schema = [schema]
    text = "[" * 20 + "1" + "]" * 20
    with other_input_limits(depth=20):
        assert check_yaml(text, schema, source="x").value
    with other_input_limits(depth=19):
        assert "depth=" in refusal(text, schema)


@pytest.mark.parametrize("text", [LAUGHS, "- &a [*a]", "- &a {k: *a}"])
def test_aliases_count_wherever_they_stand(text):
    nested = Either(scalar=str)
    for _ in range(150):
        nested = Nested(nested)
    with other_input_limits(elements=5_000):
        assert "aliases" in refusal(text, nested)


def test_values_are_counted():
    with other_input_limits(elements=100):
        check_yaml(f"[{'1,' * 90}]", [int], source="x")
        assert "elements=" in refusal(f"[{'1,' * 101}]", [int])


@pytest.mark.parametrize(
    "text",
    [
        "n: " + "9" * 5000,
        "n: " + "1" * 1001,
        "x: " + "9" * 5000,
        "x: " + "9" * 900,
        "n: 0x" + "f" * 5000,
        "n: .inf",
        "x: .inf",
        "x: -.Inf",
        "x: .nan",
        "x: .NaN",
        "x: 1.0e+999",
        "x: nan",
        "x: inf",
        "n: 1.5",
        "n: 2026-11-22",
        "x: 2026-11-22 10:00:00",
        "n: !!int x",
        "n: !!int ''",
        "n: !!int '[[[['",
        "flag: !!bool maybe",
        "flag: 1",
        "n: !foo 5",
        "n: !foo:int 5",
        "n: !<int> 5",
        "n: !!binary aGk=",
        "n: true",
        "n: null",
        "n: ~",
        "n: ",
        "n: \u0665",
        "n: [1]",
        "x: !!float x",
        "x: !!float ''",
        "n: 0x",
        "n: 0b2",
        "n: 08",
    ],
)
def test_numbers_that_are_not_finite_are_refused(text):
    assert "expected" in (told := refusal(text)) or "digits" in told


@pytest.mark.parametrize(
    "text",
    [
        "",
        "--- \n--- \n",
        "n: 1\nn: 2",
        "<<: {n: 1}",
        "? [a]\n: 1",
        "? {a: b}\n: 1",
        "~: 1",
        "name: \x07",
        "name: \x00",
        "a: b: c",
        "need: {}",
        "'" + "k" * 100_000 + "': 1",
        "name: [" + "x" * 100_000 + "]",
        "word: " + "w" * 100_000,
        "n: *nothing",
        "%FOO\n",
        "\ud800: 1",
        "%TAG !a! x\n" * 1000 + "--- 1",
        "list: [{a: .inf}]",
        "list: {a: 1}",
        "\t",
        "!!python/object:os.system x",
        "&a",
        "*a",
        "]",
        "name: '\\ud800",
    ],
)
def test_errors_are_one_line(text):
    refusal(text)


@given(st.one_of(st.binary(max_size=200), st.text("[]{}-:? &*!%|>'\"#~\n\tnxab01.<", max_size=60).map(str.encode)))
def test_any_bytes_are_a_document_or_refused(tmp_path_factory, data):
    path = tmp_path_factory.getbasetemp() / "any.yaml"
    path.write_bytes(data)
    try:
        value = read_yaml(path, SCHEMA).value
    except InputError as error:
        assert "\n" not in str(error)
    else:
        assert all(math.isfinite(number) for number in (value.get("n", 0), value.get("x", 0)))


def test_files_are_read_as_all_files_are(tmp_path):
    path = tmp_path / "x.yaml"
    path.write_bytes("n: 1".encode("utf-16"))
    with pytest.raises(InputError, match="UTF-16"):
        read_yaml(path, SCHEMA)
    path.write_bytes(b"\xef\xbb\xbfn: 1")
    assert read_yaml(path, SCHEMA).value == {"n": 1}
    with pytest.raises(InputError, match="directory"):
        read_yaml(tmp_path, SCHEMA)
