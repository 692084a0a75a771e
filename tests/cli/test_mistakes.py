"""Mistakes of users: a one-line error, exit code 2, and nothing is printed or written."""

from __future__ import annotations

import os
import shlex
from importlib import import_module

import click
import pytest
from click.testing import CliRunner
from conftest import CAT

from cnfgen_puzzles.common.errors import InputError

FILES = {
    "cat.nin": CAT,
    "bad.nin": "2 2\n1\n-1\n1\n1\n",
    "bad.cnf": "p cnf 1 1\n2 0\n",
    "x.cnf": "c p show 1 2 0\np cnf 4 2\n1 2 0\n-3 4 0\n",
    "answer": "s SATISFIABLE\nv 1 0\n",
    "board.yaml": "size: 3x4\npieces:\n  - piece: L tromino\n    count: 4\n",
    "switch.txt": "#...\n.#..\n....\n..##\n",
    "empty.txt": "",
    "gap.txt": "##.##\n",
    "ring.yaml": "size: 4x4\nwrap: {rows: 4}\npieces:\n  - piece: domino\n    count: any\n",
    "full/mine": "precious",
}
"""The files of the folder in which the lines run."""

MAZE = "solve-puzzle maze --kind blocked --size 3x3"
LINES = """
gen-cnf nonogram missing.nin: missing.nin: no such file
gen-cnf nonogram .: found a directory
gen-cnf nonogramm x.nin: unknown puzzle family 'nonogramm'; did you mean nonogram?
gen-cnf nonogram bad.nin: bad.nin:3:
gen-cnf cat.nin -e ordr: did you mean order?
gen-cnf nonogram cat.nin --amo product: unknown option of the nonogram encoding order 'amo'
gen-cnf nonogram cat.nin -o no/such/folder.cnf: cannot be written
gen-cnf nonogram --generate blob: did you mean blobs?
run-cnf kisat x.cnf: did you mean kissat
run-cnf kissat missing.cnf: missing.cnf: no such file
run-cnf kissat bad.cnf: bad.cnf:2:
run-cnf minisat x.cnf --proof x.drat: minisat cannot write a proof
run-cnf kissat x.cnf --check-proof: --proof
run-cnf kissat x.cnf --memory '2 horses': 2 horses
run-cnf kissat x.cnf --time 0: --time
run-cnf kissat,kissat x.cnf: a second time
run-cnf kissat,,minisat x.cnf: expected solvers with commas between them
run-cnf kissat,auto x.cnf: already selects several
run-cnf kissat,minisat x.cnf --threads 2: found --threads with several solvers
run-cnf minisat,minisat-core x.cnf --proof p --check-proof: none of the solvers writes proofs
run-cnf kissat,./nobody x.cnf: nobody
run-cnf kissat,cadical x.cnf --proof nowhere/p: cannot be written
decode-cnf bad.nin: found no answer
decode-cnf answer: found no variable map
decode-cnf answer --map bad.nin: not a variable map
solve-puzzle nonogram bad.nin: bad.nin:3:
solve-puzzle nonogramm cat.nin: did you mean nonogram?
solve-puzzle cat.nni: cat.nni: no such file
solve-puzzle --unique: found no puzzle, expected a family (nonogram, tiling, maze
solve-puzzle cat.nin --as sgv: did you mean svg?
solve-puzzle cat.nin -s kisat: did you mean kissat
solve-puzzle tiling --board 2x2 --pieces domino --lattice sqare: did you mean square?
solve-puzzle cat.nin --uniqe: --unique
solve-puzzle cat.nin --generate blobs: found a file and --generate
solve-puzzle cat.nin --size 20: found --size without --generate
gen-cnf nonogram --generate random --smooth 2: unknown option of the generator random 'smooth'; known: colors, density, size
solve-puzzle cat.nin --seed 1 --solver-seed 2: --seed and --solver-seed
solve-puzzle cat.nin --all --count: --all prints the number, too
solve-puzzle cat.nin --count --unique: --unique cannot be combined with
solve-puzzle cat.nin --count --seed 1: --seed cannot be combined with
solve-puzzle cat.nin --state x: --state needs --all or --count
solve-puzzle cat.nin --raw: --raw needs --all or --count
solve-puzzle cat.nin --count --engine clapp: did you mean clasp
solve-puzzle cat.nin --count --solver kissat: unknown python-sat solver
solve-puzzle cat.nin --count --as svg: --as svg shows solutions
solve-puzzle cat.nin --no-proof --certify: found --certify and --no-proof
solve-puzzle cat.nin --no-proof --checker built-in: found --checker and --no-proof
solve-puzzle nonogram cat.nin bad.nin --all: --all is for one puzzle
solve-puzzle nonogram cat.nin bad.nin -o x.svg: --output is for one puzzle
solve-puzzle nonogram cat.nin bad.nin --as json: --as is for one puzzle
solve-puzzle nonogram cat.nin bad.nin --certificate c: --certificate is for one puzzle
solve-puzzle nonogram cat.nin bad.nin --solver kisat: did you mean kissat
solve-puzzle nonogram cat.nin bad.nin --unique --checker lart: unknown checker 'lart'
solve-puzzle nonogram cat.nin bad.nin --limit 3: --limit needs --all or --count
solve-puzzle cat.nin --certificate c --no-proof: found --certificate and --no-proof
solve-puzzle cat.nin --certificate c --all: --certificate cannot be combined with
solve-puzzle cat.nin --certificate c --solver minisat: cannot write a proof
solve-puzzle cat.nin --certificate c --encoding sums: encoding
solve-puzzle cat.nin --as json -o x.svg: found the suffix .svg
solve-puzzle cat.nin -o x.jpg: not JPG
MAZE --length 10 --solver cadicl: solver
MAZE --pattern 'NX*': found 'X' at position 2 of the pattern
MAZE --length 11 --unique --symmetry representatives: leaves out symmetric ones
MAZE --length 11 --count --add 3: --add cannot be combined with --all or --count
convert-puzzle nonogram bad.nin --to non: bad.nin:3:
convert-puzzle cat.nin --to nonn: did you mean non?
convert-puzzle cat.nin: found no --to and no -o
convert-puzzle cat.nin -o x.doc: for a picture, or .nin (nin), .non (non)
convert-puzzle cat.nin -o x: found no suffix
convert-puzzle cat.nin --to nin -o x.png: omit --to to draw the blank puzzle
make-puzzle nonogram switch.txt -o x.png: --picture x.png draws the solution
bench-cnf missing.yaml: missing.yaml
bench-cnf scors: did you mean scores?
count-cnf x.cnf --show 1-9: '1-9' in --show
count-cnf x.cnf -e ganac: did you mean ganak
count-cnf x.cnf -e exact-cover: not an exact cover problem
count-cnf x.cnf -e ganak --all: without listing them
count-cnf x.cnf -e tididi --state kept: --state needs an engine that enumerates
count-cnf x.cnf --certificate c --limit 1: --certificate and --limit
count-cnf x.cnf --keep-proofs: --keep-proofs without --certificate
count-cnf x.cnf --certificate c --engine ganak: without listing them
count-cnf x.cnf --certificate full: full
explain-puzzle cat.nin --hint --difficulty: found --hint and --difficulty
explain-puzzle cat.nin --hint --solver cadical195: found --hint and --solver
explain-puzzle cat.nin --board --as json: found --board and --as json
explain-puzzle cat.nin --as picture: picture
explain-puzzle cat.nin -o x.png: found the suffix .png
gen-cnf cat.nin -o x.png: found the suffix .png
solve-puzzle cat.nin --as text -o x.png: without --as, the suffix .svg
solve-puzzle cat.nin --count -o x.svg: --count prints only a number
explain-puzzle cat.nin --ahead -1: -1
explain-puzzle cat.nin --solver kissat4: kissat4
explain-puzzle missing.nin: no such file
explain-puzzle tiling --board 6x10: found the family tiling, expected one whose puzzles the command takes: nonogram
explain-puzzle board.yaml: found the family tiling
explain-puzzle nonogram: found neither a file nor --generate
make-puzzle maze x: found the family maze, expected one whose puzzles can be made: nonogram
make-puzzle hitori: found the family hitori, expected one whose puzzles can be made: nonogram
make-puzzle slither --size 0x3: found the size '0x3'
make-puzzle slither --size 201x3: found the size 201x3, expected sides of at most 200 cells
make-puzzle sudoku --size 10: found the size 10 for sudoku, expected
make-puzzle skyscrapers --size 8x6: found the size 8x6 for skyscrapers, expected
make-puzzle slither --number 2: found 2 puzzles without a folder, expected -o FOLDER
make-puzzle slither -o x.yaml: for a picture, or .url (url), .txt (pzprv3)
make-puzzle nonogram: found neither a picture nor --generate
make-puzzle nonogram switch.txt --generate blobs: found a file and --generate
make-puzzle nonogram switch.txt --seed 3: found --seed without --generate
make-puzzle nonogram switch.txt --smooth 3: found --smooth without --generate
make-puzzle nonogram switch.txt --size 0x3: found the size '0x3'
make-puzzle nonogram switch.txt --size 9999999x9: the limit 'cells'
make-puzzle nonogram switch.txt --colors 3: expected a picture with colors
make-puzzle nonogram switch.txt -o x.what: expected .svg or .png for a picture, or
make-puzzle nonogram switch.txt --json -o - --to nin: both write to standard output
make-puzzle nonogram switch.txt --picture x.gif: found the suffix .gif for an output that is not GIF
make-puzzle nonogram switch.txt --to nin: found --to without -o
make-puzzle nonogram switch.txt --colors 3 --threshold 4: --threshold is for black and white
make-puzzle nonogram switch.txt --colors 3 --invert: --invert is for black and white
make-puzzle nonogram --generate blobs --threshold 3: threshold
make-puzzle nonogram --generate blobs --number 3: expected -o FOLDER
make-puzzle nonogram switch.txt ./switch.txt -o made: found two pictures called switch
make-puzzle nonogram missing.png: missing.png
make-puzzle nonogram missing.png switch.txt -o switch.txt: switch.txt: found a file, expected a folder for 2 puzzles
make-puzzle nonogram --difficulty switch.txt: found the difficulty 'switch.txt', expected line-logic, ahead-1
make-puzzle nonogram switch.txt --difficulty ahead-1 --line-solvable: found both the difficulty ahead-1 and line_solvable
make-puzzle nonogram switch.txt --solver nobody: nobody
make-puzzle tiling: found no region, expected a file, or --board or --size
make-puzzle tiling --size big: found the size 'big'
make-puzzle tiling --size 3x3 --board 3x3: --size and --board
make-puzzle tiling --size 3x3 --invert: --invert without a picture
make-puzzle tiling nowhere.png: nowhere.png
make-puzzle tiling empty.txt: empty.txt
make-puzzle tiling gap.txt: gap.txt: found a region of 2 parts
make-puzzle tiling ring.yaml: ring.yaml: found a board that closes to a ring
make-puzzle tiling ring.yaml --size 4: --size is for pictures
make-puzzle tiling gap.txt --board 2x2: --board and a region in a file
make-puzzle tiling --board 4x4 --to yaml: found --to without -o
make-puzzle tiling --board 4x4 --number 2: expected -o FOLDER
make-puzzle tiling --board 4x4 --solver nonesuch: nonesuch
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("mistakes")
    (folder / "full").mkdir()
    for name, text in FILES.items():
        (folder / name).write_text(text)
    return folder


@pytest.mark.parametrize("typed, told", [line.split(": ", 1) for line in LINES.strip().splitlines()])
def test_a_mistake_is_reported_in_one_line(folder, monkeypatch, typed, told):
    monkeypatch.chdir(folder)
    name, *words = shlex.split(typed.replace("MAZE", MAZE))
    command = import_module(f"cnfgen_puzzles.cli.{name.replace('-', '_')}").COMMAND
    done = CliRunner().invoke(command, words, standalone_mode=False)
    assert isinstance(done.exception, InputError | click.UsageError), (done.exception, done.output)
    said = done.exception.format_message() if isinstance(done.exception, click.UsageError) else str(done.exception)
    assert told in said and "\n" not in said
    assert (done.exception.exit_code, done.stdout) == (2, "")
    assert set(os.listdir()) == {name.partition("/")[0] for name in FILES}
