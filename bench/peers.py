#!/usr/bin/env python3
"""LoadGen beside other generators on one nginx: CPU per request, requests per second, memory per user.

All take turns, round by round; medians of the rounds are compared. What is not installed is left out, and said.
Usage: bench/peers.py [--rounds N] [--seconds N] [--loadgen PATH] [--only NAME,…]
                      [get post tls http2 http2-shared open memory]
"""

import argparse
import subprocess
import statistics
import sys
from typing import NamedTuple

from generators import PEERS, Counted, Load, reason_against, version_of
from measure import HERE, Failed, allow_many_connections, loadgen_report, measured, nginx

LOADS = {
    "get": Load("GET, keep-alive, 100 connections", "get"),
    "post": Load("POST of 300 bytes, JSON value captured and sent in the next request, 100 connections", "task", posts=True),
    "tls": Load("GET over TLS 1.3, 100 connections", "tls", "https", 18443),
    "http2": Load("GET over HTTP/2 and TLS 1.3, 100 connections of one stream", "http2", "https", 18444, http2=True),
    "http2-shared": Load("GET over HTTP/2 and TLS 1.3, 10 connections of 10 streams", "http2-shared", "https", 18444,
                         connections=10, streams=10, http2=True),
    "open": Load("GET at 5,000/s, up to 100 connections", "rate", rate_per_s=5_000),
    "memory": Load("GET, keep-alive, 2,000 connections", "get", connections=2_000),
}
# A generator that fails more than this share of its requests did something else than it was asked for.
MOST_FAILED = 0.01


class Figures(NamedTuple):
    cpu_us: float
    rate_per_s: float
    peak_kib_per_user: float


def figures(load, run, counted):
    if counted.failed > MOST_FAILED * counted.requests:
        raise Failed(f"{counted.failed:.0f} requests failed beside {counted.requests} good ones")
    users = load.connections * load.streams
    return Figures(run.cpu_us / counted.requests, counted.rate_per_s, run.peak_bytes / users / 1024)


def loadgen(binary, load, seconds):
    users = [] if load.rate_per_s else ["--users", str(load.connections * load.streams)]
    run, report = loadgen_report(binary, load.job, "--duration", f"{seconds}s", *users)
    return figures(load, run, Counted(report["totals"]["requests"], report["totals"]["rate_per_s"]))


def peer(name, load, seconds):
    run = measured(PEERS[name].command(load, seconds))
    try:
        return figures(load, run, PEERS[name].counted(run))
    except (ValueError, KeyError, ZeroDivisionError) as error:
        raise Failed(f"its output is not as expected ({error!r}): {run.err[-500:]}") from error


def rounds_of(binary, load, names, arguments):
    """The rounds of each generator, and why one has none."""
    rows, against = {"loadgen": []}, {}
    for name in names:
        reason = reason_against(PEERS[name], load)
        if reason:
            against[name] = reason
        else:
            rows[name] = []
    for _ in range(arguments.rounds):
        for name in list(rows):
            try:
                rows[name].append(loadgen(binary, load, arguments.seconds) if name == "loadgen"
                                  else peer(name, load, arguments.seconds))
            except Failed as failure:
                against[name] = str(failure).strip()
                del rows[name]
    return rows, against


def table(load, rows, against):
    print(f"\n{load.title}\n{'':10} {'CPU a request':>14} {'÷ loadgen':>10} {'requests':>12} {'peak memory a user':>20}")
    medians = {name: Figures(*map(statistics.median, zip(*runs))) for name, runs in rows.items() if runs}
    ours = medians.get("loadgen")
    for name, row in sorted(medians.items(), key=lambda item: item[1].cpu_us):
        ratio = f"{row.cpu_us / ours.cpu_us:.2f}" if ours else "–"
        costs = " ".join(f"{run.cpu_us:.1f}" for run in rows[name])
        print(f"{name:10} {row.cpu_us:11.2f} µs {ratio:>10} {row.rate_per_s:10,.0f}/s {row.peak_kib_per_user:16,.1f} KiB"
              f"   rounds {costs}")
    for name, reason in against.items():
        print(f"{name:10} left out: {reason}")
    sys.stdout.flush()


def installed(only):
    """Names of the peers that are here, after saying in which versions."""
    names = []
    for name in PEERS:
        if only and name not in only:
            continue
        version = version_of(name)
        print(f"{name:10} {version or 'is not installed, left out; see bench/README.md'}")
        if version:
            names.append(name)
    return names


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seconds", type=int, default=5)
    parser.add_argument("--loadgen", default=str(HERE.parent / "target" / "release" / "loadgen"))
    parser.add_argument("--only", type=lambda names: names.split(","), default=[])
    parser.add_argument("what", nargs="*", default=list(LOADS))
    arguments = parser.parse_args()
    unknown = [what for what in arguments.what if what not in LOADS] + [name for name in arguments.only if name not in PEERS]
    if unknown:
        sys.exit(f"unknown: {', '.join(unknown)}; loads are {', '.join(LOADS)}; peers are {', '.join(PEERS)}")
    allow_many_connections()
    told = subprocess.run([arguments.loadgen, "--version"], capture_output=True, text=True, check=True)
    print(f"{'loadgen':10} {told.stdout.split()[-1]}")
    names = installed(arguments.only)
    with nginx():
        for what in arguments.what:
            table(LOADS[what], *rounds_of(arguments.loadgen, LOADS[what], names, arguments))


if __name__ == "__main__":
    main()
