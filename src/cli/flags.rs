//! Settings as flags: every command takes all of them.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::{Arg, ArgMatches, Command};

use crate::settings::{self, SETTINGS, Settings};

/// Settings that are true or false. A flag without a value means true.
const SWITCHES: [&str; 3] = ["no-migrate", "log.requests", "auth.passwords"];

/// Joins the flag of a setting in [`SWITCHES`] with the next word if that word is `true` or `false`. Any other word is
/// an argument of the command.
pub fn joined(words: impl Iterator<Item = OsString>) -> Vec<OsString> {
    let flags = SWITCHES.map(|name| format!("--{}", settings::flag(name)));
    words.fold(Vec::new(), |mut joined, word| {
        match joined.last_mut() {
            Some(flag) if (word == "true" || word == "false") && flags.iter().any(|known| flag == known.as_str()) => {
                flag.push("=");
                flag.push(word);
            }
            _ => joined.push(word),
        }
        joined
    })
}

pub fn settings() -> impl Iterator<Item = Arg> {
    SETTINGS.into_iter().map(|(name, help)| {
        let flag = Arg::new(name)
            .long(settings::flag(name))
            .value_name("VALUE")
            .help(format!("{help} [{}]", settings::variable(name)))
            .help_heading("Settings");
        if SWITCHES.contains(&name) {
            flag.num_args(0..=1).require_equals(true).default_missing_value("true")
        } else {
            flag
        }
    })
}

pub fn with_settings(command: Command) -> Command {
    if command.has_subcommands() {
        return command.mut_subcommands(with_settings);
    }
    let config = Arg::new("config").long("config").value_name("FILE").help("A settings file (TOML)");
    // If a command has a flag with the same name as a setting, only the command's flag is offered.
    let own: Vec<_> = command.get_arguments().map(|argument| argument.get_id().to_string()).collect();
    let settings = settings().filter(|flag| !own.iter().any(|id| id == flag.get_id().as_str()));
    let settings = settings.map(|flag| flag.hide(true));
    command.arg(config).args(settings).after_help("Every setting is a flag, too: fieldbook --help-settings")
}

pub fn gather(matches: &ArgMatches) -> Result<Settings, String> {
    let flags = |name: &str| matches.get_one::<String>(name).cloned();
    let variables = |name: &str| std::env::var(settings::variable(name)).ok();
    let file = matches.get_one::<String>("config").map(PathBuf::from);
    Settings::gather(flags, variables, file.as_deref()).map_err(|e| e.to_string())
}
