//! The steps of every change: load, decide, commit.
//!
//! Decisions are pure functions. The commit is a compare-and-swap on the revision. If another change came first, the
//! decision is repeated for the new state. No transaction is open between loading and committing. A language model
//! reads the content after the change.

pub mod assist;
mod creation;
mod deletion;
pub mod dismissals;
pub mod failure;
mod fixes;
mod idempotency;
pub mod links;
mod load;
mod processing;
mod proposals;
mod split;

use std::sync::Arc;
use std::time::Duration;

use serde_json::{Map, Value};
use tokio::time::timeout;

use crate::app::{App, CHANGES};
use crate::domain::chat::{ChatEntry, NewMessage};
use crate::domain::content::{self, Content};
use crate::domain::event;
use crate::domain::history::{self, Act, Kind, Step, VersionRecord};
use crate::domain::id::ObjectId;
use crate::domain::investigation::{Expected, Investigation};
use crate::domain::permission::{self, Operation, Ownership, Principal};
use crate::domain::representation::{Document, Profile};
use crate::domain::request::{self, ContentFault, UpdateRequest};
use crate::limits;
use crate::store::{Commit, Committed, Reports, Stamp, StoreError};
pub use creation::{CreateOptions, clone, create, create_with};
pub use deletion::{delete, undelete};
pub use failure::Failure;
pub use idempotency::{Created, IdempotentRequest};
use load::{ContentAt, CurrentRecord, Load, NewestChild, Nothing, Record, UndoInput, load_expected};
pub use processing::{RespondAfter, resume_pending};
pub use split::split;

/// Maximum number of attempts to commit a change. Within one process changes wait for each other with edit locks, so
/// only another copy of the service can make an attempt fail.
const MAX_RACES: usize = 64;

/// The caller and the options of a change.
#[derive(Debug, Clone, Default)]
pub struct ChangeContext {
    /// The caller, for permission checks.
    pub caller: Principal,
    /// The caller whose limits the work counts against.
    pub actor: limits::Actor,
    /// The revisions that may be changed, from the header `If-Match`.
    pub expected: Expected,
    /// When to respond, from the header `Prefer`.
    pub respond_after: RespondAfter,
    /// Whether the result is only returned, and not stored. A dry run includes the model's findings only if they are
    /// cached.
    pub dry_run: bool,
}

impl ChangeContext {
    /// Returns who makes the change, and the current time.
    fn stamp(&self, app: &App) -> Stamp {
        Stamp { actor: self.caller.into(), at: app.clock.now() }
    }
}

/// Time limit for a change, including the wait for its edit lock.
const DEADLINE: Duration = Duration::from_secs(14);

struct Decided<T> {
    after: Investigation,
    step: Step,
    message: Option<NewMessage>,
    /// Additional data for the caller.
    answer: T,
}

/// Updates an investigation with the changes in `body`.
pub async fn update(
    app: &App,
    id: ObjectId,
    context: &ChangeContext,
    body: Map<String, Value>,
) -> Result<Investigation, Failure> {
    let update = UpdateRequest::read(body)?;
    let decide = |before: &Investigation, (): &()| decide_update(app, context, &update, before);
    let (changed, ()) = change(app, id, context, (Nothing, content::bytes(&update.patch)), decide).await?;
    Ok(processing::process(app, changed, context).await)
}

fn decide_update(
    app: &App,
    context: &ChangeContext,
    update: &UpdateRequest,
    before: &Investigation,
) -> Result<Decided<()>, Failure> {
    let content = update.apply(before.content.clone());
    check_size(&content)?;
    refuse(app.schema.violations_introduced(&before.content, &content))?;
    let act = Act { kind: Kind::Update, by: context.caller.user, at: app.clock.now() };
    let start = Investigation { status: before.status.with_requested(update.status), ..before.without_content() };
    let settled = after_step(app, &start, &Step::Stay, content);
    let step = history::record_with_status(before, &settled.content, settled.status, act);
    let mut after = settled.with_step(&step);
    after.last_change_with_ai = false;
    after.metadata_author = before.metadata_author.or(update.metadata_author).or(context.caller.user);
    after.author = before.author.or(context.caller.user.map(|user| update.metadata_author.unwrap_or(user)));
    if let Some(editors) = update.editors.as_ref().filter(|editors| **editors != before.editors) {
        let ownership = Ownership { author: after.author, editors: &before.editors };
        permission::decide(context.caller, Operation::Own, Some(ownership), app.http.editing)?;
        after.editors.clone_from(editors);
    }
    Ok(Decided { after, step, message: None, answer: () })
}

