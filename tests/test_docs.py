"""Files, tests, imports, and links that README, docs, and docstrings name exist, and their prose passes the check."""

from __future__ import annotations

import re
import subprocess
import sys

import pytest
from repository import REPOSITORY

from cnfgen_puzzles.families import BUILT_IN, find_family
from cnfgen_puzzles.families.grid.layer.genre import Genre

sys.path += [str(REPOSITORY / "scripts" / folder) for folder in ("check", "make")]
from check_prose import findings, prose_of_python

PAGES = [REPOSITORY / "README.md", *sorted((REPOSITORY / "docs").rglob("*.md"))]
CODE = sorted((REPOSITORY / "cnfgen_puzzles").rglob("*.py")) + sorted((REPOSITORY / "scripts").rglob("*.py"))
MENTION = re.compile(r"`((?:[\w.-]+/)*[\w-]+\.py)`")


@pytest.fixture(scope="module")
def files():
    """The paths of all Python files of the repository."""
    rooms = ("cnfgen_puzzles", "page", "scripts", "solvers", "studies", "tests")
    return [f"/{path.relative_to(REPOSITORY)}" for room in rooms for path in (REPOSITORY / room).rglob("*.py")]


@pytest.mark.parametrize("pages", [PAGES, CODE], ids=["pages", "docstrings"])
def test_named_files_exist(pages, files):
    gone = [
        f"{page.relative_to(REPOSITORY)}:{number}: {name}"
        for page in pages
        for number, line in enumerate(page.read_text(encoding="utf-8").splitlines(), start=1)
        for name in MENTION.findall(line)
        if not any(path.endswith(f"/{name}") for path in files)
    ]
    assert not gone


def test_every_encoding_is_described():
    text = "".join(
        (REPOSITORY / "docs" / page).read_text(encoding="utf-8")
        for page in ("explanation/encodings.md", "explanation/cardinality.md")
    )
    assert not {(name, each) for name in BUILT_IN for each in find_family(name).encodings if f"`{each}`" not in text}


def test_every_member_of_a_genre_is_described():
    text = (REPOSITORY / "docs/how-to/adding-a-genre.md").read_text(encoding="utf-8")
    members = [name for name in {**vars(Genre), **Genre.__annotations__} if not name.startswith("_")]
    assert not [name for name in members if not re.search(rf"`{name}\b", text)]


def test_imports_of_python_blocks_exist():
    blocks = [
        block for page in PAGES for block in re.findall(r"```python\n(.*?)```", page.read_text(encoding="utf-8"), re.DOTALL)
    ]
    lines = {line for block in blocks for line in block.splitlines() if line.startswith(("from cnfgen_", "import cnfgen_"))}
    assert len(lines) > 15
    done = subprocess.run([sys.executable, "-c", "\n".join(sorted(lines))], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_links_between_pages_have_targets():
    gone = [
        f"{page.name}: {target}"
        for page in PAGES
        for target in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", page.read_text(encoding="utf-8"))
        if not (page.parent / target).exists()
    ]
    assert not gone


def test_named_tests_exist():
    """`solving/test_run.py::test_name` on a page is a test of that name; each guarantee of the page on reliability has one."""
    named = re.compile(r"`((?:[\w-]+/)*test_\w+\.py)::(\w+)`")
    found = {match for page in PAGES for match in named.findall(page.read_text(encoding="utf-8"))}
    assert len(found) > 15
    gone = []
    for path, test in sorted(found):
        file = REPOSITORY / "tests" / path
        if not file.exists() or f"def {test}(" not in file.read_text(encoding="utf-8"):
            gone.append(f"{path}::{test}")
    assert not gone
    reliability = (REPOSITORY / "docs/explanation/reliability.md").read_text(encoding="utf-8")
    promised = reliability.partition("## Guarantees")[2].partition("\n## ")[0]
    rows = [line for line in promised.splitlines() if line.startswith("|") and not line.startswith(("| guarantee |", "|---"))]
    assert len(rows) > 5
    assert not [row for row in rows if not named.search(row)]


def test_the_prose_check_finds_faults_in_prose_only():
    faults = "Who wants all names it.\n\n- It is told. It goes on\n\n```sh\ngoes on\n```\n`goes on`, [here](goes on)\n"
    assert [(line, found) for line, found, _, _ in findings(faults)] == [(1, "Who"), (3, "is told"), (3, "goes on")]
    assert not findings("Start with the subject. If it is installed, the command\nresumes.\n\n## Which solver is best?\n")


def test_the_prose_check_reads_docstrings_and_comments():
    source = 'def f():\n    """Whether it goes on.\n\n    What it does.\n    """\n    goes_on = "goes on"  # it goes on\n'
    assert [(line, found) for line, found, _, _ in findings(prose_of_python(source))] == [
        (2, "goes on"),
        (4, "What"),
        (6, "goes on"),
    ]


def test_the_reference_of_the_site_passes_the_prose_check():
    """The pages consist of the help of all commands and options."""
    pytest.importorskip("mkdocs")
    from site_pages import PAGES as REFERENCE

    texts = {name: "".join(make()) for name, _, make in REFERENCE}
    assert not [(name, *fault) for name, text in texts.items() for fault in findings(text)]


def test_the_page_on_limits_begins_with_their_enforcement():
    words = (REPOSITORY / "docs/reference/limits.md").read_text(encoding="utf-8").split()[:200]
    assert {"supervisor", "process", "tree", "sampling", "SIGKILL;", "kernel"} <= set(words)
