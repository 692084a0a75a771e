"""Build the page that runs the package and a solver in a browser: site/play/ (`make page`).

    python scripts/make/make_page.py [FOLDER]

The folder gets the files of page/, the package with PyYAML as package.zip, Pyodide from npm, CaDiCaL compiled to WebAssembly from
the sources of solvers/cadical.yaml, and examples. Nothing is loaded from elsewhere when the page runs. The script needs npm, and
Debian's emscripten and node-acorn (`make page` installs them). It prints the sizes, and fails if a browser would transfer more
than `MOST_BYTES`.
"""

from __future__ import annotations

import base64
import functools
import gzip
import hashlib
import json
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
import threading
import time
import zipfile
from http.server import ThreadingHTTPServer
from pathlib import Path

import yaml

from cnfgen_puzzles.cli.playpage import Handler
from cnfgen_puzzles.common.samples import FOLDER, sample_names
from cnfgen_puzzles.families import BUILT_IN, find_family
from cnfgen_puzzles.solving.fetch import fetch_archive

REPOSITORY = Path(__file__).resolve().parents[2]
MOST_BYTES = 12_000_000
"""The most bytes that a browser may transfer, compressed with gzip."""
PYODIDE = "pyodide-314.0.7.tgz", "66b7949e5a0cba2250b586d7e368bf12fb482800748d182c4618254b685ffaa0"
PYODIDE_FILES = "pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip", "pyodide-lock.json"
UNUSED = "cli/", "bench/"
"""Parts of the package that the page does not import."""
COMPILE = ["-O2", "-DNDEBUG", "-DNUNLOCKED", "-DNCLOSEFROM", "-DQUIET", "-DNBUILD", "-sDISABLE_EXCEPTION_CATCHING=0"]
LINK = [
    "-O2",
    "-sALLOW_MEMORY_GROWTH=1",
    "-sMODULARIZE=1",
    "-sEXPORT_NAME=createCadical",
    "-sEXPORTED_RUNTIME_METHODS=FS,callMain",
    "-sINVOKE_RUN=0",
    "-sTOTAL_STACK=5242880",
    "-sDISABLE_EXCEPTION_CATCHING=0",
    "-sENVIRONMENT=web,worker,node",
]

WRITABLE = "bool File::writable (const char *path) {"


def main(folder: Path) -> int:
    for program, package in (("em++", "emscripten"), ("npm", "npm")):
        if shutil.which(program) is None:
            print(f"{program} is not installed (Debian: apt-get install --no-install-recommends {package})", file=sys.stderr)
            return 2
    folder.mkdir(parents=True, exist_ok=True)
    cache = REPOSITORY / "solvers" / "build" / "page"
    cache.mkdir(parents=True, exist_ok=True)
    for file in (REPOSITORY / "page").iterdir():
        if file.suffix in (".html", ".css", ".js", ".svg"):
            shutil.copy(file, folder)
    write_package(folder / "package.zip")
    unpack_pyodide(cache, folder / "pyodide")
    for file in compiled_solver(cache):
        shutil.copy(file, folder)
    (folder / "examples.json").write_text(json.dumps(examples(), ensure_ascii=False, indent=1))
    shutil.copy(REPOSITORY / "tests/families/grid/LICENSE-pzprjs.txt", folder)
    print(f"cold start to the first board: {cold_start(folder)}")
    return print_sizes(folder)


def write_package(path: Path) -> None:
    """The package without `UNUSED`, PyYAML in plain Python, and bridge.py; the same bytes on each run."""
    tracked = subprocess.run(["git", "ls-files", "cnfgen_puzzles"], cwd=REPOSITORY, capture_output=True, text=True, check=True)
    skipped = tuple(f"cnfgen_puzzles/{part}" for part in UNUSED)
    names = [name for name in tracked.stdout.split("\n") if name.endswith((".py", ".txt")) and not name.startswith(skipped)]
    files = {name: REPOSITORY / name for name in names}
    files |= {f"yaml/{file.name}": file for file in Path(yaml.__file__).parent.glob("*.py")}
    files["bridge.py"] = REPOSITORY / "page" / "bridge.py"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, file in sorted(files.items()):
            archive.writestr(zipfile.ZipInfo(name), file.read_bytes(), zipfile.ZIP_DEFLATED, 9)


def unpack_pyodide(cache: Path, folder: Path) -> None:
    """The files of Pyodide that the page needs, from npm."""
    name, expected = PYODIDE
    if not (cache / name).exists():
        version = name.removeprefix("pyodide-").removesuffix(".tgz")
        subprocess.run(["npm", "pack", "--silent", f"pyodide@{version}"], cwd=cache, check=True, stdout=subprocess.DEVNULL)
    found = hashlib.sha256((cache / name).read_bytes()).hexdigest()
    if found != expected:
        (cache / name).unlink()
        raise SystemExit(f"{name}: found the checksum {found}, expected {expected}")
    folder.mkdir(exist_ok=True)
    with tarfile.open(cache / name) as archive:
        for file in PYODIDE_FILES:
            content = archive.extractfile(f"package/{file}")
            assert content is not None
            (folder / file).write_bytes(content.read())


