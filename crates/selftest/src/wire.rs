//! What the generator and the target speak with each other.

use crate::stand::Problem;
use loadgen_target::TlsFiles;

/// What the generator and the target speak with each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Wire {
    /// HTTP/1.1 over TCP.
    #[default]
    Http1,
    /// HTTP/1.1 over TLS.
    Http1Tls,
}

impl Wire {
    /// What the target needs to speak it.
    pub(crate) fn tls_files(self) -> Result<Option<TlsFiles>, Problem> {
        match self {
            Self::Http1 => Ok(None),
            Self::Http1Tls => certificate().map(Some),
        }
    }

    /// What the job says about it.
    pub(crate) fn attributes(self) -> &'static str {
        match self {
            Self::Http1 => "",
            // Who the target is, is known: it was started a moment ago. What is tested is how long it takes.
            Self::Http1Tls => "tls: { insecure: true }\n",
        }
    }
}

/// A certificate that signs itself, made anew for each run.
fn certificate() -> Result<TlsFiles, Problem> {
    let made = rcgen::generate_simple_self_signed(vec!["localhost".to_owned()])
        .map_err(|error| Problem::Case(format!("cannot make a certificate: {error}")))?;
    Ok(TlsFiles {
        certificate_pem: made.cert.pem().into_bytes(),
        key_pem: made.signing_key.serialize_pem().into_bytes(),
    })
}
