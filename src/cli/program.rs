//! The program: finds the command in the arguments, and runs it.

use std::process::ExitCode;

use clap::{Arg, ArgAction, Command};

use super::flags::{gather, joined, with_settings};
use super::{
    audit, backup, demo, doctor, eval, export, healthcheck, import, keys, manual, migrate, output, person, restore,
    serve, token,
};

pub fn main() -> ExitCode {
    let matches = command().get_matches_from(joined(std::env::args_os()));
    let Some((name, matches)) = matches.subcommand() else {
        return ended(output::lines(&manual::settings()));
    };
    if ["completions", "man"].contains(&name) {
        return ended(manual::run(command(), matches));
    }
    // For a command with subcommands, the settings follow the name of the subcommand.
    let (inner, given) = matches.subcommand().unwrap_or((name, matches));
    let settings = gather(given);
    // Invalid settings are one of the doctor's findings, not an error.
    if name == "doctor" {
        return ended(doctor::run(settings, matches));
    }
    // An incomplete export or import has a different exit code.
    if let "export" | "import" = name {
        let run = if name == "export" { export::run } else { import::run };
        return match settings.and_then(|settings| run(&settings, matches)) {
            Ok(true) => ExitCode::SUCCESS,
            Ok(false) => ExitCode::from(2),
            Err(reason) => ended(Err(reason)),
        };
    }
    ended(settings.and_then(|settings| match name {
        "serve" => serve::run(&settings),
        "healthcheck" => healthcheck::run(&settings),
        "token" => token::run(&settings, matches),
        "demo" => demo::run(&settings),
        "eval" => eval::run(&settings, matches),
        "audit" => audit::run(&settings),
        "backup" => backup::run(&settings, matches),
        "restore" => restore::run(&settings, matches),
        "keys" => keys::run(&settings, inner, given),
        "person" => person::run(&settings, inner, given),
        "migrate" => migrate::run(&settings),
        other => Err(format!("the command {other} does not exist")),
    }))
}

fn ended(outcome: Result<(), String>) -> ExitCode {
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(reason) => {
            note!("fieldbook: {reason}");
            ExitCode::FAILURE
        }
    }
}

fn command() -> Command {
    let commands = [
        serve::command(),
        token::command(),
        demo::command(),
        doctor::command(),
        healthcheck::command(),
        eval::command(),
        audit::command(),
        backup::command(),
        restore::command(),
        export::command(),
        import::command(),
        keys::command(),
        person::command(),
        migrate::command(),
    ];
    Command::new("fieldbook")
        .about("A service for authoring science investigations")
        .version(env!("CARGO_PKG_VERSION"))
        .arg_required_else_help(true)
        .arg(Arg::new("help-settings").long("help-settings").action(ArgAction::SetTrue).help("Print all settings"))
        .subcommands(commands.map(with_settings))
        .subcommands(manual::commands())
}
