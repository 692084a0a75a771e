"""Recognizes files of other formats where a DIMACS CNF is expected, so that errors can name the format and what to do."""

from __future__ import annotations

import re

HEAD = 1 << 16
"""Bytes at the beginning of a file that are examined."""

FORMATS = {
    "a WCNF file (MaxSAT)": (
        rb"^p[ \t]+wcnf\b|^h[ \t]+-?[1-9][0-9]*[ \t]",
        "use a MaxSAT solver, or remove weights and soft clauses and write the header `p cnf VARIABLES CLAUSES`",
    ),
    "a WBO file (weighted pseudo-Boolean constraints)": (
        rb"^soft:|^\[[0-9]+\][ \t]*[+-]?[0-9]+[ \t]+~?x[0-9]",
        "use a pseudo-Boolean solver",
    ),
    "an OPB file (pseudo-Boolean constraints)": (
        rb"^\*[ \t]*#variable=|^(?:min|max):|^[+-]?[0-9]+[ \t]+~?x[0-9]+[ \t][^\n]*=",
        "use a pseudo-Boolean solver such as clasp, and decode-cnf for its answer; `gen-cnf --to cnf` writes a CNF",
    ),
    "a QDIMACS file (quantified formula)": (
        rb"^p[ \t]+cnf[^\n]*\n(?:c[^\n]*\n)*[ae][ \t]+[0-9]",
        "use a QBF solver",
    ),
    "a CNF with XOR clauses": (
        rb"^x[ \t]*-?[1-9][0-9]*[ \t]",
        "write them as CNF clauses, or call CryptoMiniSat directly",
    ),
    "a CNF for projected counting (`p pcnf`)": (rb"^p[ \t]+pcnf\b", "count-cnf reads it; other commands need the header `p cnf`"),
    "a file of cubes or assumptions (`p inccnf`)": (rb"^p[ \t]+inccnf\b", "use an incremental solver"),
    "a formula with cardinality constraints (`p knf`)": (rb"^p[ \t]+(?:knf|cnf\+)", "translate the constraints to clauses"),
    "a propositional formula that is not in CNF (`p sat`)": (rb"^p[ \t]+sat", "convert it to CNF"),
    "a graph (DIMACS)": (rb"^p[ \t]+(?:edge|edges|col|tw|sp|max|min|asn)\b", "encode it as CNF"),
    "the answer of a solver": (
        rb"^s[ \t]+(?:(?:UN)?SATISFIABLE|UNKNOWN|OPTIMUM FOUND)|^v[ \t]+-?x?[0-9]|\A(?:SAT|UNSAT)[ \t\r]*$",
        "name the CNF here; decode-cnf decodes answers",
    ),
    "a proof (DRAT)": (
        rb"^d[ \t]+-?[1-9][0-9]*[ \t](?:-?[0-9]+[ \t]+)*0[ \t\r]*$",
        "name the CNF here; run-cnf checks proofs",
    ),
    "a circuit (AIGER)": (rb"\A(?:aag|aig)[ \t]+[0-9]", "convert it to CNF, for example with aigtocnf"),
    "an SMT-LIB file": (rb"^\((?:set-|declare-|define-|assert\b|check-sat)", "use an SMT solver, or export its formula as CNF"),
    "a linear program (LP)": (rb"(?i:^(?:minimi[sz]e|maximi[sz]e|subject to|binaries)\b)", "use a MIP solver"),
    "a linear program (MPS)": (rb"^(?:NAME\b[^\n]*\n(?:\*[^\n]*\n)*ROWS\b|ROWS[ \t\r]*$)", "use a MIP solver"),
}
"""Format: pattern of its text, advice. The first that matches is named."""


def foreign_format(data: bytes) -> str:
    """`a WCNF file (MaxSAT), expected a CNF; advice` if the text has another known format, else nothing."""
    head = data[:HEAD].replace(b"\r\n", b"\n")
    for name, (pattern, advice) in FORMATS.items():
        if re.search(pattern, head, re.MULTILINE):
            return f"{name}, expected a CNF (DIMACS); {advice}"
    return ""
