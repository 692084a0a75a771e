"""Check certificates by cubes that no letters in place of the free ones of a pattern make a string that solves all mazes.

    python scripts/check/check_maze_window_cubes.py FILE... [--proofs FOLDER]

For each file, the program checks that the cubes cover every filling, and that the formula of each cube, which it writes
independently with all its lemmas, is the one whose refutation is claimed. It computes the lemmas from its own tables of joint
states. With --proofs, drat-trim (on PATH or in solvers/bin) checks the stored proofs against these formulas.

docs/results/maze-windows.md describes the format, and why a checked certificate proves its claim. This file imports nothing
from the package or from other checkers. Exit code 0 if all certificates hold, otherwise 1.
"""

import argparse
import gzip
import hashlib
import json
import shutil
import subprocess
import sys
import tempfile
from itertools import combinations, product
from pathlib import Path

import numpy as np

FIELDS = ["certificate", "kind", "size", "pattern", "mazes", "tuples", "cubes"]
LARGEST = 50_000  # joint states of a tuple; larger tuples give no lemma
SIDES = {"N": (-1, 0, 1, 4), "E": (0, 1, 2, 8), "S": (1, 0, 4, 1), "W": (0, -1, 8, 2)}  # open side here, and of the neighbor
TRUE = 1 << 40  # the literal of a state that is the only one of its step


def need(condition, message):
    if not condition:
        raise ValueError(message)


# -- mazes ----------------------------------------------------------------------------------------------------------------


class Maze:
    """A legal maze of the case: the moves from each cell, the start, the cells that must be visited."""

    def __init__(self, kind, height, width, text):
        text, _, start = text.partition(" ")
        rows = text.split("/")
        need(len(rows) == height and all(len(row) == width for row in rows), f"the maze {text} is not {height}x{width}")
        need(set("".join(rows)) <= set(".#" if kind == "blocked" else ".0123456789abcdef"), f"{text} is no {kind} maze")
        self.cells = {(r, c): rows[r][c] for r, c in product(range(height), range(width))}
        self.start = (0, 0) if kind == "blocked" else tuple(int(number) for number in start.split(","))
        need(self.cells.get(self.start) not in (None, "#"), f"{text} has no start")
        self.moves = {(cell, letter): self.next(kind, cell, letter) for cell in self.cells for letter in SIDES}
        within = new = {self.start}
        while new := {self.moves[cell, letter] for cell in new for letter in SIDES} - within:
            within = within | new
        self.must = within if kind == "thin" else {(height - 1, width - 1)}
        need(self.must <= within, f"the goal of {text} is out of reach")

    def next(self, kind, cell, letter):
        down, right, side, beyond = SIDES[letter]
        there = (cell[0] + down, cell[1] + right)
        if kind == "blocked":
            return there if self.cells[cell] == self.cells.get(there) == "." else cell
        if not int(self.cells[cell].replace(".", "0"), 16) & side:
            return cell
        agreed = int(self.cells.get(there, "0").replace(".", "0"), 16) & beyond
        need(agreed, f"the sides of {cell} and {there} do not agree")
        return there

    def walk(self, cell, letters):
        """The cell after the letters, and all cells on the way, beginning with the first one."""
        seen = {cell}
        for letter in letters:
            cell = self.moves[cell, letter]
            seen.add(cell)
        return cell, seen

    def automaton(self, prefix, suffix):
        """The minimal automaton of the fillings between prefix and suffix that solve it: the four successors of each state, in
        breadth-first order from the state after the prefix, and whether the suffix completes the state."""
        cell, seen = self.walk(self.start, prefix)
        order, rows = [(cell, frozenset(self.must - seen))], {}
        for state in order:  # grows during the loop
            if state not in rows:
                there = [self.moves[state[0], letter] for letter in "NESW"]
                rows[state] = [(cell, state[1] - {cell}) for cell in there]
                order += rows[state]
        block = {state: state[1] <= self.walk(state[0], suffix)[1] for state in rows}
        accepts, count = block, 0
        while len(set(block.values())) != count:
            count, names = len(set(block.values())), {}
            block = {s: names.setdefault((block[s], *[block[t] for t in row]), len(names)) for s, row in rows.items()}
        row_of = {block[state]: (tuple(block[after] for after in row), accepts[state]) for state, row in rows.items()}
        states = [block[order[0]]]
        for state in states:  # grows during the loop
            states += [after for after in dict.fromkeys(row_of[state][0]) if after not in states]
        number = {state: place for place, state in enumerate(states)}
        return (tuple(tuple(number[after] for after in row_of[s][0]) for s in states), tuple(row_of[s][1] for s in states))


