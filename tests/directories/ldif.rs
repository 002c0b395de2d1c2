//! LDIF as data: records become operations, and their names and values stand in other tasks.

use crate::support::command::{Folder, Outcome};
use crate::support::openldap::{MANAGER, OpenLdap};
use crate::support::platform::Platform;

/// Three people, with what LDIF can write in more than one way.
const PEOPLE: &str = "version: 1

# the first
dn: uid=ldif.1,ou=people,dc=example,dc=com
objectClass: inetOrgPerson
uid: ldif.1
cn: Ann
 a
sn: One
userPassword: secret 1

dn:: dWlkPWxkaWYuMixvdT1wZW9wbGUsZGM9ZXhhbXBsZSxkYz1jb20=
objectClass: inetOrgPerson
uid: ldif.2
cn:: VMOpbw==
sn: Two
userPassword:: c2VjcmV0IDI=

dn: uid=ldif.3,ou=people,dc=example,dc=com
changetype: add
objectClass: inetOrgPerson
uid: ldif.3
cn: Bo
sn: Three
userPassword:< file:password.txt
";

/// What happens to them.
const CHANGES: &str = "dn: uid=ldif.1,ou=people,dc=example,dc=com
changetype: modify
replace: sn
sn: Changed
-
add: mail
mail: a@example.com
mail: b@example.com
-
delete: mail
mail: b@example.com

dn: uid=ldif.2,ou=people,dc=example,dc=com
control: 1.3.6.1.1.12 true:: owgEAnNuBAJUdw==
changetype: modify
replace: sn
sn: Never

dn: uid=ldif.3,ou=people,dc=example,dc=com
changetype: modrdn
newrdn: uid=ldif.4
deleteoldrdn: 1
";

/// Adds each person, binds as it, changes it, and looks what became of it; then deletes it, once for each name.
fn life(directory: &str, manager: &str) -> Outcome {
    let folder = Folder::new();
    folder.write("people.ldif", PEOPLE);
    folder.write("changes.ldif", CHANGES.replace('\n', "\r\n"));
    folder.write("password.txt", "secret 3");
    folder.write(
        "job.yaml",
        format!(
            r#"
loadgen: 1
directory: {directory}
load: {{ iterations: 10 }}
wildcards:
  PEOPLE: {{ file: people.ldif, order: unique }}
  CHANGES: {{ file: changes.ldif, order: sequential }}
workloads:
  life:
    steps:
      - {{ task: manager }}
      - {{ task: add }}
      - {{ task: log-in }}
      - {{ task: manager }}
      - {{ task: read }}
      - {{ task: change }}
      - {{ task: delete }}
tasks:
  manager: {{ ldap: bind, dn: "{manager}", password: password }}
  add: {{ ldap: record, from: PEOPLE }}
  log-in: {{ ldap: bind, dn: "${{PEOPLE.dn}}", password: "${{PEOPLE.userPassword}}" }}
  read:
    ldap: search
    base: "${{PEOPLE.dn}}"
    scope: base
    check: [{{ attribute: cn, equals: "${{PEOPLE.cn}}" }}, {{ attribute: sn, equals: "${{PEOPLE.SN}}" }}]
  change: {{ ldap: record, from: CHANGES, check: [{{ result: [success, assertionFailed] }}] }}
  delete: {{ ldap: delete, dn: "${{PEOPLE.dn}}", check: [{{ result: [success, noSuchObject] }}] }}
"#
        ),
    );
    folder.run()
}

#[track_caller]
fn check(outcome: &Outcome) {
    let count = |task: &str| outcome.report.task(task).count("/passed");
    let counts = ["add", "log-in", "read", "change", "delete"].map(count);
    assert_eq!(counts, [3; 5], "{outcome:?}");
    let note = "the data of `PEOPLE.dn` was used up";
    assert!(outcome.report.notes().contains(note), "{}", outcome.report.notes());
}

#[test]
fn people_live_and_die_on_the_built_in_platform() {
    let platform = Platform::start(&[]);
    check(&life(&platform.directory(), "cn=Directory Manager"));
    let lines = platform.stop();
    let statuses: Vec<_> = ["ldap-add", "ldap-modify", "ldap-modify-dn", "ldap-delete"]
        .map(|operation| lines.iter().filter(|line| line.operation == operation).count())
        .to_vec();
    assert_eq!(statuses, [3, 2, 1, 3]);
}

#[test]
fn people_live_and_die_in_openldap() {
    let slapd = OpenLdap::start();
    check(&life(&slapd.directory.url, MANAGER));
}

#[test]
fn what_is_wrong_with_a_file_is_said_before_the_run() {
    let folder = Folder::new();
    folder.write("people.ldif", "dn: cn=a\ncn: a\nsn\n\ndn: cn=b\nchangetype: grow\n");
    let job = "loadgen: 1\ndirectory: ldap://localhost\nload: { iterations: 1 }\n\
               wildcards: { PEOPLE: { file: people.ldif } }\n\
               workloads: { w: { steps: [{ task: t }] } }\ntasks: { t: { ldap: record, from: PEOPLE } }\n";
    folder.write("job.yaml", job);
    let done = folder.command(["check", "job.yaml"]).run();
    let said = format!("{}{}", done.stdout, done.stderr);
    for line in ["people.ldif:3:1: error: `sn` has no colon", "people.ldif:6:1: error: unknown change `grow`"]
    {
        assert!(said.contains(line), "{said}");
    }
}
