# by(i, q): block i begins at cell q or before. It is false before cell base[i], true from base[i] + slack on, and a
# variable in between: slack variables for each block, line by line. For every line:
# (1) by(i, q) -> by(i, q + 1)
# (2) block i + 1 has moved by t at most -> so has block i
# (3) by(i, q) and not by(i, q - b[i]) -> x(q, ink[i]): a block that has begun and not ended fills the cell
# (4) by(i, q - b[i]) and not by(j, q) -> not x(q, c), for consecutive blocks i, j of color c: no cell between them has it.
#     The same before the first block of the color (i = 0 has always ended) and after the last (j = k + 1 never begins).

function add_line(    i, t, q, c, last) {
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
