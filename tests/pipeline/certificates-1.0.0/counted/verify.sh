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

symmetries_hold() { # SYMMETRIES FORMULA: each line is a permutation of the variables that maps the clauses onto themselves
    k=0
    while [ "$k" -le "$(wc -l <"$1")" ]; do
        "$AWK" -v k="$k" -v symmetries="$1" '
    function put(l,    j) { # into x[1..m], ascending by variable
        for (j = ++m; j > 1 && (x[j - 1] < 0 ? -x[j - 1] : x[j - 1]) > (l < 0 ? -l : l); j--) x[j] = x[j - 1]
        x[j] = l
    }
    function image(s, k,    a, i, n, r) { # of the numbers in s under symmetry k
        n = split(s, a, " "); m = 0
        for (i = 1; i <= n; i++) put(a[i] < 0 ? -to[k, -a[i]] : to[k, a[i] + 0])
        r = ""; for (i = 1; i <= m; i++) r = r (i > 1 ? " " : "") x[i]
        return r
    }
        FILENAME == symmetries {
            if (FNR == k) for (i = 1; i <= (n = NF); i++) {
                to[k, i] = $i + 0; if ($i !~ /^[1-9][0-9]*$/ || $i > n || seen[$i]++) bad = 1 }
            next
        }
        FNR == 1 { if (k && n != $3) bad = 1; if (bad) exit 1; for (i = 1; !k && i <= $3; i++) to[0, i] = i; next }
        { m = 0; for (i = 1; i < NF; i++) put($i < 0 ? -to[k, -$i] : to[k, $i + 0])
          for (i = 1; i <= m; i++) printf "%d ", x[i]; print 0 }
        END { exit bad }
        ' "$1" "$2" >"$work/images" || fail "line $k of $1 is no permutation of the variables"
        sort -u "$work/images" >"$work/clauses-$((k > 0))"
        if [ "$k" -gt 0 ]; then
            cmp -s "$work/clauses-0" "$work/clauses-1" || fail "line $k of $1 does not map the clauses of $2 onto themselves"
        fi
        k=$((k + 1))
    done
    good "each line of $1 is a symmetry of $2"
}

solutions_listed() { # SOLUTIONS PROJECTION SYMMETRIES COUNT ORBITS: different ones, as many, closed under the symmetries
    "$AWK" -v projection="$2" '
        FILENAME == projection { in_it[$1 + 0]; next }
        { l = ""; for (i = 1; i <= NF; i++) { if ($i !~ /^[1-9][0-9]*$/ || (i > 1 && $i <= $(i - 1))) { bad = 1; exit }
          if (($i + 0) in in_it) l = l " " $i }; print l; n++ }
        END { exit bad }
    ' "$2" "$1" >"$work/shown" || fail "$1 has a line that is no list of ascending variables"
    [ "$(wc -l <"$work/shown")" -eq "$4" ] || fail "$1 has not $4 solutions"
    [ "$(sort -u "$work/shown" | wc -l)" -eq "$4" ] || fail "$1 has a solution twice"
    [ -e "$3" ] && symmetries=$3 || symmetries=/dev/null
    "$AWK" -v symmetries="$symmetries" '
    function put(l,    j) { # into x[1..m], ascending by variable
        for (j = ++m; j > 1 && (x[j - 1] < 0 ? -x[j - 1] : x[j - 1]) > (l < 0 ? -l : l); j--) x[j] = x[j - 1]
        x[j] = l
    }
    function image(s, k,    a, i, n, r) { # of the numbers in s under symmetry k
        n = split(s, a, " "); m = 0
        for (i = 1; i <= n; i++) put(a[i] < 0 ? -to[k, -a[i]] : to[k, a[i] + 0])
        r = ""; for (i = 1; i <= m; i++) r = r (i > 1 ? " " : "") x[i]
        return r
    }
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
    ' "$symmetries" "$1" >"$work/firsts" || fail "a symmetry maps a solution to something that is not in $1"
    [ "$(wc -l <"$work/firsts")" -eq "$5" ] || fail "the solutions in $1 do not fall into $5 orbits"
    good "$1 has $4 different solutions, in $5 orbits"
}

