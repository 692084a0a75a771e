"""Lazy formulas: gen-cnf --cuts, what refuses to count them, cuts in certificates, forged ones, and the counts of cycles."""

import json
import shutil
from dataclasses import replace

import pytest
from certificates import BUILT, certificate_of, edit, refused_by_both, reseal, run_script
from click.testing import CliRunner

from cnfgen_puzzles.cli.count_cnf import COMMAND as COUNT
from cnfgen_puzzles.cli.decode_cnf import COMMAND as DECODE
from cnfgen_puzzles.cli.gen_cnf import COMMAND as GENERATE
from cnfgen_puzzles.cli.solve_puzzle import COMMAND as SOLVE
from cnfgen_puzzles.common.errors import InputError
from cnfgen_puzzles.common.sources import Source
from cnfgen_puzzles.evidence.certificate import Damaged
from cnfgen_puzzles.families import find_family
from cnfgen_puzzles.formula import VariableMap
from cnfgen_puzzles.formula.dimacs import read_dimacs
from cnfgen_puzzles.formula.varmap import identity
from cnfgen_puzzles.pipeline.api import solve
from cnfgen_puzzles.pipeline.cegar import CegarLoop, cut_instance
from cnfgen_puzzles.pipeline.certificates.verification import verify_certificate
from cnfgen_puzzles.pipeline.count import Solutions
from cnfgen_puzzles.pipeline.instance import BrokenBoard, checked_board, make_instance
from cnfgen_puzzles.pipeline.request import CountRequest

UNIQUE = "slither/5/5/cbcbcddad"


def run(command, *words):
    """The exit code and all that the command prints."""
    done = CliRunner().invoke(command, words)
    return done.exit_code, done.output + (str(done.exception) if done.exception else "")


def slither(text):
    return find_family("slither").read(Source("url", f"{text}\n".encode(), ""))


# -- gen-cnf --cuts ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("sidecar", [False, True])
def test_a_lazy_formula_says_so_and_is_not_counted(tmp_path, sidecar):
    cnf = tmp_path / "x.cnf"
    words = ["-o", str(cnf)] if sidecar else []
    done = CliRunner().invoke(GENERATE, ["slither", UNIQUE, "--cuts", *words])
    assert done.exit_code == 0 and "1 cut: the puzzle has exactly one solution" in done.stderr
    if not sidecar:
        cnf.write_bytes(done.stdout_bytes)
    assert "c partial formula: 1 cut; a model can break a rule" in cnf.read_text()
    read = read_dimacs(Source("x", cnf.read_bytes()))
    vmap = VariableMap.from_json((tmp_path / "x.map.json").read_text(), "x") if sidecar else VariableMap.of_file(read, "x")
    assert vmap.partial == "1 cut" and len(vmap.puzzle["cuts"]) == 1
    for engine in ("auto", "ganak"):
        with pytest.raises(InputError, match="more models than the puzzle has solutions"):
            COUNT.main([str(cnf), "--engine", engine], standalone_mode=False)


def test_cuts_need_the_lazy_encoding():
    with pytest.raises(InputError, match="--cuts and the encoding rank"):
        GENERATE.main(["slither", UNIQUE, "--cuts", "--encoding", "rank"], standalone_mode=False)
    with pytest.raises(InputError, match="gen-cnf --cuts"):
        GENERATE.main(["slither", UNIQUE, "--encoding", "lazy"], standalone_mode=False)


def test_a_formula_with_all_cuts_has_only_the_solution():
    instance, decided = cut_instance(find_family("slither"), slither(UNIQUE))
    assert decided == "exactly one solution"
    assert solve(instance).board == solve(slither(UNIQUE)).board
    with pytest.raises(InputError, match="expected a complete encoding"):
        Solutions(CountRequest(family=instance.family, puzzle=instance.puzzle, instance=instance))


