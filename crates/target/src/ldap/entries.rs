//! All entries that LDAP shows, wherever they are kept: users, the tree, the root entry, the monitor.

use std::borrow::Cow;

use serde_json::{Map, Value};

use super::code::Code;
use super::contents::{Contents, texts};
use super::dn::{self, Dn};
use super::image::{Class, Image};
use super::matching::equal;
use super::reply::Outcome;
use super::tree::{PEOPLE, PEOPLE_KEY, Stored, Tree};
use super::{monitor, root};
use crate::counts::Counters;
use crate::directory::{Directory, User, WriteError, population};

/// Where an entry is kept, whether or not it is there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Place<'p> {
    /// The entry that tells of the server itself.
    Root,
    Monitor,
    /// A user of the platform, by the identifier.
    User(Cow<'p, str>),
    /// An entry of the tree, by its key.
    Tree(&'p [u8]),
}

/// Every entry.
pub(crate) struct Entries<'e> {
    pub(crate) directory: &'e mut Directory,
    pub(crate) tree: &'e mut Tree,
    pub(crate) counters: &'e Counters,
    /// Whether a connection can go on with TLS.
    pub(crate) offers_tls: bool,
}

impl Entries<'_> {
    /// Where the entry of that name is kept.
    pub(crate) fn place<'p>(&'p self, dn: &'p Dn) -> Place<'p> {
        match dn.key() {
            b"" => Place::Root,
            monitor::KEY => Place::Monitor,
            key => match user_id(dn) {
                Some(id) => Place::User(self.directory.spelling(id).unwrap_or(Cow::Borrowed(id))),
                None => Place::Tree(key),
            },
        }
    }

    pub(crate) fn exists(&self, place: &Place<'_>) -> bool {
        match place {
            Place::Root | Place::Monitor => true,
            Place::User(id) => self.directory.contains(id),
            Place::Tree(key) => self.tree.get(key).is_some(),
        }
    }

    /// Puts an entry into `image`; false when it is not there.
    pub(crate) fn show(&self, place: &Place<'_>, image: &mut Image) -> bool {
        match place {
            Place::Root => root::show(self.offers_tls, image),
            Place::Monitor => monitor::show(self.counters, image),
            Place::User(id) => match self.directory.find(id) {
                Some(user) => show_user(id, user, image),
                None => return false,
            },
            Place::Tree(key) => match self.tree.get(key) {
                Some(stored) => show_stored(stored, image),
                None => return false,
            },
        }
        true
    }

    /// The name of an entry as it is shown; `None` when it is not there.
    pub(crate) fn shown_dn(&self, place: &Place<'_>) -> Option<String> {
        match place {
            Place::Root => Some(String::new()),
            Place::Monitor => Some(monitor::DN.to_owned()),
            Place::User(id) => self.directory.contains(id).then(|| {
                let mut name = Vec::new();
                write_user_dn(id, &mut name);
                String::from_utf8_lossy(&name).into_owned()
            }),
            Place::Tree(key) => self.tree.get(key).map(|stored| stored.dn.clone()),
        }
    }

    /// What is refused because there is no such entry; it names the nearest one above.
    pub(crate) fn missing(&self, dn: &Dn) -> Outcome {
        let mut outcome = Code::NoSuchObject.because("there is no such entry");
        let mut key = dn.key();
        while let Some(above) = dn::parent(key) {
            if let Some(stored) = self.tree.get(above) {
                outcome.matched.clone_from(&stored.dn);
                break;
            }
            key = above;
        }
        outcome
    }

    /// The attributes of an entry that can be changed.
    pub(crate) fn contents(&self, place: &Place<'_>) -> Option<Contents> {
        match place {
            Place::Root | Place::Monitor => None,
            Place::User(id) => self.directory.find(id).map(|user| match user {
                User::Generated(number) => Contents::generated(number),
                User::Written(entry) => Contents::of_user(&entry.attributes),
            }),
            Place::Tree(key) => self.tree.get(key).map(|stored| stored.contents.clone()),
        }
    }

    /// Whether a password is that of an entry.
    pub(crate) fn has_password(&self, place: &Place<'_>, password: &[u8]) -> bool {
        match place {
            Place::User(id) => {
                std::str::from_utf8(password).is_ok_and(|password| self.directory.has_password(id, password))
            }
            Place::Tree(key) => self.tree.get(key).is_some_and(|stored| {
                stored.contents.values(b"userPassword").iter().any(|found| found == password)
            }),
            Place::Root | Place::Monitor => false,
        }
    }

    /// Writes the attributes of an entry that is there.
    pub(crate) fn rewrite(&mut self, place: &Owned, contents: Contents) -> Result<(), Outcome> {
        let dn = match place {
            Owned::Tree(key) => self.tree.get(key).map(|stored| stored.dn.clone()).unwrap_or_default(),
            Owned::User(_) => String::new(),
        };
        self.create(place, dn, contents)
    }

    /// Makes an entry, or puts another one in its place; `dn` is its name as it is to be shown.
    pub(crate) fn create(&mut self, place: &Owned, dn: String, contents: Contents) -> Result<(), Outcome> {
        match place {
            Owned::Tree(key) => self.tree.put(key, dn, contents),
            Owned::User(id) => {
                let attributes = self.user_attributes(id, contents)?;
                self.directory.put(id, attributes).map(|_| ()).map_err(refused)
            }
        }
    }

    /// Deletes an entry.
    pub(crate) fn delete(&mut self, place: &Owned) -> Result<(), Outcome> {
        match place {
            Owned::Tree(key) => self.tree.remove(key),
            Owned::User(id) => self.directory.delete(id).map_err(refused)?,
        }
        Ok(())
    }

    /// What the HTTP side keeps of a user: values that were not changed stay as they were, texts or not.
    fn user_attributes(&self, id: &str, mut contents: Contents) -> Result<Map<String, Value>, Outcome> {
        let classes = contents.values(b"objectClass");
        if !classes.is_empty() && classes.iter().eq(USER_CLASSES.iter().map(|class| class.as_bytes())) {
            contents.set(b"objectClass", Vec::new())?;
        }
        let mut attributes = contents.into_user()?;
        if let Some(User::Written(before)) = self.directory.find(id) {
            for (name, value) in before.attributes.iter().filter(|(_, value)| !value.is_string()) {
                match attributes.get_mut(name) {
                    Some(now) if texts(now) == texts(value) => now.clone_from(value),
                    _ => {}
                }
            }
        }
        Ok(attributes)
    }
}

