//! Operations on links: create, change, resolve, delete.

use super::change::{check_right, in_time};
use super::context::ChangeContext;
use super::error::AuthoringError;
use super::idempotency::{self, Created, IdempotentRequest};
use super::load::{check_permission, is_checked};
use crate::app::App;
use crate::domain::event::{EventKind, LinkName};
use crate::domain::id::ObjectId;
use crate::domain::link::{Link, VisitKind};
use crate::domain::link_request::{LinkChange, LinkRequest};
use crate::domain::schema::Violation;
use crate::store::{CountedVisit, IdempotentAnswer, LinkChanged, LinkCreated, Reports, Stamp, Visited};

/// Maximum number of attempts to generate an unused sub-link. There are 31^8 possible sub-links, so even a second
/// attempt is extremely rare.
const MAX_TRIES: usize = 8;

/// Creates a link to an investigation. A repeated idempotent request gets the link that the first request created.
pub async fn create(
    app: &App,
    investigation: ObjectId,
    context: &ChangeContext,
    asked: LinkRequest,
    request: Option<&IdempotentRequest>,
) -> Result<Created<Link>, AuthoringError> {
    check_right(app, context).await?;
    if let Some(request) = request
        && let Some(stored) = idempotency::stored_answer(app, request).await?
    {
        return replay(request, &stored);
    }
    check_permission(app, investigation, context).await?;
    in_time(app, context, create_one(app, investigation, context, asked, request)).await
}

fn replay(request: &IdempotentRequest, stored: &IdempotentAnswer) -> Result<Created<Link>, AuthoringError> {
    Ok(Created { what: request.read(stored)?, replayed: true })
}

async fn create_one(
    app: &App,
    investigation: ObjectId,
    context: &ChangeContext,
    asked: LinkRequest,
    request: Option<&IdempotentRequest>,
) -> Result<Created<Link>, AuthoringError> {
    let LinkRequest { key, sub_link, description, options } = asked;
    for _ in 0..MAX_TRIES {
        let now = app.clock.now();
        let link = Link {
            id: app.ids.object_id(now),
            key: key.clone(),
            sub_link: sub_link.clone().unwrap_or_else(|| app.ids.sub_link()),
            description: description.clone(),
            investigation_id: investigation,
            creator: context.caller.user,
            visit_count: 0,
            created_at: now,
            options: options.clone(),
        };
        let first = request.map(|request| request.idempotent_answer(&link, true, now)).transpose()?;
        let stamp = Stamp { actor: context.caller.into(), at: now };
        let reports = Reports::of(stamp, investigation, vec![EventKind::LinkCreated(link.name())]);
        match (app.store.create_link(link.clone(), first, reports).await?, request) {
            (LinkCreated::Done, _) => return Ok(Created::now(link)),
            (LinkCreated::KeyUsed(stored), Some(request)) => return replay(request, &stored),
            (LinkCreated::KeyUsed(_), None) => return Err(AuthoringError::damaged("an idempotent answer is missing")),
            (LinkCreated::NoInvestigation, _) => return Err(AuthoringError::InvestigationNotFound),
            (LinkCreated::NoVersion, _) => return Err(no_version()),
            (LinkCreated::Full, _) => return Err(AuthoringError::TooManyLinks),
            (LinkCreated::Taken, _) if sub_link.is_some() => break,
            (LinkCreated::Taken, _) => {}
        }
    }
    Err(AuthoringError::LinkExists)
}

/// Counts a visit of an open link. Returns the number of the visit, and the link's investigation and its state.
pub async fn visit(app: &App, name: LinkName, kind: VisitKind) -> Result<CountedVisit, AuthoringError> {
    match app.store.visit(name.key, name.sub_link, kind, app.clock.now()).await? {
        Visited::Counted(visit) => Ok(visit),
        Visited::NoLink => Err(AuthoringError::LinkNotFound),
        Visited::Closed => Err(AuthoringError::LinkClosed),
        Visited::Limited => Err(AuthoringError::VisitLimited),
    }
}

/// Returns a link if it is open. Does not count as a visit.
pub async fn find_open(app: &App, name: LinkName) -> Result<Link, AuthoringError> {
    let link = app.store.link(name.key, name.sub_link).await?.ok_or(AuthoringError::LinkNotFound)?;
    if link.is_closed(app.clock.now()) { Err(AuthoringError::LinkClosed) } else { Ok(link) }
}

pub async fn change(
    app: &App,
    context: &ChangeContext,
    LinkName { key, sub_link }: LinkName,
    change: LinkChange,
) -> Result<Link, AuthoringError> {
    let checked = check_link(app, context, &key, &sub_link).await?;
    let changed = app.store.change_link(key, sub_link, checked, change, context.stamp(app));
    match in_time(app, context, async { Ok(changed.await?) }).await? {
        LinkChanged::Done(link) => Ok(link),
        LinkChanged::NoLink => Err(AuthoringError::LinkNotFound),
        LinkChanged::NoVersion => Err(no_version()),
    }
}

/// Checks that the caller may change the investigation to which the link belongs. Returns the id of the checked link;
/// `None` if the caller may change all links. When the link is changed, another one may have its address.
async fn check_link(
    app: &App,
    context: &ChangeContext,
    key: &str,
    sub_link: &str,
) -> Result<Option<ObjectId>, AuthoringError> {
    if !is_checked(app, context) {
        return Ok(None);
    }
    let link = app.store.link(key.to_owned(), sub_link.to_owned()).await?.ok_or(AuthoringError::LinkNotFound)?;
    check_permission(app, link.investigation_id, context).await?;
    Ok(Some(link.id))
}

fn no_version() -> AuthoringError {
    AuthoringError::Invalid(vec![Violation::new("version", "is not the number of a version of this investigation")])
}

pub async fn delete(app: &App, context: &ChangeContext, key: String, sub_link: String) -> Result<(), AuthoringError> {
    let checked = check_link(app, context, &key, &sub_link).await?;
    let deleted = app.store.delete_link(key, sub_link, checked, context.stamp(app));
    let deleted = in_time(app, context, async { Ok(deleted.await?) }).await?;
    if deleted { Ok(()) } else { Err(AuthoringError::LinkNotFound) }
}
