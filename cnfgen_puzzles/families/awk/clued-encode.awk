# Writes the formula of a nonogram or a triddler, in DIMACS CNF, from puzzle.json. The encoding is order, direct, or regular:
#
#     awk -v encoding=order -f json.awk -f encode.awk puzzle.json                    # the formula
#     awk -v encoding=order -v projection=1 -f json.awk -f encode.awk puzzle.json    # the projection set: all x(q, c)
#     awk -v given=1 -f json.awk -f encode.awk puzzle.json puzzle.nin                # exit code 0: they have the same clues
#
# The program reads the clues, lists the cells of each line, and writes the clauses of each line.
#
# A line has the cells q = 0, 1, 2, ... and the blocks i = 1 .. k of b[i] cells of the color ink[i]. Colors count from 1; 0 is
# the background. Packed to the left, block i begins at cell base[i]: blocks of one color have a gap of one cell between them,
# those of two colors have none. Each block can move by 0 .. slack cells.
# x(q, c): cell q of the line has color c. These are the first variables: those of the first cell of the board, of the
# next one in its row, and so on. Each cell has one for each color but the background.

BEGIN {
    TRUE = 2147483648 # -TRUE is false; no variable has this number
    known[""] = " about rows columns known sides clues colors row_colors column_colors clue_colors "
    known["about"] = "*"; known["colors/*"] = " name value sign "
}
function begin() {
    inks = "colors" in value ? list_at("colors") - 1 : 1; if (inks < 1) wrong("found no colors")
    hexagon = "sides" in value
    if (hexagon) {
        A = side("A"); B = side("B"); C = side("C"); D = side("D"); E = side("E"); F = side("F")
        if (list_at("sides") != 6 || E != A + B - D || F != C + D - A) wrong("found no hexagon")
        if (list_at("clues") != 3) wrong("found clues in other than three directions")
        add_clues("clues/0", "clue_colors/0", A + B); add_clues("clues/1", "clue_colors/1", E + F)
        add_clues("clues/2", "clue_colors/2", C + D)
    } else {
        height = list_at("rows"); add_clues("rows", "row_colors", height)
        width = list_at("columns"); add_clues("columns", "column_colors", width)
    }
    if (hexagon && ("rows" in value || "columns" in value || "known" in value)) wrong("found rows or columns of a triddler")
}
function side(name,    n) {
    n = number_at("sides/" index("ABCDEF", name) - 1); if (n < 0) wrong("found a side below 0"); return n
}
function add_clues(clues, colors, expected,    i) { # clue[l] and hue[l] are the paths of the clue of line l and of its colors
    if (list_at(clues) != expected) wrong("found clues of " size[clues] " lines, expected " expected)
    if (colors in value && list_at(colors) != expected) wrong("found " colors " for " size[colors] " lines")
    for (i = 0; i < list_at(clues); i++) { clue[++lines] = clues "/" i; if (colors in value) hue[lines] = colors "/" i }
}

# -- the cells of each line: cell[l, q], counted from 0 row by row; cells[l] is their number -----------------------------

function append(l, number) { cell[l, cells[l]++] = number }
function x(q, c) { return cell[line, q] * inks + c }
function list_grid(    r, c) { # lines are the rows from the top, then the columns from the left
    count = height * width
    for (r = 0; r < height; r++)
        for (c = 0; c < width; c++) { append(r + 1, r * width + c); append(height + c + 1, r * width + c) }
}

#            F             The sides A .. F of the hexagon, here all 2. Row r = 0, 1, ... has its cells from left to right,
#         ________         pointing up and down by turns. A cell spans from h to h + 2, in half cells; h = 0 is the left end
#        /\  /\  /\        of side F. The left and right ends of the edge above row r are at left(r) and right(r).
#     A /__\/__\/__\ E
#      /\  /\  /\  /\      Lines: the rows; the rising lines (/), told at F from left to right, then down E; the falling
#     /__\/__\/__\/__\     lines (\), told at C from left to right, then up D: so their upper ends go up A, then along F.
#     \  /\  /\  /\  /     Both are read from the top down: below a cell that points up is the next row, beside one that
#    B \/__\/__\/__\/ D    points down the next cell.
#       \  /\  /\  /
#        \/__\/__\/
#            C

