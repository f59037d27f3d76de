//! The operations of the assistant: it resolves contradictions, regenerates the other fields from one field, and
//! answers chat messages.
//!
//! Without a language model, the rules compute the result in the "decide" step of the change. With a
//! language model, the model is asked before the change begins, and its proposal is stored only if the content is still
//! the content that the model was asked about.

use serde::Serialize;
use serde_json::json;

use super::change::{Decided, after_step, change, check_size};
use super::context::ChangeContext;
use super::error::AuthoringError;
use super::load::{Loaded, check_chat, load_expected};
use super::{findings, proposals};
use crate::admission::{self, Class, SMALL};
use crate::app::App;
use crate::assistant::fix::{Meter, Scope};
use crate::assistant::model::Model;
use crate::assistant::{Outcome, summary};
use crate::domain::change::same_content;
use crate::domain::chat::{ChatEntry, NewMessage};
use crate::domain::content;
use crate::domain::finding::Findings;
use crate::domain::history::{self, Act, Kind, Step};
use crate::domain::id::ObjectId;
use crate::domain::investigation::{Expected, Investigation};
use crate::domain::page::PageRequest;
use crate::limits::AssistantRequest;
use crate::store::{ChatPage, ChatPart, StoreError};

pub const REGENERATED: &str = "Successfully regenerated other fields";
pub const NOT_REGENERATED: &str =
    "The assistant cannot regenerate the remaining fields because no modification is needed or the input is invalid.";

/// Maximum number of chat entries that are read for a language model. The model receives fewer if the entries are long.
const MAX_TURNS: u32 = 400;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AssistantResult {
    pub message: String,
    pub explanation: Option<String>,
    pub changed_fields: Vec<String>,
}

#[derive(Debug, Serialize)]
pub enum Task {
    /// Resolve the contradictions of this field. The message lists what changed and why.
    Resolve(String),
    /// Make the other fields consistent with this field, which stays unchanged.
    Regenerate(String),
    /// Answer this chat message and change the fields that it asks to change. Requires a language model.
    Converse(String),
}

/// Number of bytes added to the size of the content, so that the assistant's work is never treated as [`SMALL`]. The
/// work takes long even for small content, because the assistant checks the rules after each fix.
const LONG_WORK: usize = SMALL;

/// Checks that the investigation has a chat. This is the "load" step of changes that need no other data.
async fn chat(app: &App, id: ObjectId) -> Result<Loaded<()>, AuthoringError> {
    check_chat(app, id).await?;
    Ok(Loaded { input: (), bytes: LONG_WORK })
}

/// Counts a request against the assistant's rate limit, even if the rules answer it. Does not count a dry run.
fn count(app: &App, context: &ChangeContext, asking: &AssistantRequest) -> Result<(), AuthoringError> {
    if context.dry_run { Ok(()) } else { Ok(asking.count(&app.limits)?) }
}

/// Runs the task with the language model if there is one, or else with the rules alone.
pub async fn assist(
    app: &App,
    id: ObjectId,
    context: &ChangeContext,
    task: Task,
) -> Result<(Investigation, AssistantResult), AuthoringError> {
    let asking = AssistantRequest::by(context.actor);
    let meter = Meter::default();
    if let Some(model) = app.assistant.model() {
        return ask(app, model, id, context, &Asked { task: &task, asking: &asking, meter: &meter }).await;
    }
    let field = match &task {
        Task::Resolve(field) | Task::Regenerate(field) => field,
        Task::Converse(_) => {
            load_expected(app, id, context).await?;
            check_chat(app, id).await?;
            return Err(AuthoringError::NoModel { operation: "Conversation" });
        }
    };
    let decide = |before: &Investigation, (): &()| {
        count(app, context, &asking)?;
        let scope = Scope {
            content: &before.content,
            field,
            schema: &app.schema,
            dismissals: &before.dismissals,
            meter: &meter,
        };
        let outcome = match task {
            Task::Resolve(_) => {
                let resolved = app.assistant.resolve(&scope)?;
                let message = resolved.message(&scope);
                Outcome { content: resolved.content, message, explanation: None }
            }
            _ => regenerated(app, &scope),
        };
        decided(app, context, &task, before, &outcome)
    };
    change(app, id, context, |_| chat(app, id), decide).await
}

