"""Tests and intervals against published examples, against enumeration of all cases, and by their invariants."""

import itertools
import math
from dataclasses import replace
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from cnfgen_puzzles.bench.analyse.scores import Performance
from cnfgen_puzzles.bench.analyse.statistics import (
    EXACT,
    FLOOR,
    Estimate,
    compare,
    estimate,
    geometric_mean,
    holm,
    par_ratio,
    sign_test,
    signed_rank,
)
from cnfgen_puzzles.bench.show.tables import sentence
from cnfgen_puzzles.common.errors import InputError

DARWIN = [6, 8, 14, 16, 23, 24, 28, 29, 41, -48, 49, 56, 60, -67, 75]
"""Heights of cross- less self-fertilised maize plants (Darwin 1876), as in the documentation of scipy.stats.wilcoxon."""
DEPRESSION = (
    [1.83, 0.50, 1.62, 2.48, 1.68, 1.88, 1.55, 3.06, 1.30],
    [0.878, 0.647, 0.598, 2.05, 1.06, 1.29, 1.06, 3.14, 1.29],
)
"""Hamilton scale before and after (Hollander and Wolfe 1973), as in the documentation of R's wilcox.test."""
WORST = 20.0


def solved(seconds):
    return Performance("SATISFIABLE", seconds, seconds, WORST)


UNSOLVED = Performance("TIMEOUT", WORST / 2, WORST, WORST)


def grid_of(pairs):
    return {(("s", "f", str(n)), "e"): {"a": a, "b": b} for n, (a, b) in enumerate(pairs)}


times = st.floats(FLOOR, WORST / 2)
outcomes = st.one_of(st.just(UNSOLVED), times.map(solved))
pairs = st.lists(st.tuples(outcomes, outcomes), min_size=1, max_size=12)


# -- tests ----------------------------------------------------------------------------------------------------------------


def test_wilcoxon_on_published_examples():
    assert signed_rank(DARWIN)[0] == pytest.approx(0.041259765625)
    assert signed_rank([x - y for x, y in zip(*DEPRESSION, strict=True)])[0] == pytest.approx(2 * 0.01953125)


@settings(deadline=None, max_examples=10)
@given(st.lists(st.integers(1, 10**6), min_size=1, max_size=9, unique=True), st.randoms())
def test_wilcoxon_is_the_share_of_signs_at_least_as_one_sided(sizes, randomness):
    differences = [randomness.choice((1, -1)) * size for size in sizes]
    ranks = [sorted(sizes).index(size) + 1 for size in sizes]
    centre = sum(ranks) / 2

    def far(signs):
        return abs(sum(rank for rank, sign in zip(ranks, signs, strict=True) if sign > 0) - centre)

    mine = far(differences)
    every = [far(signs) >= mine for signs in itertools.product((1, -1), repeat=len(ranks))]
    assert signed_rank(differences)[0] == pytest.approx(sum(every) / len(every))


@pytest.mark.parametrize("count", [3, 12, 50, 51, 200])
@pytest.mark.parametrize("equal", [False, True])
def test_tests_and_intervals_are_those_of_scipy(count, equal):
    """Of few equal differences, scipy takes the normal approximation; there, all choices of signs are counted."""
    random = Random(count)
    sizes = [random.randint(1, 5) if equal else random.random() for _ in range(count)]
    differences = [size * random.choice((1, 1, -1)) for size in sizes]
    found, effect = signed_rank(differences)
    plus, minus = (stats.wilcoxon(differences, alternative=side).statistic for side in ("greater", "less"))
    ranks = stats.rankdata(sizes)
    assert plus == minus == sum(rank for rank, d in zip(ranks, differences, strict=True) if d > 0)
    assert effect == pytest.approx(2 * plus / sum(ranks) - 1)
    if not equal or count > EXACT:
        assert found == pytest.approx(stats.wilcoxon(differences, method="exact" if count <= EXACT else "approx").pvalue)
    elif count <= 12:
        lesser = min(plus, sum(ranks) - plus)
        sums = [
            sum(rank for rank, sign in zip(ranks, signs, strict=True) if sign)
            for signs in itertools.product((0, 1), repeat=count)
        ]
        assert found == pytest.approx(min(1, 2 * sum(each <= lesser for each in sums) / 2**count))
    wins = sum(d > 0 for d in differences)
    assert sign_test(wins, count - wins) == pytest.approx(stats.binomtest(wins, count).pvalue)
    rows = sorted((random.random(), random.random()) for _ in range(count))
    interval = stats.bootstrap(
        tuple(zip(*rows, strict=True)), par_ratio, paired=True, method="percentile", n_resamples=10_000, random_state=0
    ).confidence_interval
    own = estimate(rows, par_ratio)
    assert (own.low, own.high) == pytest.approx(tuple(interval))


