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

refuted() { # FORMULA DRAT [LRAT]: at least one checker verifies that the formula has no model, and none says otherwise
    verified=
    grep -q -v -E '^(d )?(-?[1-9][0-9]* )*0$' "$2" && fail "$2 is no plain DRAT proof"
    if ! command -v "$DRAT_TRIM" >/dev/null; then echo "not run: drat-trim (PATH or DRAT_TRIM has none)"
    else
        printf 'p cnf 2 2\n1 2 0\n-1 2 0\n' >"$work/x.cnf"; printf '1 0\n0\n' >"$work/x.drat"
        drat_says "$work/x.cnf" "$work/x.drat" && fail "this drat-trim takes a wrong proof for a right one"
        drat_says "$1" "$2" || { sed 's/^/    /' "$work/said" >&2; fail "drat-trim does not verify $2 (above)"; }
        good "drat-trim verifies $2: $1 has no model"; verified=yes
    fi
    if [ -n "$3" ]; then
        grep -q -v -E '^[1-9][0-9]* (d ([1-9][0-9]* )*|(-?[1-9][0-9]* )*0 (-?[1-9][0-9]* )*)0$' "$3" &&
            fail "$3 is no plain LRAT proof"
        if ! command -v "$LRAT_CHECK" >/dev/null; then echo "not run: lrat-check (PATH or LRAT_CHECK has none)"
        elif lrat_fooled; then
            echo "not believed: this lrat-check takes a wrong proof for a right one, as the published one does"
        else
            lrat_says "$1" "$3" || { sed 's/^/    /' "$work/said" >&2; fail "lrat-check does not verify $3 (above)"; }
            good "lrat-check verifies $3: $1 has no model"; verified=yes
        fi
    fi
    [ -n "$verified" ] || unable "that $1 has no model: no checker of proofs ran that can be believed"
}
drat_says() { # FORMULA DRAT: only the line counts, the exit code of drat-trim says nothing
    "$DRAT_TRIM" "$1" "$2" -t 2000000000 >"$work/said" 2>&1
    [ "$(tr '\r' '\n' <"$work/said" | grep '^s ')" = "s VERIFIED" ]
}
lrat_fooled() { # by one of two proofs that the formula (x) has no model: without a conflict, and with hints that lead nowhere
    printf 'p cnf 1 1\n1 0\n' >"$work/x.cnf"
    printf '2 0 0\n' >"$work/x.lrat"; lrat_says "$work/x.cnf" "$work/x.lrat" && return
    printf '2 1 0 1 -1 -1 -1 0\n3 0 1 0\n' >"$work/x.lrat"; lrat_says "$work/x.cnf" "$work/x.lrat"
}
lrat_says() { # FORMULA LRAT
    "$LRAT_CHECK" "$1" "$2" >"$work/said" 2>&1
    [ "$(tr '\r' '\n' <"$work/said" | grep -E '^[cs] (NOT )?VERIFIED' | sed 's/^[cs] //')" = "VERIFIED" ]
}

# The files are those that were written, and no others.
find . ! -type d ! -type f | grep . >&2 && fail "there are links, pipes or devices among the files (above)"
find . -type f | sed 's,^\./,,' | sort >"$work/there"
sort >"$work/named" <<'END'
README.md
SHA256SUMS
certificate.json
drat-trim.txt
formula.cnf
map.json
projection.txt
proof.drat
puzzle.json
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
refuted formula.cnf proof.drat

if [ -n "$incomplete" ]; then echo "NOT VERIFIED: not everything could be checked (above)"; exit 3; fi
echo "VERIFIED: formula.cnf has no model"
echo "What that means, and what must be trusted for it, is said in README.md:"
sed -n '1s/^# //p' README.md | tr -d '\000-\011\013-\037\177'
