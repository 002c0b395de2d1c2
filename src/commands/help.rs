//! `loadgen help`: commands and topics.

use super::{Failed, print};
use crate::arguments::{Arguments, Help};
use clap::CommandFactory;
use loadgen_model::format::rate_tool::{self, Tool};
use loadgen_model::verdict::{EXIT_CODES, USAGE};

/// Explains a command or a topic.
pub(crate) fn help(help: &Help) -> Result<u8, Failed> {
    let mut command = Arguments::command();
    command.build();
    let text = match help.topic.as_deref() {
        None => command.render_long_help().to_string(),
        Some("exit-codes") => exit_codes(),
        Some(topic) => match (tool(topic), command.find_subcommand_mut(topic)) {
            // Its words are no business of the parser of all other commands.
            (Some(tool), _) => rate_tool::help(tool),
            (None, Some(command)) => command.render_long_help().to_string(),
            (None, None) => {
                let known = "run, check, modrate, searchrate, authrate, addrate, doctor, schema, selftest, target, \
                             exit-codes";
                return Err(Failed::new(
                    USAGE,
                    format!("there is no help on `{topic}`; there is on {known}"),
                ));
            }
        },
    };
    print(&text)?;
    Ok(0)
}

fn tool(name: &str) -> Option<Tool> {
    Tool::ALL.into_iter().find(|tool| tool.name() == name)
}

fn exit_codes() -> String {
    let mut text = "Exit codes\n\n".to_owned();
    for (code, meaning) in EXIT_CODES {
        text.push_str(&format!("  {code:>3}  {meaning}\n"));
    }
    text.push_str(
        "\nWhen several apply, the first of 100, 112, 105, 111, 101, 99 is returned: what voids the figures\n\
         comes before what they say.\n\n\
         modrate, searchrate, authrate and addrate have codes of their own, as the tools of DS and OpenDJ:\n\
         `loadgen help modrate` has them.\n",
    );
    text
}
