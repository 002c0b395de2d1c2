//! Dates as the original wrote them: `Fri Jun 26 17:33:06 UTC 2015`.

use jiff::Timestamp;

/// An RFC 3339 instant as the original would write it in UTC; what is no instant stays as it is.
pub(super) fn java(instant: &str) -> String {
    instant.parse::<Timestamp>().map_or_else(
        |_| instant.to_owned(),
        |instant| instant.strftime("%a %b %d %H:%M:%S UTC %Y").to_string(),
    )
}
