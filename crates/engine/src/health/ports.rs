//! Local ports: each connection to one address of a target takes one, and keeps it for a minute after its end
//! when this side closed it.

use super::proc;
use std::collections::BTreeMap;

/// How long a closed connection keeps its port (TIME-WAIT; `TCP_TIMEWAIT_LEN` of Linux), seconds.
pub(crate) const TIME_WAIT_S: f64 = 60.0;
/// So much of a list of sockets is read: some 200,000 sockets, several times the ports that there are.
const LIST_LIMIT: u64 = 32 << 20;
/// Columns of the list: the own address, the other one, and the state.
const OWN: usize = 1;
const OTHER: usize = 2;
const STATE: usize = 3;
/// State numbers of Linux (`include/net/tcp_states.h`).
const TIME_WAIT: &str = "06";
const LISTEN: &str = "0A";

/// Ports that connections may get.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Range {
    pub(crate) first: u16,
    pub(crate) last: u16,
}

impl Range {
    /// How many there are.
    pub(crate) fn count(self) -> u64 {
        u64::from(self.last - self.first) + 1
    }

    /// The system's setting, now.
    pub(crate) fn read() -> Option<Self> {
        parse_range(&proc::text("/proc/sys/net/ipv4/ip_local_port_range")?)
    }
}

/// Which ports of closed connections a new one may take at once (`net.ipv4.tcp_tw_reuse`; Linux,
/// `networking/ip-sysctl.rst`).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Reuse {
    /// None.
    Never,
    /// Those of connections to this machine.
    Loopback,
    /// Any.
    Always,
}

impl Reuse {
    /// The system's setting, now.
    pub(crate) fn read() -> Option<Self> {
        match proc::number("/proc/sys/net/ipv4/tcp_tw_reuse")? {
            0 => Some(Self::Never),
            1 => Some(Self::Always),
            2 => Some(Self::Loopback),
            _ => None,
        }
    }

    /// Whether a port that waits after a connection to such an address may be taken.
    pub(crate) fn covers(self, loopback: bool) -> bool {
        self == Self::Always || (self == Self::Loopback && loopback)
    }
}

/// `32768 60999`: first and last.
fn parse_range(text: &str) -> Option<Range> {
    let mut numbers = proc::numbers(text).map_while(|number| u16::try_from(number).ok());
    let (first, last) = (numbers.next()?, numbers.next()?);
    (first <= last).then_some(Range { first, last })
}

/// TCP sockets in `/proc/net/sockstat` or `sockstat6`, those in TIME-WAIT included.
fn parse_sockets(text: &str) -> Option<u64> {
    let line =
        text.lines().find_map(|line| line.strip_prefix("TCP").and_then(|rest| rest.split_once(": ")))?.1;
    let words: Vec<&str> = line.split_whitespace().collect();
    let value = |key: &str| words.chunks_exact(2).find(|pair| pair[0] == key)?[1].parse::<u64>().ok();
    Some(value("inuse")?.saturating_add(value("tw").unwrap_or(0)))
}

/// All TCP sockets of the machine: at least as many as there are towards one destination, and cheap to ask.
pub(super) fn sockets() -> Option<u64> {
    let of = |file: &str| parse_sockets(&proc::text(file)?);
    Some(of("/proc/net/sockstat")?.saturating_add(of("/proc/net/sockstat6").unwrap_or(0)))
}

/// Ports taken towards the destination that has most of them, from lists such as `/proc/net/tcp`
/// (`proc_net(5)`). Ports that a new connection may take over are not counted.
fn parse<'a>(lists: impl IntoIterator<Item = &'a str>, range: Range, reuse: Reuse) -> u64 {
    let mut taken: BTreeMap<&str, u64> = BTreeMap::new();
    for line in lists.into_iter().flat_map(str::lines) {
        let mut fields = line.split_whitespace().skip(OWN);
        let (Some(own), Some(other), Some(state)) =
            (fields.next(), fields.nth(OTHER - OWN - 1), fields.nth(STATE - OTHER - 1))
        else {
            continue;
        };
        let port = own.rsplit_once(':').and_then(|(_, port)| u16::from_str_radix(port, 16).ok());
        let is_ours = port.is_some_and(|port| (range.first..=range.last).contains(&port));
        let is_free = state == TIME_WAIT && reuse.covers(is_loopback(other));
        if is_ours && state != LISTEN && !is_free {
            *taken.entry(other).or_default() += 1;
        }
    }
    taken.into_values().max().unwrap_or(0)
}

