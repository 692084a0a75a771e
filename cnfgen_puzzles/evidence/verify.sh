#!/bin/sh
# Checks a certificate of cnfgen-puzzles with public programs only. This script is the same in every certificate, and
# `verify-certificate` runs the same script. It first copies the files of the certificate to a private folder, and checks and uses
# only the copies. They are data, except the awk programs json.awk (reads the puzzle), rules.awk (the rules), and encode.awk
# (writes the formula from the puzzle). The script runs such a program only if its SHA-256 is in the list below, PROGRAMS. Read
# this script and these programs before you run it.
#
#     sh verify.sh                      # the certificate in the folder of this script
#     sh verify.sh FOLDER
#     CAKE_LPR=/path/to/cake_lpr DRAT_TRIM=/path/to/drat-trim LRAT_CHECK=/path/to/lrat-check sh verify.sh
#
# Exit code 0: verified. 1: damaged, or the claim is not shown. 2: not a certificate, or one of another format.
# 3: no error was found, but some checks could not run: a program is missing, or temporary files cannot be written.
#
# In the environment:
#   DRAT_TRIM               a checker of DRAT proofs, by default drat-trim from PATH
#   CAKE_LPR, LRAT_CHECK    checkers of LRAT proofs, by default cake_lpr (which is itself verified) and lrat-check from PATH
#   DRAT_NAME, LRAT_NAME    the names of DRAT_TRIM and LRAT_CHECK in messages
#   AWK                     the awk, by default the one from PATH
#   TMPDIR                  the folder for temporary files, by default /tmp; the copies need as much room as the certificate
#   SOLVER, PROOFS          a solver that proves the cubes of a list of models again if their proofs were not kept, called as
#                           `$SOLVER FORMULA PROOF`, and the format of its proofs: drat (the default) or lrat, as text
#
# `sh verify.sh --data WORK FOLDER` is for programs. It prints a line for each result: status (ok, note, open, failed, refused,
# stopped), code, file, line, sentence, separated by tabs; the last status is `end`. Intermediate files stay in the folder WORK:
# certificate (the copies), SHA256SUMS as it was checked, and blocked.cnf. This mode runs neither rules.awk nor encode.awk, and it
# prints a line for each unchecked cube.
#
# The parts: results; text files; files of the folder; formulas and models; proofs; lists of all models; rules and encoders;
# statements.

LC_ALL=C; export LC_ALL; umask 077
if (trap '' XFSZ) 2>/dev/null; then trap '' XFSZ; fi # beyond a limit on the size of files, a write fails and ends no program
unset BLOCK_SIZE LS_BLOCK_SIZE BLOCKSIZE TIME_STYLE QUOTING_STYLE GREP_OPTIONS # change what ls and grep print
: "${DRAT_TRIM:=drat-trim}" "${LRAT_CHECK:=lrat-check}" "${CAKE_LPR:=cake_lpr}" "${AWK:=awk}"
: "${DRAT_NAME:=drat-trim}" "${LRAT_NAME:=lrat-check}" "${SOLVER:=}" "${PROOFS:=drat}"
FORMAT=3
MOST=67108864 # most bytes of manifest.txt, SHA256SUMS, certificate.json, README.md, and verify.sh
case $DRAT_TRIM in /*) ;; */*) DRAT_TRIM=$PWD/$DRAT_TRIM ;; esac
case $CAKE_LPR in /*) ;; */*) CAKE_LPR=$PWD/$CAKE_LPR ;; esac
case $LRAT_CHECK in /*) ;; */*) LRAT_CHECK=$PWD/$LRAT_CHECK ;; esac
data=; incomplete=; statement=; solutions=; orbits=; short=

# -- results ----------------------------------------------------------------------------------------------------------------

result() { # STATUS CODE FILE LINE SENTENCE
    if [ -n "$data" ]; then printf '%s\t%s\t%s\t%s\t%s\n' "$@" || exit 3; return; fi
    case $1 in
        ok) printf 'ok: %s\n' "$5" ;;
        note) printf '%s\n' "$5" ;;
        open | stopped) printf 'NOT CHECKED: %s\n' "$5" ;;
        *) printf 'NOT VERIFIED: %s\n' "${3:+$3${4:+:$4}: }$5" ;;
    esac || exit 3
}
printable() { printf '%s' "$1" | tr -c ' -~' '?' | cut -c 1-300; }
end_with() { # EXIT-CODE STATUS CODE FILE LINE SENTENCE: LINE 0 is none
    line=$5; [ "$line" != 0 ] || line=
    result "$2" "$3" "$(printable "$4")" "$line" "$(printable "$6")"
    exit "$1"
}
fail() { end_with 1 failed "$@"; }             # CODE FILE LINE SENTENCE
refuse() { end_with 2 refused folder "" 0 "$1"; } # SENTENCE
stop() { end_with 3 stopped machine "" 0 "$1"; }  # SENTENCE
good() { result ok "$1" "$2" "" "$3"; }        # CODE FILE SENTENCE
note() { result note "$1" "" "" "$2"; }        # CODE SENTENCE
unable() { result open "$1" "$2" "" "$3"; incomplete=yes; } # CODE FILE SENTENCE

no_room() { stop "temporary files cannot be written in ${TMPDIR:-/tmp}: make room there, or set TMPDIR to another folder"; }
write() { # FILE COMMAND...: its output becomes FILE. Returns 1 if the exit code is 1; another failure of awk is one of the machine
    file=$1; shift # cat reports every failed write; not every awk and sort does
    failed=$({ { "$@" || printf '%s' "$?" >&3; } | cat >"$file" || printf 'full' >&3; } 3>&1)
    case $failed,$1 in ,*) ;; 1,*) return 1 ;; *full*,* | *,sort) no_room ;; *) stop "$AWK failed (exit code $failed)" ;; esac
}

judge() { # CODE FILE AWK-ARGUMENTS...: the program prints `LINE SENTENCE` and exits with 1 if FILE is wrong
    code=$1; file=$2; shift 2
    found=$("$AWK" "$@")
    case $? in 0) ;; 1) fail "$code" "$file" "${found%% *}" "${found#* }" ;; *) stop "$AWK failed when it read $file" ;; esac
}
LIBRARY='
    function wrong_at(line, what) { print line " " what; bad = 1; exit 1 }
    function wrong(what) { wrong_at(FNR, what) }
    function size(literal) { return literal < 0 ? -literal : literal + 0 }
'

# -- text files -------------------------------------------------------------------------------------------------------------

