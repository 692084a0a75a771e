"""No forged certificate is verified, by verify.sh with public checkers or by verify-certificate.

The kinds are in `tests/forgedevidence.py` and `tests/forgedclaims.py`. `make test` tries some of them, `make test-release` the
others.
"""

import contextlib
import re
import shlex
import shutil
import signal

import forgedclaims  # noqa: F401  each registers its kinds
import forgedevidence  # noqa: F401
import inprocess
import pytest
from certificates import BUILT, run_script
from forger import BASES, FILES, FORGERIES, Forgery, forged

pytestmark = pytest.mark.skipif(not BUILT, reason="drat-trim or lrat-check is not built")

ODD = re.compile(r"[^\n\t -~]")
"""Characters that no output may contain, such as escape sequences."""
HANGS = 240


@contextlib.contextmanager
def no_hang():
    def stop(*_):
        raise AssertionError("it hangs")

    before = signal.signal(signal.SIGALRM, stop)
    signal.alarm(HANGS)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


@pytest.fixture(scope="session")
def genuine(tmp_path_factory):
    """`genuine(base)` is the folder of a genuine certificate, made once."""
    folder = tmp_path_factory.mktemp("genuine")
    for name, text in FILES.items():
        (folder / name).write_text(text)

    def make(base):
        if not (folder / base).exists():
            done = inprocess.call_text([*shlex.split(BASES[base]), "--certificate", base, "-q"], cwd=folder)
            assert (folder / base).exists(), done.stderr
        return folder / base

    return make


def both(folder):
    """Exit code and output of verify-certificate, and those of verify.sh."""
    with no_hang():
        done = inprocess.call("verify-certificate", [str(folder)])
        code, said = run_script(folder)
    return (done.returncode, (done.stdout + done.stderr).decode()), (code, said)


@pytest.mark.sample(1)
@pytest.mark.parametrize("base", BASES)
def test_genuine_certificates_are_verified(genuine, tmp_path, base):
    """Unchanged certificates, and certificates that the forger sealed again without a change."""
    folder = shutil.copytree(genuine(base), tmp_path / base)
    for each in (folder, forged(genuine, tmp_path / "again", Forgery(base))):
        (code, told), (script, said) = both(each)
        assert code == 0 and told.startswith("Verified"), told
        assert script == (3 if base == "argument" else 0), said
    for path in folder.rglob("*"):
        assert path.is_dir() or path.read_bytes() == (tmp_path / "again" / path.relative_to(folder)).read_bytes(), path


@pytest.mark.sample(14)
@pytest.mark.parametrize("name", FORGERIES)
def test_forgeries_are_refused(genuine, tmp_path, name):
    forgery = FORGERIES[name]
    folder = forged(genuine, tmp_path / "c", forgery)
    (code, told), (script, said) = both(folder)
    assert not ODD.search(told + said), told + said
    assert "Traceback" not in told + said and "internal error" not in told, told
    assert code in ((0, 1, 2, 3) if forgery.true else (1, 2, 3)), told
    assert script in ((0, 1, 2, 3) if forgery.true or forgery.beyond else (1, 2, 3)), said


def test_there_are_many_kinds():
    assert len(FORGERIES) >= 300
