//! The built-in platform's LDAP side, as the clients of OpenLDAP see it.

use crate::support::certificates::Authority;
use crate::support::command::Running;
use crate::support::{Folder, command};
use std::io::Write;
use std::process::{Command, Stdio};

const MANAGER: [&str; 4] = ["-D", "cn=Directory Manager", "-w", "password"];
const SUFFIX: &str = "dc=example,dc=com";
const USER: &str = "uid=user.7,ou=people,dc=example,dc=com";

/// `loadgen target` with LDAP on both ports.
struct Platform {
    folder: Folder,
    running: Running,
    ldap: String,
    ldaps: String,
}

impl Platform {
    fn start() -> Self {
        let authority = Authority::new();
        let signed = authority.sign("127.0.0.1");
        let folder = Folder::new();
        folder.write("ca.pem", authority.pem());
        folder.write("server.pem", signed.certificate);
        folder.write("server.key", signed.key);
        let arguments = "target --listen 127.0.0.1:0 --ldap-port 0 --ldaps-port 0 --tls-certificate server.pem --tls-key server.key";
        let mut running = folder.command(arguments.split(' ')).start();
        let said = running.wait_for_stdout("ldaps://127.0.0.1:");
        let address = |scheme: &str| said.lines().find(|line| line.starts_with(scheme)).unwrap().to_owned();
        Self { folder, ldap: address("ldap://"), ldaps: address("ldaps://"), running }
    }

    /// Runs a client; its exit code, and what it prints.
    fn run(&self, url: &str, program: &str, arguments: &[&str], input: &str) -> (i32, String) {
        let mut child = Command::new(program)
            .args(["-x", "-H", url])
            .args(arguments)
            .env("LDAPTLS_CACERT", self.folder.path().join("ca.pem"))
            .env("LDAPTLS_REQCERT", "demand")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap_or_else(|error| {
                panic!("{program} is needed for these tests ({error}): install it, for example with `apt-get install ldap-utils`")
            });
        child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
        let output = child.wait_with_output().unwrap();
        let text = [output.stdout, output.stderr].concat();
        (output.status.code().unwrap(), String::from_utf8(text).unwrap())
    }

    /// The same without TLS; it must succeed.
    #[track_caller]
    fn succeed(&self, program: &str, arguments: &[&str], input: &str) -> String {
        let (code, text) = self.run(&self.ldap, program, arguments, input);
        assert_eq!(code, 0, "{program} {arguments:?}: {text}");
        text
    }
}

#[test]
fn ldapsearch_finds_users_in_pages_and_in_order() {
    let platform = Platform::start();
    let text = platform.succeed("ldapsearch", &["-LLL", "-b", SUFFIX, "(mail=user.7@*)", "cn", "etag"], "");
    assert_eq!(text, format!("dn: {USER}\ncn: Hiro Hansen\netag: 0000000000000000\n\n"));
    let pages = ["-LLL", "-E", "pr=1000/noprompt", "-b", SUFFIX, "(objectClass=person)", "1.1"];
    assert_eq!(platform.succeed("ldapsearch", &pages, "").matches("dn: ").count(), 10_000);
    let sorted = ["-LLL", "-E", "!sss=-sn", "-b", SUFFIX, "(|(uid=user.1)(uid=user.2)(uid=user.3))", "sn"];
    let text = platform.succeed("ldapsearch", &sorted, "");
    let names: Vec<_> = text.lines().filter_map(|line| line.strip_prefix("sn: ")).collect();
    assert_eq!(names, ["Diaz", "Cooper", "Bakke"]);
    let (code, _) = platform.run(&platform.ldap, "ldapsearch", &["-b", "dc=org"], "");
    assert_eq!(code, 32);
}

