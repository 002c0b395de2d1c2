//! Connections with TLS, and the stores of certificates and keys that Java makes.

use crate::support::command::Folder;
use crate::support::directory::Directory;
use crate::support::ds389::DS389;
use crate::support::opendj::{FEW_START_TLS, OPENDJ};
use crate::support::openldap::{CERTIFIED, OpenLdap};
use crate::support::rate_tool::{
    address, assert_all_succeeded, credentials, named_address, run, run_in, total, typed,
};
use crate::support::stores;

const REUSES: [&str; 3] = ["-F -c 2 -t 2", "-f", ""];
const READ: &str = "-m 12 -b ou=people,dc=example,dc=com -g 'inc(0,9)' '(uid=user.{})'";

/// Both ways to TLS, with connections used in these ways.
fn any_certificate(directory: &Directory, reuses: &[&str], start_tls_reuses: &[&str]) {
    let credentials = credentials(directory);
    let check = |url: &str, way: &str, reuse: &str| {
        let line = format!("searchrate {} {way} -X {credentials} {reuse} {READ}", address(url));
        assert_all_succeeded(&run(&line).done, 12);
    };
    for reuse in reuses {
        check(&directory.secure_url, "-Z", reuse);
    }
    for reuse in start_tls_reuses {
        check(&directory.url, "-q", reuse);
    }
}

/// Stores of every type, with passwords typed, in a file and in the environment; PEM needs none.
fn trust_stores(directory: &Directory) {
    let folder = Folder::new();
    folder.write("pin", "password\n");
    let server = format!("{} -Z", named_address(&directory.secure_url));
    let check = |options: &str| {
        let line = format!("searchrate -o json=report.json {server} {options} -F {READ}");
        let done = typed(&folder, &line).env("PIN", "password").run();
        assert_all_succeeded(&done, 12);
    };
    for (store_type, option) in
        [("PKCS12", "--usePkcs12TrustStore"), ("JKS", "--useJavaTrustStore"), ("JCEKS", "--useJceTrustStore")]
    {
        let store = stores::trust(&folder, &directory.authority, store_type);
        let store = store.display();
        check(&format!("{option} {store} -T password"));
        check(&format!("--trustStorePath {store} -T:file pin"));
        // Its first bytes tell what a file is.
        check(&format!("--useJavaTrustStore {store} --trustStorePassword:env PIN"));
    }
    check(&format!("-P {}", directory.authority.display()));
}

/// A certificate is refused when nobody vouches for it, or when it is for another name.
fn unknown_certificate(directory: &Directory) {
    for way in [
        format!("{} -Z", named_address(&directory.secure_url)),
        format!("{} -q", named_address(&directory.url)),
        format!("{} -Z -P {}", address(&directory.secure_url), directory.authority.display()),
    ] {
        let done = typed(&Folder::new(), &format!("searchrate {way} -F {READ}")).run();
        assert_eq!((done.code, done.stdout.as_str()), (81, ""), "{way}: {done:?}");
        assert!(done.stderr.contains("certificate"), "{way}: {done:?}");
    }
}

/// What is wrong with stores is wrong usage, and said at once with all else that is.
#[test]
fn unusable_stores_are_said_with_all_other_problems() {
    let folder = Folder::new();
    let slapd = OpenLdap::start();
    let store = stores::trust(&folder, &slapd.directory.authority, "PKCS12");
    let line = format!(
        "searchrate {} -Z -P {} -T wrong --usePkcs12KeyStore nowhere.p12 -W password -c 0 -F {READ}",
        address(&slapd.directory.secure_url),
        store.display()
    );
    let done = typed(&folder, &line).run();
    assert_eq!((done.code, done.stdout.as_str()), (89, ""), "{done:?}");
    assert_eq!(done.stderr.matches("error: ").count(), 3, "{done:?}");
    for part in ["password", "nowhere.p12", "numConnections"] {
        assert!(done.stderr.contains(part), "{part}: {done:?}");
    }
    assert!(!done.stderr.contains("wrong"), "a password is no word for messages: {done:?}");
}

/// A client's certificate says who the user is (RFC 4513 section 5.2.3): it may change itself and nobody else.
#[test]
fn a_certificate_of_a_store_binds_to_openldap() {
    let slapd = OpenLdap::start();
    let folder = Folder::new();
    let (certificate, key) = slapd.certified();
    let store = stores::key(&folder, &certificate, &key);
    let converted = ["JKS", "JCEKS"].map(|store_type| stores::converted(&folder, &store, store_type));
    let options = [
        ("--usePkcs12KeyStore", &store),
        ("--useJavaKeyStore", &converted[0]),
        ("--useJceKeyStore", &converted[1]),
        ("--keyStorePath", &store),
    ];
    for (option, store) in options {
        for (way, reuse) in [("-Z", "-F -c 2 -t 2"), ("-q", "")] {
            let url = if way == "-Z" { &slapd.directory.secure_url } else { &slapd.directory.url };
            let modify = |user: &str| {
                let line = format!(
                    "modrate {} {way} -X {option} {} -W password -N client -o mech=EXTERNAL {reuse} -m 8 \
                     -b 'uid={user},ou=people,dc=example,dc=com' 'description:mine'",
                    address(url),
                    store.display()
                );
                run_in(&folder, &line)
            };
            assert_all_succeeded(&modify(CERTIFIED).done, 8);
            let other = modify("user.5").done;
            assert_eq!((other.code, total(&other)), (50, [8, 0, 8]), "{other:?}");
        }
    }
    let line = format!(
        "authrate {} -Z -X --usePkcs12KeyStore {} -W password -o mech=EXTERNAL -f -m 8",
        address(&slapd.directory.secure_url),
        store.display()
    );
    assert_all_succeeded(&run_in(&folder, &line).done, 8);
    let nameless = run_in(&folder, &line.replace("-f -m 8", "-f -m 8 -N client")).done;
    assert_all_succeeded(&nameless, 8);
    let unknown = typed(&folder, &line.replace("-f -m 8", "-f -m 8 -N another")).run();
    assert_eq!(unknown.code, 89, "{unknown:?}");
    assert!(unknown.stderr.contains("another") && unknown.stderr.contains("client"), "{unknown:?}");
}

#[test]
fn connections_to_openldap_are_secured() {
    let slapd = OpenLdap::start();
    any_certificate(&slapd.directory, &REUSES, &REUSES);
    trust_stores(&slapd.directory);
    unknown_certificate(&slapd.directory);
}

#[test]
fn connections_to_opendj_are_secured() {
    let opendj = OPENDJ.with_others();
    any_certificate(&opendj.directory, &REUSES, &[FEW_START_TLS]);
    unknown_certificate(&opendj.directory);
}

#[test]
fn connections_to_ds389_are_secured() {
    let server = DS389.with_others();
    any_certificate(&server.directory, &REUSES, &REUSES);
    unknown_certificate(&server.directory);
}