N='([1-9][0-9]{0,8}|1[0-9]{9}|20[0-9]{8}|21[0-3][0-9]{7}|214[0-6][0-9]{6}|2147[0-3][0-9]{5}|21474[0-7][0-9]{4}'
N="$N|214748[0-2][0-9]{3}|2147483[0-5][0-9]{2}|21474836[0-3][0-9]|214748364[0-7])" # from 1 to 2^31-1
W="(0|$N)"; L="-?$N"
NAME='([A-Za-z0-9_][A-Za-z0-9_.-]*/)?[A-Za-z0-9_][A-Za-z0-9_.-]*'
DRAT_STEP="(d )?($L )*0"
LRAT_STEP="$N (d ($N )*|($L )*0 ($L )*)0"

lines() { # FILE PATTERN SENTENCE [NAME]: printable ASCII, a newline at the end, and each line matches the pattern
    name=${4:-$1}
    [ "$(tr -d '\n -~' <"$1" | head -c 1 | wc -c)" -eq 0 ] || fail text "$name" 0 "contains characters other than printable ASCII"
    [ -z "$(tail -c 1 "$1")" ] || fail text "$name" 0 "is truncated: its last line does not end with a newline"
    grep -q -v -x -E "$2" "$1"
    case $? in
        0) fail text "$name" "$(grep -n -v -x -E "$2" "$1" | head -n 1 | cut -d : -f 1)" "$3" ;;
        1) ;;
        *) stop "grep failed when it read $name" ;;
    esac
}

# -- files of the folder ----------------------------------------------------------------------------------------------------

FORMULA_FILES='formula\.cnf|projection\.txt|map\.json|(json|encode)\.awk|cuts\.txt'
BOARD_FILES='board\.(txt|json)|(json|rules)\.awk|solution\.txt'
PROOF_FILES='proof\.(drat|lrat)'
known_files() { # the files that the statement requires or allows; each of them is checked
    printf '%s' 'README\.md|certificate\.json|verify\.sh|(puzzle|given)\.[a-z0-9]{1,10}|'
    case $statement in
        model) printf '%s' "$FORMULA_FILES|$BOARD_FILES|model\.txt" ;;
        two-models) printf '%s' "$FORMULA_FILES|$BOARD_FILES|model(-2)?\.txt|board-2\.(txt|json)" ;;
        only-model) printf '%s' "$FORMULA_FILES|$BOARD_FILES|model\.txt|blocked\.cnf|$PROOF_FILES" ;;
        all-models) printf '%s' "$FORMULA_FILES|rules\.awk|boards\.(txt|jsonl)|(solutions|symmetries|cubes|covering)\.txt|cover\.(drat|lrat)"
            printf '%s' '|proofs/[0-9]{5,9}\.lrat' ;;
        no-model) printf '%s' "$FORMULA_FILES|$PROOF_FILES" ;;
        obeys) printf '%s' "$BOARD_FILES" ;;
    esac
}

same_files() { # the files are those of manifest.txt, with the sizes there; private copies have the checksums in SHA256SUMS
    odd=$(find . \( -name '*[!A-Za-z0-9_.-]*' -o -name '[.-]?*' \) | head -n 1)
    [ -z "$odd" ] || fail files "${odd#./}" 0 "is not listed in manifest.txt"
    odd=$(find . -type d ! -name . ! -path ./proofs | head -n 1)
    [ -z "$odd" ] || fail files "${odd#./}" 0 "is a folder that is not listed in manifest.txt"
    odd=$(find . ! -type d ! -type f | head -n 1)
    [ -z "$odd" ] || fail files "${odd#./}" 0 "is not a regular file (a link, pipe, or device)"
    for name in manifest.txt SHA256SUMS certificate.json README.md verify.sh; do
        [ -f "$name" ] || fail files "$name" 0 "is missing"
        [ -z "$(find "./$name" -size +"$MOST"c)" ] || fail files "$name" 0 "has more than $MOST bytes"
    done
    manifest=$work/manifest.txt; sums=$work/SHA256SUMS # from here on, these copies are checked
    for name in manifest.txt SHA256SUMS; do head -c "$MOST" "$name" | cat >"$work/$name" || no_room; done
    lines "$sums" "[0-9a-f]{64}  $NAME" "is not a line of a checksum and a name" SHA256SUMS
    format=$(sed -n '1s/^format \([1-9][0-9]\{0,8\}\)$/\1/p' "$manifest")
    [ -n "$format" ] || fail manifest manifest.txt 1 "found no format"
    if [ "$format" != "$FORMAT" ]; then
        grep -q -x -F "$(sha256sum <"$manifest" | cut -c 1-64)  manifest.txt" "$sums" ||
            fail manifest manifest.txt 1 "was changed: found format $format, expected $FORMAT"
        refuse "found a certificate of format $format, expected $FORMAT"
    fi
    lines "$manifest" "format $W|statement [a-z-]+|(solutions|orbits|short) $W|file (0|[1-9][0-9]{0,14}) $NAME" \
        "is not a line of a manifest" manifest.txt
    judge manifest manifest.txt "$LIBRARY"'
        NR == 2 { list = $2 == "all-models"; if ($1 != "statement") wrong("found no statement") }
        NR > 2 { expected = list && NR == 3 ? "solutions" : list && NR == 4 ? "orbits" : list && NR == 5 ? "short" : "file"
                 if ($1 != expected) wrong("found " $1 ", expected " expected)
                 if ($1 == "short" && $2 > 1) wrong("found " $2 ", expected 0 or 1") }
        END { if (!bad && NR < 3) wrong_at(0, "is truncated"); exit bad }
    ' "$manifest"
    statement=$(sed -n 's/^statement //p' "$manifest")
    solutions=$(sed -n 's/^solutions //p' "$manifest"); orbits=$(sed -n 's/^orbits //p' "$manifest")
    short=$(sed -n 's/^short //p' "$manifest")
    sed -n 's/^file //p' "$manifest" | sort -k 2 | cat >"$work/named" || no_room
    find . -type f -exec ls -ln {} + | "$AWK" '
        { sub(/^\.\//, "", $NF); if ($NF != "manifest.txt" && $NF != "SHA256SUMS") print $5, $NF
    }' | sort -k 2 | cat >"$work/existing" || no_room
    if ! cmp -s "$work/named" "$work/existing"; then
        found=$("$AWK" -v named="$work/named" '
            FILENAME == named { if ($2 in bytes) print $2 " is listed twice"; bytes[$2] = $1; next }
            !($2 in bytes) { print $2 " is not listed in manifest.txt"; next }
            bytes[$2] != $1 { print $2 " has " $1 " bytes, but manifest.txt lists " bytes[$2] }
            { delete bytes[$2] }
            END { for (name in bytes) print name " is missing, but listed in manifest.txt" }
        ' "$work/named" "$work/existing" | sort | head -n 1)
        fail files "${found%% *}" 0 "${found#* }"
    fi
    unknown=$(cut -d ' ' -f 2 "$work/named" | grep -v -x -E "$(known_files)" | head -n 1)
    [ -z "$unknown" ] || fail files "$unknown" 0 "does not belong to a certificate with the statement $statement"
    { cut -d ' ' -f 2 "$work/named"; echo manifest.txt; } | sort | cat >"$work/names" || no_room
    cut -c 67- "$sums" | sort | cmp -s - "$work/names" || fail files SHA256SUMS 0 "does not list exactly the files of the folder"
    private_copy
    checked=$(sha256sum -c "$sums" 2>&1) || fail files "$(printf '%s\n' "$checked" | sed -n 's/: FAILED.*//p' | head -n 1)" 0 \
        "was changed: its checksum differs from SHA256SUMS"
    good files SHA256SUMS "all files have the checksums in SHA256SUMS"
}
private_copy() { # no other process can change the copies between two checks; the paths are relative from here on
    free=$(df -P -k "$work" 2>/dev/null | "$AWK" 'NR == 2 { print $4 }')
    case $free in '' | *[!0-9]*) ;; *) # at least as much as all files
        "$AWK" -v free="$free" '{ bytes += $1 } END { exit bytes / 1024 > free }' "$work/named" || no_room ;;
    esac
    mkdir "$work/certificate" || no_room
    [ ! -d proofs ] || mkdir "$work/certificate/proofs" || no_room
    while read -r bytes name; do
        head -c "$bytes" "$name" | cat >"$work/certificate/$name" || no_room
    done <"$work/named"
    cd "$work/certificate" || no_room
    work=..; manifest=../manifest.txt; sums=../SHA256SUMS
    write manifest.txt cat "$manifest" || no_room
}

