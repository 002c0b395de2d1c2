"""The directories that ldap.py puts load on, each started anew for each run, so that all runs find the same.

Both count the operations that they answer: what a generator says of itself is not asked.
"""

import base64
import contextlib
import hashlib
import os
import re
import shutil
import socket
import subprocess
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

from measure import TARGET_CORE, Failed

SUFFIX = "dc=example,dc=com"
PEOPLE = f"ou=people,{SUFFIX}"
MANAGER = f"cn=admin,{SUFFIX}"
PASSWORD = "password"
# `uid=user.0` and so on.
USERS = 2_000
# Both start in far less.
START_LIMIT_S = 20
STOP_LIMIT_S = 20


class Served(NamedTuple):
    """A directory while it runs; the counts are there when it has ended."""
    port: int
    counts: dict


def succeed(command):
    """Runs a command of a set-up; what it prints."""
    done = subprocess.run(list(map(str, command)), capture_output=True, text=True, check=False)
    if done.returncode:
        raise Failed(f"{command[0]}: {done.stderr}")
    return done.stdout


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


@contextlib.contextmanager
def listening(command, port, out=subprocess.DEVNULL):
    """Runs a server on the target's core, in a session of its own, from when it listens to the end of the block."""
    server = subprocess.Popen(["taskset", "-c", TARGET_CORE, *map(str, command)], stdin=subprocess.DEVNULL, stdout=out,
                              start_new_session=True)
    try:
        until = time.monotonic() + START_LIMIT_S
        while True:
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", port)) == 0:
                    break
            if server.poll() is not None or time.monotonic() > until:
                raise Failed(f"{command[0]} does not listen on port {port}; see its message above")
            time.sleep(0.02)
        yield server
    finally:
        server.terminate()
        try:
            server.wait(STOP_LIMIT_S)
        except subprocess.TimeoutExpired:
            server.kill()
            server.wait()


class NullServer:
    """Answers at once, so that the generator is the bottleneck."""
    name = "null server"

    def __init__(self, binary):
        self.binary = binary

    def version(self):
        return "answers at once" if os.access(self.binary, os.X_OK) else None

    @contextlib.contextmanager
    def serve(self):
        served = Served(free_port(), {})
        with tempfile.TemporaryFile("w+") as out:
            with listening([self.binary, served.port], served.port, out):
                yield served
            out.seek(0)
            for line in out.read().splitlines():
                kind, count = line.split()
                served.counts[kind] = int(count)


class Slapd:
    """OpenLDAP with 2,000 users in memory-mapped files."""
    name = "slapd"

    def __init__(self, folder):
        self.folder = Path(folder)
        # It stands where ordinary users' search paths may not lead.
        self.programs = {name: shutil.which(name, path=f"{os.environ.get('PATH', '')}:/usr/sbin:/sbin")
                         for name in ("slapd", "slapadd", "ldapsearch")}

    def version(self):
        if not all(self.programs.values()):
            return None
        said = subprocess.run([self.programs["slapd"], "-VV"], capture_output=True, text=True, check=False).stderr
        return next((line.split()[3] for line in said.splitlines() if "OpenLDAP" in line), "of unknown version")

    def prepare(self):
        """Loads the users, once; each run gets a copy."""
        database = self.folder / "loaded"
        database.mkdir()
        configuration = self.configure(self.folder / "loaded.conf", database)
        (self.folder / "users.ldif").write_text(users())
        succeed([self.programs["slapadd"], "-q", "-f", configuration, "-l", self.folder / "users.ldif"])

    def configure(self, file, database):
        file.write_text(CONFIGURATION.format(database=database))
        return file

    @contextlib.contextmanager
    def serve(self):
        if not (self.folder / "loaded").exists():
            self.prepare()
        served = Served(free_port(), {})
        with tempfile.TemporaryDirectory(dir=self.folder) as folder:
            database = Path(folder) / "db"
            shutil.copytree(self.folder / "loaded", database)
            configuration = self.configure(Path(folder) / "slapd.conf", database)
            url = f"ldap://127.0.0.1:{served.port}"
            with listening([self.programs["slapd"], "-d", "0", "-f", configuration, "-h", f"{url}/"], served.port):
                yield served
                served.counts.update(self.counts(url))

    def counts(self, url):
        """What its monitor says, but for the bind with which it is asked."""
        said = succeed([self.programs["ldapsearch"], "-x", "-LLL", "-H", url, "-s", "one",
                        "-b", "cn=Operations,cn=Monitor", "monitorOpCompleted"])
        found = re.findall(r"^dn: cn=(\w+),.*\nmonitorOpCompleted: (\d+)", said, re.MULTILINE)
        counts = {name.lower(): int(count) for name, count in found}
        return counts | {"bind": counts["bind"] - 1}


CONFIGURATION = f"""\
include /etc/ldap/schema/core.schema
include /etc/ldap/schema/cosine.schema
include /etc/ldap/schema/inetorgperson.schema
modulepath /usr/lib/ldap
moduleload back_mdb
moduleload back_monitor
threads 4
database mdb
suffix {SUFFIX}
rootdn {MANAGER}
rootpw {PASSWORD}
directory {{database}}
maxsize 1073741824
dbnosync
index objectClass eq
index uid,cn,sn,mail eq
index description eq
access to attrs=userPassword by self write by anonymous auth by * none
access to * by * read
database monitor
"""


def users():
    """Entries of 18 attributes that anybody may read, and a salted password."""
    records = [f"dn: {SUFFIX}\nobjectClass: domain\ndc: example\n",
               f"dn: {PEOPLE}\nobjectClass: organizationalUnit\nou: people\n"]
    for number in range(USERS):
        salt = f"{number:08}".encode()
        hashed = base64.b64encode(hashlib.sha1(PASSWORD.encode() + salt).digest() + salt).decode()
        values = {
            "objectClass": "inetOrgPerson", "uid": f"user.{number}", "cn": f"User {number}", "sn": f"Name{number}",
            "givenName": "User", "initials": "UN", "employeeNumber": number, "mail": f"user.{number}@example.com",
            "telephoneNumber": f"+1 555 100 {number:04}", "homePhone": f"+1 555 200 {number:04}",
            "pager": f"+1 555 300 {number:04}", "mobile": f"+1 555 400 {number:04}", "street": f"{number} Example Street",
            "l": "Example City", "st": "EX", "postalCode": f"{number:05}",
            "postalAddress": f"User {number}${number} Example Street$Example City, EX",
            "description": f"This is the description of user {number}, as it was loaded.",
            "userPassword": f"{{SSHA}}{hashed}",
        }
        lines = "".join(f"{name}: {value}\n" for name, value in values.items())
        records.append(f"dn: uid=user.{number},{PEOPLE}\n{lines}")
    return "\n".join(records)
