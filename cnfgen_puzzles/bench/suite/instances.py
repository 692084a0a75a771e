"""The `instances` of a suite: puzzles and CNF files from patterns, options, and generators, with their encodings.

An entry has a puzzle family with files (`puzzles`), with options only (for puzzles without a file), or with a generator
(`generate`), or it has third-party CNF files (`cnf`). A list as the value of an option makes one instance per value.
"""

from __future__ import annotations

import functools
import glob
import os
from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from cnfgen_puzzles.bench.suite.features import Index, Subject, hashes_of
from cnfgen_puzzles.bench.suite.plan import CNF, BenchInstance, EncodingChoice, Options, spelled
from cnfgen_puzzles.bench.suite.suitefile import NUMBERS, TEXTS, SuiteFile
from cnfgen_puzzles.common.errors import unknown_name
from cnfgen_puzzles.common.readers.strictyaml import Either, Required
from cnfgen_puzzles.common.sources import PACKED_SUFFIXES
from cnfgen_puzzles.families import Family, Option, find_family

ENCODING = {"name": Required(str), str: TEXTS}
TRUTHS = {"sat": "SATISFIABLE", "unsat": "UNSATISFIABLE", "SATISFIABLE": "SATISFIABLE", "UNSATISFIABLE": "UNSATISFIABLE"}
INSTANCE = {
    "family": str,
    "name": str,
    "puzzles": TEXTS,
    "options": {str: TEXTS},
    "generate": str,
    "seeds": NUMBERS,
    "encodings": [Either(scalar=str, mapping=ENCODING)],
    "cnf": TEXTS,
    "expected": tuple(TRUTHS),
}
CNF_SUFFIXES = (".cnf", ".dimacs")

Pair = tuple[BenchInstance, EncodingChoice | None]
Place = tuple[str, ...]


def read_instances(file: SuiteFile, notes: list[str], runs: int) -> list[Pair]:
    """The pairs of instance and encoding of all entries, without duplicates.

    Each pair has `runs` runs; a suite with too many runs is refused early.
    """
    found: dict[tuple[str, str, str | None], tuple[Pair, Place]] = {}
    twice = 0
    file.bounded(runs)
    for number, entry in enumerate(file.value["instances"]):
        place = ("instances", str(number))
        for pair in _entry(file, entry, place):
            instance, encoding = pair
            key = instance.family, instance.name, encoding.label if encoding else None
            earlier = found.setdefault(key, (pair, place))
            file.bounded(len(found) * runs, *place)
            if earlier[0] != pair:
                line = file.line(*earlier[1])
                message = f"found {instance.name} a second time, with other values than on line {line}; remove one of the entries"
                raise file.error(message, *place)
            twice += earlier[1] != place
    if twice:
        notes.append(f"{twice} instance{'s are' if twice > 1 else ' is'} listed more than once; each run is made once")
    if not found:
        raise file.error("found no instance, expected at least one", "instances")
    return [pair for pair, _ in found.values()]


KEYS: Mapping[str, tuple[str, ...]] = {
    "cnf": ("cnf",),
    "generate": ("family", "generate", "name", "options", "seeds", "encodings"),
    "puzzles": ("family", "puzzles", "options", "encodings"),
    "family": ("family", "name", "options", "encodings"),
}
"""The keys of an entry by the key that determines its kind; each can have `expected`."""


def _entry(file: SuiteFile, entry: Mapping[str, Any], place: Place) -> Iterator[Pair]:
    expected = TRUTHS.get(entry.get("expected", ""))
    found = [kind for kind in ("family", "cnf") if kind in entry]
    if len(found) != 1:
        message = "neither 'family' nor 'cnf'" if not found else " and ".join(map(repr, found))
        raise file.error(f"found {message}, expected one of them", *place)
    kind = next((kind for kind in ("generate", "puzzles") if kind in entry and "family" in entry), found[0])
    for key in entry:
        if key not in (*KEYS[kind], "expected"):
            others = ", ".join(each for each in (*KEYS[kind], "expected") if each != kind)
            raise file.error(f"found the key {key!r}, expected with {kind!r} only some of: {others}", *place, key)
    if kind == "cnf":
        for source in _files(file, entry["cnf"], CNF_SUFFIXES, *place, "cnf"):
            yield BenchInstance(CNF, _short(source), source, expected=expected), None
    else:
        family = file.checked(functools.partial(find_family, entry["family"]), *place, "family")
        encodings, make = _encodings(file, family, entry, place), _generated if kind == "generate" else _puzzles
        for instance in make(file, family, entry, expected, place):
            for encoding in encodings:
                yield instance, encoding


def _puzzles(
    file: SuiteFile, family: Family, entry: Mapping[str, Any], expected: str | None, place: Place
) -> Iterator[BenchInstance]:
    given = entry.get("options", {})
    choices = file.products(given, family.options, f"the family {family.name}", *place, "options")
    if "puzzles" in entry:
        suffixes = [suffix for each in family.formats.values() for suffix in each.suffixes]
        for source in _files(file, entry["puzzles"], suffixes, *place, "puzzles"):
            for options in choices:
                yield BenchInstance(family.name, spelled(_short(source), options), source, options, expected=expected)
        return
    if family.reads_file:
        raise file.error(f"the key 'puzzles' (or 'generate') is missing: a {family.name} is read from a file", *place)
    if not given:
        raise file.error("found neither 'puzzles' nor 'generate' nor 'options', expected one of them", *place)
    for options in choices:
        yield BenchInstance(family.name, _named(entry, options, family.options), None, options, expected=expected)