/// Returns the outcome of a regeneration by the rules alone. The explanation says what the rules changed, or what they
/// checked and could not fix.
fn regenerated(app: &App, scope: &Scope<'_>) -> Outcome {
    let resolved = app.assistant.regenerate(scope);
    let name = summary::named(scope.schema, scope.field);
    let mut explanation = if resolved.fixed.is_empty() {
        match app.assistant.rules().reading(scope.field) {
            0 => format!("No rule reads {name}, so nothing was compared with it."),
            1 => format!("The one rule that reads {name} was checked, and no other field was changed."),
            rules => format!("The {rules} rules that read {name} were checked, and no other field was changed."),
        }
    } else {
        summary::message(scope.schema, scope.content, &resolved.content, &resolved.fixed, &[])
    };
    if let Some(open) = summary::still_open(&resolved.left) {
        explanation = format!("{explanation} {open}");
    }
    if resolved.fixed.is_empty() || !resolved.left.is_empty() {
        explanation.push_str(" A language model can do more, but none is set up.");
    }
    Outcome { content: resolved.content, message: String::new(), explanation: Some(explanation) }
}

/// A request of an operation to the assistant.
struct Asked<'a> {
    task: &'a Task,
    asking: &'a AssistantRequest,
    /// The remaining work budget of the operation.
    meter: &'a Meter,
}

/// Asks the language model, and stores its proposal if the content has not changed in the meantime. A dry run only
/// shows the proposal. If the same request without the dry run follows within ten minutes, and content and chat are
/// unchanged, exactly the shown proposal is stored. When the service stops, the question to the model is abandoned, but
/// a commit that has begun is completed.
async fn ask(
    app: &App,
    model: &Model,
    id: ObjectId,
    context: &ChangeContext,
    asked: &Asked<'_>,
) -> Result<(Investigation, AssistantResult), AuthoringError> {
    let model = model.for_one_operation(context.actor);
    let (asked_on, outcome) = tokio::select! {
        proposed = propose_checked(app, &model, id, context, asked) => proposed?,
        () = app.model_calls.cancelled() => return Err(AuthoringError::Stopping),
    };
    let decide = |before: &Investigation, (): &()| {
        if !same_content(&before.content, &asked_on.content) {
            return Err(AuthoringError::ChangedMeanwhile);
        }
        decided(app, context, asked.task, before, &outcome)
    };
    // `decide` compares the content, so another revision with the same content is allowed.
    let context = &ChangeContext { expected: Expected::Any, ..context.clone() };
    change(app, id, context, |_| chat(app, id), decide).await
}

/// Loads the investigation, and returns it with the model's proposal, or with the proposal that a dry run has shown for
/// the same question. Also caches the model's findings for the proposed content, for the change that follows.
async fn propose_checked(
    app: &App,
    model: &Model,
    id: ObjectId,
    context: &ChangeContext,
    asked: &Asked<'_>,
) -> Result<(Investigation, Outcome), AuthoringError> {
    let &Asked { task, meter, .. } = asked;
    let asked_on = load_expected(app, id, context).await?;
    // If loading a large investigation took a permit for heavy requests, exchanges it for a permit to use the
    // assistant, because other requests need the heavy permit while the model is at work.
    admission::without_waiting(admission::hold(Class::Assistant)).await.map_err(StoreError::from)?;
    check_chat(app, asked_on.id).await?;
    let ChatPage { page, .. } = app
        .store
        .chat(id, PageRequest::first(MAX_TURNS), ChatPart::Words)
        .await?
        .ok_or(AuthoringError::ChatNotFound(id))?;
    let newest = page.entries.first().map(|(place, _)| place.number);
    let chat: Vec<ChatEntry> = page.entries.into_iter().rev().map(|(_, entry)| entry).collect();
    let content_key = findings::key(app, model, &asked_on.content).await;
    let question = json!([id, context.caller.user, task, newest, content_key]).to_string();
    let shown = if context.dry_run { None } else { app.shown_proposals.get(&question) };
    let is_new = shown.is_none();
    let mut outcome = match shown {
        Some(shown) => shown,
        None => {
            let outcome = propose(app, model, &asked_on, &chat, asked).await?;
            // The fields get the order in which they will be stored, because cached findings depend on this order.
            Outcome { content: history::in_order_of(&asked_on.content, &outcome.content), ..outcome }
        }
    };
    // Gets the model's findings even if the model changed nothing. Storing the outcome takes these findings from the
    // cache, and they may have been evicted from the cache.
    let by_model = findings::model_findings(app, model, id, &outcome.content).await.unwrap_or_else(|error| {
        tracing::warn!(investigation.id = %id, failure = %error, "the language model failed; only the rules' findings count");
        Findings::default()
    });
    if let Task::Regenerate(field) = task
        && is_new
    {
        let scope =
            Scope { content: &outcome.content, field, schema: &app.schema, dismissals: &asked_on.dismissals, meter };
        let detect = || app.assistant.detect(&outcome.content);
        let by_rules = app.admission.core(context.actor, content::bytes(&outcome.content)).await.run(detect);
        let mut open = by_rules.merged_with(by_model).contradictions;
        open.retain(|finding| scope.includes(finding));
        let said = outcome.explanation.into_iter().chain(summary::still_open(&open));
        outcome.explanation = Some(said.collect::<Vec<_>>().join(" "));
    }
    if context.dry_run {
        app.shown_proposals.insert(question, outcome.clone());
    }
    Ok((asked_on, outcome))
}

