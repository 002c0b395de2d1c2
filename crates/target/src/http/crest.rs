//! The resource interface that OpenAM, OpenDJ and OpenIDM have in common: create, read, update, patch,
//! delete and query users, over any view of the directory.

mod query;

use serde_json::{Map, Value, json};

use hyper::Method;

use super::credentials::basic;
use super::{Answer, Query, Request, header, json, percent_decoded};
use crate::directory::{Directory, Entry, Patch, Pointer, View, WriteError, merge};
use crate::operation::Operation;

/// A call of the resource interface.
pub(crate) struct Call {
    verb: Verb,
    /// The user it is about; empty for the collection.
    pub(crate) id: String,
}

/// What is to be done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Verb {
    Create,
    CreateWithId,
    Read,
    Query,
    Update,
    Patch,
    Delete,
}

impl Call {
    /// The call that a request makes on the collection or one of its members.
    pub(crate) fn of(request: &Request, rest: &str) -> Option<Self> {
        let id = rest.trim_matches('/');
        if id.contains('/') {
            return None;
        }
        let verb = match (request.method(), id.is_empty()) {
            (&Method::GET, true) => Verb::Query,
            (&Method::GET, false) => Verb::Read,
            (&Method::PUT, false) if header(request, "if-none-match") == "*" => Verb::CreateWithId,
            (&Method::PUT, false) => Verb::Update,
            (&Method::PATCH, false) => Verb::Patch,
            (&Method::DELETE, false) => Verb::Delete,
            (&Method::POST, member) => match (Query::of(request).get("_action")?.as_ref(), member) {
                ("create", true) => Verb::Create,
                ("patch", false) => Verb::Patch,
                _ => return None,
            },
            _ => return None,
        };
        Some(Self { verb, id: percent_decoded(id).into_owned() })
    }

    pub(crate) fn operation(&self) -> Operation {
        match self.verb {
            Verb::Create | Verb::CreateWithId => Operation::Create,
            Verb::Read => Operation::Read,
            Verb::Query => Operation::Query,
            Verb::Update => Operation::Update,
            Verb::Patch => Operation::Patch,
            Verb::Delete => Operation::Delete,
        }
    }
}

/// Carries out a call on the users in the shape of a view.
pub(crate) fn answer(call: &Call, request: &Request, directory: &mut Directory, view: &View) -> Answer {
    if !sender_is_known(request, directory) {
        return Answer::refusal(401, "Invalid Credentials");
    }
    let mut users = Users { directory, view, request };
    let answer = match call.verb {
        Verb::Create => users.create(),
        Verb::CreateWithId => users.create_with_id(&call.id),
        Verb::Read => users.entry(&call.id).map(|entry| users.show(200, &call.id, &entry)),
        Verb::Query => query::answer(request, users.directory, view),
        Verb::Update => users.update(&call.id),
        Verb::Patch => users.patch(&call.id),
        Verb::Delete => users.delete(&call.id),
    };
    answer.unwrap_or_else(|refusal| refusal)
}

/// Credentials are looked at when there are any. A user of the directory needs the right password; any other
/// name is taken for an administrator's.
fn sender_is_known(request: &Request, directory: &Directory) -> bool {
    let name = header(request, "x-openidm-username");
    let (name, password) = match basic(request) {
        _ if !name.is_empty() => (name.to_owned(), header(request, "x-openidm-password").to_owned()),
        Some(pair) => pair,
        None => return true,
    };
    !directory.contains(&name) || directory.has_password(&name, &password)
}

struct Users<'u> {
    directory: &'u mut Directory,
    view: &'u View,
    request: &'u Request,
}