# -- formulas and models ----------------------------------------------------------------------------------------------------

formula_is_plain() { # FORMULA: a header, a clause a line, no comments, no variable beyond those announced
    lines "$1" "p cnf $W $W|($L )*0" "is not a clause"
    judge formula "$1" "$LIBRARY"'
        NR == 1 { if ($1 != "p") wrong("is not a header"); n = $3 + 0; m = $4 + 0; next }
        $1 == "p" { wrong("is a second header") }
        { for (i = 1; i < NF; i++) if (size($i) > n) wrong("found variable " size($i) ", but the header announces " n) }
        END { if (!bad && NR != m + 1) wrong_at(1, "announces " m " clauses, found " (NR ? NR - 1 : 0)); exit bad }
    ' "$1"
    good formula "$1" "$1 has $(variables "$1") variables and $(($(wc -l <"$1") - 1)) clauses"
}
variables() { sed -n '1s/^p cnf \([0-9]*\) .*/\1/p' "$1"; } # FORMULA: how many it has

model_satisfies() { # MODEL FORMULA: each variable has one value, in their order, and each clause has a true literal
    lines "$1" "s SATISFIABLE|v( $L)*( 0)?" "is not a line of values"
    judge model "$1" -v model="$1" "$LIBRARY"'
        FILENAME == model && FNR == 1 { if ($1 != "s") wrong("is not `s SATISFIABLE`"); next }
        FILENAME == model {
            if (ended || $1 != "v") wrong("does not belong to the model")
            for (i = 2; i <= NF; i++) if ($i == 0) ended = 1
                else if (size($i) != ++values) wrong("found " $i ", expected a value of variable " values)
                else holds[$i + 0]
            next
        }
        FNR == 1 { if (!ended || values != $3) wrong_at(0, "does not give each of the " $3 " variables a value"); next }
        { for (i = 1; i < NF; i++) if (($i + 0) in holds) next
          wrong_at(0, "does not satisfy clause " FNR - 1 " of " FILENAME " (line " FNR " there)") }
        END { exit bad }
    ' "$1" "$2"
    good model "$1" "$1 satisfies every clause of $2"
}

projection_is_plain() { # PROJECTION FORMULA: different variables of the formula, one a line
    lines "$1" "$N" "is not a variable"
    judge projection "$1" -v n="$(variables "$2")" "$LIBRARY"'
        $1 > n + 0 { wrong("is not a variable of the formula") }
        seen[$1]++ { wrong("occurs twice") }
        END { exit bad }
    ' "$1"
}

models_differ() { # MODEL OTHER PROJECTION: in a projection variable
    judge models "$2" -v model="$1" -v other="$2" '
        FILENAME == model { for (i = 2; i <= NF; i++) first[$i + 0]; next }
        FILENAME == other { for (i = 2; i <= NF; i++) second[$i + 0]; next }
        (($1 + 0) in first) != (($1 + 0) in second) { differ = 1; exit }
        END { if (!differ) print "0 does not differ from " model " in any variable of " FILENAME; exit !differ }
    ' "$1" "$2" "$3"
    good models "$2" "$1 and $2 differ in a variable of $3"
}

clause_forbids() { # MODEL PROJECTION FORMULA BLOCKED: one more clause, which excludes the projected model
    "$AWK" -v model="$1" -v projection="$2" '
        FILENAME == model { for (i = 2; i <= NF; i++) holds[$i + 0]; next }
        FILENAME == projection { shown[++k] = $1 + 0; next }
        FNR == 1 { print $1, $2, $3, $4 + 1; next }
        { print }
        END { for (i = 1; i <= k; i++) printf "%d ", shown[i] in holds ? -shown[i] : shown[i]; print 0 }
    ' "$1" "$2" "$3" | cmp -s - "$4" || fail blocked "$4" 0 "is not $3 with the clause that excludes $1"
    good blocked "$4" "$4 is $3 with one more clause, which excludes $1"
}

# Sets of cells, each connected by the sides of cells (`connected`), or by these and through the outside of the grid (`outside`).
# A cut of a set names two cells, or a cell and the outside (-1 -1), and cells that separate them: if the two are in the set, so is
# one of these. Or each connected part of a set has N cells (`of N`). Then a cut names a cell, -1 -1, and cells beside less than N
# cells: if the first is in the set, so is one of these; or more than N connected cells, which are not all in the set. Each cell has the literal that
# puts it into the set; `always` and `never` are constants.

