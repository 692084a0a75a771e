#!/bin/sh
# Install the system packages that setup and the build of the solvers need: Python's venv, C and C++ compilers, make, zlib headers.
# If some are missing, root on Debian or Ubuntu installs them with apt-get; other users see the command to run, and the build continues
# without them. If none is missing, the script does nothing.
#
#   sh solvers/system.sh [browser] [page]
#
# browser: also install Chromium and its driver, for the tests of the HTML report and of the browser page.
# page: also install Emscripten and npm, which build the browser page.

missing=""
python3 -c 'import ensurepip, venv' 2>/dev/null || missing="$missing python3-venv"
command -v make >/dev/null || missing="$missing make"
command -v cc >/dev/null || missing="$missing gcc"
command -v c++ >/dev/null || missing="$missing g++"
printf '#include <zlib.h>\n' | cc -E - >/dev/null 2>&1 || missing="$missing zlib1g-dev"
case " $* " in *" browser "*)
    command -v chromium >/dev/null || missing="$missing chromium"
    command -v chromedriver >/dev/null || missing="$missing chromium-driver"
esac
case " $* " in *" page "*)
    command -v em++ >/dev/null || missing="$missing emscripten node-acorn"
    command -v npm >/dev/null || missing="$missing npm"
esac
[ -z "$missing" ] && exit 0

if ! command -v apt-get >/dev/null; then
    echo "the system lacks (by their Debian names):$missing; install them with its package manager" >&2
elif [ "$(id -u)" -ne 0 ]; then
    echo "the system lacks:$missing; run: sudo apt-get install$missing" >&2
else
    echo "installing system packages:$missing"
    # the package lists can be outdated or missing
    # shellcheck disable=SC2086 # split the names
    { apt-get -qq update && DEBIAN_FRONTEND=noninteractive apt-get -qq install -y --no-install-recommends $missing; } >/dev/null ||
        echo "the system lacks:$missing, and apt-get cannot install them" >&2
fi
