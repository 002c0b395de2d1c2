//! How text is dressed: colour, symbols and width, decided once from the environment.
//!
//! Colour never stands alone: whatever is coloured carries a symbol that says the same.

mod size;

pub use size::Size;

/// How text is dressed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Style {
    /// Whether to write ANSI colours.
    pub color: bool,
    /// Whether to write symbols beyond ASCII.
    pub unicode: bool,
    /// Characters in a line; nothing is written wider.
    pub width: usize,
}

/// What the user asked for with `--color`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum ColorChoice {
    /// As the environment and the terminal suggest.
    #[default]
    Auto,
    /// Even into a file.
    Always,
    /// Not even on a terminal.
    Never,
}

/// What a symbol and its colour say.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Mark {
    Passed,
    Warning,
    Failed,
    Unknown,
}

impl Default for Style {
    fn default() -> Self {
        Self { color: false, unicode: true, width: Self::DEFAULT_WIDTH }
    }
}

impl Style {
    /// The width where none is known, such as in a file.
    pub const DEFAULT_WIDTH: usize = 100;

    /// Nothing can be read in fewer characters than this.
    const MIN_WIDTH: usize = 20;

    /// Reads the style from the environment; the width is `COLUMNS` when that is set.
    ///
    /// Colour, first that decides: the choice, `NO_COLOR` (not empty), `FORCE_COLOR` or
    /// `CLICOLOR_FORCE`, `CLICOLOR=0`, a terminal whose `TERM` is not `dumb`. Symbols beyond ASCII need
    /// a UTF-8 locale: the first of `LC_ALL`, `LC_CTYPE` and `LANG` that is not empty.
    pub fn detect(choice: ColorChoice, env: &dyn Fn(&str) -> Option<String>, is_terminal: bool) -> Self {
        let width = env("COLUMNS").and_then(|text| text.trim().parse().ok()).filter(|&width| width > 0);
        Self {
            color: wants_color(choice, env, is_terminal),
            unicode: is_utf8(env),
            width: width.unwrap_or(Self::DEFAULT_WIDTH),
        }
    }

    /// The same style for another width.
    #[must_use]
    pub fn with_width(self, width: usize) -> Self {
        Self { width, ..self }
    }

    /// The width that tables and text are laid out for.
    pub(crate) fn columns(&self) -> usize {
        self.width.max(Self::MIN_WIDTH)
    }

    /// The symbol of a mark, in its colour.
    pub(crate) fn mark(&self, mark: Mark) -> String {
        self.paint(mark, self.symbol(mark))
    }

    pub(crate) fn symbol(&self, mark: Mark) -> &'static str {
        match (mark, self.unicode) {
            (Mark::Passed, true) => "✓",
            (Mark::Passed, false) => "+",
            (Mark::Warning, _) => "!",
            (Mark::Failed, true) => "✗",
            (Mark::Failed, false) => "x",
            (Mark::Unknown, _) => "?",
        }
    }

    pub(crate) fn paint(&self, mark: Mark, text: &str) -> String {
        if !self.color {
            return text.to_owned();
        }
        let code = match mark {
            Mark::Passed => 32,
            Mark::Warning => 33,
            Mark::Failed => 31,
            Mark::Unknown => 35,
        };
        format!("\x1b[{code}m{text}\x1b[0m")
    }

    pub(crate) fn at_least(&self) -> &'static str {
        if self.unicode { "≥" } else { ">=" }
    }

    pub(crate) fn ellipsis(&self) -> &'static str {
        if self.unicode { "…" } else { "..." }
    }

    pub(crate) fn micro(&self) -> &'static str {
        if self.unicode { "µs" } else { "us" }
    }

    pub(crate) fn to(&self) -> &'static str {
        if self.unicode { "–" } else { "-" }
    }
}

fn wants_color(choice: ColorChoice, env: &dyn Fn(&str) -> Option<String>, is_terminal: bool) -> bool {
    let is_on = |name: &str| env(name).is_some_and(|value| !value.is_empty() && value != "0");
    match choice {
        ColorChoice::Always => true,
        ColorChoice::Never => false,
        ColorChoice::Auto if env("NO_COLOR").is_some_and(|value| !value.is_empty()) => false,
        ColorChoice::Auto if is_on("FORCE_COLOR") || is_on("CLICOLOR_FORCE") => true,
        ColorChoice::Auto if env("CLICOLOR").as_deref() == Some("0") => false,
        ColorChoice::Auto => is_terminal && env("TERM").as_deref() != Some("dumb"),
    }
}

fn is_utf8(env: &dyn Fn(&str) -> Option<String>) -> bool {
    ["LC_ALL", "LC_CTYPE", "LANG"]
        .iter()
        .filter_map(|name| env(name))
        .find(|value| !value.is_empty())
        .is_some_and(|value| {
            let value = value.to_ascii_lowercase();
            value.contains("utf-8") || value.contains("utf8")
        })
}