cuts_separate() { # CUTS FORMULA COUNT: so many cuts separate their cells and are the last clauses of the formula, in this order
    lines "$1" "set $W (connected|outside|of $N)|cell $W $W (-?$N|always|never)|cut $W $W $W ($W $W|-1 -1)( $W $W)*" "is not a set, cell, or cut"
    judge cuts "$1" -v cuts="$1" -v count="$3" "$LIBRARY"'
        FILENAME != cuts {
            if (FNR == 1 && m != count) wrong_at(0, "has " m + 0 " cuts, but map.json has " count)
            if (FNR == 1 && $4 < m) wrong_at(0, "has more cuts than " FILENAME " has clauses")
            if (FNR == 1) { first = $4 - m; next }
            if (FNR - 1 > first && $0 != clause[FNR - 1 - first]) wrong_at(at[FNR - 1 - first], "is not clause " FNR - 1 " of " FILENAME)
            next
        }
        $1 == "set" { if ($2 != sets + 0 || m) wrong("is not in order"); set = sets++; outside[set] = $3 == "outside"; part[set] = $4; next }
        $1 == "cell" { if (!sets || m || (set, $2, $3) in put) wrong("is not in order")
            put[set, $2, $3] = $4; row[set, ++size_of[set]] = $2; column[set, size_of[set]] = $3; next }
        $2 >= sets + 0 { wrong("is a cut of an unknown set") }
        { s = $2; delete wall; delete reached; c = ""
          for (i = 3; i < NF; i += 2) {
            where = $i SUBSEP $(i + 1)
            if (where in wall) wrong("has a cell twice")
            wall[where]
            if (i == 5 && $5 < 0 ? !outside[s] && !part[s] : !((s, where) in put)) wrong("has a cell that is not of the set")
            literal = i == 5 && $5 < 0 ? "always" : put[s, where]
            negative = i < 7 || (part[s] && $5 >= 0)
            if (literal == (negative ? "never" : "always")) wrong("has a constant that makes it true")
            if (literal == "always" || literal == "never") continue
            c = c (negative ? -literal : literal) " " }
          clause[++m] = c "0"; at[m] = FNR
          if (part[s]) { check_part(); next }
          delete wall[$3, $4]; delete wall[$5, $6]; top = 1; queue[1] = $3 SUBSEP $4; reached[$3, $4]
          while (top) { split(queue[top--], p, SUBSEP); edge = 0
            if (p[1] < 0) for (i = 1; i <= size_of[s]; i++) { if (borders(row[s, i], column[s, i])) visit(row[s, i], column[s, i]) }
            else { visit(p[1] - 1, p[2]); visit(p[1] + 1, p[2]); visit(p[1], p[2] - 1); visit(p[1], p[2] + 1)
                   if (outside[s] && borders(p[1], p[2])) visit(-1, -1) } }
          if (($5, $6) in reached) wrong("does not separate its cells: a path leads from one to the other") }
        function check_part(    cells, many) {
            delete among; many = $5 >= 0; cells = 1; top = 1; queue[1] = $3 SUBSEP $4; among[$3, $4]
            while (top) { split(queue[top--], p, SUBSEP)
                cells += near(p[1] - 1, p[2]) + near(p[1] + 1, p[2]) + near(p[1], p[2] - 1) + near(p[1], p[2] + 1) }
            if (many && (cells <= part[s] || 2 * cells != NF - 2)) wrong("has cells that are not connected, or too few")
            if (!many && cells >= part[s]) wrong("leaves room for a part") }
        function near(r, c) { # 1 if the cell is a new one of the part
            if (((r, c) in among) || !((s, r, c) in put) || (((r, c) in wall) != ($5 >= 0))) return 0
            among[r, c]; queue[++top] = r SUBSEP c; return 1 }
        function borders(r, c) {
            return !((s, r - 1, c) in put && (s, r + 1, c) in put && (s, r, c - 1) in put && (s, r, c + 1) in put) }
        function visit(r, c) { if (((r, c) in reached) || ((r, c) in wall) || !((s, r, c) in put || (r < 0 && c < 0))) return
            reached[r, c]; queue[++top] = r SUBSEP c }
        END { exit bad }
    ' "$1" "$2"
    good cuts "$1" "the last clauses of $2 are the cuts in $1; each follows from a connected set or the sizes of parts"
}

# -- proofs -----------------------------------------------------------------------------------------------------------------
# A checker counts only if it verifies a correct proof and refuses wrong ones, and only by the line with its verdict. Numbers above
# 2^31-1 are refused before, because drat-trim and lrat-check truncate numbers to 32 bits.

verdicts() { printf '%s\n' "$said" | tr '\r' '\n' | grep -E "$@"; } # PATTERN: such lines of a program's output, which is in said
drat_says() { # FORMULA DRAT: the exit code of drat-trim is not a verdict
    said=$("$DRAT_TRIM" "$1" "$2" -t 2000000000 2>&1)
    [ "$(verdicts '^s ')" = "s VERIFIED" ]
}
lrat_says() { # FORMULA LRAT
    said=$("$LRAT_CHECK" "$1" "$2" 2>&1)
    [ "$(verdicts '^[cs] (NOT )?VERIFIED' | sed 's/^[cs] //')" = "VERIFIED" ]
}
cake_says() { # FORMULA LRAT
    said=$("$CAKE_LPR" "$1" "$2" 2>&1)
    [ "$(verdicts '^s ')" = "s VERIFIED UNSAT" ]
}
lemmas_say() { # FORMULA LRAT: drat-trim on the lemmas of an LRAT proof, without hints and deletions
    write "$work/lemmas" "$AWK" '$2 != "d" { for (i = 2; $i; i++) printf "%s ", $i; print 0 }' "$2" || no_room
    drat_says "$1" "$work/lemmas"
}
trial() { # CHECKER FORMULA PROOF
    write "$work/x.cnf" printf "$2" && write "$work/x.proof" printf "$3" || no_room
    "$1" "$work/x.cnf" "$work/x.proof"
}
squares='p cnf 2 4\n1 2 0\n1 -2 0\n-1 2 0\n-1 -2 0\n'; unit='p cnf 2 1\n-2 0\n'
drat_fooled() { # it refuses a correct proof, or verifies one that is empty, incomplete, or for a satisfiable formula
    ! trial drat_says "$squares" '1 0\n0\n' || trial drat_says "$squares" '' || trial drat_says "$squares" 'd 1 2 0\n0\n' ||
        trial drat_says "$unit" '1 0\n0\n'
}
hints_fooled() { # CHECKER: the same for LRAT; the published lrat-check verifies the last two
    ! trial "$1" "$squares" '5 1 0 1 2 0\n6 0 5 3 4 0\n' || trial "$1" "$squares" '5 1 0 1 2 0\n' ||
        trial "$1" "$squares" '5 1 0 1 2 0\n6 0 5 3 0\n' || trial "$1" "$unit" '2 0 0\n' ||
        trial "$1" "$unit" '2 -2 0 1 -1 -1 -1 0\n3 0 1 0\n'
}
try_checkers() { # once: sets drat, cake, and lrat to yes, none or fooled
    [ -z "${drat:-}" ] || return 0
    drat=yes; cake=yes; lrat=yes
    if ! command -v "$DRAT_TRIM" >/dev/null; then drat=none; elif drat_fooled; then drat=fooled; fi
    if ! command -v "$CAKE_LPR" >/dev/null; then cake=none; elif hints_fooled cake_says; then cake=fooled; fi
    if ! command -v "$LRAT_CHECK" >/dev/null; then lrat=none; elif hints_fooled lrat_says; then lrat=fooled; fi
}
reason() { # the line in which the checker states why it refused the proof
    verdicts -i 'error|fail|not verified|conflict claimed|illegal|timeout|empty clause' | head -n 1
}
checked() { # STATE CHECKER NAME VARIABLE FORMULA PROOF: one checker on one proof; sets verified
    case $1 in
        none) note not-run "not run: $3 is not installed (searched in PATH and $4)" ;;
        fooled) note not-believed "not used: this $3 refuses a correct proof or verifies a wrong one, as the published lrat-check does" ;;
        yes) "$2" "$5" "$6" || fail proof "$6" 0 "does not prove that ${5##*/} has no model: $3 does not verify it: $(reason)"
            good proof "$6" "$3 verifies $6: ${5##*/} has no model"; verified=yes ;;
    esac
}

