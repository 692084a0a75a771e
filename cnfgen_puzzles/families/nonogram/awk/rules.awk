# Is the picture a solution of this nonogram? A row a line, @SIGNS@, '.' a @GROUND@ one.
# The @RUNS@ must be those of the clues, in every row and in every column.
BEGIN {
    width = @WIDTH@; height = @HEIGHT@
@CLUES@
}
@FUNCTIONS@
$0 !~ /^[@ALL@.]*$/ || length($0) != width { wrong("line " NR " is no row of " width " cells") }
runs($0) != row[NR] { wrong("row " NR " has the runs " runs($0) ", expected " row[NR]) }
@KNOWN@{ for (c = 1; c <= width; c++) down[c] = down[c] substr($0, c, 1) }
END {
    if (NR != height) wrong(NR " rows, expected " height)
    for (c = 1; c <= width; c++)
        if (runs(down[c]) != column[c]) wrong("column " c " has the runs " runs(down[c]) ", expected " column[c])
    exit bad
}
