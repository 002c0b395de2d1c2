//! TLS settings of the plan as rustls wants them.

use crate::local::Local;
use crate::origins::OriginId;
use loadgen_model::request::{Http, Protocol, Transport, TransportId};
use loadgen_model::{Failure, FailureKind};
use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::client::{Resumption, WebPkiServerVerifier, verify_server_name};
use rustls::crypto::CryptoProvider;
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer, ServerName, UnixTime};
use rustls::server::ParsedCertificate;
use rustls::{ClientConfig, DigitallySignedStruct, RootCertStore, SignatureScheme};
use std::sync::{Arc, OnceLock};
use tokio_rustls::TlsConnector;

/// What a user keeps of TLS sessions, in the library's count: four servers, eight tickets each.
const TICKETS_KEPT: usize = 32;

/// The connector of one transport, made when it is first needed: reading the system's certificates takes
/// longer than starting a run does.
#[derive(Default)]
pub(crate) struct Connector(OnceLock<Result<TlsConnector, String>>);

impl Connector {
    /// The connector; the error says what is wrong with the settings.
    pub(crate) fn get(&self, transport: &Transport) -> Result<&TlsConnector, &String> {
        self.0.get_or_init(|| connector(transport)).as_ref()
    }
}

/// The TLS sessions of a user, by transport and whether HTTP is spoken; or of users that share connections: each resumes its own, as browsers do.
#[derive(Default)]
pub(crate) struct Sessions(Vec<(TransportId, bool, TlsConnector)>);

impl Sessions {
    /// What opens TLS to a server; none when it speaks no TLS.
    pub(crate) fn connector(&mut self, local: &Local, to: OriginId) -> Result<Option<TlsConnector>, Failure> {
        let (id, tls, protocol) = {
            let origins = local.origins.borrow();
            let (id, origin) = origins.get(to);
            (*id, origin.tls, origin.protocol)
        };
        if !tls {
            return Ok(None);
        }
        let http = protocol == Protocol::Http;
        if let Some((.., own)) = self.0.iter().find(|(of, is_http, _)| (*of, *is_http) == (id, http)) {
            return Ok(Some(own.clone()));
        }
        let transport = &local.plan.transports[usize::from(id.0)];
        let connector = local.shared.connectors[usize::from(id.0)].get(transport);
        let connector = connector.map_err(|text| Failure::text(FailureKind::Tls, text.as_str()))?;
        let connector = speaking(connector, protocol);
        if transport.tls.full_handshakes {
            return Ok(Some(connector));
        }
        let mut config = ClientConfig::clone(connector.config());
        config.resumption = Resumption::in_memory_sessions(TICKETS_KEPT);
        let own = TlsConnector::from(Arc::new(config));
        self.0.push((id, http, own.clone()));
        Ok(Some(own))
    }
}

/// A connector for what is spoken over it: names of ALPN are those of HTTP, and LDAP has none.
pub(crate) fn speaking(connector: &TlsConnector, protocol: Protocol) -> TlsConnector {
    if protocol == Protocol::Http {
        return connector.clone();
    }
    let mut config = ClientConfig::clone(connector.config());
    config.alpn_protocols.clear();
    TlsConnector::from(Arc::new(config))
}

/// The names of ALPN that are offered (RFC 7301 section 6, RFC 9113 section 3.2).
fn protocols(http: Http) -> Vec<Vec<u8>> {
    let names: &[&[u8]] = match http {
        Http::One => &[b"http/1.1"],
        Http::Two => &[b"h2"],
        Http::Auto => &[b"h2", b"http/1.1"],
    };
    names.iter().map(|name| name.to_vec()).collect()
}

