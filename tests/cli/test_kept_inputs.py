"""No output overwrites an input of the same call, under any name; links are followed, streams are never replaced."""

from __future__ import annotations

import os
import subprocess
import threading

import pytest
from conftest import SCRIPTS

NIN = "3 3\n1\n3\n1\n1\n3\n1\n"
CALLS = [
    ["gen-cnf", "a.nin", "-o", "{}"],
    ["gen-cnf", "a.nin", "-o", "other.cnf", "--map", "{}"],
    ["convert-puzzle", "a.nin", "--to", "non", "-o", "{}"],
    ["solve-puzzle", "a.nin", "-o", "{}", "--as", "svg"],
    ["solve-puzzle", "a.nin", "-o", "{}", "--as", "png"],
    ["solve-puzzle", "a.nin", "-o", "{}", "--as", "json"],
    ["solve-puzzle", "a.nin", "--all", "-o", "{}", "--as", "svg"],
    ["solve-puzzle", "--jsonl", "{}", "a.nin"],
    ["solve-puzzle", "nonogram", "--jsonl", "{}", "folder"],
    ["explain-puzzle", "a.nin", "-o", "{}"],
    ["make-puzzle", "nonogram", "a.nin", "-o", "{}", "--to", "non"],
    ["make-puzzle", "nonogram", "a.nin", "--picture", "{}"],
    ["run-cnf", "kissat", "a.cnf", "--record", "{}"],
    ["run-cnf", "kissat", "a.cnf", "--proof", "{}"],
    ["decode-cnf", "a.answer", "--cnf", "a.cnf", "-o", "{}"],
    ["decode-cnf", "a.answer", "--map", "a.map.json", "-o", "{}"],
    ["solve-puzzle", "a.nin", "--known", "known.txt", "-o", "{}", "--as", "text"],
]
INPUTS = {
    "a.nin": ["gen-cnf", "convert-puzzle", "solve-puzzle", "explain-puzzle", "make-puzzle"],
    "a.cnf": ["run-cnf"],
    "a.answer": ["decode-cnf"],
}


@pytest.fixture
def folder(tmp_path, command):
    (tmp_path / "folder").mkdir()
    (tmp_path / "a.nin").write_text(NIN)
    os.link(tmp_path / "a.nin", tmp_path / "folder" / "b.nin")
    (tmp_path / "known.txt").write_text("???\n???\n???\n")
    assert command("gen-cnf", "a.nin", "-o", "a.cnf", cwd=tmp_path).returncode == 0
    (tmp_path / "a.answer").write_bytes(command("run-cnf", "kissat", "a.cnf", cwd=tmp_path).stdout)
    return tmp_path


def content(folder):
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()}


@pytest.mark.sample(17)
@pytest.mark.parametrize("spelling", ["plain", "dotted", "link", "hard", "chain"])
@pytest.mark.parametrize("words", CALLS, ids=" ".join)
def test_no_output_is_an_input(folder, command, words, spelling):
    inputs = [name for name, commands in INPUTS.items() if words[0] in commands]
    inputs += [word for word in words if word.endswith((".json", ".txt")) or (word == "a.cnf" and words[0] == "decode-cnf")]
    for name in inputs:
        ending = ".svg" if "--picture" in words else ""
        wanted = {"plain": name, "dotted": f"./folder/../{name}"}.get(spelling, f"other{ending}")
        if spelling == "link":
            (folder / wanted).symlink_to(name)
        elif spelling == "hard":
            os.link(folder / name, folder / wanted)
        elif spelling == "chain":
            (folder / "between").symlink_to(folder / name)
            (folder / wanted).symlink_to("between")
        before = content(folder)
        done = command(*[word.format(wanted) for word in words], cwd=folder)
        assert done.returncode == 2, (done.stdout, done.stderr)
        if not (ending and spelling in ("plain", "dotted")):  # else its ending is refused before
            assert b"as an output, expected another file" in done.stderr
        assert content(folder) == before
        for path in (folder / f"other{ending}", folder / "between"):
            path.unlink(missing_ok=True)


