//! The command line: parse, dispatch, exit code. Wiring only.

mod arguments;
mod commands;
mod keys;
mod outside;

use arguments::{Arguments, Command};
use clap::Parser;
use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments = Arguments::parse_from(arguments::rewrite(std::env::args_os().collect()));
    let done = match &arguments.command {
        Command::Run(run) => commands::run::run(run, arguments.color),
        Command::Check(check) => commands::check::check(check),
        Command::Doctor(doctor) => commands::doctor::doctor(doctor, arguments.color),
        Command::Schema(schema) => commands::schema::schema(schema),
        Command::Selftest(selftest) => commands::selftest::selftest(selftest),
        Command::Target(target) => commands::target::target(target),
        Command::Help(help) => commands::help::help(help),
    };
    match done {
        Ok(code) => ExitCode::from(code),
        Err(error) => commands::fail(&error),
    }
}
