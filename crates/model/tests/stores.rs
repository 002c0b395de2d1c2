//! Stores that real tools wrote, and files that are none. See `stores/README.md`.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use loadgen_model::store::{KeyStore, StoreError};
use proptest::prelude::*;
use std::path::Path;

const PASSWORD: Option<&str> = Some("changeit");
/// Two keys in each.
const KEYTOOL: [&str; 3] = ["keytool.jks", "keytool.jceks", "keytool.p12"];
const TRUST: [&str; 4] =
    ["keytool-trust.jks", "keytool-trust.jceks", "keytool-trust.p12", "openssl-trust.p12"];

/// First bytes of each format.
const BEGINNINGS: [&[u8]; 4] = [
    b"\xfe\xed\xfe\xed\0\0\0\x02\0\0\0\x01\0\0\0",
    b"\xce\xce\xce\xce\0\0\0\x02\0\0\0\x01\0\0\0",
    b"\x30\x80\x02\x01\x03",
    b"-----BEGIN ",
];

fn file(name: &str) -> Vec<u8> {
    std::fs::read(Path::new("tests/stores").join(name)).unwrap()
}

/// The first certificate or key of a PEM file as it is written.
fn block(pem: &[u8]) -> String {
    let text = String::from_utf8(pem.to_vec()).unwrap();
    let begin = text.find("-----BEGIN").unwrap();
    let end = text[begin..].find("-----END").unwrap();
    text[begin..begin + end].to_owned()
}

#[track_caller]
fn check_identity(store: &[u8], nickname: Option<&str>, expected: &str) {
    let identity = KeyStore::read(store, PASSWORD).unwrap().identity(nickname).unwrap();
    assert_eq!(block(&identity.key), block(&file(&format!("{expected}.key"))), "{nickname:?}");
    assert_eq!(block(&identity.chain), block(&file(&format!("{expected}.pem"))), "{nickname:?}");
    let chain = String::from_utf8(identity.chain).unwrap();
    assert!(chain.contains(&block(&file("ca.pem"))), "{nickname:?}: {chain}");
    assert_eq!(chain.matches("-----BEGIN CERTIFICATE").count(), 2, "{nickname:?}");
}

#[track_caller]
fn check_refused<T>(result: Result<T, StoreError>, expected: &StoreError, help: &str) {
    let Err(error) = result else { panic!("it was not refused") };
    assert_eq!((&error, error.help().as_str()), (expected, help));
}

#[test]
fn keys_are_found_by_their_names_in_whatever_case() {
    for name in KEYTOOL {
        check_identity(&file(name), Some("first"), "first");
        check_identity(&file(name), Some("SECOND"), "second");
    }
    check_identity(&file("openssl.p12"), Some("first"), "first");
}

#[test]
fn the_only_key_needs_no_name() {
    check_identity(&file("openssl.p12"), None, "first");
    check_identity(&file("openssl-legacy.p12"), None, "first");
    let pem = [file("first.key"), file("first.pem"), file("ca.pem")].concat();
    check_identity(&pem, None, "first");
    check_identity(&[file("second.pem"), file("ca.pem"), file("second.key")].concat(), Some("any"), "second");
}

#[test]
fn every_certificate_is_trusted_once() {
    for name in TRUST {
        let trusted = KeyStore::read(&file(name), PASSWORD).unwrap().certificates().unwrap();
        assert_eq!(block(&trusted), block(&file("ca.pem")), "{name}");
    }
    for name in KEYTOOL {
        let trusted = KeyStore::read(&file(name), PASSWORD).unwrap().certificates().unwrap();
        let trusted = String::from_utf8(trusted).unwrap();
        assert_eq!(trusted.matches("-----BEGIN CERTIFICATE").count(), 3, "{name}");
    }
    let pem = ["Subject: CN=a\n".as_bytes(), &file("ca.pem"), &file("ca.pem")].concat();
    let trusted = KeyStore::read(&pem, None).unwrap().certificates().unwrap();
    assert_eq!(trusted, file("ca.pem"));
}

#[test]
fn certificates_of_java_are_read_without_a_password() {
    for name in ["keytool-trust.jks", "keytool-trust.jceks"] {
        assert!(KeyStore::read(&file(name), None).unwrap().certificates().is_ok(), "{name}");
    }
}

