//! Creates investigations, from scratch or as clones. A repeated idempotent request gets the answer to the first
//! request.

use std::sync::Arc;

use serde_json::{Map, Value};

use super::change::{check_size, in_time, refuse};
use super::context::RespondAfter;
use super::failure::Failure;
use super::findings;
use super::idempotency::{self, CreateOptions, Created};
use crate::app::App;
use crate::domain::audit::AuditActor;
use crate::domain::content::{self, Content};
use crate::domain::dismissal::Dismissal;
use crate::domain::finding::Findings;
use crate::domain::id::ObjectId;
use crate::domain::investigation::{Investigation, NewInvestigation};
use crate::domain::request::CreateRequest;
use crate::store::{self, Row, StoredAnswer};

pub async fn create(app: &App, by: Option<ObjectId>, body: Map<String, Value>) -> Result<Investigation, Failure> {
    let by = AuditActor { user: by, key: None };
    create_with(app, by, body, CreateOptions::default()).await.map(|created| created.what)
}

/// Works like [`create`], with options. A repeated idempotent request returns the result of the first request.
pub async fn create_with(
    app: &App,
    by: AuditActor,
    body: Map<String, Value>,
    options: CreateOptions<'_>,
) -> Result<Created<Investigation>, Failure> {
    if let (Some(request), Some(stored)) =
        (options.idempotency, idempotency::stored_answer(app, options.idempotency).await?)
    {
        return idempotency::replay(app, request, &stored, options).await;
    }
    let bytes = content::bytes(&body);
    let check = || {
        let request = CreateRequest::read(body)?;
        check_size(&request.content)?;
        refuse(app.schema.violations(&request.content))?;
        Ok::<_, Failure>(request)
    };
    let asked = app.capacity.compute(options.actor, bytes, check).await?;
    let CreateRequest { content, author, metadata_author, status, editors } = asked;
    let at = app.clock.now();
    let id = app.ids.object_id(at);
    let new = NewInvestigation { id, author: author.or(by.user), metadata_author, status, cloned_from: None, at };
    let start = Start { new, editors, content, dismissals: Vec::new() };
    let creation = in_time(app, options.actor, store_new(app, start, by, options)).await?;
    finish_creation(app, creation, options).await
}

/// Creates a copy of an investigation: its content and dismissals. The copy has a history and a chat of its own.
pub async fn clone(
    app: &App,
    id: ObjectId,
    by: AuditActor,
    options: CreateOptions<'_>,
) -> Result<Created<Investigation>, Failure> {
    if let (Some(request), Some(stored)) =
        (options.idempotency, idempotency::stored_answer(app, options.idempotency).await?)
    {
        return idempotency::replay(app, request, &stored, options).await;
    }
    let creation = in_time(app, options.actor, clone_stored(app, id, by, options)).await?;
    finish_creation(app, creation, options).await
}

async fn clone_stored(
    app: &App,
    id: ObjectId,
    by: AuditActor,
    options: CreateOptions<'_>,
) -> Result<Creation, Failure> {
    let source = app.store.load(id).await?.ok_or(Failure::InvestigationNotFound)?;
    let at = app.clock.now();
    let new = NewInvestigation {
        id: app.ids.object_id(at),
        author: by.user.or(source.author),
        // As in an investigation created from scratch, the user's first update sets this field.
        metadata_author: if by.user.is_some() { None } else { source.metadata_author },
        status: None,
        cloned_from: Some(source.id),
        at,
    };
    let start = Start { new, editors: Vec::new(), content: source.content, dismissals: source.dismissals };
    store_new(app, start, by, options).await
}

/// What a new investigation starts with.
struct Start {
    new: NewInvestigation,
    editors: Vec<ObjectId>,
    content: Content,
    dismissals: Vec<Dismissal>,
}

enum Creation {
    Stored(Box<Investigation>),
    /// An earlier request with the same idempotency key has created the investigation.
    Replayed(StoredAnswer),
}

async fn store_new(app: &App, start: Start, by: AuditActor, options: CreateOptions<'_>) -> Result<Creation, Failure> {
    let Start { new, editors, content, dismissals } = start;
    let bytes = content::bytes(&content);
    let findings = app.capacity.compute(options.actor, bytes, || app.assistant.detect(&content)).await;
    // The status depends on the dismissals, so it is computed after these are set.
    let unknown = Findings { pending: true, ..Findings::default() };
    let new = Investigation::new(new, content, unknown, &app.schema);
    let investigation = Investigation { editors, dismissals, ..new }.with_findings(findings, &app.schema);
    let investigation = findings::with_cached_findings(app, options.actor, investigation).await;
    let chat = app.ids.object_id(investigation.created_at);
    let is_final = options.respond_after == RespondAfter::Stored || !investigation.findings.pending;
    let prepare = || {
        let first = options
            .idempotency
            .map(|request| request.idempotent_answer(&investigation, is_final, investigation.created_at))
            .transpose()?;
        Ok::<_, Failure>((Row::of(investigation)?, first))
    };
    let (row, first) = app.capacity.compute(options.actor, bytes, prepare).await?;
    let investigation = row.investigation.clone();
    match app.store.create(row, chat, first, by).await? {
        store::Created::Done => {
            app.feed.changed();
            Ok(Creation::Stored(Box::new(Arc::unwrap_or_clone(investigation))))
        }
        store::Created::KeyUsed(stored) => Ok(Creation::Replayed(stored)),
    }
}

async fn finish_creation(
    app: &App,
    creation: Creation,
    options: CreateOptions<'_>,
) -> Result<Created<Investigation>, Failure> {
    match (creation, options.idempotency) {
        (Creation::Replayed(stored), Some(request)) => idempotency::replay(app, request, &stored, options).await,
        (Creation::Replayed(_), None) => Err(Failure::Damaged),
        (Creation::Stored(stored), _) => Ok(Created::now(idempotency::finish(app, *stored, options).await)),
    }
}
