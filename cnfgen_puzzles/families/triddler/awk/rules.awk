# Is the picture a solution of this triddler? One row per line, from the left, @SIGNS@, '.' a @GROUND@ one.
# The hexagon has the sides A (upper left), B (lower left), C (below), D (lower right), E (upper right), F (above).
# The @RUNS@ must be those of the clues, in every row,
# in every rising line (/) from the left and in every falling line (\) from the left, both read from the top down.
# Several pictures: an empty line after each.
BEGIN {
    A = @A@; B = @B@; C = @C@; D = @D@; E = @E@; F = @F@
@CLUES@
}
@FUNCTIONS@
function left(y) { return y <= A ? -y : y - 2 * A }                            # the ends of the edge above row y, in half cells
function right(y) { return y <= E ? 2 * F + y : 2 * F + 2 * E - y }
$0 == "" { whole(); next }
++n > A + B { wrong("line " NR " is too many"); next }
{
    ended = 0; r = n - 1; first = r < A ? left(r + 1) : left(r)
    size = (right(r) - left(r) + right(r + 1) - left(r + 1)) / 2
    if ($0 !~ /^[@ALL@.]*$/ || length($0) != size) wrong("line " NR " is no row of " size " cells")
    if (runs($0) != row[n]) wrong("row " n " has the runs " runs($0) ", expected " row[n])
    for (i = 1; i <= size; i++) {                                              # the cell from half cell x to x + 2
        x = first + i - 1; sign = substr($0, i, 1)
        up = (x + 2 * A + r) % 2                                               # 1 if it points up
        fall[(x - r - up) / 2 + A + 1] = fall[(x - r - up) / 2 + A + 1] sign
    }
    for (i = size; i >= 1; i--) {
        x = first + i - 1; up = (x + 2 * A + r) % 2
        rise[(x + r + up) / 2 + 1] = rise[(x + r + up) / 2 + 1] substr($0, i, 1)
    }
}
function whole(    k) {
    if (n < A + B) wrong(n + 0 " rows, expected " A + B)
    for (k = 1; k <= E + F; k++)
        if (runs(rise[k]) != rising[k]) wrong("rising line " k " has the runs " runs(rise[k]) ", expected " rising[k])
    for (k = 1; k <= C + D; k++)
        if (runs(fall[k]) != falling[k]) wrong("falling line " k " has the runs " runs(fall[k]) ", expected " falling[k])
    n = 0; ended = 1; split("", rise); split("", fall)
}
END { if (!ended) whole(); exit bad }
