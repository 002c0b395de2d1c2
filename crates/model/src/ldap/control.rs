//! Controls: what an operation is asked beside itself (RFC 4511 section 4.1.11).

use crate::ldap::Filter;
use crate::template::Template;

/// A control.
#[derive(Debug, Clone)]
pub struct Control {
    /// What it asks.
    pub kind: ControlKind,
    /// Whether the operation is to fail where the server does not know it.
    pub critical: bool,
}

/// What a control asks.
#[derive(Debug, Clone)]
pub enum ControlKind {
    /// In the name of another: `dn:…` or `u:…` (RFC 4370).
    ProxiedAuthorization(Template),
    /// Who a bind made the user (RFC 3829).
    AuthorizationIdentity,
    /// What the password policy has to say (draft-behera-ldap-password-policy).
    PasswordPolicy,
    /// Only if this holds of the entry (RFC 4528).
    Assertion(Filter),
    /// These attributes as they were before (RFC 4527).
    PreRead(Vec<Template>),
    /// These attributes as they are after (RFC 4527).
    PostRead(Vec<Template>),
    /// Entries in this order (RFC 2891).
    Sort(Vec<SortKey>),
    /// References are entries like others (RFC 3296).
    ManageDsaIt,
    /// Any other.
    Other {
        /// Object identifier.
        oid: String,
        /// What goes with it.
        value: Option<Template>,
    },
}

/// What entries are sorted by.
#[derive(Debug, Clone)]
pub struct SortKey {
    /// The attribute.
    pub attribute: String,
    /// How values are compared; the attribute's own way when none.
    pub rule: Option<String>,
    /// From the last to the first.
    pub reverse: bool,
}

impl ControlKind {
    /// Its object identifier.
    pub fn oid(&self) -> &str {
        match self {
            ControlKind::ProxiedAuthorization(_) => "2.16.840.1.113730.3.4.18",
            ControlKind::AuthorizationIdentity => "2.16.840.1.113730.3.4.16",
            ControlKind::PasswordPolicy => "1.3.6.1.4.1.42.2.27.8.5.1",
            ControlKind::Assertion(_) => "1.3.6.1.1.12",
            ControlKind::PreRead(_) => "1.3.6.1.1.13.1",
            ControlKind::PostRead(_) => "1.3.6.1.1.13.2",
            ControlKind::Sort(_) => "1.2.840.113556.1.4.473",
            ControlKind::ManageDsaIt => "2.16.840.1.113730.3.4.2",
            ControlKind::Other { oid, .. } => oid,
        }
    }
}
