//! A scripted server of HTTP/2, frame by frame (RFC 9113 section 4.1), for what well-behaved servers do not do.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

const PREFACE: usize = 24;
const DATA: u8 = 0;
const HEADERS: u8 = 1;
const RST_STREAM: u8 = 3;
const SETTINGS: u8 = 4;
const GOAWAY: u8 = 7;
const END_STREAM: u8 = 1;
const END_HEADERS: u8 = 4;
const ACK: u8 = 1;

/// What the server does with a request.
pub(crate) enum Reply {
    /// Status 200, no body.
    Ok,
    /// RST_STREAM with this code (RFC 9113 section 7).
    Reset(u32),
    /// GOAWAY that leaves this request out, then the end.
    GoAwayBefore,
    /// GOAWAY that includes this request, then the end without an answer.
    GoAwayAfter,
    /// The end, without a word.
    Close,
    /// Part of a body for the connection as a whole, which is nonsense.
    Nonsense,
}

/// A running server; it ends with the test.
pub(crate) struct Frames {
    pub(crate) address: SocketAddr,
    requests: Arc<AtomicUsize>,
}

type Script = Arc<Mutex<dyn FnMut(usize) -> Reply + Send>>;

impl Frames {
    /// A server that does this with each request; they are numbered from 0 on each connection.
    pub(crate) fn start(script: impl FnMut(usize) -> Reply + Send + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let requests = Arc::<AtomicUsize>::default();
        let script: Script = Arc::new(Mutex::new(script));
        let counter = requests.clone();
        std::thread::spawn(move || {
            for stream in listener.incoming() {
                let mut stream = stream.unwrap();
                let mut preface = [0; PREFACE];
                // The run's first connection only tries whether the server is there.
                if stream.read_exact(&mut preface).is_ok() {
                    let (script, counter) = (script.clone(), counter.clone());
                    std::thread::spawn(move || serve(stream, &script, &counter));
                }
            }
        });
        Self { address, requests }
    }

    pub(crate) fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Requests that came, refused ones included.
    pub(crate) fn requests(&self) -> usize {
        self.requests.load(Ordering::SeqCst)
    }
}

/// Serves until either side has had enough.
fn serve(mut stream: TcpStream, script: &Script, counter: &AtomicUsize) -> Option<()> {
    send(&mut stream, SETTINGS, 0, 0, &[])?;
    let mut request = 0;
    let mut last = 0;
    loop {
        let (kind, flags, id) = receive(&mut stream)?;
        if kind == SETTINGS && flags & ACK == 0 {
            send(&mut stream, SETTINGS, ACK, 0, &[])?;
        }
        if !matches!(kind, HEADERS | DATA) || flags & END_STREAM == 0 {
            continue;
        }
        counter.fetch_add(1, Ordering::SeqCst);
        let reply = script.lock().unwrap()(request);
        request += 1;
        match reply {
            // 0x88 is `:status: 200` of HPACK's static table (RFC 7541 appendix A).
            Reply::Ok => send(&mut stream, HEADERS, END_STREAM | END_HEADERS, id, &[0x88])?,
            Reply::Reset(code) => send(&mut stream, RST_STREAM, 0, id, &code.to_be_bytes())?,
            Reply::GoAwayBefore => return go_away(&mut stream, last),
            Reply::GoAwayAfter => return go_away(&mut stream, id),
            Reply::Close => return None,
            Reply::Nonsense => send(&mut stream, DATA, 0, 0, b"what?")?,
        }
        last = id;
    }
}

fn go_away(stream: &mut TcpStream, last: u32) -> Option<()> {
    send(stream, GOAWAY, 0, 0, &[last.to_be_bytes(), 0_u32.to_be_bytes()].concat())
}

fn send(stream: &mut TcpStream, kind: u8, flags: u8, id: u32, payload: &[u8]) -> Option<()> {
    let length = u32::try_from(payload.len()).unwrap().to_be_bytes();
    let head = [&length[1..], &[kind, flags], &id.to_be_bytes()].concat();
    stream.write_all(&[&head, payload].concat()).ok()
}

fn receive(stream: &mut TcpStream) -> Option<(u8, u8, u32)> {
    let mut head = [0; 9];
    stream.read_exact(&mut head).ok()?;
    let length = u32::from_be_bytes([0, head[0], head[1], head[2]]);
    let mut payload = vec![0; length as usize];
    stream.read_exact(&mut payload).ok()?;
    Some((head[3], head[4], u32::from_be_bytes([head[5], head[6], head[7], head[8]])))
}
