//! `fieldbook keys`: adds, lists and revokes API keys.

use clap::{Arg, ArgMatches, Command};

use super::argument::text;
use super::role;
use super::with_store::with_store;
use crate::app::{KEYS_MAX_AGE, RECHECK};
use crate::clock::Clock;
use crate::domain::api_key::{self, ApiKey, KeyText};
use crate::domain::id::ObjectId;
use crate::domain::permission::Role;
use crate::domain::time::Timestamp;
use crate::ids::{Ids, random_bytes};
use crate::settings::Settings;
use crate::store::{Store, StoreError};

const LONG_ABOUT: &str = "API keys are bearer tokens for programs. They do not expire; revoke them. Only a digest of each \
key is stored, so a key is shown once. The service may be running.";

pub fn command() -> Command {
    let name = Arg::new("name").value_name("NAME").required(true).help("What the key is for");
    let user = Arg::new("user").long("user").value_name("ID");
    let user = user.help("User that the key acts as: 24 hexadecimal digits; by default a new user");
    let role = Arg::new("role").long("role").value_name("NAME").value_parser(["admin", "author", "reader"]);
    let role = role.default_value("author").help("The highest role that its bearer can have");
    let id = Arg::new("id").value_name("ID").required(true).help("The id of the key, from fieldbook keys list");
    let commands = [
        Command::new("add").about("Adds a key and prints it, once").args([name, user, role]),
        Command::new("list").about("Lists the keys with their last use"),
        Command::new("revoke").about("Revokes a key permanently, in all copies of the service").arg(id),
    ];
    Command::new("keys")
        .about("Adds, lists and revokes API keys of programs")
        .long_about(LONG_ABOUT)
        .subcommand_required(true)
        .arg_required_else_help(true)
        .subcommands(commands)
}

pub fn run(settings: &Settings, command: &str, matches: &ArgMatches) -> Result<(), String> {
    with_store(settings, async |store| match command {
        "add" => add(store, settings, matches).await,
        "list" => list(store).await,
        _ => revoke(store, matches).await,
    })
}

async fn add(store: &Store, settings: &Settings, matches: &ArgMatches) -> Result<(), String> {
    let name = text(matches, "name");
    if let Some(fault) = api_key::name_fault(name) {
        return Err(format!("the name of the key {fault}"));
    }
    let ids = Ids::random();
    let now = Clock::system().now();
    let user = match matches.get_one::<String>("user") {
        Some(user) => user.parse().map_err(|_| format!("--user cannot be \"{user}\"; give 24 hexadecimal digits"))?,
        None => ids.object_id(now),
    };
    let text = KeyText::new(ids.object_id(now), &random_bytes());
    let role = matches.get_one::<String>("role").and_then(|role| role.parse::<Role>().ok()).unwrap_or_default();
    let key = ApiKey {
        id: text.id().unwrap_or_else(|| ids.object_id(now)),
        name: name.to_owned(),
        user,
        role,
        digest: text.digest(),
        created_at: now,
        last_used_at: None,
        revoked_at: None,
    };
    let id = key.id;
    // Prints the key before it is stored. Otherwise, if printing failed, a key that nobody knows would stay valid.
    say!("{}", text.expose())?;
    store.add_api_key(key).await.map_err(|error| add_error(id, &error))?;
    note!("added the key {id} of the user {user}; it is not shown again");
    role::note_limit(store, settings, "key", user, role).await;
    Ok(())
}

/// Returns a sentence that says whether the key `id`, which was already shown, may exist after this error.
fn add_error(id: ObjectId, error: &StoreError) -> String {
    match error {
        StoreError::Unanswered(_) => {
            format!(
                "the key above may have been added: {error}; if you do not want it, run: fieldbook keys revoke {id}"
            )
        }
        _ => format!("the key above was not added: {error}"),
    }
}

async fn list(store: &Store) -> Result<(), String> {
    let shown = |at: Option<Timestamp>| at.map_or_else(|| "-".to_owned(), |at| at.to_string());
    say!("ID\tUSER\tROLE\tCREATED\tLAST USED\tREVOKED\tNAME")?;
    for ApiKey { id, name, user, role, created_at, last_used_at, revoked_at, .. } in
        store.api_keys().await.map_err(|e| e.to_string())?
    {
        let used = shown(last_used_at);
        let revoked = shown(revoked_at);
        say!("{id}\t{user}\t{role}\t{created_at}\t{used}\t{revoked}\t{name}")?;
    }
    Ok(())
}

async fn revoke(store: &Store, matches: &ArgMatches) -> Result<(), String> {
    let given = text(matches, "id");
    let wrong = |reason: &str| format!("{given} {reason}; see fieldbook keys list");
    let id: ObjectId = given.parse().map_err(|_| wrong("is not the id of a key"))?;
    if !store.revoke_api_key(id, Clock::system().now()).await.map_err(|e| e.to_string())? {
        return Err(wrong("is not a key of this store"));
    }
    // Copies of the service that have just read the keys accept this key until they read the keys again.
    Clock::system().sleep(KEYS_MAX_AGE).await;
    let end = RECHECK.as_secs();
    note!("revoked the key {id}; within {end} seconds, no copy of the service accepts it, and its open streams end");
    Ok(())
}

#[cfg(test)]
#[path = "../../tests/unit/cli/keys.rs"]
mod tests;