def test_sign_test_by_counting_coins():
    for wins, losses in itertools.product(range(8), repeat=2):
        tosses = wins + losses
        if tosses:
            likely = [math.comb(tosses, heads) for heads in range(tosses + 1)]
            expected = sum(p for p in likely if p <= likely[wins]) / 2**tosses
            assert sign_test(wins, losses) == pytest.approx(expected)
    assert sign_test(0, 0) == signed_rank([])[0] == signed_rank([0, 0])[0] == 1


def test_rank_biserial():
    effects = [signed_rank(differences)[1] for differences in (DARWIN, [1, 2], [-1], [0])]
    assert effects == pytest.approx([(96 - 24) / 120, 1, -1, 0])  # the smaller rank sum of Darwin's numbers is 24


def test_holm_on_a_published_example():
    found = holm({"a": 0.01, "b": 0.04, "c": 0.03, "d": 0.005})  # Wikipedia, Holm-Bonferroni method
    assert found == pytest.approx({"a": 0.03, "b": 0.06, "c": 0.06, "d": 0.02})
    assert holm({}) == {}


# -- the bootstrap --------------------------------------------------------------------------------------------------------


def test_an_interval_holds_the_middle_of_all_resamples():
    """Every resample of four instances, by enumeration."""
    rows = [(1.0, 10.0), (2.0, 5.0), (4.0, 4.0), (9.0, 3.0)]
    every = sorted(sum(b for _, b in drawn) / sum(a for a, _ in drawn) for drawn in itertools.product(rows, repeat=4))
    found = estimate(rows, par_ratio)
    assert found.value == 22 / 16
    for bound, level in ((found.low, 0.025), (found.high, 0.975)):
        share = sum(ratio < bound * (1 - 1e-9) for ratio in every) / len(every)
        assert share - 0.01 <= level <= sum(ratio <= bound * (1 + 1e-9) for ratio in every) / len(every) + 0.01


def test_an_interval_of_many_instances(monkeypatch):
    monkeypatch.setattr("cnfgen_puzzles.bench.analyse.statistics.BATCH", 100)
    assert estimate([(1, 2)] * 30, par_ratio) == Estimate(2, 2, 2)
    monkeypatch.setattr("cnfgen_puzzles.bench.analyse.statistics.MOST_DRAWS", 300)
    assert estimate([(0, 2), (math.log(4), 2)], geometric_mean).value == pytest.approx(math.exp(-math.log(4) / 4))


def test_one_observation_has_no_interval():
    assert estimate([(1.0, 3.0)], par_ratio) == Estimate(3)
    assert compare(grid_of([(UNSOLVED, solved(1))]), "a", "b").speedup is None


# -- comparisons ----------------------------------------------------------------------------------------------------------


def test_a_comparison_by_hand():
    found = compare(
        grid_of([(solved(1), solved(4)), (solved(2), solved(2)), (solved(3), UNSOLVED), (UNSOLVED, UNSOLVED)]), "a", "b"
    )
    assert (found.instances, found.both, found.only_a, found.only_b) == (4, 2, 1, 0)
    assert (found.par_a, found.par_b) == ((1 + 2 + 3 + 20) / 4, (4 + 2 + 20 + 20) / 4)
    assert found.speedup.value == pytest.approx(2)  # the geometric mean of 4 and 1
    assert found.par_ratio.value == pytest.approx(46 / 26)
    assert (found.wins, found.losses, found.ties) == (2, 0, 2)
    assert found.sign == 0.5 and found.effect == 1
    assert found.winner is None


def test_instances_count_not_runs():
    """The same twelve outcomes are significant for twelve instances, but not for two instances with six encodings each."""
    outcomes = {"a": solved(1), "b": solved(2)}
    many = {(("s", "f", str(n)), "e"): outcomes for n in range(12)}
    few = {(("s", "f", str(n % 2)), f"e{n}"): outcomes for n in range(12)}
    assert compare(many, "a", "b").winner == "a"
    told = compare(few, "a", "b")
    assert (told.points, told.instances, told.winner) == (12, 2, None)


@pytest.fixture(scope="module")
def few_resamples():
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr("cnfgen_puzzles.bench.analyse.statistics.RESAMPLES", 100)
        yield


