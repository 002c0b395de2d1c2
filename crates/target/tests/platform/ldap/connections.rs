//! TLS, from the first byte and by StartTLS.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::sync::Arc;
use std::time::Duration;

use loadgen_target::{Config, Error, Target, TlsFiles};
use rcgen::{CertificateParams, DnType, KeyPair};
use rustls::pki_types::{PrivateKeyDer, ServerName};
use rustls::{ClientConfig, ClientConnection, RootCertStore, StreamOwned};

use super::ber::{element, group, integer};
use super::client::{Client, bind, user};

const START_TLS: &str = "1.3.6.1.4.1.1466.20037";

/// A platform with a certificate for `localhost`, and what a client needs to trust it.
fn target() -> (Target, Arc<ClientConfig>) {
    target_for(None)
}

/// The same; the client has a certificate with these names.
fn target_for(names: Option<&[(DnType, &str)]>) -> (Target, Arc<ClientConfig>) {
    let made = rcgen::generate_simple_self_signed(vec!["localhost".to_owned()]).unwrap();
    let tls = TlsFiles {
        certificate_pem: made.cert.pem().into_bytes(),
        key_pem: made.signing_key.serialize_pem().into_bytes(),
    };
    let any = Some(SocketAddr::from(([127, 0, 0, 1], 0)));
    let target =
        Target::start(Config { tls: Some(tls), ldap: any, ldaps: any, ..Config::default() }).unwrap();
    let mut roots = RootCertStore::empty();
    roots.add(made.cert.der().clone()).unwrap();
    let provider = Arc::new(rustls::crypto::aws_lc_rs::default_provider());
    let config = ClientConfig::builder_with_provider(provider).with_safe_default_protocol_versions().unwrap();
    let config = config.with_root_certificates(roots);
    let Some(names) = names else { return (target, Arc::new(config.with_no_client_auth())) };
    let mut params = CertificateParams::new(Vec::new()).unwrap();
    params.distinguished_name = rcgen::DistinguishedName::new();
    for (kind, value) in names {
        params.distinguished_name.push(kind.clone(), *value);
    }
    let key = KeyPair::generate().unwrap();
    let certificate = params.self_signed(&key).unwrap().der().clone();
    let key = PrivateKeyDer::try_from(key.serialize_der()).unwrap();
    (target, Arc::new(config.with_client_auth_cert(vec![certificate], key).unwrap()))
}

/// Binds by a certificate with these names; the code, and who the server then says it is.
#[track_caller]
fn check_external(names: Option<&[(DnType, &str)]>, code: u32, identity: &str) {
    let (target, config) = target_for(names);
    let stream = TcpStream::connect(target.ldaps_address().unwrap()).unwrap();
    let mut client = secured(stream, config);
    assert_eq!(client.sasl("EXTERNAL", b"").code, code);
    let who = client.extended("1.3.6.1.4.1.4203.1.11.3", None);
    assert_eq!(who.more[0].1, identity.as_bytes());
}

#[test]
fn a_certificate_tells_who_a_client_is() {
    let dc = || DnType::CustomDnType(vec![0, 9, 2342, 19_200_300, 100, 1, 25]);
    let identity = format!("dn:{}", user(7));
    check_external(Some(&[(DnType::OrganizationName, "x"), (DnType::CommonName, "user.7")]), 0, &identity);
    check_external(Some(&[(dc(), "example")]), 49, "");
    check_external(Some(&[(DnType::CommonName, "Directory Manager")]), 0, "dn:cn=Directory Manager");
    check_external(Some(&[(DnType::CommonName, "nobody")]), 49, "");
    check_external(Some(&[]), 49, "");
    check_external(None, 49, "");
}

fn secured(stream: TcpStream, config: Arc<ClientConfig>) -> Client<StreamOwned<ClientConnection, TcpStream>> {
    let name = ServerName::try_from("localhost").unwrap();
    Client::over(StreamOwned::new(ClientConnection::new(config, name).unwrap(), stream))
}

#[test]
fn ldaps_is_served() {
    let (target, config) = target();
    let stream = TcpStream::connect(target.ldaps_address().unwrap()).unwrap();
    let mut client = secured(stream, config);
    assert_eq!(client.bind(&user(7), "password").code, 0);
    assert_eq!(client.search("dc=example,dc=com", 2, "(objectClass=person)", &[]).entries.len(), 10_000);
    assert_eq!(client.extended(START_TLS, None).code, 1, "TLS is on");
}

#[test]
fn a_connection_goes_on_with_tls() {
    let (target, config) = target();
    let mut client = Client::to(&target);
    let root = client.read("");
    assert!(root.attributes["supportedExtension"].contains(&START_TLS.to_owned()));
    let answer = client.extended(START_TLS, None);
    assert_eq!((answer.code, answer.more[0].1.as_slice()), (0, START_TLS.as_bytes()));
    let mut client = secured(client.stream, config);
    assert_eq!(client.bind(&user(7), "password").code, 0);
    assert_eq!(client.extended(START_TLS, None).code, 1);
    assert_eq!(target.counts().operation("ldap-extended").answered, 2);
}

#[test]
fn nothing_sent_in_the_clear_is_taken_for_protected() {
    let (target, _) = target();
    let mut client = Client::to(&target);
    let start = group(0x77, &[element(0x80, START_TLS.as_bytes())]);
    let both = [group(0x30, &[integer(1), start]), group(0x30, &[integer(2), bind("", "")])].concat();
    client.stream.write_all(&both).unwrap();
    assert_eq!(client.receive().unwrap().id, 1);
    assert_eq!(client.receive().unwrap().id, 0);
    client.receive().unwrap_err();
}

#[test]
fn noise_instead_of_a_handshake_ends_the_connection() {
    let (target, _) = target();
    let mut stream = TcpStream::connect(target.ldaps_address().unwrap()).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(10))).unwrap();
    stream.write_all(&group(0x30, &[integer(1), bind("", "")])).unwrap();
    let mut rest = Vec::new();
    let _ = stream.read_to_end(&mut rest);
    assert!(rest.len() < 100, "an alert at most");
}

#[test]
fn ldaps_needs_a_certificate() {
    let ldaps = Some(SocketAddr::from(([127, 0, 0, 1], 0)));
    let error = Target::start(Config { ldaps, ..Config::default() }).err().unwrap();
    assert!(matches!(error, Error::Tls { .. }), "{error}");
    assert!(error.to_string().contains("certificate"), "{error}");
}
