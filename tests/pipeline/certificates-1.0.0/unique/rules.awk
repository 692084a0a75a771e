# Is the picture a solution of this nonogram? A row a line, '#' is a black cell, '.' a white one.
# The lengths of the runs of black cells must be those of the clues, in every row and in every column.
BEGIN {
    width = 13; height = 12
    row[1] = "3 3"
    row[2] = "5 5"
    row[3] = "4 7"
    row[4] = "3 8"
    row[5] = "13"
    row[6] = "13"
    row[7] = "11"
    row[8] = "9"
    row[9] = "7"
    row[10] = "5"
    row[11] = "3"
    row[12] = "1"
    column[1] = "4"
    column[2] = "6"
    column[3] = "8"
    column[4] = "3 5"
    column[5] = "2 6"
    column[6] = "1 8"
    column[7] = "10"
    column[8] = "10"
    column[9] = "10"
    column[10] = "9"
    column[11] = "8"
    column[12] = "6"
    column[13] = "4"
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
