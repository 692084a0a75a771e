# Writes the formula of a @KIND@, in DIMACS CNF, from puzzle.json. Encoding: @NAME@.
#
#     awk -f encode.awk puzzle.json                    # the formula
#     awk -v projection=1 -f encode.awk puzzle.json    # the projection set: all x(q, c)
@USAGE@#
# This text contains no number of a puzzle: it is the same for all puzzles. It reads the clues, lists the cells of each line, and
# writes the clauses of each line.
#
# A line has the cells q = 0, 1, 2, ... and the blocks i = 1 .. k of b[i] cells of the color ink[i]. Colors count from 1; 0 is
# the background. Packed to the left, block i begins at cell base[i]: blocks of one color have a gap of one cell between them,
# those of two colors have none. Each block can move by 0 .. slack cells.
# x(q, c): cell q of the line has color c. These are the first variables: those of the first cell of the board, of the
# next one in its row, and so on. Each cell has one for each color but the background.

# -- the puzzle: one member per line ----------------------------------------------------------------------------------------

BEGIN {
    inks = 1; TRUE = 2147483648 # -TRUE is false; no variable has this number
    members = " about colours @NAMES@ "
}
@GIVEN@!/^ "[a-z_]+": / && !/^[{}]$/ { wrong("line " FNR " is no member") }
/^ / && !index(members, " " substr($1, 2, length($1) - 3) " ") { wrong("line " FNR " is a member that no puzzle has") }
member[$1]++ { wrong("line " FNR " is there twice") }
/^ "colours": / { inks = gsub(/[{]"name": /, "") - 1 } # without the background
@MEMBERS@
function lists(text, into, n,    word, i, words, list, inner) { # the innermost lists in a text: into[n + 1], into[n + 2], ...
    if (text !~ /^ "[a-z_]+": [][, 0-9nul]+$/) wrong("line " FNR " has something else than numbers")
    gsub(/[[]/, " [ ", text); gsub(/[]]/, " ] ", text); gsub(/,/, " ", text)
    words = split(text, word, " ")
    for (i = 1; i <= words; i++)
        if (word[i] == "[") { list = ""; inner = 1 }
        else if (word[i] == "]") { if (inner) into[++n] = list; inner = 0 }
        else list = list " " word[i]
    return n
}
function hued(n, expected) { if (n != expected) wrong("line " FNR " has colours for " n " lines, expected " expected) }
function wrong(what) { print what; bad = 1; exit 1 }

# -- the cells of each line: cell[l, q], counted from 0 row by row; cells[l] is their number -----------------------------

@CELLS@
function append(l, number) { cell[l, cells[l]++] = number }
function x(q, c) { return cell[line, q] * inks + c }

# -- the formula ----------------------------------------------------------------------------------------------------------

END {
    if (bad) exit 1
@COMPARE@    list_cells()
    for (v = 1; projection && v <= count * inks; v++) print v
    if (projection) exit
    formula() # counts
    print "p cnf " variables " " clauses
    writing = 1
    formula()
}
function formula(    n, c, d) {
    variables = count * inks; clauses = 0
@KNOWN@    for (n = 0; n < count; n++) # no cell has two colors
        for (c = 1; c < inks; c++)
            for (d = c + 1; d <= inks; d++) clause(-(n * inks + c) " " (-(n * inks + d)) " ")
    for (line = 1; line <= lines; line++) { read_clue(); add_line() }
}
function read_clue(    i, told, at) {
    k = split(clue[line], b, " "); told = (line in hue)
    if (told && split(hue[line], ink, " ") != k) wrong("line " line " of the puzzle has not as many colours as blocks")
    at = 0
    for (i = 1; i <= k; i++) {
        if (!told) ink[i] = 1
        if (b[i] < 1 || ink[i] < 1 || ink[i] > inks) wrong("line " line " of the puzzle has a block that is none")
        if (i > 1 && ink[i] == ink[i - 1]) at++
        base[i] = at; at += b[i]
    }
    base[0] = b[0] = 0; base[k + 1] = at # the ends of the line
    slack = cells[line] - at # below 0: the clue does not fit
}
function clause(literals) { clauses++; if (writing) print literals "0" } # each literal is followed by a blank

@ENCODING@
