"""Modules and regular expressions that are loaded or compiled at their first use: a short call of a command needs few of them."""

from __future__ import annotations

import re
from collections.abc import Callable
from importlib import import_module
from typing import Any, AnyStr, cast


class _Lazy:
    """A stand-in for an object, which is made when a member of it is needed."""

    def __init__(self, make: Callable[[], Any]):
        self._make = make

    def __getattr__(self, member: str) -> Any:
        found = getattr(self._make(), member)
        setattr(self, member, found)
        return found


def module(name: str) -> Any:
    """The module, imported at its first use."""
    return _Lazy(lambda: import_module(name))


def regex(text: AnyStr, flags: int = 0) -> re.Pattern[AnyStr]:
    """As `re.compile`, at the first use."""
    return cast("re.Pattern[AnyStr]", _Lazy(lambda: re.compile(text, flags)))
