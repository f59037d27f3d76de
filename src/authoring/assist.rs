//! What the assistant does to an investigation: resolve a contradiction, regenerate the other fields from one, converse.
//!
//! The rules decide within a change. A language model is asked before it, on the content of that moment: what it
//! proposes is stored only if that content is still there.

use super::{Decided, Failure, Loaded, Needs, Who, change, check_size, foresee, load, processing, proposals, settle};
use crate::app::App;
use crate::assistant::model::{Model, Proposal};
use crate::domain::change::same_content;
use crate::domain::chat::{ChatEntry, Said};
use crate::domain::content::Content;
use crate::domain::history::{self, Act, Kind, Step};
use crate::domain::id::ObjectId;
use crate::domain::investigation::{Expected, Investigation};

/// The chat message when fields were regenerated.
pub const REGENERATED: &str = "Successfully regenerated other fields";
/// The chat message when none were.
pub const NOT_REGENERATED: &str =
    "The assistant cannot regenerate the remaining fields because no modification is needed or the input is invalid.";

/// What the assistant did.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Assisted {
    /// What it says in the chat.
    pub message: String,
    /// The fields that changed.
    pub changed_fields: Vec<String>,
}

/// What a language model is asked to do.
#[derive(Debug, Clone)]
enum Task {
    /// Make the contradictions of this field go.
    Resolve(String),
    /// Make the other fields agree with this one.
    Regenerate(String),
    /// Answer this.
    Converse(String),
}

/// What becomes of an answer of the assistant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Then {
    /// It is stored, with its version record and its entry in the chat.
    Store,
    /// It is shown, and that is all. A language model is asked as it would be, and its proposal is what is stored if
    /// the same caller asks for that soon, while content and conversation are the same.
    Show,
}

impl Then {
    async fn act(
        self,
        app: &App,
        id: ObjectId,
        expected: &Expected,
        decide: impl Fn(&Loaded) -> Result<Decided<Assisted>, Failure>,
    ) -> Result<(Investigation, Assisted), Failure> {
        match self {
            Then::Store => change(app, id, expected, Needs::Chat, decide).await,
            Then::Show => foresee(app, id, expected, Needs::Chat, decide).await,
        }
    }
}

/// Resolves the contradictions of a field. The message says what changed and why.
///
/// # Errors
/// [`Failure`]
pub async fn resolve_contradiction(
    app: &App,
    id: ObjectId,
    who: &Who,
    field: &str,
    then: Then,
) -> Result<(Investigation, Assisted), Failure> {
    if let Some(model) = app.assistant.model() {
        return ask(app, model, id, who, Task::Resolve(field.to_owned()), then).await;
    }
    let decide = |Loaded { before, .. }: &Loaded| {
        let mended = app.assistant.resolve(&before.content, field, &app.schema)?;
        decided(app, who, Kind::Resolve, before, &mended.content, |_| Said::by_service(mended.message))
    };
    then.act(app, id, &who.expected, decide).await
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
    then: Then,
) -> Result<(Investigation, Assisted), Failure> {
    if let Some(model) = app.assistant.model() {
        return ask(app, model, id, who, Task::Regenerate(field.to_owned()), then).await;
    }
    let decide = |Loaded { before, .. }: &Loaded| {
        let mended = app.assistant.regenerate(&before.content, field, &app.schema);
        let content = mended.map_or_else(|| before.content.clone(), |mended| mended.content);
        decided(app, who, Kind::Regenerate, before, &content, said_of_regeneration)
    };
    then.act(app, id, &who.expected, decide).await
}

/// Answers what a person said, and changes the fields that they asked to change. Rules cannot do that.
///
/// # Errors
/// [`Failure`]
pub async fn converse(app: &App, id: ObjectId, who: &Who, said: &str) -> Result<(Investigation, Assisted), Failure> {
    match app.assistant.model() {
        Some(model) => ask(app, model, id, who, Task::Converse(said.to_owned()), Then::Store).await,
        None => load(app, id, &who.expected, &Needs::Chat).await.and(Err(Failure::NoModel)),
    }
}

