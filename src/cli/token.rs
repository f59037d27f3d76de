//! `fieldbook token`: signs a token with the secret of the service.

use std::time::Duration;

use clap::{Arg, ArgMatches, Command};

use super::argument::text;
use super::{audit, parts, role};
use crate::clock::Clock;
use crate::domain::audit::AuditAction;
use crate::domain::id::ObjectId;
use crate::domain::permission::Role;
use crate::domain::time::Timestamp;
use crate::settings::{Auth, Settings};
use crate::store::sqlite::FILE;
use crate::store::{Backend, Store};
use crate::tokens::SECRET_FILE;

pub fn command() -> Command {
    let user = Arg::new("user").long("user").value_name("ID").required(true);
    let user = user.help("The user: 24 hexadecimal digits");
    let ttl = Arg::new("ttl")
        .long("ttl")
        .value_name("TIME")
        .default_value("12h")
        .help("How long it is valid: 30s, 15m, 12h, 7d");
    let role = Arg::new("role").long("role").value_name("NAME").value_parser(["admin", "author", "reader"]);
    let role = role.help("The highest role that the bearer can have; without it, auth.default-role");
    Command::new("token").about("Prints a valid token for this service").args([user, role, ttl])
}

pub fn run(settings: &Settings, matches: &ArgMatches) -> Result<(), String> {
    let user = text(matches, "user");
    let user = user.parse().map_err(|_| format!("--user cannot be \"{user}\"; give 24 hexadecimal digits"))?;
    let ttl = text(matches, "ttl");
    let ttl =
        duration(ttl).ok_or_else(|| format!("--ttl cannot be \"{ttl}\"; give a time such as 30s, 15m, 12h or 7d"))?;
    let clock = Clock::system();
    let role = matches.get_one::<String>("role").and_then(|role| role.parse::<Role>().ok());
    warn_of_second_secret(settings);
    let now = clock.now();
    let token = parts::tokens(settings, clock)?.sign(user, role, now, ttl)?;
    note_token(settings, user, role, now.later_by(ttl))?;
    say!("{token}")
}

/// Adds the token to the audit log before the token is printed, and tells the operator if its role is limited. Before
/// the first start of the service, a data folder has no audit log, so nothing is added. In a PostgreSQL database
/// without tables, creates the tables first.
fn note_token(settings: &Settings, user: ObjectId, role: Option<Role>, expires_at: Timestamp) -> Result<(), String> {
    let is_embedded = match &settings.store.backend {
        Backend::Embedded(folder) if !Store::is_embedded_in(folder) => return Ok(()),
        Backend::Embedded(_) => true,
        Backend::Postgres { .. } => false,
    };
    parts::runtime()?.block_on(async {
        let store = if is_embedded { parts::open_store(settings).await? } else { parts::make_store(settings).await? };
        let noted = audit::note(&store, AuditAction::TokenMade { user, role, expires_at }).await;
        if let Some(role) = role {
            role::note_limit(&store, settings, "token", user, role).await;
        }
        store.close().await;
        noted
    })
}

/// Warns if the data folder has a store but no secret. In that case, the service that uses the store has its secret
/// elsewhere, and refuses a token that is signed with a new secret.
fn warn_of_second_secret(settings: &Settings) {
    let folder = &settings.data;
    if matches!(settings.auth, Auth::OwnSecret) && folder.join(FILE).exists() && !folder.join(SECRET_FILE).exists() {
        note!(
            "{} has a store but no token secret, so a new one is created; if the service uses another secret, it refuses \
             this token: give that secret with --auth-hs256-secret-file",
            folder.display()
        );
    }
}

/// Parses a whole number with a unit (`s`, `m`, `h` or `d`). Returns `None` if the text is invalid or the duration is
/// zero.
fn duration(text: &str) -> Option<Duration> {
    let (number, unit) = text.split_at_checked(text.len().checked_sub(1)?)?;
    let seconds = match unit {
        "s" => 1,
        "m" => 60,
        "h" => 60 * 60,
        "d" => 24 * 60 * 60,
        _ => return None,
    };
    number.parse::<u64>().ok()?.checked_mul(seconds).filter(|total| *total > 0).map(Duration::from_secs)
}

#[cfg(test)]
#[path = "../../tests/unit/cli/token.rs"]
mod tests;
