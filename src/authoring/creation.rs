//! Creating an investigation, anew or as a copy, and giving a repeat of the request the first answer.

use std::sync::Arc;

use serde_json::{Map, Value};

use super::once::{self, Created, Once};
use super::{Answered, Failure, check_size, in_time, processing, refuse};
use crate::app::App;
use crate::domain::content::{self, Content};
use crate::domain::dismissal::Dismissal;
use crate::domain::finding::Findings;
use crate::domain::id::ObjectId;
use crate::domain::investigation::{Birth, Investigation};
use crate::domain::request::CreateRequest;
use crate::limits;
use crate::store::{self, Kept, Row};

/// How a creation is to be done.
#[derive(Debug, Clone, Copy, Default)]
pub struct CreateOptions<'o> {
    /// From `Idempotency-Key`.
    pub once: Option<&'o Once>,
    /// Whose share of the service's resources this takes.
    pub caller: limits::Who,
    /// From `Prefer`.
    pub answered: Answered,
}

/// Creates an investigation and its chat.
///
/// # Errors
/// [`Failure`]
pub async fn create(app: &App, by: Option<ObjectId>, body: Map<String, Value>) -> Result<Investigation, Failure> {
    create_once(app, by, body, CreateOptions::default()).await.map(|created| created.what)
}

/// The same with options; where it is `once`, a repeat gets what the first request created, as that was answered.
///
/// # Errors
/// [`Failure`]
pub async fn create_once(
    app: &App,
    by: Option<ObjectId>,
    body: Map<String, Value>,
    options: CreateOptions<'_>,
) -> Result<Created<Investigation>, Failure> {
    if let (Some(once), Some(kept)) = (options.once, once::before(app, options.once).await?) {
        return once::again(app, once, &kept, options).await;
    }
    let bytes = content::bytes(&body);
    let check = || {
        let request = CreateRequest::read(body)?;
        check_size(&request.content)?;
        refuse(app.schema.violations(&request.content))?;
        Ok::<_, Failure>(request)
    };
    let asked = app.turns.compute(options.caller, bytes, check).await?;
    let CreateRequest { content, author, metadata_author, status } = asked;
    let at = app.clock.now();
    let id = app.ids.object_id(at);
    let birth = Birth { id, author: author.or(by), metadata_author, status, cloned_from: None, at };
    let born = in_time(app, options.caller, store_new(app, birth, content, Vec::new(), options)).await?;
    brought_up(app, born, options).await
}

/// Makes a copy of an investigation's content, with a history and a chat of its own.
///
/// # Errors
/// [`Failure`]
pub async fn clone(
    app: &App,
    id: ObjectId,
    by: Option<ObjectId>,
    options: CreateOptions<'_>,
) -> Result<Created<Investigation>, Failure> {
    if let (Some(once), Some(kept)) = (options.once, once::before(app, options.once).await?) {
        return once::again(app, once, &kept, options).await;
    }
    let born = in_time(app, options.caller, clone_stored(app, id, by, options)).await?;
    brought_up(app, born, options).await
}

async fn clone_stored(
    app: &App,
    id: ObjectId,
    by: Option<ObjectId>,
    options: CreateOptions<'_>,
) -> Result<Born, Failure> {
    let source = app.store.load(id).await?.ok_or(Failure::InvestigationNotFound)?;
    let at = app.clock.now();
    let birth = Birth {
        id: app.ids.object_id(at),
        author: by.or(source.author),
        // As with an investigation that a user creates: their first update says it.
        metadata_author: if by.is_some() { None } else { source.metadata_author },
        status: None,
        cloned_from: Some(source.id),
        at,
    };
    store_new(app, birth, source.content, source.dismissals, options).await
}

/// An investigation that was stored, or what is kept of the request that was faster.
enum Born {
    Now(Investigation),
    Before(Kept),
}

async fn store_new(
    app: &App,
    birth: Birth,
    content: Content,
    dismissals: Vec<Dismissal>,
    options: CreateOptions<'_>,
) -> Result<Born, Failure> {
    let bytes = content::bytes(&content);
    let findings = app.turns.compute(options.caller, bytes, || app.assistant.detect(&content)).await;
    // Its status is computed once its dismissals are there.
    let unknown = Findings { pending: true, ..Findings::default() };
    let new = Investigation::new(birth, content, unknown, &app.schema);
    let investigation = Investigation { dismissals, ..new }.with_findings(findings, &app.schema);
    let investigation = processing::with_kept(app, options.caller, investigation).await;
    let chat = app.ids.object_id(birth.at);
    let settled = options.answered == Answered::Stored || !investigation.findings.pending;
    let prepare = || {
        let first = options.once.map(|once| once.first(&investigation, settled, birth.at)).transpose()?;
        Ok::<_, Failure>((Row::of(investigation)?, first))
    };
    let (row, first) = app.turns.compute(options.caller, bytes, prepare).await?;
    let investigation = row.investigation.clone();
    match app.store.create(row, chat, first).await? {
        store::Created::Done => {
            app.feed.changed();
            Ok(Born::Now(Arc::unwrap_or_clone(investigation)))
        }
        store::Created::Before(kept) => Ok(Born::Before(kept)),
    }
}

async fn brought_up(app: &App, born: Born, options: CreateOptions<'_>) -> Result<Created<Investigation>, Failure> {
    match (born, options.once) {
        (Born::Before(kept), Some(once)) => once::again(app, once, &kept, options).await,
        (Born::Before(_), None) => Err(Failure::Damaged),
        (Born::Now(stored), _) => Ok(Created::now(once::finish(app, stored, options).await)),
    }
}