@pytest.mark.usefixtures("few_resamples")
@settings(deadline=None, max_examples=10)
@given(pairs)
def test_swapping_the_two_mirrors_everything(found):
    one = compare(grid_of(found), "a", "b")
    other = compare(grid_of([(b, a) for a, b in found]), "a", "b")
    assert (one.wins, one.losses, one.only_a) == (other.losses, other.wins, other.only_b)
    assert one.par_ratio.value == pytest.approx(1 / other.par_ratio.value)
    assert one.wilcoxon == pytest.approx(other.wilcoxon)
    assert one.effect == pytest.approx(-other.effect)
    assert (one.speedup is None) == (not one.both)
    if one.speedup:
        assert one.speedup.value == pytest.approx(1 / other.speedup.value)


@settings(deadline=None, max_examples=10)
@given(pairs, st.randoms())
def test_the_order_of_instances_does_not_matter(found, randomness):
    shuffled = randomness.sample(found, len(found))
    one, other = (compare(grid_of(p), "a", "b") for p in (found, shuffled))
    assert one.par_ratio.value == pytest.approx(other.par_ratio.value)
    assert (one.par_ratio.low, one.par_ratio.high) == pytest.approx((other.par_ratio.low, other.par_ratio.high))
    assert one.wilcoxon == pytest.approx(other.wilcoxon)


def test_contestants_without_common_instances_are_refused():
    points = grid_of([(solved(1), solved(2))])
    with pytest.raises(InputError, match="found no instance on which both"):
        compare(points, "a", "c")
    with pytest.raises(InputError, match="twice"):
        compare(points, "a", "a")
    with pytest.raises(InputError, match="no instance on which both a and c ran"):
        compare(points | {(("s", "f", "x"), "e"): {"c": solved(1)}}, "a", "c")


# -- noise ----------------------------------------------------------------------------------------------------------------


def simulated(random, contestants, instances=30, disturbed=False):
    """Grids of contestants: each has a factor, additional constant seconds, and a standard deviation of its log-normal noise."""
    found = {}
    for number in range(instances):
        base = math.exp(random.uniform(math.log(0.002), math.log(5)))
        found[("s", "f", str(number)), "e"] = {
            name: replace(solved(base * factor * math.exp(random.gauss(0, noise)) + more), disturbed=disturbed)
            for name, (factor, more, noise) in contestants.items()
        }
    return found


def clearly_ahead(points):
    return "clearly ahead" in told_of_best("f", points)


def told_of_best(family, points):
    records = [
        {"suite": "s", "family": family, "instance": point[0][2], "encoding": "e", "solver": name, "status": "SATISFIABLE",
         "cpu": p.seconds, "wall": p.seconds, "limits": {"cpu": 10}, "warnings": ["busy"] * p.disturbed}
        for point, found in points.items() for name, p in found.items()
    ]  # fmt: skip
    return sentence(records)


def test_equal_solvers_are_seldom_told_apart_though_the_best_is_chosen(monkeypatch):
    monkeypatch.setattr("cnfgen_puzzles.bench.analyse.statistics.MOST_DRAWS", 30_000)
    random = Random(1)
    equal = dict.fromkeys("abcd", (1, 0, 0.3))
    found = sum("clearly ahead of all" in told_of_best("f", simulated(random, equal)) for _ in range(40))
    assert found <= 4  # 5 % of 40 are 2
    random = Random(2)
    pairs = sum(clearly_ahead(simulated(random, {"a": (1, 0, 0.3), "b": (1, 0, 0.3)})) for _ in range(60))
    assert pairs <= 6


def test_start_up_and_small_factors_are_noise_whatever_their_number():
    random = Random(3)
    assert not clearly_ahead(simulated(random, {"a": (1, 0, 0), "b": (1, 0.002, 0)}, 300))  # 0.003 s against 0.005 s
    assert not clearly_ahead(simulated(random, {"a": (1, 0, 0.01), "b": (1.03, 0, 0.01)}, 300))
    assert not clearly_ahead(simulated(random, {"a": (1, 0, 0.05), "b": (1.15, 0, 0.05)}, 300, disturbed=True))


@pytest.mark.parametrize("disturbed", [False, True])
def test_true_differences_are_found(disturbed):
    random = Random(4)
    assert all(clearly_ahead(simulated(random, {"a": (1, 0, 0.2), "b": (2, 0, 0.2)}, disturbed=disturbed)) for _ in range(10))
