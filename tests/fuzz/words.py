"""Words of the formats for damaged inputs: keywords, signs, and values at the limits of what is accepted."""

from __future__ import annotations


def _words(text: str, *more: str) -> tuple[str, ...]:
    """The words of a text, and words with spaces."""
    return (*text.split(), *more)


XML = _words("< > /> </ <!-- --> <![CDATA[ ]]> &a; &copy; &#0; &#x1b;", "<!DOCTYPE a [", '<!ENTITY a "b">')
NON = _words('rows columns width height goal title by copyright catalogue color 0 , " 1a &quot; r #ff0000 2r 1b', "color r #00f")
WEBPBN = (
    *XML,
    *_words(
        """<puzzleset> <puzzle> <source> <clues type="rows" <line> <count> <solution <image> | color="black" color="red" char="r"
    backgroundcolor="red" defaultcolor="white" name="" f00 type="triddler" type="topleft" type="bottomright" / \\""",
        '<color name="red" char="r">',
    ),
)
OLSAK = _words("#d #D #t 0 1 0:. 1:* r:r b:% #ff0000 red 1r 2b 3 , :", ": rows", ": columns", ": end")
BURR = (*XML, *_words('<puzzle version="2" <gridType <shapes> <voxel x="1" <problem> <result <bitmap> <pair # + _ maxHoles'))
TILES = _words(
    """lattice board size art set name count pinned colors legend wrap any 1..4 none or reflections rotations pieces pentominoes
    domino square cubic hexagonal triangular title claims without optional holes X . | 6x10 3,4 disconnected reflect rotate
    groups labels empty all exactly""",
    *("at least 2", "pieces: all", "labels: |", "0,0: Mar", "without X, I"),
)
SHORT = _words(
    """board= pieces= holes= optional= lattice= torus=yes cylinder=yes reflections= rotations= x × + , : * any .. pentominoes
    hexominoes domino X./XX cubic hexagonal triangular square tetrahexes hexiamonds all 100000 format=yaml number=1""",
    *("at least ", "at most ", "triangle ", "hexagon ", "solid pentominoes", "one-sided ", "groups=", "empty=", "9 of all", "; "),
    *(" without X, I", "###/#.#/###"),
)
MAZES = _words("mazes thin blocked 2x2 100x100 1x10000 / . # 0,0 6 a f")
MAZE_OPTIONS = _words("kind= size= reduce= pattern= length= first= thin blocked 2x2 5x1 all none article N * U")

DIMACS = _words("% 0 -1 2147483647 2147483648 -0", "c ", "p cnf ", "cnfgen-map ", "p show 1 0", "\r\n")
ANSWER = _words(
    "SATISFIABLE UNSATISFIABLE UNKNOWN SAT UNSAT INDET 0 -0 --5",
    *("s ", "v ", "c ", "OPTIMUM FOUND", "s VERIFIED", "cnfgen-evidence "),
)
MAP = _words("schema version blocks grid ragged keys first count projection formula renaming puzzle family auxiliary")
STATISTICS = _words("conflicts decisions propagations restarts : 12", "c ", "(1 /sec)")
PROOF = ("0", "d ", "c ", "-", "1", "-1", "2 0\n", "0\n", "d 1 2 0\n", "4 -1 0\n", "2147483648", "a", "\x00", "\x80")
VERDICT = _words("\r", "s VERIFIED", "s NOT VERIFIED", "c ERROR", "s DERIVATION", "s TIMEOUT", "c MEMOUT", "c ", "\r")
SUITE = _words(
    """family puzzles options generate seeds encodings cnf expected include exclude 1-20 0 none * 512MiB nonogram tiling maze
    heart.nin .. . ~ [ minisat kissat drat-trim ./solver threads jobs wall repetitions scramble"""
)
RECIPE = _words(
    r"""call arguments {cnf} {seed} {model} {options} statistics ( (\d+) (a+)+$ exit_codes module seed least proof format answer
    executable ~ /bin/true quirks kind checker"""
)
SIZE = _words("K M G T iB B .")
RECORD = _words("key status SATISFIABLE UNSATISFIABLE TIMEOUT limits cpu cnf machine proof verified record seed suite evidence")
STATE = _words("schema version problem cubes divided by part identity solutions seal added sha256 family", "1 2")
