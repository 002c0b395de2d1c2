//! The shape of managed users in OpenIDM.

use crate::directory::Access::{ReadWrite, WriteOnly};
use crate::directory::{Field, View, Writing};

/// `/openidm/managed/user/{id}`
pub(crate) static VIEW: View = View {
    id: "_id",
    fields: &[
        Field { attribute: "cn", pointer: "displayName", access: ReadWrite },
        Field { attribute: "givenName", pointer: "givenName", access: ReadWrite },
        Field { attribute: "sn", pointer: "sn", access: ReadWrite },
        Field { attribute: "mail", pointer: "mail", access: ReadWrite },
        Field { attribute: "telephoneNumber", pointer: "telephoneNumber", access: ReadWrite },
        Field { attribute: "userPassword", pointer: "password", access: WriteOnly },
    ],
    values_in_arrays: false,
    writing: Writing::Replaces,
    constants: &[("accountStatus", "active")],
    generates_ids: true,
    named_like_id: &["userName"],
};
