//! Opens connections: address, TCP, proxy, TLS. The only place that times them.

use crate::client::connection::Connection;
use crate::client::ldap::start_tls;
use crate::client::resolver::look_up;
use crate::local::Local;
use loadgen_model::connections::Handshake;
use loadgen_model::request::{Http, Origin, Protocol, Proxy, Transport, TransportId, join_port};
use loadgen_model::{Failure, FailureKind};
use rustls::HandshakeKind;
use rustls::pki_types::ServerName;
use std::io;
use std::net::{IpAddr, SocketAddr};
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpSocket, TcpStream, UnixStream};
use tokio::time::Instant;
use tokio_rustls::TlsConnector;

/// A proxy's answer to CONNECT may be so long.
const PROXY_ANSWER: usize = 16 * 1024;

/// What a connect fails with when all local ports are taken: the generator's limit, not the target's.
pub(crate) const NO_PORT: &str =
    "no free local port: use keep-alive, or a wider net.ipv4.ip_local_port_range";
/// The same for file descriptors.
pub(crate) const NO_DESCRIPTOR: &str = "too many open files: raise `ulimit -n`";
/// What one fails with that is to come from an address of another machine.
pub(crate) const FOREIGN_SOURCE: &str = "a source address is not one of this machine";

/// Opens a connection to a server, through TLS when there is a connector, and counts how long that took.
pub(crate) async fn connect(
    local: &Local,
    id: TransportId,
    origin: &Origin,
    connector: Option<TlsConnector>,
) -> Result<Connection, Failure> {
    let transport = &local.plan.transports[usize::from(id.0)];
    let attempt = attempt(local, transport, origin, connector);
    match transport.connect_timeout {
        Some(limit) => tokio::time::timeout(limit, attempt).await.unwrap_or_else(|_| Err(too_slow())),
        None => attempt.await,
    }
}

fn too_slow() -> Failure {
    Failure::fixed(FailureKind::Connect, "connect timed out")
}

async fn attempt(
    local: &Local,
    transport: &Transport,
    origin: &Origin,
    connector: Option<TlsConnector>,
) -> Result<Connection, Failure> {
    // Users that start together would flood the target's queue of new connections, whose overflow costs a second
    // each (RFC 6298 section 2.1).
    let _permit = local.connects.acquire().await;
    let begun = Instant::now();
    if origin.protocol == Protocol::LdapLocal {
        let stream = UnixStream::connect(&origin.host).await.map_err(|error| connect_failure(&error))?;
        local.counts.borrow_mut().connections.connected(begun.elapsed());
        return Ok(Connection::Local(stream));
    }
    let mut stream = match &transport.proxy {
        Some(proxy) => {
            let mut stream = open(local, transport, &proxy.host, proxy.port).await?;
            tunnel(&mut stream, proxy, origin).await?;
            stream
        }
        None => open(local, transport, &origin.host, origin.port).await?,
    };
    let connected = Instant::now();
    local.counts.borrow_mut().connections.connected(connected - begun);
    let Some(connector) = connector else { return Ok(Connection::Plain(stream)) };
    if origin.protocol == Protocol::LdapStartTls {
        start_tls(&mut stream).await?;
    }
    let name = transport.tls.server_name.as_ref().unwrap_or(&origin.host).clone();
    let name = ServerName::try_from(name).map_err(|_| tls_failure("the host is no valid server name"))?;
    let stream =
        connector.connect(name, stream).await.map_err(|error| handshake_failure(transport, &error))?;
    let how = match stream.get_ref().1.handshake_kind() {
        Some(HandshakeKind::Resumed) => Handshake::Resumed,
        _ => Handshake::Full,
    };
    local.counts.borrow_mut().connections.shook_hands(how, connected.elapsed());
    let connection = Connection::Tls(Box::new(stream));
    if origin.protocol == Protocol::Http && transport.http == Http::Two && !connection.is_http2() {
        return Err(other_version(transport));
    }
    Ok(connection)
}

fn handshake_failure(transport: &Transport, error: &io::Error) -> Failure {
    let text = error.to_string();
    // What `openssl req -x509` makes unless told otherwise; the library has no words for it.
    if text.contains("CaUsedAsEndEntity") {
        return tls_failure("the certificate is that of an authority (CA:TRUE), not of a server");
    }
    // RFC 7301 section 3.2.
    if text.contains("NoApplicationProtocol") {
        return other_version(transport);
    }
    Failure::text(FailureKind::Tls, text)
}

/// The server has not chosen what was offered by ALPN.
fn other_version(transport: &Transport) -> Failure {
    tls_failure(match transport.http {
        Http::One => "the target does not choose HTTP/1.1 (ALPN): try `http: 2`",
        Http::Two => "the target does not choose HTTP/2 (ALPN): try `http: 1.1` or `http: auto`",
        Http::Auto => "the target chooses neither HTTP/2 nor HTTP/1.1 (ALPN)",
    })
}

fn tls_failure(text: &'static str) -> Failure {
    Failure::fixed(FailureKind::Tls, text)
}

