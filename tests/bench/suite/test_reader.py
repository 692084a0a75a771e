"""Reading suites: the meaning of each form of an entry, and errors with the line and the correct form."""

import itertools

import pytest
from bench.suites import NONOGRAMS
from repository import INSTANCES

from cnfgen_puzzles.bench.suite.plan import EncodingChoice, SolverChoice
from cnfgen_puzzles.bench.suite.reader import read_suite
from cnfgen_puzzles.common.cores import usable_cores
from cnfgen_puzzles.common.errors import InputError
from cnfgen_puzzles.common.journal import sealed_line
from cnfgen_puzzles.families import find_family

BARE = "name: x\nsolvers: [kissat]\nlimits: {cpu: 5}\njobs: 2\n"


@pytest.fixture
def suite(puzzles):
    """`suite(text)` reads a suite next to four nonograms."""

    def read(text):
        path = puzzles / "suite.yaml"
        path.write_text(text)
        return read_suite(path)

    return read


def instances(suite):
    return list(dict.fromkeys(task.instance for task in suite.tasks))


def test_the_cross_product(suite):
    read = suite(NONOGRAMS + "seeds: [1, 7-8]\nrepetitions: 2\nscramble: {seeds: 3-4}\n")
    assert len(read.tasks) == len({task.key for task in read.tasks}) == 4 * 2 * 2 * 3 * 2 * 3
    assert {task.seed for task in read.tasks} == {1, 7, 8}
    assert {task.scramble for task in read.tasks} == {None, 3, 4}
    assert {task.repetition for task in read.tasks} == {1, 2}
    assert (read.limits.cpu, read.limits.wall, read.limits.memory, read.jobs) == (5, 20, 2**30, 2)
    assert [instance.name for instance in instances(read)] == ["contradiction.nin", "none.nin", "one.nin", "two.nin"]
    without = suite(NONOGRAMS + "scramble: {seeds: 3-4, original: false}\n")
    assert {task.scramble for task in without.tasks} == {3, 4}


def test_runs_of_one_formula_stand_together(suite):
    formulas = [(task.instance, task.encoding, task.scramble) for task in suite(NONOGRAMS + "scramble: {seeds: 1-2}\n").tasks]
    assert len([a for a, b in itertools.pairwise(formulas) if a != b]) == len(set(formulas)) - 1


def test_a_list_of_values_is_a_product(suite):
    entry = "instances: [{family: maze, options: {kind: blocked, size: 2x2, length: [3, 4], first: [1, 2]}, expected: sat}]\n"
    found = instances(suite(BARE + entry))
    assert [dict(instance.options)["length"] for instance in found] == [3, 3, 4, 4]
    assert found[0].name == "kind=blocked size=2x2 length=3 first=1"
    assert {instance.expected for instance in found} == {"SATISFIABLE"}
    named = suite(BARE + entry.replace("family", "name: tiny, family"))
    assert [instance.name for instance in instances(named)][:2] == ["tiny length=3 first=1", "tiny length=3 first=2"]


def test_encodings_with_options(suite):
    read = suite(NONOGRAMS.replace("[order, direct]", "[order, {name: direct, amo: [ladder, product]}]"))
    choices = list(dict.fromkeys(task.encoding for task in read.tasks))
    assert choices == [EncodingChoice("order"), *(EncodingChoice("direct", (("amo", amo),)) for amo in ("ladder", "product"))]
    assert choices[1].label == "direct amo=ladder"


def test_solvers_with_options_labels_and_threads(suite):
    more = "[kissat, {name: kissat, options: [--sat]}, {name: kissat, label: k, version: '4.0'}, {name: plingeling, threads: 2}]"
    read = suite(NONOGRAMS.replace("[kissat, minisat]", more))
    assert read.solvers == (
        SolverChoice("kissat", "kissat"),
        SolverChoice("kissat --sat", "kissat", ("--sat",)),
        SolverChoice("k", "kissat", version="4.0"),
        SolverChoice("plingeling", "plingeling", threads=2),
    )


