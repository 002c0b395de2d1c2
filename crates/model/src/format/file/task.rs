//! A task: one request.

use crate::format::decode::fields::Rule;
use crate::format::decode::quantity::Count;
use crate::format::decode::record::record;
use crate::format::decode::text::Text;
use crate::format::decode::words::{Switch, words};
use crate::format::decode::{Any, Map, Spanned};
use crate::format::file::attributes::Attributes;
use crate::format::file::expect::Check;

record! {
    /// One HTTP request, and what makes its response correct.
    pub(crate) struct Task {
        /// Name for people.
        name: Option<Text>,
        /// What it stands for, for people.
        description: Option<Text>,
        /// HTTP method; GET without a body and POST with one when absent.
        method: Option<Text>,
        /// A path below `target`, or a whole URL.
        url: Text,
        /// Query parameters; values are percent-encoded.
        query: Option<Map<Text>>,
        /// A JSON body; values of variables are escaped.
        json: Option<Any>,
        /// A form body; values are percent-encoded.
        form: Option<Map<Text>>,
        /// A body of text.
        body: Option<Text>,
        /// File with the body.
        body_file: Option<Text>,
        /// Whether variables in `body_file` are filled in; `on` when absent.
        template: Option<Switch>,
        /// What is taken out of the response, by name.
        capture: Option<Map<Spanned<Capture>>>,
        /// What makes the response correct; a status below 400 when nothing is said of it.
        check: Option<Vec<Spanned<Check>>>,
        ..attributes: Attributes,
    }
    rules: [
        Rule::AtMostOne(&["json", "form", "body", "body_file"]),
        Rule::Needs("template", &["body_file"]),
    ]
}

record! {
    /// A value that is taken out of a response.
    pub(crate) struct Capture {
        /// JSON path (RFC 9535): `$.tokenId`.
        json: Option<Text>,
        /// Name of a header.
        header: Option<Text>,
        /// Name of a cookie that the response sets.
        cookie: Option<Text>,
        /// Regular expression on the body.
        regex: Option<Text>,
        /// Group of the expression; the first when absent, the whole match when there is none.
        group: Option<Spanned<Count>>,
        /// `true`: the whole body.
        body: Option<Spanned<Switch>>,
        /// How long it is kept: for the `iteration` or for the `user`; `iteration` when absent.
        scope: Option<CaptureScope>,
    }
    rules: [
        Rule::ExactlyOne(&["json", "header", "cookie", "regex", "body"]),
        Rule::Needs("group", &["regex"]),
    ]
}

words! {
    /// How long a captured value is kept.
    pub(crate) enum CaptureScope {
        /// Until the iteration ends.
        Iteration = "iteration",
        /// For all further iterations of the user.
        User = "user",
    }
}
