"""Formulas: clauses over named blocks of variables, cardinality constraints, DIMACS and OPB files, the variable map."""

from cnfgen_puzzles.formula.blocks import Block
from cnfgen_puzzles.formula.cnf import Cnf
from cnfgen_puzzles.formula.dimacs import DimacsFile, read_dimacs, write_dimacs
from cnfgen_puzzles.formula.formula import Formula
from cnfgen_puzzles.formula.varmap import VariableMap

__all__ = ["Block", "Cnf", "DimacsFile", "Formula", "VariableMap", "read_dimacs", "write_dimacs"]
