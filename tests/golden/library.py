"""What the public functions of the package return, for the recordings."""

import cnfgen_puzzles as cp

if __name__ == "__main__":
    print(sorted(cp.__all__))
    puzzle = cp.read("nonogram", "i/nonogram/cat.nin")
    print(repr(puzzle))
    answer = cp.unique("nonogram", puzzle, solver="cadical")
    print(answer.verdict, answer.sentence(), repr(answer))
    print(cp.draw("nonogram", puzzle, answer.first.board))
    strip = cp.read("tiling", board="3x20", pieces="pentominoes")
    print(cp.count("tiling", strip).solutions, cp.count("tiling", strip).sentence())
    print(len(list(cp.enumerate("tiling", strip))))
    instance = cp.encode("nonogram", puzzle, "direct")
    print(repr(instance), cp.solve(instance, "kissat").status)
    print([step.text for step in cp.explain("nonogram", puzzle).steps][:3])
    print(answer._repr_html_()[:500])
    for call in (
        lambda: cp.read("nosuch"),
        lambda: cp.solve("nonogram", puzzle, sover="x"),
        lambda: cp.solve("nonogram", puzzle, add=1),
    ):
        try:
            call()
        except cp.InputError as error:
            print("InputError:", error)