refuted() { # FORMULA DRAT [LRAT]: at least one checker verifies that the formula has no model, and none refuses the proof
    verified=; try_checkers
    lines "$2" "$DRAT_STEP" "is not a step of a DRAT proof"
    [ -z "$3" ] || lines "$3" "$LRAT_STEP" "is not a step of an LRAT proof"
    checked "$drat" drat_says "$DRAT_NAME" DRAT_TRIM "$1" "$2"
    if [ -n "$3" ]; then
        checked "$cake" cake_says cake_lpr CAKE_LPR "$1" "$3"
        checked "$lrat" lrat_says "$LRAT_NAME" LRAT_CHECK "$1" "$3"
    fi
    [ -n "$verified" ] || unable proof "$2" "that ${1##*/} has no model: no working proof checker is installed"
}

# -- lists of all models ----------------------------------------------------------------------------------------------------
# Let F be formula.cnf, and let B be F with one clause for each solution, which only that solution falsifies. No model of B satisfies
# a cube, and every model of F satisfies a cube or the image of one under a symmetry. Therefore the list is complete.

ORBITS='
    function put(l,    j) { # insert into x[1..m], ascending by variable
        for (j = ++m; j > 1 && size(x[j - 1]) > size(l); j--) x[j] = x[j - 1]
        x[j] = l
    }
    function image(s, k,    a, i, n, r) { # of the numbers in s under symmetry k
        n = split(s, a, " "); m = 0
        for (i = 1; i <= n; i++) put(a[i] < 0 ? -to[k, -a[i]] : to[k, a[i] + 0])
        r = ""; for (i = 1; i <= m; i++) r = r (i > 1 ? " " : "") x[i]
        return r
    }
'

ascending() { # FILE FORMULA: each line has variables of the formula, or literals of them, in ascending order
    judge order "$1" -v n="$(variables "$2")" "$LIBRARY"'
        { for (i = 1; i <= NF && $i != 0; i++) {
            if (size($i) > n + 0) wrong("found " $i ", which is not a variable of the formula")
            if (i > 1 && size($i) <= size($(i - 1))) wrong("has variables that are not in ascending order") } }
        END { exit bad }
    ' "$1"
}

symmetries_hold() { # SYMMETRIES FORMULA PROJECTION: each line permutes the variables; it maps the clauses and the projection onto themselves
    lines "$1" "$N( $N)*" "is not a permutation of the variables"
    k=0; most=$(wc -l <"$1")
    while [ "$k" -le "$most" ]; do
        [ "$k" -eq 0 ] || judge symmetries "$1" -v k="$k" -v symmetries="$1" -v projection="$3" "$LIBRARY"'
            FILENAME == symmetries {
                if (FNR == k) for (i = 1; i <= (n = NF); i++) {
                    to[i] = $i + 0; if ($i > n || seen[$i]++) wrong("is not a permutation of the variables") }
                next
            }
            FILENAME == projection { shown[$1 + 0]; next }
            { for (v in shown) if (!(to[v] in shown)) wrong_at(k, "does not map " projection " onto itself")
              if (n != $3) wrong_at(k, "is not a permutation of the variables")
              exit }
            END { exit bad }
        ' "$1" "$3" "$2"
        write "$work/images" "$AWK" -v k="$k" -v symmetries="$1" "$LIBRARY$ORBITS"'
            FILENAME == symmetries { for (i = 1; FNR == k && i <= NF; i++) to[k, i] = $i + 0; next }
            FNR == 1 { for (i = 1; !k && i <= $3; i++) to[0, i] = i; next }
            { m = 0; for (i = 1; i < NF; i++) put($i < 0 ? -to[k, -$i] : to[k, $i + 0])
              for (i = 1; i <= m; i++) printf "%d ", x[i]; print 0 }
        ' "$1" "$2" && write "$work/clauses-$((k > 0))" sort -u "$work/images" || no_room
        [ "$k" -eq 0 ] || cmp -s "$work/clauses-0" "$work/clauses-1" || fail symmetries "$1" "$k" "is not a symmetry of $2"
        k=$((k + 1))
    done
    good symmetries "$1" "each line of $1 is a symmetry of $2 and $3"
}

solutions_listed() { # SOLUTIONS PROJECTION SYMMETRIES FORMULA: distinct, as many as manifest.txt states, and closed under the symmetries
    lines "$1" "($N( $N)*)?" "is not a list of variables"
    ascending "$1" "$4"
    write "$work/shown" "$AWK" -v projection="$2" '
        FILENAME == projection { in_it[$1 + 0]; next }
        { l = ""; for (i = 1; i <= NF; i++) if (($i + 0) in in_it) l = l " " $i; print l }
    ' "$2" "$1" || no_room
    listed=$(wc -l <"$work/shown")
    [ "$listed" -eq "$solutions" ] || fail count "$1" 0 "has $((listed)) solutions, but manifest.txt states $solutions"
    write "$work/distinct" sort -u "$work/shown" || no_room
    [ "$(wc -l <"$work/distinct")" -eq "$solutions" ] || fail count "$1" 0 "contains a solution twice"
    write "$work/firsts" "$AWK" -v symmetries="$3" "$LIBRARY$ORBITS"'
        FILENAME == symmetries { g++; for (i = 1; i <= NF; i++) to[g, i] = $i + 0; next }
        { there[$0]; line[++n] = $0 }
        END {
            for (i = 1; i <= n; i++) if (!(line[i] in done)) {
                print line[i]; done[line[i]]; queue[top = 1] = line[i]
                while (top) { s = queue[top--]
                    for (k = 1; k <= g; k++) { r = image(s, k)
                        if (!(r in there)) exit 1
                        if (!(r in done)) { done[r]; queue[++top] = r } } }
            }
        }
    ' "$3" "$1" || fail orbits "$1" 0 "a symmetry maps a solution to a solution that is not in $1"
    found=$(wc -l <"$work/firsts")
    [ "$found" -eq "$orbits" ] || fail orbits "$1" 0 "has solutions in $((found)) orbits, but manifest.txt states $orbits"
}

