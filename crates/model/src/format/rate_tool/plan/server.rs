//! How the server is reached.

use crate::format::rate_tool::plan::Parts;
use crate::format::rate_tool::server::{Security, Server};
use crate::format::rate_tool::{Operation, Reuse};
use crate::request::{Connection, Origin, Protocol, Sharing, Tls, Transport};
use std::time::Duration;

/// What stands for no limit: longer than any run.
pub(super) const NO_TIMEOUT: Duration = Duration::from_secs(366 * 86_400);

/// The server itself.
pub(super) fn origin(server: &Server) -> Origin {
    let (protocol, tls) = match server.security {
        Security::None => (Protocol::Ldap, false),
        Security::Ldaps(_) => (Protocol::Ldap, true),
        Security::StartTls(_) => (Protocol::LdapStartTls, true),
    };
    Origin { protocol, tls, host: server.host.to_ascii_lowercase(), port: server.port }
}

impl Parts<'_> {
    /// The transports of operations and of the bind before the run. Connections that are kept bound are shared by
    /// the operations that are under way on them.
    pub(super) fn transports(&mut self) -> Vec<Transport> {
        let checking = Transport {
            tls: self.tls(),
            resets: self.run.pace.reuse == Reuse::Never,
            connect_timeout: self.run.server.connect_timeout,
            ..Transport::default()
        };
        let mut operating = checking.clone();
        let pace = &self.run.pace;
        if pace.reuse == Reuse::Keep && !matches!(self.run.operation, Operation::Bind(_)) {
            operating.opens_early = true;
            operating.sharing = Some(Sharing { connections: pace.connections, streams: pace.requests });
            if let Some(bind) = self.bind(super::OPERATING, Connection::KeepAlive) {
                operating.bind = Some(self.operations.len() as u16);
                self.operations.push(bind);
            }
        }
        vec![operating, checking]
    }

    fn tls(&self) -> Tls {
        match &self.run.server.security {
            Security::None => Tls::default(),
            Security::Ldaps(tls) | Security::StartTls(tls) => tls.settings.clone(),
        }
    }
}
