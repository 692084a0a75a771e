"""The address of the repository: `repository` in pyproject.toml under `[tool.cnfgen-puzzles]`, empty by default.

    make address URL=https://github.com/OWNER/NAME

writes the address there, to the badges of the README, and to CITATION.cff. The build of
the package (hatchling calls this file) then adds `Project-URL` entries and turns the relative links and images of the README into
absolute ones, which PyPI needs; `make site` sets `site_url` and `repo_url`. Without an address, none of these is set.
"""

from __future__ import annotations

import re
import sys
import tomllib
from pathlib import Path
from typing import Any

try:
    from hatchling.metadata.plugin.interface import MetadataHookInterface
except ImportError:  # only the build needs it

    class MetadataHookInterface:  # type: ignore[no-redef]
        pass


BADGES = re.compile(r"(<!-- badges[^>]*-->\n).*?(<!-- end of badges -->)", re.DOTALL)
PLAY = "play/index.html"
"""The browser page below the address of the site (`make page`)."""
ADDRESS = re.compile(r"https://[\w.-]+(?:/[\w.-]+)+")


def repository_url(folder: Path) -> str:
    """The address in the pyproject.toml of this folder, or an empty string."""
    settings = tomllib.loads((folder / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["cnfgen-puzzles"]
    return str(settings["repository"]).rstrip("/")


def site_url(repository: str) -> str:
    """The address of the published documentation, for hosts with a fixed scheme; otherwise an empty string."""
    match = re.fullmatch(r"https://(github|gitlab)\.com/([\w.-]+)/([\w.-]+)", repository)
    return f"https://{match[2].lower()}.{match[1]}.io/{match[3]}/" if match else ""


def project_urls(repository: str, version: str) -> dict[str, str]:
    """The `[project.urls]` of the package."""
    if not repository:
        return {}
    site = site_url(repository)
    urls = {
        "Documentation": site,
        "Try it": site and f"{site}{PLAY}",
        "Source": repository,
        "Issues": f"{repository}/issues",
        "Changelog": f"{repository}/blob/v{version}/CHANGELOG.md",
    }
    return {name: url for name, url in urls.items() if url}


def absolute_links(readme: str, repository: str, version: str) -> str:
    """The README with absolute addresses for its relative links and images; unchanged without an address."""
    if not repository:
        return readme
    relative = r"(?!https?:|#|mailto:)"
    readme = re.sub(rf"((?:src|srcset)=\"){relative}", rf"\1{repository}/raw/v{version}/", readme)
    readme = re.sub(rf"(!\[[^\]]*\]\(){relative}", rf"\1{repository}/raw/v{version}/", readme)
    return re.sub(rf"(?<=\]\(){relative}", f"{repository}/blob/v{version}/", readme)


def badges(repository: str) -> str:
    """The lines of badges for the README, or an empty string."""
    if not repository:
        return ""
    tests = f"{repository}/actions/workflows/tests.yml"
    lines = [f"[![tests]({tests}/badge.svg)]({tests})"]
    if site := site_url(repository):
        lines.append(f"[![documentation](https://img.shields.io/badge/documentation-site-teal)]({site})")
        lines.append(f"[![try it](https://img.shields.io/badge/try_it-in_the_browser-blue)]({site}{PLAY})")
    pypi = "https://img.shields.io/pypi"
    lines += [f"![{name}]({pypi}/{key}/cnfgen-puzzles)"
              for name, key in (("PyPI", "v"), ("Python versions", "pyversions"))]  # fmt: skip
    return "\n".join(lines) + "\n"


def with_badges(readme: str, repository: str) -> str:
    """The README with the badges for this address between its two comments."""
    return BADGES.sub(lambda match: match[1] + badges(repository) + match[2], readme)


def with_citation(citation: str, repository: str) -> str:
    """CITATION.cff with this address, or without any."""
    citation = re.sub(r"^repository-code: .*\n", "", citation, flags=re.MULTILINE)
    return re.sub(
        r"^(license: .*\n)", rf'\1repository-code: "{repository}"\n' if repository else r"\1", citation, flags=re.MULTILINE
    )


def set_address(folder: Path, repository: str) -> None:
    """Write the address to pyproject.toml, README.md, and CITATION.cff of a folder."""
    changes = {
        "pyproject.toml": lambda text: re.sub(r'(?m)^repository = ".*"$', f'repository = "{repository}"', text),
        "README.md": lambda text: with_badges(text, repository),
        "CITATION.cff": lambda text: with_citation(text, repository),
    }
    for name, change in changes.items():
        file = folder / name
        file.write_text(change(file.read_text(encoding="utf-8")), encoding="utf-8")


class MetadataHook(MetadataHookInterface):
    """Sets the dynamic metadata of the package: `readme` and `urls`."""

    def update(self, metadata: dict[str, Any]) -> None:
        folder, version = Path(self.root), str(metadata["version"])
        repository = repository_url(folder)
        readme = absolute_links((folder / "README.md").read_text(encoding="utf-8"), repository, version)
        metadata["readme"] = {"content-type": "text/markdown", "text": readme}
        metadata["urls"] = project_urls(repository, version)


def main(words: list[str]) -> int:
    """Set the address that is the only argument; an empty one removes it."""
    if len(words) != 1 or (words[0] and not ADDRESS.fullmatch(words[0].rstrip("/"))):
        print("usage: make address URL=https://HOST/OWNER/NAME", file=sys.stderr)
        return 2
    set_address(Path(__file__).resolve().parents[2], words[0].rstrip("/"))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
