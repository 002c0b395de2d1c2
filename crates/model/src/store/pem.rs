//! PEM (RFC 7468): certificates and keys as text.

use super::{Key, KeyEntry, StoreError};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

const BEGIN: &str = "-----BEGIN ";
const END: &str = "-----END ";
const DASHES: &str = "-----";
/// The label of a PKCS#8 key that needs a password.
const ENCRYPTED: &str = "ENCRYPTED PRIVATE KEY";
/// Characters on a line (section 2).
const LINE: usize = 64;

/// Whether the content of a file is PEM.
pub(super) fn is_pem(bytes: &[u8]) -> bool {
    memchr::memmem::find(bytes, BEGIN.as_bytes()).is_some()
}

/// Its certificates and its keys. Those of a file with one key belong to that key, the first of them being its own.
pub(super) fn read(bytes: &[u8]) -> Result<(Vec<Vec<u8>>, Vec<KeyEntry>), StoreError> {
    let text = String::from_utf8_lossy(bytes);
    let (mut certificates, mut keys) = (Vec::new(), Vec::new());
    let mut rest = text.as_ref();
    while let Some(begin) = rest.find(BEGIN) {
        let (label, after) = rest[begin + BEGIN.len()..]
            .split_once(DASHES)
            .ok_or(StoreError::Damaged("a line `-----BEGIN` has no end"))?;
        let end = format!("{END}{label}{DASHES}");
        let (content, after) =
            after.split_once(&end).ok_or(StoreError::Damaged("a line `-----END` is missing"))?;
        rest = after;
        match label {
            "CERTIFICATE" | "X509 CERTIFICATE" => certificates.push(decoded(content)?),
            "PRIVATE KEY" => keys.push(Key::Open(decoded(content)?)),
            _ if !label.ends_with("PRIVATE KEY") => {}
            _ if label == ENCRYPTED || content.contains("ENCRYPTED") => keys.push(Key::Encrypted),
            _ => keys.push(Key::Labelled(label.to_owned(), decoded(content)?)),
        }
    }
    let chain = if keys.len() == 1 { std::mem::take(&mut certificates) } else { Vec::new() };
    let entry = |key| KeyEntry { name: None, key, chain: chain.clone() };
    Ok((certificates, keys.into_iter().map(entry).collect()))
}

fn decoded(content: &str) -> Result<Vec<u8>, StoreError> {
    let digits: String = content.split_ascii_whitespace().collect();
    STANDARD.decode(digits).map_err(|_| StoreError::Damaged("what stands between two lines is no base64"))
}

/// Appends a block.
pub(super) fn write(label: &str, content: &[u8], out: &mut Vec<u8>) {
    let digits = STANDARD.encode(content);
    out.extend_from_slice(format!("{BEGIN}{label}{DASHES}\n").as_bytes());
    for line in digits.as_bytes().chunks(LINE) {
        out.extend_from_slice(line);
        out.push(b'\n');
    }
    out.extend_from_slice(format!("{END}{label}{DASHES}\n").as_bytes());
}
