//! TLS for the listening side, with the certificate and key that were given; ALPN chooses HTTP/2 or HTTP/1.1.

use std::sync::Arc;

use rustls::ServerConfig;
use rustls::crypto::aws_lc_rs;
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use tokio_rustls::TlsAcceptor;

use crate::{Error, TlsFiles};

pub(super) fn acceptor(files: &TlsFiles) -> Result<TlsAcceptor, Error> {
    let certificates: Result<Vec<_>, _> = CertificateDer::pem_slice_iter(&files.certificate_pem).collect();
    let certificates = certificates.map_err(|error| tls(&format!("the certificate is not PEM: {error}")))?;
    if certificates.is_empty() {
        return Err(tls("the certificate file has no certificate in it"));
    }
    let key = PrivateKeyDer::from_pem_slice(&files.key_pem)
        .map_err(|error| tls(&format!("the private key is not PEM: {error}")))?;
    let config = ServerConfig::builder_with_provider(Arc::new(aws_lc_rs::default_provider()))
        .with_safe_default_protocol_versions()
        .map_err(|error| tls(&error.to_string()))?
        .with_no_client_auth()
        .with_single_cert(certificates, key)
        .map_err(|error| tls(&format!("certificate and key do not go together: {error}")))?;
    let mut config = config;
    config.alpn_protocols = vec![b"h2".to_vec(), b"http/1.1".to_vec()];
    // Without these a session is kept here, for a few hundred clients only.
    config.ticketer = aws_lc_rs::Ticketer::new().map_err(|error| tls(&error.to_string()))?;
    Ok(TlsAcceptor::from(Arc::new(config)))
}

fn tls(reason: &str) -> Error {
    Error::Tls { reason: reason.to_owned() }
}
