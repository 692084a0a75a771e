"""Texts of values: `repr` in one line, HTML in a notebook. Content from files and programs is escaped.

Each class chooses its facts; `families/drawing.py` draws boards.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from cnfgen_puzzles.common.errors import printable

MOST_CHARACTERS = 160
"""Maximal length of a `repr`, without the brackets and the kind."""
MOST_PICTURE = 4_000_000
"""Maximal number of characters of a picture; words replace a larger one, which would make a notebook slow."""


def in_brackets(kind: str, *facts: object) -> str:
    r"""The line of a `repr`, without facts that are empty or None.

    >>> in_brackets("Cnf", "3 variables", "", None, "a\nb")
    '<Cnf: 3 variables, a b>'
    """
    text = printable(" ".join(", ".join(str(fact) for fact in facts if fact not in ("", None)).split()))
    shown = text if len(text) <= MOST_CHARACTERS else f"{text[: MOST_CHARACTERS - 3]}..."
    return f"<{kind}: {shown}>" if shown else f"<{kind}>"


def numbered(count: int, noun: str) -> str:
    """
    >>> numbered(1, "clause"), numbered(0, "board")
    ('1 clause', '0 boards')
    """
    return f"{count} {noun}{'s' * (count != 1)}"


def escaped(text: str) -> str:
    """The text as HTML, also within an attribute."""
    from html import escape  # only notebooks need it

    return escape(printable(text))


def words(text: str) -> str:
    """A text of several lines as HTML."""
    lines = map(escaped, text.split("\n"))
    return f"<p>{'<br/>'.join(lines)}</p>"


def preformatted(text: str) -> str:
    """A drawing of characters as HTML."""
    lines = map(escaped, text.split("\n"))
    return '<pre style="line-height: 1.2">' + "\n".join(lines) + "</pre>"


def picture(svg: str, text: str) -> str:
    """An SVG as a separate image, so that its content cannot affect the page; `text` is the alternative text."""
    import base64

    data = base64.b64encode(svg.encode(errors="replace")).decode("ascii")
    return f'<img alt="{escaped(text)}" style="max-width: 100%" src="data:image/svg+xml;base64,{data}"/>'


def side_by_side(parts: Iterable[str]) -> str:
    """HTML elements in rows that wrap."""
    return f'<div style="display: flex; flex-wrap: wrap; gap: 1em; align-items: flex-start">{"".join(parts)}</div>'


def table(headers: Sequence[str], rows: Iterable[Sequence[str]], *, words: int = 1, best: Iterable[int] = ()) -> str:
    """A table as HTML: the first `words` columns are left-aligned, the others right-aligned; the rows `best` are bold."""

    def cells(row: Sequence[str], tag: str) -> str:
        sides = ["left"] * words + ["right"] * max(len(row) - words, 0)
        each = zip(sides, row, strict=False)
        return "<tr>" + "".join(f'<{tag} style="text-align: {side}">{escaped(c)}</{tag}>' for side, c in each) + "</tr>"

    strong = set(best)
    body = "".join(cells(row, "th" if number in strong else "td") for number, row in enumerate(rows))
    return f"<table><thead>{cells(headers, 'th')}</thead><tbody>{body}</tbody></table>" if headers else f"<table>{body}</table>"
