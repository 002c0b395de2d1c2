//! A scripted HTTP server on loopback: keeps every request as it came, answers as it is told.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// A request as it came.
#[derive(Debug, Clone)]
pub(crate) struct Request {
    /// Which request of the server this is, from 0.
    pub(crate) index: usize,
    /// Which request of its connection this is, from 0.
    pub(crate) on_connection: usize,
    /// The connection that it came on.
    pub(crate) connection: usize,
    /// Request line and headers, without the empty line.
    pub(crate) head: String,
    pub(crate) body: Vec<u8>,
}

impl Request {
    pub(crate) fn method(&self) -> &str {
        self.head.split(' ').next().unwrap()
    }

    /// Path and query as they stand in the request line.
    pub(crate) fn path(&self) -> &str {
        self.head.split(' ').nth(1).unwrap()
    }

    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        let lines = self.head.lines().skip(1).filter_map(|line| line.split_once(':'));
        lines.filter(|(known, _)| known.eq_ignore_ascii_case(name)).map(|(_, value)| value.trim()).next()
    }

    pub(crate) fn body(&self) -> &str {
        std::str::from_utf8(&self.body).unwrap()
    }
}

/// What to do about a request.
pub(crate) enum Answer {
    /// Send these bytes and wait for the next request.
    Keep(Vec<u8>),
    /// Send these bytes and close the connection.
    Close(Vec<u8>),
    /// Send these pieces, with a pause after each, and close the connection.
    Pieces(Vec<Vec<u8>>, Duration),
    /// Send nothing, and close only when the client does.
    Hang,
    /// Do what is asked for with the stream, and close it.
    Custom(Box<dyn FnOnce(&mut TcpStream) + Send>),
}

impl Answer {
    /// 200 with a body.
    pub(crate) fn ok(body: &str) -> Self {
        Self::status(200, &[], body.as_bytes())
    }

    /// A status with headers and a body.
    pub(crate) fn status(status: u16, headers: &[(&str, &str)], body: &[u8]) -> Self {
        let lines: Vec<String> = headers.iter().map(|(name, value)| format!("{name}: {value}\r\n")).collect();
        let length = body.len();
        let head = format!("HTTP/1.1 {status} Told\r\nContent-Length: {length}\r\n{}\r\n", lines.concat());
        Self::Keep([head.as_bytes(), body].concat())
    }
}

/// A running server.
pub(crate) struct Server {
    pub(crate) address: SocketAddr,
    requests: Arc<Mutex<Vec<Request>>>,
    stopped: Arc<AtomicBool>,
}

impl Server {
    /// A server on 127.0.0.1.
    pub(crate) fn start(script: impl Fn(&Request) -> Answer + Send + Sync + 'static) -> Self {
        Self::on(TcpListener::bind("127.0.0.1:0").unwrap(), script)
    }

    /// A server on a socket that was opened already.
    pub(crate) fn on(
        listener: TcpListener,
        script: impl Fn(&Request) -> Answer + Send + Sync + 'static,
    ) -> Self {
        let address = listener.local_addr().unwrap();
        let requests = Arc::<Mutex<Vec<Request>>>::default();
        let stopped = Arc::new(AtomicBool::new(false));
        let (kept, stop, script) = (Arc::clone(&requests), Arc::clone(&stopped), Arc::new(script));
        std::thread::spawn(move || {
            for (connection, stream) in listener.incoming().enumerate() {
                if stop.load(Ordering::Relaxed) {
                    return;
                }
                let (kept, script) = (Arc::clone(&kept), Arc::clone(&script));
                let stream = stream.unwrap();
                std::thread::spawn(move || serve(stream, connection, &kept, &*script));
            }
        });
        Self { address, requests, stopped }
    }

    pub(crate) fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// All requests so far, in order of arrival.
    pub(crate) fn requests(&self) -> Vec<Request> {
        self.requests.lock().unwrap().clone()
    }

    /// The paths of all requests so far, with their queries.
    pub(crate) fn paths(&self) -> Vec<String> {
        self.requests().iter().map(|request| request.path().to_owned()).collect()
    }

    /// Connections that carried a request: others only tried whether the server is there.
    pub(crate) fn connections(&self) -> usize {
        let mut all: Vec<usize> = self.requests().iter().map(|request| request.connection).collect();
        all.sort_unstable();
        all.dedup();
        all.len()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.stopped.store(true, Ordering::Relaxed);
        // Wakes the thread that accepts.
        let _ = TcpStream::connect(self.address);
    }
}

fn serve(
    mut stream: TcpStream,
    connection: usize,
    kept: &Mutex<Vec<Request>>,
    script: &(impl Fn(&Request) -> Answer + ?Sized),
) {
    stream.set_nodelay(true).unwrap();
    let mut buffer = Vec::new();
    for on_connection in 0.. {
        let Some((head, body)) = read_request(&mut stream, &mut buffer) else { return };
        let request = {
            let mut kept = kept.lock().unwrap();
            let request = Request { index: kept.len(), on_connection, connection, head, body };
            kept.push(request.clone());
            request
        };
        // A client that has gone away is no failure of the server.
        match script(&request) {
            Answer::Keep(bytes) => {
                if stream.write_all(&bytes).is_err() {
                    return;
                }
            }
            Answer::Close(bytes) => {
                let _ = stream.write_all(&bytes);
                return;
            }
            Answer::Pieces(pieces, pause) => {
                for piece in pieces {
                    let _ = stream.write_all(&piece);
                    std::thread::sleep(pause);
                }
                return;
            }
            Answer::Hang => {
                let _ = stream.read(&mut [0]);
                return;
            }
            Answer::Custom(act) => return act(&mut stream),
        }
    }
}

/// Head and body of the next request; none at the end of the connection.
fn read_request(stream: &mut TcpStream, buffer: &mut Vec<u8>) -> Option<(String, Vec<u8>)> {
    let end = loop {
        if let Some(end) = buffer.windows(4).position(|window| window == b"\r\n\r\n") {
            break end;
        }
        read_more(stream, buffer)?;
    };
    let head = String::from_utf8(buffer[..end].to_vec()).unwrap();
    let length = head.lines().filter_map(|line| line.split_once(':'));
    let length = length.filter(|(name, _)| name.eq_ignore_ascii_case("content-length"));
    let length: usize = length.map(|(_, value)| value.trim().parse().unwrap()).next().unwrap_or(0);
    while buffer.len() < end + 4 + length {
        read_more(stream, buffer)?;
    }
    let body = buffer[end + 4..end + 4 + length].to_vec();
    buffer.drain(..end + 4 + length);
    Some((head, body))
}

fn read_more(stream: &mut TcpStream, buffer: &mut Vec<u8>) -> Option<()> {
    let mut piece = [0; 16 * 1024];
    match stream.read(&mut piece) {
        Ok(0) | Err(_) => None,
        Ok(length) => {
            buffer.extend_from_slice(&piece[..length]);
            Some(())
        }
    }
}
