"""Puzzles as addresses: of puzz.link, or game IDs of Simon Tatham's puzzles.

    slither/5/5/cbcbcddad
    https://puzz.link/p?slither/5/5/cbcbcddad
    loopy:5x5t0:2b1b2b1b2b3b3b0b3

A file can have one on each line.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from cnfgen_puzzles.common.lazy import regex

PUZZ_LINK = regex(
    r"(?:https?://\S*?\?)?(?P<genre>[a-z][\w-]*)/(?:(?P<variant>[^/\s]*[^/\s0-9][^/\s]*)?/)?"
    r"(?P<width>[0-9]+)/(?P<height>[0-9]+)(?:/(?P<body>\S*))?",
    re.ASCII,
)
"""An address with or without the host."""
GAME_ID = regex(
    r"(?:https?://\S*/)?(?P<game>[a-z]+)(?:\.html#|:)(?P<params>[0-9][^:\s]*):(?P<desc>[^:\s]+)",
    re.ASCII,
)
"""A game ID behind the name of the game, or behind its address in the web."""
ANY_URL = regex(r"https?://\S+")

FORM = "GENRE/WIDTH/HEIGHT/BODY, with or without https://puzz.link/p? before it"

ALIASES = {
    "akari": "lightup",
    "bijutsukan": "lightup",
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
}
"""Other names of genres, which puzz.link has in addresses."""


GAMES = {
    "bridges": "hashikake",
    "filling": "fillomino",
    "galaxies": "tentaisho",
    "lightup": "lightup",
    "loopy": "slither",
    "pearl": "mashu",
    "range": "kurodoko",
    "rect": "shikaku",
    "singles": "hitori",
    "slant": "gokigen",
    "solo": "sudoku",
    "tents": "tents",
    "towers": "skyscrapers",
}
"""The genres with the rules of Simon Tatham's games."""


class Address(NamedTuple):
    """An address, the genre that it names (empty for another URL), and its line in the file (0: it is no line of a file)."""

    text: str
    genre: str
    line: int


def is_address(text: str) -> bool:
    """Whether this looks like an address, right or wrong."""
    return any(pattern.fullmatch(text) for pattern in (PUZZ_LINK, GAME_ID, ANY_URL))


@lru_cache(maxsize=2)
def addresses_in(text: str) -> tuple[Address, ...]:
    """The addresses of a file, one on each line that is neither empty nor a comment (`#`); none for other files."""
    found: list[Address] = []
    for number, line in enumerate(text.split("\n"), 1):
        word = line.strip()
        if word and not word.startswith("#"):
            if not found and not is_address(word):
                return ()
            match, game = PUZZ_LINK.fullmatch(word), GAME_ID.fullmatch(word)
            name = match["genre"] if match else game["game"] if game else ""
            found.append(Address(word, (ALIASES if match else GAMES).get(name, name), number))
    return tuple(found)
