"""DIMACS CNF files: written strictly, read with a few tolerated deviations, both in chunks (with numpy where it is installed).

The writer writes comments, an exact header, and one clause per line. The reader also accepts clauses that span lines, the `%`
trailer of SATLIB's files, and, if `relaxed`, a header with wrong numbers. Each other deviation is an InputError with its line.
The size of the file bounds the memory and time that reading needs, whatever the header announces.
"""

from __future__ import annotations

import json
import re
from array import array
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, BinaryIO

from cnfgen_puzzles.common.errors import InputError
from cnfgen_puzzles.common.inputlimits import checked_amount, input_limits
from cnfgen_puzzles.common.lazy import regex
from cnfgen_puzzles.common.sources import Source
from cnfgen_puzzles.formula.cnf import Cnf

CHUNK = 1 << 16
"""Literals formatted, or bytes parsed, at once: enough to amortize Python's overhead, few enough for the cache."""

LARGE = 1 << 23
"""Bytes of a file, or of literals in memory, above which numpy is used: it saves more time than its import takes (0.1 s)."""
LONGEST_LINE = 1 << 26
"""In bytes; the words of a line are in memory together, which takes ten times as much."""
MOST_TEXTS = 1 << 18
"""Literals whose texts are in memory while a formula is written without numpy: 30 MB. More of them would not be in the cache."""
MEAN_OCCURRENCES = 8
"""Literals for each variable from which on numpy writes a formula: its table of texts is no larger than the literals."""

PREAMBLE = regex(rb"(?:[ \t\r\f\v]*+(?:c[^\n]*+)?+\n)*+[ \t\r\f\v]*+")
"""Comments and blank lines before the header."""
HEADER = regex(rb"p[ \t]+cnf[ \t]+(\d{1,10})[ \t]+(\d{1,19})[ \t\r]*")
MOST_DIGITS = 10
MOST_VARIABLES = 2**31 - 1
RELAXED = "correct the header, or use the option --relaxed of run-cnf or count-cnf"
CLAUSE_BYTES = b"0123456789- \t\r\n"
COMMAS = bytes.maketrans(b" \t\r\n", b",,,,")


@dataclass
class DimacsFile:
    """The content of a CNF file: the formula, and its comments without the leading `c `.

    `strict` is False for a file that some solvers refuse: compressed, with a `%` trailer, or with a wrong header. `wrong_header`
    describes the latter.
    """

    cnf: Cnf
    comments: list[str] = field(default_factory=list)
    strict: bool = True
    wrong_header: str = ""


# -- writing ----------------------------------------------------------------------------------------------------------


def write_dimacs(cnf: Cnf, stream: BinaryIO, comments: Iterable[str] = ()) -> None:
    """Write `cnf` to a binary stream, with one line for each comment.

    The text is written in chunks, so a large formula is never in memory as a whole. A comment must be one line and must not begin
    with `--`, which some solvers read as an option.
    """
    for comment in comments:
        if "\n" in comment or comment.startswith("--"):
            raise ValueError(f"not a comment line: {comment!r}")
        stream.write(f"c {comment}\n".encode())
    stream.write(f"p cnf {cnf.num_variables} {cnf.num_clauses}\n".encode())
    n, literals = cnf.num_variables, cnf.literals
    numpy = _numpy(len(literals) * literals.itemsize) if MEAN_OCCURRENCES * n <= len(literals) else None
    for text in _texts_by_numpy(numpy, n, literals) if numpy else _texts(n, literals):
        stream.write(text)


def _texts(n: int, literals: array[int]) -> Iterator[bytes]:
    """The clauses in chunks."""
    beyond = f"a literal lies beyond the {n} variables of the formula"
    texts: Mapping[int, str] = {}
    if 2 * n <= min(len(literals), MOST_TEXTS):
        # Twice as fast as str(literal) where neighboring clauses have the same literals. A literal without a text is beyond n.
        texts = {literal: f"{literal} " if literal else "0\n" for literal in range(-n, n + 1)}
    elif literals and (max(literals) > n or min(literals) < -n):
        raise ValueError(beyond)
    for start in range(0, len(literals), CHUNK):
        part = literals[start : start + CHUNK]
        try:
            words = map(texts.__getitem__, part) if texts else [f"{literal} " if literal else "0\n" for literal in part]
            yield "".join(words).encode("ascii")
        except KeyError:
            raise ValueError(beyond) from None


