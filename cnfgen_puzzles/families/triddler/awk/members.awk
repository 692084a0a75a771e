/^ "sides": / { lists($0, all, 0); split(all[1], side, " "); A = side[1]; B = side[2]; E = side[5]; F = side[6] }
/^ "clues": / { lines = lists($0, clue, 0) } # the rows, the rising lines, the falling lines
/^ "clue_colours": / { hued(lists($0, hue, 0), lines) }
