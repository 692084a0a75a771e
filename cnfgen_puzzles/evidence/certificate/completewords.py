"""What shows that a list has all models, in words for a README: the parts of the proof and how they fit."""

from __future__ import annotations

from collections.abc import Collection

from cnfgen_puzzles.evidence.certificate.names import COVER, CUBES, FORMULA, SYMMETRIES


def composition(files: Collection[str], orbits: int) -> str:
    """The parts of the proof, of a certificate with these files whose list falls into so many orbits."""
    given = f"""That there are no others is shown in parts. Let F be `{FORMULA}`, and B be F with a clause for each solution, \
which only that solution breaks. For each cube (literals that are assumed) in `{CUBES}` there is a proof that B has no model \
in which the cube holds; `cubes.jsonl` has the proofs' SHA-256 and sizes, and who made and checked them."""
    if COVER in files:
        given += f""" And `{COVER}` is a proof that in every model of F one of the cubes holds, or the image of one. So every \
model of F breaks a clause of B: it is one of the solutions."""
    if SYMMETRIES in files:
        given += f"""

`{SYMMETRIES}` has permutations of the variables that map the clauses of F onto themselves, and the list of solutions, too. So \
they map B onto itself, and what is refuted in a cube is refuted in its images. Nobody need believe that they are symmetries: \
it is checked clause by clause. {orbits} is the number of orbits into which the solutions fall."""
    return f"""{given}

Proofs of cubes are many times as large as all else. Where they were not kept (`--keep-proofs`), a public solver proves them \
anew, which may take hours, and lrat-check or drat-trim checks what it wrote: `SOLVER="cadical --lrat --no-binary" PROOFS=lrat \
sh verify.sh`, or `SOLVER=kissat sh verify.sh`. `verify-certificate` proves them anew as they were proved first, and lrat-check \
checks it. Who found the solutions, who proved, and who chose the cubes need not be trusted."""