# -- joint states ---------------------------------------------------------------------------------------------------------


class Joint:
    """The joint states of some automata, as numbers (the first automaton is the most significant digit): `next[d]`, and whether
    exactly this number of letters can lead to a state that all accept."""

    def __init__(self, automata, letters):
        self.sizes = [len(rows) for rows, _ in automata]
        self.next, alive = np.zeros((4, 1), np.int64), np.ones(1, bool)
        for rows, accepts in automata:
            table = np.array(rows).T
            self.next = (self.next[:, :, None] * len(rows) + table[:, None, :]).reshape(4, -1)
            alive = (alive[:, None] & np.array(accepts)[None, :]).ravel()
        self.alive = [alive]
        for _ in range(letters):
            self.alive.append(self.alive[-1][self.next].any(axis=0))

    def number(self, states):
        found = 0
        for state, size in zip(states, self.sizes, strict=True):
            found = found * size + state
        return found

    def states(self, number):
        found = []
        for size in reversed(self.sizes):
            number, state = divmod(number, size)
            found.append(state)
        return found[::-1]


def product_of(automata):
    size = 1
    for rows, _ in automata:
        size *= len(rows)
    return size


# -- a certificate --------------------------------------------------------------------------------------------------------


class Case:
    """A certificate, with the automata of its mazes."""

    def __init__(self, entry):
        need(isinstance(entry, dict) and list(entry) == FIELDS, f"expected the fields {', '.join(FIELDS)}")
        claim, self.kind, self.size, pattern, mazes, tuples, self.cubes = entry.values()
        need(claim == "no filling of a maze window, by cubes" and self.kind in ("thin", "blocked"), "no such certificate")
        width, height = (int(number) for number in self.size.split("x"))
        self.prefix, self.suffix, self.letters = pattern.partition("*")[0], pattern.rpartition("*")[2], pattern.count("*")
        need(self.letters and self.prefix + "*" * self.letters + self.suffix == pattern, "the free letters are not adjacent")
        need(set(self.prefix + self.suffix) <= set("NESW"), "the pattern has other letters than N E S W *")
        self.mazes = [Maze(self.kind, height, width, text) for text in mazes]
        self.automata = [maze.automaton(self.prefix, self.suffix) for maze in self.mazes]
        self.tuples = [self.places(chosen, self.mazes) for chosen in tuples]

    @staticmethod
    def places(numbers, things):
        need(all(type(n) is int and 0 <= n < len(things) for n in numbers), "found a number that is no place in its list")
        return tuple(numbers)

    def after(self, prefix):
        """The states of all mazes after some letters."""
        states = (0,) * len(self.automata)
        for letter in prefix:
            states = self.moved(states, "NESW".index(letter))
        return states

    def moved(self, states, d):
        return tuple(rows[state][d] for (rows, _), state in zip(self.automata, states, strict=True))

    def cover(self):
        """Check that each filling begins with a cube, reaches a state of a cube, or is refuted by a tuple."""
        cubes = {(len(cube["prefix"]), self.after(cube["prefix"])) for cube in self.cubes}
        own = [[self.automata[maze] for maze in chosen] for chosen in self.tuples]
        small = [(chosen, few) for chosen, few in zip(self.tuples, own, strict=True) if product_of(few) <= LARGEST]
        bounds = [(chosen, Joint(few, self.letters)) for chosen, few in small]
        level, looked = {self.after("")}, 0
        for depth in range(self.letters + 1):
            level = {states for states in level if (depth, states) not in cubes}
            for chosen, joint in bounds:
                alive = joint.alive[self.letters - depth]
                level = {states for states in level if alive[joint.number([states[maze] for maze in chosen])]}
            need(not level or depth < self.letters, f"{len(level)} fillings are in no cube")
            need(len(level) < 10**6, f"{len(level)} prefixes of {depth} letters are in no cube")
            looked += len(level)
            level = {self.moved(states, d) for states in level for d in range(4)}
        return looked

    def formula(self, cube):
        """The cube's formula: the number of variables, the clauses, and the number of lemmas among them."""
        need(set(cube["prefix"]) <= set("NESW") and len(cube["prefix"]) <= self.letters, "the prefix of a cube is none")
        left, prefix = self.letters - len(cube["prefix"]), self.prefix + cube["prefix"]
        mazes = self.places(cube["mazes"], self.mazes)
        need(list(mazes) == sorted(set(mazes)), "the mazes of a cube are not in ascending order")
        automata, place, known = [], {}, {}
        for maze in mazes:
            automaton = self.mazes[maze].automaton(prefix, self.suffix)
            if automaton not in known:
                known[automaton] = None if always(automaton, left) else len(automata)
                automata += [automaton] if known[automaton] is not None else []
            if known[automaton] is not None:
                place[maze] = known[automaton]
        formula = Formula(left, alone=self.kind == "thin")
        at = {number: formula.walk(automaton) for number, automaton in enumerate(automata)}
        tuples = [self.tuples[n] for n in self.places(cube["tuples"], self.tuples)]
        own = {tuple(sorted({place[m] for m in chosen if m in place})) for chosen in tuples if set(chosen) <= set(mazes)}
        for chosen in sorted(own):
            few = [automata[number] for number in chosen]
            if len(chosen) > 1 and product_of(few) <= LARGEST and all(at[number] for number in chosen):
                formula.exclude(Joint(few, left), [at[number] for number in chosen])
        return formula.variables, formula.clauses, len(formula.lemmas)


