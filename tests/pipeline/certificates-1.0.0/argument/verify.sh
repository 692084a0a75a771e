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

# The files are those that were written, and no others.
find . ! -type d ! -type f | grep . >&2 && fail "there are links, pipes or devices among the files (above)"
find . -type f | sed 's,^\./,,' | sort >"$work/there"
sort >"$work/named" <<'END'
README.md
SHA256SUMS
certificate.json
puzzle.json
puzzle.nin
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

unable "the argument in README.md, which is for you to follow"

if [ -n "$incomplete" ]; then echo "NOT VERIFIED: not everything could be checked (above)"; exit 3; fi
echo "VERIFIED: the files are as they were written; the argument is for you to follow"
echo "What that means, and what must be trusted for it, is said in README.md:"
sed -n '1s/^# //p' README.md | tr -d '\000-\011\013-\037\177'
