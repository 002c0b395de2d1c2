//! The command line: parse, dispatch, exit code. Wiring only.

mod arguments;
mod commands;
mod keys;
mod outside;

use arguments::{Arguments, Color, Command};
use clap::Parser;
use commands::Failed;
use loadgen_model::format::rate_tool::Tool;
use std::ffi::OsString;
use std::process::ExitCode;

fn main() -> ExitCode {
    let words: Vec<OsString> = std::env::args_os().collect();
    if let Some((tool, words)) = commands::rate_tool::called(&words) {
        return exit(commands::rate_tool::rate_tool(tool, words, Color::Auto));
    }
    let arguments = Arguments::parse_from(arguments::rewrite(words));
    let done = match &arguments.command {
        Command::Run(run) => commands::run::run(run, arguments.color),
        Command::Check(check) => commands::check::check(check),
        Command::Modrate(tool) => commands::rate_tool::rate_tool(Tool::ModRate, &tool.words, arguments.color),
        Command::Searchrate(tool) => {
            commands::rate_tool::rate_tool(Tool::SearchRate, &tool.words, arguments.color)
        }
        Command::Authrate(tool) => {
            commands::rate_tool::rate_tool(Tool::AuthRate, &tool.words, arguments.color)
        }
        Command::Addrate(tool) => commands::rate_tool::rate_tool(Tool::AddRate, &tool.words, arguments.color),
        Command::Doctor(doctor) => commands::doctor::doctor(doctor, arguments.color),
        Command::Schema(schema) => commands::schema::schema(schema),
        Command::Selftest(selftest) => commands::selftest::selftest(selftest),
        Command::Target(target) => commands::target::target(target),
        Command::Help(help) => commands::help::help(help),
    };
    exit(done)
}

fn exit(done: Result<u8, Failed>) -> ExitCode {
    match done {
        Ok(code) => ExitCode::from(code),
        Err(error) => commands::fail(&error),
    }
}
