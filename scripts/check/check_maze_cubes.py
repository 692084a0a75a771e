"""Check certificates by cubes that no string of some length solves all mazes of a grid.

    python scripts/check/check_maze_cubes.py FILE... [--proofs FOLDER] [--recheck N]

For each file, the program checks that the cubes cover every string, and that the formula of each cube, which it writes
independently, is the one whose refutation is claimed. With --proofs, drat-trim (on PATH or in solvers/bin) checks the stored
proofs against these formulas. With --recheck N, a search through the joint states refutes N random cubes.

docs/results/maze-optimality.md describes the format, and why a checked certificate proves its claim. This file imports nothing
from the package. Exit code 0 if all certificates hold, otherwise 1.
"""

import argparse
import gzip
import hashlib
import json
import random
import shutil
import subprocess
import sys
import tempfile
from itertools import combinations, product
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parent))
from check_maze_certificate import need, read_maze  # the other checker's mazes and walks, not the package's

FIELDS = ["certificate", "kind", "size", "length", "mazes", "tuples", "cubes"]
NEVER, TRUE, BEFORE = 250, 1 << 30, 4
FLIPS, TURNED = ("NESW", "SENW", "NWSE", "SWNE"), ("WSEN", "WNES", "ESWN", "ENWS")  # the images of NESW under grid symmetries


def automaton(moves, start, must):
    """An array `[direction, state]`, with states in breadth-first order, and the solved state (None: unreachable)."""
    order = [(start, frozenset(must - {start})) if must - {start} else None]
    number, table = {order[0]: 0}, []
    for state in order:  # grows during the loop
        row = []
        for d in range(4):
            there = None if state is None else moves[state[0]][d]
            after = (there, state[1] - {there}) if state and state[1] - {there} else None  # None: solved
            if after not in number:
                number[after] = len(order)
                order.append(after)
            row.append(number[after])
        table.append(row)
    return np.array(table).T, number[None], order


def distances(next, done):
    """The least number of letters from each state to the solved one."""
    found = np.where(np.arange(next.shape[1]) == done, 0, NEVER)
    while True:
        nearer = np.minimum(found, found[next].min(axis=0) + 1)
        if (nearer == found).all():
            return found.astype(np.uint8)
        found = nearer


