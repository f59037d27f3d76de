//! Loads the input of a decision: the investigation, and further data that depends on the kind of decision.

use std::future::{Ready, ready};

use super::context::ChangeContext;
use super::error::AuthoringError;
use crate::app::App;
use crate::domain::history::VersionRecord;
use crate::domain::id::ObjectId;
use crate::domain::investigation::Investigation;
use crate::domain::permission::{self, Editing, Operation};

/// The state of an investigation for which the input of a decision is loaded.
#[derive(Clone, Copy)]
pub(super) struct Current {
    pub id: ObjectId,
    pub version: u64,
    pub latest_version: u64,
}

impl Current {
    pub(super) fn of(investigation: &Investigation) -> Self {
        let Investigation { id, version, latest_version, .. } = *investigation;
        Self { id, version, latest_version }
    }
}

/// What a decision needs in addition to the investigation.
pub(super) struct Loaded<I> {
    pub input: I,
    /// Approximate size of what the decision reads in addition to the investigation.
    pub bytes: usize,
}

impl Loaded<()> {
    /// For decisions that need nothing from the store. `bytes` is the size of the input that the caller supplied.
    pub(super) fn nothing(bytes: usize) -> impl Fn(Current) -> Ready<Result<Self, AuthoringError>> {
        move |_| ready(Ok(Self { input: (), bytes }))
    }
}

/// Returns a version record that was found in the store, or else `error`.
pub(super) async fn record(
    app: &App,
    id: ObjectId,
    found: Option<VersionRecord>,
    error: AuthoringError,
) -> Result<Loaded<VersionRecord>, AuthoringError> {
    match found {
        Some(record) => Ok(Loaded { bytes: record.bytes(), input: record }),
        None => Err(missing(app, id, error).await),
    }
}

pub(super) async fn check_chat(app: &App, id: ObjectId) -> Result<(), AuthoringError> {
    match app.store.has_chat(id).await? {
        true => Ok(()),
        false => Err(missing(app, id, AuthoringError::ChatNotFound(id)).await),
    }
}

/// Returns whether the permission to change an investigation depends on its author and editors.
pub(super) fn is_checked(app: &App, context: &ChangeContext) -> bool {
    app.http.editing != Editing::Anyone && !context.caller.is_admin()
}

/// Checks that the caller may change this investigation and its links.
pub(super) async fn check_permission(app: &App, id: ObjectId, context: &ChangeContext) -> Result<(), AuthoringError> {
    if !is_checked(app, context) {
        return Ok(());
    }
    let investigation = app.store.show(id).await?.ok_or(AuthoringError::InvestigationNotFound)?;
    let ownership = Some(investigation.ownership());
    Ok(permission::decide(context.caller, Operation::Change, ownership, app.http.editing)?)
}

/// Loads an investigation in order to change it. Fails if the caller may not change the investigation, or if
/// `context.expected` does not allow its revision.
pub(super) async fn load_expected(
    app: &App,
    id: ObjectId,
    context: &ChangeContext,
) -> Result<Investigation, AuthoringError> {
    let investigation = app.store.load(id).await?.ok_or(AuthoringError::InvestigationNotFound)?;
    permission::decide(context.caller, Operation::Change, Some(investigation.ownership()), app.http.editing)?;
    if context.expected.allows(investigation.revision) {
        Ok(investigation)
    } else {
        Err(AuthoringError::Changed { revision: investigation.revision })
    }
}

/// Returns `error`, which says that some data is missing. If another copy of the service has deleted the whole
/// investigation, returns [`AuthoringError::InvestigationNotFound`] instead.
pub async fn missing(app: &App, id: ObjectId, error: AuthoringError) -> AuthoringError {
    match app.store.state(id).await {
        Ok(Some(_)) => error,
        Ok(None) => AuthoringError::InvestigationNotFound,
        Err(error) => error.into(),
    }
}
