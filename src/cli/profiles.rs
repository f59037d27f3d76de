//! `fieldbook profiles`: runs a simple profile service, for operators who do not have one.

use std::path::PathBuf;

use clap::{Arg, ArgMatches, Command};

use super::serve::{announce, log_to_stderr, stop_signal};
use crate::profiles::reference::{People, Reference};
use crate::settings::Settings;

pub fn command() -> Command {
    let file = Arg::new("file").long("file").value_name("FILE").required(true);
    let file = file.help("The people: a JSON array of { id, name, email, avatar }; read again after a change");
    let listen = Arg::new("listen").long("listen").value_name("ADDR").default_value("127.0.0.1:8081");
    let listen = listen.help("Listening address: IP address and port. Every caller gets an answer");
    Command::new("profiles").about("Runs a profile service over a file, until SIGTERM or SIGINT").args([file, listen])
}

pub fn run(settings: &Settings, matches: &ArgMatches) -> Result<(), String> {
    log_to_stderr(settings);
    let file = matches.get_one::<String>("file").map(PathBuf::from).unwrap_or_default();
    let people = People::read(file)?;
    super::runtime()?.block_on(async {
        let stop = stop_signal()?;
        let reference = Reference::bind(settings.listen)?;
        announce(&format!("listening on http://{}", reference.address()));
        reference.serve(people, stop).await
    })
}
