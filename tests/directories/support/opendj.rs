//! A real OpenDJ, shared by all tests of the process. Setting one up takes long: that is done once and kept in
//! `target/servers`; a test run starts a copy.

use super::directory::{
    Counter, Directory, PASSWORD, SUFFIX, Server, Shared, free_port, listens, succeed, users,
};
use super::keeper::Keeper;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

/// As in `scripts/install`.
const VERSION: &str = "5.0.3";
/// Grows with every change of what `prepare` makes.
const RECIPE: u32 = 2;
/// It starts in a few seconds, unless the machine has much else to do.
const LIMIT: Duration = Duration::from_secs(120);

const MANAGER: &str = "cn=Directory Manager";
/// Ports of the prepared instance, which never runs: LDAP, LDAPS, administration.
const PREPARED_PORTS: [u16; 3] = [1389, 1636, 4444];
/// Its certificate's name in the key store.
const CERTIFICATE: &str = "server-cert";
/// A small heap, little work for compilers and collectors: it runs for half a minute.
const JAVA: [&str; 4] = ["-Xms256m", "-Xmx512m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"];
/// What of a set-up belongs to the instance; all else is as in the distribution.
const INSTANCE: [&str; 4] = ["config", "db", "server.jks", "server.pem"];
/// What a server writes to.
const EMPTY: [&str; 8] = ["bak", "changelogDb", "classes", "import-tmp", "ldif", "locks", "logs", "tmp"];

/// How a rate tool uses connections on which it asks for TLS. About one in fifty that are secured so costs 10 s or more:
/// OpenDJ 5.0.3 takes the first bytes of TLS for a second handshake, and one of the threads that read of all
/// connections waits for its end.
pub(crate) const FEW_START_TLS: &str = "-f";

/// The one of this process.
pub(crate) static OPENDJ: Shared<OpenDj> = Shared::new(OpenDj::start);

/// A running OpenDJ.
pub(crate) struct OpenDj {
    pub(crate) directory: Directory,
    folder: PathBuf,
    ports: [u16; 2],
    keeper: Keeper,
}

impl OpenDj {
    fn start() -> Self {
        let folder = tempfile::Builder::new().prefix("opendj").tempdir().unwrap();
        let ports = [free_port(), free_port(), free_port()];
        instantiate(&prepared(), folder.path(), ports);
        // From here on the keeper removes it.
        let folder = folder.keep();
        let [port, secure_port, _] = ports;
        let directory = Directory {
            url: format!("ldap://127.0.0.1:{port}"),
            secure_url: format!("ldaps://127.0.0.1:{secure_port}"),
            authority: folder.join("server.pem"),
            server_name: "localhost",
            manager: MANAGER,
            counters: counters(port),
        };
        let keeper = Keeper::new(&folder, &program(&folder));
        let mut opendj = Self { directory, folder, ports: [port, secure_port], keeper };
        opendj.resume();
        opendj
    }
}

impl Server for OpenDj {
    fn directory(&self) -> &Directory {
        &self.directory
    }

    fn stop(&mut self) {
        self.keeper.stop();
    }

    fn resume(&mut self) {
        self.keeper.start();
        let log = || fs::read_to_string(self.folder.join("server.log")).unwrap_or_default();
        assert!(self.ports.iter().all(|port| listens(*port, LIMIT)), "OpenDJ does not listen: {}", log());
    }
}

/// What `start-ds` of the distribution runs.
fn program(folder: &Path) -> Command {
    let mut java = Command::new("java");
    java.args(JAVA)
        .arg("-cp")
        .arg(folder.join("lib/bootstrap.jar"))
        .arg(format!("-Dorg.opends.server.ServerRoot={}", folder.display()))
        .args(["org.opends.server.core.DirectoryServer", "--nodetach", "--configFile"])
        .arg(folder.join("config/config.ldif"))
        .env("INSTALL_ROOT", folder)
        .env("INSTANCE_ROOT", folder);
    java
}

/// A copy of what was set up, on ports of its own.
fn instantiate(prepared: &Path, folder: &Path, ports: [u16; 3]) {
    for name in INSTANCE {
        let copied = Command::new("cp").arg("-r").arg(prepared.join(name)).arg(folder).status().unwrap();
        assert!(copied.success());
    }
    for name in EMPTY {
        fs::create_dir(folder.join(name)).unwrap();
    }
    for name in ["lib", "template"] {
        symlink(distribution().join(name), folder.join(name)).unwrap();
    }
    let file = folder.join("config/config.ldif");
    let mut configuration = fs::read_to_string(&file).unwrap();
    for (from, to) in PREPARED_PORTS.iter().zip(ports) {
        let line = |port: u16| format!("ds-cfg-listen-port: {port}\n");
        configuration = configuration.replace(&line(*from), &line(to));
    }
    fs::write(file, configuration).unwrap();
}