function list_hexagon(    r, h) {
    for (r = 0; r < A + B; r++) {
        first[r] = r < A ? -r - 1 : r - 2 * A
        end[r] = first[r] + (right(r) - left(r) + right(r + 1) - left(r + 1)) / 2
        for (h = first[r]; h < end[r]; h++) { number[r, h] = count + 0; append(r + 1, count++) }
    }
    lines = A + B
    for (h = 0; h < F; h++) walk(0, 2 * h, -1)
    for (r = 0; r < E; r++) walk(r, end[r] - 1, -1)
    for (r = A - 1; r >= 0; r--) walk(r, first[r], 1)
    for (h = 0; h < F; h++) walk(0, 2 * h, 1)
    split("", first)
}
function left(r) { return r < A ? -r : r - 2 * A }
function right(r) { return 2 * F + (r < E ? r : 2 * E - r) }
function walk(r, h, aside) { # down a line, from the cell at h
    for (lines++; (r, h) in number;) {
        append(lines, number[r, h])
        if ((r + h) % 2) r++ # it points up
        else h += aside
    }
}

# -- the formula ----------------------------------------------------------------------------------------------------------

END {
    if (bad) exit 1
    if (given) exit compare()
    if (hexagon) list_hexagon(); else list_grid()
    for (v = 1; projection && v <= count * inks; v++) print v
    if (projection) exit
    formula() # counts
    print "p cnf " variables " " clauses
    writing = 1
    formula()
}
function formula(    n, c, d) {
    variables = count * inks; clauses = 0
    known_cells()
    for (n = 0; n < count; n++) # no cell has two colors
        for (c = 1; c < inks; c++)
            for (d = c + 1; d <= inks; d++) clause(-(n * inks + c) " " (-(n * inks + d)) " ")
    for (line = 1; line <= lines; line++) {
        read_clue()
        if (encoding == "order") order()
        else if (encoding == "direct") direct()
        else if (encoding == "regular") regular()
        else wrong("found the unknown encoding " encoding)
    }
}
function clause(literals) { clauses++; if (writing) print literals "0" } # each literal is followed by a blank
function known_cells(    r, c, d, told) {
    if ("known" in value && list_at("known") != height) wrong("found known cells of " size["known"] " rows")
    for (r = 0; r < size["known"]; r++) {
        if (list_at("known/" r) != width) wrong("found " size["known/" r] " known cells in a row")
        for (c = 0; c < width; c++) {
            told = value["known/" r "/" c]; if (told == "null") continue
            if (told !~ /^[0-9]+$/ || told + 0 > inks) wrong("row " r + 1 " has a known cell without a color")
            for (d = 1; d <= inks; d++) clause((told == d ? "" : "-") ((r * width + c) * inks + d) " ")
        }
    }
}
function read_clue(    i, at) {
    k = list_at(clue[line])
    if ((line in hue) && list_at(hue[line]) != k) wrong("line " line " has more or fewer colors than blocks")
    at = 0
    for (i = 1; i <= k; i++) {
        b[i] = number_at(clue[line] "/" i - 1); ink[i] = (line in hue) ? number_at(hue[line] "/" i - 1) : 1
        if (b[i] < 1 || ink[i] < 1 || ink[i] > inks) wrong("line " line " of the puzzle has an invalid block")
        if (i > 1 && ink[i] == ink[i - 1]) at++
        base[i] = at; at += b[i]
    }
    base[0] = b[0] = 0; base[k + 1] = at # the ends of the line
    slack = cells[line] - at # below 0: the clue does not fit
}

