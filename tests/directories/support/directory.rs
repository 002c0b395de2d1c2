//! A running directory as tests see it, whichever server it is.

use std::collections::BTreeMap;
use std::net::{TcpListener, TcpStream};
use std::path::PathBuf;
use std::process::Command;
use std::sync::{OnceLock, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};
use std::time::{Duration, Instant};

/// Below it are `ou=people` and in that `uid=user.0` to `user.9`, their passwords `password`.
pub(crate) const SUFFIX: &str = "dc=example,dc=com";
/// Password of the manager, and of everybody.
pub(crate) const PASSWORD: &str = "password";

/// What there is to know of a directory.
pub(crate) struct Directory {
    pub(crate) url: String,
    /// `ldaps://…`; empty when it has none.
    pub(crate) secure_url: String,
    /// A file with the authority that signed its certificate.
    pub(crate) authority: PathBuf,
    /// The name in its certificate.
    pub(crate) server_name: &'static str,
    pub(crate) manager: &'static str,
    pub(crate) counters: Vec<Counter>,
}

/// Where a server tells how often it was asked for something.
pub(crate) struct Counter {
    /// The operation, as the key `ldap` of a job names it.
    pub(crate) operation: &'static str,
    pub(crate) base: String,
    /// Finds the entry in or below the base.
    pub(crate) filter: String,
    pub(crate) attribute: &'static str,
}

/// A server that can be stopped and started again.
pub(crate) trait Server {
    fn directory(&self) -> &Directory;
    /// As its operator would; returns when it has ended.
    fn stop(&mut self);
    /// On the same ports; returns when it listens.
    fn resume(&mut self);
}

impl Directory {
    /// `tls` of a job that connects to it.
    pub(crate) fn tls(&self, more: &str) -> String {
        let authority = self.authority.display();
        format!("tls: {{ ca: \"{authority}\", server_name: {}{more} }}", self.server_name)
    }

    /// How many operations of each kind it has been asked for by its own account. Asking counts, too.
    pub(crate) fn counts(&self) -> BTreeMap<&'static str, u64> {
        self.counters.iter().map(|counter| (counter.operation, self.count(counter))).collect()
    }

    /// The values of an attribute of an entry, as the manager sees it.
    pub(crate) fn read(&self, name: &str, attribute: &str) -> Vec<String> {
        self.search(name, "base", "(objectClass=*)", attribute)
    }

    /// How many entries a filter finds below the suffix.
    pub(crate) fn entries(&self, filter: &str) -> usize {
        self.search(SUFFIX, "sub", filter, "dn").len()
    }

    /// Deletes all entries that a filter finds below the suffix; how many that were.
    pub(crate) fn empty(&self, filter: &str) -> u64 {
        let names = self.search(SUFFIX, "sub", filter, "dn");
        // A command line has a limit.
        for some in names.chunks(200) {
            let mut delete = Command::new("ldapdelete");
            delete.args(["-x", "-H", &self.url, "-D", self.manager, "-w", PASSWORD]).args(some);
            succeed(&mut delete);
        }
        names.len() as u64
    }

    fn count(&self, counter: &Counter) -> u64 {
        let Counter { base, filter, attribute, .. } = counter;
        let values = self.search(base, "sub", filter, attribute);
        values.first().unwrap_or_else(|| panic!("no {attribute} of {filter}")).parse().unwrap()
    }

    /// The values of an attribute of all entries found; `dn` is their names.
    fn search(&self, base: &str, scope: &str, filter: &str, attribute: &str) -> Vec<String> {
        let wanted = if attribute == "dn" { "1.1" } else { attribute };
        let mut search = Command::new("ldapsearch");
        search
            .args(["-x", "-LLL", "-o", "ldif-wrap=no", "-H", &self.url, "-D", self.manager, "-w", PASSWORD])
            .args(["-b", base, "-s", scope, filter, wanted]);
        let said = succeed(&mut search);
        let lines = said.lines().filter_map(|line| line.split_once(": "));
        let values = lines.filter(|(name, _)| name.eq_ignore_ascii_case(attribute));
        values.map(|(_, value)| value.to_owned()).collect()
    }
}

/// Entries as all directories have them, without their passwords' scheme.
pub(crate) fn users() -> String {
    let mut ldif = format!(
        "dn: {SUFFIX}\nobjectClass: domain\ndc: example\n\n\
         dn: ou=people,{SUFFIX}\nobjectClass: organizationalUnit\nou: people\n\n"
    );
    for user in 0..10 {
        ldif.push_str(&format!(
            "dn: uid=user.{user},ou=people,{SUFFIX}\nobjectClass: inetOrgPerson\nuid: user.{user}\n\
             cn: User {user}\nsn: Name{user}\nmail: user.{user}@example.com\nuserPassword: {PASSWORD}\n\n"
        ));
    }
    ldif
}

/// Runs a command of a set-up; what it prints.
#[track_caller]
pub(crate) fn succeed(command: &mut Command) -> String {
    let output = command
        .output()
        .unwrap_or_else(|error| panic!("{command:?}: {error}; `scripts/install` gets what these tests need"));
    let said =
        String::from_utf8_lossy(&output.stderr).into_owned() + &String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{command:?}: {said}");
    String::from_utf8(output.stdout).unwrap()
}

/// A port that was free a moment ago.
pub(crate) fn free_port() -> u16 {
    TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port()
}

/// Waits until somebody listens on a port; false when the time is over.
pub(crate) fn listens(port: u16, limit: Duration) -> bool {
    let begun = Instant::now();
    while begun.elapsed() < limit {
        if TcpStream::connect(("127.0.0.1", port)).is_ok() {
            return true;
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    false
}

/// A server that is started when the first test wants it, and shared by all.
pub(crate) struct Shared<T> {
    server: OnceLock<RwLock<T>>,
    start: fn() -> T,
}

impl<T> Shared<T> {
    pub(crate) const fn new(start: fn() -> T) -> Self {
        Self { server: OnceLock::new(), start }
    }

    /// For tests that leave it as it is, but for entries of their own.
    pub(crate) fn with_others(&self) -> RwLockReadGuard<'_, T> {
        self.lock().read().unwrap_or_else(PoisonError::into_inner)
    }

    /// For a test that counts its operations, or stops it.
    pub(crate) fn alone(&self) -> RwLockWriteGuard<'_, T> {
        self.lock().write().unwrap_or_else(PoisonError::into_inner)
    }

    fn lock(&self) -> &RwLock<T> {
        self.server.get_or_init(|| RwLock::new((self.start)()))
    }
}
