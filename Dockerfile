# An image of cnfgen-puzzles with solvers and a proof checker:
#
#   docker build -t cnfgen-puzzles .
#   docker run --rm cnfgen-puzzles solve-puzzle tiling --board 6x10 --pieces pentominoes
#   docker run --rm -v "$PWD:/work" cnfgen-puzzles solve-puzzle my-puzzle.nin --unique
#
# The first stage has compilers; the second has only the built programs and runs as a user without privileges. The image contains only
# programs with free licenses: no lingeling, plingeling, or glucose-syrup.

FROM python:3.12-slim-bookworm AS built
# hadolint ignore=DL3008
RUN apt-get update \
    && apt-get install -y --no-install-recommends g++ gcc libc6-dev make unzip zlib1g-dev \
    && rm -rf /var/lib/apt/lists/*
WORKDIR /source
COPY . .
RUN python -m venv /opt/cnfgen \
    && /opt/cnfgen/bin/pip install --no-cache-dir '.[pictures,counting]' \
    && CNFGEN_SOLVERS_FOLDER=/opt/cnfgen/solvers /opt/cnfgen/bin/cnf-solvers install kissat cadical glucose minisat drat-trim \
    && rm -rf /opt/cnfgen/solvers/build /opt/cnfgen/solvers/sources

FROM python:3.12-slim-bookworm
COPY --from=built /opt/cnfgen /opt/cnfgen
RUN useradd --create-home --uid 1000 puzzler && mkdir /work && chown puzzler /work
ENV PATH="/opt/cnfgen/bin:/opt/cnfgen/solvers/bin:$PATH" CNFGEN_SOLVERS_FOLDER=/opt/cnfgen/solvers
USER 1000
WORKDIR /work
CMD ["solve-puzzle", "--help"]
