//! The steps of every change: load, decide, commit.
//!
//! Decisions are pure functions. The commit is a compare-and-swap on the revision. If another change came first, the
//! decision is repeated for the new state. No transaction is open between loading and committing. A language model
//! reads the content after the change.

use std::sync::Arc;
use std::time::Duration;

use tokio::time::{Instant, timeout, timeout_at};

use super::context::ChangeContext;
use super::error::AuthoringError;
use super::findings;
use super::load::{Current, Loaded, check_permission, load_expected};
use super::references;
use crate::admission::{self, Class, Core};
use crate::app::{App, EditLock};
use crate::domain::chat::{ChatEntry, NewMessage};
use crate::domain::content::{self, Content};
use crate::domain::event;
use crate::domain::history::Step;
use crate::domain::id::ObjectId;
use crate::domain::investigation::Investigation;
use crate::domain::representation::{Document, Profile};
use crate::domain::schema::Violation;
use crate::domain::size::{self, SizeError};
use crate::store::{Commit, Reports, StoreError};

/// Maximum number of attempts to commit a change. A change usually holds the edit lock from loading to committing, so
/// no other change in this process comes first. An attempt can fail in these cases:
/// - Another copy of the service changed the investigation.
/// - A change in this process had released its lock to wait for a CPU permit. Such a change commits without the lock.
/// - A picture of the investigation was removed, which takes no lock.
pub(super) const MAX_RACES: usize = 64;

/// Time limit for a change, including the wait for its edit lock.
const DEADLINE: Duration = Duration::from_secs(14);

/// Time during which a change may wait for an edit lock or a CPU permit, counted from its start. If a wait is not over
/// by then, the change fails and stores nothing.
const TURN: Duration = Duration::from_secs(10);

pub(super) struct Decided<T> {
    pub(super) after: Investigation,
    pub(super) step: Step,
    pub(super) message: Option<NewMessage>,
    pub(super) answer: T,
}

impl Decided<()> {
    pub(super) fn step(after: Investigation, step: Step) -> Self {
        Self { after, step, message: None, answer: () }
    }
}

/// Runs a change with a time limit, so that callers get an answer even if the store is down. Refuses a caller who has
/// lost the right to make the change while the request body arrived or a language model was at work. After the change,
/// notifies the listeners of events.
pub(super) async fn in_time<T>(
    app: &App,
    context: &ChangeContext,
    change: impl Future<Output = Result<T, AuthoringError>>,
) -> Result<T, AuthoringError> {
    let change = async {
        check_right(app, context).await?;
        change.await
    };
    let late = || StoreError::Unanswered(format!("a change took longer than {} s", DEADLINE.as_secs()));
    let done = timeout(DEADLINE, change).await.unwrap_or_else(|_| Err(AuthoringError::Store(late())))?;
    app.feed.changed();
    Ok(done)
}

/// Checks the caller's right again if the request has already lasted long. Also needed for a dry run and the answer to
/// a repeated request, because they show what is stored.
pub(super) async fn check_right(app: &App, context: &ChangeContext) -> Result<(), AuthoringError> {
    if let Some(right) = &context.right {
        right.check(app).await?;
    }
    Ok(())
}

/// Loads, decides and commits. Repeats these steps if another change was committed in the meantime. A dry run does not
/// commit. `load` returns what the decision needs in addition to the investigation.
pub(super) async fn change<I, T, L: Future<Output = Result<Loaded<I>, AuthoringError>>>(
    app: &App,
    id: ObjectId,
    context: &ChangeContext,
    load: impl Fn(Current) -> L,
    decide: impl Fn(&Investigation, &I) -> Result<Decided<T>, AuthoringError>,
) -> Result<(Investigation, T), AuthoringError> {
    if context.dry_run {
        let attempt = async {
            let given = Given::load(app, id, context, &load).await?;
            let core = in_turn(Instant::now(), app.admission.core(context.actor, given.bytes)).await?;
            let decided = given.decide(app, &core, &decide).await?;
            references::introduced(app, &given.before, &decided.step, &decided.after.content).await?;
            Ok::<_, AuthoringError>((given.before, decided))
        };
        let attempt = attempt.await;
        // Checks the right only after the attempt, because the caller may lose the right during a long attempt. This is
        // early enough, because a dry run stores nothing.
        check_right(app, context).await?;
        let (before, decided) = attempt?;
        let after = without_model(app, decided.after);
        return Ok((if after.equals_except_revision(&before) { before } else { after }, decided.answer));
    }
    in_time(app, context, change_locked(app, id, context, &load, &decide)).await
}

/// Waits for an edit lock or a CPU permit, for a change that started at `begin`.
///
/// # Errors
/// [`StoreError::NoPermit`] if other callers take too long.
pub(super) async fn in_turn<T>(begin: Instant, waiting: impl Future<Output = T>) -> Result<T, AuthoringError> {
    timeout_at(begin + TURN, waiting).await.map_err(|_| AuthoringError::Store(StoreError::NoPermit))
}

