//! A real nginx on a free loopback port, for what scripted servers cannot do: TLS.

use super::command::Folder;
use std::net::{TcpListener, TcpStream};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// It starts, and writes its log, in far less than this.
const LIMIT: Duration = Duration::from_secs(10);

/// A running nginx; stopped when it is dropped.
pub(crate) struct Nginx {
    child: Child,
    pub(crate) port: u16,
    folder: Folder,
}

impl Nginx {
    /// Starts nginx with TLS; `server` is the inside of its `server` block, `files` lie beside it.
    pub(crate) fn tls(server: &str, files: &[(&str, &str)]) -> Self {
        Self::with_protocol("", server, files)
    }

    /// The same with a word of its `listen` line: `http2`.
    pub(crate) fn with_protocol(protocol: &str, server: &str, files: &[(&str, &str)]) -> Self {
        // Between the probe and nginx another process may take the port: try again then.
        for _ in 0..5 {
            if let Some(nginx) = Self::try_tls(protocol, server, files) {
                return nginx;
            }
        }
        panic!("nginx did not start on any port");
    }

    fn try_tls(protocol: &str, server: &str, files: &[(&str, &str)]) -> Option<Self> {
        let folder = Folder::new();
        for (name, content) in files {
            folder.write(name, content);
        }
        let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        folder.write("nginx.conf", configuration(port, protocol, server));
        let child = Command::new(program())
            .args(["-p", folder.path().to_str().unwrap(), "-c", "nginx.conf", "-e", "error.log"])
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect(
                "nginx is needed for these tests: install it, for example with `apt-get install nginx-light`",
            );
        let mut nginx = Self { child, port, folder };
        let begun = Instant::now();
        while begun.elapsed() < LIMIT {
            if nginx.child.try_wait().unwrap().is_some() {
                let log = nginx.folder.read("error.log");
                assert!(log.contains("Address already in use"), "nginx ended: {log}");
                return None;
            }
            // It tells its number once the port is its own, and not another server's.
            let is_ready = nginx.folder.path().join("nginx.pid").exists();
            if is_ready && TcpStream::connect(("127.0.0.1", port)).is_ok() {
                return Some(nginx);
            }
            std::thread::sleep(Duration::from_millis(10));
        }
        panic!("nginx does not listen: {}", nginx.folder.read("error.log"));
    }

    /// Its access log of so many requests: status, subject of the client's certificate, version of TLS,
    /// number of the connection, whether its session was resumed, version of HTTP.
    pub(crate) fn log(&self, requests: usize) -> String {
        let begun = Instant::now();
        loop {
            // A line is written a moment after its answer.
            let log = self.folder.read("access.log");
            if log.lines().count() >= requests || begun.elapsed() > LIMIT {
                assert_eq!(log.lines().count(), requests, "{log}");
                return log;
            }
            std::thread::sleep(Duration::from_millis(5));
        }
    }
}

impl Drop for Nginx {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// It stands where ordinary users' search paths may not lead.
fn program() -> &'static str {
    let usual = "/usr/sbin/nginx";
    if std::path::Path::new(usual).exists() { usual } else { "nginx" }
}

fn configuration(port: u16, protocol: &str, server: &str) -> String {
    format!(
        "daemon off;\nmaster_process off;\npid nginx.pid;\nerror_log error.log;\nevents {{}}\n\
         http {{\n\
         log_format test '$status $ssl_client_s_dn $ssl_protocol $connection $ssl_session_reused $server_protocol';\n\
         access_log access.log test;\n\
         client_body_temp_path body;\nproxy_temp_path proxy;\nfastcgi_temp_path fastcgi;\n\
         uwsgi_temp_path uwsgi;\nscgi_temp_path scgi;\n\
         server {{\nlisten 127.0.0.1:{port} ssl {protocol};\nssl_certificate server.pem;\n\
         ssl_certificate_key server.key;\n{server}\n}}\n}}\n"
    )
}
