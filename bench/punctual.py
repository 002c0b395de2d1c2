"""How soon a tool for directories sends its first request, and how well it keeps a rate."""

import contextlib
import os
import selectors
import signal
import socket
import statistics
import subprocess
import time

from ldap_tools import Work
from measure import GENERATOR_CORE, Failed
from tables import Table
from turns import in_turn, once

START_AIM_MS = 50
FIRST_REQUEST_LIMIT_S = 30
PACE_AIM_PERCENT = 0.5
RATES_PER_S = (100, 1_000, 5_000, 20_000)
PACE_S = 5


def start(present, arguments):
    """Medians of the rounds."""
    rows, against = in_turn({tool.name: lambda tool=tool: first_request_ms(tool) for tool in present}, arguments.rounds)
    table = Table("time from start to first request", ["", "ms", "rounds"], arguments.markdown)
    for name, times_ms in rows.items():
        table.add(name, f"{statistics.median(times_ms):,.0f}", " ".join(f"{time_ms:,.0f}" for time_ms in times_ms))
    if "LoadGen" in rows:
        table.judge("first request", statistics.median(rows["LoadGen"]), START_AIM_MS, "ms")
    table.print(against)


def first_request_ms(tool):
    """From before the start of a process to the first bytes that it sends to somebody who accepts everybody."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        command = tool.command(Work("search", listener.getsockname()[1], FIRST_REQUEST_LIMIT_S))
        begun = time.monotonic()
        process = subprocess.Popen(["taskset", "-c", GENERATOR_CORE, *map(str, command)], stdin=subprocess.DEVNULL,
                                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)
        try:
            return (first_bytes(listener, begun + FIRST_REQUEST_LIMIT_S) - begun) * 1e3
        finally:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()


def first_bytes(listener, until):
    """When they came, over whichever connection: the first may be there only to see that somebody is."""
    with selectors.DefaultSelector() as selector, contextlib.ExitStack() as accepted:
        selector.register(listener, selectors.EVENT_READ)
        while time.monotonic() < until:
            for key, _ in selector.select(1):
                if key.fileobj is listener:
                    selector.register(accepted.enter_context(listener.accept()[0]), selectors.EVENT_READ)
                elif key.fileobj.recv(1):
                    return time.monotonic()
                else:
                    selector.unregister(key.fileobj)
    raise Failed(f"no request within {FIRST_REQUEST_LIMIT_S} s")


def pace(server, present, arguments):
    """By how much the operations that the server counted differ from those that were due."""
    seconds = min(PACE_S, arguments.seconds)
    for rate in RATES_PER_S:
        work = Work("search", 0, seconds, rate)
        able = [tool for tool in present if tool.command(work)]
        rows, against = in_turn({tool.name: lambda tool=tool: once(tool, server, work) for tool in able}, arguments.rounds)
        against |= {tool.name: "it keeps no rate" for tool in present if tool not in able}
        table = Table(f"{rate:,} searches a second, {seconds} s", ["", "operations", "error", "CPU µs/op"], arguments.markdown)
        errors = {}
        for name, runs in rows.items():
            done = statistics.median(run.operations for run in runs)
            errors[name] = (done / (rate * seconds) - 1) * 100
            table.add(name, f"{done:,.0f}", f"{errors[name]:+.2f} %", f"{statistics.median(run.cpu_us for run in runs):.1f}")
        if "LoadGen" in errors:
            table.judge("error", abs(errors["LoadGen"]), PACE_AIM_PERCENT, "%")
        table.print(against)
