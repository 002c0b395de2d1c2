//! Trust and key stores as Java's own tool makes them; their password is that of everybody.

use super::command::Folder;
use super::directory::{PASSWORD, succeed};
use std::path::{Path, PathBuf};
use std::process::Command;

/// A store of a type of Java that trusts an authority.
pub(crate) fn trust(folder: &Folder, authority: &Path, store_type: &str) -> PathBuf {
    let store = folder.path().join(format!("trust.{store_type}"));
    let mut keytool = Command::new("keytool");
    keytool.args(["-importcert", "-noprompt", "-alias", "authority", "-file"]).arg(authority);
    keytool.args(["-storetype", store_type, "-storepass", PASSWORD, "-keystore"]).arg(&store);
    succeed(&mut keytool);
    store
}

/// PKCS#12 with a certificate and its key, both given as PEM.
pub(crate) fn key(folder: &Folder, certificate: &Path, key: &Path) -> PathBuf {
    let store = folder.path().join("key.p12");
    let mut openssl = Command::new("openssl");
    openssl.args(["pkcs12", "-export", "-name", "client", "-passout", &format!("pass:{PASSWORD}")]);
    succeed(openssl.arg("-in").arg(certificate).arg("-inkey").arg(key).arg("-out").arg(&store));
    store
}

/// The same key and certificate in a store of another type.
pub(crate) fn converted(folder: &Folder, from: &Path, store_type: &str) -> PathBuf {
    let store = folder.path().join(format!("key.{store_type}"));
    let mut keytool = Command::new("keytool");
    keytool.args(["-importkeystore", "-noprompt", "-srcstorepass", PASSWORD, "-srckeystore"]).arg(from);
    keytool.args(["-deststoretype", store_type, "-deststorepass", PASSWORD, "-destkeystore"]).arg(&store);
    succeed(&mut keytool);
    store
}