def test_a_model_that_breaks_a_rule_is_reported_with_its_reason(tmp_path):
    puzzle = slither("slither/5/5/zk")
    instance = make_instance(find_family("slither"), replace(puzzle, cuts=()), "lazy")
    inside = instance.map.blocks["inside"]
    corners = [inside[0, 0], inside[4, 4]]
    pinned = [[v if v in corners else -v] for v in inside.variables]
    for clause in pinned:
        instance.cnf.add_clause(clause)
    vmap = VariableMap.of(instance.cnf, family="slither", encoding="lazy", options={}, puzzle=instance.map.puzzle)
    model = [literal for clause in pinned for literal in clause]
    with pytest.raises(BrokenBoard, match=r"more than one loop[.] The formula has only 0 cuts"):
        checked_board(find_family("slither"), puzzle, vmap, model)
    answer = tmp_path / "answer"
    lines = "".join(f"c {comment}\n" for comment in vmap.to_comments())
    answer.write_text(f"{lines}s SATISFIABLE\nv {' '.join(map(str, model))} 0\n")
    with pytest.raises(BrokenBoard, match="The formula has only 0 cuts"):
        DECODE.main([str(answer)], standalone_mode=False)


# -- certificates -------------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def genuine(tmp_path_factory):
    if not BUILT:
        pytest.skip("needs drat-trim and lrat-check")
    folder = tmp_path_factory.mktemp("cuts") / "genuine"
    code, said = run(SOLVE, "slither", UNIQUE, "--unique", "--certificate", str(folder))
    assert code == 0, said
    return folder


def test_a_certificate_lists_the_cuts_and_both_check_them(genuine):
    (cut,) = json.loads((genuine / "map.json").read_text())["puzzle"]["cuts"]
    assert f"cut {' '.join(map(str, cut))}\n" in (genuine / "cuts.txt").read_text()
    code, said = run_script(genuine)
    assert code == 0 and "the last clauses of formula.cnf are the cuts in cuts.txt" in said
    assert verify_certificate(genuine).encoded


def forged(genuine, folder, cut, clause=None):
    """The certificate with another cut, in every file; its clause as the rules of cuts have it, or this one."""
    shutil.copytree(genuine, folder)
    cells = {tuple(w[:2]): int(w[2]) for w in _cells((folder / "cuts.txt").read_text().splitlines(), cut[0])}
    a, b, *between = zip(cut[1::2], cut[2::2], strict=True)
    literals = [*(-cells.get(cell, 7) for cell in (a, b) if cell != (-1, -1)), *(cells.get(cell, 7) for cell in between)]
    clause = clause or " ".join(map(str, [*literals, 0]))
    text = (folder / "cuts.txt").read_text().splitlines()
    (folder / "cuts.txt").write_text("\n".join([*text[:-1], f"cut {' '.join(map(str, cut))}"]) + "\n")
    old = (folder / "formula.cnf").read_text().splitlines()[-1]
    for name in ("formula.cnf", "blocked.cnf"):
        path = folder / name
        path.write_text(path.read_text().replace(f"\n{old}\n", f"\n{clause}\n"))
    entry = json.loads((folder / "map.json").read_text())
    entry["puzzle"]["cuts"][-1] = cut
    entry["formula"] = identity(read_dimacs(Source("x", (folder / "formula.cnf").read_bytes())).cnf)
    (folder / "map.json").write_text(json.dumps(entry, separators=(",", ":")) + "\n")
    certificate = certificate_of(folder)
    details = {**certificate.details, "pieces": [*certificate.details["pieces"][:-1], cut]}
    reseal(folder, lambda found: replace(found, details=details))
    return folder


def _cells(lines, number):
    inside = False
    for line in lines:
        words = line.split()
        inside = words[1] == str(number) if words[0] == "set" else inside
        if words[0] == "cell" and inside:
            yield [int(words[1]), int(words[2]), words[3]]


