//! Creates investigations, from scratch or as clones. A repeated idempotent request gets the answer to the first
//! request.

use std::sync::Arc;

use serde_json::{Map, Value};
use tokio::time::Instant;

use super::change::{check_right, check_size, in_time, in_turn};
use super::context::ChangeContext;
use super::error::{AuthoringError, refuse};
use super::findings;
use super::idempotency::{self, Created, IdempotentRequest};
use super::references;
use crate::app::App;
use crate::domain::content::{self, Content};
use crate::domain::dismissal::Dismissal;
use crate::domain::finding::Findings;
use crate::domain::id::ObjectId;
use crate::domain::investigation::{Investigation, MAX_CREATED, NewInvestigation};
use crate::domain::permission::{Principal, Role};
use crate::domain::picture;
use crate::domain::request::CreateRequest;
use crate::store::InvestigationRow;

pub async fn create(
    app: &App,
    by: Option<ObjectId>,
    body: Map<String, Value>,
) -> Result<Investigation, AuthoringError> {
    let caller = Principal { user: by, role: Role::Author, key: None };
    let context = ChangeContext { caller, ..ChangeContext::default() };
    create_once(app, &context, body, None).await.map(|created| created.what)
}

/// Creates an investigation. A repeated idempotent request gets the investigation that the first request created.
pub async fn create_once(
    app: &App,
    context: &ChangeContext,
    body: Map<String, Value>,
    request: Option<&IdempotentRequest>,
) -> Result<Created<Investigation>, AuthoringError> {
    check_right(app, context).await?;
    if let Some(created) = idempotency::replay(app, context, request).await? {
        return Ok(created);
    }
    let bytes = content::bytes(&body);
    let check = || {
        let mut asked = CreateRequest::read(body)?;
        app.schema.remove_nulls(&mut asked.content);
        check_size(&Content::new(), &asked.content)?;
        refuse(app.schema.violations(&asked.content))?;
        // Refuses content that refers to pictures, because pictures can be added only to an investigation that already
        // exists.
        references::check(&picture::references(&asked.content), &[])?;
        Ok::<_, AuthoringError>(asked)
    };
    let asked = in_turn(Instant::now(), app.admission.core(context.actor, bytes)).await?.run(check)?;
    let CreateRequest { content, author, metadata_author, status, editors } = asked;
    let at = app.clock.now();
    let id = app.ids.object_id(at);
    let author = author.or(context.caller.user);
    let new = NewInvestigation { id, author, metadata_author, status, cloned_from: None, at };
    let start = Start { new, editors, content, dismissals: Vec::new() };
    let stored = in_time(app, context, store_new(app, start, context, request)).await?;
    finish(app, stored, context, request).await
}

/// Creates a copy of an investigation: its content and dismissals. The copy starts with a new history and a new chat.
pub async fn clone(
    app: &App,
    id: ObjectId,
    context: &ChangeContext,
    request: Option<&IdempotentRequest>,
) -> Result<Created<Investigation>, AuthoringError> {
    check_right(app, context).await?;
    if let Some(created) = idempotency::replay(app, context, request).await? {
        return Ok(created);
    }
    let clone_stored = async {
        let start =
            Start::clone_of(app, app.store.load(id).await?.ok_or(AuthoringError::InvestigationNotFound)?, context);
        store_new(app, start, context, request).await
    };
    let stored = in_time(app, context, clone_stored).await?;
    finish(app, stored, context, request).await
}

/// The initial data of a new investigation.
struct Start {
    new: NewInvestigation,
    editors: Vec<ObjectId>,
    content: Content,
    dismissals: Vec<Dismissal>,
}

impl Start {
    fn clone_of(app: &App, source: Investigation, context: &ChangeContext) -> Self {
        let user = context.caller.user;
        let at = app.clock.now();
        let new = NewInvestigation {
            id: app.ids.object_id(at),
            author: user.or(source.author),
            // As in an investigation created from scratch, the user's first update sets this field.
            metadata_author: if user.is_some() { None } else { source.metadata_author },
            status: None,
            cloned_from: Some(source.id),
            at,
        };
        Self { new, editors: Vec::new(), content: source.content, dismissals: source.dismissals }
    }
}

/// Stores a new investigation; returns `None` if an earlier request with the same idempotency key has created one.
async fn store_new(
    app: &App,
    start: Start,
    context: &ChangeContext,
    request: Option<&IdempotentRequest>,
) -> Result<Option<Investigation>, AuthoringError> {
    check_room(app, context).await?;
    let Start { new, editors, content, dismissals } = start;
    let bytes = content::bytes(&content);
    let core = in_turn(Instant::now(), app.admission.core(context.actor, bytes)).await?;
    let findings = core.run(|| app.assistant.detect(&content));
    // The status depends on the dismissals, so it is computed after these are set.
    let unknown = Findings { pending: true, ..Findings::default() };
    let new = Investigation::new(new, content, unknown, &app.schema);
    let investigation = Investigation { editors, dismissals, ..new }.with_findings(findings, &app.schema);
    let investigation = findings::with_cached_findings(app, &core, investigation).await;
    let chat = app.ids.object_id(investigation.created_at);
    let is_final = idempotency::is_final(context, &investigation);
    let prepare = || {
        let answer =
            |request: &IdempotentRequest| request.idempotent_answer(&investigation, is_final, investigation.created_at);
        let first = request.map(answer).transpose()?;
        Ok::<_, AuthoringError>((InvestigationRow::of(investigation)?, first))
    };
    let (row, first) = core.run(prepare)?;
    drop(core);
    let investigation = row.investigation.clone();
    if app.store.create(row, chat, first, context.caller.into()).await?.is_some() {
        return Ok(None);
    }
    Ok(Some(Arc::unwrap_or_clone(investigation)))
}

/// Refuses a user who has already created the maximum number of investigations. There is no limit for admins, such as a
/// program that creates the investigations of a whole school. Concurrent requests may exceed the limit slightly.
async fn check_room(app: &App, context: &ChangeContext) -> Result<(), AuthoringError> {
    let user = context.caller.user.filter(|_| !context.caller.is_admin());
    match user {
        Some(user) if app.store.created_by(user).await? >= MAX_CREATED => Err(AuthoringError::TooManyInvestigations),
        _ => Ok(()),
    }
}

async fn finish(
    app: &App,
    stored: Option<Investigation>,
    context: &ChangeContext,
    request: Option<&IdempotentRequest>,
) -> Result<Created<Investigation>, AuthoringError> {
    match stored {
        Some(stored) => Ok(Created::now(idempotency::finish(app, stored, context, request).await)),
        None => idempotency::replay(app, context, request)
            .await?
            .ok_or_else(|| AuthoringError::damaged("an idempotent answer is missing")),
    }
}
