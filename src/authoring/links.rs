//! Links: create, resolve, delete.

use super::{Failure, in_time};
use crate::app::App;
use crate::domain::id::ObjectId;
use crate::domain::link::{Link, LinkRequest, Visit};
use crate::store::LinkCreated;

/// How many generated sub-links are tried before it is given up: with 31^8 of them, a second try is news.
const MAX_TRIES: usize = 8;

/// Creates a link to an investigation.
///
/// # Errors
/// [`Failure`]
pub async fn create(
    app: &App,
    investigation: ObjectId,
    creator: Option<ObjectId>,
    asked: LinkRequest,
) -> Result<Link, Failure> {
    in_time(app, create_one(app, investigation, creator, asked)).await
}

async fn create_one(
    app: &App,
    investigation: ObjectId,
    creator: Option<ObjectId>,
    asked: LinkRequest,
) -> Result<Link, Failure> {
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
        match app.store.create_link(link.clone()).await? {
            LinkCreated::Done => return Ok(link),
            LinkCreated::NoInvestigation => return Err(Failure::InvestigationNotFound),
            LinkCreated::Taken if sub_link.is_some() => break,
            LinkCreated::Taken => {}
        }
    }
    Err(Failure::LinkExists)
}

/// Counts a visit and says where the link leads.
///
/// # Errors
/// [`Failure`]
pub async fn resolve(app: &App, key: String, sub_link: String) -> Result<Visit, Failure> {
    let day = app.clock.now().day();
    app.store.visit(key, sub_link, day).await?.ok_or(Failure::LinkNotFound)
}

/// Deletes a link with its counts.
///
/// # Errors
/// [`Failure`]
pub async fn delete(app: &App, key: String, sub_link: String) -> Result<(), Failure> {
    let deleted = in_time(app, async { Ok(app.store.delete_link(key, sub_link).await?) }).await?;
    if deleted { Ok(()) } else { Err(Failure::LinkNotFound) }
}
