//! Asks a profile service once, of nobody in particular and for nobody: whether it answers at all.

use tokio::time::timeout;

use super::failure::Failure;
use super::{Client, Found, ProfilesSettings};
use crate::clock::Clock;
use crate::domain::id::ObjectId;

/// Nobody has this identifier.
const NOBODY: &str = "000000000000000000000000";

/// What a profile service does with a question.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Diagnosis {
    /// It answers.
    Answers,
    /// It answers that it does not tell this to somebody without a token, or not of this user: it is well.
    Refuses,
    /// It is of no use, in a few words.
    Fails(String),
}

/// Makes one lookup.
pub async fn diagnose(settings: &ProfilesSettings, clock: Clock) -> Diagnosis {
    let ProfilesSettings { address, deadline, keep: _ } = settings;
    let client = match Client::new(address, *deadline, clock) {
        Ok(client) => client,
        Err(unusable) => return Diagnosis::Fails(unusable.to_string()),
    };
    let nobody: Vec<ObjectId> = NOBODY.parse().into_iter().collect();
    let mut found = Found::new();
    match timeout(*deadline, client.ask(None, &nobody, &mut found)).await.unwrap_or_else(|_| Err(Failure::timed_out()))
    {
        Ok(()) => Diagnosis::Answers,
        Err(failure) if failure.is_refusal() => Diagnosis::Refuses,
        Err(failure) => Diagnosis::Fails(failure.words()),
    }
}