def test_a_program_is_found_from_the_suites_folder(suite, puzzles, monkeypatch, tmp_path_factory):
    monkeypatch.chdir(tmp_path_factory.mktemp("elsewhere"))
    (choice,) = suite(NONOGRAMS.replace("[kissat, minisat]", "[./mine]")).solvers
    assert (choice.label, choice.solver) == ("mine", str(puzzles / "mine"))


def test_generated_puzzles(suite):
    entry = "instances: [{family: nonogram, generate: random, options: {size: [5, 6x4], density: 40}, seeds: [2-3, 9]}]\n"
    found = instances(suite(BARE + entry))
    assert [instance.seed for instance in found] == [2, 3, 9] * 2
    limits = suite(BARE + entry).limits
    assert (limits.cpu, limits.wall) == (5, 3 * 5 + 10)  # the default wall limit
    assert found[0].name == "random size=5 density=40 seed=2"
    assert found[0].expected == "SATISFIABLE"  # by construction


def test_cnf_files_of_others_and_directories(suite, puzzles):
    (puzzles / "cnf" / "deep").mkdir(parents=True)
    for name in ("b.cnf", "a.cnf.xz", "notes.txt", ".hidden.cnf", "deep/c.dimacs.gz"):
        (puzzles / "cnf" / name).write_bytes(b"")
    for pattern, names in (
        ("cnf/", ["cnf/a.cnf.xz", "cnf/b.cnf"]),
        ("cnf", ["cnf/a.cnf.xz", "cnf/b.cnf"]),
        ("cnf/**/", ["cnf/a.cnf.xz", "cnf/b.cnf", "cnf/deep/c.dimacs.gz"]),
        ("**/*.dimacs*", ["cnf/deep/c.dimacs.gz"]),
        (str(puzzles / "cnf" / "b*"), [str(puzzles / "cnf" / "b.cnf")]),
    ):
        read = suite(BARE + f"instances: [{{cnf: ['{pattern}'], expected: unsat}}]\n")
        assert [instance.name for instance in instances(read)] == names, pattern
        assert {(task.instance.family, task.encoding, task.instance.expected) for task in read.tasks} == {
            ("cnf", None, "UNSATISFIABLE")
        }
    families = instances(suite(BARE + "instances: [{family: nonogram, puzzles: ['./']}]\n"))
    assert [instance.name for instance in families] == ["contradiction.nin", "none.nin", "one.nin", "two.nin"]


def test_names_do_not_depend_on_where_the_suite_lies(suite, puzzles):
    folder = puzzles / "suites"
    folder.mkdir()
    (folder / "s.yaml").write_text(NONOGRAMS.replace("*.nin", "../*.nin"))
    read = read_suite(folder / "s.yaml")
    assert [task.key for task in read.tasks] == [task.key for task in suite(NONOGRAMS).tasks]
    assert {task.instance.source for task in read.tasks} >= {"../one.nin"}


def test_filters(suite):
    read = suite(NONOGRAMS + "exclude: [{encoding: direct, solver: [mini*, 'x']}, {instance: 'two*'}]\n")
    assert {(task.encoding.name, task.solver.label) for task in read.tasks} == {
        ("order", "kissat"), ("order", "minisat"), ("direct", "kissat"),
    }  # fmt: skip
    assert "two.nin" not in {task.instance.name for task in read.tasks}
    read = suite(NONOGRAMS + "seeds: [1, 2]\nscramble: {seeds: 5}\ninclude: [{seed: 1, scramble: none}, {solver: kissat}]\n")
    assert {(task.seed, task.scramble) for task in read.tasks if task.solver.label == "minisat"} == {(1, None)}
    assert {(task.seed, task.scramble) for task in read.tasks if task.solver.label == "kissat"} == {
        (1, None), (2, None), (1, 5), (2, 5),
    }  # fmt: skip


def test_filter_without_match_gives_a_note(suite):
    read = suite(NONOGRAMS + "exclude:\n  - {solver: minisat}\n  - {solver: lingelin}\n")
    assert read.notes == ("line 11: the filter {solver: lingelin} in 'exclude' matches no run",)
    with pytest.raises(InputError, match="leave none of the 16 runs") as caught:
        suite(NONOGRAMS + "include: [{family: tiling}]\n")
    assert caught.value.line == 9


