"""DIMACS files: strict readers accept the output, the reader accepts slight deviations, and errors name the line."""

import gzip
import io
import itertools
import lzma
import subprocess
import sys
import tracemalloc

import pytest
from counting.enumerating import cnf_of
from fuzz.formulareaders import formulas as fuzzed_formulas
from hypothesis import given
from hypothesis import strategies as st

from cnfgen_puzzles.common.errors import InputError
from cnfgen_puzzles.common.sources import Source, open_source
from cnfgen_puzzles.formula import Cnf, dimacs, read_dimacs, write_dimacs


@pytest.fixture(scope="module", params=["numpy", "standard library"], autouse=True)
def engine(request):
    """Each test is run with both parsers and both writers; by default, files below `LARGE` bytes need no numpy."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(dimacs, "LARGE", 1 if request.param == "numpy" else 1 << 40)
        patch.setattr(dimacs, "MEAN_OCCURRENCES", 0.01)  # of small formulas, too
        yield


def written(cnf, comments=()):
    stream = io.BytesIO()
    write_dimacs(cnf, stream, comments)
    return stream.getvalue()


def read(text):
    return read_dimacs(Source("x.cnf", text if isinstance(text, bytes) else text.encode()))


literals = st.integers(1, 30).flatmap(lambda v: st.sampled_from((v, -v)))
formulas = st.lists(st.lists(literals, max_size=6), max_size=40).map(lambda clauses: cnf_of(30, clauses))


@given(formulas, st.integers(1, 9))
def test_round_trip(cnf, chunk):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(dimacs, "CHUNK", chunk)  # every way to cut a file into chunks
        text = written(cnf, ["a comment"])
        back = read(text)
    assert back.comments == ["a comment"]
    assert (back.cnf.num_variables, back.cnf.num_clauses, back.cnf.literals) == (30, cnf.num_clauses, cnf.literals)
    assert back.strict
    assert back.cnf.checksum() == cnf.checksum()


@given(formulas)
def test_written_form_is_strict(cnf):
    lines = written(cnf).decode("ascii").splitlines()
    assert lines[0] == f"p cnf 30 {cnf.num_clauses}"
    assert len(lines) == 1 + cnf.num_clauses
    assert all(line.split()[-1] == "0" and line.split().count("0") == 1 and line == line.strip() for line in lines[1:])


def test_satlib_trailer_is_accepted_as_not_strict():
    file = read("p cnf 2 1\n1 -2 0\n%\n0\n\n")
    assert file.cnf.num_clauses == 1
    assert not file.strict


def test_clauses_may_span_lines():
    assert list(read("p cnf 3 2\n1\n2 0 -3\n0\n").cnf.clauses()) == [[1, 2], [-3]]


@pytest.mark.parametrize("suffix, pack", [(".cnf", bytes), (".cnf.gz", gzip.compress), (".cnf.xz", lzma.compress)])
def test_content_determines_compression(tmp_path, suffix, pack):
    path = tmp_path / f"x{suffix}"
    path.write_bytes(pack(b"p cnf 1 1\n-1 0\n"))
    file = read_dimacs(open_source(path))
    assert list(file.cnf.clauses()) == [[-1]]
    assert file.strict == (suffix == ".cnf")


@pytest.mark.parametrize(
    "text, line, message",
    [
        ("", 1, "without a header"),
        ("c only\nc comments\n", 2, "without a header"),
        ("1 2 0\n", 1, "expected a comment or the header"),
        ("p cnf 3\n", 1, "found header"),
        ("p cnf 3 1 7\n1 0\n", 1, "found header"),
        ("p cnf -3 1\n1 0\n", 1, "found header"),
        ("p wcnf 3 1\n1 0\n", 1, "found a WCNF file (MaxSAT), expected a CNF"),
        ("p cnf 4294967296 0\n", 1, "no limit above"),
        ("p cnf 2 1\n1 3 0\n", 2, "literal `3`"),
        ("p cnf 2 1\n1 -3 0\n", 2, "literal `-3`"),
        ("p cnf 2 1\n1 99999999999999999999 0\n", 2, "literal `99999999999999999999`"),
        ("p cnf 2 1\n\n1 x 0\n", 3, "`x`"),
        ("p cnf 2 1\n1 2.5 0\n", 2, "`2.5`"),
        ("p cnf 2 1\n1 +2 0\n", 2, "`+2`"),
        ("p cnf 20 1\n1 1_0 0\n", 2, "`1_0`"),
        ("p cnf 2 1\n1 --2 0\n", 2, "`--2`"),
        ("p cnf 2 1\n1 1-2 0\n", 2, "`1-2`"),
        ("p cnf 2 1\n1 - 2 0\n", 2, "`-`"),
        ("p cnf 2 1\n1 2 -0\n", 2, "`-0`"),
        ("p cnf 2 1\n1 \u0662 0\n", 2, "expected a literal"),
        ("p cnf 2 1\n1 2\n", 2, "does not end with 0"),
        ("p cnf 2 2\n1 2 0\n", 2, "found 1 clauses, the header announces 2"),
        ("p cnf 2 1\n1 2 0\n-1 0\n", 3, "found 2 clauses, the header announces 1"),
        ("p cnf 2 1\np cnf 2 1\n1 0\n", 2, "`p`"),
    ],
)
def test_errors_name_the_line(text, line, message):
    with pytest.raises(InputError) as caught:
        read(text)
    assert caught.value.line == line
    assert message in str(caught.value)
    assert str(caught.value).startswith(f"x.cnf:{line}: ")


def test_error_line_far_into_a_large_file():
    lines = ["p cnf 9 50000", *["1 -2 9 0"] * 50000]
    lines[41234] = "1 -2 oops 0"
    with pytest.raises(InputError, match="oops") as caught:
        read("\n".join(lines))
    assert caught.value.line == 41235


def test_error_line_after_comments_in_a_chunk():
    with pytest.raises(InputError) as caught:
        read("c a\nc b\np cnf 2 3\n1 0\nc here\n2 0\nc there\n7 0\n")
    assert caught.value.line == 8


def test_damaged_compression(tmp_path):
    path = tmp_path / "x.cnf.gz"
    path.write_bytes(gzip.compress(b"p cnf 1 1\n-1 0\n" * 100)[:40])
    with pytest.raises(InputError, match="damaged or cut short"):
        open_source(path)


@pytest.mark.parametrize("comment", ["two\nlines", "--option"])
def test_invalid_comments_are_refused(comment):
    with pytest.raises(ValueError, match="comment"):
        written(Cnf(), [comment])


@pytest.mark.parametrize("literal", [3, -3, 5, -5])
@pytest.mark.parametrize("others", [0, 9], ids=["looked up by none", "looked up"])
def test_a_literal_beyond_the_variables_is_never_written(literal, others):
    assert written(cnf_of(5, [[5, -5]] * 9)).endswith(b"5 -5 0\n")  # a formula with more variables, whose texts may be kept
    with pytest.raises(ValueError, match="beyond the 2 variables"):
        written(cnf_of(2, [[1, -2]] * others + [[1, literal]]))


# -- what a file may take --------------------------------------------------------------------------------------------------


def test_variables_without_clauses_need_no_memory():
    tracemalloc.start()
    file = read("p cnf 90000000 2\n1 -90000000 0\n2 0\n")
    assert written(file.cnf) == b"p cnf 90000000 2\n1 -90000000 0\n2 0\n"
    assert file.cnf.falsified_clause([1, 2]) is None
    assert file.cnf.falsified_clause([1]) == 2
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert most < 2_000_000


def test_literals_are_counted(monkeypatch):
    monkeypatch.setenv("CNFGEN_INPUT_LIMITS", "literals=1000")
    with pytest.raises(InputError, match="CNFGEN_INPUT_LIMITS=literals="):
        read("p cnf 1 501\n" + "1 0\n" * 501)
    assert read("p cnf 1 500\n" + "1 0\n" * 500).cnf.num_clauses == 500


def test_errors_of_limits_say_how_to_raise_them(monkeypatch):
    for name, text in (("variables", "p cnf 200000000 1\n1 0\n"), ("comments", "c " + "x" * 80_000_000 + "\np cnf 1 1\n1 0\n")):
        with pytest.raises(InputError, match=f"CNFGEN_INPUT_LIMITS={name}="):
            read(text)
    monkeypatch.setenv("CNFGEN_INPUT_LIMITS", "variables=200000000,comments=1KiB")
    assert read("p cnf 200000000 1\n1 0\n").cnf.num_variables == 200_000_000
    for text in ("c\n" * 600 + "p cnf 1 0\n", "p cnf 1 0\n" + "c\n" * 2000, "c" * 1025, "p cnf 1 0\nc" + "c" * 1025):
        with pytest.raises(InputError, match="CNFGEN_INPUT_LIMITS=comments="):
            read(text)
    assert read("c " + "x" * 500 + "\np cnf 1 0\nc " + "x" * 500).comments == ["x" * 500] * 2


@given(
    formulas,
    st.integers(1, 40),
    st.lists(st.sampled_from([" ", "  ", "\t", "\n", "\r\n", "\nc c % 1 2 0\n", " \n  c\n"]), min_size=1),
)
def test_chunks_of_every_length_are_read_alike(cnf, length, blanks):
    """No number is cut, and no word of a comment is taken for a number."""
    words = written(cnf).decode().split("\n", 1)[1].split()
    text = "".join(word + blank for word, blank in zip(words, itertools.cycle(blanks), strict=False))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(dimacs, "CHUNK", length)
        back = read(f"c {'c ' * 50}\np cnf 30 {cnf.num_clauses}\n{text}")
    assert back.cnf.literals == cnf.literals


@pytest.mark.parametrize("word", ["c", "%", "x", "31", "-0", "--1", "9" * 5000])
def test_a_wrong_word_within_a_line_is_found(word):
    for place in range(0, 90, 7):
        words = ["1 -2 0"] * 90
        words[place] = f"1 {word} 0"
        with pytest.raises(InputError, match=r"expected a literal|announces 30 variables") as caught:
            read("p cnf 30 90\n" + " ".join(words))
        assert caught.value.line == 2


def test_the_length_of_a_line_is_bounded(monkeypatch):
    monkeypatch.setattr(dimacs, "LONGEST_LINE", 500)
    monkeypatch.setattr(dimacs, "CHUNK", 20)
    assert read("p cnf 2 80\n" + "1 -2 0 " * 70 + "\n" + "1 -2 0\n" * 10).cnf.num_clauses == 80
    with pytest.raises(InputError, match="found a line of more than 500 bytes") as caught:
        read("p cnf 2 80\n" + "1 -2 0 " * 80)
    assert caught.value.line == 2


@pytest.mark.parametrize(
    "text, message",
    [
        ("c x\rp cnf 1 1\r1 0\r", "lines end with carriage returns alone"),
        ("p cnf 1 1\r1 0\r", "lines end with carriage returns alone"),
        ("p cnf 1 1" + " " * 5_000_000 + "1\n1 0\n", "found header"),
        ("p cnf 1 99999999999\n1 0\n", "announces 99999999999"),
        ("p cnf 1 " + "9" * 5000 + "\n1 0\n", "found header"),
        ("p cnf \u0661 1\n1 0\n", "found header"),
        ("p cnf 1_0 1\n1 0\n", "found header"),
        ("p cnf 1 1\n1 \0 0\n", r"`\x00`"),
        ("\0" * 5000, r"\x00"),
        ("p cnf 1 1\n\x1b[2J 0\n", r"`\x1b[2J`"),
        ("p cnf 1 1\n" + "1" * 100_000 + " 0\n", "announces 1 variables"),
        ("p cnf 1 1\n1 0\nc\np cnf 1 1\n", "`p`"),
    ],
)
def test_errors_are_one_printable_line(text, message):
    with pytest.raises(InputError) as caught:
        read(text)
    assert message in str(caught.value)
    assert str(caught.value).isprintable()
    assert len(str(caught.value)) < 400


@pytest.mark.parametrize(
    "text, name",
    [
        ("c soft\np wcnf 2 2 9\n9 1 0\n1 -1 0\n", "a WCNF file (MaxSAT)"),
        ("c new\nh 1 -2 0\n3 2 0\n", "a WCNF file (MaxSAT)"),
        ("* #variable= 2 #constraint= 1\n+1 x1 +1 x2 >= 1 ;\n", "an OPB file"),
        ("min: +1 x1 ;\n+1 x1 >= 1 ;\n", "an OPB file"),
        ("+1 x1 +2 ~x2 >= 1;\n", "an OPB file"),
        ("soft: 9 ;\n[2] +1 x1 >= 1 ;\n", "a WBO file"),
        ("* #variable= 1 #constraint= 1\n[2] +1 x1 >= 1 ;\n", "a WBO file"),
        ("p cnf 2 1\na 1 0\ne 2 0\n1 2 0\n", "a QDIMACS file"),
        ("c x\np cnf 2 1\r\ne 2 0\r\n1 2 0\r\n", "a QDIMACS file"),
        ("p cnf 2 1\nx1 2 0\n", "XOR clauses"),
        ("p cnf 2 1\nx 1 2 0\n", "XOR clauses"),
        ("p pcnf 2 1 1\n1 0\n", "count-cnf reads it"),
        ("p inccnf\n1 0\na 1 0\n", "inccnf"),
        ("p edge 2 1\ne 1 2\n", "a graph"),
        ("c y\ns SATISFIABLE\nv 1 -2 0\n", "the answer of a solver"),
        ("v x1 -x2\n", "the answer of a solver"),
        ("SAT\n1 -2 0\n", "the answer of a solver"),
        ("1 2 0\nd 1 2 0\n0\n", "a proof (DRAT)"),
        ("aag 1 1 0 1 0\n2\n2\n", "a circuit"),
        ("(set-logic QF_LIA)\n(check-sat)\n", "an SMT-LIB file"),
        ("\\ model\nMinimize\n obj: x\nSubject To\n", "a linear program (LP)"),
        ("NAME x\nROWS\n N c\n", "a linear program (MPS)"),
    ],
)
def test_other_formats_are_refused_by_name(text, name):
    with pytest.raises(InputError, match="expected a CNF") as caught:
        read(text)
    assert name in str(caught.value)


@pytest.mark.parametrize(
    "text", ["3 3\n1\n1\n", "p cnf 2 1\n1 min 0\n", "c s SATISFIABLE\n1 0\n", "c p wcnf 1\np cnf 1 2\n1 0\n"]
)
def test_errors_of_a_cnf_do_not_name_another_format(text):
    with pytest.raises(InputError) as caught:
        read(text)
    assert "expected a CNF" not in str(caught.value)


@pytest.mark.parametrize(
    "text, variables, clauses, wrong",
    [
        ("p cnf 2 1\n1 2 0\n-1 0\n", 2, 2, "found 2 clauses, the header announces 1"),
        ("p cnf 2 5\n1 2 0\n-1 0\n%\n0\n", 2, 2, "found 2 clauses, the header announces 5"),
        ("p cnf 2 1\n1 -7 0\n", 7, 1, "found variable 7, the header announces 2"),
        ("p cnf 0 0\nc a\n1 0\n", 1, 1, "found 1 clauses, the header announces 0 and variable 1, the header announces 0"),
        ("p cnf 9 1\n1 0\n", 9, 1, ""),
    ],
)
def test_relaxed_reading_corrects_the_header(text, variables, clauses, wrong):
    file = read_dimacs(Source("x.cnf", text.encode()), relaxed=True)
    assert (file.cnf.num_variables, file.cnf.num_clauses, file.wrong_header, file.strict) == (
        variables, clauses, wrong, not wrong)  # fmt: skip
    assert not read_dimacs(Source("x.cnf", written(file.cnf))).wrong_header
    if wrong:
        with pytest.raises(InputError, match="--relaxed"):
            read(text)


@pytest.mark.parametrize("text", ["p cnf 2 1\n1 2\n", "p cnf 1 1\n2147483648 0\n", "1 0\n", "p cnf 1\n1 0\n"])
def test_relaxed_reading_refuses_other_errors(text):
    with pytest.raises(InputError):
        read_dimacs(Source("x.cnf", text.encode()), relaxed=True)


# -- numpy and the standard library ----------------------------------------------------------------------------------------


def outcome(data, relaxed):
    """All that a reader finds in a file, or its error with the line."""
    try:
        file = read_dimacs(Source("x.cnf", data), relaxed=relaxed)
    except InputError as error:
        return str(error), error.line
    cnf = file.cnf
    return cnf.num_variables, cnf.num_clauses, cnf.literals, file.comments, file.strict, file.wrong_header


damage = st.lists(
    st.tuples(st.integers(0, 1 << 16), st.sampled_from(b"0123456789-- \n\r\t\x0bcp%+x\0\xff"), st.booleans()), max_size=6
)
NUMBERS = (
    "0 1 -1 -9 9 10 00 007 -0 -01 - --1 1- 1-2 +1 9999999999 2147483648 -2147483648 99999999999999999999 -99999999999999999999"
)
words = st.sampled_from([*NUMBERS.split(), "- 2", "\n", " ", "\t", "\r\n", "%", "c", "p"])
texts = st.lists(st.tuples(words, st.sampled_from([" ", "\n", "", "  ", "\n\n"])), max_size=25).map(
    lambda pieces: b"p cnf 9 3\n" + "".join(map("".join, pieces)).encode()
)


@given(st.sampled_from([*fuzzed_formulas()]), damage, st.integers(1, 40), st.booleans())
def test_both_parsers_agree_on_damaged_formulas(data, damaged, chunk, relaxed):
    for place, byte, insert in damaged:
        place %= len(data)
        data = data[:place] + bytes([byte]) + data[place + (not insert) :]
    check_agreement(data, chunk, relaxed)


@given(texts, st.integers(1, 40), st.booleans())
def test_both_parsers_agree_on_strange_words(data, chunk, relaxed):
    check_agreement(data, chunk, relaxed)


def check_agreement(data, chunk, relaxed):
    found = []
    for large in (1, 1 << 40):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(dimacs, "CHUNK", chunk)
            patch.setattr(dimacs, "LARGE", large)
            found.append(outcome(data, relaxed))
    assert found[0] == found[1]


def test_numpy_is_imported_for_large_files_only(tmp_path):
    """A small file is read and written without it; a large one with it."""
    script = """if True:
        import io, sys
        from cnfgen_puzzles.common.sources import Source
        from cnfgen_puzzles.formula import read_dimacs, write_dimacs
        for count in 100_000, 1_500_000:
            cnf = read_dimacs(Source("x", b"p cnf 2 %d\\n" % count + b"1 -2 0\\n" * count)).cnf
            write_dimacs(cnf, io.BytesIO())
            assert (cnf.num_clauses, "numpy" in sys.modules) == (count, count > 1_000_000)
    """
    subprocess.run([sys.executable, "-c", script], check=True)


def test_large_files_are_read_and_written_without_numpy(monkeypatch):
    monkeypatch.setitem(sys.modules, "numpy", None)  # as if it was not installed
    monkeypatch.setattr(dimacs, "LARGE", 1)
    assert written(read("p cnf 2 2\n1 -2 0\n-1 0\n").cnf) == b"p cnf 2 2\n1 -2 0\n-1 0\n"
