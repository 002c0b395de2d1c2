//! Values on their way into a request: nothing that they hold can leave its place.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use loadgen_model::Template;
use loadgen_model::template::{Escape, Filter, Missing, Segment, Values, encode_url_text};
use loadgen_model::variable::Slot;
use proptest::prelude::*;

/// One value for every slot.
struct One<'a>(&'a [u8]);

impl Values for One<'_> {
    fn write(&mut self, _: Slot, out: &mut Vec<u8>) -> Result<(), Missing> {
        out.extend_from_slice(self.0);
        Ok(())
    }
}

fn rendered(value: &[u8], filters: Vec<Filter>, escape: Escape) -> Vec<u8> {
    let mut template = Template::text("<");
    template.push(Segment::Value { slot: Slot(0), filters, escape });
    template.push_text(">");
    let mut out = Vec::new();
    template.render(&mut One(value), &mut out).unwrap();
    assert!(out.starts_with(b"<") && out.ends_with(b">"));
    out[1..out.len() - 1].to_vec()
}

fn percent_decoded(text: &[u8]) -> Vec<u8> {
    let (mut out, mut at) = (Vec::new(), 0);
    while at < text.len() {
        if text[at] == b'%' {
            let hex = std::str::from_utf8(&text[at + 1..at + 3]).unwrap();
            out.push(u8::from_str_radix(hex, 16).unwrap());
            at += 3;
        } else {
            out.push(text[at]);
            at += 1;
        }
    }
    out
}

proptest! {
    #[test]
    fn a_value_in_a_json_string_reads_back(value in ".*") {
        let text = String::from_utf8(rendered(value.as_bytes(), vec![], Escape::Json)).unwrap();
        prop_assert_eq!(serde_json::from_str::<String>(&format!("\"{text}\"")).unwrap(), value);
    }

    #[test]
    fn a_value_in_a_query_decodes_to_itself(value in prop::collection::vec(any::<u8>(), 0..40)) {
        let text = rendered(&value, vec![], Escape::Percent);
        prop_assert!(text.iter().all(|byte| byte.is_ascii_alphanumeric() || b"-._~%".contains(byte)));
        prop_assert_eq!(percent_decoded(&text), value.clone());
        prop_assert_eq!(rendered(&value, vec![Filter::UrlEncode], Escape::None), text);
    }

    #[test]
    fn a_value_in_a_header_adds_no_line(value in prop::collection::vec(any::<u8>(), 0..40)) {
        let text = rendered(&value, vec![], Escape::Header);
        prop_assert!(!text.iter().any(|byte| matches!(byte, b'\r' | b'\n' | 0)));
        prop_assert_eq!(text.len(), value.len());
    }

    #[test]
    fn text_of_a_url_keeps_what_may_stand_there_and_encodes_the_rest(text in "[ -~é]{0,40}") {
        let mut once = Vec::new();
        encode_url_text(text.as_bytes(), &mut once);
        prop_assert!(once.iter().all(u8::is_ascii_graphic), "{:?}", once);
        // Encoding what is encoded changes nothing, so that existing escapes stay.
        let mut twice = Vec::new();
        encode_url_text(&once, &mut twice);
        prop_assert_eq!(&twice, &once);
        prop_assert_eq!(rendered(text.as_bytes(), vec![], Escape::Url), once);
    }
}

#[test]
fn the_bytes_that_stand_as_they_are_are_those_of_the_standards() {
    let unreserved = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~".contains(&byte);
    for byte in 0..=255 {
        let value = [b'a', byte, b'a'];
        let stays = |escape| rendered(&value, vec![], escape) == value;
        assert!(stays(Escape::None), "{byte}");
        assert_eq!(stays(Escape::Header), !b"\r\n\0".contains(&byte), "{byte}");
        assert_eq!(stays(Escape::Json), byte >= 0x20 && !b"\"\\".contains(&byte), "{byte}");
        assert_eq!(stays(Escape::Percent), unreserved(byte), "{byte}");
        assert_eq!(stays(Escape::Url), unreserved(byte) || b":/?#[]@!$&'()*+,;=".contains(&byte), "{byte}");
        // Inside of a value a blank needs nothing.
        assert_eq!(stays(Escape::Dn), !b"\"+,;<>\\=#\0".contains(&byte), "{byte}");
    }
}

#[test]
fn filters_give_the_values_of_their_standards() {
    // RFC 4648 section 10, RFC 7636 appendix B.
    assert_eq!(rendered(b"foobar", vec![Filter::Base64], Escape::None), b"Zm9vYmFy");
    let verifier = b"dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";
    let challenge = b"E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";
    assert_eq!(rendered(verifier, vec![Filter::Sha256Base64Url], Escape::None), challenge);
    assert_eq!(rendered(b"\x00\xffA", vec![Filter::Hex], Escape::None), b"00ff41");
    assert_eq!(rendered("é".as_bytes(), vec![Filter::Upper, Filter::UrlEncode], Escape::None), b"%C3%89");
}

#[test]
fn the_queries_of_original_tasks_stand_as_they_were_written() {
    let mut out = Vec::new();
    encode_url_text(b"?_queryFilter=_id+eq+'user.7'&x=%20 y", &mut out);
    assert_eq!(out, b"?_queryFilter=_id+eq+'user.7'&x=%20%20y");
}

#[test]
fn a_template_never_shows_its_text_in_a_debug_print() {
    assert!(!format!("{:?}", Template::text("secret")).contains("secret"));
}
