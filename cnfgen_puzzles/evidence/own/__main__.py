"""The checker as a program: `python -m cnfgen_puzzles.evidence.own FORMAT FORMULA PROOF`; run by `evidence.proofs` alone.

Prints `s VERIFIED`, or `c ERROR` with the reason and `s NOT VERIFIED`, in the words of DRAT-trim.
"""

from __future__ import annotations

import gc
import sys
from pathlib import Path

from cnfgen_puzzles.common.sources import open_source
from cnfgen_puzzles.evidence.own import drat, lrat
from cnfgen_puzzles.evidence.own.reading import NoProof, drat_steps, lrat_steps
from cnfgen_puzzles.formula import Cnf, read_dimacs


def check(cnf: Cnf, proof: bytes, proof_format: str) -> None:
    """Return if the proof refutes the formula; NoProof says why it does not. The formats are those of `checkers.OWN`."""
    match proof_format:
        case "text" | "binary":
            drat.refutes(cnf, drat_steps(proof, binary=proof_format == "binary"))
        case "lrat" | "binary-lrat":
            lrat.refutes(cnf, lrat_steps(proof, binary=proof_format == "binary-lrat"))
        case _:
            raise ValueError(f"{proof_format} is no format of proofs")


def main(proof_format: str, formula: str, proof: str) -> None:
    gc.disable()  # no circles are made, and it would look at millions of lists again and again
    try:
        check(read_dimacs(open_source(Path(formula))).cnf, Path(proof).read_bytes(), proof_format)
    except NoProof as error:
        print(f"c ERROR {error}\ns NOT VERIFIED")
    else:
        print("s VERIFIED")


if __name__ == "__main__":
    main(*sys.argv[1:])
