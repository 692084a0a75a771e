# Is the picture a solution of this nonogram? A row a line, '#' is a black cell, '.' a white one.
# The lengths of the runs of black cells must be those of the clues, in every row and in every column.
BEGIN {
    width = 5; height = 5
    row[1] = "1"
    row[2] = "1"
    row[3] = "1"
    row[4] = "1"
    row[5] = "1"
    column[1] = "1"
    column[2] = "1"
    column[3] = "1"
    column[4] = "1"
    column[5] = "1"
}
function runs(line,    part, n, i, told) {
    gsub(/[.]+/, " ", line)
    n = split(line, part, " ")
    for (i = 1; i <= n; i++) told = told (i > 1 ? " " : "") length(part[i])
    return told ""
}
function wrong(what) { print what; bad = 1 }
$0 !~ /^[#.]*$/ || length($0) != width { wrong("line " NR " is no row of " width " cells") }
runs($0) != row[NR] { wrong("row " NR " has the runs " runs($0) ", expected " row[NR]) }
{ for (c = 1; c <= width; c++) down[c] = down[c] substr($0, c, 1) }
END {
    if (NR != height) wrong(NR " rows, expected " height)
    for (c = 1; c <= width; c++)
        if (runs(down[c]) != column[c]) wrong("column " c " has the runs " runs(down[c]) ", expected " column[c])
    exit bad
}
