# The arrow of docs/reference/formats.md in seven formats has the board that the page draws, as text and as JSON.
set -e
for file in arrow.nin arrow.mk arrow.cwd arrow.non arrow.xml arrow.g arrow.url; do
    solve-puzzle nonogram $file --quiet > drawn.txt
    diff drawn.txt board.txt
    solve-puzzle nonogram $file --quiet -o drawn.json
    python -c "import json; drawn, shown = (json.load(open(name)) for name in ('drawn.json', 'board.json')); assert shown in drawn['boards']"
done
