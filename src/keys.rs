//! Keys of a terminal that change a run while it goes.

use loadgen_engine::{Control, Controls};
use rustix::process::getpgrp;
use rustix::termios::{
    LocalModes, OptionalActions, SpecialCodeIndex, Termios, isatty, tcgetattr, tcgetpgrp, tcsetattr,
};
use std::io::{Read, stdin};

/// What the keys are, for people.
pub(crate) const HELP: &str = "keys: p pauses and resumes, + and - change the load by a tenth, q stops";

/// A terminal whose keys are read as they are typed, until this is dropped.
pub(crate) struct Keys {
    before: Termios,
}

impl Keys {
    /// Reads keys and turns them into wishes; none where nobody types.
    pub(crate) fn read(controls: Controls) -> Option<Self> {
        let input = stdin();
        // A job in the background that changed the terminal would be stopped by the system.
        let in_front = isatty(&input) && tcgetpgrp(&input).is_ok_and(|front| front == getpgrp());
        if !in_front {
            return None;
        }
        let before = tcgetattr(&input).ok()?;
        let mut keys = before.clone();
        // Line by line and with an echo is for text; Ctrl-C stays what it is.
        keys.local_modes.remove(LocalModes::ICANON | LocalModes::ECHO);
        keys.special_codes[SpecialCodeIndex::VMIN] = 1;
        keys.special_codes[SpecialCodeIndex::VTIME] = 0;
        tcsetattr(&input, OptionalActions::Now, &keys).ok()?;
        std::thread::spawn(move || {
            let controls = controls;
            for key in stdin().lock().bytes().map_while(Result::ok) {
                if wish(key).is_some_and(|control| !controls.ask(control)) {
                    return;
                }
            }
        });
        Some(Self { before })
    }
}

impl Drop for Keys {
    fn drop(&mut self) {
        // A terminal that went away needs nothing.
        let _ = tcsetattr(stdin(), OptionalActions::Now, &self.before);
    }
}

/// What a key asks for.
fn wish(key: u8) -> Option<Control> {
    match key {
        b'p' | b' ' => Some(Control::PauseOrResume),
        b'+' | b'=' => Some(Control::More),
        b'-' => Some(Control::Less),
        b'q' => Some(Control::Stop),
        _ => None,
    }
}