class Case:
    """A certificate, with tables of its mazes and tuples."""

    def __init__(self, entry):
        need(isinstance(entry, dict) and list(entry) == FIELDS, f"expected the fields {', '.join(FIELDS)}")
        claim, kind, size, self.length, mazes, tuples, self.cubes = entry.values()
        need(claim == "no universal maze string, by cubes" and kind in ("thin", "blocked"), "this is no certificate by cubes")
        width, height = (int(number) for number in size.split("x"))
        need(type(self.length) is int and 0 <= self.length < NEVER, "the length is no number of letters")
        kept = 1 if kind == "blocked" else 4  # start and goal of blocked mazes are fixed: only the transposition keeps them
        self.group = FLIPS[:kept] + TURNED[: kept if height == width else 0]
        self.thin, read = kind == "thin", [read_maze(kind, height, width, text) for text in mazes]
        self.moves = [moves for moves, _, _ in read]
        self.next, self.done, self.states = zip(*(automaton(*each) for each in read), strict=True) if read else ((), (), ())
        self.alone = [([maze], *self.joint([maze])) for maze in range(len(mazes))]
        self.tuples = [(chosen, *self.joint(chosen)) for chosen in tuples]

    def joint(self, chosen):
        """Successors, distances and shape of the joint states of some mazes."""
        next, done = np.zeros((4, 1), np.int32), 0
        for maze in chosen:
            need(type(maze) is int and maze >= 0, "the tuples are not places in the list of mazes")
            next = (next[:, :, None] * self.next[maze].shape[1] + self.next[maze][:, None, :]).reshape(4, -1)
            done = done * self.next[maze].shape[1] + self.done[maze]
        return next, distances(next, done), [self.next[maze].shape[1] for maze in chosen]

    def after(self, prefix):
        """The states of all mazes after a prefix, and the symmetries that fix the prefix (bits)."""
        states = [0] * len(self.next)
        for letter in prefix:
            states = [int(next["NESW".index(letter), state]) for next, state in zip(self.next, states, strict=True)]
        fixing = [all(image["NESW".index(letter)] == letter for letter in prefix) for image in self.group]
        return np.array([[*states, sum(1 << place for place, fixes in enumerate(fixing) if fixes)]], np.uint16)

    def moved(self, level, d):
        """The rows after direction d, except those where a symmetry that fixes the prefix maps d to an earlier direction."""
        images = ["NESW".index(image[d]) for image in self.group]
        level = level[level[:, -1] & sum(1 << place for place, image in enumerate(images) if image < d) == 0]
        fixing = level[:, -1] & sum(1 << place for place, image in enumerate(images) if image == d)
        return np.array([*(next[d][row] for next, row in zip(self.next, level.T, strict=False)), fixing], np.uint16).T

    def alive(self, level, left, bounds):
        """The rows of states, without duplicates, from which none of these tuples needs more letters than are left."""
        for chosen, _, distance, shape in bounds:
            level = level[distance[np.ravel_multi_index(tuple(level[:, chosen].T), shape)] <= left]
        return np.unique(level, axis=0)

    def walk(self, prefix, last, bounds, cubes=()):
        """Extend a prefix until each longer one is refuted or is covered by a cube; returns the number of prefixes."""
        level, looked = self.after(prefix), 0
        for depth in range(len(prefix), last + 1):
            level = self.alive(level, self.length - depth, bounds)
            level = level[[(depth, states.tobytes()) not in cubes for states in level[:, :-1]]]
            if not len(level):
                return looked
            need(depth < last and len(level) < 10**6, f"{len(level)} prefixes of {depth} letters are in no cube")
            looked += len(level)
            level = np.concatenate([self.moved(level, d) for d in range(4)])
        return looked

    def formula(self, cube):
        """The cube's formula: the numbers of variables and clauses, and the literals, with 0 after each clause."""
        left, start = self.length - len(cube["prefix"]), self.after(cube["prefix"])[0].tolist()
        clauses, rows, literal, where, count = [], [], {}, {}, 4 * left
        for t in range(left):
            moves = range(4 * t + 1, 4 * t + 5)
            clauses += [list(moves), *([-one, -other] for one, other in combinations(moves, 2))]
        for maze in cube["mazes"]:
            alone = self.alone[maze][2]
            if alone[start[maze]] > left:
                clauses.append([])
                continue
            solved = not alone[start[maze]]
            if solved and self.thin:
                continue
            layers, next, missing = self.positions(maze, start[maze], left)
            where[maze], at = layers, np.zeros((left + 1, len(next)), np.int64)
            literal[maze], at[0, layers[0]] = at, TRUE
            for t, there in enumerate(layers[1:]):
                at[t + 1, there] = TRUE if len(there) == 1 else range(count + 1, count + 1 + len(there))
                count += len(there) if len(there) > 1 else 0
                if not solved:
                    clauses += step(at[t].tolist(), at[t + 1].tolist(), layers[t], next, 4 * t + 1)
                if not solved and len(there) > 1:
                    clauses.append(at[t + 1, there].tolist())
                    clauses += [[-x, -y] for x, y in combinations(clauses[-1], 2)] if self.thin else []
                    ways = [[-at[t + 1, b], *(at[t, a] for a in layers[t] if b in next[a])] for b in there] if self.thin else []
                    clauses += [way for way in ways if TRUE not in way]
            visits = [sorted({x for x in at[:, cell].tolist() if x}) for cell in missing]
            clauses += [visit for visit in visits if TRUE not in visit]
        flat = [np.array([number for clause in clauses for number in (*clause, 0)], np.int32)]
        for chosen, next, distance, shape in self.tuples:
            joint = np.array([np.ravel_multi_index([start[maze] for maze in chosen], shape)])
            for t in range(1, left + 1 if set(chosen) <= set(literal) else 0):
                joint = np.unique(next[:, joint])
                if self.thin:
                    joint = joint[distance[joint] <= left - t]
                    rows.append(self.apart(chosen, np.unravel_index(joint, shape), [where[m][t] for m in chosen], literal, t))
                else:
                    found = np.array([literal[m][t][s] for m, s in zip(chosen, np.unravel_index(joint, shape), strict=True)]).T
                    rows.append(-found[found.all(axis=1) & (distance[joint] > left - t)])
                    joint = joint[found.all(axis=1) & (distance[joint] <= left - t)]
                ended = np.hstack([rows[-1], np.zeros((len(rows[-1]), 1), np.int64)])
                flat.append(ended[ended != -TRUE].astype(np.int32))
        thin = list(where) if self.thin else []
        pairs = [(other, maze) for place, maze in enumerate(thin) for other in thin[max(place - BEFORE, 0) : place]]
        rows += [some for one, other in pairs for some in self.pairs(one, other, where, literal)]
        flat += [np.array([x for row in some for x in (*row, 0) if x != -TRUE], np.int32) for some in rows[len(flat) - 1 :]]
        return count, len(clauses) + sum(map(len, rows)), np.concatenate(flat)

    def pairs(self, one, other, where, literal):
        """Clauses that exclude pairs of cells of two walks if no string leads there and from there to the end."""
        cells = sorted(self.moves[one])
        next = [[[cells.index(there) for there in self.moves[maze][cell]] for cell in cells] for maze in (one, other)]
        layers = [list(product(*both)) for both in zip(where[one], where[other], strict=True)]
        after = {(a, b): set(zip(next[0][a], next[1][b], strict=True)) for a, b in product(range(len(cells)), repeat=2)}
        alive = [set(layers[0])]
        for layer in layers[1:]:
            alive.append(set(layer) & set().union(*(after[pair] for pair in alive[-1])))
        for t in range(len(layers) - 2, -1, -1):
            alive[t] = {pair for pair in alive[t] if after[pair] & alive[t + 1]}
        for t in range(1, len(layers)):
            yield [[-literal[one][t, a], -literal[other][t, b]] for a, b in layers[t] if (a, b) not in alive[t]]

    def apart(self, chosen, joint, layers, literal, t):
        """Clauses that exclude tuples of cells, one for each chosen maze, that are in no joint state; a solved maze fits any
        cell."""
        cells = sorted(self.moves[chosen[0]])
        met = set()
        for states in zip(*joint, strict=True):
            places = [self.states[maze][state] for maze, state in zip(chosen, states, strict=True)]
            met.update(
                product(*([cells.index(place[0])] if place else layer for place, layer in zip(places, layers, strict=True)))
            )
        dead = [some for some in product(*layers) if some not in met]
        rows = [[-literal[maze][t, cell] for maze, cell in zip(chosen, some, strict=True)] for some in dead]
        return np.array(rows, np.int64).reshape(-1, len(chosen))

    def positions(self, maze, start, left):
        """The possible positions of the walk at each step, their successors, and the positions that must be visited."""
        next, alone, layers = self.next[maze].T.tolist(), self.alone[maze][2], [[start]]
        for t in range(left):
            layers.append([s for s in sorted({after for s in layers[-1] for after in next[s]}) if alone[s] < left - t])
        if not self.thin:
            return layers, next, []
        cells = sorted(self.moves[maze])
        states = [state and (cells.index(state[0]), state[1]) for state in self.states[maze]]
        next = [[cells.index(there) for there in self.moves[maze][cell]] for cell in cells]
        reach = [[states[start][0]] if states[start] else []]
        for _ in range(left):
            reach.append(sorted({after for cell in reach[-1] for after in next[cell]}))
        found = [{states[s] and states[s][0] for s in layer} for layer in layers]
        missing = sorted(map(cells.index, states[start][1])) if states[start] else []
        return [all_ if None in some else sorted(some) for some, all_ in zip(found, reach, strict=True)], next, missing


