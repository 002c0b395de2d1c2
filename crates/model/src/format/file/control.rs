//! Controls of an LDAP operation.

use crate::format::decode::record::record;
use crate::format::decode::text::Text;
use crate::format::decode::words::Switch;
use crate::format::file::operation::AttributeValue;

record! {
    /// Controls of an LDAP operation.
    pub(crate) struct Controls {
        /// In whose name: `dn:…` or `u:…` (RFC 4370).
        proxied_authorization: Option<Text>,
        /// Asks a bind who it made the user (RFC 3829).
        authorization_identity: Option<Switch>,
        /// Asks what the password policy has to say.
        password_policy: Option<Switch>,
        /// Only if this filter holds of the entry (RFC 4528).
        assertion: Option<Text>,
        /// Attributes as they were before (RFC 4527).
        pre_read: Option<Vec<Text>>,
        /// Attributes as they are after (RFC 4527).
        post_read: Option<Vec<Text>>,
        /// Attributes that the server sorts by (RFC 2891): `sn`, `-sn` from the last, `sn:caseExactOrderingMatch`.
        sort: Option<Vec<Text>>,
        /// Whether references are entries like others (RFC 3296).
        manage_dsa_it: Option<Switch>,
        /// Any others.
        other: Option<Vec<OtherControl>>,
    }
}

record! {
    /// A control by its object identifier.
    pub(crate) struct OtherControl {
        /// Object identifier.
        oid: Text,
        /// Whether the operation is to fail where the server does not know it; `off` when absent.
        critical: Option<Switch>,
        /// What goes with it.
        value: Option<AttributeValue>,
    }
}