solutions_hold() { # FORMULA PROJECTION SOLUTIONS: the first solution of each orbit is a model; if short, clauses exclude all others in the projection
    judge solutions "$3" -v projection="$2" -v formula="$1" -v short="$short" "$LIBRARY"'
        FILENAME == projection { shown[++q] = $1 + 0; distinguishes[$1 + 0]; next }
        FILENAME == formula && FNR == 1 { next }
        FILENAME == formula && NF == 3 && $1 < 0 && $2 < 0 {
            no[-$1, -$2]; no[-$2, -$1]
            if (short) { with[-$1] = with[-$1] " " (-$2); with[-$2] = with[-$2] " " (-$1) }
            next
        }
        FILENAME == formula {
            for (i = 1; i < NF && $i > 0; i++); c = $0; sub(/ *0$/, "", c)
            if (i < NF) { filed[-$i, ++filings[-$i]] = c; next }
            positive++; for (i = 1; i < NF; i++) at[$i + 0] = at[$i + 0] " " positive
            next
        }
        { delete holds; delete met; delete out; n = NF; hit = 0
          for (i = 1; i <= n; i++) holds[$i + 0]
          for (i = 1; i <= n; i++) { v = $i + 0
            for (j = 1; j <= i; j++) if ((v, $j + 0) in no) wrong_at(0, "is not a model of " formula ": " $0)
            for (j = 1; j <= filings[v]; j++) { k = split(filed[v, j], a, " "); ok = 0
                for (l = 1; l <= k && !ok; l++) ok = a[l] > 0 ? ((a[l] + 0) in holds) : !((-a[l]) in holds)
                if (!ok) wrong_at(0, "is not a model of " formula ": " $0) }
            k = split(at[v], a, " "); for (j = 1; j <= k; j++) if (!(a[j] in met)) { met[a[j]]; hit++ }
            if (short && (v in distinguishes)) { k = split(with[v], a, " "); for (j = 1; j <= k; j++) out[a[j] + 0] }
          }
          if (hit != positive) wrong_at(0, "is not a model of " formula ": " $0)
          for (j = 1; short && j <= q; j++) if (!(shown[j] in holds) && !(shown[j] in out))
              wrong_at(0, "is not the only model with these true variables: " $0)
        }
        END { exit bad }
    ' "$2" "$1" "$work/firsts"
    good solutions "$3" "$3 has $solutions distinct models of $1, in $orbits orbits"
}

cubes_cover() { # FORMULA SYMMETRIES CUBES COVERING DRAT [LRAT]: each model satisfies a cube or the image of one
    lines "$4" "($L )*0" "is not a cube"
    ascending "$4" "$1"
    judge cover "$4" -v symmetries="$2" -v cubes="$3" "$LIBRARY$ORBITS"'
        FILENAME == symmetries { g++; for (i = 1; i <= NF; i++) to[g, i] = $i + 0; next }
        { l = $0; sub(/ *0$/, "", l) }
        FILENAME == cubes { if (!(l in found)) { found[l]; queue[top = 1] = l }
            while (top) { s = queue[top--]
                for (k = 1; k <= g; k++) { r = image(s, k); if (!(r in found)) { found[r]; queue[++top] = r } } }
            next }
        !(l in found) { wrong("is not the image of a cube in " cubes) }
        END { exit bad }
    ' "$2" "$3" "$4"
    write "$work/cover.cnf" "$AWK" -v more="$(wc -l <"$4")" -v formula="$1" '
        FILENAME == formula { if (FNR == 1) $4 += more; print; next }
        { for (i = 1; i < NF; i++) printf "%d ", -$i; print 0 }' "$1" "$4" || no_room
    refuted "$work/cover.cnf" "$5" "$6"
    [ -z "$verified" ] || good cover "$4" "every model of $1 satisfies a cube of $3 or the image of one under a symmetry"
}

cubes_refuted() { # FORMULA PROJECTION SOLUTIONS CUBES: no model except the solutions satisfies a cube, by one proof for each cube
    write "$work/blocked.cnf" "$AWK" -v projection="$2" -v formula="$1" -v more="$solutions" -v short="$short" '
        FILENAME == projection { shown[++q] = $1 + 0; next }
        FILENAME == formula { if (FNR == 1) $4 += more; print; next }
        { delete holds; for (i = 1; i <= NF; i++) holds[$i + 0]
          for (i = 1; i <= q; i++) if (shown[i] in holds) printf "%d ", -shown[i]; else if (!short) printf "%d ", shown[i]
          print 0 }
    ' "$2" "$1" "$3" || no_room
    try_checkers; number=0; open=0; used=0; hints_say=
    [ "$drat" != yes ] || hints_say=lemmas_say
    [ "$lrat" != yes ] || hints_say=lrat_says
    [ "$cake" != yes ] || hints_say=cake_says
    while read -r cube; do
        number=$((number + 1)); proof=$(printf 'proofs/%05d.lrat' "$number"); says=$hints_say
        write "$work/cube.cnf" "$AWK" -v cube="$cube" '
            BEGIN { n = split(cube, unit, " ") - 1 } FNR == 1 { $4 += n } { print }
            END { for (i = 1; i <= n; i++) print unit[i], 0 }' "$work/blocked.cnf" || no_room
        if [ -e "$proof" ]; then
            used=$((used + 1)); lines "$proof" "$LRAT_STEP" "is not a step of an LRAT proof"
            [ -n "$says" ] || { one_open; continue; }
        else # the proof of the solver is checked like a file of the folder
            step=$LRAT_STEP; [ "$PROOFS" != drat ] || step=$DRAT_STEP
            [ "$PROOFS" != drat ] || { says=; [ "$drat" != yes ] || says=drat_says; }
            [ -n "$SOLVER" ] && [ -n "$says" ] || { one_open; continue; }
            proof=$work/cube.proof; rm -f "$proof"
            said=$($SOLVER "$work/cube.cnf" "$proof" 2>&1 </dev/null)
            [ -n "$(verdicts '^s UNSATISFIABLE')" ] || fail cube "$4" "$number" "$SOLVER does not refute this cube: $cube"
            lines "$proof" "$step" "is not a step of a text proof in the format $PROOFS (the solver may need --no-binary)" "the proof by $SOLVER"
        fi
        $says "$work/cube.cnf" "$proof" </dev/null || fail cube "$4" "$number" "the proof of this cube is refused: $cube: $(reason)"
        result ok cube "$4" "$number" "no other model satisfies the cube in line $number of $4: $cube"
    done <"$4"
    [ "$(grep -c '^proofs/' "$work/names")" -eq "$used" ] || fail files proofs 0 "has proofs that belong to no cube in $4"
    [ -n "$data" ] || [ "$open" -eq 0 ] || unable cubes "$4" "$open of the $number cubes in $4: their proofs were not kept, or no \
working checker is installed; set SOLVER='cadical --lrat --no-binary' PROOFS=lrat in the environment to prove them again"
}
one_open() { # a cube whose proof is missing or cannot be checked
    open=$((open + 1)); incomplete=yes
    [ -z "$data" ] || result open cube cubes.txt "$number" "${cube%0}"
}

