//! The thread of a platform: accepts connections, serves them, stops.

mod body;
mod exchange;
mod ldap;
mod tls;

use std::cell::{Cell, RefCell};
use std::convert::Infallible;
use std::net::SocketAddr;
use std::pin::pin;
use std::rc::Rc;
use std::sync::{Arc, mpsc};
use std::thread::JoinHandle;
use std::time::Duration;

use hyper::rt::{Executor, Read, Write};
use hyper::service::service_fn;
use hyper_util::rt::TokioIo;
use hyper_util::server::conn::auto;
use tokio::net::{TcpListener, TcpSocket, TcpStream};
use tokio::runtime;
use tokio::sync::{Notify, oneshot};
use tokio::task::{LocalSet, spawn_local};
use tokio_rustls::TlsAcceptor;

use crate::behavior::Simulation;
use crate::counts::Counters;
use crate::http::Platform;
use crate::ldap::Ldap;
use crate::log::Log;
use crate::timer::Timer;
use crate::{Config, Error};

/// Connections that wait to be accepted; beyond these the system refuses further ones.
const BACKLOG: u32 = 4_096;

/// How long requests in progress may take when the platform stops.
const STOP_GRACE: Duration = Duration::from_secs(1);

/// How long to wait after the system had no room for another connection.
const ACCEPT_PAUSE: Duration = Duration::from_millis(10);

/// Requests at once on one connection of HTTP/2; a client that sends more is told to wait.
const STREAMS: u32 = 1_000;

/// How long a log line may wait for others to be written with it.
const LOG_INTERVAL: Duration = Duration::from_millis(200);

/// What all connections share.
struct Server {
    timer: Timer,
    simulation: RefCell<Simulation>,
    platform: RefCell<Platform>,
    ldap: RefCell<Ldap>,
    log: Option<RefCell<Log>>,
    counters: Arc<Counters>,
    close_after: Option<u64>,
    requests: Cell<u64>,
    in_progress: Cell<u64>,
}

/// Where a platform listens.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Addresses {
    pub(crate) http: SocketAddr,
    pub(crate) ldap: Option<SocketAddr>,
    pub(crate) ldaps: Option<SocketAddr>,
}

/// What is spoken on a port.
#[derive(Clone)]
enum Protocol {
    Http(Option<TlsAcceptor>),
    /// With what StartTLS needs.
    Ldap(Option<TlsAcceptor>),
    Ldaps(TlsAcceptor),
}

/// A port, and what is spoken on it.
struct Port {
    listener: TcpListener,
    protocol: Protocol,
}

/// One connection of HTTP.
struct Connection {
    /// From 1.
    number: u64,
    answers: Cell<u64>,
    /// It has given its last answer: HTTP/2 has no header that says so.
    last_answer: Notify,
}

/// Streams of HTTP/2 run on the thread of the platform.
#[derive(Clone, Copy)]
struct HereExecutor;

impl<F: Future<Output = ()> + 'static> Executor<F> for HereExecutor {
    fn execute(&self, stream: F) {
        spawn_local(stream);
    }
}

impl Server {
    /// The number of another request, from 1.
    fn next_request(&self) -> u64 {
        self.requests.update(|count| count + 1);
        self.requests.get()
    }
}

/// Starts the thread; returns where it listens.
pub(crate) fn spawn(
    config: Config,
    counters: Arc<Counters>,
    stopped: oneshot::Receiver<()>,
) -> Result<(Addresses, JoinHandle<()>), Error> {
    let (ready, started) = mpsc::channel();
    let run = move || {
        let built = runtime::Builder::new_current_thread().enable_io().build();
        let begin = built.map_err(Error::System).and_then(|runtime| {
            let begun = runtime.block_on(async { begin(&config, counters) })?;
            Ok((runtime, begun))
        });
        match begin {
            Err(error) => drop(ready.send(Err(error))),
            Ok((runtime, (ports, addresses, server))) => {
                drop(ready.send(Ok(addresses)));
                let tasks = LocalSet::new();
                tasks.block_on(&runtime, run(&server, ports, stopped));
            }
        }
    };
    let thread = std::thread::Builder::new().name("target".to_owned()).spawn(run)?;
    match started.recv() {
        Ok(addresses) => Ok((addresses?, thread)),
        Err(_) => Err(Error::System(std::io::Error::other("its thread ended before it was ready"))),
    }
}

type Begun = (Vec<Port>, Addresses, Rc<Server>);

/// Everything that can go wrong, before the first connection.
fn begin(config: &Config, counters: Arc<Counters>) -> Result<Begun, Error> {
    let (ports, addresses) = listen_all(config)?;
    let log = config.log.as_ref().map(|path| {
        let log = Log::create(path).map_err(|source| Error::Log { path: path.clone(), source });
        log.map(RefCell::new)
    });
    let server = Server {
        timer: Timer::new()?,
        simulation: RefCell::new(Simulation::new(&config.behavior, config.seed)),
        platform: RefCell::new(Platform::new(config.population, config.seed)),
        ldap: RefCell::new(Ldap::new(config.seed, config.tls.is_some())),
        log: log.transpose()?,
        counters,
        close_after: config.behavior.close_after,
        requests: Cell::new(0),
        in_progress: Cell::new(0),
    };
    Ok((ports, addresses, Rc::new(server)))
}

