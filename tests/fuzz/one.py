"""Coverage-guided fuzzing of one target with atheris (`pip install 'cnfgen-puzzles[fuzz]'`): what `__main__.py` starts.

    python -m fuzz.one TARGET FOLDER [options of libFuzzer]

An input that violates the contract is kept in FOLDER/crashes, once for each place in the code: the smallest input and its
traceback.
"""

from __future__ import annotations

import contextlib
import sys
import traceback
import warnings
from pathlib import Path

try:
    import atheris
except ImportError:  # a test run looks into this file, too
    atheris = None

with atheris.instrument_imports(include=["cnfgen_puzzles"]) if atheris else contextlib.nullcontext():
    from fuzz.targets import TARGETS

from fuzz.mutations import damaged
from fuzz.target import Target, TooSlow, bounded, run_target


def place_of(error: BaseException) -> str:
    """The place of an error as a name: its type and the innermost line in this package."""
    frames = traceback.extract_tb(error.__traceback__)
    ours = [frame for frame in frames if "cnfgen_puzzles" in frame.filename or "fuzz" in Path(frame.filename).parts]
    frame = (ours or list(frames))[-1]
    return f"{type(error).__name__}-{Path(frame.filename).stem}-{frame.lineno}"


def kept(folder: Path, name: str, data: bytes, error: BaseException) -> None:
    """Keep the input and the traceback, unless a smaller input for this place exists."""
    path = folder / "crashes" / f"{name}-{place_of(error)}"
    if path.exists() and path.stat().st_size <= len(data):
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
    told = "".join(traceback.format_exception(error))
    path.with_name(path.name + ".txt").write_text(told[-6000:], errors="backslashreplace")


def _escaped(word: str) -> str:
    """A word as libFuzzer's dictionaries have it."""
    return "".join(f"\\x{byte:02x}" for byte in word.encode())


def fuzz(target: Target, folder: Path, options: list[str]) -> None:
    corpus = folder / "corpus" / target.name
    corpus.mkdir(parents=True, exist_ok=True)
    for number, seed in enumerate(target.seeds()):
        (corpus / f"seed-{number:03}").write_bytes(seed)
    words = folder / "corpus" / f"{target.name}.dict"
    words.write_text("".join(f'"{_escaped(word)}"\n' for word in target.words if word))

    def once(data: bytes) -> None:
        try:
            with bounded(memory=False):
                run_target(target, data)
        except (Exception, TooSlow) as error:
            kept(folder, target.name, data, error)

    def mutator(data: bytes, most: int, seed: int) -> bytes:
        if seed % 3 == 0:
            return atheris.Mutate(data, most)
        return damaged(data, target.shape, target.words, seed)[:most]

    where = f"-artifact_prefix={folder}/crashes/{target.name}-"
    (folder / "crashes").mkdir(exist_ok=True)
    arguments = [sys.argv[0], str(corpus), *([f"-dict={words}"] if target.words else []), where, *options]
    warnings.simplefilter("ignore")  # what is read, but perhaps not as it was meant
    with bounded():
        atheris.Setup(arguments, once, custom_mutator=mutator)
        atheris.Fuzz()


if __name__ == "__main__":
    if atheris is None:
        sys.exit("atheris is not installed: pip install 'cnfgen-puzzles[fuzz]'")
    fuzz(next(target for target in TARGETS if target.name == sys.argv[1]), Path(sys.argv[2]), sys.argv[3:])
