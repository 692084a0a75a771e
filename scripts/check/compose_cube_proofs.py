"""One LRAT proof that a formula has no model, composed of proofs of cubes; lrat-check checks it as a whole.

    python scripts/check/compose_cube_proofs.py FORMULA.cnf PROOF.lrat --group 4 --depth 2 [--solver glucose] [--time 60]

The first variables of the formula form groups of --group variables, and the formula has a clause for each group that at least one
of them is true; for example, the directions of each letter of a maze string are the variables 1-4, 5-8, ... A cube is a choice in
each of the first --depth groups. A solver refutes the formula with the literals of the cube as unit clauses, and drat-trim adds
hints. The composed proof adds the negated literals of the cube to each clause of the cube's proof, so that it follows from the
formula alone; the last step is the negation of the cube. Cubes that need more than --time seconds are split in the next group.
Group by group, the negations of the cubes and the group's clause of the formula imply shorter clauses, and finally the empty
clause.

The result does not depend on this program being correct: lrat-check checks the proof against the given formula. The file imports
nothing from the package. It searches for programs on PATH, then in solvers/bin. Exit code 0 if lrat-check verified the proof,
otherwise 1.
"""

import argparse
import shutil
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from pathlib import Path

SOLVERS = {
    "glucose": ["{cnf}", "-certified", "-certified-output={proof}"],
    "cadical": ["-q", "--no-binary", "--factor=0", "{cnf}", "{proof}"],
    "kissat": ["-q", "--no-binary", "{cnf}", "{proof}"],
}
UNSATISFIABLE = 20


def program(name):
    return shutil.which(name) or str(Path(__file__).resolve().parents[2] / "solvers" / "bin" / name)


def need(condition, message):
    if not condition:
        raise ValueError(message)


def read_formula(path):
    """The number of variables, and the clauses by number, from 1."""
    numbers, variables = [], 0
    for line in Path(path).read_text().splitlines():
        if line.startswith("p cnf"):
            variables = int(line.split()[2])
        elif not line.startswith("c"):
            numbers += map(int, line.split())
    clauses, clause = {}, []
    for number in numbers:
        if number:
            clause.append(number)
        else:
            clauses[len(clauses) + 1] = tuple(clause)
            clause = []
    return variables, clauses


class Proof:
    """A proof that is being written: `clauses` are the clauses of the formula and the steps that are not deleted, by number."""

    def __init__(self, variables, clauses, out):
        self.variables, self.clauses, self.out = variables, dict(clauses), out
        self.formula = len(clauses)
        self.last, self.steps, self.hints = len(clauses), 0, 0
        self.having = defaultdict(list)  # the numbers of the formula's clauses by literal
        for number, clause in clauses.items():
            for literal in clause:
                self.having[literal].append(number)

    def add(self, clause, hints):
        """Write a step; its hints are reduced to those that add information, up to the one that ends it."""
        used, true = [], {-literal for literal in clause}
        for hint in hints:
            left = [literal for literal in self.clauses[hint] if -literal not in true]
            if any(literal in true for literal in left):
                continue
            used.append(hint)
            need(len(left) < 2, f"the hint {hint} of a step says nothing")
            if not left:
                break
            true.add(left[0])
        else:
            raise ValueError(f"the hints of the step {clause} do not suffice")
        self.last += 1
        self.steps += 1
        self.hints += len(used)
        self.clauses[self.last] = tuple(clause)
        self.out.write(f"{self.last} {' '.join(map(str, (*clause, 0, *used, 0)))}\n")
        return self.last

    def delete(self, numbers):
        """Delete steps that no later step needs."""
        if numbers:
            self.out.write(f"{self.last} d {' '.join(map(str, numbers))} 0\n")
            for number in numbers:
                del self.clauses[number]

    def add_by_units(self, clause, others=()):
        """Write a step that follows by unit propagation from the formula and these other steps; None if it does not follow."""
        having = defaultdict(list)
        for number in others:
            for literal in self.clauses[number]:
                having[literal].append(number)
        reason = dict.fromkeys((-literal for literal in clause), None)
        queue = list(reason)
        first = [n for n, some in self.clauses.items() if n <= self.formula and len(some) < 2] + list(others)
        for place in range(-1, len(self.clauses)):
            if place >= len(queue):
                return None
            for number in first if place < 0 else (*having[-queue[place]], *self.having[-queue[place]]):
                left = [literal for literal in self.clauses[number] if -literal not in reason]
                if not left:
                    return self.add(clause, [*self.needed(self.clauses[number], reason), number])
                if len(left) == 1 and left[0] not in reason:
                    reason[left[0]] = number
                    queue.append(left[0])
        return None

    def needed(self, conflict, reason):
        """The reasons why these literals are false, in the order of propagation."""
        wanted, found = {-literal for literal in conflict}, []
        for literal in reversed(list(reason)):
            if literal in wanted and reason[literal] is not None:
                found.append(reason[literal])
                wanted |= {-other for other in self.clauses[reason[literal]] if other != literal}
        return found[::-1]

    def add_cube(self, cube, lrat):
        """Write the steps of a proof of the formula with the cube's literals as units; returns the number of the negated cube."""
        place, mine, units = {}, [], range(self.formula + 1, self.formula + len(cube) + 1)
        negated = [-literal for literal in cube]
        for line in lrat:
            number, *rest = line.split()
            if rest[0] == "d":
                gone = [place.pop(n) for n in map(int, rest[1:-1]) if place.get(n)]
                self.delete(gone)
                continue
            numbers = list(map(int, rest))
            end = numbers.index(0)
            clause, hints = numbers[:end], numbers[end + 1 : -1]
            need(all(hint > 0 for hint in hints), "a step of the solver's proof is not by unit propagation")
            if set(clause) & set(cube):  # it follows from the cube's literals, so no step needs it
                place[int(number)] = None
                continue
            own = [hint if hint <= self.formula else place[hint] for hint in hints if hint not in units]
            weaker = negated + [literal for literal in clause if literal not in negated]
            place[int(number)] = self.add(weaker, [hint for hint in own if hint])
            mine.append(place[int(number)])
            if not clause:
                break
        need(mine and len(self.clauses[mine[-1]]) == len(cube), "the solver's proof does not end with the empty clause")
        self.delete([number for number in mine[:-1] if number in self.clauses])
        return mine[-1]


