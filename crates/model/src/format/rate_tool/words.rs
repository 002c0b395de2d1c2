//! From the words of a command line to options with their values, unread.

use crate::diagnostic::Diagnostic;
use crate::format::rate_tool::option::{self, Declaration, Setting, Takes};
use crate::format::rate_tool::tool::Tool;

/// Words on a command line: far more than anybody types, far less than would hurt.
const MOST_WORDS: usize = 10_000;

/// What was typed. Has no debug output, because it holds passwords.
#[derive(Default)]
pub(super) struct Given {
    pub(super) options: Vec<(Setting, Typed)>,
    pub(super) positional: Vec<String>,
}

/// One value as it was typed.
pub(super) struct Typed {
    pub(super) form: Form,
    pub(super) text: String,
}

/// Where a value is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    /// In the text.
    Text,
    /// In the environment variable that the text names.
    Environment,
    /// In the file that the text names.
    File,
    /// With the person at the terminal.
    Prompt,
}

impl Form {
    /// By what follows the colon of a name.
    pub(super) fn by_name(name: &str) -> Option<Self> {
        match name.to_ascii_lowercase().as_str() {
            "env" => Some(Self::Environment),
            "file" => Some(Self::File),
            "prompt" => Some(Self::Prompt),
            _ => None,
        }
    }
}

impl Given {
    pub(super) fn has(&self, key: Setting) -> bool {
        self.options.iter().any(|(given, _)| *given == key)
    }

    pub(super) fn all(&self, key: Setting) -> impl Iterator<Item = &Typed> {
        self.options.iter().filter(move |(given, _)| *given == key).map(|(_, typed)| typed)
    }
}

/// Splits a command line. Options may stand behind positional arguments; `--` ends them.
pub(super) fn split(tool: Tool, words: &[String], problems: &mut Vec<Diagnostic>) -> Given {
    let mut scan = Scan { tool, words: words.iter(), given: Given::default(), problems };
    if words.len() > MOST_WORDS {
        let message = format!("the command line has {} words, more than {MOST_WORDS}", words.len());
        scan.problem(message, "put values into a file");
        return scan.given;
    }
    while let Some(word) = scan.words.next() {
        if word == "--" {
            scan.given.positional.extend(scan.words.by_ref().cloned());
        } else if let Some(rest) = word.strip_prefix("--") {
            scan.long(rest);
        } else if let Some(rest) = word.strip_prefix('-').filter(|rest| !rest.is_empty()) {
            scan.short(rest);
        } else {
            scan.given.positional.push(word.clone());
        }
    }
    scan.given
}

struct Scan<'a> {
    tool: Tool,
    words: std::slice::Iter<'a, String>,
    given: Given,
    problems: &'a mut Vec<Diagnostic>,
}

impl Scan<'_> {
    fn problem(&mut self, message: String, help: &str) {
        self.problems.push(Diagnostic::error(None, message).help(help));
    }

    /// `name`, `name=value`, `name:file=value`.
    fn long(&mut self, word: &str) {
        let (name, attached) = match word.split_once('=') {
            Some((name, value)) => (name, Some(value)),
            None => (word, None),
        };
        let (plain, form) = match name.split_once(':') {
            Some((plain, form)) => (plain, Some(form)),
            None => (name, None),
        };
        let Some(declaration) = option::by_name(self.tool, plain) else {
            return self.unknown(plain, attached);
        };
        self.option(declaration, form, attached);
    }

    /// `c`, `c16`, `ZX`, `w:file`.
    fn short(&mut self, letters: &str) {
        let mut rest = letters;
        while let Some(letter) = rest.chars().next() {
            rest = &rest[letter.len_utf8()..];
            let Some(declaration) = option::by_letter(self.tool, letter) else {
                let message = format!("`{}` has no option `-{letter}`", self.tool.name());
                let help = format!("see `loadgen {} --help`", self.tool.name());
                return self.problem(message, &help);
            };
            if declaration.takes == Takes::Nothing {
                self.option(declaration, None, None);
                continue;
            }
            let formed = rest
                .strip_prefix(':')
                .filter(|_| declaration.takes == Takes::Password)
                .map(|rest| rest.split_once('=').map_or((rest, None), |(form, value)| (form, Some(value))));
            return match formed.filter(|(form, _)| Form::by_name(form).is_some()) {
                Some((form, attached)) => self.option(declaration, Some(form), attached),
                None => self.option(declaration, None, Some(rest).filter(|rest| !rest.is_empty())),
            };
        }
    }

    fn unknown(&mut self, name: &str, attached: Option<&str>) {
        let known = option::of(self.tool).flat_map(|declaration| declaration.names.iter().copied());
        let mut problem = Diagnostic::error(None, format!("`{}` has no option `--{name}`", self.tool.name()));
        problem = match crate::diagnostic::nearest(name, known) {
            Some(near) => {
                let takes = option::by_name(self.tool, near).map_or(Takes::Nothing, |near| near.takes);
                if takes != Takes::Nothing && attached.is_none() {
                    // Its value is no positional argument.
                    self.words.next();
                }
                problem.help(format!("did you mean `--{near}`?"))
            }
            None => problem.help(format!("see `loadgen {} --help`", self.tool.name())),
        };
        self.problems.push(problem);
    }

    fn option(&mut self, declaration: &Declaration, form: Option<&str>, attached: Option<&str>) {
        let name = declaration.name();
        let form = match (form, declaration.takes) {
            (None, Takes::PasswordFile) => Form::File,
            (None, _) => Form::Text,
            (Some(form), Takes::Password) if Form::by_name(form).is_some() => {
                Form::by_name(form).unwrap_or(Form::Text)
            }
            (Some(_), Takes::Password) => {
                let message = format!("`{name}` is followed by an unknown form");
                return self.problem(message, "write `:env`, `:file` or `:prompt` after the name");
            }
            (Some(_), _) => {
                let message = format!("`{name}` has no forms");
                return self.problem(message, "leave out the colon and what follows it");
            }
        };
        let text = match (declaration.takes, attached) {
            (Takes::Nothing, Some(_)) => {
                return self.problem(format!("`{name}` takes no value"), "leave out what follows it");
            }
            (Takes::Nothing, None) => String::new(),
            _ if form == Form::Prompt => String::new(),
            (_, Some(value)) => value.to_owned(),
            (_, None) => match self.words.next() {
                Some(value) => value.clone(),
                None => return self.problem(format!("`{name}` needs a value"), "write the value behind it"),
            },
        };
        let several = matches!(declaration.takes, Takes::Texts(_) | Takes::Nothing);
        if !several && self.given.has(declaration.key) {
            return self.problem(format!("`{name}` is given twice"), "keep one of them");
        }
        self.given.options.push((declaration.key, Typed { form, text }));
    }
}
