//! Checks a profile service by looking up an unknown user.

use tokio::time::timeout;

use super::client::{Client, ProfilesById, Wanted};
use super::error::{ProfileError, ProfileErrorKind};
use super::settings::ProfilesSettings;
use crate::clock::Clock;
use crate::domain::id::ObjectId;

/// An id that no user has.
const UNUSED_ID: &str = "000000000000000000000000";

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Diagnosis {
    Answers,
    /// The service works, but rejects callers without a token, or lookups of an unknown user.
    Refuses,
    /// The service cannot be used. The text is the reason.
    Fails(String),
}

pub async fn diagnose(settings: &ProfilesSettings, clock: Clock) -> Diagnosis {
    let ProfilesSettings { address, deadline, keep: _ } = settings;
    let client = match Client::new(address, *deadline, clock) {
        Ok(client) => client,
        Err(error) => return Diagnosis::Fails(error.to_string()),
    };
    let nobody: Vec<ObjectId> = UNUSED_ID.parse().into_iter().collect();
    let mut found = ProfilesById::new();
    let wanted = Wanted { bearer: None, users: &nobody };
    match timeout(*deadline, client.ask(wanted, &mut found)).await.unwrap_or_else(|_| Err(ProfileError::timed_out())) {
        Ok(()) => Diagnosis::Answers,
        Err(error) if error.kind == ProfileErrorKind::Refused => Diagnosis::Refuses,
        Err(error) => Diagnosis::Fails(error.words()),
    }
}
