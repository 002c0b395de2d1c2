//! The help text of a tool, from the declarations of its options.

use crate::format::rate_tool::option::{self, Declaration, Heading, Takes};
use crate::format::rate_tool::tool::Tool;

/// Columns of a line.
const WIDTH: usize = 79;
/// Blanks before what an option does.
const INDENT: usize = 6;

const HEADINGS: [(Heading, &str); 5] = [
    (Heading::Command, "Command options"),
    (Heading::Connection, "LDAP connection options"),
    (Heading::InputOutput, "Input and output options"),
    (Heading::General, "General options"),
    (Heading::Older, "Options of other versions"),
];

/// The help text, ending with a line break.
pub fn help(tool: Tool) -> String {
    let mut text = format!("Usage: loadgen {} [OPTIONS] {}\n\n", tool.name(), tool.positional());
    push_wrapped(&mut text, purpose(tool), 0);
    text.push_str("\nExample:\n");
    for line in example(tool) {
        text.push_str(&format!("  {line}\n"));
    }
    for (heading, title) in HEADINGS {
        text.push_str(&format!("\n{title}:\n"));
        for declaration in option::of(tool).filter(|declaration| declaration.heading == heading) {
            text.push_str(&format!("  {}\n", names(declaration)));
            push_wrapped(&mut text, declaration.text, INDENT);
        }
    }
    text.push_str("\nExit codes: 0 done, 80 a template file cannot be read, 81 connection broken,\n85 no answer, 89 wrong usage, 91 no connection, 130 stopped by hand; else the\nresult code with which the server refused the bind or every operation.\n");
    text
}

fn names(declaration: &Declaration) -> String {
    let short = declaration.short.map_or_else(|| "    ".to_owned(), |letter| format!("-{letter}, "));
    let long: Vec<String> = declaration.names.iter().map(|name| format!("--{name}")).collect();
    let value = match declaration.takes {
        Takes::Nothing => String::new(),
        Takes::Text(name) | Takes::Texts(name) => format!(" {name}"),
        Takes::Password => "[:env|:file|:prompt] PASSWORD".to_owned(),
        Takes::PasswordFile => " FILE".to_owned(),
    };
    let mut line = format!("{short}{}", long[0]);
    line.push_str(&value);
    for other in &long[1..] {
        line.push_str(&format!("\n      {other}{value}"));
    }
    line
}

fn purpose(tool: Tool) -> &'static str {
    match tool {
        Tool::ModRate => "Measures how many modifications a second a directory does, and how long they take.",
        Tool::SearchRate => "Measures how many searches a second a directory does, and how long they take.",
        Tool::AuthRate => {
            "Measures how many binds a second a directory does, and how long they take. With a base and a filter \
             a search comes first, and the name that it finds becomes the last argument of the templates."
        }
        Tool::AddRate => {
            "Measures how many entries a second a directory adds, and deletes again, and how long that takes. \
             The entries are made from a template file of makeldif."
        }
    }
}

fn example(tool: Tool) -> &'static [&'static str] {
    match tool {
        Tool::ModRate => &[
            "loadgen modrate -p 1389 -D cn=admin -w:env PASSWORD -F -c 4 -t 4 \\",
            "  -b 'uid=user.{1},ou=people,dc=example,dc=com' \\",
            "  -g 'rand(0,1999)' -g 'randstr(16)' 'description:{2}'",
        ],
        Tool::SearchRate => &[
            "loadgen searchrate -p 1389 -F -c 4 -t 4 -b dc=example,dc=com \\",
            "  -g 'rand(0,1999)' '(uid=user.{})'",
        ],
        Tool::AuthRate => &[
            "loadgen authrate -p 1389 -f -c 10 -w:env PASSWORD \\",
            "  -D 'uid=user.{},ou=people,dc=example,dc=com' -g 'rand(0,1999)'",
        ],
        Tool::AddRate => &[
            "loadgen addrate -p 1389 -D cn=admin -w:env PASSWORD -f -c 10 \\",
            "  -C fifo -s 10000 addrate.template",
        ],
    }
}

fn push_wrapped(text: &mut String, words: &str, indent: usize) {
    let mut column = 0;
    for word in words.split(' ') {
        if column > 0 && column + 1 + word.len() > WIDTH {
            text.push('\n');
            column = 0;
        }
        if column == 0 {
            text.push_str(&" ".repeat(indent));
            column = indent;
        } else {
            text.push(' ');
            column += 1;
        }
        text.push_str(word);
        column += word.len();
    }
    text.push('\n');
}