def step(before, after, here, next, first):
    """A position and a direction imply the next position."""
    for state in here:
        for d in range(4):
            target = after[next[state][d]]
            if target != TRUE:
                yield [-x for x in (before[state], first + d) if x != TRUE] + [target] * (target != 0)


def refuted(count, clauses, literals, proof):
    """The verdict of drat-trim on a kept proof, for the formula that this program writes."""
    program = shutil.which("drat-trim") or str(Path(__file__).parents[2] / "solvers" / "bin" / "drat-trim")
    with tempfile.TemporaryDirectory() as folder:
        cnf, drat = Path(folder) / "cube.cnf", Path(folder) / "cube.drat"
        cnf.write_text(f"p cnf {count} {clauses}\n" + " ".join(map(str, literals.tolist())).replace(" 0 ", " 0\n") + "\n")
        drat.write_bytes(gzip.decompress(proof))
        run = subprocess.run([program, cnf, drat, "-t", "1000000"], capture_output=True, text=True, check=False)
    return "s VERIFIED" in [line.strip() for line in run.stdout.splitlines()]


def recheck(entry, cube):
    """Refute a cube without a formula: search through the joint states of its mazes, letter by letter."""
    place = {maze: number for number, maze in enumerate(cube["mazes"])}
    tuples = [[place[maze] for maze in chosen] for chosen in entry["tuples"] if set(chosen) <= set(place)]
    case = Case({**entry, "mazes": [entry["mazes"][maze] for maze in place], "tuples": tuples})
    return case.walk(cube["prefix"], case.length, (*case.tuples, *case.alone))