impl Users<'_> {
    fn create(&mut self) -> Result<Answer, Answer> {
        let document = self.document()?;
        let named = document.get(self.view.id).or_else(|| document.get("_id")).and_then(Value::as_str);
        let id = match named {
            Some(id) if !id.is_empty() => id.to_owned(),
            _ if self.view.generates_ids => generated_id(self.directory),
            _ => return Err(Answer::refusal(400, &format!("The field '{}' is required", self.view.id))),
        };
        self.add(&id, document, 409)
    }

    fn create_with_id(&mut self, id: &str) -> Result<Answer, Answer> {
        let document = self.document()?;
        self.add(id, document, 412)
    }

    fn add(&mut self, id: &str, document: Map<String, Value>, exists: u16) -> Result<Answer, Answer> {
        let mut attributes = self.view.read(document);
        attributes.entry("uid").or_insert_with(|| Value::from(id));
        match self.directory.create(id, attributes) {
            Ok(_) => self.entry(id).map(|entry| self.show(201, id, &entry)),
            Err(WriteError::Exists) => {
                Err(Answer::refusal(exists, &format!("Resource '{id}' already exists")))
            }
            Err(error) => Err(refused(error, id)),
        }
    }

    /// Replaces a user; creates one that is not there, unless a revision was asked for.
    fn update(&mut self, id: &str) -> Result<Answer, Answer> {
        let document = self.document()?;
        let conditional = self.request.headers().contains_key("if-match");
        if !conditional && !self.directory.contains(id) {
            return self.add(id, document, 412);
        }
        let entry = self.entry(id)?;
        self.check_revision(&entry)?;
        let attributes = self.view.update(&entry, document);
        self.write(id, attributes)
    }

    fn patch(&mut self, id: &str) -> Result<Answer, Answer> {
        let entry = self.entry(id)?;
        self.check_revision(&entry)?;
        let mut document = self.view.show(id, &entry);
        match json(self.request)? {
            Value::Array(operations) => Patch::read(&operations)
                .and_then(|patch| patch.apply(&mut document))
                .map_err(|problem| Answer::refusal(400, &problem))?,
            Value::Object(changes) => merge(&mut document, changes),
            _ => return Err(Answer::refusal(400, "A patch is an array of operations")),
        }
        let attributes = self.view.rewrite(&entry, document);
        self.write(id, attributes)
    }

    fn delete(&mut self, id: &str) -> Result<Answer, Answer> {
        let entry = self.entry(id)?;
        self.check_revision(&entry)?;
        self.directory.delete(id).map_err(|error| refused(error, id))?;
        Ok(self.show(200, id, &entry))
    }

    fn write(&mut self, id: &str, attributes: Map<String, Value>) -> Result<Answer, Answer> {
        self.directory.replace(id, attributes).map_err(|error| refused(error, id))?;
        self.entry(id).map(|entry| self.show(200, id, &entry))
    }

    fn entry(&self, id: &str) -> Result<Entry, Answer> {
        match self.directory.get(id) {
            Some(entry) => Ok(entry.into_owned()),
            None => Err(refused(WriteError::Missing, id)),
        }
    }

    fn document(&self) -> Result<Map<String, Value>, Answer> {
        match json(self.request)? {
            Value::Object(document) => Ok(document),
            _ => Err(Answer::refusal(400, "The request body must be a JSON object")),
        }
    }

    /// `If-Match` names the revision that is to be changed, with or without quotes, or `*` for any.
    fn check_revision(&self, entry: &Entry) -> Result<(), Answer> {
        let wanted = header(self.request, "if-match").trim().trim_start_matches("W/").trim_matches('"');
        if wanted.is_empty() || wanted == "*" || wanted == entry.revision.to_string() {
            return Ok(());
        }
        let found = entry.revision;
        Err(Answer::refusal(412, &format!("The resource has the revision '{found}', not '{wanted}'")))
    }

    fn show(&self, status: u16, id: &str, entry: &Entry) -> Answer {
        let document = self.view.show(id, entry);
        let answer = written(self.request, status, &Value::Object(with_fields(self.request, document)));
        let answer = answer.with("etag", &format!("\"{}\"", entry.revision));
        if status == 201 {
            let path = self.request.uri().path().trim_end_matches('/');
            let of_member = self.request.method() == Method::PUT;
            let location = if of_member { path.to_owned() } else { format!("{path}/{id}") };
            return answer.with("location", &location);
        }
        answer
    }
}

fn refused(error: WriteError, id: &str) -> Answer {
    match error {
        WriteError::Missing => Answer::refusal(404, &format!("Resource '{id}' not found")),
        WriteError::Exists => Answer::refusal(409, &format!("Resource '{id}' already exists")),
        WriteError::Full => Answer::refusal(503, "The directory keeps no further entries"),
    }
}

/// An identifier that no user has.
fn generated_id(directory: &Directory) -> String {
    let mut number = directory.revision() + 1;
    loop {
        let id = format!("00000000-0000-4000-8000-{number:012x}");
        if !directory.contains(&id) {
            return id;
        }
        number += 1;
    }
}

/// The fields that `_fields` asks for, with identifier and revision; all when it is absent.
fn with_fields(request: &Request, document: Map<String, Value>) -> Map<String, Value> {
    let Some(fields) = Query::of(request).get("_fields").filter(|fields| !fields.trim().is_empty()) else {
        return document;
    };
    let mut shown = Map::new();
    for field in ["_id", "_rev"].into_iter().chain(fields.split(',')) {
        let pointer = Pointer::new(field.trim());
        if let Some(value) = pointer.get(&document) {
            pointer.put(&mut shown, value.clone());
        }
    }
    shown
}

/// Writes a document, on many lines when `_prettyPrint` asks for it.
fn written(request: &Request, status: u16, document: &Value) -> Answer {
    let pretty = Query::of(request).get("_prettyPrint").is_some_and(|value| value == "true");
    if pretty { Answer::json_text(status, format!("{document:#}")) } else { Answer::json(status, document) }
}

/// The answer to a query: the documents, and where to go on.
fn result(documents: &[Value], cookie: Option<&str>, total: Option<(&str, i64)>) -> Value {
    let (policy, total) = total.unwrap_or(("NONE", -1));
    json!({
        "resultCount": documents.len(),
        "result": documents,
        "pagedResultsCookie": cookie,
        "totalPagedResultsPolicy": policy,
        "totalPagedResults": total,
        "remainingPagedResults": -1,
    })
}
