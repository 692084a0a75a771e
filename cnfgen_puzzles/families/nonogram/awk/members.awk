/^ "rows": / { height = lists($0, clue, 0) } # lines are the rows from the top, then the columns from the left
/^ "columns": / { width = lists($0, clue, height) - height }
/^ "row_colours": / { lists($0, hue, 0) }
/^ "column_colours": / { lists($0, hue, height) }
/^ "known": / { known = lists($0, row_known, 0) } # of each row; null: not known
