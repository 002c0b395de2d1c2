//! Users as OpenAM shows them, and who may do what with them.

use serde_json::json;

use super::{ADMINISTRATOR, Session, access_denied};
use crate::directory::Access::{ReadOnly, ReadWrite, WriteOnly};
use crate::directory::{Directory, Field, View, Writing};
use crate::http::{Answer, Request, crest};
use crate::operation::Operation;

static VIEW: View = View {
    id: "username",
    fields: &[
        Field { attribute: "uid", pointer: "uid", access: ReadOnly },
        Field { attribute: "cn", pointer: "cn", access: ReadWrite },
        Field { attribute: "givenName", pointer: "givenName", access: ReadWrite },
        Field { attribute: "sn", pointer: "sn", access: ReadWrite },
        Field { attribute: "mail", pointer: "mail", access: ReadWrite },
        Field { attribute: "telephoneNumber", pointer: "telephoneNumber", access: ReadWrite },
        Field { attribute: "userPassword", pointer: "userpassword", access: WriteOnly },
        Field { attribute: "userPassword", pointer: "userPassword", access: WriteOnly },
    ],
    values_in_arrays: true,
    writing: Writing::Merges,
    constants: &[("realm", "/")],
    generates_ids: false,
    named_like_id: &[],
};

/// Carries out a call for the administrator, or for a user on itself.
pub(super) fn answer(
    call: &crest::Call,
    request: &Request,
    sender: Option<&Session>,
    directory: &mut Directory,
) -> Answer {
    let Some(session) = sender else { return access_denied() };
    let user = &*session.user;
    let on_itself =
        user == call.id && matches!(call.operation(), Operation::Read | Operation::Update | Operation::Patch);
    if user != ADMINISTRATOR && !on_itself {
        let operation = call.operation().name();
        let message =
            format!("Permission to perform the {operation} operation denied to {}", universal_id(user));
        return Answer::refusal(403, &message);
    }
    crest::answer(call, request, directory, &VIEW)
}

/// The answer to "whose session is this".
pub(super) fn identity(session: &Session) -> Answer {
    let body = json!({
        "id": &*session.user,
        "realm": &*session.realm,
        "dn": universal_id(&session.user),
        "successURL": "/openam/console",
        "fullLoginURL": "/openam/UI/Login?realm=%2F",
    });
    Answer::json(200, &body)
}

pub(super) fn universal_id(user: &str) -> String {
    format!("id={user},ou=user,dc=openam,dc=openidentityplatform,dc=org")
}
