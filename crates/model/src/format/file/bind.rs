//! LDAP: who a user is from now on.

use crate::format::decode::fields::Rule;
use crate::format::decode::record::record;
use crate::format::decode::shape::Definitions;
use crate::format::decode::text::Text;
use crate::format::decode::{Decode, Spanned, wrong_kind};
use crate::format::file::operation::Common;
use crate::format::node::Node;
use crate::format::problems::Problems;
use crate::ldap::Mechanism;
use serde_json::json;

record! {
    /// LDAP: who the user is from now on.
    pub(crate) struct Bind {
        /// Name of the entry; nobody when absent.
        dn: Option<Text>,
        /// Password.
        password: Option<Text>,
        /// A mechanism of SASL.
        sasl: Option<Sasl>,
        ..common: Common,
    }
    rules: [Rule::AtMostOne(&["dn", "sasl"]), Rule::Needs("password", &["dn", "sasl"])]
}

record! {
    /// How a user proves who it is.
    pub(crate) struct Sasl {
        /// The mechanism.
        mechanism: Spanned<Mechanism>,
        /// Who is proved.
        authid: Option<Text>,
        /// Who acts: `dn:…` or `u:…`.
        authzid: Option<Text>,
        /// Where the name means something, for DIGEST-MD5; the server's only one when absent.
        realm: Option<Text>,
    }
}

impl Decode for Mechanism {
    const EXPECTED: &'static str = "one word";

    fn accepts(node: &Node) -> bool {
        node.scalar().is_some() && !node.is_null()
    }

    fn decode(node: &Node, problems: &mut Problems) -> Option<Self> {
        let Some(scalar) = node.scalar().filter(|_| !node.is_null()) else {
            return wrong_kind::<Self>(node, problems);
        };
        let found = Mechanism::find(&scalar.text);
        found.map_err(|unknown| problems.error_with_help(&node.at, unknown.message, unknown.help)).ok()
    }

    fn schema(_: &mut Definitions) -> serde_json::Value {
        json!({ "enum": Mechanism::ALL.map(Mechanism::name) })
    }
}

/// What stands for a broken record.
impl Default for Mechanism {
    fn default() -> Self {
        Mechanism::External
    }
}
