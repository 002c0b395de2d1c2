//! A real 389 Directory Server, shared by all tests of the process. Its own set-up wants to be root and writes below
//! `/etc`; this one makes the same instance of the package's templates in a folder, as whoever runs the tests.

use super::directory::{
    Counter, Directory, PASSWORD, SUFFIX, Server, Shared, free_port, listens, succeed, users,
};
use super::keeper::Keeper;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

/// It starts in about a second.
const LIMIT: Duration = Duration::from_secs(60);
const MANAGER: &str = "cn=Directory Manager";
const BACKEND: &str = "userRoot";
/// It stands where ordinary users' search paths may not lead.
const PROGRAM: &str = "/usr/sbin/ns-slapd";
/// Templates and schema of the package.
const PACKAGE: &str = "/usr/share/dirsrv";

/// The one of this process.
pub(crate) static DS389: Shared<Ds389> = Shared::new(Ds389::start);

/// A running 389 Directory Server.
pub(crate) struct Ds389 {
    pub(crate) directory: Directory,
    folder: PathBuf,
    ports: [u16; 2],
    keeper: Keeper,
}

impl Ds389 {
    fn start() -> Self {
        assert!(
            Path::new(PROGRAM).exists(),
            "389 Directory Server is needed for these tests: `scripts/install` gets it"
        );
        let folder = tempfile::Builder::new().prefix("ds389").tempdir().unwrap();
        let (port, secure_port) = (free_port(), free_port());
        set_up(folder.path(), port, secure_port);
        // From here on the keeper removes it.
        let folder = folder.keep();
        let directory = Directory {
            url: format!("ldap://127.0.0.1:{port}"),
            secure_url: format!("ldaps://127.0.0.1:{secure_port}"),
            authority: folder.join("server.pem"),
            server_name: "localhost",
            manager: MANAGER,
            counters: counters(),
        };
        let mut program = Command::new(PROGRAM);
        program.arg("-D").arg(&folder).args(["-d", "0", "-i"]).arg(folder.join("pid"));
        let keeper = Keeper::new(&folder, &program);
        let mut server = Self { directory, folder, ports: [port, secure_port], keeper };
        server.resume();
        server
    }
}

impl Server for Ds389 {
    fn directory(&self) -> &Directory {
        &self.directory
    }

    fn stop(&mut self) {
        self.keeper.stop();
    }

    fn resume(&mut self) {
        self.keeper.start();
        let log = || fs::read_to_string(self.folder.join("logs/errors")).unwrap_or_default();
        assert!(
            self.ports.iter().all(|port| listens(*port, LIMIT)),
            "389 Directory Server does not listen: {}",
            log()
        );
    }
}

fn set_up(folder: &Path, port: u16, secure_port: u16) {
    for name in ["schema", "db/userRoot", "logs", "run", "lock", "bak", "ldif", "home"] {
        fs::create_dir_all(folder.join(name)).unwrap();
    }
    for file in fs::read_dir(format!("{PACKAGE}/schema")).unwrap() {
        let file = file.unwrap();
        fs::copy(file.path(), folder.join("schema").join(file.file_name())).unwrap();
    }
    // Where changes of the schema would be written.
    let own =
        "dn: cn=schema\nobjectClass: top\nobjectClass: ldapSubentry\nobjectClass: subschema\ncn: schema\n";
    fs::write(folder.join("schema/99user.ldif"), own).unwrap();
    fs::write(folder.join("certmap.conf"), "certmap default default\n").unwrap();
    fs::write(folder.join("dse.ldif"), configuration(folder, port, secure_port)).unwrap();
    let rights = "dc: example\n\
        aci: (targetattr != \"userPassword\")(version 3.0; acl \"read\"; allow (read, search, compare) \
        userdn = \"ldap:///anyone\";)\n\
        aci: (targetattr = \"*\")(version 3.0; acl \"self\"; allow (write) userdn = \"ldap:///self\";)\n";
    let ldif = folder.join("ldif/users.ldif");
    fs::write(&ldif, users().replacen("dc: example\n", rights, 1)).unwrap();
    certificate(folder);
    succeed(Command::new(PROGRAM).args(["ldif2db", "-n", BACKEND, "-D"]).arg(folder).arg("-i").arg(ldif));
}