# -- the encoding order -----------------------------------------------------------------------------------------------------
# by(i, q): block i begins at cell q or before. It is false before cell base[i], true from base[i] + slack on, and a
# variable in between: slack variables for each block, line by line. For every line:
# (1) by(i, q) -> by(i, q + 1)
# (2) block i + 1 has moved by t at most -> so has block i
# (3) by(i, q) and not by(i, q - b[i]) -> x(q, ink[i]): a block that has begun and not ended fills the cell
# (4) by(i, q - b[i]) and not by(j, q) -> not x(q, c), for consecutive blocks i, j of color c: no cell between them has it.
#     The same before the first block of the color (i = 0 has always ended) and after the last (j = k + 1 never begins).
function order(    i, t, q, c, last) {
    if (slack < 0) { clause(""); return }
    for (i = 1; i <= k; i++) { first[i] = variables + 1; variables += slack }
    for (i = 1; i <= k; i++)
        for (t = 0; t < slack - 1; t++) fold(-(first[i] + t), first[i] + t + 1, -TRUE) # (1)
    for (i = 1; i < k; i++)
        for (t = 0; t < slack; t++) fold(-(first[i + 1] + t), first[i] + t, -TRUE) # (2)
    for (i = 1; i <= k; i++)
        for (q = base[i]; q < base[i] + slack + b[i]; q++) fold(-by(i, q), by(i, q - b[i]), x(q, ink[i])) # (3)
    for (c = 1; c <= inks; c++) {
        last = 0
        for (i = 1; i <= k + 1; i++)
            if (i == k + 1 || ink[i] == c) {
                for (q = base[last] + b[last]; q < base[i] + slack; q++) fold(-by(last, q - b[last]), by(i, q), -x(q, c)) # (4)
                last = i
            }
    }
}
function by(i, q) {
    if (i == 0 || i == k + 1) return i ? -TRUE : TRUE
    if (q < base[i]) return -TRUE
    return q < base[i] + slack ? first[i] + q - base[i] : TRUE
}
function unless_false(a) { return a == -TRUE ? "" : a " " }
function fold(a, b, c) { # the clause 'a or b or c', without constants
    if (a != TRUE && b != TRUE && c != TRUE) clause(unless_false(a) unless_false(b) unless_false(c))
}

# -- the encoding direct ----------------------------------------------------------------------------------------------
# start(i, t): block i has moved by t, so it begins at cell base[i] + t. Each block has slack + 1 such variables, line by
# line; none if the clue does not fit. For every line:
# (1) each block i has some start(i, t)
# (2) not start(i, t) or not start(i, u), for t < u
# (3) not start(i, t) or not start(j, u), for blocks i < j, where block j would begin before the end of block i and its gap (only
#     between blocks of one color)
# (4) x(q, c) -> some start(i, t) of a block of color c that covers cell q
# (5) start(i, t) -> x(q, ink[i]) for every cell q that it covers; in a line without blocks: not x(q, c)
function direct(    i, j, t, u, q, c, n, text) {
    n = slack < 0 ? 0 : slack + 1
    for (i = 1; i <= k; i++) { first[i] = variables + 1; variables += n }
    for (i = 1; i <= k; i++) {
        text = ""
        for (t = 0; t < n; t++) text = text (first[i] + t) " "
        clause(text) # (1)
        for (t = 0; t < n; t++)
            for (u = t + 1; u < n; u++) conflict(first[i] + t, first[i] + u) # (2)
    }
    for (i = 1; i <= k; i++)
        for (j = i + 1; j <= k; j++)
            for (t = 0; t < n; t++)
                for (u = 0; u < n && base[j] + u < base[i] + t + b[i] + (ink[i] == ink[j]); u++)
                    conflict(first[i] + t, first[j] + u) # (3)
    for (c = 1; c <= inks; c++)
        for (q = 0; q < cells[line]; q++) {
            text = -x(q, c) " "
            for (i = 1; i <= k; i++)
                for (t = 0; t < n && ink[i] == c; t++)
                    if (base[i] + t <= q && q < base[i] + t + b[i]) text = text (first[i] + t) " "
            clause(text) # (4)
        }
    for (i = 1; i <= k; i++)
        for (t = 0; t < n; t++)
            for (q = base[i] + t; q < base[i] + t + b[i]; q++) clause(-(first[i] + t) " " x(q, ink[i]) " ") # (5)
    for (c = 1; c <= inks && !k; c++)
        for (q = 0; q < cells[line]; q++) clause(-x(q, c) " ")
}
function conflict(a, b) { clause(-a " " (-b) " ") }