fn connector(transport: &Transport) -> Result<TlsConnector, String> {
    let settings = &transport.tls;
    let provider = Arc::new(rustls::crypto::aws_lc_rs::default_provider());
    let builder = ClientConfig::builder_with_provider(provider.clone())
        .with_safe_default_protocol_versions()
        .map_err(|error| error.to_string())?;
    let own = |trust| Arc::new(Verifier { trust, provider: provider.clone() });
    let builder = match &settings.authorities {
        _ if settings.insecure => builder.dangerous().with_custom_certificate_verifier(own(Trust::Any)),
        Some(pem) => {
            let trust = named(pem, &provider).map_err(|error| format!("trusted certificates: {error}"))?;
            builder.dangerous().with_custom_certificate_verifier(own(trust))
        }
        None => builder.with_root_certificates(system_roots()),
    };
    let mut config = match &settings.client {
        None => builder.with_no_client_auth(),
        Some((chain, key)) => {
            let chain = certificates(chain).map_err(|error| format!("client certificate: {error}"))?;
            let key = PrivateKeyDer::from_pem_slice(key).map_err(|error| format!("client key: {error}"))?;
            builder
                .with_client_auth_cert(chain, key)
                .map_err(|error| format!("client certificate and key: {error}"))?
        }
    };
    config.alpn_protocols = protocols(transport.http);
    // Sessions are each user's own: see `Sessions`.
    config.resumption = Resumption::disabled();
    Ok(TlsConnector::from(Arc::new(config)))
}

/// Trusts these authorities (PEM) and what they signed.
fn named(pem: &[u8], provider: &Arc<CryptoProvider>) -> Result<Trust, String> {
    let certificates = certificates(pem)?;
    let mut roots = RootCertStore::empty();
    for certificate in &certificates {
        roots.add(certificate.clone()).map_err(|error| error.to_string())?;
    }
    let chain = WebPkiServerVerifier::builder_with_provider(Arc::new(roots), provider.clone());
    Ok(Trust::Named { chain: chain.build().map_err(|error| error.to_string())?, certificates })
}

fn system_roots() -> RootCertStore {
    let mut roots = RootCertStore::empty();
    roots.add_parsable_certificates(rustls_native_certs::load_native_certs().certs);
    roots
}

fn certificates(pem: &[u8]) -> Result<Vec<CertificateDer<'static>>, String> {
    let all: Vec<_> =
        CertificateDer::pem_slice_iter(pem).collect::<Result<_, _>>().map_err(|error| error.to_string())?;
    if all.is_empty() { Err("the file holds no PEM certificate".to_owned()) } else { Ok(all) }
}

/// Which certificates of servers are accepted.
#[derive(Debug)]
struct Verifier {
    trust: Trust,
    provider: Arc<CryptoProvider>,
}

#[derive(Debug)]
enum Trust {
    /// Any: only where the job says `insecure: true`, and the report warns.
    Any,
    /// What an authority of the job signed; and a server that shows one of the job's very certificates, even if
    /// it is marked as an authority's: what laboratories make for a server of their own.
    Named { chain: Arc<WebPkiServerVerifier>, certificates: Vec<CertificateDer<'static>> },
}

impl ServerCertVerifier for Verifier {
    fn verify_server_cert(
        &self,
        certificate: &CertificateDer<'_>,
        intermediates: &[CertificateDer<'_>],
        name: &ServerName<'_>,
        ocsp: &[u8],
        now: UnixTime,
    ) -> Result<ServerCertVerified, rustls::Error> {
        let Trust::Named { chain, certificates } = &self.trust else {
            return Ok(ServerCertVerified::assertion());
        };
        let verified = chain.verify_server_cert(certificate, intermediates, name, ocsp, now);
        if verified.is_ok() || !certificates.contains(certificate) {
            return verified;
        }
        verify_server_name(&ParsedCertificate::try_from(certificate)?, name)?;
        Ok(ServerCertVerified::assertion())
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        let algorithms = &self.provider.signature_verification_algorithms;
        rustls::crypto::verify_tls12_signature(message, certificate, signature, algorithms)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        let algorithms = &self.provider.signature_verification_algorithms;
        rustls::crypto::verify_tls13_signature(message, certificate, signature, algorithms)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.provider.signature_verification_algorithms.supported_schemes()
    }
}
