    for (set = 0; set < 2 ^ (goal - 1); set++) { # cells 1 .. goal-1 of each set are blocked; the walk begins in cell 0
        closed(); open[0]; for (c = 1; c < goal; c++) { delete open[c]; if (int(set / 2 ^ (c - 1)) % 2 == 0) open[c] }
        open[goal]
        for (c = 0; c <= goal; c++) if (c in open) {
            if ((c + 1) % width && (c + 1) in open) pass(c, c + 1, 2)
            if (c + width <= goal && (c + width) in open) pass(c, c + width, 3)
        }
        judge(0, "maze of the set " set)
    }
