//! `fieldbook migrate`: upgrades the store to the version of this program. Operators need this command if they use
//! `--no-migrate`.

use clap::Command;

use super::parts;
use crate::settings::Settings;
use crate::store::{Store, StoreLocation};

pub fn command() -> Command {
    Command::new("migrate").about("Migrates the store, as a start without --no-migrate does")
}

pub fn run(settings: &Settings) -> Result<(), String> {
    let place = StoreLocation { migrate: true, ..settings.store.clone() };
    parts::runtime()?.block_on(async {
        let store = Store::open(place).await.map_err(|e| e.to_string())?;
        store.close().await;
        say!("the store is up to date")
    })
}