def _texts_by_numpy(numpy: Any, n: int, literals: array[int]) -> Iterator[bytes]:
    """As `_texts`, with a table of the literals 0 .. n, -n .. -1: each text is padded with NUL before its blank or line end."""
    numbers = numpy.frombuffer(literals, numpy.intc)
    if numbers.max() > n or numbers.min() < -n:
        raise ValueError(f"a literal lies beyond the {n} variables of the formula")
    width = len(str(n)) + 2
    table = numpy.r_[0 : n + 1, -n:0].astype(f"S{width}").view(numpy.uint8).reshape(-1, width)
    table[:, -1] = ord(" ")
    table[0, -1] = ord("\n")
    texts = table.view(f"V{width}").ravel()
    for start in range(0, len(literals), CHUNK):
        yield texts[numbers[start : start + CHUNK]].tobytes().translate(None, b"\0")


def _numpy(size: int) -> Any:
    """The module for so many bytes; None if they are few, or if it is not installed."""
    if size < LARGE:
        return None
    try:
        import numpy
    except ImportError:
        return None
    return numpy


# -- reading ----------------------------------------------------------------------------------------------------------


def read_dimacs(source: Source, *, relaxed: bool = False) -> DimacsFile:
    """The formula in `source`; InputError for a file that is not DIMACS, with the line and, if it is known, the format.

    With `relaxed`, the header may announce a wrong number of clauses, or too few variables.
    """
    try:
        return _DimacsReader(source, relaxed).read()
    except InputError as error:
        if found := foreign_format(source.data):
            raise InputError(f"found {found}", source=source.name, line=error.line) from None
        raise


class _DimacsReader:
    """Parses line-aligned chunks with numpy or JSON; parses single lines only if a chunk has comments or errors."""

    def __init__(self, source: Source, relaxed: bool):
        self.source, self.relaxed = source, relaxed
        self.file = DimacsFile(Cnf(), strict=not source.compressed)
        self.at_trailer = False
        self.announced = self.most = 0  # clauses; the highest variable allowed
        self.comments, self.most_comments = 0, input_limits().comments  # bytes
        self.line = 1  # of the current chunk
        self.numpy = _numpy(len(source.data))

    def read(self) -> DimacsFile:
        data = self.source.data
        position = self._read_header(data)
        while position < len(data) and not self.at_trailer:
            end = data.find(b"\n", position + CHUNK) + 1 or len(data)
            chunk = data[position:end]
            if len(chunk) > CHUNK + LONGEST_LINE:
                raise self._error(f"found a line of more than {LONGEST_LINE} bytes, expected one for each clause")
            self._read_chunk(chunk)
            checked_amount("literals", len(self.file.cnf.literals), source=self.source.name, line=self.line)
            self.line += chunk.count(b"\n")
            position = end
        self._check_counts()
        return self.file

    def _read_header(self, data: bytes) -> int:
        """Read comments and the header; the position after it."""
        preamble = PREAMBLE.match(data)
        start = preamble.end() if preamble else 0
        before = data[:start]
        end = _line_end(data, start)
        line = data[start:end].strip()
        if line.startswith(b"c"):  # the last line, without its end
            self._count_comments(len(line))
            line = b""
        if before:
            self._count_comments(len(before))
            for comment in before.split(b"\n"):
                if comment := comment.strip():
                    self._keep_comment(comment)
        self.line += before.count(b"\n")
        if not line:
            self.line -= data.endswith(b"\n") and self.line > 1
            raise self._error(f"the file ends without a header, expected `p cnf VARIABLES CLAUSES`{_old_ends(data)}")
        if not line.startswith(b"p"):
            raise self._error(
                f"found {_quote(line)}, expected a comment or the header `p cnf VARIABLES CLAUSES`; gen-cnf encodes a puzzle"
            )
        match = HEADER.fullmatch(line)
        if not match:
            raise self._error(f"found header {_quote(line)}, expected `p cnf VARIABLES CLAUSES`{_old_ends(line)}")
        self.file.cnf.num_variables, self.announced = int(match[1]), int(match[2])
        checked_amount("variables", int(match[1]), source=self.source.name, line=self.line)
        self.most = MOST_VARIABLES if self.relaxed else int(match[1])
        self.line += 1
        return end

    def _read_chunk(self, chunk: bytes) -> None:
        if chunk.translate(None, CLAUSE_BYTES):
            return self._read_lines(chunk)
        try:
            clauses, literals = _by_numpy(self.numpy, chunk, self.most) if self.numpy else _by_json(chunk, self.most)
        except ValueError:
            return self._read_lines(chunk)
        self.file.cnf.literals.extend(literals)
        self.file.cnf.num_clauses += clauses
        return None

    def _read_lines(self, chunk: bytes) -> None:
        """Read a chunk with comments, a trailer, or an error."""
        first_line = self.line
        for line in chunk.split(b"\n"):
            stripped = line.strip()
            if stripped.startswith(b"%"):
                self.at_trailer, self.file.strict = True, False
                break
            if stripped.startswith(b"c"):
                self._count_comments(len(line))
                self._keep_comment(stripped)
            else:
                self._read_line(stripped)
            self.line += 1
        self.line = first_line

    def _read_line(self, line: bytes) -> None:
        for token in line.split():
            digits = token[1:] if token.startswith(b"-") else token
            if not digits.isdigit() or token.startswith(b"-0"):
                raise self._error(f"found {_quote(token)}, expected a literal or 0")
            n = self.most
            if len(digits.lstrip(b"0")) > MOST_DIGITS or (literal := int(token)) > n or literal < -n:
                fix = f"expected at most {n}" if self.relaxed else f"the header announces {n} variables; {RELAXED}"
                raise self._error(f"found literal {_quote(token)}, {fix}")
            self.file.cnf.literals.append(literal)
            self.file.cnf.num_clauses += literal == 0

    def _check_counts(self) -> None:
        cnf = self.file.cnf
        self.line = self.source.data.count(b"\n") + (not self.source.data.endswith(b"\n"))
        if cnf.literals and cnf.literals[-1] != 0:
            raise self._error("the last clause does not end with 0; is the file cut short?")
        used = max(max(cnf.literals), -min(cnf.literals)) if self.relaxed and cnf.literals else 0
        wrong = [f"{cnf.num_clauses} clauses, the header announces {self.announced}"] if cnf.num_clauses != self.announced else []
        if used > cnf.num_variables:
            wrong.append(f"variable {used}, the header announces {cnf.num_variables}")
            cnf.num_variables = checked_amount("variables", used, source=self.source.name)
        if wrong and not self.relaxed:
            raise self._error(f"found {wrong[0]}; {RELAXED}")
        if wrong:
            self.file.strict, self.file.wrong_header = False, f"found {' and '.join(wrong)}"

    def _count_comments(self, size: int) -> None:
        self.comments += size
        if self.comments > self.most_comments:
            checked_amount("comments", self.comments, source=self.source.name, line=self.line)

    def _keep_comment(self, line: bytes) -> None:
        self.file.comments.append(line[1:].removeprefix(b" ").decode("utf-8", "replace"))

    def _error(self, message: str) -> InputError:
        return InputError(message, source=self.source.name, line=self.line)


