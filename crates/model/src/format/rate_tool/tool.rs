//! The four tools.

/// One of the four tools.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Tool {
    /// Modifies entries.
    ModRate,
    /// Searches.
    SearchRate,
    /// Binds, perhaps after a search for the name to bind as.
    AuthRate,
    /// Adds entries, and deletes them again.
    AddRate,
}

impl Tool {
    /// All of them.
    pub const ALL: [Tool; 4] = [Tool::ModRate, Tool::SearchRate, Tool::AuthRate, Tool::AddRate];

    /// Its name on the command line and in a properties file.
    pub fn name(self) -> &'static str {
        match self {
            Tool::ModRate => "modrate",
            Tool::SearchRate => "searchrate",
            Tool::AuthRate => "authrate",
            Tool::AddRate => "addrate",
        }
    }

    /// What its positional arguments are.
    pub(super) fn positional(self) -> &'static str {
        match self {
            Tool::ModRate => "ATTRIBUTE:VALUE...",
            Tool::SearchRate => "FILTER [ATTRIBUTE...]",
            Tool::AuthRate => "[FILTER [ATTRIBUTE...]]",
            Tool::AddRate => "TEMPLATE-FILE",
        }
    }
}
