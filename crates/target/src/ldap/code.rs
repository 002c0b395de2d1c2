//! Result codes (RFC 4511, 4.1.9, and those of controls).

use super::reply::Outcome;

/// How an operation ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Code {
    Success = 0,
    OperationsError = 1,
    ProtocolError = 2,
    SizeLimitExceeded = 4,
    CompareFalse = 5,
    CompareTrue = 6,
    AuthMethodNotSupported = 7,
    AdminLimitExceeded = 11,
    UnavailableCriticalExtension = 12,
    NoSuchAttribute = 16,
    UndefinedAttributeType = 17,
    ConstraintViolation = 19,
    AttributeOrValueExists = 20,
    InvalidAttributeSyntax = 21,
    NoSuchObject = 32,
    InvalidDnSyntax = 34,
    InvalidCredentials = 49,
    InsufficientAccessRights = 50,
    Busy = 51,
    Unavailable = 52,
    UnwillingToPerform = 53,
    NamingViolation = 64,
    NotAllowedOnNonLeaf = 66,
    NotAllowedOnRdn = 67,
    EntryAlreadyExists = 68,
    /// RFC 4528.
    AssertionFailed = 122,
    /// RFC 4370.
    AuthorizationDenied = 123,
}

impl Code {
    /// An outcome of this code that says why.
    pub(crate) fn because(self, message: &'static str) -> Outcome {
        Outcome { message, ..Outcome::new(self) }
    }
}
