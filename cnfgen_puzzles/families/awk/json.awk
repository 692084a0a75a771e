# Reads puzzle.json, the first file, for the program that follows:
#
#     value[PATH]  a number, true, false, null, or a text, which begins with a quote
#     size[PATH]   the length of a list
#
# list_at(PATH) and number_at(PATH) are the length and the number there; it is an error if there is none.
#
# A PATH leads to a value: rows/3/1 is number 1 of list 3 of the member rows, counted from 0. The program defines begin(), which
# runs when the puzzle was read, and known[PATH], the members of the objects that it reads, with * for each number in PATH and for
# any member. An object with other members is an error, so no part of the puzzle is ignored.
#
# Numbers have at most 8 characters, because mawk writes larger sums of them inexactly. A character has one spelling: texts are
# compared as they are written, so escapes are those that Python writes, and a character that needs none has none.

FNR == NR && /[^ -~]/ { wrong("found other characters than printable ASCII") }
FNR == NR { text = text $0 " "; next }
FNR == 1 { read_puzzle() }
END { if (bad) exit 1; if (!("" in value)) read_puzzle() }

function wrong(what) { print what; bad = 1; exit 1 }
function list_at(path) { if (!(path in size)) wrong("found no list at " path); return size[path] }
function number_at(path) { if (value[path] !~ /^-?[0-9]+$/) wrong("found no number at " path); return value[path] + 0 }
function read_puzzle() {
    tokenize(); read_value(""); if (token[at + 1] != "") wrong("found something behind the puzzle")
    begin()
}
function tokenize(    part, n, i) { # into token[1], token[2], ...; a text is a token that begins with a quote
    gsub(/\\\\/, "\001", text); gsub(/\\"/, "\002", text); n = split(text, part, "\""); text = ""
    for (i = 1; i <= n; i++) {
        if (i % 2) gsub(/[][{},:]/, " & ", part[i])
        else {
            text_is_plain(part[i]); gsub(/ /, "\003", part[i]); part[i] = " \"" part[i] " "
        }
        text = text part[i]
    }
    split(text, token, " ")
}
function text_is_plain(part) {
    gsub(/\\[bfnrt]|\\u(000[0-7bef]|001[0-9a-f]|007f|00[89a-f][0-9a-f]|(0[1-9a-f]|[1-9a-f][0-9a-f])[0-9a-f][0-9a-f])/, "", part)
    if (part ~ /\\/) wrong("found an escape of a character that has another spelling")
}
function read_value(path,    t, n, key, inner, place) { # the one at token `at`
    if (++depth > 20) wrong("found more than 20 lists and objects in each other")
    t = value[path] = token[++at]; inner = path (path == "" ? "" : "/")
    if (t == "[") {
        if (token[at + 1] == "]") at++; else do read_value(inner n++); while (token[++at] == ",")
        if (token[at] != "]") wrong("found no end of the list " path)
        size[path] = n + 0
    } else if (t == "{") {
        place = path; gsub(/[0-9]+/, "*", place)
        if (token[at + 1] == "}") at++; else do {
            key = token[++at]; if (key !~ /^"/ || token[++at] != ":") wrong("found no member of " path)
            key = substr(key, 2); if ((inner key) in value) wrong("found " inner key " twice")
            if (known[place] != "*" && !index(known[place], " " key " ")) wrong("found the unknown member " inner key)
            read_value(inner key)
        } while (token[++at] == ",")
        if (token[at] != "}") wrong("found no end of the object " path)
    } else if (t !~ /^"/ && t != "true" && t != "false" && t != "null" && (t !~ /^(0|-?[1-9][0-9]*)$/ || length(t) > 8))
        wrong("found no value at " path)
    depth--
}
