# The clue as an automaton that reads the line: its states s = 0 .. are the cells of the tightest line that has a gap before,
# between, and behind the blocks. letter[s] is the color of that cell. State s needs at least before[s] cells before it and
# after[s] behind it. state(q, s): the automaton is in s after q cells; it is a variable if both are possible, by q,
# then by s, line by line. For every line:
# (1) state(0, 0)
# (2) state(q, s) and cell q has color c -> state(q + 1, t), where t follows s and has letter c; if there is none: not both
# (3) state(q, s) -> cell q - 1 has color letter[s]
# (4) state(q, s) -> one of the state(q - 1, t) from which (2) leads to it
# (5) cell q - 1 has color c -> one of the state(q, s) whose letter is c
# State s + 1 follows s; a gap can have any length; the gap between blocks of two colors can be skipped.

function add_line(    i, n, q, s, t, c, text) {
    if (slack < 0) { clause(""); return }
    last = letter[0] = before[0] = 0; after[0] = base[k + 1]
    for (i = 1; i <= k; i++) {
        for (n = 1; n <= b[i]; n++) {
            letter[++last] = ink[i]; before[last] = base[i] + n; after[last] = base[k + 1] - base[i] - n
        }
        letter[++last] = 0; before[last] = base[i] + b[i] + 1; after[last] = base[k + 1] - base[i + 1]
    }
    split("", state); split("", from) # empties both
    for (q = 0; q <= cells[line]; q++)
        for (s = 0; s <= last; s++) if (before[s] <= q && q <= cells[line] - after[s]) state[q, s] = ++variables
    clause(state[0, 0] " ") # (1)
    for (q = 0; q < cells[line]; q++)
        for (s = 0; s <= last; s++)
            for (n = 1; ((q, s) in state) && n <= inks + 1; n++) {
                c = n % (inks + 1); t = next_state(s, c); text = -state[q, s] " " unless(q, c)
                if ((q + 1, t) in state) { text = text state[q + 1, t] " "; from[q + 1, t] = from[q + 1, t] state[q, s] " " }
                clause(text) # (2)
            }
    for (q = 1; q <= cells[line]; q++)
        for (s = 0; s <= last; s++)
            if ((q, s) in state) {
                for (c = 1; c <= inks; c++)
                    if (!letter[s] || letter[s] == c) clause(-state[q, s] " " (letter[s] ? x(q - 1, c) : -x(q - 1, c)) " ") # (3)
                clause(-state[q, s] " " from[q, s]) # (4)
            }
    for (q = 1; q <= cells[line]; q++)
        for (n = 1; n <= inks + 1; n++) {
            c = n % (inks + 1); text = unless(q - 1, c)
            for (s = 0; s <= last; s++) if (letter[s] == c && ((q, s) in state)) text = text state[q, s] " "
            clause(text) # (5)
        }
}
function next_state(s, c) { # the successor of s with letter c; -1: none
    if (!letter[s] && !c) return s
    if (s < last && letter[s + 1] == c) return s + 1
    return letter[s] && s + 2 <= last && !letter[s + 1] && letter[s + 2] == c && c != letter[s] ? s + 2 : -1
}
function unless(q, c,    d, text) { # literals that state that cell q does not have color c
    if (c) return -x(q, c) " "
    for (d = 1; d <= inks; d++) text = text x(q, d) " "
    return text
}
