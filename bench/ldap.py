#!/usr/bin/env python3
"""LoadGen's rate tools beside other load tools for directories: CPU per operation, operations per second, memory,
time to the first request, and how well a rate is kept.

All take turns, round by round, against a server that answers at once and against OpenLDAP; medians of the rounds are
compared. Operations are counted by the server. What is not installed is left out, and said.
Usage: bench/ldap.py [--rounds N] [--seconds N] [--loadgen PATH] [--null-ldap PATH] [--unboundid PATH] [--only NAME,…]
                     [--markdown] [search modify bind start pace]
"""

import argparse
import statistics
import sys
import tempfile

from directories import NullServer, Slapd
from ldap_tools import SERVERS, UNBOUNDID, Work, tools
from measure import HERE, Failed, allow_many_connections, end_on_sigterm
from punctual import pace, start
from tables import Table
from turns import Figures, in_turn, once

KINDS = ("search", "modify", "bind")
# µs of CPU an operation. Against slapd 1.15 times what a client took that was written by hand for one operation.
AIMS = {
    ("null server", "search"): 3.0, ("null server", "modify"): 2.5, ("null server", "bind"): 6.0,
    ("slapd", "search"): 1.15 * 26.5, ("slapd", "modify"): 1.15 * 29.9, ("slapd", "bind"): 1.15 * 25.3,
}
PEAK_AIM_MIB = 20
# A tool that compiles while it runs has one run that is so many times longer, beside its rounds.
LONG = 4


def compare(kind, server, present, arguments):
    rows, against = measure(Work(kind, 0, arguments.seconds), server, present, arguments.rounds)
    medians = {name: Figures(*map(statistics.median, zip(*runs))) for name, runs in rows.items()}
    ours = medians.get("LoadGen")
    table = Table(f"{kind}, {server.name}, {arguments.seconds} s",
                  ["", "CPU µs/op", "LoadGen ÷ it", "operations/s", "LoadGen ÷ it", "peak MiB", "CPU of the rounds"],
                  arguments.markdown)
    for name, row in medians.items():
        cpu, rate = (f"{ours.cpu_us / row.cpu_us:.3f}", f"{ours.rate_per_s / row.rate_per_s:.2f}") if ours else ("–", "–")
        table.add(name, f"{row.cpu_us:.2f}", cpu, f"{row.rate_per_s:,.0f}", rate, f"{row.peak_mib:.1f}",
                  " ".join(f"{run.cpu_us:.1f}" for run in rows[name]))
    if ours:
        table.judge("CPU", ours.cpu_us, AIMS[server.name, kind], "µs")
        table.judge("peak memory", ours.peak_mib, PEAK_AIM_MIB, "MiB")
    table.print(against)


def measure(work, server, present, rounds):
    """The runs of each tool, with a long one of those that compile while they run, and why one has none."""
    able = [tool for tool in present if tool.command(work)]
    rows, against = in_turn({tool.name: lambda tool=tool: once(tool, server, work) for tool in able}, rounds)
    longer = work._replace(seconds=LONG * work.seconds)
    slow_starters = [tool for tool in able if tool.compiles and tool.name in rows]
    long_rows, long_against = in_turn(
        {f"{tool.name}, {longer.seconds} s": lambda tool=tool: once(tool, server, longer) for tool in slow_starters}, 1)
    unable = {tool.name: "it cannot do this" for tool in present if tool not in able}
    return rows | long_rows, against | long_against | unable


def found(those, only=()):
    """Those that are here, after saying in which versions."""
    present = []
    for each in those:
        if only and each.name not in only:
            continue
        version = each.version()
        print(f"{each.name:12} {version or 'is missing, left out; see bench/README.md'}", flush=True)
        if version:
            present.append(each)
    return present


def parsed():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    release = HERE.parent / "target" / "release"
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seconds", type=int, default=10)
    parser.add_argument("--loadgen", default=str(release / "loadgen"))
    parser.add_argument("--null-ldap", default=str(release / "examples" / "null_ldap"))
    parser.add_argument("--unboundid", default=str(SERVERS / f"unboundid-ldapsdk-{UNBOUNDID}.jar"))
    parser.add_argument("--only", type=lambda names: names.split(","), default=[])
    parser.add_argument("--markdown", action="store_true", help="tables that can be put into a page")
    parser.add_argument("what", nargs="*", default=[*KINDS, "start", "pace"])
    arguments = parser.parse_args()
    unknown = [what for what in arguments.what if what not in (*KINDS, "start", "pace")]
    if unknown:
        parser.error(f"unknown: {', '.join(unknown)}; there are {', '.join(KINDS)}, start and pace")
    return arguments


def main():
    arguments = parsed()
    allow_many_connections()
    end_on_sigterm()
    with tempfile.TemporaryDirectory() as folder:
        present = found(tools(arguments.loadgen, arguments.unboundid), arguments.only)
        null_server = NullServer(arguments.null_ldap)
        servers = found([null_server, Slapd(folder)])
        try:
            for what in arguments.what:
                run(what, servers, null_server, present, arguments)
        except Failed as failure:
            sys.exit(str(failure))


def run(what, servers, null_server, present, arguments):
    if what in KINDS:
        for server in servers:
            compare(what, server, present, arguments)
    elif what == "start":
        start(present, arguments)
    elif null_server in servers:
        pace(null_server, present, arguments)


if __name__ == "__main__":
    main()