def check(path, proofs=None, again=0):
    entry = json.loads(Path(path).read_text(encoding="utf-8"))
    case = Case(entry)
    cubes = {(len(cube["prefix"]), case.after(cube["prefix"])[0, :-1].tobytes()) for cube in case.cubes}
    looked = case.walk("", max((depth for depth, _ in cubes), default=0), case.tuples, cubes)
    for cube in case.cubes:
        count, clauses, literals = case.formula(cube)
        wrong = f"the formula of the cube {cube['prefix']} is not the one that was refuted"
        header = f"cnf {count} {clauses}\n".encode()
        need(hashlib.sha256(header + literals.astype("<i4").tobytes()).hexdigest() == cube["formula"], wrong)
        if proofs:
            proof = (Path(proofs) / f"cube-{cube['prefix']}.drat.gz").read_bytes()
            need(refuted(count, clauses, literals, proof), f"the proof of the cube {cube['prefix']} does not hold")
    states = [recheck(entry, cube) for cube in random.sample(case.cubes, min(again, len(case.cubes)))]
    told = "their proofs checked" if proofs else "proofs not checked here (--proofs), but when they were made"
    told += f", {len(states)} of them refuted again by {sum(states):,} joint states" if states else ""
    claim = f"no string of {case.length} letters solves all {entry['kind']} {entry['size']} mazes"
    return f"{claim}: {len(cubes)} cubes cover all strings ({looked:,} prefixes), their formulas are as claimed, {told}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="+", metavar="FILE")
    parser.add_argument("--proofs", metavar="FOLDER", help="check the kept proofs as well")
    parser.add_argument("--recheck", metavar="N", type=int, default=0, help="refute N cubes by their joint states")
    arguments = parser.parse_args()
    good = True
    for path in arguments.files:
        try:
            print(f"{path}: verified: {check(path, arguments.proofs, arguments.recheck)}")
        except (OSError, ValueError, LookupError, TypeError, AttributeError, MemoryError, EOFError) as error:
            print(f"{path}: REFUSED: {error}")
            good = False
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
