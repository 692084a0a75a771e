#!/bin/sh
# Checks this certificate by public programs alone; no program of those who made it is called. Read it before you run it.
#
#     sh verify.sh
#     DRAT_TRIM=/path/to/drat-trim LRAT_CHECK=/path/to/lrat-check sh verify.sh
#
# Exit code 0: verified. 1: damaged, or it does not show what it claims. 3: nothing is wrong, but not all could be checked.

LC_ALL=C; export LC_ALL
: "${DRAT_TRIM:=drat-trim}" "${LRAT_CHECK:=lrat-check}" "${AWK:=awk}"
case $DRAT_TRIM in /*) ;; */*) DRAT_TRIM=$PWD/$DRAT_TRIM ;; esac
case $LRAT_CHECK in /*) ;; */*) LRAT_CHECK=$PWD/$LRAT_CHECK ;; esac
incomplete=
fail() { echo "NOT VERIFIED: $*"; exit 1; }
good() { echo "ok: $*"; }
unable() { echo "NOT CHECKED: $*"; incomplete=yes; }
cd "$(dirname "$0")" || fail "the folder of this script cannot be entered"
work=$(mktemp -d) || fail "there is no room for temporary files"
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
for program in sha256sum cmp diff find sed sort grep tail tr "$AWK"; do
    command -v "$program" >/dev/null || fail "$program is not there, which this script needs"
done

formula_is_plain() { # FORMULA: a header, a clause a line, no comments, no variable beyond those announced
    "$AWK" '
        NR == 1 { if ($0 !~ /^p cnf [0-9]+ [0-9]+$/) { print "line 1 is no header"; exit bad = 1 }; n = $3; m = $4; next }
        !/^(-?[1-9][0-9]* )*0$/ { print "line " NR " is no clause"; exit bad = 1 }
        { for (i = 1; i < NF; i++) if ($i > n || -$i > n) { print "line " NR ": no variable " $i; exit bad = 1 } }
        END { if (!bad && NR != m + 1) { print NR - 1 " clauses, the header says " m; bad = 1 }; exit bad }
    ' "$1" >&2 || fail "$1 is not as it should be (above)"
}

model_satisfies() { # MODEL FORMULA: each variable has one value, and each clause has a true literal
    "$AWK" -v model="$1" '
        FILENAME == model {
            if (FNR == 1 && $0 == "s SATISFIABLE") next
            if ($0 !~ /^v( -?[1-9][0-9]*)*( 0)?$/) { print model ", line " FNR ": no values"; exit bad = 1 }
            for (i = 2; i <= NF; i++) if ($i != 0) {
                if (($i + 0) in holds || (-$i) in holds) { print "two values of variable " $i; exit bad = 1 }
                holds[$i + 0]; values++; if ($i > most || -$i > most) most = $i > 0 ? $i + 0 : -$i
            }
            next
        }
        FNR == 1 { if (values != $3 || most > $3 + 0) { print values " values for " $3 " variables"; exit bad = 1 }; next }
        { for (i = 1; i < NF; i++) if (($i + 0) in holds) next
          print "the clause in line " FNR " is not satisfied"; exit bad = 1 }
        END { exit bad }
    ' "$1" "$2" >&2 || fail "$1 does not satisfy $2 (above)"
    good "$1 satisfies every clause of $2"
}

rules_accept() { # RULES BOARD: an awk program that has the numbers of the puzzle in it looks at the solution itself
    "$AWK" -f "$1" "$2" >&2 || fail "$2 breaks the rules in $1 (above)"
    good "$2 obeys the rules in $1"
}

# The files are those that were written, and no others.
find . ! -type d ! -type f | grep . >&2 && fail "there are links, pipes or devices among the files (above)"
find . -type f | sed 's,^\./,,' | sort >"$work/there"
sort >"$work/named" <<'END'
README.md
SHA256SUMS
board.json
board.txt
certificate.json
formula.cnf
map.json
model.txt
projection.txt
puzzle.json
rules.awk
solution.txt
verify.sh
END
cmp -s "$work/there" "$work/named" || { diff "$work/named" "$work/there" >&2; fail "files are missing, or too many (above)"; }
find . -type f \( -name SHA256SUMS -o -name certificate.json -o -name README.md -o -name verify.sh \) -size +67108864c |
    grep . >&2 && fail "files are too large (above)"
sed -n 's/^  "\([^"]*\)": {.*"bytes": \([0-9]*\), .*/\1 \2/p' certificate.json | while read -r name size; do
    [ -n "$(find "./$name" -size "${size}c" 2>/dev/null)" ] || echo "$name"
done | grep . >&2 && fail "files have not the size that certificate.json says (above)"
[ -z "$(tail -c 1 SHA256SUMS)" ] || fail "SHA256SUMS was cut short"
sed 's/^[0-9a-f]*  //; $a\
SHA256SUMS' SHA256SUMS | sort | cmp -s - "$work/named" || fail "SHA256SUMS does not list the files that there are"
sha256sum -c SHA256SUMS >"$work/sums" 2>&1 || { grep -v ': OK$' "$work/sums" >&2; fail "files were changed (above)"; }
sed -n 's/^  "\([^"]*\)": {.*"sha256": "\([0-9a-f]*\)"},*$/\2  \1/p' certificate.json | sort >"$work/manifest"
grep -v -x -E '[0-9a-f]*  (certificate.json|README.md|verify.sh)' SHA256SUMS | sort | cmp -s - "$work/manifest" ||
    fail "certificate.json and SHA256SUMS do not say the same"
good "the files have the checksums in SHA256SUMS"

formula_is_plain formula.cnf
model_satisfies model.txt formula.cnf
rules_accept rules.awk solution.txt

if [ -n "$incomplete" ]; then echo "NOT VERIFIED: not everything could be checked (above)"; exit 3; fi
echo "VERIFIED: model.txt is a model of formula.cnf"
echo "What that means, and what must be trusted for it, is said in README.md:"
sed -n '1s/^# //p' README.md | tr -d '\000-\011\013-\037\177'
