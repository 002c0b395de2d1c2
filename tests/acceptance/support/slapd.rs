//! A real OpenLDAP server on a free loopback port and a local socket, with a few users.

use super::certificates::Authority;
use super::command::Folder;
use std::net::{TcpListener, TcpStream};
use std::os::unix::net::UnixStream;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// It starts in far less than this.
const LIMIT: Duration = Duration::from_secs(10);

/// Name and password of its manager.
pub(crate) const MANAGER: &str = "cn=admin,dc=example,dc=com";

/// A running slapd; stopped when it is dropped. Users are `user.0` to `user.9`, their passwords `password`.
pub(crate) struct Slapd {
    child: Child,
    port: u16,
    folder: Folder,
}

impl Slapd {
    pub(crate) fn start() -> Self {
        // Between the probe and slapd another process may take the port: try again then.
        for _ in 0..5 {
            if let Some(slapd) = Self::try_start() {
                return slapd;
            }
        }
        panic!("slapd did not start on any port");
    }

    fn try_start() -> Option<Self> {
        let folder = Folder::new();
        let authority = Authority::new();
        let signed = authority.sign("127.0.0.1");
        folder.write("ca.pem", authority.pem());
        folder.write("server.pem", signed.certificate);
        folder.write("server.key", signed.key);
        folder.write("db/.kept", "");
        let path = folder.path().display().to_string();
        folder.write("slapd.conf", configuration(&path));
        folder.write("users.ldif", users());
        let added = Command::new(program("slapadd"))
            .args(["-q", "-f", &format!("{path}/slapd.conf"), "-l", &format!("{path}/users.ldif")])
            .output()
            .expect("slapd is needed for these tests: install it, for example with `apt-get install slapd`");
        assert!(added.status.success(), "slapadd: {}", String::from_utf8_lossy(&added.stderr));
        let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        let socket = format!("ldapi://{}", format!("{path}/ldapi").replace('/', "%2F"));
        let child = Command::new(program("slapd"))
            .args(["-d", "stats", "-f", &format!("{path}/slapd.conf")])
            .args(["-h", &format!("ldap://127.0.0.1:{port}/ {socket}")])
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(std::fs::File::create(folder.path().join("log")).unwrap())
            .spawn()
            .unwrap();
        let mut slapd = Self { child, port, folder };
        let begun = Instant::now();
        while begun.elapsed() < LIMIT {
            if slapd.child.try_wait().unwrap().is_some() {
                return None;
            }
            let listens = TcpStream::connect(("127.0.0.1", port)).is_ok();
            if listens && UnixStream::connect(slapd.folder.path().join("ldapi")).is_ok() {
                return Some(slapd);
            }
            std::thread::sleep(Duration::from_millis(10));
        }
        panic!("slapd does not listen");
    }

    pub(crate) fn url(&self) -> String {
        format!("ldap://127.0.0.1:{}", self.port)
    }

    /// The URL of its local socket.
    pub(crate) fn local_url(&self) -> String {
        format!("ldapi://{}", self.folder.path().join("ldapi").display().to_string().replace('/', "%2F"))
    }

    /// How many lines of its log hold this.
    pub(crate) fn logged(&self, text: &str) -> u64 {
        let log = std::fs::read_to_string(self.folder.path().join("log")).unwrap();
        log.lines().filter(|line| line.contains(text)).count() as u64
    }

    /// The file of the authority that signed its certificate.
    pub(crate) fn authority(&self) -> String {
        self.folder.path().join("ca.pem").display().to_string()
    }
}

impl Drop for Slapd {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
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
         modulepath /usr/lib/ldap\nmoduleload back_mdb\nthreads 2\n\
         sasl-secprops none\nauthz-policy to\n\
         authz-regexp \"^gidNumber=.*,cn=peercred,cn=external,cn=auth$\" \"{MANAGER}\"\n\
         authz-regexp \"^uid=([^,@]+)(@example.com)?,(cn=[^,]+,)?cn=[^,]+,cn=auth$\" \"uid=$1,ou=people,dc=example,dc=com\"\n\
         TLSCertificateFile {path}/server.pem\nTLSCertificateKeyFile {path}/server.key\n\
         database mdb\nsuffix dc=example,dc=com\nrootdn {MANAGER}\nrootpw password\n\
         directory {path}/db\nmaxsize 16777216\ndbnosync\n\
         access to attrs=userPassword by self write by anonymous auth by * none\n\
         access to * by self write by * read\n"
    )
}

fn users() -> String {
    let mut ldif = "dn: dc=example,dc=com\nobjectClass: domain\ndc: example\n\n\
        dn: ou=people,dc=example,dc=com\nobjectClass: organizationalUnit\nou: people\n\n"
        .to_owned();
    for user in 0..10 {
        ldif.push_str(&format!(
            "dn: uid=user.{user},ou=people,dc=example,dc=com\nobjectClass: inetOrgPerson\nuid: user.{user}\n\
             cn: User {user}\nsn: Name{user}\nmail: user.{user}@example.com\nuserPassword: password\n\n"
        ));
    }
    ldif
}
