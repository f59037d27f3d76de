//! Password attempts: their limits, and the responses to refused attempts.

use std::time::Duration;

use axum::http::StatusCode;

use super::error::{ApiError, SOON, whole_seconds};
use super::error_code::ErrorCode;
use crate::admission::Actor;
use crate::app::{App, PasswordError};
use crate::domain::audit::{AuditAction, AuditActor};
use crate::domain::id::ObjectId;
use crate::store::Stamp;

/// Counts a password attempt for an e-mail address (known or not), for a known browser, or for the id of a person.
pub fn count_attempt(app: &App, whose: &str) -> Result<(), ApiError> {
    app.passwords.count_attempt(whose, &app.clock).map_err(too_many)
}

/// Verifies a password. [`count_attempt`] must have counted the attempt before. The count is taken back, unless the
/// password is wrong.
pub async fn accepts(
    app: &App,
    address: Actor,
    whose: &str,
    password: String,
    hash: Option<String>,
) -> Result<bool, ApiError> {
    let checked = app.passwords.accepts(address, password, hash).await;
    if !matches!(checked, Ok(false)) {
        app.passwords.take_back_attempt(whose);
    }
    checked.map_err(refused)
}

/// Hashes a new password.
pub async fn hash(app: &App, address: Actor, password: String) -> Result<String, ApiError> {
    app.passwords.hash(address, password, app.ids.salt()).await.map_err(refused)
}

/// Records in the audit log that a password was wrong, or that a disabled person came from the provider. Writes the
/// entry in a separate task. If the response waited for the disk, its delay would reveal that the e-mail address is
/// known.
pub fn note_failure(app: &App, whose: &str, person_id: ObjectId) {
    if !app.passwords.notes_failure(whose, &app.clock) {
        return;
    }
    let app = app.clone();
    tokio::spawn(async move {
        let stamp = Stamp { actor: AuditActor::default(), at: app.clock.now() };
        let entry = stamp.entry(AuditAction::PersonSignInFailed { person_id });
        if let Err(error) = app.store.add_audit_entry(entry).await {
            tracing::warn!(%error, person.id = %person_id, "could not record a failed sign-in in the audit log");
        }
    });
}

fn too_many(wait: Duration) -> ApiError {
    let seconds = whole_seconds(wait);
    ApiError::new(StatusCode::TOO_MANY_REQUESTS, ErrorCode::RateLimited, "Too many requests")
        .with_reason(format!(
            "there were too many wrong passwords for this e-mail address; try again in {seconds} s, or ask for a sign-in link"
        ))
        .again_after(Some(wait))
}

fn refused(error: PasswordError) -> ApiError {
    match error {
        PasswordError::Busy => ApiError::new(StatusCode::SERVICE_UNAVAILABLE, ErrorCode::Busy, "The service is busy")
            .with_reason(error.to_string())
            .again_after(Some(SOON)),
        PasswordError::Failed => ApiError::internal(),
    }
}