def _by_json(chunk: bytes, most: int) -> tuple[int, array[int]]:
    """The number of clauses and the literals of a chunk of CLAUSE_BYTES. ValueError if one is wrong or exceeds `most`.

    The parser of JSON is the fastest of the standard library. It refuses leading zeros, which `_read_lines` accepts.
    """
    if b"-0" in chunk:
        raise ValueError
    try:
        literals = json.loads(b"[%b]" % chunk.translate(COMMAS).strip(b","))
    except ValueError:  # several blanks between two words
        literals = json.loads(b"[%b]" % b",".join(chunk.split()))
    if literals and (max(literals) > most or min(literals) < -most):
        raise ValueError
    return literals.count(0), array("i", literals)


def _by_numpy(numpy: Any, chunk: bytes, most: int) -> tuple[int, array[int]]:
    """As `_by_json`. Each minus must be before a digit from 1 to 9 and after a blank: `fromstring` accepts others, and
    older versions of numpy only warn of `1-2`."""
    text = numpy.frombuffer(chunk, numpy.uint8)
    minus, blank, digit = text == ord("-"), text <= ord(" "), text - ord("1") < 9
    if blank.all() or minus[-1] or (minus[:-1] > digit[1:]).any() or (minus[1:] > blank[:-1]).any():
        raise ValueError
    literals = numpy.fromstring(chunk, numpy.int64, sep=" ")
    if literals.max() > most or literals.min() < -most:
        raise ValueError
    return len(literals) - int(numpy.count_nonzero(literals)), array("i", literals.astype(numpy.intc).tobytes())