#[test]
fn what_does_not_open_is_said() {
    let help = "give the password that it was made with";
    for name in KEYTOOL.iter().chain(&TRUST).chain(&["openssl-legacy.p12"]) {
        check_refused(KeyStore::read(&file(name), Some("wrong")), &StoreError::Password, help);
    }
    check_refused(KeyStore::read(&file("openssl.p12"), None), &StoreError::NoPassword, help);
    let own = file("own-password.jks");
    check_refused(
        KeyStore::read(&own, PASSWORD).unwrap().identity(None),
        &StoreError::KeyPassword,
        "give the key the password of the store, with keytool -keypasswd",
    );
    for name in ["keytool.jks", "keytool.jceks"] {
        let read = file(name);
        let identity = KeyStore::read(&read, None).unwrap().identity(Some("first"));
        assert_eq!(identity, Err(StoreError::NoPassword), "{name}");
    }
}

#[test]
fn keys_that_are_not_there_or_not_alone_are_said() {
    let names = || vec!["first".to_owned(), "second".to_owned()];
    for name in KEYTOOL {
        let read = file(name);
        let store = KeyStore::read(&read, PASSWORD).unwrap();
        let help = "name one of them: `first`, `second`";
        check_refused(store.identity(None), &StoreError::SeveralKeys(names()), help);
        let missing = StoreError::NoKeyOfName { name: "third".to_owned(), names: names() };
        check_refused(store.identity(Some("third")), &missing, "it has `first`, `second`");
    }
    for name in TRUST {
        let read = file(name);
        let store = KeyStore::read(&read, PASSWORD).unwrap();
        let help = "name a file with a key and its certificate";
        check_refused(store.identity(None), &StoreError::NoKey, help);
    }
    let keys = [file("first.key"), file("second.key")].concat();
    let store = KeyStore::read(&keys, None).unwrap();
    let help = "keep one of them: keys of PEM have no names";
    check_refused(store.identity(None), &StoreError::SeveralKeys(Vec::new()), help);
    check_refused(store.certificates(), &StoreError::NoCertificate, "import one with keytool -importcert");
}

#[test]
fn what_cannot_be_used_is_said() {
    let dsa = file("dsa.jks");
    check_refused(
        KeyStore::read(&dsa, PASSWORD).unwrap().identity(None),
        &StoreError::Algorithm,
        "make a key of one of these",
    );
    check_refused(
        KeyStore::read(&file("secret.jceks"), PASSWORD),
        &StoreError::Unsupported("a secret key, which cannot be passed over"),
        "export what is needed of it to a PKCS#12 file, with keytool -importkeystore",
    );
    let help = "name a file made by keytool or openssl";
    check_refused(KeyStore::read(b"", None), &StoreError::UnknownFormat, help);
    check_refused(KeyStore::read(b"GIF89a", None), &StoreError::UnknownFormat, help);
    check_refused(KeyStore::read(&vec![0; 17 << 20], None), &StoreError::TooLarge, help);
    for encrypted in [
        "-----BEGIN ENCRYPTED PRIVATE KEY-----\nAAAA\n-----END ENCRYPTED PRIVATE KEY-----\n",
        "-----BEGIN RSA PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\nDEK-Info: x\n\nAAAA\n-----END RSA PRIVATE KEY-----\n",
    ] {
        let pem = [&file("ca.pem"), encrypted.as_bytes()].concat();
        let store = KeyStore::read(&pem, None).unwrap();
        assert_eq!(store.identity(None), Err(StoreError::Protection("a password of PEM")));
        assert!(store.certificates().is_ok());
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn no_bytes_do_harm(
        begin in prop::sample::select(&BEGINNINGS[..]),
        bytes in prop::collection::vec(any::<u8>(), 0..300),
    ) {
        read_all(&[begin, &bytes].concat());
    }

    #[test]
    fn no_change_of_a_store_does_harm(
        name in prop::sample::select(&["keytool.jks", "keytool.jceks", "openssl.p12", "openssl-legacy.p12", "first.pem"][..]),
        at in any::<prop::sample::Index>(),
        byte in any::<u8>(),
        cut in any::<prop::sample::Index>(),
    ) {
        let mut bytes = file(name);
        let at = at.index(bytes.len());
        bytes[at] = byte;
        read_all(&bytes);
        bytes.truncate(cut.index(bytes.len()));
        read_all(&bytes);
    }
}

fn read_all(bytes: &[u8]) {
    // Without a password the digest of Java's stores does not keep what is broken from being read.
    for password in [None, PASSWORD] {
        if let Ok(store) = KeyStore::read(bytes, password) {
            let _ = (store.certificates(), store.identity(None), store.identity(Some("first")));
        }
    }
}
