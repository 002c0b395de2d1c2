//! Attributes that a job, a workload, a task and a step may set; the innermost wins.

use crate::format::decode::fields::Rule;
use crate::format::decode::quantity::{Count, Limit, Time};
use crate::format::decode::record::record;
use crate::format::decode::text::Text;
use crate::format::decode::words::{Http, Switch, words};
use crate::format::decode::{Either, Map, Spanned};
use crate::format::file::variable::Constant;

record! {
    /// Attributes that may stand at any level.
    pub(crate) struct Attributes {
        /// Where paths lead to: `https://host:port`, with a path before all paths if needed.
        target: Option<Text>,
        /// Where LDAP operations go: `ldap://host:port`, `ldaps://host:port` or `ldapi://%2Fpath%2Fto%2Fsocket`.
        directory: Option<Text>,
        /// After this a request is given up; the larger of 30s and four times the threshold when absent.
        timeout: Option<Spanned<Time>>,
        /// A correct response that takes longer counts as exceeded.
        threshold: Option<Spanned<Limit>>,
        /// Request headers; those of all levels together, by name.
        headers: Option<Map<Text>>,
        /// Constants: text, or a value from the environment, a file or a question.
        variables: Option<Map<Constant>>,
        /// What happens to connections between requests; `keep-alive` when absent.
        connection: Option<Spanned<Connection>>,
        /// Version of HTTP: `1.1`, `2`, or `auto` for what a TLS server chooses; `1.1` when absent.
        http: Option<Spanned<Http>>,
        /// Connections that all users share; each user has its own when absent.
        connections: Option<Spanned<Connections>>,
        /// How TLS servers are checked and what they are shown.
        tls: Option<Spanned<Tls>>,
        /// Credentials that are sent with each request.
        auth: Option<Spanned<Auth>>,
        /// HTTP proxy: `http://user:password@host:port`.
        proxy: Option<Text>,
        /// Redirects that are followed at most, or `off`; 10 when absent.
        redirects: Option<Spanned<Redirects>>,
        /// Whether each user keeps and sends cookies as a browser would; `on` when absent.
        cookies: Option<Spanned<Switch>>,
        /// Other addresses for servers: `host:port` to `address:port`.
        resolve: Option<Map<Text>>,
        /// Local addresses that connections are opened from, in turn, for more of them than one address has ports.
        source_addresses: Option<Spanned<Vec<Text>>>,
        /// `per_connection` resolves names for each new connection instead of once a minute.
        dns: Option<Spanned<Dns>>,
    }
}

/// `on`, `off` or a number.
pub(crate) type Redirects = Either<Switch, Count>;

words! {
    /// What happens to connections between requests.
    pub(crate) enum Connection {
        /// They are kept.
        KeepAlive = "keep-alive",
        /// Each is closed after its request.
        Close = "close",
        /// They are kept until the iteration ends.
        Iteration = "iteration",
    }
}

record! {
    /// Connections that all users share.
    pub(crate) struct Connections {
        /// Connections to each server, over the whole run.
        shared: Spanned<Count>,
        /// Requests at once on each of them, with `http: 2` (100 when absent) or LDAP (1 when absent).
        streams: Option<Spanned<Count>>,
        /// LDAP: who each of them is, for all users.
        bind: Option<Spanned<FirstBind>>,
    }
}

record! {
    /// The bind that a shared connection begins with.
    pub(crate) struct FirstBind {
        /// Name of the entry.
        dn: Text,
        /// Password.
        password: Text,
    }
}

words! {
    /// When names are resolved.
    pub(crate) enum Dns {
        /// Once a minute.
        Cached = "cached",
        /// For each connection.
        PerConnection = "per_connection",
    }
}

record! {
    /// TLS settings.
    pub(crate) struct Tls {
        /// File of certificates that are trusted instead of the system's: PEM, PKCS#12, JKS or JCEKS.
        ca: Option<Text>,
        /// Its password.
        ca_password: Option<Text>,
        /// File of the certificate chain that is shown to servers: PEM, or a store that also holds the key.
        certificate: Option<Text>,
        /// Its password.
        certificate_password: Option<Text>,
        /// Which key of the store; its only one when absent.
        nickname: Option<Text>,
        /// File of the certificate's private key (PEM), unless it stands in the same file.
        key: Option<Text>,
        /// `true` accepts any certificate.
        insecure: Option<Switch>,
        /// Name that the server's certificate must carry, instead of the host in the URL.
        server_name: Option<Text>,
        /// Whether TLS is asked for on open connections of `ldap://`, by `StartTLS`; `off` when absent.
        upgrade = "start_tls": Option<Spanned<Switch>>,
        /// Whether a user resumes its TLS sessions when it connects again; `on` when absent.
        resumption: Option<Switch>,
    }
    rules: [
        Rule::Needs("ca_password", &["ca"]),
        Rule::Needs("certificate_password", &["certificate"]),
        Rule::Needs("nickname", &["certificate"]),
        Rule::Needs("key", &["certificate"]),
    ]
}

record! {
    /// Credentials.
    pub(crate) struct Auth {
        /// HTTP Basic (RFC 7617).
        basic: Option<Basic>,
        /// A bearer token (RFC 6750).
        bearer: Option<Text>,
    }
    rules: [Rule::ExactlyOne(&["basic", "bearer"])]
}

record! {
    /// User and password.
    pub(crate) struct Basic {
        /// User.
        user: Text,
        /// Password.
        password: Text,
    }
}

impl Attributes {
    /// Whether nothing is set.
    pub(crate) fn is_empty(&self) -> bool {
        self.threshold.is_none() && self.says_threshold_only()
    }

    /// Whether nothing but a threshold is set, if that.
    pub(crate) fn says_threshold_only(&self) -> bool {
        self.target.is_none()
            && self.directory.is_none()
            && self.timeout.is_none()
            && self.headers.is_none()
            && self.variables.is_none()
            && self.connection.is_none()
            && self.http.is_none()
            && self.connections.is_none()
            && self.tls.is_none()
            && self.auth.is_none()
            && self.proxy.is_none()
            && self.redirects.is_none()
            && self.cookies.is_none()
            && self.resolve.is_none()
            && self.source_addresses.is_none()
            && self.dns.is_none()
    }
}
