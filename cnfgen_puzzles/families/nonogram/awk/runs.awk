function runs(line,    sign, n, i, told) {
    for (i = 1; i <= length(line); i += n) {
        sign = substr(line, i, 1)
        for (n = 1; substr(line, i + n, 1) == sign; n++);
        if (sign != ".") told = told (told == "" ? "" : " ") @TOLD@
    }
    return told ""
}
function wrong(what) { print what; bad = 1 }
