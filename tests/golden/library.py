"""The results of the public functions of the package, for the recordings."""

import cnfgen_puzzles as cp

if __name__ == "__main__":
    print(sorted(cp.__all__))
    puzzle = cp.read("i/nonogram/cat.nin", family="nonogram")
    print(repr(puzzle))
    answer = cp.unique(puzzle, solver="cadical")
    print(answer.verdict, answer.sentence(), repr(answer))
    print(cp.draw(puzzle, answer.board))
    strip = cp.read(family="tiling", board="3x20", pieces="pentominoes")
    print(cp.count(strip).solutions, cp.count(strip).sentence())
    print(len(list(cp.solutions(strip))))
    instance = cp.encode(puzzle, "direct")
    print(repr(instance), cp.solve(instance, solver="kissat").status)
    print([step.text for step in cp.explain(puzzle).steps][:3])
    print(answer._repr_html_()[:500])
    for call in (lambda: cp.read(family="nosuch"), lambda: cp.solve(puzzle, sover="x"), lambda: cp.solve(puzzle, add=1)):
        try:
            call()
        except (cp.InputError, TypeError) as error:
            print(f"{type(error).__name__}:", error)
