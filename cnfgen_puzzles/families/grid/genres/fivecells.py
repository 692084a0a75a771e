"""FiveCells."""

from cnfgen_puzzles.families.grid.genres.fourcells import FourCells


class FiveCells(FourCells):
    """FiveCells: divide the board into regions of five cells.

    A number says how many sides of its cell are borders, also of the board or of a black cell. Black cells belong to no region.
    """

    name = "fivecells"
    older = ()
    area = 5
    rules = "bkSizeLt5 nmBorderNe bdDeadEnd bkSizeGt5"


FAMILY = FiveCells()
