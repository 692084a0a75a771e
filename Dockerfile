# cnfgen-puzzles with solvers and a proof checker, for who has no Python at hand:
#
#   docker build -t cnfgen-puzzles .
#   docker run --rm cnfgen-puzzles solve-puzzle tiling --board 6x10 --pieces pentominoes
#   docker run --rm -v "$PWD:/work" cnfgen-puzzles solve-puzzle nonogram cat.nin --unique
#
# The first stage has compilers; the second takes what was made there and runs as a user without rights. Only programs that anybody
# may use for anything are built in: not lingeling, plingeling and glucose-syrup.

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
