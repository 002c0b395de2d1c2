"""The load tools for directories that ldap.py compares, and how each is told to do the same.

A tool is a function from what is to be done to a command line, or to nothing where it cannot do that.
bench/README.md says how to get each.
"""

import os
import re
import shutil
import subprocess
from pathlib import Path
from typing import Callable, NamedTuple, Optional

from directories import MANAGER, PASSWORD, PEOPLE, SUFFIX, USERS
from measure import HERE

SERVERS = HERE.parent / "target" / "servers"
# As in scripts/install.
OPENDJ = SERVERS / "opendj-5.0.3" / "opendj" / "bin"
UNBOUNDID = "7.0.5"
# 4 connections of 4 operations under way, or 16 connections of one where a tool shares none; binds share none.
CONNECTIONS, EACH = 4, 4
IN_FLIGHT = CONNECTIONS * EACH
BIND_CONNECTIONS = 10


class Work(NamedTuple):
    """What a tool is asked for: `search`, `modify` or `bind`, where, how long, and how fast if not as fast as it can."""
    kind: str
    port: int
    seconds: int
    rate_per_s: int = 0


class Tool(NamedTuple):
    name: str
    version: Callable[[], Optional[str]]
    command: Callable[[Work], Optional[list]]
    # Finds the failures a second, or of a run, in what it prints; any other number than 0 is one too many.
    failures: str
    # A virtual machine that compiles while it runs: a longer run shows what an operation costs it later.
    compiles: bool = False


def first_line(command, pattern):
    """The version in what a command prints, or nothing when it is not there."""
    if not shutil.which(command[0]):
        return None
    said = subprocess.run(list(map(str, command)), capture_output=True, text=True, check=False)
    found = re.search(pattern, said.stdout + said.stderr)
    return found.group(1) if found else "of unknown version"


def rate_tool(work, user, text, last, rest):
    """The command line that LoadGen shares with OpenDJ: the placeholders of a user and of a text, the last number."""
    pace = ["-h", "127.0.0.1", "-p", work.port, "-d", work.seconds]
    pace += ["-M", work.rate_per_s] if work.rate_per_s else []
    draw = ["-g", f"rand(0,{last})"]
    if work.kind == "bind":
        return ["authrate", *pace, "-f", "-c", BIND_CONNECTIONS, "-D", f"uid=user.{user},{PEOPLE}", "-w", PASSWORD, *draw, *rest]
    pace += ["-F", "-c", CONNECTIONS, "-t", EACH]
    if work.kind == "search":
        return ["searchrate", *pace, "-b", SUFFIX, *draw, *rest, f"(uid=user.{user})"]
    return ["modrate", *pace, "-D", MANAGER, "-w", PASSWORD, "-b", f"uid=user.{user},{PEOPLE}", *draw, "-g", "randstr(16)",
            *rest, f"description:{text}"]


def loadgen(binary):
    return Tool("LoadGen", lambda: first_line([binary, "--version"], r"(\S+)\s*$"),
                lambda work: [binary, *rate_tool(work, "{1}", "{2}", USERS - 1, [])],
                r"(\d[\d,]*) failed")


def opendj_command(work):
    # Its upper bound is never drawn.
    name, *words = rate_tool(work, "%1$d", "%2$s", USERS, ["--noPropertiesFile"])
    return [OPENDJ / name, *words]


def unboundid(jar):
    def command(work):
        java = ["java", "-cp", jar]
        rest = ["-h", "127.0.0.1", "-p", work.port, "-i", work.seconds, "-I", 1, "--noPropertiesFile"]
        rest += ["-r", work.rate_per_s] if work.rate_per_s else []
        user = f"uid=user.[0-{USERS - 1}]"
        examples = "com.unboundid.ldap.sdk.examples"
        if work.kind == "search":
            return [*java, f"{examples}.SearchRate", *rest, "-t", IN_FLIGHT, "-b", SUFFIX, "-s", "sub", "-f", f"({user})"]
        if work.kind == "modify":
            return [*java, f"{examples}.ModRate", *rest, "-t", IN_FLIGHT, "-D", MANAGER, "-w", PASSWORD,
                    "--entryDN", f"{user},{PEOPLE}", "--attribute", "description", "--valueLength", 16]
        return [*java, f"{examples}.AuthRate", *rest, "-t", BIND_CONNECTIONS, "-b", f"{user},{PEOPLE}", "-s", "base",
                "-f", "(objectClass=*)", "--credentials", PASSWORD, "--bindOnly"]

    version = lambda: UNBOUNDID if shutil.which("java") and Path(jar).exists() else None
    return Tool("UnboundID", version, command, r" ([\d.]+) +[\d.]+ +[\d.]+ *$", compiles=True)


def ldclt_command(work):
    """It opens a connection for each bind, has no rate, and ends after samples of 10 s unless it is interrupted."""
    if work.kind == "bind" or work.rate_per_s:
        return None
    # A number has as many digits as there are `X`; so the users are those whose numbers have four.
    to_do = ["-e", "random,esearch"] if work.kind == "search" else \
        ["-D", MANAGER, "-w", PASSWORD, "-e", f"random,attreplace=description:{'X' * 16}"]
    return ["timeout", "-s", "INT", work.seconds, "ldclt", "-q", "-h", "127.0.0.1", "-p", work.port, "-n", IN_FLIGHT,
            "-b", PEOPLE, *to_do, "-f", "uid=user.XXXX", "-r", USERS // 2, "-R", USERS - 1]


def tools(binary, jar):
    """LoadGen first."""
    return [
        loadgen(binary),
        Tool("OpenDJ", lambda: first_line([OPENDJ / "searchrate", "--version"], r"(\S+)"), opendj_command,
             r"\| +([\d.]+)(?: +[\d.]+)? \| *$", compiles=True),
        unboundid(jar),
        Tool("ldclt", lambda: first_line(["ldclt", "-V"], r"version (\S+)"), ldclt_command, r"occurs\s+(\d+) times"),
    ]


def failures(tool, run):
    """How many operations failed, by what the tool printed."""
    found = re.findall(tool.failures, run.out + run.err, re.MULTILINE)
    return max((float(text.replace(",", "")) for text in found), default=0.0)
