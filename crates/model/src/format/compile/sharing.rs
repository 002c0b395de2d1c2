//! Connections to a directory that users share: how many, who they are, and what does not go over them.

use crate::format::compile::levels::Levels;
use crate::format::compile::names::Scope;
use crate::format::compile::transport::{MOST_CONNECTIONS, MOST_STREAMS};
use crate::format::compile::{Compiler, id};
use crate::format::decode::Spanned;
use crate::format::file::attributes::FirstBind;
use crate::format::file::operation::Operation as Typed;
use crate::ldap::{Ask, Bind, Operation};
use crate::request::{Connection, Origin, Sharing, Transport, TransportId};
use crate::template::Template;
use std::time::Duration;

/// A bind that connections begin with, and what else it takes for another one to be the same.
pub(super) struct Known {
    dn: Template,
    password: Template,
    transport: Transport,
    index: u16,
}

impl Compiler<'_> {
    /// How an operation reaches its server.
    pub(super) fn transport_of_directory(
        &mut self,
        levels: &Levels<'_>,
        typed: &Typed,
        server: &Origin,
        timeout: Duration,
        scope: &Scope,
    ) -> TransportId {
        let mut transport = self.way(levels, scope);
        let Some((connections, _)) = levels.pick(|attributes| attributes.connections.as_ref()) else {
            return self.transport_id(transport);
        };
        self.refuse_closing(levels);
        let connections = &connections.value;
        let streams = connections.streams.as_ref();
        let sharing = Sharing {
            connections: self.at_least_one("shared", &connections.shared, MOST_CONNECTIONS),
            streams: streams.map_or(1, |count| self.at_least_one("streams", count, MOST_STREAMS)),
        };
        self.refuse_own(typed, sharing);
        transport.sharing = Some(sharing);
        if let Some(bind) = &connections.bind {
            transport.bind = self.first_bind(bind, &transport, server, timeout, scope);
        }
        self.transport_id(transport)
    }

    /// What concerns a whole connection is not for one of the users that share it.
    fn refuse_own(&mut self, typed: &Typed, sharing: Sharing) {
        let kind = &typed.common().ldap;
        let own = "or remove `connections`, so that each user has its own";
        match typed {
            Typed::Bind(_) => {
                let message = "no user binds a connection that all share";
                let help = format!("bind them all with `connections: {{ bind: … }}`, {own}");
                self.problems.error_with_help(&kind.at, message, help);
            }
            Typed::Unbind(_) => {
                let message = "no user closes a connection that all share: `unbind`";
                self.problems.error_with_help(&kind.at, message, format!("remove the task, {own}"));
            }
            Typed::Search(search) if sharing.streams > 1 => {
                let Some(size) = &search.page_size else { return };
                let message = "pages of several searches do not mix on one connection";
                let help = "use `streams: 1`, or remove `page_size`";
                self.problems.error_with_help(&size.at, message, help);
            }
            _ => {}
        }
    }

    /// The bind that connections begin with, as an operation of the plan.
    fn first_bind(
        &mut self,
        typed: &Spanned<FirstBind>,
        transport: &Transport,
        server: &Origin,
        timeout: Duration,
        scope: &Scope,
    ) -> Option<u16> {
        let (dn, password) = (self.dn(&typed.value.dn, scope), self.plain(&typed.value.password, scope));
        let constant = |template: &Template| template.constant().is_some();
        if !constant(&dn) || !constant(&password) {
            let message = "the bind of connections that all share holds a value that is not fixed";
            self.problems.error_with_help(&typed.at, message, "use text and constants");
            return None;
        }
        let same =
            |known: &&Known| (&known.dn, &known.password, &known.transport) == (&dn, &password, transport);
        if let Some(known) = self.first_binds.iter().find(same) {
            return Some(known.index);
        }
        let index = id(self.operations.len());
        self.operations.push(Operation {
            ask: Ask::Bind(Bind::Simple { dn: dn.clone(), password: password.clone() }),
            server: server.clone(),
            // The one that comes next: it is the first with this bind.
            transport: TransportId(id(self.transports.len())),
            connection: Connection::KeepAlive,
            timeout,
            controls: Vec::new(),
            checks: Vec::new(),
            captures: Vec::new(),
        });
        self.first_binds.push(Known { dn, password, transport: transport.clone(), index });
        Some(index)
    }
}
