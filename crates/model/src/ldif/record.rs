//! From the lines of a record to what is to be done.

use crate::ldap::ChangeKind;
use crate::ldif::reader::{Item, Section};
use crate::ldif::value::{Field, Files, shown, unfilled};
use crate::ldif::{Attribute, Change, Control, Problem, Record};

/// Reads a record (RFC 2849, `ldif-attrval-record` and `ldif-change-record`).
pub(super) fn read(section: &mut Section<'_>, files: &mut Files<'_>) -> Result<Record, Problem> {
    let dn = section.expect("dn", files)?;
    let line = dn.line;
    let dn = dn.into_text()?;
    if !dn.is_empty() && !dn.contains('=') {
        let message = format!("`{}` is no distinguished name", shown(dn.as_bytes()));
        return Err(Problem::new(line, message, "write it like uid=ann,ou=people,dc=example,dc=com"));
    }
    let mut controls = Vec::new();
    while let Some((line, text)) = section.raw("control") {
        controls.push(control(line, &text, files)?);
    }
    // Controls belong to changes.
    if controls.is_empty() && !section.is_next("changetype") {
        return Ok(Record { dn, controls, change: Change::Add(attributes(section, files)?) });
    }
    let kind = section.expect("changetype", files)?;
    let line = kind.line;
    let word = kind.into_text()?;
    let change = match word.trim_end().to_ascii_lowercase().as_str() {
        "add" => Change::Add(attributes(section, files)?),
        "delete" => {
            section.end("delete")?;
            Change::Delete
        }
        "modify" => Change::Modify(changes(section, files)?),
        "modrdn" | "moddn" => modify_dn(section, files)?,
        other => {
            let message = format!("unknown change `{}`", shown(other.as_bytes()));
            return Err(Problem::new(line, message, "use add, delete, modify, modrdn or moddn"));
        }
    };
    Ok(Record { dn, controls, change })
}

/// `control: OID true: value`.
fn control(line: u32, text: &[u8], files: &mut Files<'_>) -> Result<Control, Problem> {
    let help = "write it like control: 1.2.840.113556.1.4.805 true";
    let rest = unfilled(text);
    let end = rest.iter().position(|byte| !(byte.is_ascii_digit() || *byte == b'.')).unwrap_or(rest.len());
    let (oid, rest) = rest.split_at(end);
    if oid.is_empty() {
        let message = format!("`{}` begins with no object identifier", shown(rest));
        return Err(Problem::new(line, message, help));
    }
    let rest = unfilled(rest);
    let word = rest.iter().position(|byte| !byte.is_ascii_alphabetic()).unwrap_or(rest.len());
    let (word, rest) = rest.split_at(word);
    let critical = match word.to_ascii_lowercase().as_slice() {
        b"true" => true,
        b"" | b"false" => false,
        other => {
            let message = format!("`{}` is neither true nor false", shown(other));
            return Err(Problem::new(line, message, help));
        }
    };
    let value = match unfilled(rest) {
        [] => None,
        rest @ [b':', ..] => Some(files.value(line, rest)?),
        rest => {
            let message = format!("`{}` follows a control", shown(rest));
            return Err(Problem::new(line, message, help));
        }
    };
    Ok(Control { oid: String::from_utf8_lossy(oid).into_owned(), critical, value })
}

/// The attributes of an entry, each with all of its values.
fn attributes(section: &mut Section<'_>, files: &mut Files<'_>) -> Result<Vec<Attribute>, Problem> {
    let mut attributes: Vec<Attribute> = Vec::new();
    while let Some(item) = section.next(files)? {
        let field = match item {
            Item::Field(field) => field,
            Item::Dash(line) => {
                let help = "remove it, or write `changetype: modify` behind the name";
                return Err(Problem::new(line, "a `-` stands in an entry", help));
            }
        };
        if field.is("dn") {
            let help = "put an empty line before it";
            return Err(Problem::new(field.line, "a `dn` stands inside of a record", help));
        }
        match attributes.iter_mut().find(|one| one.name.eq_ignore_ascii_case(&field.name)) {
            Some(known) => known.values.push(field.value),
            None => attributes.push(Attribute { name: field.name, values: vec![field.value] }),
        }
    }
    if attributes.is_empty() {
        return Err(Problem::new(section.end, "the entry has no attribute", "an entry needs an objectClass"));
    }
    Ok(attributes)
}

