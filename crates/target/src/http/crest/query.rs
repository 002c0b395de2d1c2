//! Queries: `_queryFilter` and `_queryId`, in pages.

use std::borrow::Cow;

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde_json::Value;

use super::{result, with_fields, written};
use crate::directory::{Directory, Filter, Position, Search, View};
use crate::http::{Answer, Query, Request};

/// Documents in one answer, whatever was asked for.
const RESULTS_LIMIT: usize = 1_000;

pub(super) fn answer(request: &Request, directory: &Directory, view: &View) -> Result<Answer, Answer> {
    let query = Query::of(request);
    let filter = filter(query, view)?;
    if query.get("_sortKeys").is_some() {
        return Err(Answer::refusal(400, "Sorting is not supported by the simulated platform"));
    }
    let size = match number(query, "_pageSize")? {
        Some(size) if size > 0 => size.min(RESULTS_LIMIT),
        _ => RESULTS_LIMIT,
    };
    let search = Search {
        filter: &filter,
        view,
        from: position(query)?,
        skip: number(query, "_pagedResultsOffset")?.unwrap_or(0),
        size,
    };
    let page = directory.search(&search);
    let only_ids = query.get("_queryId").is_some_and(|id| id == "query-all-ids");
    let documents = page.documents.into_iter().map(|mut document| {
        if only_ids {
            document.retain(|name, _| matches!(name.as_str(), "_id" | "_rev"));
        }
        Value::Object(with_fields(request, document))
    });
    let cookie = page.next.map(|position| URL_SAFE_NO_PAD.encode(position.to_string()));
    let total = total(query, &filter, directory);
    let total = total.as_ref().map(|(policy, total)| (policy.as_ref(), *total));
    Ok(written(request, 200, &result(&documents.collect::<Vec<_>>(), cookie.as_deref(), total)))
}

fn filter(query: Query<'_>, view: &View) -> Result<Filter, Answer> {
    if let Some(filter) = query.get("_queryFilter") {
        return Filter::parse(&filter).map_err(|error| Answer::refusal(400, &error.to_string()));
    }
    let id = query.get("_queryId");
    match id.as_deref() {
        Some("*" | "query-all" | "query-all-ids") => Ok(Filter::Literal(true)),
        Some(pattern) if !pattern.is_empty() => {
            let (comparison, text) = match pattern.strip_suffix('*') {
                Some(start) => ("sw", start),
                None => ("eq", pattern),
            };
            let text = Value::from(text.trim_matches('*'));
            Filter::parse(&format!("{} {comparison} {text}", view.id))
                .map_err(|_| Answer::refusal(400, &format!("The query '{pattern}' is not supported")))
        }
        _ => Err(Answer::refusal(400, "A query needs '_queryFilter' or '_queryId'")),
    }
}

fn position(query: Query<'_>) -> Result<Position, Answer> {
    let Some(cookie) = query.get("_pagedResultsCookie").filter(|cookie| !cookie.is_empty()) else {
        return Ok(Position::Generated(0));
    };
    let text = URL_SAFE_NO_PAD.decode(cookie.as_bytes()).ok().and_then(|bytes| String::from_utf8(bytes).ok());
    text.and_then(|text| Position::parse(&text))
        .ok_or_else(|| Answer::refusal(400, "The paged results cookie is not one of this platform"))
}

fn number(query: Query<'_>, name: &str) -> Result<Option<usize>, Answer> {
    let Some(text) = query.get(name) else { return Ok(None) };
    text.parse()
        .map(Some)
        .map_err(|_| Answer::refusal(400, &format!("'{name}' must be a number, not '{text}'")))
}

/// The total is known for a query of everything, and -1 for any other.
fn total<'q>(query: Query<'q>, filter: &Filter, directory: &Directory) -> Option<(Cow<'q, str>, i64)> {
    let policy = query.get("_totalPagedResultsPolicy").filter(|policy| policy != "NONE")?;
    let total = if *filter == Filter::Literal(true) { directory.len().cast_signed() } else { -1 };
    Some((policy, total))
}
