"""One run of a tool against a directory, and all tools in turn."""

import time
from typing import NamedTuple

from ldap_tools import failures
from measure import Failed, measured

# A tool that fails more than this share of its operations did something else than it was asked for.
MOST_FAILED = 0.01


class Figures(NamedTuple):
    """What a run cost; operations are those that the server counted, times those of the whole process."""
    cpu_us: float
    rate_per_s: float
    peak_mib: float
    operations: int


def once(tool, server, work):
    """One run against a server that is started for it."""
    with server.serve() as served:
        begun = time.monotonic()
        run = measured(tool.command(work._replace(port=served.port)))
        elapsed_s = time.monotonic() - begun
    done = served.counts[work.kind]
    if done == 0:
        raise Failed(f"it did nothing: {run.err[-500:]}{run.out[-500:]}")
    failed = failures(tool, run)
    if failed > MOST_FAILED * done / elapsed_s:
        raise Failed(f"{failed:.0f} operations failed: {run.err[-500:]}{run.out[-500:]}")
    return Figures(run.cpu_us / done, done / elapsed_s, run.peak_bytes / 2**20, done)


def in_turn(attempts, rounds):
    """The results of each attempt by its name, and why one has none."""
    rows, against = {name: [] for name in attempts}, {}
    for _ in range(rounds):
        for name in list(rows):
            try:
                rows[name].append(attempts[name]())
            except Failed as failure:
                against[name] = " ".join(str(failure).split())
                del rows[name]
    return rows, against
