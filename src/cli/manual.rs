//! Prints the help of all settings, prints shell completions, and writes the manual pages.

use std::path::PathBuf;

use clap::{Arg, ArgMatches, Command, value_parser};
use clap_complete::Shell;

use crate::private_file;

/// Returns the hidden commands `completions` and `man`. The scripts that build packages run them.
pub fn commands() -> [Command; 2] {
    let shell = Arg::new("shell").value_name("SHELL").required(true).value_parser(value_parser!(Shell));
    let folder = Arg::new("folder").value_name("FOLDER").required(true).value_parser(value_parser!(PathBuf));
    [
        Command::new("completions").about("Prints completions for a shell").arg(shell).hide(true),
        Command::new("man").about("Writes the manual pages of all commands into a folder").arg(folder).hide(true),
    ]
}

pub fn settings() -> String {
    let command = Command::new("fieldbook").disable_help_flag(true).help_template("{all-args}");
    command.args(super::flags::settings()).render_help().to_string()
}

/// Writes manual pages if `matches` names a folder, and prints completions otherwise.
pub fn run(mut program: Command, matches: &ArgMatches) -> Result<(), String> {
    if let Ok(Some(folder)) = matches.try_get_one::<PathBuf>("folder") {
        let program = program.args(super::flags::settings()).override_usage("fieldbook COMMAND [SETTINGS]");
        return clap_mangen::generate_to(program, folder)
            .map_err(|e| private_file::failed("write the manual to", folder, &e));
    }
    if let Some(shell) = matches.get_one::<Shell>("shell") {
        let mut text = Vec::new();
        clap_complete::generate(*shell, &mut program, "fieldbook", &mut text);
        return super::output::lines(&String::from_utf8_lossy(&text));
    }
    Ok(())
}