class Composition:
    """All cubes of a formula, one after another."""

    def __init__(self, proof, arguments, folder):
        self.proof, self.group, self.depth, self.seconds = proof, arguments.group, arguments.depth, arguments.time
        self.solver, self.folder = arguments.solver, Path(folder)
        self.cubes, self.easy, self.times, self.sizes = 0, 0, {"solver": 0.0, "drat-trim": 0.0, "composing": 0.0}, [0, 0]

    def refute(self, cube):
        """The number of the step that states that the cube has no model."""
        found = None
        if len(cube) >= self.depth:
            found = self.proof.add_by_units([-literal for literal in cube])
            self.easy += found is not None
            found = found or self.by_solver(cube)
        if found:
            return found
        start = self.group * len(cube)
        need(start + self.group <= self.proof.variables, "a cube of all groups is too hard")
        below = [self.refute([*cube, literal]) for literal in range(start + 1, start + self.group + 1)]
        found = self.proof.add_by_units([-literal for literal in cube], below)
        need(found, f"the formula does not say that one of {start + 1} to {start + self.group} is true")
        self.proof.delete([number for number in below if number in self.proof.clauses])
        return found

    def by_solver(self, cube):
        """Refute the cube with a solver; None if it takes too long."""
        cnf, drat, lrat = (self.folder / f"cube.{suffix}" for suffix in ("cnf", "drat", "lrat"))
        clauses = [self.proof.clauses[number] for number in range(1, self.proof.formula + 1)] + [(literal,) for literal in cube]
        lines = (" ".join(map(str, (*clause, 0))) for clause in clauses)
        cnf.write_text(f"p cnf {self.proof.variables} {len(clauses)}\n" + "\n".join(lines) + "\n")
        for file in (drat, lrat):
            file.unlink(missing_ok=True)
        words = [word.format(cnf=cnf, proof=drat) for word in SOLVERS[self.solver]]
        try:
            self.run("solver", [program(self.solver), *words], UNSATISFIABLE)
        except subprocess.TimeoutExpired:
            return None
        self.run("drat-trim", [program("drat-trim"), cnf, drat, "-L", lrat, "-t", "1000000"], None)
        begun = time.process_time()
        with lrat.open() as lines:
            found = self.proof.add_cube(cube, lines)
        self.times["composing"] += time.process_time() - begun
        self.cubes += 1
        self.sizes = [self.sizes[0] + drat.stat().st_size, self.sizes[1] + lrat.stat().st_size]
        return found

    def run(self, what, command, code):
        begun = time.monotonic()
        run = subprocess.run(
            command, capture_output=True, text=True, check=False, timeout=self.seconds if what == "solver" else None
        )
        self.times[what] += time.monotonic() - begun
        need(
            code is None or run.returncode == code, f"{what}: exit code {run.returncode}, {run.stdout[-200:]}{run.stderr[-200:]}"
        )
        need(code is not None or "s VERIFIED" in run.stdout.replace("\r", "\n").splitlines(), f"{what}: {run.stdout[-300:]}")


def main(words=None):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("formula", metavar="FORMULA")
    parser.add_argument("proof", metavar="PROOF")
    parser.add_argument("--group", type=int, default=4, metavar="N", help="variables of which one is true (%(default)s)")
    parser.add_argument("--depth", type=int, default=1, metavar="N", help="groups that make a cube (%(default)s)")
    parser.add_argument("--solver", choices=SOLVERS, default="glucose")
    parser.add_argument("--time", type=float, metavar="SECONDS", help="split cubes that take longer")
    arguments = parser.parse_args(words)
    variables, clauses = read_formula(arguments.formula)
    print(f"formula: {variables:,} variables, {len(clauses):,} clauses", flush=True)
    with tempfile.TemporaryDirectory() as folder, open(arguments.proof, "w") as out:
        proof = Proof(variables, clauses, out)
        made = Composition(proof, arguments, folder)
        made.refute([])
    size = Path(arguments.proof).stat().st_size
    drat, lrat = made.sizes
    print(f"cubes: {made.cubes} by {arguments.solver} ({drat:,} bytes of DRAT, {lrat:,} of LRAT), {made.easy} at once")
    print(f"proof: {proof.steps:,} steps, {proof.hints:,} hints, {size:,} bytes")
    begun = time.monotonic()
    run = subprocess.run([program("lrat-check"), arguments.formula, arguments.proof], capture_output=True, text=True, check=False)
    made.times["lrat-check"] = time.monotonic() - begun
    print("seconds: " + ", ".join(f"{name} {seconds:.1f}" for name, seconds in made.times.items()))
    verified = "c VERIFIED" in run.stdout.replace("\r", "\n").splitlines()
    print("lrat-check: " + ("verified" if verified else f"REFUSED: {run.stdout[-300:]}"))
    return 0 if verified else 1


if __name__ == "__main__":
    try:
        sys.exit(main())
    except (OSError, ValueError, LookupError) as error:
        sys.exit(f"{type(error).__name__}: {error}")
