//! Search filters in bytes (RFC 4511 section 4.5.1.7).

use crate::client::ldap::ber::{OCTETS, SEQUENCE, constructed, context};
use crate::client::ldap::encoding::Encoding;
use loadgen_model::ldap::Filter;
use loadgen_model::ldap::filter::Comparison;

/// A filter, compiled.
pub(crate) fn encoding(filter: &Filter) -> Encoding {
    let mut out = Encoding::default();
    write(filter, &mut out);
    out
}

/// Appends a filter.
pub(crate) fn write(filter: &Filter, out: &mut Encoding) {
    match filter {
        Filter::And(filters) => out.nested(constructed(0), all(filters)),
        Filter::Or(filters) => out.nested(constructed(1), all(filters)),
        Filter::Not(inner) => out.nested(constructed(2), encoding(inner)),
        Filter::Compare(comparison, attribute, value) => {
            let mut assertion = Encoding::default();
            assertion.text(OCTETS, attribute);
            assertion.octets(OCTETS, value);
            out.nested(tag(*comparison), assertion);
        }
        Filter::Substrings { attribute, initial, any, last } => {
            let mut parts = Encoding::default();
            if let Some(part) = initial {
                parts.octets(context(0), part);
            }
            for part in any {
                parts.octets(context(1), part);
            }
            if let Some(part) = last {
                parts.octets(context(2), part);
            }
            let mut substrings = Encoding::default();
            substrings.text(OCTETS, attribute);
            substrings.nested(SEQUENCE, parts);
            out.nested(constructed(4), substrings);
        }
        Filter::Present(attribute) => out.text(context(7), attribute),
        Filter::Extensible { rule, attribute, value, dn } => {
            let mut assertion = Encoding::default();
            if let Some(rule) = rule {
                assertion.text(context(1), rule);
            }
            if let Some(attribute) = attribute {
                assertion.text(context(2), attribute);
            }
            assertion.octets(context(3), value);
            if *dn {
                assertion.boolean(context(4), true);
            }
            out.nested(constructed(9), assertion);
        }
        Filter::Text(text) => out.filter_text(text),
    }
}

fn all(filters: &[Filter]) -> Encoding {
    let mut out = Encoding::default();
    for filter in filters {
        write(filter, &mut out);
    }
    out
}

fn tag(comparison: Comparison) -> u8 {
    constructed(match comparison {
        Comparison::Equal => 3,
        Comparison::GreaterOrEqual => 5,
        Comparison::LessOrEqual => 6,
        Comparison::Approximate => 8,
    })
}
