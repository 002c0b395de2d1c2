//! The root entry: what the server says of itself (RFC 4512, 5.1).

use super::control;
use super::extended;
use super::image::{Class, Image};
use super::tree::SUFFIX;

/// All operational attributes (RFC 3673), absolute true and false filters (RFC 4526), increment (RFC 4525).
const FEATURES: &[&str] = &["1.3.6.1.4.1.4203.1.5.1", "1.3.6.1.4.1.4203.1.5.3", "1.3.6.1.1.14"];

/// Puts the root entry into `image`. All attributes are shown without being asked for, as clients expect.
pub(crate) fn show(offers_tls: bool, image: &mut Image) {
    let extensions = &extended::SUPPORTED[usize::from(!offers_tls)..];
    image.begin(|_| ());
    let attributes: [(&str, &[&str]); 8] = [
        ("objectClass", &["top"]),
        ("namingContexts", &[SUFFIX]),
        ("supportedLDAPVersion", &["3"]),
        ("supportedControl", control::SUPPORTED),
        ("supportedExtension", extensions),
        ("supportedFeatures", FEATURES),
        ("supportedSASLMechanisms", &["PLAIN", "EXTERNAL"]),
        ("vendorName", &["LoadGen, the built-in platform"]),
    ];
    for (name, values) in attributes {
        image.attribute(name, Class::User);
        for value in values {
            image.value(|bytes| bytes.extend_from_slice(value.as_bytes()));
        }
    }
}