/// Changes up to the end of the record, each up to a `-`.
fn changes(
    section: &mut Section<'_>,
    files: &mut Files<'_>,
) -> Result<Vec<(ChangeKind, Attribute)>, Problem> {
    let mut changes = Vec::new();
    while let Some(item) = section.next(files)? {
        let help = "write add, delete, replace or increment with the name of an attribute";
        let begin = match item {
            Item::Field(field) => field,
            Item::Dash(line) => return Err(Problem::new(line, "a `-` without a change before it", help)),
        };
        let line = begin.line;
        let kind = match begin.name.to_ascii_lowercase().as_str() {
            "add" => ChangeKind::Add,
            "delete" => ChangeKind::Delete,
            "replace" => ChangeKind::Replace,
            "increment" => ChangeKind::Increment,
            _ => {
                let message = format!("`{}` begins no change", begin.name);
                return Err(Problem::new(line, message, help));
            }
        };
        let name = begin.into_text()?.trim_end().to_owned();
        let attribute = Attribute { values: values(section, &name, files)?, name };
        check(line, kind, &attribute)?;
        changes.push((kind, attribute));
    }
    if changes.is_empty() {
        return Err(Problem::new(
            section.end,
            "the record changes nothing",
            "add a change such as `replace: mail`",
        ));
    }
    Ok(changes)
}

/// The values of a change.
fn values(section: &mut Section<'_>, name: &str, files: &mut Files<'_>) -> Result<Vec<Vec<u8>>, Problem> {
    let mut values = Vec::new();
    loop {
        match section.next(files)? {
            None | Some(Item::Dash(_)) => return Ok(values),
            Some(Item::Field(field)) if field.is(name) => values.push(field.value),
            Some(Item::Field(field)) => {
                let message = format!("a value of `{}` stands in a change of `{name}`", field.name);
                return Err(Problem::new(field.line, message, "end the change with a line `-`"));
            }
        }
    }
}

/// What a change needs of its values.
fn check(line: u32, kind: ChangeKind, attribute: &Attribute) -> Result<(), Problem> {
    let Attribute { name, values } = attribute;
    let number = || std::str::from_utf8(&values[0]).is_ok_and(|text| text.trim().parse::<i128>().is_ok());
    let (message, help) = match kind {
        _ if name.is_empty() => ("the change names no attribute".to_owned(), "write it like `replace: mail`"),
        ChangeKind::Add if values.is_empty() => {
            (format!("no value is added to `{name}`"), "write it like `mail: a@example.com`")
        }
        ChangeKind::Increment if values.len() != 1 || !number() => {
            (format!("`{name}` is not increased by one whole number"), "write it like `uidNumber: 1`")
        }
        _ => return Ok(()),
    };
    Err(Problem::new(line, message, help))
}

fn modify_dn(section: &mut Section<'_>, files: &mut Files<'_>) -> Result<Change, Problem> {
    let new_rdn = section.expect("newrdn", files)?;
    let (line, new_rdn) = (new_rdn.line, new_rdn.into_text()?);
    if !new_rdn.contains('=') {
        let message = format!("`{}` is no part of a name", shown(new_rdn.as_bytes()));
        return Err(Problem::new(line, message, "write it like uid=ann"));
    }
    let old = section.expect("deleteoldrdn", files)?;
    let (line, old) = (old.line, old.into_text()?);
    let delete_old = match old.trim_end() {
        "1" => true,
        "0" => false,
        other => {
            let message = format!("`deleteoldrdn` is `{}`", shown(other.as_bytes()));
            return Err(Problem::new(line, message, "use 1 or 0"));
        }
    };
    let superior = section.is_next("newsuperior").then(|| section.expect("newsuperior", files));
    let new_superior = superior.transpose()?.map(Field::into_text).transpose()?;
    section.end("modrdn")?;
    Ok(Change::ModifyDn { new_rdn, delete_old, new_superior })
}