GENUINE = [0, 2, 2, 0, 0, 1, 2, 1, 3, 1, 4, 2, 1, 3, 1, 4, 2]
FORGERIES = {
    "a cell less, so that it separates nothing": ([0, 2, 2, 0, 0, 1, 2, 1, 3, 1, 4, 2, 1, 3, 1], "does not separate its cells"),
    "no cells between": ([0, 2, 2, 0, 0], "does not separate its cells"),
    "cells outside the grid": ([0, 2, 2, 0, 0, 1, 2, 1, 3, 1, 4, 2, 1, 3, 1, 4, 2, 5, 2], "a cell that is not of the set"),
    "a cell twice": ([*GENUINE, 4, 2], "has a cell twice"),
    "an end in the wall": ([*GENUINE, 0, 0], "has a cell twice"),
    "the same set through the outside": ([0, 2, 2, -1, -1, 1, 2, 1, 3, 1, 4, 2, 1, 3, 1, 4, 2], "a cell that is not of the set"),
    "the set that is connected through the outside": ([1, *GENUINE[1:]], "does not separate its cells"),
    "a set that does not exist": ([2, *GENUINE[1:]], "is a cut of an unknown set"),
}  # fmt: skip


def test_a_cut_from_the_outside_is_accepted_if_it_surrounds_the_cell(genuine, tmp_path):
    """The proof needs another cut, so that the certificate is refused nevertheless."""
    around = [1, 2, 2, -1, -1, 1, 2, 2, 1, 2, 3, 3, 2]
    assert "the cuts in cuts.txt" in run_script(forged(genuine, tmp_path / "all", around))[1]
    for place in range(5, len(around), 2):
        said, _ = refused_by_both(forged(genuine, tmp_path / f"but{place}", around[:place] + around[place + 2 :]))
        assert "does not separate its cells" in said


@pytest.mark.sample(3)
@pytest.mark.parametrize("kind", FORGERIES)
def test_a_forged_cut_is_refused(genuine, tmp_path, kind):
    cut, why = FORGERIES[kind]
    folder = forged(genuine, tmp_path / "forged", cut)
    said, damaged = refused_by_both(folder)
    assert why in said and why in damaged
    loop = CegarLoop(find_family("slither"), slither(UNIQUE))
    with pytest.raises((ValueError, IndexError)):
        loop.refinement.constraint(cut)


@pytest.mark.sample(1)
@pytest.mark.parametrize("grows", [True, False])
def test_a_forged_cut_of_sizes_is_refused(genuine, tmp_path, grows):
    """One cell less beside a part, or in one that is too large."""
    folder = tmp_path / "genuine"
    code, said = run(SOLVE, "fillomino", "fillomino/6/6/h4j53g2k5233k2g14j3h", "--unique", "--certificate", str(folder))
    assert code == 0 and run_script(folder)[0] == 0, said
    cuts = json.loads((folder / "map.json").read_text())["puzzle"]["cuts"]
    cut = next(cut for cut in cuts if (cut[3:5] == [-1, -1]) == grows and len(cut) > 7)[:-2]
    cells = {tuple(w[:2]): int(w[2]) for w in _cells((folder / "cuts.txt").read_text().splitlines(), cut[0])}
    first, *others = (cells[cell] for cell in zip(cut[1::2], cut[2::2], strict=True) if cell != (-1, -1))
    clause = " ".join(map(str, [-first, *(other if grows else -other for other in others), 0]))
    said, damaged = refused_by_both(forged(folder, tmp_path / "forged", cut, clause))
    why = "leaves room for a part" if grows else "not connected, or too few"
    assert why in said and why in damaged


def test_a_cut_with_another_clause_is_refused(genuine, tmp_path):
    said, _ = refused_by_both(forged(genuine, tmp_path / "forged", GENUINE, "-13 -1 8 9 10 12 17 0"))
    assert "cuts.txt, line 53: is not clause" in said or "is not clause 261 of formula.cnf" in said


def rewritten(genuine, folder, *changes):
    """The certificate with other lines in cuts.txt and new checksums."""
    shutil.copytree(genuine, folder)
    for old, new in changes:
        edit(folder / "cuts.txt", f"\n{old}\n", f"\n{new}\n")
    reseal(folder)
    return folder