def compiled_solver(cache: Path) -> list[Path]:
    """CaDiCaL as WebAssembly and the JavaScript that loads it; compiled again only for another recipe."""
    build = yaml.safe_load((REPOSITORY / "solvers" / "cadical.yaml").read_text())["build"]
    recipe = build["sha256"] + WRITABLE + " ".join([*COMPILE, *LINK])
    done = cache / f"cadical-{hashlib.sha256(recipe.encode()).hexdigest()[:16]}"
    files = [done / "cadical.js", done / "cadical.wasm"]
    if all(file.exists() for file in files):
        return files
    archive, _ = fetch_archive(build, REPOSITORY / "solvers" / "sources", print)
    with tempfile.TemporaryDirectory(dir=cache) as place:
        with tarfile.open(archive) as packed:
            packed.extractall(place, filter="data")
        source = Path(place) / build["folder"] / "src"
        # Emscripten's access(2) refuses files of its file system in memory
        unit = source / "file.cpp"
        unit.write_text(unit.read_text().replace(WRITABLE, f"{WRITABLE}\n  if (path) return true;"))
        units = [file for file in sorted(source.glob("*.c*")) if file.stem not in ("mobical", "ipasir")]
        rule = "%.o: %.cpp\n\tem++ -std=c++17 $(FLAGS) -c $< -o $@\n%.o: %.c\n\temcc $(FLAGS) -c $< -o $@\n"
        objects = " ".join(f"{file.stem}.o" for file in units)
        link = f"cadical.js: {objects}\n\tem++ $^ -o $@ {' '.join(LINK)}\n"
        (source / "page.mk").write_text(f"FLAGS = {' '.join(COMPILE)}\n{link}{rule}")
        # Debian's acorn is outside the search path of node
        environment = os.environ | {"NODE_PATH": "/usr/share/nodejs"}
        jobs = f"-j{os.cpu_count()}"
        subprocess.run(["make", "-s", "-f", "page.mk", jobs, "cadical.js"], cwd=source, check=True, env=environment)
        done.mkdir(exist_ok=True)
        for file in files:
            shutil.copy(source / file.name, file)
    return files


def examples() -> list[dict[str, object]]:
    """Groups of examples for the menu: the samples of the package, tilings, and one puzzle of each grid genre from pzprjs."""
    samples = [name for name in sample_names() if name.endswith((".nin", ".non", ".g", "calendar.yaml"))]
    boards = {
        "12 pentominoes, 6x10": "size: 6x10\npieces:\n  - set: pentominoes\n",
        "Soma cube": "size: 3x3x3\npieces:\n  - set: soma\n",
    }
    puzzles = json.loads((REPOSITORY / "tests/families/grid/pzpr-boards.json").read_text())
    genres = [(name, find_family(name)) for name in BUILT_IN if name in puzzles]
    groups = {
        "Files": [(name.partition(".")[0].capitalize(), name, (FOLDER / name).read_text()) for name in samples],
        "Tilings": [(title, "tiling.yaml", text) for title, text in boards.items()],
        "Mazes": [("A string for all 2x2 mazes", "", "maze --kind blocked --size 2x2 --length 3")],
        "Grid puzzles": [(family.title, "", f"{name}/{puzzles[name]['url']}") for name, family in genres],
    }
    return [
        {"group": group, "entries": [{"title": title, "name": name, "text": text} for title, name, text in entries]}
        for group, entries in groups.items()
    ]


def cold_start(folder: Path) -> str:
    """The time from opening the page, with a puzzle in its address, to the picture of the solution, in headless Chromium."""
    chromium, driver = shutil.which("chromium"), shutil.which("chromedriver")
    if chromium is None or driver is None:
        return "not measured, since Chromium is not installed"
    from selenium import webdriver
    from selenium.webdriver.support.wait import WebDriverWait

    options = webdriver.ChromeOptions()
    options.binary_location = chromium
    for word in ("--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu"):
        options.add_argument(word)
    puzzle = base64.urlsafe_b64encode((FOLDER / "cat.nin").read_bytes()).decode().rstrip("=")
    with ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Handler, directory=str(folder))) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        browser = webdriver.Chrome(options=options, service=webdriver.ChromeService(driver))
        try:
            started = time.monotonic()
            browser.get(f"http://127.0.0.1:{server.server_port}/index.html#{puzzle}")
            wait = WebDriverWait(browser, 120, 0.02)
            wait.until(lambda _: browser.find_element("id", "solve").is_enabled())
            browser.find_element("id", "solve").click()
            wait.until(lambda _: browser.find_element("id", "status").text.startswith("A solution."))
            return f"{time.monotonic() - started:.1f} s"
        finally:
            browser.quit()
            server.shutdown()


def print_sizes(folder: Path) -> int:
    """Print what a browser transfers; 1 if it is too much."""
    sizes = {file: len(gzip.compress(file.read_bytes(), 9)) for file in folder.rglob("*") if file.is_file()}
    for file, size in sorted(sizes.items(), key=lambda entry: -entry[1]):
        print(f"{size:>10,}  {file.relative_to(folder)}")
    total = sum(sizes.values())
    print(f"{total:>10,}  bytes compressed, of at most {MOST_BYTES:,}")
    return 1 if total > MOST_BYTES else 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]) if sys.argv[1:] else REPOSITORY / "site" / "play"))
