//! What the assistant does to an investigation: resolve a contradiction, regenerate the other fields from one.

use super::{Decided, Failure, Loaded, Needs, Who, change, check_size, settle};
use crate::app::App;
use crate::domain::chat::ChatEntry;
use crate::domain::history::{self, Act, Kind, Step};
use crate::domain::id::ObjectId;
use crate::domain::investigation::Investigation;
use crate::domain::representation::{self, Profile};

/// The chat message when fields were regenerated.
pub const REGENERATED: &str = "Successfully regenerated other fields";
/// The chat message when none were.
pub const NOT_REGENERATED: &str =
    "The assistant cannot regenerate the remaining fields because no modification is needed or the input is invalid.";

/// What a regeneration came to.
#[derive(Debug, Clone, PartialEq)]
pub struct Regenerated {
    /// What is said in the chat.
    pub message: &'static str,
    /// The fields that changed.
    pub changed_fields: Vec<String>,
}

/// Resolves the contradictions of a field. Gives the message for the author.
///
/// # Errors
/// [`Failure`]
pub async fn resolve_contradiction(
    app: &App,
    id: ObjectId,
    who: &Who,
    field: &str,
) -> Result<(Investigation, String), Failure> {
    let decide = |Loaded { before, .. }: &Loaded| {
        let mended = app.assistant.resolve(&before.content, field, &app.schema)?;
        check_size(&mended.content)?;
        let act = Act { kind: Kind::Resolve, by: who.by, at: app.clock.now() };
        let step = history::record(before, &mended.content, act);
        let after = settle(app, before, &step, mended.content);
        let chat_entry = Some(entry(&mended.message, &after));
        Ok(Decided { after, step, chat_entry, told: mended.message })
    };
    change(app, id, &who.expected, Needs::Chat, decide).await
}

/// Regenerates the other fields from this one, which stays as it is.
///
/// # Errors
/// [`Failure`]
pub async fn regenerate(
    app: &App,
    id: ObjectId,
    who: &Who,
    field: &str,
) -> Result<(Investigation, Regenerated), Failure> {
    let decide = |Loaded { before, .. }: &Loaded| {
        let mended = app.assistant.regenerate(&before.content, field, &app.schema);
        let content = mended.map_or_else(|| before.content.clone(), |mended| mended.content);
        check_size(&content)?;
        let act = Act { kind: Kind::Regenerate, by: who.by, at: app.clock.now() };
        let step = history::record(before, &content, act);
        let after = settle(app, before, &step, content);
        let changed_fields: Vec<String> = match &step {
            Step::Record(record) => record.fields().into_iter().map(str::to_owned).collect(),
            _ => Vec::new(),
        };
        let message = if changed_fields.is_empty() { NOT_REGENERATED } else { REGENERATED };
        let unchanged = after.differs_only_in_revision(before);
        let chat_entry = Some(entry(message, if unchanged { before } else { &after }));
        Ok(Decided { after, step, chat_entry, told: Regenerated { message, changed_fields } })
    };
    change(app, id, &who.expected, Needs::Chat, decide).await
}

/// A chat entry with the investigation as it is shown to everybody: names of people are no part of it.
fn entry(message: &str, investigation: &Investigation) -> ChatEntry {
    let shown = representation::investigation(investigation, &Profile::bare(investigation.author));
    ChatEntry::by_service(message, &shown)
}