LAST = f"cut {' '.join(map(str, GENUINE))}"
UNFIT, ORDER, CLAUSE, CONSTANT = (
    "is not a set, cell, or cut",
    "is not in order",
    "is not clause 261",
    "a constant that makes it true",
)
TEXTS = {
    "a literal with an exponent": ("cell 0 1 2", "cell 0 1 2e0", UNFIT),
    "a literal with a point": ("cell 0 1 2", "cell 0 1 2.0", UNFIT),
    "a literal with a leading zero": ("cell 0 1 2", "cell 0 1 02", UNFIT),
    "a literal with a sign": ("cell 0 1 2", "cell 0 1 +2", UNFIT),
    "no literal": ("cell 0 1 2", "cell 0 1", UNFIT),
    "a hexadecimal row": ("cell 1 2 8", "cell 0x1 2 8", UNFIT),
    "a row with a leading zero": ("cell 1 2 8", "cell 01 2 8", UNFIT),
    "a cell outside the grid": ("cell 0 1 2", "cell -1 1 2", UNFIT),
    "a row above 2^31": ("cell 0 1 2", "cell 4294967296 1 2", UNFIT),
    "a blank at the end": ("cell 0 1 2", "cell 0 1 2 ", UNFIT),
    "an empty line": ("cell 0 1 2", "cell 0 1 2\n", UNFIT),
    "a cut with half a cell": (LAST, f"{LAST} 4", UNFIT),
    "a cut from the outside": (LAST, "cut 0 -1 -1 0 0 1 2", UNFIT),
    "the outside as a cell between": (LAST, f"{LAST} -1 -1", UNFIT),
    "an unknown kind of set": ("set 1 outside", "set 1 free", UNFIT),
    "a cell twice": ("cell 0 1 2", "cell 0 1 2\ncell 0 1 2", ORDER),
    "a set twice": ("set 1 outside", "set 0 outside", ORDER),
    "a set left out": ("set 1 outside", "set 2 outside", ORDER),
    "a cell after a cut": (LAST, f"{LAST}\ncell 9 9 9", ORDER),
    "another literal": ("cell 1 2 8", "cell 1 2 9", CLAUSE),
    "the opposite literal": ("cell 1 2 8", "cell 1 2 -8", CLAUSE),
    "an end that is always in the set": ("cell 2 2 13", "cell 2 2 always", CLAUSE),
    "an end that is never in the set": ("cell 2 2 13", "cell 2 2 never", CONSTANT),
    "a cell between that is always in the set": ("cell 1 2 8", "cell 1 2 always", CONSTANT),
    "a cell between that is never in the set": ("cell 1 2 8", "cell 1 2 never", CLAUSE),
    "a cut twice": (LAST, f"{LAST}\n{LAST}", "has 2 cuts, but map.json has 1"),
    "no cut": (LAST, "cell 5 5 1", "has 0 cuts, but map.json has 1"),
}  # fmt: skip


@pytest.mark.sample(9)
@pytest.mark.parametrize("kind", TEXTS)
def test_a_forged_text_is_refused(genuine, tmp_path, kind):
    old, new, why = TEXTS[kind]
    said, damaged = refused_by_both(rewritten(genuine, tmp_path / "forged", (old, new)))
    assert why in said and why in damaged


def test_cuts_in_another_order_than_their_clauses_are_refused(genuine, tmp_path):
    folder, other = tmp_path / "two", [1, 2, 2, -1, -1, 1, 2, 2, 1, 2, 3, 3, 2]
    shutil.copytree(genuine, folder)
    last, second = (genuine / "formula.cnf").read_text().splitlines()[-1], "13 -8 -12 -14 -18 0"
    for name, clauses in (("formula.cnf", 261), ("blocked.cnf", 262)):
        edit(folder / name, f"\n{last}\n", f"\n{last}\n{second}\n")
        edit(folder / name, f"p cnf 67 {clauses}\n", f"p cnf 67 {clauses + 1}\n")
    edit(folder / "map.json", '"1 cut"', '"2 cuts"')
    edit(folder / "cuts.txt", f"{LAST}\n", f"{LAST}\ncut {' '.join(map(str, other))}\n")
    reseal(folder)
    assert "ok: the last clauses of formula.cnf are the cuts in cuts.txt" in run_script(folder)[1]
    edit(folder / "cuts.txt", f"{LAST}\ncut {' '.join(map(str, other))}\n", f"cut {' '.join(map(str, other))}\n{LAST}\n")
    reseal(folder)
    assert CLAUSE in refused_by_both(folder)[0]


