"""Check documentation, docstrings, and comments for faults that make prose hard to read; `make lint` runs it.

    python scripts/check/check_prose.py [FILE...]

By default, it checks README.md, CONTRIBUTING.md, CHANGELOG.md, docs/, and the Python files in FOLDERS. It prints
`file:line: found; reason; replacement` and exits with 1 if there is a finding. Code blocks (except for their comments), inline
code, HTML comments, and text between `<!-- prose: off -->` and `<!-- prose: on -->` are not checked. docs/reference/glossary.md
has the terms.
"""

from __future__ import annotations

import io
import re
import sys
import tokenize
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[2]
FOLDERS = ("cnfgen_puzzles", "scripts", "studies")

START = r"(?:^|(?<=[.:!?] ))"
PATTERNS = [
    (
        START + r"(?:What|Who|Whoever|Whatever|Where|Which|Whether)\b(?![^.:]*\?)(?! (?:is|are|to) )",
        "a sentence that opens with a clause hides its subject",
        "start with the subject; write 'if' or 'the ...'",
    ),
    (
        r"\b(?:is|are|be|was) (?:told|said)\b",
        "does not say who reports what to whom",
        "is reported; a note says; the page defines",
    ),
    (
        r"\b(?:is|are|was|were) (?:not )?there\b(?! (?:a|an|no|any|are|is)\b)",
        "does not say where",
        "installed, available, present, exists",
    ),
    (
        r"\bof (?:ours|others)\b|\bour own\b|\bwe\b|\bus\b",
        "the reader does not know who we are",
        "third-party; this package; the subject",
    ),
    (r"\bgiv(?:es?|ing) way\b|\bmended\b|\bmends\b", "a metaphor", "is overwritten; is corrected"),
    (
        r"\b[Nn]obody can look\b|\byou can trust\b|\b[Nn]obody (?:has|had|was|is)\b|\bnot looked at\b",
        "does not say what the program does",
        "UNSAT has no witness; verified; was not run to its end; is not checked",
    ),
    (r"\btold apart\b|\btells? apart\b|\bhangs? together\b", "translated English", "distinguished; connected"),
    (
        r"\b(?:of its|of their|with its) own\b|\beach by itself\b|\bstands? (?:beside|there)\b",
        "translated English",
        "separate; next to",
    ),
    (
        r"\brubbish\b|\bever so often\b|\bmust be had\b|\bcannot be had\b",
        "translated English",
        "invalid output; any number of times; is not available",
    ),
    (r"\b(?:speaks?|spoke|plays?) (?:for|of|against)\b", "a metaphor", "describes; supports; concerns"),
    (r"\b(?:goes|go|went) on\b", "not a term of the field", "resume, continue"),
    (r"\bown checker\b", "of whom?", "built-in checker"),
    (
        r"\bcontradiction sets?\b|\bleast changes\b|\bas they come\b|\bwhat contradicts\b",
        "not a term of the field",
        "MUS, correction set; implicit hitting set; enumerate",
    ),
    (r"\banew\b|\bshall\b|\bunless told\b|\bmore that one\b", "translated English", "again; must; by default; more ..."),
    (
        r"\bon (?:its|their|\S+'s|a solver's) word\b|\bword alone\b|\bcan be trusted\b|\bbelieved?\b",
        "a metaphor",
        "not independently verified; claimed",
    ),
    (r"\bside by side\b|\bthe same road\b|\bthe whole road\b", "a metaphor", "in parallel; portfolio, race; the same steps"),
    (
        r"\blimits that hold\b|\blast words\b|\bone to speak of\b|\bstarving\b",
        "a metaphor",
        "enforced limits; final output; significant; dead ends",
    ),
    (r"\b(?:the program|the solver|this one|it|line logic) knows\b", "programs do not know", "contains, determines, detects"),
    (
        r"\bby itself alone\b|\bare one\b(?! (?:per|for|of|or|point))",
        "a riddle",
        "name the relation: equal, counted once",
    ),
    (
        r"\bpiece by piece\b|\bcampaigns?\b|\bhouse\b",
        "a private metaphor",
        "in parts; experiment; architecture",
    ),
    (
        r"\b(?:colour|neighbour|licence|favour|behaviour|honour|grey|centre|learnt|artefact|catalogue|judgement|labelled|cancelled"
        r"|analyse|(?:penal|minim|maxim|normal|recogn|organ|summar|optim|random|real|general|initial)is(?:e|ing|ation))\w*",
        "the documentation uses American spelling",
        "color, neighbor, license, ...-ize",
    ),
]
COMPILED = [(re.compile(pattern), reason, instead) for pattern, reason, instead in PATTERNS]


