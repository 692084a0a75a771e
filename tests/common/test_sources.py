"""Files that users name are read to the end or to the limit, of any kind: bombs, devices, pipes, names that are not UTF-8."""

import bz2
import gzip
import io
import lzma
import os
import shutil
import subprocess
import sys
import threading
import tracemalloc
import zipfile
from pathlib import Path

import pytest

from cnfgen_puzzles.common.errors import InputError
from cnfgen_puzzles.common.inputlimits import other_input_limits
from cnfgen_puzzles.common.sources import MODULES, open_file, open_source


def zstd(data):
    return subprocess.run(["zstd", "--quiet", "--stdout"], input=data, stdout=subprocess.PIPE, check=True).stdout


PACKERS = {"gzip": gzip.compress, "xz": lzma.compress, "bzip2": bz2.compress}
if shutil.which("zstd"):
    PACKERS["zstd"] = zstd
SCRIPT = """
import sys
from cnfgen_puzzles.common.errors import InputError
from cnfgen_puzzles.common.sources import open_source
try:
    print(len(open_source(sys.argv[1]).text()))
except InputError as error:
    print(error, file=sys.stderr)
    sys.exit(2)
"""


def refusal(path):
    with pytest.raises(InputError) as caught:
        open_source(path)
    told = str(caught.value)
    assert "\n" not in told
    assert len(told) < 1000
    return told


@pytest.fixture
def small():
    with other_input_limits(size=100_000):
        yield


@pytest.mark.parametrize("pack", PACKERS.values(), ids=PACKERS)
def test_the_size_limit_applies_to_unpacked_data(tmp_path, small, pack):
    path = tmp_path / "x.cnf.gz"
    path.write_bytes(pack(b"c\n" * 50_000))
    assert open_source(path).data == b"c\n" * 50_000
    path.write_bytes(pack(bytes(20_000_000)))
    assert path.stat().st_size < 100_000
    assert "(unpacked): found more than 100000 bytes; the limit 'size' is 100000" in refusal(path)


@pytest.mark.parametrize("pack", PACKERS.values(), ids=PACKERS)
def test_several_packed_parts_are_one_text(tmp_path, pack):
    path = tmp_path / "x"
    path.write_bytes(pack(b"a") + pack(b"") + pack(b"b"))
    assert open_source(path).data == b"ab"


@pytest.mark.parametrize("pack", PACKERS.values(), ids=PACKERS)
def test_damaged_compressed_data_is_refused(tmp_path, pack):
    path = tmp_path / "x"
    packed = pack(b"p cnf 1 1\n1 0\n")
    for cut in range(6, len(packed)):
        path.write_bytes(packed[:cut])
        assert "damaged or cut short" in refusal(path)
    for place in range(6, len(packed)):
        path.write_bytes(packed[:place] + bytes([packed[place] ^ 0x55]) + packed[place + 1 :])
        try:
            assert open_source(path).data == b"p cnf 1 1\n1 0\n"  # a byte of no meaning, such as gzip's time
        except InputError as error:
            assert "damaged or cut short" in str(error)


@pytest.mark.parametrize("pack", PACKERS.values(), ids=PACKERS)
def test_unpacked_data_is_in_memory_once(tmp_path, pack):
    path = tmp_path / "x"
    path.write_bytes(pack(bytes(20_000_000)))
    tracemalloc.start()
    assert len(open_source(path).data) == 20_000_000
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert most < 36_000_000  # with the dictionary of xz


def test_the_suffix_of_a_packed_file_is_that_before_it(tmp_path):
    for suffix, pack in zip((".gz", ".xz", ".bz2"), PACKERS.values(), strict=False):
        path = tmp_path / f"x.NIN{suffix}"
        path.write_bytes(pack(b"x"))
        assert open_source(path).suffix == ".nin"


def test_zstd_without_a_program_for_it(tmp_path, monkeypatch):
    for module in MODULES["zstd"]:
        monkeypatch.setitem(sys.modules, module, None)
    monkeypatch.setenv("PATH", str(tmp_path))
    path = tmp_path / "x.cnf.zst"
    path.write_bytes(b"\x28\xb5\x2f\xfd\x20\x01")
    assert "unpack the file: `zstd -d FILE`" in refusal(path)


