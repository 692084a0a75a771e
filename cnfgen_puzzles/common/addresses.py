"""Puzzles as addresses: of puzz.link and penpa-edit, game IDs of Simon Tatham's puzzles, or the 81 cells of a Sudoku.

    slither/5/5/cbcbcddad
    https://puzz.link/p?slither/5/5/cbcbcddad
    https://puzz.link/p?pzprv3/slither/5/5/2%20.%20.%201%20.%20/...
    https://swaroopg92.github.io/penpa-edit/#m=edit&p=...
    loopy:5x5t0:2b1b2b1b2b3b3b0b3
    530070000600195000098000060800060003400803001700020006060000280000419005000080079

A file can have one on each line. A Sudoku can also have nine lines of nine cells.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from cnfgen_puzzles.common.lazy import regex

HOST = r"(?:https?://\S*?\?)?(?:\w+=\w*&)*"
PUZZ_LINK = regex(
    HOST + r"(?P<genre>[a-z][\w-]*?)(?:_edit|_play)?/(?:(?P<variant>[^/\s]*[^/\s0-9][^/\s]*)?/)?"
    r"(?P<width>[0-9]+)/(?P<height>[0-9]+)(?:/(?P<body>[^\s&#]*))?(?:[&#]\S*)?",
    re.ASCII,
)
"""An address with or without the host; `&` and `#` begin parameters of other programs."""
PZPR_FILE = regex(
    HOST + r"(?P<file>(?:v:[^/\n]*/)?pzprv3(?:\.[0-9])?/(?P<genre>[a-z][\w-]*)/[^\n&#]*)(?:[&#]\S*)?",
    re.ASCII,
)
"""A file of pzpr in an address, with `/` for line ends and perhaps %20 for blanks."""
PENPA = regex(r"https?://\S*?[#?](?:\w+=[^&\s]*&)*?p=(?P<data>[A-Za-z0-9+/=_-]+)(?:&\S*)?", re.ASCII)
"""An address of penpa-edit: the puzzle is compressed text."""
GAME_ID = regex(
    r"(?:https?://\S*/)?(?P<game>[a-z]+)(?:\.html#|:)(?P<params>[0-9][^:\s]*):(?P<desc>[^:\s]+)",
    re.ASCII,
)
"""A game ID behind the name of the game, or behind its address in the web."""
SUDOKU = regex(r"[0-9._*]{81}", re.ASCII)
"""The cells of a Sudoku, row by row; 0 and the signs are blank."""
SUDOKU_ROW = regex(r"(?:[ |]*[0-9._*]){9}[ |]*", re.ASCII)
SUDOKU_RULE = regex(r"[-+=| ]*")
"""A line between the boxes of a drawn Sudoku."""
ANY_URL = regex(r"https?://\S+")

FORM = "GENRE/WIDTH/HEIGHT/BODY, with or without https://puzz.link/p? before it"

ALIASES = {
    "akari": "lightup",
    "bijutsukan": "lightup",
    "fillomino01": "fillomino",
    "bridges": "hashikake",
    "building": "skyscrapers",
    "hakyukoka": "ripple",
    "hashi": "hashikake",
    "heyawacky": "heyawake",
    "masyu": "mashu",
    "numberlink": "numlin",
    "pearl": "mashu",
    "skyscraper": "skyscrapers",
    "slitherlink": "slither",
    "yajirin": "yajilin",
}
"""Other names of genres, which puzz.link has in addresses and files."""


GAMES = {
    "bridges": "hashikake",
    "filling": "fillomino",
    "galaxies": "tentaisho",
    "lightup": "lightup",
    "loopy": "slither",
    "mosaic": "mosaic",
    "pearl": "mashu",
    "range": "kurodoko",
    "rect": "shikaku",
    "singles": "hitori",
    "slant": "gokigen",
    "solo": "sudoku",
    "tents": "tents",
    "towers": "skyscrapers",
    "unruly": "binairo",
}
"""The genres with the rules of Simon Tatham's games."""


SAVED_NAMES = {"rectangles": "rect"}
"""The games whose name in save files is not that in addresses."""
RECORD = regex(r"([A-Z0-9 ]{8}):([0-9]{1,8}):")


class Address(NamedTuple):
    """An address, the genre that it names (empty for another URL), and its line in the file (0: it is no line of a file)."""

    text: str
    genre: str
    line: int


def is_address(text: str) -> bool:
    """Whether this looks like an address, right or wrong."""
    if "/" not in text and ":" not in text:  # a line of clues: the other patterns need not be compiled
        return SUDOKU.fullmatch(text) is not None
    return any(pattern.fullmatch(text) for pattern in (PUZZ_LINK, GAME_ID, PZPR_FILE, SUDOKU, ANY_URL))


def is_pzpr(text: str) -> bool:
    """Whether this is a file of pzpr, perhaps of a variant (`v:`), and not one in an address."""
    first, _, rest = text.partition("\n")
    return (rest if first.startswith("v:") else first).startswith("pzprv3") and "/" not in first


def game_in(text: str) -> tuple[str, int]:
    """The game ID in a save file of Simon Tatham's puzzles, and the line of its clues. Moves, which follow, have no effect."""
    found, at, line = dict[str, str](), 0, 1
    while "DESC" not in found:
        if (record := RECORD.match(text, at)) is None or text[record.end() + int(record[2]) :][:1] != "\n":
            shown = text[at : at + 40].split("\n")[0]
            raise ValueError(f"line {line}: found {shown!r}, expected a record of a save file with its length: DESC    :3:abc")
        at = record.end() + int(record[2]) + 1
        found[record[1].rstrip()] = text[record.end() : at - 1]
        line += 1
    game = found.get("GAME", "").lower().replace(" ", "")
    params = found.get("CPARAMS", found.get("PARAMS", ""))
    return f"{SAVED_NAMES.get(game, game)}:{params}:{found['DESC']}", line - 1


@lru_cache(maxsize=2)
def addresses_in(text: str) -> tuple[Address, ...]:
    """The addresses of a file, one on each line that is neither empty nor a comment (`#`), or the game ID of a save file; none
    for other files. ValueError for a damaged save file."""
    if text.startswith("SAVEFILE:"):
        game_id, at = game_in(text)
        name = game_id.split(":", 1)[0]
        return (Address(game_id, GAMES.get(name, name), at),)
    if sudoku := _drawn_sudoku(text):
        return (sudoku,)
    found: list[Address] = []
    for number, line in enumerate(text.split("\n"), 1):
        word = line.strip()
        if word and not word.startswith("#"):
            if not found and not is_address(word):
                return ()
            match, game = PZPR_FILE.fullmatch(word) or PUZZ_LINK.fullmatch(word), GAME_ID.fullmatch(word)
            name = match["genre"] if match else game["game"] if game else "sudoku" if SUDOKU.fullmatch(word) else ""
            found.append(Address(word, (GAMES if game and not match else ALIASES).get(name, name), number))
    return tuple(found)


def _drawn_sudoku(text: str) -> Address | None:
    """The Sudoku of nine lines of nine cells, perhaps with lines around the boxes."""
    lines = [(number, line) for number, line in enumerate(text[:1000].split("\n"), 1) if not SUDOKU_RULE.fullmatch(line)]
    rows = [line for _, line in lines if SUDOKU_ROW.fullmatch(line)]
    if not len(lines) == len(rows) == 9:
        return None
    return Address("".join(re.sub(r"[ |]", "", row) for row in rows), "sudoku", lines[0][0])
