//! Constants and wildcards as they are typed.

use crate::format::decode::fields::Rule;
use crate::format::decode::quantity::{Count, Real, Time, Whole};
use crate::format::decode::record::record;
use crate::format::decode::text::Text;
use crate::format::decode::words::{Switch, words};
use crate::format::decode::{Either, Spanned};

/// Text, in which other variables may stand, or a value from outside.
pub(crate) type Constant = Either<Text, ConstantSource>;

record! {
    /// A constant that comes from outside of the job.
    pub(crate) struct ConstantSource {
        /// Name of an environment variable.
        env: Option<Text>,
        /// File that holds the value; a line break at its end does not count.
        file: Option<Text>,
        /// Question that is asked at the terminal before the run.
        prompt: Option<Text>,
        /// The value itself, in which no variables are filled in.
        value: Option<Text>,
        /// Whether the value is never shown; `on` for what comes from outside.
        secret: Option<Switch>,
    }
    rules: [Rule::ExactlyOne(&["env", "file", "prompt", "value"])]
}

record! {
    /// A value that is made anew while the job runs.
    pub(crate) struct Wildcard {
        /// A whole number between these two, both included: `[0, 9999]`.
        random: Option<Spanned<Vec<Spanned<Whole>>>>,
        /// A counter from this number on, unique over all users.
        increment: Option<Whole>,
        /// Random text of so many characters.
        string: Option<Spanned<Count>>,
        /// Characters that `string` draws from, with ranges; `A-Za-z0-9` when absent.
        chars: Option<Text>,
        /// `true`: a random UUID.
        uuid: Option<Spanned<Switch>>,
        /// `true`: milliseconds since 1970-01-01 UTC.
        now: Option<Spanned<Switch>>,
        /// One of these texts, each as likely.
        choice: Option<Spanned<Vec<Text>>>,
        /// Data file: `.csv` with a line of column names, `.ldif`, or one value a line.
        file: Option<Text>,
        /// In which order rows are drawn; `random` when absent.
        order: Option<Spanned<Order>>,
        /// Names of the columns of a `.csv` file that has no line of names.
        columns: Option<Vec<Text>>,
        /// URL that a value is fetched from before the run.
        endpoint: Option<Text>,
        /// Where the value stands in the JSON that the endpoint answers; the whole body when absent.
        json: Option<Text>,
        /// How often it is fetched again; once when absent.
        refresh: Option<Time>,
        /// How long a value stays: for an `iteration`, a single `use`, or a `user`.
        per: Option<Per>,
    }
    rules: [
        Rule::ExactlyOne(&["random", "increment", "string", "uuid", "now", "choice", "file", "endpoint"]),
        Rule::Needs("chars", &["string"]),
        Rule::Needs("order", &["file"]),
        Rule::Needs("columns", &["file"]),
        Rule::Needs("json", &["endpoint"]),
        Rule::Needs("refresh", &["endpoint"]),
    ]
}

words! {
    /// How long a value stays.
    pub(crate) enum Per {
        /// For the iteration.
        Iteration = "iteration",
        /// Each place where it stands has its own.
        Use = "use",
        /// For all iterations of a user.
        User = "user",
    }
}

/// In which order rows are drawn.
pub(crate) type Order = Either<OrderMap, OrderWord>;

words! {
    /// In which order rows are drawn.
    pub(crate) enum OrderWord {
        /// Each row as likely.
        Random = "random",
        /// One after another, from the first again after the last.
        Sequential = "sequential",
        /// Each row once; a user that finds none stops.
        Unique = "unique",
        /// Few hot rows and a long tail, exponent 1.
        Zipf = "zipf",
    }
}

record! {
    /// Few hot rows and a long tail.
    pub(crate) struct OrderMap {
        /// Exponent of the law, above 0.
        zipf: Spanned<Real>,
    }
}