def _generated(
    file: SuiteFile, family: Family, entry: Mapping[str, Any], expected: str | None, place: Place
) -> Iterator[BenchInstance]:
    name = entry["generate"]
    if name not in family.generators:
        raise file.error(unknown_name(f"generator of {family.name}", name, family.generators), *place, "generate")
    generator = family.generators[name]
    seeds = file.numbers(*place, "seeds") if "seeds" in entry else [1]
    if expected and generator.truth and expected != generator.truth:
        raise file.error(
            f"found {entry['expected']}, but puzzles of the generator {name} are {generator.truth}", *place, "expected"
        )
    what = f"the generator {name}"
    for options in file.products(entry.get("options", {}), generator.options, what, *place, "options"):
        if generator.check:
            file.checked(functools.partial(generator.check, **dict(options)), *place, "options")
        for seed in seeds:
            label = f"{_named(entry, options, generator.options)} seed={seed}"
            yield BenchInstance(family.name, label, None, options, name, seed, expected or generator.truth)


def _encodings(file: SuiteFile, family: Family, entry: Mapping[str, Any], place: Place) -> list[EncodingChoice]:
    if "encodings" not in entry:
        return [EncodingChoice(family.default_encoding)]
    found: list[EncodingChoice] = []
    for number, each in enumerate(entry["encodings"]):
        spot = (*place, "encodings", str(number))
        given = dict(each) if isinstance(each, dict) else {"name": each}
        encoding = file.checked(functools.partial(family.encoding, given.pop("name")), *spot)
        what = f"the {family.name} encoding {encoding.name}"
        found += (EncodingChoice(encoding.name, options) for options in file.products(given, encoding.options, what, *spot))
    for choice, count in Counter(found).items():
        if count > 1:
            raise file.error(f"found the encoding {choice.label!r} a second time", *place, "encodings")
    if not found:
        raise file.error("found no encoding, expected at least one", *place, "encodings")
    return found


def _named(entry: Mapping[str, Any], options: Options, declared: Collection[Option]) -> str:
    """The name of an instance: its options in the order of their declaration; after an explicit name, only options with several
    values."""
    given = dict(options)
    several = {name for name, value in entry.get("options", {}).items() if isinstance(value, list) and len(value) > 1}
    shown = set(given) if "name" not in entry else {o.name for o in declared if several & {o.name, o.command.replace("-", "_")}}
    parts = [f"{option.name}={given[option.name]}" for option in declared if option.name in given and option.name in shown]
    return " ".join(filter(None, [entry.get("name") or entry.get("generate"), *parts]))


# -- facts from CSV files -------------------------------------------------------------------------------------------------


def with_facts(file: SuiteFile, pairs: list[Pair], notes: list[str]) -> list[Pair]:
    """The instances with the facts of the `features` files; facts about a file apply to all of its instances."""
    given = file.value.get("features", [])
    keys = [instance.source or f"{instance.family} {instance.name}" for instance, _ in pairs]
    subjects: dict[str, Subject] = {}
    for key, (instance, _) in zip(keys, pairs, strict=True):
        if instance.source is None:
            subjects[key] = Subject(instance.name, (), instance.expected)
        else:
            path, stated = file.folder / instance.source, [str(value) for name, value in instance.features if name == "hash"]
            hashes = functools.partial(hashes_of, path, instance.family, stated)
            subjects[key] = Subject(_short(instance.source), [str(path)], instance.expected, hashes)
    index = Index(subjects)
    for name in [given] if isinstance(given, str) else given:
        index.add(file.folder / os.path.expanduser(name), notes)
    found: list[Pair] = []
    for key, (instance, encoding) in zip(keys, pairs, strict=True):
        facts = subjects[key]
        by = facts.expected_by if instance.expected is None else instance.expected_by
        features = tuple({**dict(instance.features), **facts.features}.items())
        known = replace(instance, expected=instance.expected or facts.expected, expected_by=by, features=features)
        found.append((known, encoding))
    return found


# -- files ----------------------------------------------------------------------------------------------------------------


def _files(file: SuiteFile, patterns: str | list[str], suffixes: Collection[str], *place: str) -> list[str]:
    """The files that match the patterns, each once, as paths relative to the suite; a directory means its files with a known
    suffix."""
    found: dict[str, None] = {}
    for number, pattern in enumerate([patterns] if isinstance(patterns, str) else patterns):
        matches: list[Path] = []
        try:
            for name in glob.iglob(os.path.expanduser(pattern), root_dir=file.folder, recursive=True):
                path = file.folder / name
                if path.is_file():
                    matches.append(Path(name))
                elif not glob.has_magic(pattern) or pattern.endswith("/"):
                    matches += (Path(name, each.name) for each in path.iterdir() if each.is_file() and _known(each, suffixes))
                file.bounded(len(matches), *place, str(number))
        except (OSError, ValueError) as error:  # an unreadable folder, a NUL
            raise file.error(f"found the pattern {pattern!r}, which is not valid: {error}", *place, str(number)) from None
        if not matches:
            looked = f" (a directory means its files {', '.join(suffixes)})" if pattern.endswith("/") else ""
            raise file.error(f"found no file that matches {pattern!r}{looked}", *place, str(number))
        found |= dict.fromkeys(map(str, sorted(matches, key=lambda path: path.parts)))
    if not found:
        raise file.error("found an empty list, expected at least one file or pattern", *place)
    return list(found)


def _known(path: Path, suffixes: Collection[str]) -> bool:
    endings = [suffix.lower() for suffix in path.suffixes]
    if endings and endings[-1] in PACKED_SUFFIXES:
        endings.pop()
    return bool(endings) and endings[-1] in suffixes and not path.name.startswith(".")


def _short(source: str) -> str:
    """The name of a file in tables: its path without leading `../`."""
    parts = list(Path(source).parts)
    while parts[0] == "..":
        parts.pop(0)
    return str(Path(*parts))
