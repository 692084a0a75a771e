"""The user's file of solvers: new ones, other programs of known ones, and builds or settings that are `like` a known one.

    solvers:
      kissat: {executable: /opt/kissat/kissat}
      kissat-dev: {like: kissat, executable: ~/kissat/build/kissat, options: [--sat]}

Not here: what a solver is and which are known (`table.py`), what a declaration may say (`recipeschema.py`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Protocol, TypeVar

from cnfgen_puzzles.common.errors import InputError
from cnfgen_puzzles.common.readers.strictyaml import Document, read_yaml
from cnfgen_puzzles.solving.provision.places import user_file
from cnfgen_puzzles.solving.recipes import declared_paths
from cnfgen_puzzles.solving.recipeschema import OF_LIKE, USER_FILE, USERS_SOLVER


class Declared(Protocol):
    """What is asked here of a solver of the table."""

    @property
    def executable(self) -> str | None: ...

    def alike(self, name: str, **given: Any) -> Any: ...

    def elsewhere(self, **given: Any) -> Any: ...


S = TypeVar("S", bound=Declared)


def user_solvers(
    base: Callable[[str], S | None],
    anywhere: Callable[[str], S],
    new: Callable[..., S],
    faulty: Callable[[str, InputError], S],
) -> dict[str, S]:
    """The solvers of the user's file, as `base` knows them, or made by `new` of a declaration.

    `anywhere` finds what they are like, also where looking takes long; InputError where there is none.

    A declaration that is wrong costs the solver of its name; only a file that is no list of solvers costs all of them.
    """
    file = _UserFile(read_yaml(user_file(), USER_FILE), base, anywhere, new, faulty)
    return {name: file.solver(name) for name in file.names}


class _UserFile:
    """The file while it is read: a solver may be like one that stands further down."""

    def __init__(
        self,
        document: Document,
        base: Callable[[str], Any],
        anywhere: Callable[[str], Any],
        new: Callable[..., Any],
        faulty: Callable[[str, InputError], Any],
    ):
        self.document, self.base, self.anywhere, self.new, self.faulty = document, base, anywhere, new, faulty
        self.names: list[str] = list(document.value["solvers"])
        self._made: dict[str, Any] = {}
        self._making: list[str] = []

    def solver(self, name: str) -> Any:
        """The solver of this name, faulty where its declaration is; one that is like itself is an InputError."""
        if name in self._making:
            raise InputError(f"found solvers that are like each other: {', '.join(self._making)}", **self._place(name))
        if name not in self._made:
            self._making.append(name)
            try:
                self._made[name] = self._declared(name)
            except InputError as fault:
                self._made[name] = self.faulty(name, fault)
            finally:
                self._making.remove(name)
        return self._made[name]

    def _place(self, name: str) -> dict[str, Any]:
        return {"source": self.document.source, "line": self.document.lines["solvers", name]}

    def _declared(self, name: str) -> Any:
        """Of a known name only `executable` and `reads`: results would be ambiguous."""
        declaration = self.document.part(USERS_SOLVER, "solvers", name)
        place, base = self._place(name), self.base(name)
        if base is not None:
            return self._known(name, base, declaration)
        if "like" in declaration:
            return self._alike(name, declaration)
        if "options" in declaration:
            raise InputError("found the key 'options' without 'like', expected such words in call.arguments", **place)
        return self.new({"name": name, **declaration}, **place)

    def _known(self, name: str, base: Declared, declaration: Mapping[str, Any]) -> Any:
        extra = sorted(set(declaration) - {"executable", "reads"})
        if extra or not declaration:
            found = f"the key {extra[0]!r}" if extra else "nothing"
            expected = "expected only 'executable', 'reads'; give a new one a new name"
            raise InputError(f"found {found} for the known solver {name!r}, {expected}", **self._place(name))
        place = self._place(name)
        reads = declared_paths(declaration, place["source"])
        return base.elsewhere(executable=declaration.get("executable", base.executable), reads=reads, **place)

    def _alike(self, name: str, declaration: Mapping[str, Any]) -> Any:
        place, other = self._place(name), declaration["like"]
        for key in declaration:
            if key not in OF_LIKE:
                raise InputError(f"found the key {key!r} beside 'like', expected only {', '.join(OF_LIKE)}", **place)
        try:
            model = self.solver(other) if other in self.names else self.anywhere(other)
        except InputError as error:
            raise InputError(error.message, **place) from None
        given = {key: value for key, value in declaration.items() if key not in ("like", "reads")}
        return model.alike(name, **given, reads=declared_paths(declaration, place["source"]), **place)
