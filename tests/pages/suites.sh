# The suites of docs/suites.md are read: the example as it stands; instances, solvers and filters in a suite around them.
set -e
ln -s instances/nonogram instances/tiling .
mkdir -p more sat2024 suites/more
printf 'p cnf 1 1\n1 0\n' | tee sat2024/one.cnf | xz > suites/more/two.cnf.xz
cp instances/tiling/soma-cube.yaml more
python "$CASES/program.py" cadical suites/my-solver
cd suites
bench-cnf check example.yaml
(echo "name: instances"; echo "solvers: [kissat]"; echo "limits: {cpu: 1}"; cat instances.yaml) > all-instances.yaml
bench-cnf check all-instances.yaml
few="instances: [{family: nonogram, puzzles: [../nonogram/cat.nin], encodings: [order, direct]}]"
(echo "name: solvers"; echo "$few"; echo "limits: {cpu: 1}"; cat solvers.yaml) > all-solvers.yaml
bench-cnf check all-solvers.yaml
many="instances: [{family: nonogram, puzzles: [../nonogram/rings-100.nin, ../nonogram/cat.nin], encodings: [order, direct]},
  {family: tiling, puzzles: [../tiling/pentominoes-6x10.yaml]}]"
(echo "name: filters"; echo "$many"; echo "solvers: [kissat, plingeling]"; echo "limits: {cpu: 1}"; cat filters.yaml) > all-filters.yaml
bench-cnf check all-filters.yaml
