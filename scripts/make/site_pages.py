"""Pages that `mkdocs build` adds to docs/: the README as the home page, the changes, and the reference, generated from the code.

This is a hook of mkdocs (mkdocs.yml). It reads the commands and their options, the fields of run records, the keys of suites and
recipes, the families, and the public API from their declarations, so that the reference matches the programs. No solver runs.
"""

from __future__ import annotations

import importlib
import re
import sys
import textwrap
import tomllib
from collections.abc import Iterator, Mapping
from itertools import cycle
from pathlib import Path
from typing import Any

import click
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files

sys.path.append(str(Path(__file__).parent))
import package_metadata

import cnfgen_puzzles
from cnfgen_puzzles.bench.record import FIELDS, KINDS, LEFT_OUT
from cnfgen_puzzles.bench.suite.reader import SCHEMA
from cnfgen_puzzles.cli.families import FamilyGroup
from cnfgen_puzzles.cli.help import DocumentedCommand
from cnfgen_puzzles.common.readers.strictyaml import KINDS as YAML_KINDS
from cnfgen_puzzles.common.readers.strictyaml import Either, Required
from cnfgen_puzzles.families import family_names, find_family
from cnfgen_puzzles.families.options import KINDS as OPTION_KINDS
from cnfgen_puzzles.families.options import Option
from cnfgen_puzzles.pipeline.request import CountRequest, MusRequest, SolveRequest, settings_of
from cnfgen_puzzles.solving.recipeschema import RECIPE

REPOSITORY = Path(__file__).resolve().parents[2]

EXTENDING = {
    "Formulas": ["formula.formula.Formula", "pipeline.instance.Instance"],
    "Families": [
        "families.family.Family",
        "families.family.Encoding",
        "families.family.Generator",
        "families.family.View",
        "families.options.Option",
        "families.capabilities.Counting",
        "families.capabilities.Refinement",
        "testing.check_family",
    ],
    "Benchmarks": ["bench.runsuite.run_suite", "bench.runsuite.SuiteResults", "bench.record.Field"],
    "Requests": [f"pipeline.request.{name}" for name in ("SolveRequest", "CountRequest", "MusRequest", "CertificateOrder")],
}
"""The public names besides `cnfgen_puzzles.__all__`: for adding a family, a solver, or a benchmark."""
SETTINGS = {"solve": SolveRequest, "unique": SolveRequest, "mus": MusRequest, "solutions": CountRequest, "count": CountRequest}
"""The requests whose fields are the settings of a function."""


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """Insert the generated pages into the navigation, and set the addresses if pyproject.toml has one."""
    if repository := package_metadata.repository_url(REPOSITORY):
        config.repo_url, config.repo_name = repository, repository.split("/", 3)[3]
        config.site_url = package_metadata.site_url(repository) or None
    config.nav = [_with_reference(entry) for entry in config.nav]
    return config


def _with_reference(entry: Any) -> Any:
    if not isinstance(entry, dict):
        return entry
    made = [{title: f"reference/{name}.md"} for name, title, _ in PAGES]
    return {
        title: [each for one in inner for each in (made if one == "reference" else [one])] if isinstance(inner, list) else inner
        for title, inner in entry.items()
    }


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the pages that are not files of docs/."""
    pages = {f"reference/{name}.md": "".join(make()) for name, _, make in PAGES}
    pages["index.md"] = home((REPOSITORY / "README.md").read_text(encoding="utf-8"))
    pages["changes.md"] = in_docs((REPOSITORY / "CHANGELOG.md").read_text(encoding="utf-8"))
    pages["contributing.md"] = in_docs((REPOSITORY / "CONTRIBUTING.md").read_text(encoding="utf-8"))
    pages["CITATION.cff"] = (REPOSITORY / "CITATION.cff").read_text(encoding="utf-8")
    for name, content in pages.items():
        files.append(File.generated(config, name, content=content))
    return files


def in_docs(text: str) -> str:
    """A page of the repository's root, with its links relative to docs/."""
    text = text.replace("](CHANGELOG.md", "](changes.md").replace("](CONTRIBUTING.md", "](contributing.md")
    return re.sub(r'(\]\(|src="|srcset=")docs/', r"\1", text)


PICTURE = re.compile(
    r'<picture>\s*<source media="\(prefers-color-scheme: dark\)" srcset="([^"]+)">\s*<img (.*?)src="([^"]+)">\s*</picture>',
    re.DOTALL,
)


def home(readme: str) -> str:
    """The README without badges (images of other hosts), and with the variant of each picture that fits the page's colors."""
    readme = in_docs(package_metadata.with_badges(readme, ""))
    return PICTURE.sub(r'<img \2src="\3#only-light"><img \2src="\1#only-dark">', readme)


# -- commands -----------------------------------------------------------------------------------------------------------


