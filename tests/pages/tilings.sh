# The files of docs/reference/formats-tiling.md are puzzles, of which their claims are true; its tiling in BurrTools' format is the YAML one.
set -e
for file in [0-9].yaml l.xmpuzzle; do
    if claimed=$(grep -oP '^  raw: \K\d+' $file); then
        solve-puzzle tiling $file --count --raw --quiet > count.txt
        grep -q "^$claimed " count.txt
    else
        solve-puzzle tiling $file --quiet > /dev/null
    fi
done
