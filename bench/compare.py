#!/usr/bin/env python3
"""LoadGen beside wrk on one nginx: CPU per request, requests per second, memory.

Target on one core, generator on the other, the two generators in turn; medians of the rounds are compared.
Usage: bench/compare.py [--rounds N] [--loadgen PATH] [get open task tls pace idle tls-idle scale many long]
"""

import argparse
import os
import re
import statistics
import subprocess
import sys
import time
from pathlib import Path

from measure import GENERATOR_CORE, HERE, Failed, allow_many_connections, loadgen_report, measured, nginx

WRK = {
    "get": ["http://127.0.0.1:18080/x"],
    "open": ["http://127.0.0.1:18080/x"],
    "task": ["http://127.0.0.1:18080/x"],
    "tls": ["https://127.0.0.1:18443/x"],
}
# KiB a user.
MEMORY = {"idle": 8, "tls-idle": 40, "scale": 8, "many": 8}
AIM = {"get": 0.95, "open": 0.95, "task": 1.05, "tls": 1.00}


def wrk(kind):
    run = measured(["wrk", "-t1", "-c100", "-d6s", *WRK[kind]])
    requests = int(re.search(r"(\d+) requests in", run.out).group(1))
    return run.cpu_us / requests, float(re.search(r"Requests/sec:\s+([\d.]+)", run.out).group(1))


def loadgen(binary, job, *more):
    run, report = loadgen_report(binary, job, *more)
    return run.cpu_us / report["totals"]["requests"], report["totals"]["rate_per_s"], report


def compare(binary, kind, rounds):
    theirs, ours = [], []
    for _ in range(rounds):
        theirs.append(wrk(kind))
        ours.append(loadgen(binary, kind)[:2])
    median = lambda rows, column: statistics.median(row[column] for row in rows)
    ratio = median(ours, 0) / median(theirs, 0)
    print(f"{kind:5} wrk {median(theirs, 0):6.2f} µs {median(theirs, 1):9,.0f}/s   "
          f"loadgen {median(ours, 0):6.2f} µs {median(ours, 1):9,.0f}/s   "
          f"ratio {ratio:.3f} (aim ≤ {AIM[kind]:.2f})   rounds "
          + " ".join(f"{a[0] / b[0]:.2f}" for a, b in zip(ours, theirs)), flush=True)


def pace(binary, rounds):
    """How late starts by the clock are, at three rates: medians of the rounds."""
    for rate in (1_000, 5_000, 20_000):
        rows = []
        for _ in range(rounds):
            cost, _, report = loadgen(binary, "pace", "--rate", f"{rate}/s")
            lag = report["health"]["lag_ms"]
            rows.append((lag["p50"], lag["p99"], lag["p99_9"], cost, report["load"]["arrivals"]["begun_per_s"]))
        p50, p99, p999, cost, begun = (statistics.median(column) for column in zip(*rows))
        print(f"pace  {rate:6,}/s   begun {begun:9,.1f}/s   lag p50 {p50 * 1e3:5.0f} µs   p99 {p99 * 1e3:5.0f} µs (aim ≤ 120)   "
              f"p99.9 {p999 * 1e3:6.0f} µs (aim ≤ 1,200)   {cost:5.1f} µs CPU a request", flush=True)


def memory(binary, kind, aim):
    """Memory of users, and how long their connections took to open."""
    _, _, report = loadgen(binary, kind)
    memory, users, opened = report["health"]["rss_bytes"], report["load"]["users"], report["connections"]["opened"]
    done, seconds = 0, None
    for interval in report["intervals"]:
        done += interval["requests"]
        if seconds is None and done >= users:
            seconds = interval["t_s"]
    print(f"{kind:8} {users:,} users, {opened:,} connections: {memory / 1e6:.1f} MB, "
          f"{memory / users / 1024:.2f} KiB a user (aim ≤ {aim}), {users:,} requests after {seconds or 0:.0f} s, "
          f"{report['totals']['failed']} failed", flush=True)


def long(binary):
    """Resident memory each minute of a run of ten."""
    job = str(HERE / "jobs" / "long.yaml")
    process = subprocess.Popen(["taskset", "-c", GENERATOR_CORE, binary, "run", job, "--threads", "1", "--quiet"],
                               stdout=subprocess.DEVNULL)
    start, sizes = time.time(), []
    for minute in range(1, 11):
        time.sleep(max(0, start + 60 * minute - 2 - time.time()))
        pages = int(Path(f"/proc/{process.pid}/statm").read_text().split()[1])
        sizes.append(pages * os.sysconf("SC_PAGE_SIZE") / 1e6)
    process.wait()
    print("long  MB after each minute: " + " ".join(f"{size:.1f}" for size in sizes)
          + f"; last ÷ first {sizes[-1] / sizes[0]:.3f} (aim 0.95–1.05)", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--loadgen", default=str(HERE.parent / "target" / "release" / "loadgen"))
    parser.add_argument("what", nargs="*", default=["get", "open", "task", "tls", "pace", "idle", "tls-idle", "scale", "many"])
    arguments = parser.parse_args()
    allow_many_connections()
    with nginx():
        try:
            for what in arguments.what:
                run(arguments.loadgen, what, arguments.rounds)
        except Failed as failure:
            sys.exit(str(failure))


def run(binary, what, rounds):
    if what in WRK:
        compare(binary, what, rounds)
    elif what == "pace":
        pace(binary, rounds)
    elif what in MEMORY:
        memory(binary, what, MEMORY[what])
    elif what == "long":
        long(binary)
    else:
        sys.exit(f"unknown benchmark {what}: get, open, task, tls, pace, idle, tls-idle, scale, many or long")


if __name__ == "__main__":
    main()
