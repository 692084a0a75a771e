# The recipe of docs/how-to/adding-a-solver.md, in a package with the entry point that the page shows: `run-cnf --list` knows the solver.
set -e
mkdir -p mypackage/recipes mypackage-1.dist-info
mv recipe.yaml mypackage/recipes/mycadical.yaml
echo 'from pathlib import Path; RECIPES = Path(__file__).parent / "recipes"' > mypackage/__init__.py
printf 'Metadata-Version: 2.1\nName: mypackage\nVersion: 1\n' > mypackage-1.dist-info/METADATA
sed -n 's/^\[project.entry-points."\(.*\)"\]/[\1]/p; s/^\([a-z]* = \)"\([^"]*\)".*/\1\2/p' entrypoint.toml > mypackage-1.dist-info/entry_points.txt
PYTHONPATH=$PYTHONPATH:. run-cnf --list | tee list.txt
grep -q '^mycadical ' list.txt