/// Runs work under the edit lock of an investigation, and returns the lock and the result. If the work needs a heavy
/// permit and none is free, releases the lock, waits for the permit, and runs the work again. So a caller whose share
/// of permits is used up does not block others.
pub(super) async fn under_lock<T, W: Future<Output = Result<T, AuthoringError>>>(
    app: &App,
    id: ObjectId,
    begin: Instant,
    work: impl Fn() -> W,
) -> Result<(EditLock, T), AuthoringError> {
    let lock = in_turn(begin, app.edit_locks.lock(id)).await?;
    // Boxed, because this future is large and nested calls would overflow the stack.
    match admission::without_waiting(Box::pin(work())).await {
        Err(AuthoringError::Store(StoreError::NoPermit)) => drop(lock),
        done => return Ok((lock, done?)),
    }
    admission::hold(Class::Heavy).await.map_err(StoreError::from)?;
    let lock = in_turn(begin, app.edit_locks.lock(id)).await?;
    let done = admission::without_waiting(Box::pin(work())).await?;
    Ok((lock, done))
}

async fn change_locked<I, T, L: Future<Output = Result<Loaded<I>, AuthoringError>>>(
    app: &App,
    id: ObjectId,
    context: &ChangeContext,
    load: &impl Fn(Current) -> L,
    decide: &impl Fn(&Investigation, &I) -> Result<Decided<T>, AuthoringError>,
) -> Result<(Investigation, T), AuthoringError> {
    // The permission is checked before the lock is taken, because others must not wait for a caller without permission.
    check_permission(app, id, context).await?;
    let begin = Instant::now();
    for _ in 0..MAX_RACES {
        let load = || Given::load(app, id, context, load);
        let (lock, mut given) = under_lock(app, id, begin, load).await?;
        let mut lock = Some(lock);
        let core = match app.admission.free_core(context.actor, given.bytes) {
            Some(core) => core,
            None => {
                // A change never waits for a CPU permit while it holds the lock, or for the lock while it holds a CPU
                // permit. Without the lock, another change may come first; then this one begins again.
                let bytes = given.bytes;
                drop((lock.take(), given));
                let core = in_turn(begin, app.admission.core(context.actor, bytes)).await?;
                given = match Box::pin(admission::without_waiting(load())).await {
                    // The document has grown in the meantime, and now needs a heavy permit.
                    Err(AuthoringError::Store(StoreError::NoPermit)) => continue,
                    loaded => loaded?,
                };
                core
            }
        };
        let decided = given.decide(app, &core, decide).await?;
        let pictures = references::introduced(app, &given.before, &decided.step, &decided.after.content).await?;
        let mut before = given.before;
        let Decided { mut after, step, message, answer } = decided;
        if message.is_some() {
            // A change with a message was made by the assistant, which has already asked the model about the content.
            // So the model is not asked again.
            after = without_model(app, after);
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
                pictures,
                reports,
            };
            Ok::<_, StoreError>(Some((app.store.prepare(commit)?, after)))
        };
        let Some((commit, after)) = core.run(prepare)? else { return Ok((before, answer)) };
        drop(core);
        if app.store.commit(commit).await? {
            return Ok((Arc::unwrap_or_clone(after), answer));
        }
    }
    Err(AuthoringError::TooManyRaces)
}

/// The input of a decision.
struct Given<I> {
    before: Investigation,
    input: I,
    /// Total size of the input, in bytes.
    bytes: usize,
}

impl<I> Given<I> {
    async fn load<L: Future<Output = Result<Loaded<I>, AuthoringError>>>(
        app: &App,
        id: ObjectId,
        context: &ChangeContext,
        load: &impl Fn(Current) -> L,
    ) -> Result<Self, AuthoringError> {
        let before = load_expected(app, id, context).await?;
        let Loaded { input, bytes } = load(Current::of(&before)).await?;
        let bytes = content::bytes(&before.content).saturating_add(bytes);
        Ok(Self { before, input, bytes })
    }

    async fn decide<T>(
        &self,
        app: &App,
        core: &Core,
        decide: &impl Fn(&Investigation, &I) -> Result<Decided<T>, AuthoringError>,
    ) -> Result<Decided<T>, AuthoringError> {
        let mut decided = core.run(|| decide(&self.before, &self.input))?;
        decided.after = findings::with_cached_findings(app, core, decided.after).await;
        Ok(decided)
    }
}

/// If the language model has not read the content yet, marks the findings as incomplete, because the model will not be
/// asked.
fn without_model(app: &App, after: Investigation) -> Investigation {
    let findings = after.findings.clone().marked_incomplete();
    after.with_findings(findings, &app.schema)
}

/// Returns the investigation after a step in its history, such as an edit or an undo, with the findings of the rules.
pub(super) fn after_step(app: &App, before: &Investigation, step: &Step, content: Content) -> Investigation {
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

/// Checks the size of the content `after` that is to replace `before`.
pub(super) fn check_size(before: &Content, after: &Content) -> Result<(), AuthoringError> {
    size::check(before, after).map_err(|error| match &error {
        SizeError::Bytes(_) => AuthoringError::TooLarge(error),
        SizeError::Leaves(_) => AuthoringError::Invalid(vec![Violation::new("", error.to_string())]),
        SizeError::Depth(path) => AuthoringError::Invalid(vec![Violation::new(path.to_string(), error.to_string())]),
    })
}
