"""XML of other programs: input that needs much memory or stack for its size is refused."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cnfgen_puzzles.common.errors import InputError
from cnfgen_puzzles.common.inputlimits import other_input_limits
from cnfgen_puzzles.common.readers.strictxml import parse_xml
from cnfgen_puzzles.common.sources import Source

LAUGHS = "".join(f'<!ENTITY a{n + 1} "{f"&a{n};" * 10}">' for n in range(30))


def refusal(text):
    with pytest.raises(InputError) as caught:
        parse_xml(text, "x.xml", "a puzzle")
    told = str(caught.value)
    assert told.startswith("x.xml:")
    assert "\n" not in told
    assert len(told) < 400
    return told


def test_elements_with_lines():
    root = parse_xml('\n<?xml version="1.0"?>\n<a x="1">t\n<b/>u</a>', "x", "a puzzle")
    assert (root.name, root.attributes, root.text, root.line) == ("a", {"x": "1"}, "t\nu", 3)
    assert root.only("b").line == 4


@pytest.mark.parametrize("depth", [10, 100_000])
def test_depth_has_a_limit(depth):
    with other_input_limits(depth=9):
        assert "CNFGEN_INPUT_LIMITS=depth=" in refusal("<a>" * depth) or depth > 200
    with other_input_limits(depth=10):
        assert parse_xml("<a>" * 10 + "</a>" * 10, "x", "a puzzle").name == "a"


@pytest.mark.parametrize("text", ["<a>" + "<b/>" * 100 + "</a>", "<a>" + "<b c='1' d='2'/>" * 40 + "</a>", "<a " + "x='='" * 60])
def test_elements_and_attributes_are_counted(text):
    with other_input_limits(elements=100):
        assert "CNFGEN_INPUT_LIMITS=elements=" in refusal(text)


@pytest.mark.parametrize(
    "subset, word",
    [
        (f'<!ENTITY a0 "ha">{LAUGHS}', "entity 'a0'"),
        ('<!ENTITY f SYSTEM "file:///etc/passwd">', "entity 'f'"),
        ('<!ENTITY % p SYSTEM "http://example.org/x.dtd"> %p;', "entity 'p'"),
        (f'<!ATTLIST a x CDATA "{"y" * 10_000}">', "attributes 'x'"),
    ],
)
def test_entities_and_default_attributes_are_refused(subset, word):
    assert word in refusal(f"<!DOCTYPE a [\n{subset}]><a>&a30;&f;</a>")


@pytest.mark.parametrize(
    "text",
    [
        "",
        " \n",
        "x",
        "<",
        "<a",
        "<a></b>",
        "<a/><b/>",
        "<a x='1' x='2'/>",
        "<a>&lt",
        "<a>&#0;</a>",
        "<a>\x00</a>",
        "<a>\x1b</a>",
        "<" + "n" * 100_000 + ">",
        "<a><![CDATA[" + "[" * 1000,
        "<!DOCTYPE a [<!ELEMENT a " + "(" * 100_000,
        "<a " + "x" * 100_000,
    ],
)
def test_errors_of_invalid_xml_are_one_line(text):
    refusal(text)


def test_huge_attributes_and_declared_encodings_are_harmless():
    value = "v" * 5_000_000
    assert parse_xml(f'<?xml version="1.0" encoding="utf-16"?><a x="{value}"/>', "x", "a puzzle").attributes["x"] == value


def test_a_public_dtd_is_not_fetched():
    root = parse_xml('<!DOCTYPE a PUBLIC "-//x" "http://127.0.0.1:1/x.dtd"><a>&copy;&unknown;</a>', "x", "a puzzle")
    assert root.text == "\u00a9&unknown;"


@given(st.one_of(st.binary(max_size=200), st.text("<>a/='\"&;![]?-# xENTITY", max_size=60).map(str.encode)))
def test_any_bytes_are_a_tree_or_refused(data):
    try:
        parse_xml(Source("x", data).text(), "x", "a puzzle")
    except InputError as error:
        assert "\n" not in str(error)
