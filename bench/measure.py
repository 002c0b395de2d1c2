"""The target, and one measured run of a generator against it: what compare.py, peers.py and ldap.py share.

Target on one core, generator on the other.
"""

import contextlib
import json
import os
import resource
import signal
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

HERE = Path(__file__).resolve().parent
# As in nginx.conf.
PORTS = (18080, 18443, 18444)
TARGET_CORE, GENERATOR_CORE = "0", "1"
# A generator that runs longer than this hangs; the longest job takes half a minute.
LONGEST_RUN_S = 120
# How often the memory of a run is looked at; a peak is a high-water mark, so only its last moments can be missed.
LOOK_EVERY_S = 0.05


class Run(NamedTuple):
    """What a generator printed, and what it cost."""
    out: str
    err: str
    code: int
    cpu_us: float
    peak_bytes: int


class Failed(Exception):
    """A generator did not do what it was asked for."""


def allow_many_connections():
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


def end_on_sigterm():
    """Like ^C, so that what was started is stopped."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("stopped"))


@contextlib.contextmanager
def nginx():
    """Runs the target as long as the block."""
    end_on_sigterm()
    with tempfile.TemporaryDirectory() as folder:
        server = start_nginx(Path(folder))
        try:
            yield
        finally:
            server.terminate()
            server.wait()


def start_nginx(folder):
    # nginx tries for seconds to get its ports; until then another target would be measured.
    for port in PORTS:
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                sys.exit(f"port {port} is taken; is another target running?")
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=localhost",
         "-keyout", folder / "key.pem", "-out", folder / "certificate.pem"],
        check=True, stderr=subprocess.DEVNULL)
    (folder / "nginx.conf").write_text((HERE / "nginx.conf").read_text())
    server = subprocess.Popen(["taskset", "-c", TARGET_CORE, "nginx", "-p", folder, "-c", folder / "nginx.conf"])
    time.sleep(1)
    if server.poll() is not None:
        sys.exit("nginx did not start; see its message above")
    return server


def measured(command, environment=None):
    """Runs a command and all that it starts on the generator's core. It is stopped when it takes too long."""
    with tempfile.TemporaryFile("w+") as out, tempfile.TemporaryFile("w+") as err:
        process = subprocess.Popen(["taskset", "-c", GENERATOR_CORE, *map(str, command)], stdin=subprocess.DEVNULL,
                                   stdout=out, stderr=err, env=environment, start_new_session=True)
        try:
            code, usage, peak = watch(process.pid)
            process.returncode = code
        finally:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            if process.returncode is None:
                process.wait()
        out.seek(0)
        err.seek(0)
        return Run(out.read(), err.read(), code, (usage.ru_utime + usage.ru_stime) * 1e6, peak)


def watch(process):
    """Waits for a process: its exit code, its resources with those of its children, its peak memory in bytes."""
    peak, deadline = 0, time.monotonic() + LONGEST_RUN_S
    while time.monotonic() < deadline:
        ended, status, usage = os.wait4(process, os.WNOHANG)
        if ended:
            return os.waitstatus_to_exitcode(status), usage, peak
        peak = max(peak, tree_peak_bytes(process))
        time.sleep(LOOK_EVERY_S)
    raise Failed(f"it did not end within {LONGEST_RUN_S} s")


def tree_peak_bytes(process):
    """The high-water marks of a process and its children; rusage has that of its parent before exec in it."""
    folder = Path(f"/proc/{process}")
    try:
        lines = (folder / "status").read_text().splitlines()
        children = (folder / f"task/{process}/children").read_text().split()
    except (FileNotFoundError, ProcessLookupError):
        return 0
    own = sum(int(line.split()[1]) * 1024 for line in lines if line.startswith("VmHWM:"))
    return own + sum(tree_peak_bytes(child) for child in children)


def loadgen_report(binary, job, *more):
    """One run of a job of bench/jobs on one generator thread: the run and its report."""
    with tempfile.NamedTemporaryFile(suffix=".json") as file:
        run = measured([binary, "run", HERE / "jobs" / f"{job}.yaml", "--threads", "1", "--quiet",
                        "-o", f"json={file.name}", *more])
        text = Path(file.name).read_text()
    if not text:
        raise Failed(f"loadgen has no report: {run.err}{run.out}")
    report = json.loads(text)
    if report["totals"]["failed"]:
        raise Failed(f"requests failed:\n{run.out}")
    return run, report