/// The place of an entry that can be written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Owned {
    User(String),
    Tree(Vec<u8>),
}

impl Place<'_> {
    /// The place by itself; the root and the monitor cannot be written.
    pub(crate) fn owned(&self) -> Result<Owned, Outcome> {
        match self {
            Self::User(id) => Ok(Owned::User(id.to_string())),
            Self::Tree(key) => Ok(Owned::Tree(key.to_vec())),
            Self::Root | Self::Monitor => {
                Err(Code::UnwillingToPerform.because("this entry cannot be changed"))
            }
        }
    }
}

/// The classes of a user that was not given others. They are not kept.
pub(crate) const USER_CLASSES: [&str; 4] = ["top", "person", "organizationalPerson", "inetOrgPerson"];

/// The identifier, when a name is that of a user of the platform.
pub(crate) fn user_id(dn: &Dn) -> Option<&str> {
    if dn::parent(dn.key()) != Some(PEOPLE_KEY) {
        return None;
    }
    let mut leaf = dn.leaf();
    match (leaf.next(), leaf.next()) {
        (Some((name, value)), None) if equal(name, b"uid") && !value.is_empty() => {
            std::str::from_utf8(value).ok()
        }
        _ => None,
    }
}

fn write_user_dn(id: &str, out: &mut Vec<u8>) {
    out.extend_from_slice(b"uid=");
    dn::escape(id.as_bytes(), out);
    out.push(b',');
    out.extend_from_slice(PEOPLE.as_bytes());
}

/// Puts a user into `image`.
pub(crate) fn show_user(id: &str, user: User<'_>, image: &mut Image) {
    image.begin(|out| write_user_dn(id, out));
    let revision = match user {
        User::Generated(number) => {
            show_classes(image);
            population::visit(number, |name, parts| {
                image.attribute(name, class(name));
                image.value(|bytes| parts.iter().for_each(|part| bytes.extend_from_slice(part.as_bytes())));
            });
            0
        }
        User::Written(entry) => {
            if !entry.attributes.contains_key("objectClass") {
                show_classes(image);
            }
            for (name, value) in &entry.attributes {
                show_value(name, value, image);
            }
            entry.revision
        }
    };
    show_operational(id.as_bytes(), revision, image);
}

fn show_classes(image: &mut Image) {
    image.attribute("objectClass", Class::User);
    for class in USER_CLASSES {
        image.value(|bytes| bytes.extend_from_slice(class.as_bytes()));
    }
}

fn show_value(name: &str, value: &Value, image: &mut Image) {
    match value {
        Value::Null => {}
        Value::String(text) => image.single(name, class(name), text.as_bytes()),
        other => {
            let texts = texts(other);
            if !texts.is_empty() {
                image.attribute(name, class(name));
            }
            for text in texts {
                image.value(|bytes| bytes.extend_from_slice(text.as_bytes()));
            }
        }
    }
}

/// Puts an entry of the tree into `image`.
pub(crate) fn show_stored(stored: &Stored, image: &mut Image) {
    image.begin(|out| out.extend_from_slice(stored.dn.as_bytes()));
    show_contents(&stored.contents, image);
    show_operational(stored.dn.as_bytes(), stored.revision, image);
}

/// Puts attributes into the entry that was begun.
pub(crate) fn show_contents(contents: &Contents, image: &mut Image) {
    for (name, values) in contents.iter() {
        image.attribute(name, class(name));
        for value in values {
            image.value(|bytes| bytes.extend_from_slice(value));
        }
    }
}

/// `etag` changes with each write; `entryUUID` does not.
fn show_operational(identity: &[u8], revision: u64, image: &mut Image) {
    image.attribute("etag", Class::Operational);
    image.value(|bytes| write_hexadecimal(revision, 16, bytes));
    // FNV-1a: the same name always has the same identifier.
    let hash = identity.iter().fold(0xcbf2_9ce4_8422_2325_u64, |hash, &byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    });
    image.attribute("entryUUID", Class::Operational);
    image.value(|bytes| {
        write_hexadecimal(hash >> 32, 8, bytes);
        bytes.extend_from_slice(b"-0000-4000-8000-0000");
        write_hexadecimal(hash, 8, bytes);
    });
}

/// The last digits of a number.
fn write_hexadecimal(number: u64, digits: u32, out: &mut Vec<u8>) {
    let digit = |at: u32| b"0123456789abcdef"[(number >> (4 * at) & 0xf) as usize];
    out.extend((0..digits).rev().map(digit));
}

fn class(name: &str) -> Class {
    if name.eq_ignore_ascii_case("userPassword") { Class::Secret } else { Class::User }
}

fn refused(error: WriteError) -> Outcome {
    match error {
        WriteError::Missing => Code::NoSuchObject.because("there is no such entry"),
        WriteError::Exists => Code::EntryAlreadyExists.because("there is such an entry already"),
        WriteError::Full => Code::AdminLimitExceeded.because("the platform keeps no further entries"),
    }
}
