//! A real OpenLDAP server on free loopback ports and a local socket. It starts so fast that each test has its own.

use super::certificates::Authority;
use super::command::Folder;
use super::directory::{Counter, Directory, PASSWORD, SUFFIX, Server, free_port, listens, succeed, users};
use rustix::process::{Pid, Signal, kill_process};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

/// It starts in far less than this.
const LIMIT: Duration = Duration::from_secs(10);
/// The name of its manager.
pub(crate) const MANAGER: &str = "cn=admin,dc=example,dc=com";
/// Whose client's certificate there is, in `client.pem`.
pub(crate) const CERTIFIED: &str = "user.4";

/// A running slapd; stopped when it is dropped.
pub(crate) struct OpenLdap {
    pub(crate) directory: Directory,
    folder: Folder,
    ports: [u16; 2],
    child: Option<Child>,
}

impl OpenLdap {
    pub(crate) fn start() -> Self {
        let folder = Folder::new();
        write_certificates(&folder);
        folder.write("db/.kept", "");
        let path = folder.path().display().to_string();
        folder.write("slapd.conf", configuration(&path));
        folder.write("users.ldif", users());
        succeed(Command::new(program("slapadd")).args([
            "-q",
            "-f",
            &format!("{path}/slapd.conf"),
            "-l",
            &format!("{path}/users.ldif"),
        ]));
        // Between the probe and slapd another process may take a port: try again then.
        for _ in 0..5 {
            let ports = [free_port(), free_port()];
            if let Some(child) = launch(&path, ports) {
                let directory = directory(&folder, ports);
                return Self { directory, folder, ports, child: Some(child) };
            }
        }
        panic!("slapd did not start on any port");
    }

    /// The URL of its local socket.
    pub(crate) fn local_url(&self) -> String {
        format!("ldapi://{}", self.folder.path().join("ldapi").display().to_string().replace('/', "%2F"))
    }

    /// A client's certificate and its key, in PEM.
    pub(crate) fn certified(&self) -> (PathBuf, PathBuf) {
        (self.folder.path().join("client.pem"), self.folder.path().join("client.key"))
    }

    /// `tls` of a job that shows a client's certificate.
    pub(crate) fn certified_tls(&self) -> String {
        let (certificate, key) = self.certified();
        let certificate = format!(", certificate: \"{}\", key: \"{}\"", certificate.display(), key.display());
        self.directory.tls(&certificate)
    }
}

impl Server for OpenLdap {
    fn directory(&self) -> &Directory {
        &self.directory
    }

    fn stop(&mut self) {
        let mut child = self.child.take().unwrap();
        kill_process(Pid::from_child(&child), Signal::TERM).unwrap();
        child.wait().unwrap();
    }

    fn resume(&mut self) {
        let child = launch(&self.folder.path().display().to_string(), self.ports);
        self.child = Some(child.expect("its ports were its own just now"));
    }
}

impl Drop for OpenLdap {
    fn drop(&mut self) {
        if let Some(child) = &mut self.child {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

fn write_certificates(folder: &Folder) {
    let authority = Authority::new();
    folder.write("ca.pem", authority.pem());
    for (file, name) in [("server", "localhost"), ("client", CERTIFIED)] {
        let signed = authority.sign(name);
        folder.write(&format!("{file}.pem"), signed.certificate);
        folder.write(&format!("{file}.key"), signed.key);
    }
}

/// None when a port was taken.
fn launch(path: &str, [port, secure_port]: [u16; 2]) -> Option<Child> {
    let socket = format!("ldapi://{}", format!("{path}/ldapi").replace('/', "%2F"));
    let mut child = Command::new(program("slapd"))
        .args(["-d", "0", "-f", &format!("{path}/slapd.conf")])
        .args(["-h", &format!("ldap://127.0.0.1:{port}/ ldaps://127.0.0.1:{secure_port}/ {socket}")])
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    // All are opened before the first one is served.
    let listens = listens(port, LIMIT);
    if child.try_wait().unwrap().is_some() {
        return None;
    }
    assert!(listens, "slapd does not listen");
    Some(child)
}

fn directory(folder: &Folder, [port, secure_port]: [u16; 2]) -> Directory {
    Directory {
        url: format!("ldap://127.0.0.1:{port}"),
        secure_url: format!("ldaps://127.0.0.1:{secure_port}"),
        authority: folder.path().join("ca.pem"),
        server_name: "localhost",
        manager: MANAGER,
        counters: counters(),
    }
}

fn counters() -> Vec<Counter> {
    let names = [
        ("bind", "Bind"),
        ("search", "Search"),
        ("compare", "Compare"),
        ("add", "Add"),
        ("modify", "Modify"),
        ("delete", "Delete"),
        ("modifydn", "Modrdn"),
        ("extended", "Extended"),
    ];
    let counter = |(operation, name)| Counter {
        operation,
        base: format!("cn={name},cn=Operations,cn=Monitor"),
        filter: "(objectClass=*)".to_owned(),
        attribute: "monitorOpInitiated",
    };
    names.map(counter).into()
}

/// It stands where ordinary users' search paths may not lead.
fn program(name: &str) -> String {
    let usual = format!("/usr/sbin/{name}");
    if std::path::Path::new(&usual).exists() { usual } else { name.to_owned() }
}

fn configuration(path: &str) -> String {
    format!(
        "include /etc/ldap/schema/core.schema\ninclude /etc/ldap/schema/cosine.schema\n\
         include /etc/ldap/schema/inetorgperson.schema\n\
         modulepath /usr/lib/ldap\nmoduleload back_mdb\nmoduleload back_monitor\nmoduleload ppolicy\n\
         moduleload sssvlv\nthreads 2\n\
         sasl-secprops none\nsasl-host localhost\nauthz-policy to\n\
         authz-regexp \"^gidNumber=.*,cn=peercred,cn=external,cn=auth$\" \"{MANAGER}\"\n\
         authz-regexp \"^uid=([^,@]+)(@example.com)?,(cn=[^,]+,)?cn=[^,]+,cn=auth$\" \"uid=$1,ou=people,{SUFFIX}\"\n\
         authz-regexp \"^cn=([^,]+)$\" \"uid=$1,ou=people,{SUFFIX}\"\n\
         TLSCACertificateFile {path}/ca.pem\nTLSVerifyClient try\n\
         TLSCertificateFile {path}/server.pem\nTLSCertificateKeyFile {path}/server.key\n\
         database mdb\nsuffix {SUFFIX}\nrootdn {MANAGER}\nrootpw {PASSWORD}\n\
         directory {path}/db\nmaxsize 16777216\ndbnosync\noverlay ppolicy\noverlay sssvlv\n\
         access to attrs=userPassword by self write by anonymous auth by * none\n\
         access to * by self write by * read\ndatabase monitor\n"
    )
}