def test_duplicate_instances_run_once(suite):
    again = NONOGRAMS.replace("solvers:", "  - {family: nonogram, puzzles: [one.nin], encodings: [order]}\nsolvers:")
    assert len(suite(again).tasks) == len(suite(NONOGRAMS).tasks)
    assert "1 instance is listed more than once" in suite(again).notes[0]
    with pytest.raises(InputError, match=r"found one\.nin a second time, with other values than on line 3"):
        suite(again.replace("encodings: [order]}", "encodings: [order], expected: sat}"))


def test_solvers_without_seeds_run_once(suite):
    read = suite(NONOGRAMS.replace("minisat]", "glucose-syrup]") + "seeds: 1-3\n")
    assert [task.seed for task in read.tasks if task.solver.label == "glucose-syrup"] == [None] * 8
    assert read.notes == ("glucose-syrup takes no seed: it runs once instead of 3 times",)


ENTRY = "  - {family: nonogram, puzzles: [one.nin]}\n"


@pytest.mark.parametrize(
    "change, line, message",
    [
        (("solvers:", "solver:"), 6, "unknown key 'solver'; did you mean solvers"),
        (("[kissat,", "[kisat,"), 6, "did you mean kissat"),
        (("[kissat,", "[drat-trim,"), 6, "a checker, expected a solver"),
        (("[kissat,", "[minisat,"), 6, "found the solver 'minisat' a second time"),
        (("[kissat,", "[{name: kissat, thread: 2},"), 6, "unknown key 'thread'; did you mean threads"),
        (("[kissat,", "[{name: kissat, threads: 2},"), 6, "2 threads for kissat, expected 1"),
        (("[kissat,", "[{name: plingeling, threads: 3},"), 6, "3 threads, expected at most the 2 cores of the suite"),
        (("[kissat, minisat]", "[]"), 6, "no solver"),
        (("[kissat, minisat]", "[~]"), 6, "expected text or a mapping"),
        (("family: nonogram", "family: nonogramm"), 3, "did you mean nonogram"),
        (("family: nonogram", "famly: nonogram"), 3, "unknown key 'famly'; did you mean family"),
        (("family: nonogram", "expected: sat"), 3, "found neither 'family' nor 'cnf'"),
        (("encodings: [order, direct]", "cnf: ['*.cnf']"), 3, "found 'family' and 'cnf'"),
        (("[order, direct]", "[order, dirct]"), 5, "did you mean direct"),
        (("[order, direct]", "[order, order]"), 5, "found the encoding 'order' a second time"),
        (("[order, direct]", "[{name: direct, amoo: ladder}]"), 5, "did you mean amo"),
        (("[order, direct]", "[{name: direct, amo: lader}]"), 5, "did you mean ladder"),
        (("encodings: [order, direct]", "options: {numbr: 1}"), 5, "did you mean number"),
        (("encodings: [order, direct]", "options: {number: one}"), 5, "found 'one', expected a whole number for number"),
        (("encodings: [order, direct]", "options: {number: []}"), 5, "empty list"),
        (("encodings: [order, direct]", "expected: maybe"), 5, "expected one of sat, unsat"),
        (("encodings: [order, direct]", "seeds: 3"), 5, "found the key 'seeds', expected with 'puzzles' only"),
        (("encodings: [order, direct]", "generate: random"), 4, "found the key 'puzzles', expected with 'generate' only some of"),
        (('puzzles: ["*.nin"]', "generate: radom"), 4, "did you mean random"),
        (('puzzles: ["*.nin"]', "generate: random\n    options: {size: 0}"), 5, "found the size '0'"),
        (('puzzles: ["*.nin"]', "generate: random\n    expected: unsat"), 5, "puzzles of the generator random are SATISFIABLE"),
        (('puzzles: ["*.nin"]', "generate: random\n    seeds: 5-1"), 5, "found '5-1', expected a number such as 3 or a range"),
        (('puzzles: ["*.nin"]', "options: {number: 1}"), 3, "a nonogram is read from a file"),
        (('"*.nin"', '"*.nothing"'), 4, "no file that matches"),
        (("1GiB", "1 horse"), 7, "1 horse"),
        (("cpu: 5", "cpu: five"), 7, "number"),
        (("cpu: 5", "cpu: 0"), 7, "expected more than 0"),
        (("name: small", "nam: small"), 1, "did you mean name"),
        (("name: small", "name: a/b"), 1, "expected a valid name of a folder"),
        (("jobs: 2", "jobs: 0"), 8, "at least 1"),
        (("jobs: 2", "seeds: [1, 1]"), 8, "found 1 a second time"),
        (("jobs: 2", "seeds: x"), 8, "found 'x'"),
        (("jobs: 2", "scramble: [1]"), 8, "expected a mapping"),
        (("jobs: 2", "scramble: {original: true}"), 8, "'seeds' is missing"),
        (("jobs: 2", "proofs: maybe"), 8, "true or false"),
        (("jobs: 2", "checker: lrat"), 8, "found a checker without `proofs: true`"),
        (("jobs: 2", "proofs: true\nchecker: lart"), 9, "did you mean lrat"),
        (("jobs: 2", "exclude: [{solvr: x}]"), 8, "did you mean solver"),
        (("jobs: 2", "exclude: [{}]"), 8, "empty filter"),
        (("jobs: 2", "exclude: [{family: '*'}]"), 8, "leave none"),
    ],
)  # fmt: skip
def test_mistakes_name_the_line(suite, change, line, message):
    with pytest.raises(InputError, match=message) as caught:
        suite(NONOGRAMS.replace(*change))
    assert caught.value.line == line
    assert caught.value.source.endswith("suite.yaml")