# -- the encoding regular ---------------------------------------------------------------------------------------------
# The clue as an automaton that reads the line: its states s = 0 .. are the cells of the tightest line that has a gap before,
# between, and behind the blocks. letter[s] is the color of that cell. State s needs at least before[s] cells before it and
# after[s] behind it. state(q, s): the automaton is in s after q cells; it is a variable if both are possible, by q,
# then by s, line by line. For every line:
# (1) state(0, 0)
# (2) state(q, s) and cell q has color c -> state(q + 1, t), where t follows s and has letter c; if there is none: not both
# (3) state(q, s) -> cell q - 1 has color letter[s]
# (4) state(q, s) -> one of the state(q - 1, t) from which (2) leads to it
# (5) cell q - 1 has color c -> one of the state(q, s) whose letter is c
# State s + 1 follows s; a gap can have any length; the gap between blocks of two colors can be skipped.
function regular(    i, n, q, s, t, c, text) {
    if (slack < 0) { clause(""); return }
    last = letter[0] = before[0] = 0; after[0] = base[k + 1]
    for (i = 1; i <= k; i++) {
        for (n = 1; n <= b[i]; n++) {
            letter[++last] = ink[i]; before[last] = base[i] + n; after[last] = base[k + 1] - base[i] - n
        }
        letter[++last] = 0; before[last] = base[i] + b[i] + 1; after[last] = base[k + 1] - base[i + 1]
    }
    split("", state); split("", from) # empties both
    for (q = 0; q <= cells[line]; q++)
        for (s = 0; s <= last; s++) if (before[s] <= q && q <= cells[line] - after[s]) state[q, s] = ++variables
    clause(state[0, 0] " ") # (1)
    for (q = 0; q < cells[line]; q++)
        for (s = 0; s <= last; s++)
            for (n = 1; ((q, s) in state) && n <= inks + 1; n++) {
                c = n % (inks + 1); t = next_state(s, c); text = -state[q, s] " " unless(q, c)
                if ((q + 1, t) in state) { text = text state[q + 1, t] " "; from[q + 1, t] = from[q + 1, t] state[q, s] " " }
                clause(text) # (2)
            }
    for (q = 1; q <= cells[line]; q++)
        for (s = 0; s <= last; s++)
            if ((q, s) in state) {
                for (c = 1; c <= inks; c++)
                    if (!letter[s] || letter[s] == c) clause(-state[q, s] " " (letter[s] ? x(q - 1, c) : -x(q - 1, c)) " ") # (3)
                clause(-state[q, s] " " from[q, s]) # (4)
            }
    for (q = 1; q <= cells[line]; q++)
        for (n = 1; n <= inks + 1; n++) {
            c = n % (inks + 1); text = unless(q - 1, c)
            for (s = 0; s <= last; s++) if (letter[s] == c && ((q, s) in state)) text = text state[q, s] " "
            clause(text) # (5)
        }
}
function next_state(s, c) { # the successor of s with letter c; -1: none
    if (!letter[s] && !c) return s
    if (s < last && letter[s + 1] == c) return s + 1
    return letter[s] && s + 2 <= last && !letter[s + 1] && letter[s + 2] == c && c != letter[s] ? s + 2 : -1
}
function unless(q, c,    d, text) { # literals that state that cell q does not have color c
    if (c) return -x(q, c) " "
    for (d = 1; d <= inks; d++) text = text x(q, d) " "
    return text
}

# -- a plain file with the clues: width and height, then the clues of rows and columns; other lines are not understood ------

FNR < NR {
    sub(/\r$/, "")
    if (NF) told[filled++] = $0
    if (!/^[0-9 \t]*$/) strange = 1
}
function compare(    two, l, i, n, block) { # exit code 0: the clues are those of the puzzle; 1: they are not; 3: not understood
    if (strange || split(told[0], two, " ") != 2 || filled != 1 + two[1] + two[2]) return 3
    if (hexagon || inks > 1 || two[1] != width || two[2] != height) return 1
    for (l = 1; l < filled; l++) {
        n = split(told[l], block, " "); if (n == 1 && block[1] == 0) n = 0
        if (n != size[clue[l]]) return 1
        for (i = 1; i <= n; i++) if (block[i] != value[clue[l] "/" i - 1]) return 1
    }
    if ("known" in value) print "; puzzle.json also states known cells"
    return 0
}
