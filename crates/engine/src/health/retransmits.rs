//! TCP segments that had to be sent again, by the whole machine: its counters know no processes.

use super::proc;

/// Counters since the machine started.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Segments {
    /// Connections that were asked for.
    pub(super) connects: u64,
    /// Segments sent, those that were sent again left out.
    pub(super) sent: u64,
    /// Segments sent again.
    pub(super) sent_again: u64,
    /// Requests for a connection sent again; none where they are not counted.
    pub(super) asked_again: Option<u64>,
}

impl Segments {
    /// What came since an earlier reading.
    pub(super) fn since(self, earlier: Self) -> Self {
        let asked_again = self.asked_again.zip(earlier.asked_again);
        Self {
            connects: self.connects.saturating_sub(earlier.connects),
            sent: self.sent.saturating_sub(earlier.sent),
            sent_again: self.sent_again.saturating_sub(earlier.sent_again),
            asked_again: asked_again.map(|(now, before)| now.saturating_sub(before)),
        }
    }
}

/// From `/proc/net/snmp` and `/proc/net/netstat`: pairs of lines, names above values (Linux,
/// `networking/snmp_counter.rst`; RFC 4022 for the former).
pub(super) fn parse(snmp: &str, netstat: &str) -> Option<Segments> {
    Some(Segments {
        connects: value(snmp, "Tcp:", "ActiveOpens")?,
        sent: value(snmp, "Tcp:", "OutSegs")?,
        sent_again: value(snmp, "Tcp:", "RetransSegs")?,
        asked_again: value(netstat, "TcpExt:", "TCPSynRetrans"),
    })
}

/// The counters, now.
pub(super) fn read() -> Option<Segments> {
    let netstat = proc::text("/proc/net/netstat").unwrap_or_default();
    parse(&proc::text("/proc/net/snmp")?, &netstat)
}

fn value(text: &str, protocol: &str, name: &str) -> Option<u64> {
    let mut lines = text.lines().filter_map(|line| line.strip_prefix(protocol));
    let (names, values) = (lines.next()?, lines.next()?);
    let column = names.split_whitespace().position(|one| one == name)?;
    values.split_whitespace().nth(column)?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    const SNMP: &str = "Ip: Forwarding\nIp: 1\n\
                        Tcp: RtoMax MaxConn ActiveOpens OutSegs RetransSegs\nTcp: 120000 -1 100 9000 9\n";
    const NETSTAT: &str = "TcpExt: TW TCPSynRetrans\nTcpExt: 5 3\nIpExt: InNoRoutes\nIpExt: 0\n";

    #[test]
    fn names_stand_above_values() {
        let expected = Segments { connects: 100, sent: 9_000, sent_again: 9, asked_again: Some(3) };
        assert_eq!(parse(SNMP, NETSTAT), Some(expected));
        assert_eq!(parse(SNMP, "").unwrap().asked_again, None);
        for garbage in
            ["", "Tcp: OutSegs\n", "Tcp: OutSegs\nTcp: x\n", "Tcp: ActiveOpens OutSegs RetransSegs\nTcp: 1\n"]
        {
            assert_eq!(parse(garbage, NETSTAT), None, "{garbage:?}");
        }
    }

    #[test]
    fn counters_are_compared_with_the_earlier_ones() {
        let now = parse(SNMP, NETSTAT).unwrap();
        let earlier = Segments { connects: 90, sent: 8_000, sent_again: 8, asked_again: Some(3) };
        assert_eq!(
            now.since(earlier),
            Segments { connects: 10, sent: 1_000, sent_again: 1, asked_again: Some(0) }
        );
        assert_eq!(now.since(Segments { asked_again: None, ..earlier }).asked_again, None);
    }
}
