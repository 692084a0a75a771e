"""The workflows, templates, and hooks of the repository name targets, files, and Python versions that exist."""

from __future__ import annotations

import re
import tomllib

import yaml
from repository import REPOSITORY

WORKFLOWS = {path.stem: yaml.safe_load(path.read_text()) for path in (REPOSITORY / ".github" / "workflows").glob("*.yml")}


def steps():
    for workflow in WORKFLOWS.values():
        for job in workflow["jobs"].values():
            assert job["timeout-minutes"] <= 360
            yield from job["steps"]


def test_steps_run_existing_make_targets_and_scripts():
    targets = set(re.findall(r"^([a-z-]+):", (REPOSITORY / "Makefile").read_text(), re.MULTILINE))
    commands = [step["run"] for step in steps() if "run" in step]
    called = {target for command in commands for target in re.findall(r"\bmake ([a-z-]+)", command)}
    assert called == {"lint", "test", "test-release", "site", "dist"} <= targets
    assert all((REPOSITORY / script).exists() for command in commands for script in re.findall(r"\bsh (\S+)", command))


def test_tests_run_on_the_supported_python_versions():
    matrix = WORKFLOWS["tests"]["jobs"]["test"]["strategy"]["matrix"]["python-version"]
    classifiers = tomllib.loads((REPOSITORY / "pyproject.toml").read_text())["project"]["classifiers"]
    versions = [each.rpartition(" ")[2] for each in classifiers if re.search(r":: 3\.\d+$", each)]
    assert matrix[0] == versions[0] == "3.11" and set(versions) <= set(matrix)


def test_hooks_of_pre_commit_use_the_projects_environment():
    config = yaml.safe_load((REPOSITORY / ".pre-commit-config.yaml").read_text())
    hooks = [hook for repository in config["repos"] for hook in repository["hooks"]]
    assert {hook["language"] for hook in hooks} == {"system"}
    assert all(hook["entry"].startswith(".venv/bin/") for hook in hooks)
    scripts = [word for hook in hooks for word in hook["entry"].split() if word.startswith("scripts/")]
    assert scripts and all((REPOSITORY / script).exists() for script in scripts)


def test_issue_templates_have_unique_field_names():
    for path in (REPOSITORY / ".github" / "ISSUE_TEMPLATE").glob("*.yml"):
        fields = [field["id"] for field in yaml.safe_load(path.read_text()).get("body", []) if "id" in field]
        assert len(fields) == len(set(fields))
