//! Loads the input of a decision: the investigation, and further data that depends on the kind of decision.

use super::{ChangeContext, Failure};
use crate::app::App;
use crate::domain::change::Change;
use crate::domain::content::{self, Content};
use crate::domain::history::VersionRecord;
use crate::domain::id::ObjectId;
use crate::domain::investigation::Investigation;
use crate::domain::permission::{self, Editing, Operation};
use crate::limits::Actor;

/// Loader of the data that a decision needs in addition to the investigation.
pub(super) trait Load {
    type Input;

    /// Loads the data for the current state of an investigation.
    async fn load(&self, app: &App, before: &Investigation) -> Result<Self::Input, Failure>;

    /// Returns the approximate size of the data, in bytes.
    fn bytes(_: &Self::Input) -> usize {
        0
    }
}

pub(super) struct Nothing;

pub(super) struct CurrentRecord;

/// Loads the version record with this number.
pub(super) struct Record(pub u64);

/// Loads the version record to redo: the newest one whose parent is the current version.
pub(super) struct NewestChild;

/// Loads the content at a version, with a permit for expensive reads.
pub(super) struct ContentAt(pub u64, pub Actor);

/// Loads no additional data, but checks that the investigation has a chat.
pub(super) struct Chat;

pub(super) struct UndoInput {
    /// The version record of the current version, which is to be undone.
    pub record: VersionRecord,
    /// Whether the assistant created the parent of the current version.
    pub parent_with_ai: bool,
}

impl Load for Nothing {
    type Input = ();

    async fn load(&self, _: &App, _: &Investigation) -> Result<(), Failure> {
        Ok(())
    }
}

impl Load for CurrentRecord {
    type Input = UndoInput;

    async fn load(&self, app: &App, before: &Investigation) -> Result<UndoInput, Failure> {
        if before.version == 0 {
            return Err(Failure::NothingToUndo);
        }
        let Some(record) = app.store.record(before.id, before.version).await? else {
            return Err(missing(app, before.id, Failure::Damaged).await);
        };
        let parent = app.store.record(before.id, record.parent).await?;
        Ok(UndoInput { record, parent_with_ai: parent.is_some_and(|parent| parent.with_ai) })
    }

    fn bytes(input: &UndoInput) -> usize {
        bytes_of(&input.record)
    }
}

impl Load for Record {
    type Input = VersionRecord;

    async fn load(&self, app: &App, before: &Investigation) -> Result<VersionRecord, Failure> {
        match app.store.record(before.id, self.0).await? {
            Some(record) => Ok(record),
            None => Err(missing(app, before.id, Failure::VersionNotFound(self.0)).await),
        }
    }

    fn bytes(record: &VersionRecord) -> usize {
        bytes_of(record)
    }
}

impl Load for NewestChild {
    type Input = VersionRecord;

    async fn load(&self, app: &App, before: &Investigation) -> Result<VersionRecord, Failure> {
        match app.store.newest_child(before.id, before.version).await? {
            Some(record) => Ok(record),
            None => Err(missing(app, before.id, Failure::NothingToRedo).await),
        }
    }

    fn bytes(record: &VersionRecord) -> usize {
        bytes_of(record)
    }
}

impl Load for ContentAt {
    type Input = Content;

    async fn load(&self, app: &App, before: &Investigation) -> Result<Content, Failure> {
        let Self(version, actor) = *self;
        // The version did not exist when `before` was loaded, even if another copy of the service has added it since.
        if version > before.latest_version {
            return Err(missing(app, before.id, Failure::VersionNotFound(version)).await);
        }
        let _share = app.heavy_reads.take(actor).await;
        match app.store.content_at(before.id, version).await?.flatten() {
            Some(content) => Ok(content),
            None => Err(missing(app, before.id, Failure::VersionNotFound(version)).await),
        }
    }

    fn bytes(content: &Content) -> usize {
        content::bytes(content)
    }
}

impl Load for Chat {
    type Input = ();

    async fn load(&self, app: &App, before: &Investigation) -> Result<(), Failure> {
        match app.store.has_chat(before.id).await? {
            true => Ok(()),
            false => Err(missing(app, before.id, Failure::ChatNotFound(before.id)).await),
        }
    }
}

/// Returns whether the permission to change an investigation depends on its author and editors.
pub(super) fn is_checked(app: &App, context: &ChangeContext) -> bool {
    app.http.editing != Editing::Anyone && !context.caller.roles.admin
}

/// Checks that the caller may change this investigation and its links.
pub(super) async fn check_permission(app: &App, id: ObjectId, context: &ChangeContext) -> Result<(), Failure> {
    if !is_checked(app, context) {
        return Ok(());
    }
    let investigation = app.store.show(id).await?.ok_or(Failure::InvestigationNotFound)?;
    let ownership = Some(investigation.ownership());
    Ok(permission::decide(context.caller, Operation::Change, ownership, app.http.editing)?)
}

/// Loads an investigation in order to change it. Fails if the caller may not change the investigation, or if
/// `context.expected` does not allow its revision.
pub(super) async fn load_expected(app: &App, id: ObjectId, context: &ChangeContext) -> Result<Investigation, Failure> {
    let investigation = app.store.load(id).await?.ok_or(Failure::InvestigationNotFound)?;
    permission::decide(context.caller, Operation::Change, Some(investigation.ownership()), app.http.editing)?;
    if context.expected.allows(investigation.revision) {
        Ok(investigation)
    } else {
        Err(Failure::Changed { revision: investigation.revision })
    }
}

/// Returns `failure`, which says that some data is missing. If another copy of the service has deleted the whole
/// investigation, returns [`Failure::InvestigationNotFound`] instead.
async fn missing(app: &App, id: ObjectId, failure: Failure) -> Failure {
    match app.store.load(id).await {
        Ok(Some(_)) => failure,
        Ok(None) => Failure::InvestigationNotFound,
        Err(error) => error.into(),
    }
}

fn bytes_of(record: &VersionRecord) -> usize {
    record.changes.iter().map(Change::bytes).sum()
}