def always(automaton, letters):
    """Whether all fillings are accepted."""
    rows, sure = automaton
    for _ in range(letters):
        sure = [all(sure[after] for after in row) for row in rows]
    return sure[0]


class Formula:
    """The remaining letters solve some mazes: dir[t, d] is 4 t + d + 1, followed by a variable for each state of each step."""

    def __init__(self, left, alone):
        self.left, self.alone, self.variables, self.clauses, self.lemmas = left, alone, 4 * left, [], set()
        for t in range(left):
            moves = range(4 * t + 1, 4 * t + 5)
            self.clauses += [list(moves), *([-one, -other] for one, other in combinations(moves, 2))]

    def walk(self, automaton):
        """The literal of each state at each step (TRUE for the only state of its step); empty if no filling is accepted."""
        rows, accepts = automaton
        layers = [{0}]
        for _ in range(self.left):
            layers.append({after for state in layers[-1] for after in rows[state]})
        layers[-1] = {state for state in layers[-1] if accepts[state]}
        for t in range(self.left - 1, -1, -1):
            layers[t] = {state for state in layers[t] if layers[t + 1] & set(rows[state])}
        if not all(layers):
            self.clauses.append([])
            return []
        at = [dict.fromkeys(layers[0], TRUE)]
        for t, layer in enumerate(layers[1:]):
            at.append(self.positions(sorted(layer)))
            self.step(at[t], at[t + 1], rows, 4 * t + 1)
        return at

    def positions(self, states):
        if len(states) == 1:
            return {states[0]: TRUE}
        found = dict(zip(states, range(self.variables + 1, self.variables + len(states) + 1), strict=True))
        self.variables += len(states)
        self.clauses.append(list(found.values()))
        self.clauses += [[-one, -other] for one, other in combinations(found.values(), 2)] if self.alone else []
        return found

    def step(self, here, there, rows, first):
        """A state and a letter imply the next state; a state implies one of its predecessors."""
        sources = {state: set() for state in there}
        for state, literal in here.items():
            for d, target in enumerate(rows[state]):
                if there.get(target) != TRUE:
                    known = [-literal] if literal != TRUE else []
                    self.clauses.append([*known, -first - d, *([there[target]] if target in there else [])])
                if target in sources:
                    sources[target].add(literal)
        for state, literal in there.items():
            if TRUE not in sources[state]:
                self.clauses.append([*([-literal] if literal != TRUE else []), *sorted(sources[state])])

    def exclude(self, joint, positions):
        """Joint states that cannot be completed, one letter after some that can."""
        alive = {0}
        for t in range(1, self.left + 1):
            after = {int(there) for number in alive for there in joint.next[:, number]}
            for number in sorted(after):
                if joint.alive[self.left - t][number]:
                    continue
                states = joint.states(number)
                if all(state in at[t] for state, at in zip(states, positions, strict=True)):
                    clause = tuple(sorted(-at[t][state] for state, at in zip(states, positions, strict=True)))
                    if clause not in self.lemmas:
                        self.lemmas.add(clause)
                        self.clauses.append([literal for literal in clause if literal != -TRUE])
            alive = {number for number in after if joint.alive[self.left - t][number]}