SETS = {
    "another kind": [("set 1 outside", "set 1 connected")],
    "two cells exchanged": [("cell 0 3 4\ncell 0 4 5", "cell 0 3 5\ncell 0 4 4")],
    "another order": [("cell 0 3 4\ncell 0 4 5", "cell 0 4 5\ncell 0 3 4")],
    "a cell left out": [("cell 4 3 24\n", "")],
    "a cell more": [("cell 4 4 25", "cell 4 4 25\ncell 4 5 67")],
    "a constant": [("cell 4 4 25", "cell 4 4 never")],
    "a set more": [(LAST, f"set 2 connected\ncell 0 0 1\n{LAST}")],
}


@pytest.mark.sample(3)
@pytest.mark.parametrize("kind", SETS)
def test_sets_that_are_not_those_of_the_rules_are_refused_by_verify_certificate(genuine, tmp_path, kind):
    """verify.sh shows the sets to the reader; verify-certificate knows them."""
    folder = tmp_path / "forged"
    shutil.copytree(genuine, folder)
    for old, new in SETS[kind]:
        edit(folder / "cuts.txt", old, new)
    reseal(folder)
    assert "VERIFIED: formula.cnf has exactly one model" in run_script(folder)[1]
    with pytest.raises(Damaged, match="differs from the file that this version writes"):
        verify_certificate(folder)


def test_a_cut_that_separates_only_without_a_cell_of_the_rules_is_refused_by_verify_certificate(genuine, tmp_path):
    folder = forged(genuine, tmp_path / "forged", GENUINE[:-2])
    edit(folder / "cuts.txt", "cell 4 2 23\n", "")
    reseal(folder)
    assert "ok: the last clauses of formula.cnf are the cuts in cuts.txt" in run_script(folder)[1]
    with pytest.raises(Damaged, match="does not"):
        verify_certificate(folder)


def test_a_partial_formula_without_its_cuts_is_refused(genuine, tmp_path):
    folder = tmp_path / "forged"
    shutil.copytree(genuine, folder)
    (folder / "cuts.txt").unlink()
    reseal(folder)
    assert "does not list cuts.txt" in refused_by_both(folder)[0]


def test_cuts_of_other_formulas_are_refused(genuine, tmp_path):
    folder = tmp_path / "complete"
    code, said = run(SOLVE, "slither", UNIQUE, "--unique", "--encoding", "rank", "--certificate", str(folder))
    assert code == 0 and not (folder / "cuts.txt").exists(), said
    (folder / "cuts.txt").write_text("set 0 connected\n")
    reseal(folder)
    assert "belongs to a formula without cuts" in refused_by_both(folder)[0]


# -- counting -------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("side", "cycles"), [(1, 1), (2, 13), (3, 213), (4, 9349)])
def test_solve_puzzle_counts_the_cycles_of_blank_boards(side, cycles):
    """OEIS A140517."""
    code, said = run(SOLVE, f"slither/{side}/{side}/", "--count")
    noun = "solution" if cycles == 1 else "solutions"
    assert code == 0 and f"{cycles} {noun}, symmetric solutions counted separately" in said


@pytest.mark.sample(1)
@pytest.mark.skipif(not BUILT, reason="needs drat-trim and lrat-check")
@pytest.mark.parametrize(("text", "boards"), [("slither/3/3/", 213), ("mines/2/3/", 64)])
def test_a_certificate_of_a_count_is_verified(tmp_path, text, boards):
    folder = tmp_path / "count"
    code, said = run(SOLVE, text, "--count", "--certificate", str(folder))
    assert code == 0, said
    assert f"exactly {boards} solutions" in verify_certificate(folder).heading
