//! Takes the content coding off a body that something reads (RFC 9110 section 8.4).

use loadgen_model::{Failure, FailureKind};
use std::io::Read;

/// A decoded body may be so long: a small one may unfold to any size.
const DECODED_LIMIT: u64 = 64 * 1024 * 1024;

/// Replaces `body` by what it decodes to. `codings` is the value of Content-Encoding.
pub(crate) fn decode(codings: &[u8], body: &mut Vec<u8>) -> Result<(), Failure> {
    // The last coding named was applied last.
    for coding in codings.rsplit(|byte| *byte == b',').map(<[u8]>::trim_ascii) {
        let decoded = match coding.to_ascii_lowercase().as_slice() {
            b"gzip" | b"x-gzip" => read(flate2::read::MultiGzDecoder::new(body.as_slice())),
            b"deflate" => inflate(body),
            b"br" => read(brotli_decompressor::Decompressor::new(body.as_slice(), 4096)),
            b"identity" | b"" => continue,
            other => {
                let name = String::from_utf8_lossy(other).into_owned();
                let text = format!("the body's coding `{name}` is not gzip, deflate or br");
                return Err(Failure::text(FailureKind::Protocol, text));
            }
        };
        *body = decoded.map_err(|_| {
            Failure::fixed(
                FailureKind::Protocol,
                "the compressed body is broken, or longer than 64 MiB unfolded",
            )
        })?;
    }
    Ok(())
}

/// `deflate` is the zlib format by the standard, and raw deflate by the habit of some servers.
fn inflate(body: &[u8]) -> std::io::Result<Vec<u8>> {
    read(flate2::read::ZlibDecoder::new(body)).or_else(|_| read(flate2::read::DeflateDecoder::new(body)))
}

fn read(decoder: impl Read) -> std::io::Result<Vec<u8>> {
    let mut out = Vec::new();
    let mut bounded = decoder.take(DECODED_LIMIT + 1);
    bounded.read_to_end(&mut out)?;
    if out.len() as u64 > DECODED_LIMIT {
        return Err(std::io::ErrorKind::FileTooLarge.into());
    }
    Ok(out)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write as _;

    #[test]
    fn codings_are_taken_off_in_reverse_order() {
        let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        gzip.write_all(b"{\"tokenId\":\"a\"}").unwrap();
        let mut zlib = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::fast());
        zlib.write_all(&gzip.finish().unwrap()).unwrap();
        let mut body = zlib.finish().unwrap();
        decode(b"gzip, deflate", &mut body).unwrap();
        assert_eq!(body, b"{\"tokenId\":\"a\"}");
    }

    #[test]
    fn a_broken_or_unknown_body_is_a_protocol_failure() {
        for coding in [&b"gzip"[..], b"br", b"deflate", b"zstd"] {
            let failure = decode(coding, &mut b"\xff\xffno".to_vec()).unwrap_err();
            assert_eq!(failure.kind, FailureKind::Protocol);
        }
    }

    #[test]
    fn a_bomb_is_refused() {
        let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        let zeros = vec![0; 1024 * 1024];
        for _ in 0..65 {
            gzip.write_all(&zeros).unwrap();
        }
        assert!(decode(b"gzip", &mut gzip.finish().unwrap()).is_err());
    }
}
