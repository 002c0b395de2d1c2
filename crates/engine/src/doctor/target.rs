//! The way to a target: its name, where it is, and whether it accepts a connection.

use super::{graded, ok};
use crate::client::connect::connect_failure;
use crate::run::describe;
use loadgen_model::report::{Check, Grade};
use loadgen_model::request::{Origin, join_port};
use std::net::{IpAddr, SocketAddr, TcpStream, ToSocketAddrs, UdpSocket};
use std::time::{Duration, Instant};

/// A connection that takes longer is none.
const PATIENCE: Duration = Duration::from_secs(5);
/// Addresses of a name that are tried and shown; a name may have any number.
const ADDRESSES: usize = 8;
/// The name of the check that says whether the target accepts a connection.
const CONNECT: &str = "target connects";

/// What was seen of a target.
pub(super) struct Seen {
    name: String,
    addresses: Vec<SocketAddr>,
    /// Why the name could not be resolved.
    unresolved: Option<String>,
    /// How long the first connection took that was accepted, or why none was.
    connected: Result<Duration, String>,
}

/// Whether the target was reached, if one was looked at.
pub fn is_reachable(checks: &[Check]) -> bool {
    checks.iter().all(|check| check.name != CONNECT || check.grade != Grade::Bad)
}

impl Seen {
    /// Resolves and connects; blocks for some seconds at most for each address.
    pub(super) fn of(origin: &Origin) -> Self {
        let name = join_port(&origin.host, origin.port);
        let (addresses, unresolved) = match (origin.host.as_str(), origin.port).to_socket_addrs() {
            Ok(found) => (found.take(ADDRESSES).collect(), None),
            Err(error) => (Vec::new(), Some(error.to_string())),
        };
        let connected = connect(&addresses);
        Self { name, addresses, unresolved, connected }
    }

    /// Whether the target is this machine.
    pub(super) fn is_here(&self) -> bool {
        self.addresses.iter().any(|address| is_own(address.ip()))
    }

    /// What is to be said of it.
    pub(super) fn checks(&self) -> Vec<Check> {
        if let Some(error) = &self.unresolved {
            let found = format!("`{}` does not resolve: {error}", self.name);
            return vec![graded(
                Grade::Bad,
                CONNECT,
                found,
                "check the name in the URL, and /etc/resolv.conf",
            )];
        }
        vec![self.place(), self.connection()]
    }

    fn place(&self) -> Check {
        let list: Vec<String> = self.addresses.iter().map(|address| address.ip().to_string()).collect();
        let list = list.join(", ");
        if !self.is_here() {
            return ok("target host", format!("another machine ({list})"));
        }
        let found = format!("this machine ({list}): target and generator share its CPU");
        graded(Grade::Warn, "target host", found, "run the generator on another machine")
    }

    fn connection(&self) -> Check {
        match &self.connected {
            Ok(time) => ok(CONNECT, format!("{} in {:.2} ms", self.name, time.as_secs_f64() * 1e3)),
            Err(cause) => {
                let found = format!("{}: {cause}", self.name);
                graded(Grade::Bad, CONNECT, found, "is it running, and is the address right?")
            }
        }
    }
}

fn connect(addresses: &[SocketAddr]) -> Result<Duration, String> {
    let mut last = "the name has no address".to_owned();
    for address in addresses {
        let begun = Instant::now();
        match TcpStream::connect_timeout(address, PATIENCE) {
            Ok(_) => return Ok(begun.elapsed()),
            Err(error) if error.kind() == std::io::ErrorKind::TimedOut => {
                last = format!("no connection within {} s", PATIENCE.as_secs());
            }
            Err(error) => last = describe(&connect_failure(&error)),
        }
    }
    Err(last)
}

/// Whether an address is one of this machine: the system sends from it what goes to it. Nothing is sent:
/// connecting a datagram socket only chooses the way.
fn is_own(address: IpAddr) -> bool {
    let any: SocketAddr = if address.is_ipv4() { ([0; 4], 0).into() } else { ([0_u16; 8], 0).into() };
    let chosen = UdpSocket::bind(any).and_then(|socket| {
        socket.connect((address, 9))?;
        socket.local_addr()
    });
    address.is_loopback() || chosen.is_ok_and(|local| local.ip() == address)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::net::TcpListener;

    fn seen(port: u16) -> Vec<Check> {
        Seen::of(&Origin {
            protocol: loadgen_model::request::Protocol::Http,
            tls: false,
            host: "127.0.0.1".to_owned(),
            port,
        })
        .checks()
    }

    #[test]
    fn a_server_on_this_machine_shares_its_cpu() {
        let server = TcpListener::bind("127.0.0.1:0").unwrap();
        let checks = seen(server.local_addr().unwrap().port());
        assert_eq!(checks[0].grade, Grade::Warn, "{checks:?}");
        assert_eq!(checks[1].grade, Grade::Ok, "{checks:?}");
        assert!(is_reachable(&checks));
    }

    #[test]
    fn a_closed_port_is_bad() {
        let server = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = server.local_addr().unwrap().port();
        drop(server);
        let checks = seen(port);
        assert_eq!(checks[1].grade, Grade::Bad, "{checks:?}");
        assert!(checks[1].found.contains("connection refused"), "{checks:?}");
        assert!(!is_reachable(&checks));
    }

    #[test]
    fn a_machine_elsewhere_is_not_this_one() {
        assert!(is_own("127.3.2.1".parse().unwrap()) && is_own("::1".parse().unwrap()));
        // An address for documentation (RFC 5737): no machine has it.
        assert!(!is_own("192.0.2.1".parse().unwrap()));
    }
}
