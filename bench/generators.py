"""How each generator is told what to do, and how its answer is read.

A generator is a function from a load to a command, or to nothing where it cannot do that, and one from its run to
what it counted. bench/README.md says how to get each.
"""

import json
import re
import shutil
import subprocess
from typing import Callable, NamedTuple

from measure import HERE, Failed

SCRIPTS = HERE / "peers"


class Load(NamedTuple):
    """What all generators are asked for."""
    title: str
    # The job of bench/jobs that is the same for LoadGen.
    job: str
    scheme: str = "http"
    port: int = 18080
    # The users of a generator that knows users, each with one connection and one request at a time.
    connections: int = 100
    streams: int = 1
    rate_per_s: int = 0
    posts: bool = False
    http2: bool = False

    def url(self):
        return f"{self.scheme}://127.0.0.1:{self.port}/x"


class Counted(NamedTuple):
    """What a generator says that it did."""
    requests: int
    rate_per_s: float
    failed: float = 0


class Generator(NamedTuple):
    version: list
    command: Callable
    counted: Callable
    # Why it has no figure, by what a load needs.
    cannot: dict = {}


def number(pattern, text):
    found = re.search(pattern, text)
    if not found:
        raise Failed(f"its output has no `{pattern}`: {text[-500:]}")
    return float(found.group(1))


def wrk(load, seconds):
    script = ["-s", SCRIPTS / "post.lua"] if load.posts else []
    return ["wrk", "-t1", f"-c{load.connections}", f"-d{seconds}s", *script, load.url()]


def wrk_counted(run):
    failed = re.search(r"Non-2xx or 3xx responses: (\d+)", run.out)
    return Counted(int(number(r"(\d+) requests in", run.out)), number(r"Requests/sec:\s+([\d.]+)", run.out),
                   int(failed.group(1)) if failed else 0)


def h2load(load, seconds):
    protocol = [] if load.http2 else ["--h1"]
    rate = [f"--rps={load.rate_per_s // load.connections}"] if load.rate_per_s else []
    return ["h2load", "-t1", f"-c{load.connections}", f"-m{load.streams}", f"-D{seconds}", *protocol, *rate, load.url()]


def h2load_counted(run):
    return Counted(int(number(r"(\d+) succeeded", run.out)), number(r"([\d.]+) req/s", run.out),
                   number(r"(\d+) failed", run.out))


def oha(load, seconds):
    rate = ["-q", load.rate_per_s] if load.rate_per_s else []
    protocol = ["--http2", "-p", load.streams] if load.http2 else []
    return ["oha", "--no-tui", "--output-format", "json", "--insecure", "-z", f"{seconds}s",
            "-c", load.connections, *rate, *protocol, load.url()]


def oha_counted(run):
    report = json.loads(run.out)
    answers = report["statusCodeDistribution"]
    return Counted(answers.get("200", 0), report["summary"]["requestsPerSec"], sum(answers.values()) - answers.get("200", 0))


def hey(load, seconds):
    rate = ["-q", load.rate_per_s // load.connections] if load.rate_per_s else []
    return ["hey", "-z", f"{seconds}s", "-c", load.connections, *rate, load.url()]


def hey_counted(run):
    failed = sum(int(count) for count in re.findall(r"\[[1345]\d\d\]\s+(\d+) responses", run.out))
    return Counted(int(number(r"\[200\]\s+(\d+) responses", run.out)), number(r"Requests/sec:\s+([\d.]+)", run.out), failed)


def vegeta(load, seconds):
    attack = (f"vegeta attack -insecure -http2=false -duration={seconds}s -rate={load.rate_per_s} "
              f"-workers={load.connections} -max-workers={load.connections} | vegeta report -type=json")
    return ["sh", "-c", f"echo 'GET {load.url()}' | {attack}"]


def vegeta_counted(run):
    report = json.loads(run.out)
    good = report["status_codes"].get("200", 0)
    return Counted(good, report["throughput"], report["requests"] - good)


def k6(load, seconds):
    values = {"URL": load.url(), "USERS": load.connections, "SECONDS": seconds, "EXEC": "post" if load.posts else "get"}
    if load.rate_per_s:
        values["RATE"] = load.rate_per_s
    settings = [word for name, value in values.items() for word in ("-e", f"{name}={value}")]
    return ["k6", "run", "--quiet", "--no-usage-report", "--address", "", *settings, SCRIPTS / "k6.js"]


def k6_counted(run):
    report = json.loads(run.out[run.out.index("{"):])
    return Counted(report["requests"], report["rate"], report["failed"] * report["requests"])


def jmeter(load, seconds):
    plan = SCRIPTS / ("jmeter-post.jmx" if load.posts else "jmeter-get.jmx")
    values = {"users": load.connections, "seconds": seconds, "protocol": load.scheme, "port": load.port}
    return ["jmeter", "-n", "-j", "/dev/null", "-t", plan, *(f"-J{name}={value}" for name, value in values.items())]


def jmeter_counted(run):
    total = re.findall(r"summary =\s+(\d+) in \S+ =\s+([\d.]+)/s.*Err:\s+(\d+)", run.out)
    if not total:
        raise Failed(f"it has no summary: {run.out[-500:]}{run.err[-500:]}")
    requests, rate, failed = total[-1]
    return Counted(int(requests), float(rate), int(failed))


ONE_CONNECTION = "all its requests share one connection"
PEERS = {
    "wrk": Generator(["wrk", "-v"], wrk, wrk_counted, {"http2": "speaks no HTTP/2", "rate": "has no rate"}),
    "h2load": Generator(["h2load", "--version"], h2load, h2load_counted, {"posts": "captures nothing"}),
    "oha": Generator(["oha", "--version"], oha, oha_counted, {"posts": "captures nothing"}),
    # It cannot tell its version.
    "hey": Generator(["dpkg-query", "-W", "hey"], hey, hey_counted,
                     {"posts": "captures nothing", "http2": ONE_CONNECTION}),
    "vegeta": Generator(["vegeta", "-version"], vegeta, vegeta_counted,
                        {"posts": "captures nothing", "http2": ONE_CONNECTION}),
    "k6": Generator(["k6", "version"], k6, k6_counted, {"streams": "a user has one request at a time"}),
    "jmeter": Generator(["jmeter", "-v"], jmeter, jmeter_counted,
                        {"http2": "speaks no HTTP/2", "rate": "has a rate in a thread group of its own, not compared"}),
}


def reason_against(generator, load):
    """Why a generator cannot do what is asked, or nothing."""
    needs = {"posts": load.posts, "http2": load.http2, "streams": load.streams > 1, "rate": load.rate_per_s}
    return next((generator.cannot[need] for need, needed in needs.items() if needed and need in generator.cannot), None)


def version_of(name):
    """The version of a generator on this machine, nothing if it is not installed."""
    if not shutil.which(name):
        return None
    try:
        told = subprocess.run(PEERS[name].version, capture_output=True, text=True, timeout=30, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return "of unknown version"
    found = re.search(r"\d+\.\d+[\w.+-]*", told.stdout + told.stderr)
    return found.group() if found else "of unknown version"