async fn propose(
    app: &App,
    model: &Model,
    asked_on: &Investigation,
    chat: &[ChatEntry],
    &Asked { task, asking, meter }: &Asked<'_>,
) -> Result<Outcome, AuthoringError> {
    let Investigation { content, dismissals, .. } = asked_on;
    let scope = |field| Scope { content, field, schema: &app.schema, dismissals, meter };
    match task {
        Task::Resolve(field) => proposals::resolve(app, model, asked_on.id, scope(field), asking).await,
        Task::Regenerate(field) => proposals::regenerate(app, model, scope(field), chat, asking).await,
        Task::Converse(said) => {
            asking.count(&app.limits)?;
            proposals::converse(model, scope(""), chat, said).await
        }
    }
}

/// Returns the change that stores the proposed content. If the content stays the same, there is no version record.
fn decided(
    app: &App,
    context: &ChangeContext,
    task: &Task,
    before: &Investigation,
    outcome: &Outcome,
) -> Result<Decided<AssistantResult>, AuthoringError> {
    check_size(&before.content, &outcome.content)?;
    let content = history::in_order_of(&before.content, &outcome.content);
    let kind = match task {
        Task::Resolve(_) => Kind::Resolve,
        Task::Regenerate(_) => Kind::Regenerate,
        Task::Converse(_) => Kind::Converse,
    };
    let act = Act { kind, by: context.caller.user, at: app.clock.now() };
    let step = history::record(before, &content, act);
    let after = after_step(app, before, &step, content);
    let changed_fields: Vec<String> = match &step {
        Step::Record(record) => record.fields().into_iter().map(str::to_owned).collect(),
        _ => Vec::new(),
    };
    let message = match task {
        Task::Resolve(_) => NewMessage::by_service(&*outcome.message),
        Task::Regenerate(_) if changed_fields.is_empty() => NewMessage::by_service(NOT_REGENERATED),
        Task::Regenerate(_) => NewMessage::by_service(REGENERATED),
        Task::Converse(said) => NewMessage {
            by_person: said.clone(),
            person: context.caller.user,
            by_assistant: outcome.message.clone(),
            for_llm: for_llm(&outcome.message, &changed_fields),
        },
    };
    let answer = AssistantResult {
        message: message.by_assistant.clone(),
        explanation: outcome.explanation.clone(),
        changed_fields,
    };
    Ok(Decided { after, step, message: Some(message), answer })
}

/// Returns what the model sees of an answer in later requests: the answer and the names of the changed fields. It
/// receives the current investigation separately.
fn for_llm(answer: &str, changed: &[String]) -> String {
    match changed {
        [] => answer.to_owned(),
        fields => format!("{answer}\n[changed: {}]", fields.join(", ")),
    }
}
