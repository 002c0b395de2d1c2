//! Result codes and their names: RFC 4511 appendix A, and the registry of RFC 4520 as far as servers use it.

/// Success.
pub const SUCCESS: u32 = 0;
/// A compare found another value.
pub const COMPARE_FALSE: u32 = 5;
/// A compare found the value.
pub const COMPARE_TRUE: u32 = 6;
/// A bind goes on.
pub const SASL_BIND_IN_PROGRESS: u32 = 14;

const NAMES: [(u32, &str); 47] = [
    (SUCCESS, "success"),
    (1, "operationsError"),
    (2, "protocolError"),
    (3, "timeLimitExceeded"),
    (4, "sizeLimitExceeded"),
    (COMPARE_FALSE, "compareFalse"),
    (COMPARE_TRUE, "compareTrue"),
    (7, "authMethodNotSupported"),
    (8, "strongerAuthRequired"),
    (10, "referral"),
    (11, "adminLimitExceeded"),
    (12, "unavailableCriticalExtension"),
    (13, "confidentialityRequired"),
    (SASL_BIND_IN_PROGRESS, "saslBindInProgress"),
    (16, "noSuchAttribute"),
    (17, "undefinedAttributeType"),
    (18, "inappropriateMatching"),
    (19, "constraintViolation"),
    (20, "attributeOrValueExists"),
    (21, "invalidAttributeSyntax"),
    (32, "noSuchObject"),
    (33, "aliasProblem"),
    (34, "invalidDNSyntax"),
    (36, "aliasDereferencingProblem"),
    (48, "inappropriateAuthentication"),
    (49, "invalidCredentials"),
    (50, "insufficientAccessRights"),
    (51, "busy"),
    (52, "unavailable"),
    (53, "unwillingToPerform"),
    (54, "loopDetect"),
    (64, "namingViolation"),
    (65, "objectClassViolation"),
    (66, "notAllowedOnNonLeaf"),
    (67, "notAllowedOnRDN"),
    (68, "entryAlreadyExists"),
    (69, "objectClassModsProhibited"),
    (71, "affectsMultipleDSAs"),
    (76, "virtualListViewError"),
    (80, "other"),
    (118, "canceled"),
    (119, "noSuchOperation"),
    (120, "tooLate"),
    (121, "cannotCancel"),
    (122, "assertionFailed"),
    (123, "authorizationDenied"),
    (4096, "e-syncRefreshRequired"),
];

/// The name of a code; none when it has none.
pub fn name(code: u32) -> Option<&'static str> {
    NAMES.iter().find(|(known, _)| *known == code).map(|(_, name)| *name)
}

/// The code of a name, upper and lower case alike.
pub fn code(name: &str) -> Option<u32> {
    NAMES.iter().find(|(_, known)| known.eq_ignore_ascii_case(name)).map(|(code, _)| *code)
}

/// Every name.
pub fn names() -> impl Iterator<Item = &'static str> {
    NAMES.iter().map(|(_, name)| *name)
}

/// A code as reports show it: `32 noSuchObject`.
pub fn describe(code: u32) -> String {
    name(code).map_or_else(|| code.to_string(), |name| format!("{code} {name}"))
}

/// What such a text says, with a diagnostic message behind it or without: code, name and message.
pub fn parse(text: &str) -> Option<(u32, &str, &str)> {
    let (result, message) = text.split_once(": ").unwrap_or((text, ""));
    let (code, name) = result.split_once(' ').unwrap_or((result, ""));
    Some((code.parse().ok()?, name, message))
}