#[test]
fn ldapmodify_writes() {
    let platform = Platform::start();
    let changes = "\
dn: ou=teams,dc=example,dc=com
changetype: add
objectClass: organizationalUnit

dn: uid=new,ou=people,dc=example,dc=com
changetype: add
objectClass: inetOrgPerson
cn: New
sn: New
visits: 1

dn: uid=new,ou=people,dc=example,dc=com
changetype: modify
replace: sn
sn: Newer
-
add: mail
mail: a@example.com
mail: b@example.com
-
delete: cn
-
increment: visits
visits: 5
-

dn: uid=new,ou=people,dc=example,dc=com
changetype: modrdn
newrdn: uid=newest
deleteoldrdn: 1

dn: uid=user.9,ou=people,dc=example,dc=com
changetype: delete
";
    platform.succeed("ldapmodify", &MANAGER, changes);
    let find = ["-LLL", "-o", "ldif-wrap=no", "-b", SUFFIX, "(|(uid=new*)(uid=user.9)(ou=teams))"];
    let text = platform.succeed("ldapsearch", &find, "");
    for line in [
        "dn: uid=newest,ou=people,dc=example,dc=com",
        "sn: Newer",
        "visits: 6",
        "mail: b@example.com",
        "ou: teams",
    ] {
        assert!(text.lines().any(|found| found == line), "{line}: {text}");
    }
    assert!(!text.contains("user.9") && !text.contains("cn: "), "{text}");
    let (code, text) = platform.run(&platform.ldap, "ldapmodify", &[], "dn: dc=x\nchangetype: delete\n");
    assert_eq!(code, 50, "{text}");
}

#[test]
fn the_other_clients_are_answered() {
    let platform = Platform::start();
    let user = ["-D", USER, "-w", "password"];
    assert_eq!(platform.succeed("ldapwhoami", &user, ""), format!("dn:{USER}\n"));
    let behalf = [&MANAGER[..], &["-e", "!authzid=u:user.8"]].concat();
    assert_eq!(platform.succeed("ldapwhoami", &behalf, ""), "dn:uid=user.8,ou=people,dc=example,dc=com\n");
    let (code, _) = platform.run(&platform.ldap, "ldapcompare", &[USER, "sn:hansen"], "");
    assert_eq!(code, 6);
    platform.succeed("ldappasswd", &[&user[..], &["-a", "password", "-s", "changed"]].concat(), "");
    let (code, text) = platform.run(&platform.ldap, "ldapwhoami", &user, "");
    assert_eq!(code, 49, "{text}");
    platform.succeed("ldapmodrdn", &[&MANAGER[..], &["-r", USER, "uid=seven"]].concat(), "");
    platform.succeed("ldapdelete", &[&MANAGER[..], &["uid=seven,ou=people,dc=example,dc=com"]].concat(), "");
    let asserted = [&MANAGER[..], &["-e", "!assert=(sn=Nobody)"]].concat();
    let change = "dn: uid=user.8,ou=people,dc=example,dc=com\nchangetype: modify\nreplace: sn\nsn: x\n";
    let (code, text) = platform.run(&platform.ldap, "ldapmodify", &asserted, change);
    assert_eq!(code, 122, "{text}");
}

#[test]
fn tls_is_spoken_from_the_first_byte_and_later() {
    let mut platform = Platform::start();
    let user = ["-D", USER, "-w", "password"];
    let (code, text) = platform.run(&platform.ldaps, "ldapwhoami", &user, "");
    assert_eq!((code, text), (0, format!("dn:{USER}\n")));
    let (code, text) = platform.run(&platform.ldap, "ldapwhoami", &[&["-ZZ"][..], &user].concat(), "");
    assert_eq!((code, text), (0, format!("dn:{USER}\n")));
    platform.running.wait_for_stderr("10000 users");
}

#[test]
fn ldap_over_tls_needs_a_certificate() {
    let done = command(["target", "--ldaps-port", "0"]).run();
    assert_eq!(done.code, 2, "{done:?}");
    assert!(done.stderr.contains("--tls-certificate"), "{done:?}");
}
