//! The help, the list of settings, the manual pages and the completions of the program.

use std::process::Command;

use fieldbook::settings::{SETTINGS, flag, variable};

use super::text;

fn said(arguments: &[&str]) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_fieldbook")).args(arguments).output().expect("run");
    assert!(output.status.success(), "{}", text(&output.stderr));
    text(&output.stdout)
}

#[test]
fn command_help_shows_its_own_flags_and_refers_to_the_settings() {
    insta::assert_snapshot!(said(&["token", "--help"]), @"
    Prints a valid token for this service

    Usage: fieldbook token [OPTIONS] --user <ID>

    Options:
          --user <ID>      The user: 24 hexadecimal digits
          --role <NAME>    The highest role that the bearer can have; without it, auth.default-role [possible values: admin, author, reader]
          --ttl <TIME>     How long it is valid: 30s, 15m, 12h, 7d [default: 12h]
          --config <FILE>  A settings file (TOML)
      -h, --help           Print help

    Every setting is a flag, too: fieldbook --help-settings
    ");
    let serve = said(&["serve", "--help"]);
    assert!(serve.contains("fieldbook --help-settings") && serve.lines().count() < 15, "{serve}");
}

#[test]
fn settings_help_lists_every_flag_and_variable_once() {
    let help = said(&["--help-settings"]);
    for (name, meaning) in SETTINGS {
        let line = format!("--{} <VALUE>", flag(name));
        assert!(help.contains(&line) || help.contains(&format!("--{}[=<VALUE>]", flag(name))), "{name}\n{help}");
        assert!(help.contains(&format!("{meaning} [{}]", variable(name))), "{name}\n{help}");
    }
    assert_eq!(help.matches("[FIELDBOOK_").count(), SETTINGS.len(), "{help}");
}

#[test]
fn manual_has_a_page_of_all_settings_and_one_per_command() {
    let folder = tempfile::tempdir().expect("a folder");
    said(&["man", folder.path().to_str().expect("UTF-8")]);
    let page = |name: &str| std::fs::read_to_string(folder.path().join(name)).expect("a page");
    let commands = page("fieldbook.1");
    assert!(commands.contains(".TH fieldbook 1"), "{commands}");
    for (name, _) in SETTINGS {
        assert!(commands.contains(&variable(name)), "{name}\n{commands}");
    }
    assert!(commands.contains("fieldbook\\-healthcheck(1)") && !commands.contains("completions"), "{commands}");
    let token = page("fieldbook-token.1");
    assert!(token.contains("24 hexadecimal digits") && !token.contains("FIELDBOOK_LISTEN"), "{token}");
}

#[test]
fn completions_command_supports_each_shell() {
    for (shell, start) in [("bash", "_fieldbook()"), ("zsh", "#compdef fieldbook"), ("fish", "complete -c fieldbook")] {
        let completions = said(&["completions", shell]);
        assert!(completions.contains(start) && completions.contains("healthcheck"), "{shell}");
    }
}