# -- rules and encoders -----------------------------------------------------------------------------------------------------
# An awk program can do anything, so this script runs only those that it knows. The documentation has the same list (docs/
# certificates.md). The programs contain no number of a puzzle: they read puzzle.json, and refuse the puzzles of another kind.

PROGRAMS='
0694dcef52b295f54dc85e2a2ff716e55a04125843679e1e2dbdba9479c46f57  clued-encode.awk
cdc777926adc942f7fce986b7add1c49b26bc3da16d212d673205df27a459512  clued-rules.awk
bb609407f5fc72a96b175fdb4946eb2acb1cc03e7c933779f4616311a5ec8859  json.awk
e5a8f12a58106d044fe9328783150437891a3049ab54e202d13c3a2e73e46e42  maze-rules.awk
bee9116a3037308a82920f5b8b85b091c355c373ffeadfe6002dadbc92f5ccaf  tiling-encode.awk
7bbc92c620164afc67c33bb48bd68b7bb46f244a376f0ef1b38178bfa3f852f6  tiling-rules.awk
'
known() { # PROGRAM NAME-PATTERN: its SHA-256 is in the list, under such a name
    found=$(printf '%s\n' "$PROGRAMS" | sed -n "s/^$(sed -n "s/  $1\$//p" "$sums")  //p" | grep -x -E "$2") ||
        fail program "$1" 0 "is an unknown program: its SHA-256 is not in the list of this script, so it was not run"
}
known_programs() { # the awk programs of the folder; each needs json.awk and puzzle.json
    [ ! -f json.awk ] || known json.awk 'json\.awk'
    for role in rules encode; do
        [ -f "$role.awk" ] || continue
        need json.awk puzzle.json
        [ -s puzzle.json ] || fail puzzle puzzle.json 0 "is empty"
        known "$role.awk" ".*-$role\.awk"
        lines puzzle.json "[ -~]*" "is not a line"
    done
}
run() { "$AWK" "$@" </dev/null; } # AWK-ARGUMENTS...: programs of the list

encoder_writes() { # FORMULA PROJECTION: encode.awk writes both from puzzle.json, byte for byte
    if [ -n "$data" ]; then note encoder "encode.awk was not run"; return; fi
    encoding=$(sed -n 's/.*"encoding":"\([a-z-]*\)".*/\1/p' map.json)
    write "$work/encoded.cnf" run -v encoding="$encoding" -f ./json.awk -f ./encode.awk puzzle.json ||
        fail encoder puzzle.json 0 "encode.awk writes no formula: $(tail -n 1 "$work/encoded.cnf")"
    if ! differ=$(cmp "$work/encoded.cnf" "$1" 2>&1); then
        line=$(printf '%s\n' "$differ" | sed -n '1s/.* line \([0-9]*\)$/\1/p')
        fail encoder "$1" "${line:-0}" "differs from the formula that encode.awk writes from puzzle.json"
    fi
    good encoder "$1" "encode.awk writes $1 from puzzle.json"
    run -v encoding="$encoding" -v projection=1 -f ./json.awk -f ./encode.awk puzzle.json | cmp -s - "$2" ||
        fail encoder "$2" 0 "differs from the projection set that encode.awk writes from puzzle.json"
    good encoder "$2" "encode.awk writes $2 from puzzle.json"
    if [ -f puzzle.nin ] && grep -q '"columns"' puzzle.json; then
        found=$(run -v given=1 -f ./json.awk -f ./encode.awk puzzle.json puzzle.nin)
        case $? in
            0) good encoder puzzle.json "puzzle.json has the clues of puzzle.nin$(printable "$found")" ;;
            3) note encoder "puzzle.nin is not in the plain form that encode.awk reads: compare it with puzzle.json yourself" ;;
            *) fail encoder puzzle.json 0 "has clues that differ from puzzle.nin" ;;
        esac
    fi
}

rules_accept() { # BOARD: rules.awk accepts the solution, or the solutions, of puzzle.json
    lines "$1" "[ -~]*" "is not a line"
    [ "$1" != solution.txt ] || [ -n "$(tail -n 1 "$1")" ] || fail text "$1" 0 "ends with an empty line"
    if [ -n "$data" ]; then note rules "rules.awk was not run"; return; fi
    found=$(run -f ./json.awk -f ./rules.awk puzzle.json "$1")
    case $? in
        0) ;;
        1) fail rules "$1" 0 "breaks the rules in rules.awk: $(printf '%s\n' "$found" | head -n 1)" ;;
        *) stop "$AWK failed when it ran rules.awk" ;;
    esac
    good rules "$1" "$1 obeys the rules in rules.awk for puzzle.json${found:+; $(printable "$found")}"
}
boards_accepted() { # BOARDS: an empty line after each board; distinct, and as many as solutions
    judge boards "$1" -v n="$solutions" "$LIBRARY"'
        $0 != "" { board = board $0 "\n"; next }
        board in seen { wrong("ends a board that occurs twice") }
        { seen[board]; board = ""; m++ }
        END { if (!bad && board != "") wrong("ends a board without an empty line after it")
              if (!bad && m + 0 != n + 0) wrong_at(0, "has " m + 0 " boards, but manifest.txt states " n " solutions"); exit bad }
    ' "$1"
    good boards "$1" "$1 has $solutions distinct boards"
    rules_accept "$1"
}

# -- statements -------------------------------------------------------------------------------------------------------------

need() { # FILE...
    for name; do [ -f "$name" ] || fail manifest manifest.txt 0 "does not list $name, which the statement $statement requires"; done
}
projected() { printf ' (%s of %s variables)' "$(($(wc -l <projection.txt)))" "$(variables formula.cnf)"; }
optional() { [ ! -f "$1" ] || printf '%s' "$1"; }