/// Opens the ports of all protocols.
fn listen_all(config: &Config) -> Result<(Vec<Port>, Addresses), Error> {
    let acceptor = |used_for| config.tls.as_ref().map(|tls| tls::acceptor(tls, used_for)).transpose();
    let ldap_tls = acceptor(tls::Use::Ldap)?;
    let mut ports = Vec::new();
    let mut open = |address, protocol| {
        let (listener, bound) = listen(address).map_err(|error| Error::listen(address, error))?;
        ports.push(Port { listener, protocol });
        Ok::<_, Error>(bound)
    };
    let http = open(config.listen, Protocol::Http(acceptor(tls::Use::Http)?))?;
    let ldap = config.ldap.map(|address| open(address, Protocol::Ldap(ldap_tls.clone()))).transpose()?;
    let ldaps = match (config.ldaps, ldap_tls) {
        (None, _) => None,
        (Some(address), Some(tls)) => Some(open(address, Protocol::Ldaps(tls))?),
        (Some(_), None) => {
            let reason = "LDAP over TLS needs a certificate and its key".to_owned();
            return Err(Error::Tls { reason });
        }
    };
    Ok((ports, Addresses { http, ldap, ldaps }))
}

fn listen(address: SocketAddr) -> std::io::Result<(TcpListener, SocketAddr)> {
    let socket = if address.is_ipv4() { TcpSocket::new_v4()? } else { TcpSocket::new_v6()? };
    socket.set_reuseaddr(true)?;
    socket.bind(address)?;
    let listener = socket.listen(BACKLOG)?;
    let address = listener.local_addr()?;
    Ok((listener, address))
}

async fn run(server: &Rc<Server>, ports: Vec<Port>, stopped: oneshot::Receiver<()>) {
    let timer = server.timer.clone();
    spawn_local(async move { timer.run().await.expect("the timer stays open while its task runs") });
    if server.log.is_some() {
        spawn_local(flush_log(Rc::clone(server)));
    }
    let accepting: Vec<_> =
        ports.into_iter().map(|port| spawn_local(accept(Rc::clone(server), port))).collect();
    // The other end goes away only when the platform is dropped, which also ends it.
    let _ = stopped.await;
    for port in accepting {
        port.abort();
    }
    let give_up = server.timer.now() + STOP_GRACE;
    while server.in_progress.get() > 0 && server.timer.now() < give_up {
        server.timer.until(server.timer.now() + Duration::from_millis(1)).await;
    }
}

async fn flush_log(server: Rc<Server>) {
    loop {
        server.timer.until(server.timer.now() + LOG_INTERVAL).await;
        if let Some(log) = &server.log {
            log.borrow_mut().flush();
        }
    }
}

async fn accept(server: Rc<Server>, port: Port) -> Infallible {
    loop {
        let Ok((socket, _)) = port.listener.accept().await else {
            server.timer.until(server.timer.now() + ACCEPT_PAUSE).await;
            continue;
        };
        let number = server.counters.connections.increment() + 1;
        spawn_local(open(Rc::clone(&server), number, socket, port.protocol.clone()));
    }
}

async fn open(server: Rc<Server>, number: u64, socket: TcpStream, protocol: Protocol) {
    // A socket on which this fails is closed already: serving it ends at once.
    let _ = socket.set_nodelay(true);
    let connection = Connection { number, answers: Cell::new(0), last_answer: Notify::new() };
    match protocol {
        Protocol::Http(None) => serve(server, connection, TokioIo::new(socket)).await,
        Protocol::Http(Some(tls)) => {
            if let Ok(stream) = tls.accept(socket).await {
                serve(server, connection, TokioIo::new(stream)).await;
            }
        }
        Protocol::Ldap(tls) => ldap::serve_plain(server, number, socket, tls).await,
        Protocol::Ldaps(tls) => ldap::serve_tls(server, number, socket, &tls).await,
    }
}

/// HTTP/2 when the client begins with its preface (RFC 9113 section 3.4), else HTTP/1.1.
async fn serve(server: Rc<Server>, connection: Connection, stream: impl Read + Write + Unpin + 'static) {
    let connection = Rc::new(connection);
    let closing = Rc::clone(&connection);
    let service =
        service_fn(move |request| exchange::exchange(Rc::clone(&server), Rc::clone(&connection), request));
    let mut protocols = auto::Builder::new(HereExecutor);
    protocols.http2().max_concurrent_streams(STREAMS);
    let mut conversation = pin!(protocols.serve_connection(stream, service));
    // It ends with an error when the client goes away or a fault closes it: both are counted elsewhere.
    tokio::select! {
        _ = &mut conversation => return,
        () = closing.last_answer.notified() => conversation.as_mut().graceful_shutdown(),
    }
    let _ = conversation.await;
}
