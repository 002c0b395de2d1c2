//! The shape of users in OpenDJ's REST interface to its directory.

use crate::directory::Access::{ReadOnly, ReadWrite, WriteOnly};
use crate::directory::{Field, View, Writing};

/// `/users/{id}` and `/api/users/{id}`
pub(crate) static VIEW: View = View {
    id: "_id",
    fields: &[
        Field { attribute: "cn", pointer: "displayName", access: ReadWrite },
        Field { attribute: "givenName", pointer: "name/givenName", access: ReadWrite },
        Field { attribute: "sn", pointer: "name/familyName", access: ReadWrite },
        Field { attribute: "mail", pointer: "contactInformation/emailAddress", access: ReadWrite },
        Field {
            attribute: "telephoneNumber",
            pointer: "contactInformation/telephoneNumber",
            access: ReadWrite,
        },
        Field { attribute: "mail", pointer: "userName", access: ReadOnly },
        Field { attribute: "uid", pointer: "uid", access: ReadOnly },
        Field { attribute: "userPassword", pointer: "userPassword", access: WriteOnly },
    ],
    values_in_arrays: false,
    writing: Writing::Replaces,
    constants: &[],
    generates_ids: false,
    named_like_id: &[],
};