solutions_hold() { # FORMULA PROJECTION SHORT: firsts of orbits are models; if SHORT, clauses exclude all other variables
    "$AWK" -v projection="$2" -v formula="$1" -v short="$3" '
        FILENAME == projection { shown[++q] = $1 + 0; next }
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
        { solution++; delete holds; delete met; delete out; n = NF; hit = 0
          for (i = 1; i <= n; i++) holds[$i + 0]
          for (i = 1; i <= n; i++) { v = $i + 0
            for (j = 1; j < i; j++) if ((v, $j + 0) in no) exit bad = 1
            for (j = 1; j <= filings[v]; j++) { k = split(filed[v, j], a, " "); ok = 0
                for (l = 1; l <= k && !ok; l++) ok = a[l] > 0 ? ((a[l] + 0) in holds) : !((-a[l]) in holds)
                if (!ok) exit bad = 1 }
            k = split(at[v], a, " "); for (j = 1; j <= k; j++) if (!(a[j] in met)) { met[a[j]]; hit++ }
            if (short) { k = split(with[v], a, " "); for (j = 1; j <= k; j++) out[a[j] + 0] }
          }
          if (hit != positive) exit bad = 1
          for (j = 1; short && j <= q; j++) if (!(shown[j] in holds) && !(shown[j] in out)) exit bad = 2
        }
        END { if (bad) print (bad == 1 ? "not a model: " : "not blocked by its true variables alone: ") $0; exit bad }
    ' "$2" "$1" "$work/firsts" >&2 || fail "not every solution is what it should be (above)"
    good "every solution satisfies $1"
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

cubes_cover() { # FORMULA SYMMETRIES CUBES COVERING DRAT [LRAT]: in each model some cube holds, or the image of one
    [ -e "$2" ] && symmetries=$2 || symmetries=/dev/null
    "$AWK" -v symmetries="$symmetries" -v cubes="$3" '
    function put(l,    j) { # into x[1..m], ascending by variable
        for (j = ++m; j > 1 && (x[j - 1] < 0 ? -x[j - 1] : x[j - 1]) > (l < 0 ? -l : l); j--) x[j] = x[j - 1]
        x[j] = l
    }
    function image(s, k,    a, i, n, r) { # of the numbers in s under symmetry k
        n = split(s, a, " "); m = 0
        for (i = 1; i <= n; i++) put(a[i] < 0 ? -to[k, -a[i]] : to[k, a[i] + 0])
        r = ""; for (i = 1; i <= m; i++) r = r (i > 1 ? " " : "") x[i]
        return r
    }
        FILENAME == symmetries { g++; for (i = 1; i <= NF; i++) to[g, i] = $i + 0; next }
        { l = $0; sub(/ *0$/, "", l) }
        FILENAME == cubes { if (!(l in found)) { found[l]; queue[top = 1] = l }
            while (top) { s = queue[top--]
                for (k = 1; k <= g; k++) { r = image(s, k); if (!(r in found)) { found[r]; queue[++top] = r } } }
            next }
        !(l in found) { print "line " FNR ": " $0; exit bad = 1 }
        END { exit bad }
    ' "$symmetries" "$3" "$4" >&2 || fail "$4 has something that is no image of a cube in $3 (above)"
    "$AWK" -v more="$(wc -l <"$4")" 'FNR == NR { if (FNR == 1) $4 += more; print; next }
        { for (i = 1; i < NF; i++) printf "%d ", -$i; print 0 }' "$1" "$4" >"$work/cover.cnf"
    refuted "$work/cover.cnf" "$5" "$6"
    good "so in every model of $1 a cube of $3 holds, or the image of one under a symmetry"
}

cubes_refuted() { # FORMULA PROJECTION SOLUTIONS COUNT SHORT CUBES: no model but the solutions has a cube, by a proof for each
    "$AWK" -v projection="$2" -v formula="$1" -v more="$4" -v short="$5" '
        FILENAME == projection { shown[++q] = $1 + 0; next }
        FILENAME == formula { if (FNR == 1) $4 += more; print; next }
        { delete holds; for (i = 1; i <= NF; i++) holds[$i + 0]
          for (i = 1; i <= q; i++) if (shown[i] in holds) printf "%d ", -shown[i]; else if (!short) printf "%d ", shown[i]
          print 0 }
    ' "$2" "$1" "$3" >"$work/blocked.cnf"
    believed=yes; lrat_fooled && believed=
    number=0; open=0
    while read -r cube; do
        number=$((number + 1)); proof=$(printf 'proofs/%05d.lrat' "$number"); says=lrat_says
        echo "$cube" | "$AWK" '
            FNR == NR { n = NF - 1; for (i = 1; i <= n; i++) unit[i] = $i; next }
            FNR == 1 { $4 += n } { print }
            END { for (i = 1; i <= n; i++) print unit[i], 0 }' - "$work/blocked.cnf" >"$work/cube.cnf"
        if [ ! -e "$proof" ]; then
            if [ -z "${SOLVER:-}" ]; then open=$((open + 1)); continue; fi
            proof=$work/cube.proof; says=${PROOFS:-drat}_says; rm -f "$proof"
            if [ "$says" = lrat_says ] && [ -z "$believed" ]; then open=$((open + 1)); continue; fi
            $SOLVER "$work/cube.cnf" "$proof" >"$work/solver" 2>&1
            grep -q '^s UNSATISFIABLE' "$work/solver" || fail "$SOLVER does not refute the cube in line $number of $6: $cube"
        elif ! command -v "$LRAT_CHECK" >/dev/null || [ -z "$believed" ]; then open=$((open + 1)); continue
        fi
        $says "$work/cube.cnf" "$proof" || {
            sed 's/^/    /' "$work/said" >&2; fail "the proof for line $number of $6 is refused: $cube"; }
        good "the cube in line $number of $6 has no other model: $cube"
    done <"$6"
    [ "$open" -eq 0 ] || unable "$open of the $number cubes in $6: their proofs were not kept, or no lrat-check ran that can be"         "believed; with SOLVER='cadical --lrat --no-binary' PROOFS=lrat in the environment that solver proves them anew"
}

# The files are those that were written, and no others.
find . ! -type d ! -type f | grep . >&2 && fail "there are links, pipes or devices among the files (above)"
find . -type f | sed 's,^\./,,' | sort >"$work/there"
sort >"$work/named" <<'END'
README.md
SHA256SUMS
boards.jsonl
certificate.json
cover.drat
cover.lrat
covering.txt
cubes.jsonl
cubes.txt
formula.cnf
map.json
projection.txt
proofs/00001.lrat
proofs/00002.lrat
puzzle.json
solutions.txt
symmetries.txt
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
symmetries_hold symmetries.txt formula.cnf
solutions_listed solutions.txt projection.txt symmetries.txt 8 5
solutions_hold formula.cnf projection.txt 1
cubes_cover formula.cnf symmetries.txt cubes.txt covering.txt cover.drat cover.lrat
cubes_refuted formula.cnf projection.txt solutions.txt 8 1 cubes.txt

if [ -n "$incomplete" ]; then echo "NOT VERIFIED: not everything could be checked (above)"; exit 3; fi
echo "VERIFIED: solutions.txt has all models of formula.cnf, as far as the variables of projection.txt go"
echo "What that means, and what must be trusted for it, is said in README.md:"
sed -n '1s/^# //p' README.md | tr -d '\000-\011\013-\037\177'
