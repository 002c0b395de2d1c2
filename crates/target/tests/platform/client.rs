//! The smallest HTTP client that can check the platform: one connection, one request after another.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::time::Duration;

use loadgen_target::Target;
use serde_json::Value;

/// One connection.
pub(crate) struct Client<S = TcpStream> {
    stream: BufReader<S>,
}

/// What came back.
#[derive(Debug)]
pub(crate) struct Reply {
    pub(crate) status: u16,
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) body: Vec<u8>,
}

impl Client {
    pub(crate) fn to(target: &Target) -> Self {
        Self::at(target.address())
    }

    pub(crate) fn at(address: SocketAddr) -> Self {
        let stream = TcpStream::connect(address).unwrap();
        stream.set_nodelay(true).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(10))).unwrap();
        Self::over(stream)
    }
}

impl<S: Read + Write> Client<S> {
    pub(crate) fn over(stream: S) -> Self {
        Self { stream: BufReader::new(stream) }
    }

    pub(crate) fn get(&mut self, path: &str) -> Reply {
        self.send("GET", path, &[], "")
    }

    /// Sends a request and waits for its answer.
    pub(crate) fn send(&mut self, method: &str, path: &str, headers: &[(&str, &str)], body: &str) -> Reply {
        self.try_send(method, path, headers, body).unwrap()
    }

    /// The same; an error when the connection is closed instead.
    pub(crate) fn try_send(
        &mut self,
        method: &str,
        path: &str,
        headers: &[(&str, &str)],
        body: &str,
    ) -> io::Result<Reply> {
        let mut request = format!("{method} {path} HTTP/1.1\r\nHost: platform.example.com\r\n");
        for (name, value) in headers {
            request.extend([name, ": ", value, "\r\n"]);
        }
        if !body.is_empty() {
            request.extend(["Content-Length: ", &body.len().to_string(), "\r\n"]);
        }
        request += "\r\n";
        request += body;
        self.stream.get_mut().write_all(request.as_bytes())?;
        self.reply()
    }

    fn reply(&mut self) -> io::Result<Reply> {
        let status_line = self.line()?;
        let status = status_line.split(' ').nth(1).and_then(|status| status.parse().ok());
        let status = status.ok_or_else(|| io::Error::other(format!("no status in `{status_line}`")))?;
        let mut reply = Reply { status, headers: Vec::new(), body: Vec::new() };
        loop {
            let line = self.line()?;
            let Some((name, value)) = line.split_once(':') else { break };
            reply.headers.push((name.to_lowercase(), value.trim().to_owned()));
        }
        if reply.header("transfer-encoding") == Some("chunked") {
            loop {
                let size = usize::from_str_radix(&self.line()?, 16).map_err(io::Error::other)?;
                self.read_body(size, &mut reply.body)?;
                self.line()?;
                if size == 0 {
                    return Ok(reply);
                }
            }
        }
        let length = reply.header("content-length").map_or(0, |length| length.parse().unwrap());
        self.read_body(length, &mut reply.body)?;
        Ok(reply)
    }

    fn read_body(&mut self, length: usize, body: &mut Vec<u8>) -> io::Result<()> {
        let start = body.len();
        body.resize(start + length, 0);
        self.stream.read_exact(&mut body[start..])
    }

    fn line(&mut self) -> io::Result<String> {
        let mut line = String::new();
        if self.stream.read_line(&mut line)? == 0 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        Ok(line.trim_end().to_owned())
    }
}

impl Reply {
    /// The first header of that name, written small.
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(found, _)| found == name).map(|(_, value)| value.as_str())
    }

    pub(crate) fn text(&self) -> String {
        String::from_utf8(self.body.clone()).unwrap()
    }

    pub(crate) fn json(&self) -> Value {
        assert!(
            self.header("content-type").is_some_and(|kind| kind.starts_with("application/json")),
            "{self:?}"
        );
        serde_json::from_slice(&self.body).unwrap()
    }

    /// The status and the JSON body are these.
    #[track_caller]
    pub(crate) fn check(&self, status: u16, body: &Value) {
        assert_eq!((self.status, &self.json()), (status, body));
    }

    /// The answer is an error in the form of the resource interface; its message is returned.
    #[track_caller]
    pub(crate) fn check_refusal(&self, status: u16, reason: &str) -> String {
        let body = self.json();
        assert_eq!((self.status, &body["code"], &body["reason"]), (status, &status.into(), &reason.into()));
        body["message"].as_str().unwrap().to_owned()
    }
}
