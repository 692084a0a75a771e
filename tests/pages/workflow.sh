# The steps of docs/how-to/comparing-builds.md's workflow that run both builds and compare them, with two builds and two formulas in the places of the solver's repository.
set -e
mkdir -p old/build new/build new/benchmark/instances
for side in old new; do python "$CASES/program.py" kissat $side/build/kissat; done
gen-cnf nonogram instances/nonogram/cat.nin -o new/benchmark/instances/cat.cnf
gen-cnf tiling instances/tiling/tetrominoes-4x5.yaml -o new/benchmark/instances/tetrominoes.cnf
python - > steps.sh <<'END'
import yaml
steps = yaml.safe_load(open("benchmark.yaml"))["jobs"]["diff"]["steps"]
print("\n".join(step["run"] for name in ("run both", "compare") for step in steps if step.get("name") == name))
END
bash -e steps.sh
grep -q kissat-build comment.md
