//! The operations that the platform tells apart in behaviour, counts and the log.

/// One kind of call: what a service time, a fault share, a count and a log line belong to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[repr(usize)]
pub(crate) enum Operation {
    Authenticate,
    Validate,
    Logout,
    Session,
    Create,
    Read,
    Query,
    Update,
    Patch,
    Delete,
    Agent,
    Logon,
    Usertoken,
    Pickup,
    LoginPage,
    Login,
    CrowdAuthenticate,
    CrowdValidate,
    CrowdFind,
    Sleep,
    Bytes,
    Status,
    Redirect,
    Echo,
    Compress,
    Health,
    Other,
    LdapBind,
    LdapSearch,
    LdapAdd,
    LdapModify,
    LdapDelete,
    LdapCompare,
    LdapModifyDn,
    LdapExtended,
    LdapAbandon,
    LdapUnbind,
}

impl Operation {
    /// How many operations there are.
    pub(crate) const COUNT: usize = Self::ALL.len();

    /// Every operation, in the order of its number.
    pub(crate) const ALL: &'static [Self; 37] = &[
        Self::Authenticate,
        Self::Validate,
        Self::Logout,
        Self::Session,
        Self::Create,
        Self::Read,
        Self::Query,
        Self::Update,
        Self::Patch,
        Self::Delete,
        Self::Agent,
        Self::Logon,
        Self::Usertoken,
        Self::Pickup,
        Self::LoginPage,
        Self::Login,
        Self::CrowdAuthenticate,
        Self::CrowdValidate,
        Self::CrowdFind,
        Self::Sleep,
        Self::Bytes,
        Self::Status,
        Self::Redirect,
        Self::Echo,
        Self::Compress,
        Self::Health,
        Self::Other,
        Self::LdapBind,
        Self::LdapSearch,
        Self::LdapAdd,
        Self::LdapModify,
        Self::LdapDelete,
        Self::LdapCompare,
        Self::LdapModifyDn,
        Self::LdapExtended,
        Self::LdapAbandon,
        Self::LdapUnbind,
    ];

    /// The name used in behaviour specifications, counts and the log.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Authenticate => "authenticate",
            Self::Validate => "validate",
            Self::Logout => "logout",
            Self::Session => "session",
            Self::Create => "create",
            Self::Read => "read",
            Self::Query => "query",
            Self::Update => "update",
            Self::Patch => "patch",
            Self::Delete => "delete",
            Self::Agent => "agent",
            Self::Logon => "logon",
            Self::Usertoken => "usertoken",
            Self::Pickup => "pickup",
            Self::LoginPage => "login-page",
            Self::Login => "login",
            Self::CrowdAuthenticate => "crowd-authenticate",
            Self::CrowdValidate => "crowd-validate",
            Self::CrowdFind => "crowd-find",
            Self::Sleep => "sleep",
            Self::Bytes => "bytes",
            Self::Status => "status",
            Self::Redirect => "redirect",
            Self::Echo => "echo",
            Self::Compress => "compress",
            Self::Health => "health",
            Self::Other => "other",
            Self::LdapBind => "ldap-bind",
            Self::LdapSearch => "ldap-search",
            Self::LdapAdd => "ldap-add",
            Self::LdapModify => "ldap-modify",
            Self::LdapDelete => "ldap-delete",
            Self::LdapCompare => "ldap-compare",
            Self::LdapModifyDn => "ldap-modify-dn",
            Self::LdapExtended => "ldap-extended",
            Self::LdapAbandon => "ldap-abandon",
            Self::LdapUnbind => "ldap-unbind",
        }
    }

    /// The operation of that name.
    pub(crate) fn named(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|operation| operation.name() == name)
    }

    /// Whether the general settings (`default=`, `servers=`, `errors=`, `drops=`) leave it alone.
    ///
    /// `/sleep` stands for a known delay and `/health` for "are you there": only settings that name them
    /// apply to them.
    pub(crate) fn is_exempt(self) -> bool {
        matches!(self, Self::Sleep | Self::Health)
    }

    /// The visits to the queue that a request of this operation makes, in order.
    ///
    /// A policy agent asks the access manager about the session before it serves its page.
    pub(crate) fn visits(self) -> &'static [Self] {
        match self {
            Self::Agent => &[Self::Validate, Self::Agent],
            other => std::slice::from_ref(&Self::ALL[other as usize]),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_names_agree() {
        for (number, operation) in Operation::ALL.iter().copied().enumerate() {
            assert_eq!(operation as usize, number);
            assert_eq!(Operation::named(operation.name()), Some(operation));
            assert_eq!(operation.visits().last(), Some(&operation));
        }
    }
}
