# The suites of docs/reference/suites.md are read: the example as it stands; instances, solvers and filters in a suite around them.
set -e
ln -s instances/nonogram instances/tiling .
mkdir -p more sat2024 suites/more
printf 'p cnf 1 1\n1 0\n' | tee sat2024/one.cnf | xz > suites/more/two.cnf.xz
printf 'p cnf 1 1\n-1 0\n' > sat2024/other.cnf
printf 'hash,local,filename,family,result\n%s,,other.cnf,hardware,unsat\n' "$(printf '%s' '-1 0' | md5sum | cut -c-32)" > suites/query.csv
cp instances/tiling/soma-cube.yaml more
for program in my-solver kissat/build/kissat wrapper.sh; do
    mkdir -p "$(dirname suites/$program)"
    python "$CASES/program.py" kissat suites/$program
done
printf 'name,team\nx.cnf,Linz\n' > suites/authors.csv
mkdir suites/a && cp sat2024/one.cnf suites/a/x.cnf
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
(echo "name: features"; echo "instances: [{cnf: [a/x.cnf, more/two.cnf.xz]}]"; echo "solvers: [kissat]"; echo "limits: {cpu: 1}"; cat features.yaml) > all-features.yaml
bench-cnf check all-features.yaml
