//! What an option of a rate tool is: its names, what it takes, which tools have it.

use crate::format::rate_tool::declared::DECLARED;
use crate::format::rate_tool::tool::Tool;

/// What an option decides.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Setting {
    Argument,
    BaseDn,
    BindDn,
    BindPassword,
    CertNickname,
    Classic,
    Connections,
    ConnectTimeout,
    Constant,
    DeleteAge,
    DeleteMode,
    DeleteSize,
    Dereference,
    EscapeValues,
    Help,
    Hostname,
    Interval,
    InvalidPassword,
    JavaProvider,
    JavaKeyStore,
    JavaTrustStore,
    JceKeyStore,
    JceTrustStore,
    JvmTrustStore,
    KeepConnectionsOpen,
    KeyStorePassword,
    KeyStorePath,
    KeyStoreType,
    MaxDuration,
    MaxIterations,
    Mvcc,
    NoPrompt,
    NoPropertiesFile,
    NoPurge,
    NoRebind,
    PasswordPolicyControl,
    Percentile,
    Pkcs11KeyStore,
    Pkcs12KeyStore,
    Pkcs12TrustStore,
    Port,
    PropertiesFile,
    ProxyAs,
    RandomSeed,
    ReportAuthzId,
    Requests,
    RequestTimeout,
    ResourcePath,
    SaslOption,
    Scope,
    ScriptFriendly,
    Ssl,
    StartTls,
    Strategy,
    TargetDn,
    Throughput,
    TrustAll,
    TrustStorePassword,
    TrustStorePath,
    TrustStoreType,
    ValueCount,
    Verbose,
    Version,
    WarmUp,
}

/// What follows an option.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Takes {
    /// Nothing: it is on when it is there.
    Nothing,
    /// A text, named so in the help.
    Text(&'static str),
    /// Several of them, each with the option before it.
    Texts(&'static str),
    /// A password, or with `:env`, `:file` or `:prompt` after the name where it is.
    Password,
    /// The file that holds the password of the same key.
    PasswordFile,
}

/// Under which heading the help has an option.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Heading {
    Command,
    Connection,
    InputOutput,
    General,
    /// Accepted for the sake of scripts that were written for earlier versions.
    Older,
}

/// One option.
#[derive(Debug)]
pub(super) struct Declaration {
    pub(super) key: Setting,
    pub(super) short: Option<char>,
    /// DS 7's name, then those of other versions.
    pub(super) names: &'static [&'static str],
    pub(super) takes: Takes,
    pub(super) tools: &'static [Tool],
    pub(super) heading: Heading,
    /// For the help: what it does, and its default.
    pub(super) text: &'static str,
}

impl Declaration {
    /// The name that messages use.
    pub(super) fn name(&self) -> String {
        format!("--{}", self.names[0])
    }
}

/// The options of a tool.
pub(super) fn of(tool: Tool) -> impl Iterator<Item = &'static Declaration> {
    DECLARED.iter().filter(move |declaration| declaration.tools.contains(&tool))
}

/// The option with a long name, in whatever case.
pub(super) fn by_name(tool: Tool, name: &str) -> Option<&'static Declaration> {
    of(tool).find(|declaration| declaration.names.iter().any(|known| known.eq_ignore_ascii_case(name)))
}

/// The option with a short name; `-?` is `-H`.
pub(super) fn by_letter(tool: Tool, letter: char) -> Option<&'static Declaration> {
    let letter = if letter == '?' { 'H' } else { letter };
    of(tool).find(|declaration| declaration.short == Some(letter))
}

/// The first option of a key that a tool has.
pub(super) fn by_key(tool: Tool, key: Setting) -> Option<&'static Declaration> {
    of(tool).find(|declaration| declaration.key == key)
}