/// Undoes the latest change: goes back to the parent of the current version.
pub async fn undo(app: &App, id: ObjectId, context: &ChangeContext) -> Result<Investigation, Failure> {
    let decide = |before: &Investigation, UndoInput { record, parent_with_ai }: &UndoInput| {
        let step = Step::Undo { from: record.version, to: record.parent, with_ai: *parent_with_ai };
        let content = history::undo(before.content.clone(), record)?;
        let status = record.status()?.map_or(before.status, |(old, _)| old);
        let after = after_step(app, &Investigation { status, ..before.without_content() }, &step, content);
        Ok(Decided { after, step, message: None, answer: () })
    };
    let (changed, ()) = change(app, id, context, (CurrentRecord, 0), decide).await?;
    Ok(processing::process(app, changed, context).await)
}

/// Redoes a change: goes forward to the newest undone version that follows the current version.
pub async fn redo(app: &App, id: ObjectId, context: &ChangeContext) -> Result<Investigation, Failure> {
    let decide = |before: &Investigation, record: &VersionRecord| {
        let step = Step::Redo { to: record.version, with_ai: record.with_ai };
        let content = history::redo(before.content.clone(), record)?;
        let status = record.status()?.map_or(before.status, |(_, new)| new);
        let after = after_step(app, &Investigation { status, ..before.without_content() }, &step, content);
        Ok(Decided { after, step, message: None, answer: () })
    };
    let (changed, ()) = change(app, id, context, (NewestChild, 0), decide).await?;
    Ok(processing::process(app, changed, context).await)
}

/// Restores the content of an earlier version as a new version. Does not validate the content against the current
/// schema, so that all stored content can be restored.
pub async fn restore(app: &App, id: ObjectId, context: &ChangeContext, version: u64) -> Result<Investigation, Failure> {
    let decide = |before: &Investigation, content: &Content| {
        let content = history::in_order_of(&before.content, content);
        let act = Act { kind: Kind::Restore, by: context.caller.user, at: app.clock.now() };
        let step = history::record(before, &content, act);
        let after = after_step(app, before, &step, content);
        Ok(Decided { after, step, message: None, answer: () })
    };
    let (changed, ()) = change(app, id, context, (ContentAt(version, context.actor), 0), decide).await?;
    Ok(processing::process(app, changed, context).await)
}

/// Names a version, or removes its name. The content and the history stay as they are.
pub async fn name_version(
    app: &App,
    id: ObjectId,
    context: &ChangeContext,
    (version, name): (u64, Option<String>),
) -> Result<Investigation, Failure> {
    let decide = |before: &Investigation, record: &VersionRecord| {
        let step = if record.name == name { Step::Stay } else { Step::Name { version, name: name.clone() } };
        let now = app.clock.now();
        let after = before.after(&step, before.content.clone(), before.findings.clone(), &app.schema, now);
        Ok(Decided { after, step, message: None, answer: () })
    };
    change(app, id, context, (Record(version), 0), decide).await.map(|(investigation, ())| investigation)
}

/// Runs a change with a time limit, so that callers get an answer even if many wait for the same investigation or the
/// store is down. Rejects a caller immediately if too many changes are already running or waiting.
async fn in_time<T>(
    app: &App,
    actor: limits::Actor,
    change: impl Future<Output = Result<T, Failure>>,
) -> Result<T, Failure> {
    let _permit = app.capacity.change(actor).map_err(|refused| Failure::no_room(refused, "changes", CHANGES))?;
    let late = || StoreError::Unanswered(format!("a change took longer than {} s", DEADLINE.as_secs()));
    timeout(DEADLINE, change).await.unwrap_or_else(|_| Err(Failure::Store(late())))
}

/// Loads, decides and commits. Repeats these steps if another change was committed in the meantime. A dry run does not
/// commit. `more` is the number of bytes that the decision reads in addition to the loaded data.
async fn change<L: Load, T>(
    app: &App,
    id: ObjectId,
    context: &ChangeContext,
    (load, more): (L, usize),
    decide: impl Fn(&Investigation, &L::Input) -> Result<Decided<T>, Failure>,
) -> Result<(Investigation, T), Failure> {
    if context.dry_run {
        return dry_run(app, id, context, (load, more), decide).await;
    }
    in_time(app, context.actor, change_locked(app, id, context, (load, more), decide)).await
}