/// Asks the model and stores what it proposes, if the content is still the one that it was asked about. A service that
/// stops does not wait for the model, only for the store.
async fn ask(
    app: &App,
    model: &Model,
    id: ObjectId,
    who: &Who,
    task: Task,
    then: Then,
) -> Result<(Investigation, Assisted), Failure> {
    let (app, model, who) = (app.clone(), model.for_one_operation(), who.clone());
    processing::to_its_end(async move {
        let (asked_on, Proposal { content, message }) = tokio::select! {
            proposed = propose_checked(&app, &model, id, &who, &task, then) => proposed?,
            () = app.questions.given_up() => return Err(Failure::Stopping),
        };
        let decide = |Loaded { before, .. }: &Loaded| {
            if !same_content(&before.content, &asked_on.content) {
                return Err(Failure::ChangedMeanwhile);
            }
            match &task {
                Task::Resolve(_) => {
                    decided(&app, &who, Kind::Resolve, before, &content, |_| Said::by_service(message.clone()))
                }
                Task::Regenerate(_) => decided(&app, &who, Kind::Regenerate, before, &content, said_of_regeneration),
                Task::Converse(said) => {
                    let said = |changed: &[String]| said_in_conversation(said, &message, changed);
                    decided(&app, &who, Kind::Converse, before, &content, said)
                }
            }
        };
        // The revision may be another by now; that of the content counts.
        then.act(&app, id, &Expected::Any, decide).await
    })
    .await
}

/// What the model proposes for the content of this moment, or proposed when it was only to be shown, beside the
/// investigation that holds the content. What the model finds in the proposal is kept from here on.
async fn propose_checked(
    app: &App,
    model: &Model,
    id: ObjectId,
    who: &Who,
    task: &Task,
    then: Then,
) -> Result<(Investigation, Proposal), Failure> {
    let Loaded { before: asked_on, .. } = load(app, id, &who.expected, &Needs::Chat).await?;
    let chat = app.store.chat(id).await?.map(|chat| chat.history).ok_or(Failure::ChatNotFound(id))?;
    let asked = model.key(&asked_on.content, &app.schema);
    let question = format!("{id} {:?} {task:?} {} {asked}", who.by, chat.len());
    let shown = if then == Then::Store { app.previews.of(&question, &app.clock) } else { None };
    let proposal = match shown {
        Some(shown) => shown,
        None => {
            let Proposal { content, message } = propose(app, model, &asked_on, task, &chat).await?;
            // As it will be stored: findings are kept for the very text.
            Proposal { content: history::in_order_of(&asked_on.content, &content), message }
        }
    };
    // Also where nothing changed: the content settles with what is kept, and what was found in it may be kept no more.
    if let Err(failure) = processing::found(app, model, &proposal.content).await {
        tracing::warn!(investigation.id = %id, %failure, "the rules' findings stand alone");
    }
    if then == Then::Show {
        app.previews.keep(question, proposal.clone(), &app.clock);
    }
    Ok((asked_on, proposal))
}

async fn propose(
    app: &App,
    model: &Model,
    asked_on: &Investigation,
    task: &Task,
    chat: &[ChatEntry],
) -> Result<Proposal, Failure> {
    let content = &asked_on.content;
    match task {
        Task::Resolve(field) => proposals::resolve(app, model, content, field).await,
        Task::Regenerate(field) => proposals::regenerate(app, model, content, chat, field).await,
        Task::Converse(said) => proposals::converse(app, model, content, chat, said).await,
    }
}

/// The change to `content`, as one version record by the assistant where anything differs.
fn decided(
    app: &App,
    who: &Who,
    kind: Kind,
    before: &Investigation,
    content: &Content,
    say: impl FnOnce(&[String]) -> Said,
) -> Result<Decided<Assisted>, Failure> {
    check_size(content)?;
    let content = history::in_order_of(&before.content, content);
    let act = Act { kind, by: who.by, at: app.clock.now() };
    let step = history::record(before, &content, act);
    let after = settle(app, before, &step, content);
    let changed_fields: Vec<String> = match &step {
        Step::Record(record) => record.fields().into_iter().map(str::to_owned).collect(),
        _ => Vec::new(),
    };
    let said = say(&changed_fields);
    let told = Assisted { message: said.by_assistant.clone(), changed_fields };
    Ok(Decided { after, step, said: Some(said), told })
}

fn said_of_regeneration(changed: &[String]) -> Said {
    Said::by_service(if changed.is_empty() { NOT_REGENERATED } else { REGENERATED })
}

/// What a model reads of a conversation later: its own answer, and which fields it changed. The investigation it
/// is given anew each time.
fn said_in_conversation(by_person: &str, answer: &str, changed: &[String]) -> Said {
    let for_llm = match changed {
        [] => answer.to_owned(),
        fields => format!("{answer}\n[changed: {}]", fields.join(", ")),
    };
    Said { by_person: by_person.to_owned(), by_assistant: answer.to_owned(), for_llm }
}
