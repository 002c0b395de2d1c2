//! Where options and passwords come from, and what is said when they are wrong.

use crate::support::command::{Done, Folder};
use crate::support::directory::{Directory, free_port};
use crate::support::ds389::DS389;
use crate::support::opendj::OPENDJ;
use crate::support::openldap::OpenLdap;
use crate::support::rate_tool::{address, assert_all_succeeded, manager, run, typed};

/// Reads what only the manager may.
const READ: &str = "-F -m 5 -b 'uid=user.1,ou=people,dc=example,dc=com' -s base '(userPassword=*)' cn";

/// Every form of the bind password.
#[test]
fn passwords_come_from_where_options_say() {
    let slapd = OpenLdap::start();
    let folder = Folder::new();
    folder.write("pin", "password\nsecond line\n");
    folder.write("wrong", "Password\n");
    let line = |password: &str| {
        let server = address(&slapd.directory.url);
        typed(&folder, &format!("searchrate {server} -D {} {password} {READ}", slapd.directory.manager))
            .env("PIN", "password")
            .env("WRONG", "Password")
            .run()
    };
    for right in [
        "-w password",
        "-w:env PIN",
        "-w:file pin",
        "-j pin",
        "--bindPassword password",
        "--bindPassword:env PIN",
        "--BINDPASSWORD:file pin",
        "--bindPasswordFile pin",
    ] {
        let done = line(right);
        assert_all_succeeded(&done, 5);
        assert!(done.stderr.contains("5 entries found"), "{right}: {done:?}");
    }
    for wrong in ["-w Password", "-w:env WRONG", "-j wrong"] {
        let done = line(wrong);
        assert_eq!((done.code, done.stdout.as_str()), (49, ""), "{wrong}: {done:?}");
        assert!(
            done.stderr.contains("49 invalidCredentials") && !done.stderr.contains("Password"),
            "{done:?}"
        );
    }
    // Who mixes up two options types a password there: it is not repeated.
    for (unusable, said) in [
        ("-w:env hidden", "`--bindPassword:env`"),
        ("-j hidden", "cannot be read"),
        ("", "cannot be asked for"),
    ] {
        let done = line(unusable);
        assert_eq!((done.code, done.stdout.as_str()), (89, ""), "{unusable}: {done:?}");
        assert!(done.stderr.contains(said) && !done.stderr.contains("hidden"), "{unusable}: {done:?}");
    }
}

/// What a file of properties says holds unless the command line says otherwise, or that there is none.
#[test]
fn a_file_of_properties_gives_what_is_not_typed() {
    let slapd = OpenLdap::start();
    let port = slapd.directory.url.rsplit_once(':').unwrap().1.to_owned();
    let secure_port = slapd.directory.secure_url.rsplit_once(':').unwrap().1;
    let properties = format!(
        "# What all tools share\nhostname=127.0.0.1\nport=1\nsearchrate.port={secure_port}\nuseSsl=true\ntrustAll: TRUE\n\
         bindDN={}\nbindPassword\\:file=pin\nmodrate.noRebind=false\nsearchrate.maxIterations 7\nunknown=1\n",
        slapd.directory.manager
    );
    let folder = Folder::new();
    folder.write("pin", "password\n");
    folder.write(".opendj/tools.properties", &properties);
    let line =
        |options: &str| typed(&folder, &format!("searchrate {options} {}", READ.replace("-m 5", ""))).run();
    assert_all_succeeded(&line(""), 7);
    assert_all_succeeded(&line("-m 6"), 6);
    let own = folder.write("own.properties", properties.replace("maxIterations 7", "maxIterations 9"));
    assert_all_succeeded(&line(&format!("--propertiesFilePath {}", own.display())), 9);
    let without =
        format!("--noPropertiesFile -m 4 -h 127.0.0.1 -p {port} -D {} -w password", slapd.directory.manager);
    assert_all_succeeded(&line(&without), 4);
    let missing = line("--propertiesFilePath nowhere.properties");
    assert_eq!(missing.code, 89, "{missing:?}");
    assert!(missing.stderr.contains("nowhere.properties"), "{missing:?}");
    let modrate = typed(&folder, "modrate -b a=b c:d -m 1").run();
    assert_eq!(modrate.code, 91, "port 1 is for all other tools: {modrate:?}");
}

/// Before a run it shows whether it can begin, and why not.
fn before_the_run(directory: &Directory) {
    let check = |done: &Done, code: i32, said: &str| {
        assert_eq!((done.code, done.stdout.as_str()), (code, ""), "{done:?}");
        assert!(done.stderr.contains(said), "{said}: {done:?}");
    };
    let tools = |rest: &str| {
        let folder = Folder::new();
        folder.write("addrate.template", crate::support::rate_tool::template());
        let of = |line: &str| typed(&folder, &line.replace("REST", rest)).run();
        [
            of("modrate REST -m 3 -b 'uid=user.1,ou=people,dc=example,dc=com' 'description:a'"),
            of("searchrate REST -m 3 -b 'dc=example,dc=com' '(uid=user.1)'"),
            of("authrate REST -m 3"),
            of("addrate REST -m 3 addrate.template"),
        ]
    };
    let right = manager(directory);
    for done in tools(&right.replace("-w password", "-w wrong")) {
        check(&done, 49, "49 invalidCredentials");
    }
    for done in tools(&format!("-h 127.0.0.1 -p {} -D cn=a -w b", free_port())) {
        check(&done, 91, "connection refused");
    }
    let plain = address(&directory.url);
    for done in tools(&format!("{plain} -Z -X -D cn=a -w b --connectTimeout 2000")) {
        assert_eq!((done.code, done.stdout.as_str()), (81, ""), "TLS is not spoken there: {done:?}");
    }
}

#[test]
fn what_keeps_a_run_from_beginning_is_said_of_openldap() {
    before_the_run(&OpenLdap::start().directory);
}

#[test]
fn what_keeps_a_run_from_beginning_is_said_of_opendj() {
    before_the_run(&OPENDJ.with_others().directory);
}

#[test]
fn what_keeps_a_run_from_beginning_is_said_of_ds389() {
    before_the_run(&DS389.with_others().directory);
}

/// What a server refuses is an exit code only if it refuses everything.
#[test]
fn refusals_are_an_exit_code_only_if_nothing_succeeds() {
    let slapd = OpenLdap::start();
    let common = format!("modrate {} -F -m 40 -g 'inc(0,19)'", manager(&slapd.directory));
    let half = run(&format!("{common} -b 'uid=user.{{}},ou=people,dc=example,dc=com' 'description:a'"));
    assert_eq!(half.done.code, 0, "{half:?}");
    assert_eq!(half.report.failure("modify").2, 20, "{half:?}");
    assert!(half.done.stderr.contains("noSuchObject"), "{half:?}");
    let none = run(&format!("{common} -b 'uid=nobody.{{}},ou=people,dc=example,dc=com' 'description:a'"));
    assert_eq!(none.done.code, 32, "{none:?}");
    let schema = run(&format!("{common} -b 'uid=user.1,ou=people,dc=example,dc=com' 'nothing:a'"));
    assert_eq!(schema.done.code, 17, "{schema:?}");
}