formula_and_projection() { # each formula has one
    need formula.cnf projection.txt
    formula_is_plain formula.cnf
    projection_is_plain projection.txt formula.cnf
    of_map=0; [ ! -f map.json ] || of_map=$(sed -n 's/.*"partial":"\([1-9][0-9]*\) cut.*/\1/p' map.json)
    if [ "${of_map:-0}" != 0 ]; then need cuts.txt; cuts_separate cuts.txt formula.cnf "$of_map"
    elif [ -f cuts.txt ]; then fail cuts cuts.txt 0 "belongs to a formula without cuts"; fi
    if [ -f encode.awk ]; then need map.json; encoder_writes formula.cnf projection.txt; fi
}
board_obeys() {
    if [ -f rules.awk ]; then need solution.txt; rules_accept solution.txt
    elif [ -f solution.txt ]; then need rules.awk; fi
}
model_and_board() {
    need model.txt
    formula_and_projection
    model_satisfies model.txt formula.cnf
    board_obeys
}

check_statement() { # sets says: the result of all checks
    case $statement in
        model)
            model_and_board
            says="model.txt is a model of formula.cnf" ;;
        two-models)
            need model-2.txt; model_and_board
            model_satisfies model-2.txt formula.cnf
            models_differ model.txt model-2.txt projection.txt
            says="formula.cnf has two models that differ in projection.txt" ;;
        only-model)
            need blocked.cnf proof.drat; model_and_board
            clause_forbids model.txt projection.txt formula.cnf blocked.cnf
            formula_is_plain blocked.cnf
            refuted blocked.cnf proof.drat "$(optional proof.lrat)"
            says="formula.cnf has exactly one model, projected on projection.txt$(projected)" ;;
        all-models)
            need solutions.txt cubes.txt; formula_and_projection
            symmetries=/dev/null
            if [ -f symmetries.txt ]; then symmetries=symmetries.txt; symmetries_hold symmetries.txt formula.cnf projection.txt; fi
            solutions_listed solutions.txt projection.txt "$symmetries" formula.cnf
            solutions_hold formula.cnf projection.txt solutions.txt
            lines cubes.txt "($L )*0" "is not a cube"
            ascending cubes.txt formula.cnf
            if [ -f cover.drat ]; then
                need covering.txt
                cubes_cover formula.cnf "$symmetries" cubes.txt covering.txt cover.drat "$(optional cover.lrat)"
            else
                [ "$(cat cubes.txt)" = 0 ] || fail cover cubes.txt 0 "has cubes, but no proof that they cover all models"
                for name in covering.txt cover.lrat; do [ ! -f "$name" ] || need cover.drat; done
            fi
            cubes_refuted formula.cnf projection.txt solutions.txt cubes.txt
            if [ -f rules.awk ]; then need boards.txt; boards_accepted boards.txt
            elif [ -f boards.txt ]; then need rules.awk; fi
            says="solutions.txt has all models of formula.cnf, projected on projection.txt: $solutions$(projected)" ;;
        no-model)
            need proof.drat; formula_and_projection
            refuted formula.cnf proof.drat "$(optional proof.lrat)"
            says="formula.cnf has no model" ;;
        obeys)
            need rules.awk solution.txt
            rules_accept solution.txt
            says="solution.txt obeys the rules in rules.awk for puzzle.json" ;;
        argument)
            unable argument README.md "the argument in README.md: check it yourself"
            says="the files are unchanged; check the argument yourself" ;;
        *) fail manifest manifest.txt 2 "found the unknown statement $statement" ;;
    esac
}

heading_fits() { # the first line of README.md is one of the sentences for the statement
    of=formula; noun=model; if [ -f puzzle.json ]; then of=puzzle; noun=solution; fi
    case $statement in
        model | obeys) what="a $noun" ;;
        two-models) what="more than one $noun" ;;
        only-model) what="exactly one $noun" ;;
        no-model | argument) what="no $noun" ;;
        all-models) what="exactly $solutions ${noun}s"
            case $solutions in 0) what="no $noun" ;; 1) what="exactly 1 $noun" ;; esac ;;
    esac
    case $of,$statement in
        formula,*) shown=$(($(wc -l <projection.txt))); all=$(variables formula.cnf)
            [ "$shown" -eq "$all" ] || what="$what, projected on $shown of the $all variables" ;;
        puzzle,only-model) other="$what up to symmetry" ;;
        puzzle,all-models)
            [ ! -f symmetries.txt ] || other="exactly $orbits solution$([ "$orbits" -eq 1 ] || echo s) up to symmetry, $solutions in all" ;;
    esac
    heading=$(head -n 1 README.md)
    [ "$heading" = "# This $of has $what" ] || [ "$heading" = "# This $of has ${other:-$what}" ] ||
        fail readme README.md 1 "claims something other than the verified statement"
}

main() { # the shell has read the whole script before it runs the first check
    folder=$(dirname "$0")
    if [ "${1:-}" = --data ]; then data=yes; work=$2; shift 2; SOLVER=; fi
    [ $# -eq 0 ] || folder=$1
    case $folder in -*) folder=./$folder ;; esac # cd takes - for the previous folder
    [ -e "$folder" ] || refuse "not a certificate: No such file or directory"
    [ -d "$folder" ] || refuse "not a certificate: Not a directory"
    for program in sha256sum cmp find ls sed sort grep tail head tr cut wc cat df mkdir "$AWK"; do
        command -v "$program" >/dev/null || stop "$program is not installed; this script needs it"
    done
    if [ -z "$data" ]; then
        work=$(mktemp -d) && work=$(CDPATH= cd -- "$work" && pwd) || no_room
        place=$work
        trap 'rm -rf "$place"' EXIT
        trap 'exit 130' HUP INT PIPE TERM
    fi
    CDPATH= cd -- "$folder" || refuse "not a certificate: the folder cannot be entered"
    [ -e manifest.txt ] || [ -e SHA256SUMS ] || [ -e certificate.json ] ||
        refuse "not a certificate: the folder has no certificate.json"
    same_files
    known_programs
    check_statement
    if [ -n "$data" ]; then result end "$statement" "" "" "$says"; fi
    if [ -n "$data" ]; then [ -z "$incomplete" ] || exit 3; exit 0; fi
    if [ -n "$incomplete" ]; then note incomplete "NOT VERIFIED: some checks could not run (see above)"; exit 3; fi
    heading_fits
    note verified "VERIFIED: $says"
    note readme "README.md explains this result and what it relies on. This script checks only its first line."
    exit 0
}
main "$@"
