//! TLS settings of the plan as rustls wants them.

use loadgen_model::request::Tls;
use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::crypto::CryptoProvider;
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer, ServerName, UnixTime};
use rustls::{ClientConfig, DigitallySignedStruct, RootCertStore, SignatureScheme};
use std::sync::{Arc, OnceLock};
use tokio_rustls::TlsConnector;

/// The connector of one transport, made when it is first needed: reading the system's certificates takes
/// longer than starting a run does.
#[derive(Default)]
pub(crate) struct Connector(OnceLock<Result<TlsConnector, String>>);

impl Connector {
    /// The connector; the error says what is wrong with the settings.
    pub(crate) fn get(&self, settings: &Tls) -> Result<&TlsConnector, &String> {
        self.0.get_or_init(|| connector(settings)).as_ref()
    }
}

fn connector(settings: &Tls) -> Result<TlsConnector, String> {
    let provider = Arc::new(rustls::crypto::aws_lc_rs::default_provider());
    let builder = ClientConfig::builder_with_provider(provider.clone())
        .with_safe_default_protocol_versions()
        .map_err(|error| error.to_string())?;
    let builder = if settings.insecure {
        builder.dangerous().with_custom_certificate_verifier(Arc::new(AcceptAny(provider)))
    } else {
        builder.with_root_certificates(roots(settings)?)
    };
    let config = match &settings.client {
        None => builder.with_no_client_auth(),
        Some((chain, key)) => {
            let chain = certificates(chain).map_err(|error| format!("client certificate: {error}"))?;
            let key = PrivateKeyDer::from_pem_slice(key).map_err(|error| format!("client key: {error}"))?;
            builder
                .with_client_auth_cert(chain, key)
                .map_err(|error| format!("client certificate and key: {error}"))?
        }
    };
    Ok(TlsConnector::from(Arc::new(config)))
}

fn roots(settings: &Tls) -> Result<RootCertStore, String> {
    let mut roots = RootCertStore::empty();
    match &settings.authorities {
        Some(pem) => {
            for certificate in certificates(pem).map_err(|error| format!("trusted certificates: {error}"))? {
                roots.add(certificate).map_err(|error| format!("trusted certificates: {error}"))?;
            }
        }
        None => {
            roots.add_parsable_certificates(rustls_native_certs::load_native_certs().certs);
        }
    }
    Ok(roots)
}

fn certificates(pem: &[u8]) -> Result<Vec<CertificateDer<'static>>, String> {
    let all: Vec<_> =
        CertificateDer::pem_slice_iter(pem).collect::<Result<_, _>>().map_err(|error| error.to_string())?;
    if all.is_empty() { Err("the file holds no PEM certificate".to_owned()) } else { Ok(all) }
}

/// Accepts any certificate: only where the job says `insecure: true`, and the report warns.
#[derive(Debug)]
struct AcceptAny(Arc<CryptoProvider>);

impl ServerCertVerifier for AcceptAny {
    fn verify_server_cert(
        &self,
        _: &CertificateDer<'_>,
        _: &[CertificateDer<'_>],
        _: &ServerName<'_>,
        _: &[u8],
        _: UnixTime,
    ) -> Result<ServerCertVerified, rustls::Error> {
        Ok(ServerCertVerified::assertion())
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        let algorithms = &self.0.signature_verification_algorithms;
        rustls::crypto::verify_tls12_signature(message, certificate, signature, algorithms)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        let algorithms = &self.0.signature_verification_algorithms;
        rustls::crypto::verify_tls13_signature(message, certificate, signature, algorithms)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.0.signature_verification_algorithms.supported_schemes()
    }
}