def test_standard_input_is_an_input_too(folder):
    line = f"{SCRIPTS}/convert-puzzle nonogram - --to non -o a.nin < a.nin"
    done = subprocess.run(["sh", "-c", line], cwd=folder, capture_output=True, timeout=60)
    assert (done.returncode, b"found the input <stdin> as an output" in done.stderr) == (2, True)
    line = f"{SCRIPTS}/convert-puzzle nonogram a.nin --to non >> a.nin"
    assert subprocess.run(["sh", "-c", line], cwd=folder, capture_output=True, timeout=60).returncode == 2
    assert (folder / "a.nin").read_text() == NIN


def test_the_next_call_may_write_it(folder, command):
    """The registered inputs are those of one call."""
    assert command("convert-puzzle", "b.nin", "-o", "a.nin", cwd=folder / "folder").returncode == 0
    assert command("convert-puzzle", "a.nin", "-o", "b.nin", cwd=folder / "folder").returncode == 0


def test_links_are_followed(folder, command):
    (folder / "link.cnf").symlink_to("folder/target.cnf")  # dangling: it is made
    for _ in range(2):
        assert command("gen-cnf", "a.nin", "-o", "link.cnf", "--map", "map", cwd=folder).returncode == 0
        assert (folder / "link.cnf").is_symlink() and not (folder / "folder" / "target.cnf").is_symlink()


@pytest.mark.sample(1)
@pytest.mark.parametrize(
    "words", ["gen-cnf a.nin", "convert-puzzle a.nin --to non", "explain-puzzle a.nin", "solve-puzzle a.nin"]
)
def test_an_open_file_is_written_not_replaced(folder, words):
    expected = subprocess.run([SCRIPTS / words.split()[0], *words.split()[1:], "-o", "x.txt"], cwd=folder, timeout=60)
    assert expected.returncode in (0, 10)
    for output in ("/dev/stdout", "/proc/self/fd/1", "/dev/fd/1"):
        (folder / "file").write_text("before\n")
        done = subprocess.run(["sh", "-c", f"{SCRIPTS}/{words} -o {output} >> file"], cwd=folder, capture_output=True, timeout=60)
        assert done.returncode == expected.returncode, done.stderr
        text = (folder / "file").read_bytes()
        assert text.startswith(b"before\n")
        assert (folder / "x.txt").read_bytes().splitlines()[-1] in text
        assert not list(folder.glob(".cnfgen-*"))


def test_pipes_are_written(folder):
    pipe = folder / "pipe"
    os.mkfifo(pipe)
    found = []
    reader = threading.Thread(target=lambda: found.append(pipe.read_text()))
    reader.start()
    assert (
        subprocess.run([SCRIPTS / "convert-puzzle", "a.nin", "--to", "nin", "-o", "pipe"], cwd=folder, timeout=60).returncode == 0
    )
    reader.join(30)
    assert found == [NIN] and pipe.is_fifo()


def test_a_descriptor_that_is_closed(folder, command):
    done = command("convert-puzzle", "a.nin", "--to", "nin", "-o", "/proc/self/fd/999", cwd=folder)
    assert (done.returncode, len(done.stderr.splitlines())) == (2, 1)


def test_a_certificate_with_other_files_is_not_replaced(folder, command):
    words = ["solve-puzzle", "a.nin", "--unique", "--certificate", "c", "--replace-certificate"]
    for _ in range(2):
        assert command(*words, cwd=folder).returncode == 0
    for name in ("thesis.tex", "proofs/notes"):
        other = folder / "c" / name
        other.parent.mkdir(exist_ok=True)
        other.write_text("years of work")
        done = command(*words, cwd=folder)
        assert (done.returncode, name.encode() in done.stderr) == (2, True)
        assert other.read_text() == "years of work"
        other.unlink()
    before = content(folder / "c")
    done = command("count-cnf", "c/formula.cnf", "--certificate", "c", "--replace-certificate", cwd=folder)
    assert (done.returncode, b"found the input" in done.stderr) == (2, True)
    assert content(folder / "c") == before
    foreign = folder / "foreign"
    foreign.mkdir()
    for name, text in {"certificate.json": "{}", "SHA256SUMS": "0  thesis.tex\n", "thesis.tex": "work"}.items():
        (foreign / name).write_text(text)
    before = content(foreign)
    assert command(*words[:-2], "foreign", "--replace-certificate", cwd=folder).returncode == 2
    assert content(foreign) == before