def commands() -> dict[str, click.Command]:
    """All installed commands, by name."""
    project = tomllib.loads((REPOSITORY / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    modules = {name: f"cnfgen_puzzles.cli.{name.replace('-', '_')}" for name in project["scripts"]}
    return {name: importlib.import_module(module).COMMAND for name, module in modules.items()}


def command_page(name: str) -> Iterator[str]:
    """A command with its subcommands, from their `--help`."""
    yield f"# {name}\n\n"
    yield from _command(commands()[name], None, name, 2)


def _command(command: click.Command, parent: click.Context | None, words: str, level: int) -> Iterator[str]:
    context = command.context_class(command, info_name=command.name if parent else words, parent=parent)
    usage = " ".join([words, *command.collect_usage_pieces(context)])
    yield f"```text\n{usage}\n```\n\n{_prose(command.help or '')}\n\n"
    sections = command.sections if isinstance(command, DocumentedCommand) else {}
    listed = [param for group in sections.values() for param in group]
    others = [param for param in command.get_params(context) if param not in listed]
    for heading, params in {**sections, "Other" if sections else "": others}.items():
        options = [each for param in params if (each := param.get_help_record(context)) and each[1]]
        if options:
            yield f"| {heading or 'option'} | |\n|---|---|\n"
            yield from (f"| {_shape(shape)} | {_cell(text)} |\n" for shape, text in options)
            yield "\n"
    if isinstance(command, (DocumentedCommand, FamilyGroup)) and command.examples:
        yield "```sh\n" + "\n".join(command.examples) + "\n```\n\n"
    if isinstance(command, click.Group):
        for name in command.list_commands(context):
            inner = None if name in strangers() else command.get_command(context, name)
            if inner is not None:
                yield f"{'#' * level} {words} {name}\n\n"
                yield from _command(inner, context, f"{words} {name}", level + 1)


def _shape(shape: str) -> str:
    """An option and its value; each of several choices is separate code, so that the column can be narrow."""
    names, _, choices = shape.partition(" [")
    words = choices.rstrip("]").split("|") if "|" in choices else []
    return " ".join(map(_code, [names, *words])) if words else _code(shape)


def strangers() -> set[str]:
    """The installed third-party families, which the reference does not include."""
    return {name for name in family_names() if not type(find_family(name)).__module__.startswith(cnfgen_puzzles.__name__)}


def _prose(text: str) -> str:
    """Help text as paragraphs; text after `\\b` is preformatted."""
    shown = []
    for paragraph in re.split(r"\n\s*\n", re.sub(r"[ \t]*\f.*", "", text, flags=re.DOTALL).replace("\r", "")):
        lines = [line.strip() if not paragraph.lstrip().startswith("\b") else line for line in paragraph.splitlines()]
        kept = paragraph.lstrip(" \n").startswith("\b")
        body = textwrap.dedent("\n".join(line for line in lines if line.strip() != "\b"))
        shown.append(f"```text\n{body}\n```" if kept else _escaped(body))
    return "\n\n".join(shown)


def _escaped(text: str) -> str:
    spans = re.split(r"(`[^`|]+`)", text)  # text between backticks does not change
    return "".join(
        each if odd else re.sub(r"([\\`*_<>\[\]{}|~$#])", r"\\\1", each) for each, odd in zip(spans, cycle((0, 1)), strict=False)
    )


def _cell(text: str) -> str:
    return _escaped(" ".join(text.split()))


def _code(text: str) -> str:
    inner = " ".join(text.split()).replace("|", "&#124;").replace("<", "&lt;")
    return f"<code>{inner}</code>".replace("*", "&#42;").replace("_", "&#95;")


# -- families --------------------------------------------------------------------------------------------------------------


def families_page() -> Iterator[str]:
    """The input of each family, its encodings and generators with their options."""
    yield "# Families and their options\n\nThe command line (`--name`), suites, and the library have the same options.\n\n"
    for family in [find_family(name) for name in family_names() if name not in strangers()]:
        yield f"## {family.name}\n\n{_escaped(family.summary)}\n\n"
        if family.formats:
            yield "| format | | endings |\n|---|---|---|\n"
            yield from (
                f"| `{each.name}` | {_cell(each.title)} | {', '.join(each.suffixes)} |\n" for each in family.formats.values()
            )
            yield "\n"
        if family.options:
            yield "### Reading { #" + family.name + "-options }\n\n" + _options(family.options)
        for encoding in family.encodings.values():
            default = " (default)" if encoding.name == family.default_encoding else ""
            yield f"### Encoding {encoding.name}{default} {{ #{family.name}-{encoding.name} }}\n\n"
            yield f"{_escaped(encoding.summary)}\n\n{_options(encoding.options)}"
        for generator in family.generators.values():
            yield f"### Generator {generator.name} {{ #{family.name}-generator-{generator.name} }}\n\n"
            yield f"{_escaped(generator.summary)}\n\n{_options(generator.options)}"


def _options(options: tuple[Option, ...]) -> str:
    if not options:
        return ""
    rows = ["| option | value | default | |\n|---|---|---|---|\n"]
    for option in options:
        value = " ".join(map(_code, option.choices)) or OPTION_KINDS[option.type]
        bounds = [
            f"{word} {bound:g}" for word, bound in (("at least", option.least), ("at most", option.most)) if bound is not None
        ]
        default = "" if option.default is None else _code(str(option.default))
        rows.append(f"| {_code(option.name)} | {', '.join([value, *bounds])} | {default} | {_cell(option.help)} |\n")
    return "".join([*rows, "\n"])


# -- suites, recipes, records --------------------------------------------------------------------------------------------


def schema_page(title: str, schema: Mapping[Any, Any], lead: str) -> Iterator[str]:
    """The keys of a YAML file, from the schema of its reader."""
    yield f"# {title}\n\n{lead}\n\n| key | | value |\n|---|---|---|\n"
    yield from _keys(schema, "")


def _keys(schema: Mapping[Any, Any], before: str) -> Iterator[str]:
    for key, value in schema.items():
        needed, inner = isinstance(value, Required), value.schema if isinstance(value, Required) else value
        name = f"{before}{'NAME' if key is str else key}"
        yield f"| {_code(name)} | {'required' if needed else ''} | {_kind(inner)} |\n"
        yield from _inner_keys(inner, name)


def _inner_keys(schema: Any, name: str) -> Iterator[str]:
    if isinstance(schema, Mapping):
        yield from _keys(schema, f"{name}.")
    elif isinstance(schema, list):
        yield from _inner_keys(schema[0], f"{name}[]")
    elif isinstance(schema, Either):
        yield from (line for part in (schema.list, schema.mapping) for line in _inner_keys(part, name))


def _kind(schema: Any) -> str:
    if isinstance(schema, Required):
        return _kind(schema.schema)
    if isinstance(schema, Either):
        return " or ".join(_kind(part) for part in (schema.scalar, schema.list, schema.mapping) if part is not None)
    if isinstance(schema, list):
        return f"a list: {_kind(schema[0])}"
    if isinstance(schema, tuple):
        return " or ".join(_code(str(word)) for word in schema)
    return "a mapping" if isinstance(schema, Mapping) else YAML_KINDS.get(getattr(schema, "__name__", ""), "anything")


def record_page() -> Iterator[str]:
    """The fields of a line of runs.jsonl."""
    yield "# Fields of a run record\n\nEach line of `runs.jsonl` is a JSON object with these fields. Exports keep the order. "
    yield "[Records](../benchmarks.md#records) describes them. A missing field has its default value.\n\n"
    yield "| field | value | default | in the report |\n|---|---|---|---|\n"
    for field in FIELDS.values():
        default = "" if field.default is LEFT_OUT else _code("null" if field.default is None else repr(field.default))
        kind = KINDS.get(field.kind, "anything") + (", required" if field.needed else "")
        yield f"| {_code(field.name)} | {kind} | {default} | {_cell(field.label)} |\n"


# -- Python ----------------------------------------------------------------------------------------------------------------


def python_page() -> Iterator[str]:
    """The public API: functions first, then values, then the interfaces for extensions."""
    homes = {name: home for home, names in cnfgen_puzzles.HOMES.items() for name in names}
    functions = [name for name in homes if name.islower()]
    yield "# Python\n\nAfter `import cnfgen_puzzles as cp`, each name of the first two sections is `cp.NAME`. "
    yield "The whole interface is typed.\n\n"
    for title, names in (("Functions", functions), ("Values and errors", sorted(homes.keys() - set(functions)))):
        yield f"## {title}\n\n"
        for name in names:
            yield f"::: {_written(f'{homes[name]}.{name}')}\n\n"
            if name in SETTINGS:
                yield "| setting | |\n|---|---|\n"
                settings = settings_of(SETTINGS[name]).items()
                yield from (f"| {_code(each)} | {_cell(field.metadata['help'])} |\n" for each, field in settings)
                yield "\n"
    yield "## Extension interfaces\n\n"
    for names in EXTENDING.values():
        yield from (f"::: {_written(name)}\n\n" for name in names)


def _written(name: str) -> str:
    """The module that defines a name, which can be below the module that exports it."""
    module, _, last = name.rpartition(".")
    value = getattr(importlib.import_module(f"cnfgen_puzzles.{module}"), last)
    home = getattr(value, "__module__", "")
    return f"{home}.{last}" if home.startswith("cnfgen_puzzles") else f"cnfgen_puzzles.{name}"


PAGES = [
    *((name, name, lambda name=name: command_page(name)) for name in commands()),
    ("families", "Families and options", families_page),
    (
        "suite-keys",
        "Keys of a suite",
        lambda: schema_page(
            "Keys of a suite",
            SCHEMA,
            "[Suites](../suites.md) describes these keys. `[]` stands for each entry of a list.",
        ),
    ),
    (
        "recipe-keys",
        "Keys of a solver's recipe",
        lambda: schema_page(
            "Keys of a solver's recipe",
            RECIPE,
            "[Adding a solver](../adding-a-solver.md#keys) describes these keys.",
        ),
    ),
    ("run-record", "Fields of a run record", record_page),
    ("python", "Python", python_page),
]