@pytest.mark.parametrize("path", sorted((INSTANCES / "suites").glob("*.yaml")), ids=lambda path: path.stem)
def test_the_projects_suites(path):
    """They are read without warnings, have the names of their files, and larger ones cover every family by several encodings."""
    read = read_suite(path)
    assert read.name == path.stem
    assert [note for note in read.notes if "this machine has no more" not in note] == []
    families = {task.instance.family for task in read.tasks}
    if path.stem == "grid":
        assert len(families) == 12
    else:
        assert families == ({"nonogram"} if path.stem in ("nonograms", "hardest") else {"nonogram", "tiling", "maze"})
    for family in families:
        several = {task.encoding for task in read.tasks if task.instance.family == family}
        assert len(several) >= min(2, len(find_family(family).encodings))


def test_check_shows_missing_runs(command, puzzles, tmp_path):
    path = puzzles / "suite.yaml"
    path.write_text(NONOGRAMS)
    keys = [task.key for task in read_suite(path).tasks]
    (tmp_path / "out").mkdir()
    limits = {"cpu": 5, "wall": 20, "memory": 1 << 30}
    place = {"family": "f", "instance": "i", "solver": "s", "cpu": 1, "wall": 1, "status": "TIMEOUT"}
    found = [{"record": 2, "key": key, "limits": limits} | place for key in keys[:6]]
    found.append({"record": 2, "key": keys[6], "limits": limits | {"cpu": 1}} | place)  # it is made again, so it is left
    (tmp_path / "out" / "runs.jsonl").write_bytes(b"".join(map(sealed_line, found)) + b'{"key": ')
    done = command("bench-cnf", "check", path, "-o", tmp_path / "out", "--formulas")
    assert done.returncode == 0, done.stderr
    cores = min(2, len(usable_cores()))
    at_most = {1: "0:03:25 on 1 core", 2: "0:01:53 on 2 cores"}[cores]  # 20.5 s each, and the last one alone
    assert f"10 of 16 runs are missing: at most {at_most}, if each reaches its wall limit; " in done.stdout.decode()
    assert f"; 0:00:{50 // cores} if each reaches its CPU time limit; in addition" in done.stdout.decode()
    assert "variables" in done.stdout.decode()
    path.write_text(NONOGRAMS.replace("minisat]", "./gone]"))
    missing = command("bench-cnf", "check", path)
    assert missing.returncode == 1
    assert b"8 runs are impossible" in missing.stderr
    assert b"8 of 8 runs are missing" in missing.stdout  # as `run` counts