def prose_lines(text: str) -> list[str]:
    """The lines of a page with everything blanked that is not prose."""

    def blank(match: re.Match[str]) -> str:
        return re.sub(r"[^\n]", " ", match[0])

    def comments(match: re.Match[str]) -> str:
        kept = r"(?<=  # ).*|(?<=^# ).*" if match[3] in ("sh", "yaml", "python", "console") else r"(?!)"
        lines = [(line, re.search(kept, line)) for line in match[0].split("\n")]
        return "\n".join(found[0].partition("-> ")[0] if found else "" for line, found in lines)

    text = re.sub(r"<!-- prose: off -->.*?<!-- prose: on -->", blank, text, flags=re.DOTALL)
    text = re.sub(r"^( *)(`{3,})(\w*).*?^\1\2 *$", comments, text, flags=re.DOTALL | re.MULTILINE)
    text = re.sub(r"<!--.*?-->|<code>.*?</code>|<[^>\n]+>", blank, text, flags=re.DOTALL)
    text = re.sub(r"`[^`\n]*(?:\n[^`\n]+)?`", lambda match: re.sub(r"[^\n]", "x", match[0]), text)
    text = re.sub(r"\]\([^)\n]*\)", blank, text)
    return text.split("\n")


def prose_of_python(source: str) -> str:
    """The docstrings and comments of Python source on their lines, without code.

    `Whether` can begin a docstring, and `room` is a term of some puzzles.
    """
    lines = [""] * (source.count("\n") + 2)
    before = tokenize.ENCODING
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.COMMENT:
            lines[token.start[0] - 1] = token.string.lstrip("#!- ")
        elif before != tokenize.OP and re.match('r?"""', token.string):
            words = re.sub(r'^r?"""(?:Whether\b)?|"""$', "", token.string).split("\n")
            lines[token.start[0] - 1 : token.end[0]] = ["" if line.lstrip().startswith(">>>") else line.strip() for line in words]
        before = before if token.type in (tokenize.NL, tokenize.COMMENT) else token.type
    return re.sub(r"\b[Rr]ooms?\b", "area", "\n".join(lines))


def findings(text: str) -> list[tuple[int, str, str, str]]:
    """The line, the words, the reason, and the replacement of each fault."""
    lines = prose_lines(text)
    found = []
    for number, line in enumerate(lines, start=1):
        before = lines[number - 2].strip() if number > 1 else ""
        opens = not before or before[-1] in ".:!?|" or before.startswith("#") or re.match(r"\s*(?:[-*]|\d+\.) ", line)
        body = re.sub(r"^\s*(?:[-*#]+|\d+\.)?\s*", "", line)
        text = body if opens else f"~{body}"
        for pattern, reason, instead in COMPILED:
            found += [(number, match[0], reason, instead) for match in pattern.finditer(text)]
    return found


def main(names: list[str]) -> int:
    """Checks the named files, or all files; returns the exit code."""
    paths = [Path(name).resolve() for name in names] or [
        REPOSITORY / "README.md",
        REPOSITORY / "CONTRIBUTING.md",
        REPOSITORY / "CHANGELOG.md",
        *sorted((REPOSITORY / "docs").rglob("*.md")),
        *(path for folder in FOLDERS for path in sorted((REPOSITORY / folder).rglob("*.py"))),
    ]
    count = 0
    for path in paths:
        name = str(path.relative_to(REPOSITORY)) if path.is_relative_to(REPOSITORY) else str(path)
        text = path.read_text(encoding="utf-8")
        for number, match, reason, instead in findings(prose_of_python(text) if path.suffix == ".py" else text):
            print(f"{name}:{number}: '{match}': {reason}; instead: {instead}")
            count += 1
    return 1 if count else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
