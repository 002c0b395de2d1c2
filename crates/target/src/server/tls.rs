//! TLS for the listening side, with the certificate and key that were given; ALPN chooses HTTP/2 or HTTP/1.1.

use std::sync::Arc;

use rustls::client::danger::HandshakeSignatureValid;
use rustls::crypto::{CryptoProvider, aws_lc_rs, verify_tls12_signature, verify_tls13_signature};
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer, UnixTime};
use rustls::server::danger::{ClientCertVerified, ClientCertVerifier};
use rustls::{DigitallySignedStruct, DistinguishedName, ServerConfig, SignatureScheme};
use tokio_rustls::TlsAcceptor;

use crate::{Error, TlsFiles};

/// What TLS is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Use {
    Http,
    /// Clients may show a certificate of their own.
    Ldap,
}

pub(super) fn acceptor(files: &TlsFiles, used_for: Use) -> Result<TlsAcceptor, Error> {
    let certificates: Result<Vec<_>, _> = CertificateDer::pem_slice_iter(&files.certificate_pem).collect();
    let certificates = certificates.map_err(|error| tls(&format!("the certificate is not PEM: {error}")))?;
    if certificates.is_empty() {
        return Err(tls("the certificate file has no certificate in it"));
    }
    let key = PrivateKeyDer::from_pem_slice(&files.key_pem)
        .map_err(|error| tls(&format!("the private key is not PEM: {error}")))?;
    let provider = Arc::new(aws_lc_rs::default_provider());
    let builder = ServerConfig::builder_with_provider(Arc::clone(&provider))
        .with_safe_default_protocol_versions()
        .map_err(|error| tls(&error.to_string()))?;
    let builder = match used_for {
        Use::Http => builder.with_no_client_auth(),
        Use::Ldap => builder.with_client_cert_verifier(Arc::new(AnyClient { provider })),
    };
    let mut config = builder
        .with_single_cert(certificates, key)
        .map_err(|error| tls(&format!("certificate and key do not go together: {error}")))?;
    if used_for == Use::Http {
        config.alpn_protocols = vec![b"h2".to_vec(), b"http/1.1".to_vec()];
    }
    // Without these a session is kept here, for a few hundred clients only.
    config.ticketer = aws_lc_rs::Ticketer::new().map_err(|error| tls(&error.to_string()))?;
    Ok(TlsAcceptor::from(Arc::new(config)))
}

/// Takes any certificate of a client, whoever signed it, or none: who simulates a platform need not be an
/// authority. That the client has the certificate's key is checked.
#[derive(Debug)]
struct AnyClient {
    provider: Arc<CryptoProvider>,
}

impl ClientCertVerifier for AnyClient {
    fn root_hint_subjects(&self) -> &[DistinguishedName] {
        &[]
    }

    fn client_auth_mandatory(&self) -> bool {
        false
    }

    fn verify_client_cert(
        &self,
        _: &CertificateDer<'_>,
        _: &[CertificateDer<'_>],
        _: UnixTime,
    ) -> Result<ClientCertVerified, rustls::Error> {
        Ok(ClientCertVerified::assertion())
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        let algorithms = &self.provider.signature_verification_algorithms;
        verify_tls12_signature(message, certificate, signature, algorithms)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        let algorithms = &self.provider.signature_verification_algorithms;
        verify_tls13_signature(message, certificate, signature, algorithms)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.provider.signature_verification_algorithms.supported_schemes()
    }
}

fn tls(reason: &str) -> Error {
    Error::Tls { reason: reason.to_owned() }
}
