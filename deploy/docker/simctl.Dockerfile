# syntax=docker/dockerfile:1
# The workbench for pipelines and for machines without Swift: docker build -f deploy/docker/simctl.Dockerfile -t simctl .
#
#     docker run --rm -v "$PWD:/work" simctl run /usr/share/simctl/scenarios/outage.json
FROM swift:6.3-bookworm AS build
RUN apt-get update --quiet=2 \
    && apt-get install --quiet=2 --yes --no-install-recommends \
        libcurl4-openssl-dev libmicrohttpd-dev libnghttp2-dev libsqlite3-dev libssl-dev pkg-config zlib1g-dev \
    && rm -rf /var/lib/apt/lists/*
WORKDIR /source
COPY Package.swift ./
COPY Sources Sources
COPY Tests Tests
RUN swift build -c release --disable-index-store --static-swift-stdlib --product simctl \
    && strip --strip-unneeded .build/release/simctl

FROM debian:bookworm-slim
# curl and jq are for the job that writes a note.
RUN apt-get update --quiet=2 \
    && apt-get install --quiet=2 --yes --no-install-recommends \
        ca-certificates curl jq libcurl4 libmicrohttpd12 libnghttp2-14 libsqlite3-0 libssl3 tzdata zlib1g \
    && rm -rf /var/lib/apt/lists/* \
    && useradd --system --uid 10001 --home-dir /work --shell /bin/bash simctl \
    && install -d -m 777 /work
COPY --from=build /source/.build/release/simctl /usr/bin/simctl
COPY scenarios /usr/share/simctl/scenarios
USER simctl
WORKDIR /work
ENTRYPOINT ["simctl"]