/// Whether an address in the list's notation, four bytes at a time in the machine's order, is 127.0.0.0/8,
/// `::1`, or the former as an IPv6 address.
fn is_loopback(address: &str) -> bool {
    let host = address.rsplit_once(':').map_or(address, |(host, _)| host);
    let v4 = host.strip_prefix("0000000000000000FFFF0000").unwrap_or(host);
    let first_byte = if cfg!(target_endian = "little") { v4.get(6..) } else { v4.get(..2) };
    let v6 = if cfg!(target_endian = "little") { "01000000" } else { "00000001" };
    (v4.len() == 8 && first_byte.is_some_and(|bytes| bytes.starts_with("7F")))
        || host.strip_prefix("000000000000000000000000") == Some(v6)
}

/// Ports taken towards the destination that has most of them, now. Reads a line for each socket: ask
/// [`sockets`] first.
pub(super) fn most_taken(range: Range, reuse: Reuse) -> u64 {
    let lists = ["/proc/net/tcp", "/proc/net/tcp6"].map(|file| proc::text_up_to(file, LIST_LIMIT));
    parse(lists.iter().flatten().map(String::as_str), range, reuse)
}

#[cfg(test)]
mod tests {
    use super::*;

    const RANGE: Range = Range { first: 32_768, last: 60_999 };
    const HEAD: &str = "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid\n";

    fn socket(own: &str, other: &str, state: &str) -> String {
        format!("   0: {own} {other} {state} 00000000:00000000 00:00000000 00000000     0        0 1681 1\n")
    }

    #[test]
    fn the_busiest_destination_counts() {
        let (near, far) = ("0100007F:1F90", "0A0A0A0A:01BB");
        let list = [
            HEAD.to_owned(),
            socket("00000000:1F90", "00000000:0000", "0A"),
            socket("00000000:9000", "00000000:0000", "0A"),
            socket("0100007F:8001", near, "01"),
            socket("0100007F:8002", near, "06"),
            socket("0100007F:8003", near, "06"),
            socket("0100007F:1F90", near, "01"),
            socket("0B0A0A0A:8001", far, "01"),
            socket("0B0A0A0A:8002", far, "06"),
            "garbage\n\n0: x y\n1: 0:zz a 01\n".to_owned(),
        ]
        .concat();
        let taken = |reuse| parse([list.as_str(), ""], RANGE, reuse);
        assert_eq!(taken(Reuse::Never), 3, "three towards the near one");
        assert_eq!(taken(Reuse::Loopback), 2, "two towards the far one");
        assert_eq!(taken(Reuse::Always), 1);
        assert_eq!(parse([], RANGE, Reuse::Never), 0);
    }

    #[test]
    fn this_machine_is_known_by_its_addresses() {
        for near in
            ["0100007F:1F90", "00000000000000000000000001000000:1", "0000000000000000FFFF00000100007F:1"]
        {
            assert!(is_loopback(near), "{near}");
        }
        for far in ["0A0A0A0A:1", "7F00000A:1", "000080FE000000000000000001000000:1", "", ":", "é", "7F"] {
            assert!(!is_loopback(far), "{far}");
        }
    }

    #[test]
    fn a_range_has_both_ends() {
        assert_eq!(parse_range("32768\t60999\n"), Some(RANGE));
        assert_eq!(RANGE.count(), 28_232);
        for garbage in ["", "1", "5 4", "1 99999", "a b"] {
            assert_eq!(parse_range(garbage), None, "{garbage:?}");
        }
    }

    #[test]
    fn sockets_that_wait_count() {
        let text = "sockets: used 17\nTCP: inuse 5 orphan 0 tw 7 alloc 1 mem 34\nUDP: inuse 9 mem 0\n";
        assert_eq!(parse_sockets(text), Some(12));
        assert_eq!(parse_sockets("TCP6: inuse 3\n"), Some(3));
        for garbage in ["", "TCP: orphan 4", "TCP: inuse", "TCP: inuse x"] {
            assert_eq!(parse_sockets(garbage), None, "{garbage:?}");
        }
    }
}