def _old_ends(text: bytes) -> str:
    """A note about line ends that no current system uses."""
    return "; its lines end with carriage returns alone" if b"\r" in text.rstrip() and b"\n" not in text else ""


def _line_end(data: bytes, position: int) -> int:
    end = data.find(b"\n", position)
    return len(data) if end < 0 else end + 1


def _quote(text: bytes) -> str:
    shown = repr(text[:60])[2:-1]  # control characters as \\x1b, which terminals do not interpret
    return f"`{shown}{'...' if len(text) > 60 else ''}`"


# -- files of other formats -----------------------------------------------------------------------------------------

HEAD = 1 << 16
"""Bytes at the beginning of a file that are examined."""

FOREIGN = {
    "a WCNF file (MaxSAT)": (
        rb"^p[ \t]+wcnf\b|^h[ \t]+-?[1-9][0-9]*[ \t]",
        "use a MaxSAT solver, or remove weights and soft clauses and write the header `p cnf VARIABLES CLAUSES`",
    ),
    "a WBO file (weighted pseudo-Boolean constraints)": (
        rb"^soft:|^\[[0-9]+\][ \t]*[+-]?[0-9]+[ \t]+~?x[0-9]",
        "use a pseudo-Boolean solver",
    ),
    "an OPB file (pseudo-Boolean constraints)": (
        rb"^\*[ \t]*#variable=|^(?:min|max):|^[+-]?[0-9]+[ \t]+~?x[0-9]+[ \t][^\n]*=",
        "use a pseudo-Boolean solver such as clasp, and decode-cnf for its answer; `gen-cnf --to cnf` writes a CNF",
    ),
    "a QDIMACS file (quantified formula)": (
        rb"^p[ \t]+cnf[^\n]*\n(?:c[^\n]*\n)*[ae][ \t]+[0-9]",
        "use a QBF solver",
    ),
    "a CNF with XOR clauses": (
        rb"^x[ \t]*-?[1-9][0-9]*[ \t]",
        "write them as CNF clauses, or call CryptoMiniSat directly",
    ),
    "a CNF for projected counting (`p pcnf`)": (rb"^p[ \t]+pcnf\b", "count-cnf reads it; other commands need the header `p cnf`"),
    "a file of cubes or assumptions (`p inccnf`)": (rb"^p[ \t]+inccnf\b", "use an incremental solver"),
    "a formula with cardinality constraints (`p knf`)": (rb"^p[ \t]+(?:knf|cnf\+)", "translate the constraints to clauses"),
    "a propositional formula that is not in CNF (`p sat`)": (rb"^p[ \t]+sat", "convert it to CNF"),
    "a graph (DIMACS)": (rb"^p[ \t]+(?:edge|edges|col|tw|sp|max|min|asn)\b", "encode it as CNF"),
    "the answer of a solver": (
        rb"^s[ \t]+(?:(?:UN)?SATISFIABLE|UNKNOWN|OPTIMUM FOUND)|^v[ \t]+-?x?[0-9]|\A(?:SAT|UNSAT)[ \t\r]*$",
        "name the CNF here; decode-cnf decodes answers",
    ),
    "a proof (DRAT)": (
        rb"^d[ \t]+-?[1-9][0-9]*[ \t](?:-?[0-9]+[ \t]+)*0[ \t\r]*$",
        "name the CNF here; run-cnf checks proofs",
    ),
    "a circuit (AIGER)": (rb"\A(?:aag|aig)[ \t]+[0-9]", "convert it to CNF, for example with aigtocnf"),
    "an SMT-LIB file": (rb"^\((?:set-|declare-|define-|assert\b|check-sat)", "use an SMT solver, or export its formula as CNF"),
    "a linear program (LP)": (rb"(?i:^(?:minimi[sz]e|maximi[sz]e|subject to|binaries)\b)", "use a MIP solver"),
    "a linear program (MPS)": (rb"^(?:NAME\b[^\n]*\n(?:\*[^\n]*\n)*ROWS\b|ROWS[ \t\r]*$)", "use a MIP solver"),
}
"""Format: pattern of its text, advice. The first that matches is named."""


def foreign_format(data: bytes) -> str:
    """`a WCNF file (MaxSAT), expected a CNF; advice` if the text has another known format, else nothing."""
    head = data[:HEAD].replace(b"\r\n", b"\n")
    for name, (pattern, advice) in FOREIGN.items():
        if re.search(pattern, head, re.MULTILINE):
            return f"{name}, expected a CNF (DIMACS); {advice}"
    return ""
