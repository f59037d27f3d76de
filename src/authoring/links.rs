//! Links: create, resolve, delete.

use super::{Created, Failure, Once, Who, in_time, once};
use crate::app::{App, VISITS};
use crate::domain::id::ObjectId;
use crate::domain::link::{Link, LinkRequest, Visit};
use crate::limits;
use crate::store::{Kept, LinkCreated};

/// How many generated sub-links are tried before it is given up: with 31^8 of them, a second try is news.
const MAX_TRIES: usize = 8;

/// Creates a link to an investigation; where it is `once`, a repeat gets the link that the first request created.
///
/// # Errors
/// [`Failure`]
pub async fn create(
    app: &App,
    investigation: ObjectId,
    who: &Who,
    asked: LinkRequest,
    once: Option<&Once>,
) -> Result<Created<Link>, Failure> {
    if let (Some(once), Some(kept)) = (once, once::before(app, once).await?) {
        return again(once, &kept);
    }
    in_time(app, who.caller, create_one(app, investigation, who.by, asked, once)).await
}

fn again(once: &Once, kept: &Kept) -> Result<Created<Link>, Failure> {
    Ok(Created { what: once.read(kept)?, again: true })
}

async fn create_one(
    app: &App,
    investigation: ObjectId,
    creator: Option<ObjectId>,
    asked: LinkRequest,
    once: Option<&Once>,
) -> Result<Created<Link>, Failure> {
    let LinkRequest { key, sub_link, description } = asked;
    for _ in 0..MAX_TRIES {
        let now = app.clock.now();
        let link = Link {
            id: app.ids.object_id(now),
            key: key.clone(),
            sub_link: match &sub_link {
                Some(chosen) => chosen.clone(),
                None => app.ids.sub_link()?,
            },
            description: description.clone(),
            investigation_id: investigation,
            creator,
            visit_count: 0,
            created_at: now,
        };
        let first = once.map(|once| once.first(&link, true, now)).transpose()?;
        match (app.store.create_link(link.clone(), first).await?, once) {
            (LinkCreated::Done, _) => return Ok(Created::now(link)),
            (LinkCreated::Before(kept), Some(once)) => return again(once, &kept),
            (LinkCreated::Before(_), None) => return Err(Failure::Damaged),
            (LinkCreated::NoInvestigation, _) => return Err(Failure::InvestigationNotFound),
            (LinkCreated::Taken, _) if sub_link.is_some() => break,
            (LinkCreated::Taken, _) => {}
        }
    }
    Err(Failure::LinkExists)
}

/// Counts a visit and says where the link leads.
///
/// # Errors
/// [`Failure`]
pub async fn resolve(app: &App, caller: limits::Who, key: String, sub_link: String) -> Result<Visit, Failure> {
    let _place = app.turns.visit(caller).map_err(|refused| Failure::no_room(refused, "visits", VISITS))?;
    let day = app.clock.now().day();
    app.store.visit(key, sub_link, day).await?.ok_or(Failure::LinkNotFound)
}

/// Deletes a link with its counts.
///
/// # Errors
/// [`Failure`]
pub async fn delete(app: &App, caller: limits::Who, key: String, sub_link: String) -> Result<(), Failure> {
    let deleted = in_time(app, caller, async { Ok(app.store.delete_link(key, sub_link).await?) }).await?;
    if deleted { Ok(()) } else { Err(Failure::LinkNotFound) }
}
