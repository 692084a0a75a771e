    for (c = 0; c <= goal; c++) { # the places where a wall may stand
        if ((c + 1) % width) { from[++edges] = c; onto[edges] = c + 1; turn[edges] = 2 }
        if (c + width <= goal) { from[++edges] = c; onto[edges] = c + width; turn[edges] = 3 }
    }
    for (set = 0; set < 2 ^ edges; set++) {
        closed(); for (e = 1; e <= edges; e++) if (int(set / 2 ^ (e - 1)) % 2 == 0) pass(from[e], onto[e], turn[e])
        for (start = 0; start <= goal; start++) judge(start, "maze of the set " set ", start " start)
    }