async fn change_locked<L: Load, T>(
    app: &App,
    id: ObjectId,
    context: &ChangeContext,
    (load, more): (L, usize),
    decide: impl Fn(&Investigation, &L::Input) -> Result<Decided<T>, Failure>,
) -> Result<(Investigation, T), Failure> {
    let _lock = app.edit_locks.lock(id).await;
    for _ in 0..MAX_RACES {
        let mut before = load_expected(app, id, context).await?;
        let input = load.load(app, &before).await?;
        let bytes = content::bytes(&before.content).saturating_add(L::bytes(&input)).saturating_add(more);
        let Decided { after, step, message, answer } =
            app.capacity.compute(context.actor, bytes, || decide(&before, &input)).await?;
        let mut after = processing::with_cached_findings(app, context.actor, after).await;
        if message.is_some() {
            // Changes by the assistant have a message. The model is not asked about their content again, so if its
            // findings are not cached, the check stays incomplete.
            let findings = after.findings.clone().marked_incomplete();
            after = after.with_findings(findings, &app.schema);
        }
        let prepare = || {
            if step == Step::Stay && after.equals_except_revision(&before) {
                if message.is_none() {
                    return Ok(None);
                }
                (after.revision, after.updated_at) = (before.revision, before.updated_at);
            }
            let events = event::of_change(&before, &step, &after);
            let reports = Reports::of(context.stamp(app), before.id, events);
            let chat_entry = message.map(|message| entry(message, &after));
            let after = Arc::new(after);
            let commit = Commit {
                base_revision: before.revision,
                investigation: after.clone(),
                step,
                content_before: std::mem::take(&mut before.content),
                chat_entry,
                reports,
            };
            Ok::<_, StoreError>(Some((app.store.prepare(commit)?, after)))
        };
        let prepared = app.capacity.compute(context.actor, bytes, prepare).await?;
        let Some((commit, after)) = prepared else { return Ok((before, answer)) };
        if app.store.commit(commit).await? == Committed::Done {
            app.feed.changed();
            return Ok((Arc::unwrap_or_clone(after), answer));
        }
    }
    Err(Failure::TooManyRaces)
}

/// Returns the result that the change would have now, without storing it.
async fn dry_run<L: Load, T>(
    app: &App,
    id: ObjectId,
    context: &ChangeContext,
    (load, more): (L, usize),
    decide: impl Fn(&Investigation, &L::Input) -> Result<Decided<T>, Failure>,
) -> Result<(Investigation, T), Failure> {
    let before = load_expected(app, id, context).await?;
    let input = load.load(app, &before).await?;
    let bytes = content::bytes(&before.content).saturating_add(L::bytes(&input)).saturating_add(more);
    let Decided { after, answer, .. } = app.capacity.compute(context.actor, bytes, || decide(&before, &input)).await?;
    let after = processing::with_cached_findings(app, context.actor, after).await;
    let findings = after.findings.clone().marked_incomplete();
    let after = after.with_findings(findings, &app.schema);
    Ok((if after.equals_except_revision(&before) { before } else { after }, answer))
}

/// Returns the investigation after a step, with the findings of the rules.
fn after_step(app: &App, before: &Investigation, step: &Step, content: Content) -> Investigation {
    let findings = app.assistant.detect(&content);
    before.after(step, content, findings, &app.schema, app.clock.now())
}

/// Creates a chat entry that contains the investigation as every user sees it, without names of people.
fn entry(message: NewMessage, investigation: &Investigation) -> ChatEntry {
    let author = Profile::bare(investigation.author);
    let document = Document { investigation: Arc::new(investigation.clone()), author };
    // This cannot fail, because a document consists of JSON values only.
    message.entry(serde_json::to_string(&document).unwrap_or_default())
}

fn check_size(content: &Content) -> Result<(), Failure> {
    match request::content_fault(content) {
        None => Ok(()),
        Some(ContentFault::TooLarge { bytes }) => Err(Failure::TooLarge { bytes }),
    }
}

fn refuse(violations: Vec<crate::domain::schema::Violation>) -> Result<(), Failure> {
    if violations.is_empty() { Ok(()) } else { Err(Failure::Invalid(violations)) }
}
