//! One question to the generator.

use crate::judgement::Judgement;
use crate::stand::{Problem, Stand};

/// One question to the generator, and how it is answered.
pub struct Case {
    /// `H5`.
    pub name: &'static str,
    /// What is asked, in a few words.
    pub question: &'static str,
    /// Whether it takes so long that only a full suite asks it.
    pub is_long: bool,
    /// Runs what is needed and judges it.
    pub(crate) judge: fn(&Stand) -> Result<Vec<Judgement>, Problem>,
}

impl Case {
    /// Whether this is its name, in whatever case.
    pub(crate) fn is_named(&self, name: &str) -> bool {
        self.name.eq_ignore_ascii_case(name)
    }
}
