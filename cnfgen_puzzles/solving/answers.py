"""What solvers say: from the output of any of them to a verdict and a model, and back to the `s` and `v` lines of competitions.

Nothing is believed here and nothing is checked against a formula: that is `run`'s work. What is not an answer (a model cut
short, a literal that is no number, two verdicts) is an InputError with its line.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from cnfgen_puzzles.ground.errors import InputError
from cnfgen_puzzles.ground.sources import Source

SATISFIABLE = "SATISFIABLE"
UNSATISFIABLE = "UNSATISFIABLE"
UNKNOWN = "UNKNOWN"
DECIDED = (SATISFIABLE, UNSATISFIABLE)

VERDICTS = {
    b"SATISFIABLE": SATISFIABLE,
    b"UNSATISFIABLE": UNSATISFIABLE,
    b"UNKNOWN": UNKNOWN,
    b"INDETERMINATE": UNKNOWN,
    b"OPTIMUM FOUND": SATISFIABLE,
}
"""What stands after `s `, or alone on a line of minisat's output."""

MODEL_FILE_VERDICTS = {b"SAT": SATISFIABLE, b"UNSAT": UNSATISFIABLE, b"INDET": UNKNOWN}
"""The first line of minisat's result file."""

LINE_WIDTH = 78


@dataclass(frozen=True)
class Answer:
    """A verdict (None: nothing was said), the literals of a model where one was given, and comments without their `c `."""

    verdict: str | None = None
    model: tuple[int, ...] | None = None
    comments: tuple[str, ...] = ()


def read_answer(source: Source) -> Answer:
    """The answer in a solver's output (`s` and `v` lines, or minisat's words) or in minisat's result file, told by content.

    Lines that belong to no dialect are passed over, since solvers print banners. A model must end with 0, in that it differs
    from one cut short, must not hold a literal and its negation, and goes with SATISFIABLE only.
    """
    first, _, rest = source.data.partition(b"\n")
    if first.strip() in MODEL_FILE_VERDICTS:
        return _checked(MODEL_FILE_VERDICTS[first.strip()], rest.split(), (), source, line=2)
    return _read_lines(source)


def _read_lines(source: Source) -> Answer:
    verdict, tokens, comments = None, [], []
    model_line = 1
    for number, line in enumerate(source.data.split(b"\n"), start=1):
        if line.startswith((b"v ", b"v\t")) or line.rstrip() == b"v":
            tokens += line[1:].split()
            model_line = number
        elif line.startswith(b"c "):
            comments.append(line[2:].rstrip(b"\r").decode("utf-8", "replace"))
        else:
            said = line[2:].strip() if line.startswith(b"s ") else line.strip()
            if line.startswith(b"s ") and said not in VERDICTS:
                raise InputError(f"found the verdict {said[:40]!r}, expected SATISFIABLE, UNSATISFIABLE or UNKNOWN",
                                 source=source.name, line=number)  # fmt: skip
            if said in VERDICTS:
                if verdict not in (None, VERDICTS[said]):
                    raise InputError(f"found the verdict {VERDICTS[said]} after {verdict}", source=source.name, line=number)
                verdict = VERDICTS[said]
    return _checked(verdict, tokens, tuple(comments), source, model_line)


def _checked(verdict: str | None, tokens: list[bytes], comments: tuple[str, ...], source: Source, line: int) -> Answer:
    """The answer, if its model is well-formed; `line` is where the model ends."""
    if not tokens:
        return Answer(verdict, None, comments)
    try:
        literals = [int(token) for token in tokens]
    except ValueError:
        strange = next(token for token in tokens if not token.lstrip(b"-").isdigit())
        raise InputError(f"found {strange[:40]!r} in the model, expected a literal", source=source.name, line=line) from None
    if literals[-1] != 0:
        raise InputError("the model does not end with 0: it is cut short", source=source.name, line=line)
    literals.pop()
    model = tuple(literals)
    if 0 in model:
        raise InputError("found 0 inside the model, expected it at the end only", source=source.name, line=line)
    chosen = set(model)
    torn = next((literal for literal in model if -literal in chosen), None)
    if torn is not None:
        raise InputError(f"the model holds both {torn} and {-torn}", source=source.name, line=line)
    if verdict != SATISFIABLE:
        raise InputError(f"found a model with the verdict {verdict}", source=source.name, line=line)
    return Answer(verdict, model, comments)


def answer_lines(verdict: str, model: Sequence[int] | None = None) -> Iterator[str]:
    """The answer as the SAT competition wants it: one `s` line, then `v` lines that end with 0."""
    yield f"s {verdict}"
    if model is None:
        return
    line = "v"
    for literal in (*model, 0):
        word = f" {literal}"
        if len(line) + len(word) > LINE_WIDTH:
            yield line
            line = "v"
        line += word
    yield line