/// A certificate that the server signs itself, in a database without a password.
fn certificate(folder: &Path) {
    let noise = folder.join("noise");
    fs::write(&noise, [0x5a; 2048]).unwrap();
    let database = || {
        let mut command = Command::new("certutil");
        command.arg("-d").arg(folder);
        command
    };
    succeed(database().args(["-N", "--empty-password"]));
    succeed(
        database()
            .args(["-S", "-x", "-n", "Server-Cert", "-s", "CN=localhost", "-8", "localhost", "-m", "1"])
            .args(["-t", "CTu,u,u", "-z"])
            .arg(noise),
    );
    let certificate = succeed(database().args(["-L", "-n", "Server-Cert", "-a"]));
    fs::write(folder.join("server.pem"), certificate).unwrap();
}

/// The package's templates, filled in.
fn configuration(folder: &Path, port: u16, secure_port: u16) -> String {
    let template = |name| fs::read_to_string(format!("{PACKAGE}/data/template-{name}.ldif")).unwrap();
    let all = [template("dse"), template("suffix-db"), template("sasl")].join("\n\n");
    let root = folder.display();
    let user = succeed(Command::new("id").arg("-un"));
    let values = [
        ("schema_dir", format!("{root}/schema")),
        ("lock_dir", format!("{root}/lock")),
        ("tmp_dir", format!("{root}/run")),
        ("cert_dir", root.to_string()),
        ("ldif_dir", format!("{root}/ldif")),
        ("bak_dir", format!("{root}/bak")),
        ("run_dir", format!("{root}/run")),
        ("inst_dir", root.to_string()),
        ("log_dir", format!("{root}/logs")),
        ("db_dir", format!("{root}/db")),
        ("db_home_dir", format!("{root}/home")),
        ("db_lib", "bdb".to_owned()),
        ("fqdn", "localhost".to_owned()),
        ("ds_port", port.to_string()),
        ("ds_user", user.trim().to_owned()),
        ("rootdn", MANAGER.to_owned()),
        ("ds_passwd", format!("{{CLEAR}}{PASSWORD}")),
        ("ldapi_enabled", "on".to_owned()),
        ("ldapi_autobind", "on".to_owned()),
        ("ldapi", format!("{root}/ldapi")),
        ("ds_suffix", SUFFIX.to_owned()),
        ("ds_bename", BACKEND.to_owned()),
    ];
    let filled = values.iter().fold(all, |text, (name, value)| text.replace(&format!("%{name}%"), value));
    let own = format!(
        "nsslapd-listenhost: 127.0.0.1\nnsslapd-securelistenhost: 127.0.0.1\nnsslapd-security: on\n\
         nsslapd-securePort: {secure_port}\npasswordStorageScheme: SSHA\n\
         passwordMustChange: on\nnsslapd-port:"
    );
    // A comment or a second empty line between entries is an error to the server. The rules of national orders
    // lie where only its own user may read; nothing here needs them.
    let lines =
        filled.lines().filter(|line| !line.starts_with('#') && !line.contains("slapd-collations.conf"));
    let text = lines.collect::<Vec<_>>().join("\n").replacen("nsslapd-port:", &own, 1);
    let entries = text.split("\n\n").map(str::trim).filter(|entry| !entry.is_empty());
    entries.collect::<Vec<_>>().join("\n\n") + "\n"
}

fn counters() -> Vec<Counter> {
    let names = [
        ("bind", "simpleauthbinds"),
        ("search", "searchops"),
        ("compare", "compareops"),
        ("add", "addentryops"),
        ("modify", "modifyentryops"),
        ("delete", "removeentryops"),
        ("modifydn", "modifyrdnops"),
    ];
    let counter = |(operation, attribute)| Counter {
        operation,
        base: "cn=snmp,cn=monitor".to_owned(),
        filter: "(objectClass=*)".to_owned(),
        attribute,
    };
    names.map(counter).into()
}
