# Is the picture a solution of this nonogram? One row per line, @SIGNS@, '.' a @GROUND@ one.
# The @RUNS@ must be those of the clues, in every row and in every column.
# Several pictures: an empty line after each.
BEGIN {
    width = @WIDTH@; height = @HEIGHT@
@CLUES@
}
@FUNCTIONS@
$0 == "" { whole(); next }
{ n++; ended = 0 }
$0 !~ /^[@ALL@.]*$/ || length($0) != width { wrong("line " NR " is no row of " width " cells") }
runs($0) != row[n] { wrong("row " n " has the runs " runs($0) ", expected " row[n]) }
@KNOWN@{ for (c = 1; c <= width; c++) down[c] = down[c] substr($0, c, 1) }
function whole(    c) {
    if (n != height) wrong(n + 0 " rows, expected " height)
    for (c = 1; c <= width; c++)
        if (runs(down[c]) != column[c]) wrong("column " c " has the runs " runs(down[c]) ", expected " column[c])
    n = 0; ended = 1; split("", down)
}
END { if (!ended) whole(); exit bad }
