#!/usr/bin/env python3
"""Write solvers/recipes.json: the content of every recipe by the SHA-256 of its file, so that commands need not parse YAML.

    python scripts/make/read_recipes.py

Run it after a change of a recipe. Until then, commands read this recipe as YAML, which takes 25 ms per call.
"""

from __future__ import annotations

import hashlib
import json

from cnfgen_puzzles.solving.executables import RECIPES
from cnfgen_puzzles.solving.table import READ, read_yaml_recipe


def main() -> None:
    read = {hashlib.sha256(path.read_bytes()).hexdigest(): read_yaml_recipe(path) for path in sorted(RECIPES.glob("*.yaml"))}
    (RECIPES / READ).write_text(json.dumps(read, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