def test_other_and_nested_compressions_are_refused_by_name(tmp_path):
    path = tmp_path / "x"
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w") as stream:
        stream.writestr("x.cnf", "p cnf 0 0\n")
    for data, words in (
        (gzip.compress(lzma.compress(b"x"), mtime=0), "inside compressed data"),
        (lzma.compress(lzma.compress(b"x")), "inside compressed data"),
        (bz2.compress(gzip.compress(b"x")), "inside compressed data"),
        (gzip.compress(archive.getvalue()), "inside compressed data"),
        (archive.getvalue(), "found a zip archive"),
    ):
        path.write_bytes(data)
        assert words in refusal(path)


def test_devices_and_folders(tmp_path, small):
    assert "found more than 100000 bytes" in refusal("/dev/zero")
    assert open_source("/dev/null").data == b""
    assert "found a directory" in refusal(tmp_path)
    assert "no such file" in refusal(tmp_path / "none")
    assert "cannot be read" in refusal(tmp_path / ("n" * 300))
    assert "NUL" in refusal("a\0b")
    (tmp_path / "loop").symlink_to("loop")
    assert "cannot be read" in refusal(tmp_path / "loop")


def test_a_pipe_is_read_to_the_limit(tmp_path, small):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)

    def write():
        try:
            with pipe.open("wb") as stream:
                while True:
                    stream.write(bytes(10_000))
        except BrokenPipeError:
            pass

    writer = threading.Thread(target=write)
    writer.start()
    assert "found more than 100000 bytes" in refusal(pipe)
    writer.join(30)
    assert not writer.is_alive()


def test_files_that_tell_another_size_are_read_whole():
    """Like files of the kernel, which report the size 0."""
    assert b"\n" in open_source("/proc/self/status").data


def test_a_file_above_the_limit_is_refused_before_reading(tmp_path):
    path = tmp_path / "sparse"
    with path.open("wb") as stream:
        stream.truncate(1 << 40)
    assert "1099511627776 bytes after unpacking; the limit 'size' is 1GiB, CNFGEN_INPUT_LIMITS=size=1TiB raises it" in refusal(
        path
    )


def test_a_file_whose_name_is_a_dash(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("-").write_text("x")
    assert open_file("-").data == b"x"


def test_file_names_that_are_not_utf8(tmp_path):
    path = os.fsdecode(os.path.join(os.fsencode(tmp_path), b"\xff\xfe.cnf"))
    assert "no such file" in refusal(path)
    done = subprocess.run([sys.executable, "-c", SCRIPT, path], capture_output=True, timeout=60, check=False)
    assert (done.returncode, done.stderr.count(b"\n")) == (2, 1)
    Path(path).write_text("abc")
    assert open_source(path).data == b"abc"


@pytest.mark.parametrize("closed", ["<&-", "< /dev/null", "< /", "0>/dev/null"])
def test_standard_input_that_gives_nothing(closed):
    command = f'"$0" -c "$1" - {closed}'
    done = subprocess.run(["sh", "-c", command, sys.executable, SCRIPT], capture_output=True, text=True, timeout=60, check=False)
    assert "Traceback" not in done.stderr
    assert done.stdout.strip() == ("0" if closed == "< /dev/null" else "")
    if closed in ("<&-", "0>/dev/null"):
        assert done.returncode == 2
        assert done.stderr.startswith("<stdin>: ")


def test_standard_input_has_the_limit():
    command = '"$0" -c "$1" - < /dev/zero'
    environment = {**os.environ, "CNFGEN_INPUT_LIMITS": "size=1MiB"}
    done = subprocess.run(
        ["sh", "-c", command, sys.executable, SCRIPT], env=environment, capture_output=True, text=True, timeout=60, check=False
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert "CNFGEN_INPUT_LIMITS=size=4MiB raises it" in done.stderr
