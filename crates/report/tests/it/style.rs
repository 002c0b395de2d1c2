//! Colour, symbols and width as the environment asks for them.

use loadgen_report::{ColorChoice, Style};

type Env<'a> = &'a [(&'a str, &'a str)];

fn detect(choice: ColorChoice, env: Env, is_terminal: bool) -> Style {
    let env = |name: &str| env.iter().find(|(known, _)| *known == name).map(|(_, value)| (*value).to_owned());
    Style::detect(choice, &env, is_terminal)
}

#[test]
fn colour_is_decided_in_order() {
    use ColorChoice::{Always, Auto, Never};
    let cases: [(ColorChoice, Env, bool, bool); 14] = [
        (Always, &[("NO_COLOR", "1")], false, true),
        (Never, &[("FORCE_COLOR", "1")], true, false),
        (Auto, &[("NO_COLOR", "1"), ("FORCE_COLOR", "1")], true, false),
        (Auto, &[("NO_COLOR", "")], true, true),
        (Auto, &[("FORCE_COLOR", "1"), ("CLICOLOR", "0")], false, true),
        (Auto, &[("CLICOLOR_FORCE", "1"), ("TERM", "dumb")], false, true),
        (Auto, &[("CLICOLOR_FORCE", "0")], false, false),
        (Auto, &[("FORCE_COLOR", "")], false, false),
        (Auto, &[("CLICOLOR", "0")], true, false),
        (Auto, &[("CLICOLOR", "1")], true, true),
        (Auto, &[("TERM", "dumb")], true, false),
        (Auto, &[("TERM", "xterm-256color")], true, true),
        (Auto, &[("TERM", "xterm-256color")], false, false),
        (Auto, &[], true, true),
    ];
    for (choice, env, is_terminal, color) in cases {
        assert_eq!(detect(choice, env, is_terminal).color, color, "{choice:?} {env:?} {is_terminal}");
    }
}

#[test]
fn symbols_need_a_utf_8_locale() {
    let cases: [(Env, bool); 6] = [
        (&[("LANG", "en_GB.UTF-8")], true),
        (&[("LANG", "C.utf8")], true),
        (&[("LC_ALL", "C"), ("LANG", "en_GB.UTF-8")], false),
        (&[("LC_ALL", ""), ("LC_CTYPE", "de_DE.UTF-8"), ("LANG", "C")], true),
        (&[("LANG", "en_GB.ISO-8859-1")], false),
        (&[], false),
    ];
    for (env, unicode) in cases {
        assert_eq!(detect(ColorChoice::Auto, env, false).unicode, unicode, "{env:?}");
    }
}

#[test]
fn the_width_is_what_columns_says() {
    assert_eq!(detect(ColorChoice::Auto, &[("COLUMNS", "132")], true).width, 132);
    assert_eq!(detect(ColorChoice::Auto, &[("COLUMNS", "wide")], true).width, Style::DEFAULT_WIDTH);
    assert_eq!(detect(ColorChoice::Auto, &[("COLUMNS", "0")], true).width, Style::DEFAULT_WIDTH);
}