def refuted(variables, clauses, proof):
    """The verdict of drat-trim on a kept proof, for the formula that this program writes."""
    program = shutil.which("drat-trim") or str(Path(__file__).parents[2] / "solvers" / "bin" / "drat-trim")
    with tempfile.TemporaryDirectory() as folder:
        cnf, drat = Path(folder) / "cube.cnf", Path(folder) / "cube.drat"
        lines = (" ".join(map(str, (*clause, 0))) for clause in clauses)
        cnf.write_text(f"p cnf {variables} {len(clauses)}\n" + "\n".join(lines) + "\n")
        drat.write_bytes(gzip.decompress(proof))
        run = subprocess.run([program, cnf, drat, "-t", "1000000"], capture_output=True, text=True, check=False)
    return "s VERIFIED" in [line.strip() for line in run.stdout.splitlines()]


def check(path, proofs=None):
    """Check the certificate and return its claim; raises an exception if the claim does not hold or the format is wrong."""
    case = Case(json.loads(Path(path).read_text(encoding="utf-8")))
    looked, lemmas = case.cover(), 0
    for cube in case.cubes:
        variables, clauses, added = case.formula(cube)
        numbers = np.array([number for clause in clauses for number in (*clause, 0)], "<i4")
        digest = hashlib.sha256(f"cnf {variables} {len(clauses)}\n".encode() + numbers.tobytes()).hexdigest()
        need(digest == cube["formula"], f"the formula of the cube {cube['prefix']!r} is not the one that was refuted")
        if proofs:
            proof = (Path(proofs) / f"cube-{cube['prefix']}.drat.gz").read_bytes()
            need(refuted(variables, clauses, proof), f"the proof of the cube {cube['prefix']!r} does not hold")
        lemmas += added
    ends = f"{len(case.prefix)} and {len(case.suffix)} fixed ones"
    claim = f"no {case.letters} letters between {ends} solve all {case.kind} {case.size} mazes"
    told = "their proofs checked" if proofs else "proofs not checked here (--proofs), but when they were made"
    return f"{claim}: {len(case.cubes)} cubes cover all fillings ({looked:,} prefixes), {lemmas:,} lemmas are as claimed, {told}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="+", metavar="FILE")
    parser.add_argument("--proofs", metavar="FOLDER", help="check the kept proofs as well")
    arguments = parser.parse_args()
    good = True
    for path in arguments.files:
        try:
            print(f"{path}: verified: {check(path, arguments.proofs)}")
        except (OSError, ValueError, LookupError, TypeError, AttributeError, MemoryError, EOFError) as error:
            print(f"{path}: REFUSED: {error}")
            good = False
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
