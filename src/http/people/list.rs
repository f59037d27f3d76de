//! `GET /api/people`

use axum::extract::State;
use axum::response::{IntoResponse, Response};
use serde::Serialize;

use crate::app::App;
use crate::domain::id::ObjectId;
use crate::domain::page::{self, PersonPosition};
use crate::domain::permission::{Operation, Principal};
use crate::domain::person::Person;
use crate::http::auth::{SignedIn, check_role};
use crate::http::envelope::Answer;
use crate::http::error::ApiError;
use crate::http::names;
use crate::http::params::{Paged, PeopleWanted};

/// Maximum number of people that a search returns.
const MAX_FOUND: u32 = 20;

/// Maximum number of people on a page.
pub const MAX_PEOPLE: u32 = 100;

#[derive(Debug, Serialize)]
struct People {
    items: Vec<Shown>,
    pagination: Pagination,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Pagination {
    has_more: bool,
    next_cursor: Option<String>,
}

/// What everybody may know of a person.
#[derive(Debug, Serialize)]
struct Named {
    id: ObjectId,
    name: Option<String>,
}

/// A person, as the caller may see it.
#[derive(Debug, Serialize)]
#[serde(untagged)]
enum Shown {
    Whole(Person),
    Named(Named),
}

impl Shown {
    fn to(caller: Principal, person: Person) -> Self {
        if caller.is_admin() { Self::Whole(person) } else { Self::Named(Named { id: person.id, name: person.name }) }
    }
}

/// Returns the names of some people, those whom a search finds, or, to admins, all.
pub async fn list(
    State(app): State<App>,
    SignedIn(caller): SignedIn,
    wanted: PeopleWanted,
    pages: Paged<PersonPosition, MAX_PEOPLE>,
) -> Result<Response, ApiError> {
    let principal = caller.principal;
    let mut next_cursor = None;
    let items = match wanted {
        PeopleWanted::Ids(ids) => {
            let users: Vec<_> = ids.into_iter().map(Some).collect();
            let profiles = names::profiles(&app, &caller, &users).await;
            let named =
                profiles.into_iter().filter_map(|profile| profile.id.map(|id| Named { id, name: profile.name }));
            named.map(Shown::Named).collect()
        }
        PeopleWanted::Search(search) => {
            check_role(principal, Operation::Create, &app)?;
            let limit = pages.0.limit.min(MAX_FOUND);
            let found = app.store.search_people(&search, principal.is_admin(), limit).await?;
            found.into_iter().map(|person| Shown::to(principal, person)).collect()
        }
        PeopleWanted::All if principal.is_admin() => {
            let found = app.store.all_people(pages.0).await?;
            next_cursor = found.entries.last().filter(|_| found.has_more).map(|(last, _)| page::cursor(last));
            found.entries.into_iter().map(|(_, person)| Shown::Whole(person)).collect()
        }
        PeopleWanted::All => return Err(ApiError::invalid_at("search", "is required, or ids")),
    };
    let pagination = Pagination { has_more: next_cursor.is_some(), next_cursor };
    Ok(Answer::without_message(People { items, pagination }).into_response())
}