async fn open(local: &Local, transport: &Transport, host: &str, port: u16) -> Result<TcpStream, Failure> {
    let moved = transport.resolve.iter().find(|((from, at), _)| from == host && *at == port);
    let (host, port) = moved.map_or((host, port), |(_, (to, at))| (to.as_str(), *at));
    let mut last = Failure::fixed(FailureKind::Connect, "the name has no address");
    for address in addresses(local, transport, host, port).await? {
        match dial(local, transport, address).await {
            Ok(stream) => {
                // Only delays small requests; a socket that refuses it still works.
                let _ = stream.set_nodelay(true);
                if transport.resets {
                    let _ = rustix::net::sockopt::set_socket_linger(&stream, Some(Duration::ZERO));
                }
                return Ok(stream);
            }
            Err(error) => last = connect_failure(&error),
        }
    }
    Err(last)
}

/// Connects from the next of the local addresses that fit, where there are any.
async fn dial(local: &Local, transport: &Transport, to: SocketAddr) -> io::Result<TcpStream> {
    let fits: Vec<IpAddr> =
        transport.sources.iter().copied().filter(|source| source.is_ipv4() == to.is_ipv4()).collect();
    if fits.is_empty() {
        return TcpStream::connect(to).await;
    }
    let turn = local.source_turn.get();
    local.source_turn.set(turn.wrapping_add(1));
    let socket = if to.is_ipv4() { TcpSocket::new_v4() } else { TcpSocket::new_v6() }?;
    socket.bind(SocketAddr::new(fits[turn % fits.len()], 0)).map_err(|error| match error.kind() {
        io::ErrorKind::AddrNotAvailable => io::Error::other(FOREIGN_SOURCE),
        io::ErrorKind::AddrInUse => {
            io::Error::from_raw_os_error(rustix::io::Errno::ADDRNOTAVAIL.raw_os_error())
        }
        _ => error,
    })?;
    socket.connect(to).await
}

async fn addresses(
    local: &Local,
    transport: &Transport,
    host: &str,
    port: u16,
) -> Result<Vec<SocketAddr>, Failure> {
    if !transport.resolve_each_connection
        && let Some(known) = local.resolver.borrow_mut().take_turn(host, port)
    {
        return Ok(known);
    }
    let found = look_up(host, port).await.map_err(|error| {
        Failure::text(FailureKind::Connect, format!("cannot resolve `{host}`: {}", plain(&error)))
    })?;
    local.resolver.borrow_mut().keep(host, port, found.clone());
    Ok(found)
}

/// Asks a proxy for a tunnel (RFC 9110 section 9.3.6).
async fn tunnel(stream: &mut TcpStream, proxy: &Proxy, origin: &Origin) -> Result<(), Failure> {
    let refused = |text: String| Failure::text(FailureKind::Connect, text);
    let server = join_port(&origin.host, origin.port);
    let credentials = proxy.authorization.as_ref();
    let credentials = credentials.map_or_else(String::new, |text| format!("Proxy-Authorization: {text}\r\n"));
    let request = format!("CONNECT {server} HTTP/1.1\r\nHost: {server}\r\n{credentials}\r\n");
    let broken = |error: io::Error| refused(format!("the proxy broke off: {}", plain(&error)));
    stream.write_all(request.as_bytes()).await.map_err(broken)?;
    // Byte by byte, so that nothing of what follows the answer is taken from the tunnel.
    let mut answer = Vec::new();
    while !answer.ends_with(b"\r\n\r\n") {
        if answer.len() == PROXY_ANSWER {
            return Err(refused("the proxy's answer is too long".to_owned()));
        }
        answer.push(stream.read_u8().await.map_err(broken)?);
    }
    let line = answer.split(|byte| *byte == b'\r').next().unwrap_or_default();
    match line.split(|byte| *byte == b' ').nth(1) {
        Some([b'2', _, _]) => Ok(()),
        _ => Err(refused(format!("the proxy refused: {}", String::from_utf8_lossy(line)))),
    }
}

/// A failed connect, in words that say what to do where it is the generator's own limit.
pub(crate) fn connect_failure(error: &io::Error) -> Failure {
    let text = match error.raw_os_error().map(rustix::io::Errno::from_raw_os_error) {
        Some(rustix::io::Errno::ADDRNOTAVAIL) => NO_PORT,
        Some(rustix::io::Errno::MFILE) => NO_DESCRIPTOR,
        Some(rustix::io::Errno::NOENT) => "there is no such socket",
        Some(rustix::io::Errno::CONNREFUSED) => "connection refused",
        Some(rustix::io::Errno::TIMEDOUT) => "connect timed out",
        Some(rustix::io::Errno::HOSTUNREACH) => "no route to the host",
        Some(rustix::io::Errno::NETUNREACH) => "the network is unreachable",
        Some(rustix::io::Errno::CONNRESET) => "connection reset while it was opened",
        _ => return Failure::text(FailureKind::Connect, plain(error)),
    };
    Failure::fixed(FailureKind::Connect, text)
}

/// The system's words for an error, without its number.
fn plain(error: &io::Error) -> String {
    let text = error.to_string();
    let text = text.split(" (os error").next().unwrap_or(&text);
    text.strip_prefix("failed to lookup address information: ").unwrap_or(text).to_lowercase()
}
