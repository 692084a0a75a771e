/^ "rows": / { height = lists($0, clue, 0) } # lines are the rows from the top, then the columns from the left
/^ "column/ && !height { wrong("the rows must come first") }
/^ "columns": / { width = lists($0, clue, height) - height }
/^ "row_colours": / { hued(lists($0, hue, 0), height) }
/^ "column_colours": / { hued(lists($0, hue, height), height + width) }
/^ "known": / { known = lists($0, row_known, 0) } # of each row; null: not known