fn servers() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("target/servers")
}

fn distribution() -> PathBuf {
    let distribution = servers().join(format!("opendj-{VERSION}/opendj"));
    assert!(distribution.exists(), "OpenDJ is needed for these tests: `scripts/install` gets it");
    distribution
}

/// An instance that was set up, now or by an earlier run.
fn prepared() -> PathBuf {
    let prepared = servers().join(format!("opendj-{VERSION}-prepared-{RECIPE}"));
    if !prepared.exists() {
        let part = tempfile::Builder::new().prefix("opendj-part").tempdir_in(servers()).unwrap();
        let home = part.path().join("opendj");
        prepare(&home);
        let kept = part.path().join("kept");
        fs::create_dir(&kept).unwrap();
        for name in INSTANCE {
            fs::rename(home.join(name), kept.join(name)).unwrap();
        }
        // Another process may have been faster; then this one is not needed.
        let renamed = fs::rename(kept, &prepared);
        assert!(renamed.is_ok() || prepared.exists(), "{renamed:?}");
    }
    prepared
}

fn prepare(home: &Path) {
    succeed(Command::new("cp").arg("-r").arg(distribution()).arg(home));
    fs::write(home.join("users.ldif"), users()).unwrap();
    let keys = home.join("server.jks");
    certificate(home, &keys);
    let [port, secure_port, administration_port] = PREPARED_PORTS.map(|port| port.to_string());
    succeed(
        Command::new(home.join("setup"))
            .env("OPENDJ_JAVA_ARGS", JAVA.join(" "))
            .args(["--cli", "--no-prompt", "--acceptLicense", "--doNotStart", "--skipPortCheck"])
            .args(["--hostname", "localhost", "--ldapPort", &port, "--ldapsPort", &secure_port])
            .args(["--adminConnectorPort", &administration_port])
            .args(["--rootUserDN", MANAGER, "--rootUserPassword", PASSWORD])
            .args(["--baseDN", SUFFIX, "--ldifFile"])
            .arg(home.join("users.ldif"))
            .args(["--enableStartTLS", "--certNickname", CERTIFICATE, "--keyStorePassword", PASSWORD])
            .arg("--useJavaKeystore")
            .arg(&keys),
    );
    let file = home.join("config/config.ldif");
    let configuration = fs::read_to_string(&file).unwrap();
    let lines = configuration.lines().map(|line| match line {
        // The set-up has no option for it.
        _ if line.starts_with("ds-cfg-listen-address: ") => "ds-cfg-listen-address: 127.0.0.1",
        _ if line.starts_with("ds-cfg-key-store-file: ") && line.ends_with("/server.jks") => {
            "ds-cfg-key-store-file: server.jks"
        }
        "ds-cfg-default-root-privilege-name: config-write" => {
            "ds-cfg-default-root-privilege-name: config-write\nds-cfg-default-root-privilege-name: proxied-auth"
        }
        _ => line,
    });
    fs::write(&file, lines.collect::<Vec<_>>().join("\n") + "\n").unwrap();
}

/// A certificate for `localhost`, which signs itself, in a key store; beside it as PEM. The one that the set-up makes
/// has no alternative name of the subject, without which a certificate is good for no server (RFC 9525 section 6.3).
fn certificate(home: &Path, keys: &Path) {
    let keytool = || {
        let mut command = Command::new("keytool");
        command
            .args(["-alias", CERTIFICATE, "-storetype", "JKS", "-storepass", PASSWORD, "-keystore"])
            .arg(keys);
        command
    };
    succeed(
        keytool().args(["-genkeypair", "-keyalg", "RSA", "-keysize", "2048", "-validity", "36500"]).args([
            "-dname",
            "CN=localhost",
            "-ext",
            "san=dns:localhost",
            "-keypass",
            PASSWORD,
        ]),
    );
    succeed(keytool().args(["-exportcert", "-rfc", "-file"]).arg(home.join("server.pem")));
}

fn counters(port: u16) -> Vec<Counter> {
    let names = [
        ("bind", "bindRequests"),
        ("search", "searchRequests"),
        ("compare", "compareRequests"),
        ("add", "addRequests"),
        ("modify", "modifyRequests"),
        ("delete", "deleteRequests"),
        ("modifydn", "modifyDNRequests"),
        ("extended", "extendedRequests"),
    ];
    let counter = |(operation, attribute)| Counter {
        operation,
        base: "cn=monitor".to_owned(),
        filter: format!("(cn=LDAP Connection Handler * port {port} Statistics)"),
        attribute,
    };
    names.map(counter).into()
}
