//! How keys are protected in stores of Java: a stream of SHA-1 in JKS, triple DES in JCEKS.

use super::StoreError;
use super::der::{OBJECT_IDENTIFIER, OCTETS, Reader, SEQUENCE};
use des::TdesEde3;
use des::cipher::{BlockCipherDecrypt, KeyInit};
use md5::Md5;
use sha1::{Digest, Sha1};

/// 1.3.6.1.4.1.42.2.17.1.1 in DER: what `sun.security.provider.KeyProtector` writes.
const SHA1_STREAM: &[u8] = b"\x2b\x06\x01\x04\x01\x2a\x02\x11\x01\x01";
/// 1.3.6.1.4.1.42.2.19.1 in DER: `PBEWithMD5AndTripleDES` of `SunJCE`.
const MD5_TRIPLE_DES: &[u8] = b"\x2b\x06\x01\x04\x01\x2a\x02\x13\x01";
/// Bytes of a SHA-1 digest.
const SHA1: usize = 20;
/// Java itself takes no more.
const MOST_ITERATIONS: u32 = 5_000_000;
/// Bytes of a block of DES.
const BLOCK: usize = 8;
const DAMAGED: StoreError = StoreError::Damaged("a protected key cannot be read");

/// Opens an `EncryptedPrivateKeyInfo` (RFC 5958 section 3): the key as PKCS#8.
pub(super) fn open(protected: &[u8], password: &str) -> Result<Vec<u8>, StoreError> {
    let mut parts = Reader(Reader(protected).take(SEQUENCE).ok_or(DAMAGED)?);
    let mut algorithm = Reader(parts.take(SEQUENCE).ok_or(DAMAGED)?);
    let data = parts.take(OCTETS).ok_or(DAMAGED)?;
    match algorithm.take(OBJECT_IDENTIFIER).ok_or(DAMAGED)? {
        SHA1_STREAM => sha1_stream(data, password),
        MD5_TRIPLE_DES => {
            let mut parameters = Reader(algorithm.take(SEQUENCE).ok_or(DAMAGED)?);
            let salt = parameters.take(OCTETS).and_then(|salt| salt.try_into().ok()).ok_or(DAMAGED)?;
            let iterations = parameters.number().filter(|number| *number <= MOST_ITERATIONS);
            md5_triple_des(data, password, salt, iterations.ok_or(DAMAGED)?)
        }
        _ => Err(StoreError::Protection("an algorithm that is not known")),
    }
}

/// A password as JKS hashes it: UTF-16, the higher byte first.
pub(super) fn utf16(password: &str) -> Vec<u8> {
    password.encode_utf16().flat_map(u16::to_be_bytes).collect()
}

/// Salt, the key under a stream of digests that begins with the salt, and a digest of the key.
fn sha1_stream(data: &[u8], password: &str) -> Result<Vec<u8>, StoreError> {
    let (salt, rest) = data.split_at_checked(SHA1).ok_or(DAMAGED)?;
    let (hidden, digest) =
        rest.len().checked_sub(SHA1).and_then(|end| rest.split_at_checked(end)).ok_or(DAMAGED)?;
    let password = utf16(password);
    let mut stream = salt.to_vec();
    let mut key = Vec::with_capacity(hidden.len());
    for part in hidden.chunks(SHA1) {
        stream = Sha1::new().chain_update(&password).chain_update(&stream).finalize().to_vec();
        key.extend(part.iter().zip(&stream).map(|(byte, mask)| byte ^ mask));
    }
    let found = Sha1::new().chain_update(&password).chain_update(&key).finalize();
    if found.as_slice() == digest { Ok(key) } else { Err(StoreError::KeyPassword) }
}

/// Triple DES in CBC mode with the padding of PKCS#7 (RFC 5652 section 6.3).
fn md5_triple_des(
    data: &[u8],
    password: &str,
    salt: [u8; 8],
    iterations: u32,
) -> Result<Vec<u8>, StoreError> {
    let derived = derived(password, salt, iterations);
    let (key, vector) = derived.split_at(24);
    let cipher = TdesEde3::new_from_slice(key).map_err(|_| DAMAGED)?;
    if data.is_empty() || !data.len().is_multiple_of(BLOCK) {
        return Err(DAMAGED);
    }
    let mut opened = Vec::with_capacity(data.len());
    let mut previous = vector;
    for block in data.chunks_exact(BLOCK) {
        let mut content = <[u8; BLOCK]>::try_from(block).expect("chunks are exactly a block").into();
        cipher.decrypt_block(&mut content);
        opened.extend(content.iter().zip(previous).map(|(byte, mask)| byte ^ mask));
        previous = block;
    }
    let padding = usize::from(*opened.last().expect("there is at least one block"));
    let is_padded = (1..=BLOCK).contains(&padding)
        && opened[opened.len() - padding..].iter().all(|byte| usize::from(*byte) == padding);
    if !is_padded {
        return Err(StoreError::KeyPassword);
    }
    opened.truncate(opened.len() - padding);
    Ok(opened)
}

/// 24 bytes of key and 8 of initial vector: each half of the salt, digested with the password again and again
/// (`OpenJDK`, `com.sun.crypto.provider.PBES1Core`). Of a character only the lower 7 bits count.
fn derived(password: &str, salt: [u8; 8], iterations: u32) -> Vec<u8> {
    let password: Vec<u8> = password.encode_utf16().map(|unit| (unit & 0x7f) as u8).collect();
    let [a, b, c, d, rest @ ..] = salt;
    // Equal halves would give one key twice, so Java turns one of them around, or nearly so.
    let first = if [a, b, c, d] == rest { [d, a, b, d] } else { [a, b, c, d] };
    let digest = |half: [u8; 4]| {
        let mut hashed = half.to_vec();
        for _ in 0..iterations {
            hashed = Md5::new().chain_update(&hashed).chain_update(&password).finalize().to_vec();
        }
        // Without an iteration there would be no digest.
        hashed.resize(16, 0);
        hashed
    };
    [digest(first), digest(rest)].concat()
}
