//! What a decision is made on, from the store.

use super::Failure;
use crate::app::App;
use crate::domain::change::Change;
use crate::domain::content::{self, Content};
use crate::domain::history::VersionRecord;
use crate::domain::id::ObjectId;
use crate::domain::investigation::{Expected, Investigation};
use crate::limits::Actor;

/// What a decision needs beside the investigation.
pub(super) enum Needs {
    /// Nothing.
    Nothing,
    /// The record that it stands at, and the one before.
    CurrentRecord,
    /// The newest record that was made on its version.
    NewestChild,
    /// The content at a version, read within the share of heavy reads of this caller.
    Version(u64, Actor),
    /// That it has a chat.
    Chat,
}

/// What a decision is made on.
pub(super) struct Loaded {
    pub(super) before: Investigation,
    pub(super) record: Option<VersionRecord>,
    pub(super) parent: Option<VersionRecord>,
    pub(super) content: Option<Content>,
}

impl Loaded {
    /// About how many bytes it takes.
    pub(super) fn bytes(&self) -> usize {
        let records = [&self.record, &self.parent].into_iter().flatten();
        let changes = records.flat_map(|record| &record.changes).map(Change::bytes).sum::<usize>();
        content::bytes(&self.before.content) + self.content.as_ref().map_or(0, content::bytes) + changes
    }
}

/// Loads what a decision is made on.
pub(super) async fn load(app: &App, id: ObjectId, expected: &Expected, needs: &Needs) -> Result<Loaded, Failure> {
    let before = load_expected(app, id, expected).await?;
    let mut loaded = Loaded { before, record: None, parent: None, content: None };
    let version = loaded.before.version;
    let is_there = match needs {
        Needs::Nothing => true,
        Needs::CurrentRecord if version == 0 => true,
        Needs::CurrentRecord => {
            loaded.record = app.store.record(id, version).await?;
            if let Some(record) = &loaded.record {
                loaded.parent = app.store.record(id, record.parent).await?;
            }
            loaded.record.is_some()
        }
        Needs::NewestChild => {
            loaded.record = app.store.newest_child(id, version).await?;
            loaded.record.is_some()
        }
        Needs::Version(version, who) => {
            // Nobody can restore past their share of heavy reads.
            let _share = app.heavy_reads.take(*who).await;
            loaded.content = app.store.content_at(id, *version).await?.flatten();
            loaded.content.is_some()
        }
        Needs::Chat => app.store.has_chat(id).await?,
    };
    // What is missing may have gone with the investigation, which another copy of the service deleted meanwhile.
    if !is_there && app.store.load(id).await?.is_none() {
        return Err(Failure::InvestigationNotFound);
    }
    match needs {
        Needs::CurrentRecord if !is_there => Err(Failure::Damaged),
        Needs::Chat if !is_there => Err(Failure::ChatNotFound(id)),
        _ => Ok(loaded),
    }
}

/// Loads the investigation, if it has an expected revision.
pub(super) async fn load_expected(app: &App, id: ObjectId, expected: &Expected) -> Result<Investigation, Failure> {
    let investigation = app.store.load(id).await?.ok_or(Failure::InvestigationNotFound)?;
    if expected.allows(investigation.revision) {
        Ok(investigation)
    } else {
        Err(Failure::Changed { revision: investigation.revision })
    }
}
