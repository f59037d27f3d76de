//! `GET /api/people`

use axum::extract::State;
use axum::response::{IntoResponse, Response};
use serde::Serialize;

use crate::app::App;
use crate::domain::id::ObjectId;
use crate::domain::page::{self, PersonPosition};
use crate::domain::permission::{Operation, Role};
use crate::domain::person::Person;
use crate::http::auth::{SignedIn, check_role};
use crate::http::envelope::{Answer, Pagination};
use crate::http::error::ApiError;
use crate::http::names;
use crate::http::params::{Paged, PeopleWanted};

/// Maximum number of people that a search returns to callers who are not admins.
const MAX_FOUND: u32 = 20;

/// Maximum number of people on a page.
pub const MAX_PEOPLE: u32 = 100;

#[derive(Debug, Serialize)]
struct People {
    items: Vec<ListedPerson>,
    pagination: Pagination,
}

/// The properties of a person that everybody may see.
#[derive(Debug, Serialize)]
struct Named {
    id: ObjectId,
    name: Option<String>,
    /// The role, in search results for authors, so that they do not choose a reader as editor; `None` for requests with
    /// `ids`.
    #[serde(skip_serializing_if = "Option::is_none")]
    role: Option<Role>,
}

/// A person, as the caller may see it.
#[derive(Debug, Serialize)]
#[serde(untagged)]
enum ListedPerson {
    Whole(Person),
    Named(Named),
}

/// Returns the names of the people with these ids, or of the people whom a search finds. For an admin, a request
/// without ids returns all properties of the people whom the search finds, page by page. Without ids and search, an
/// admin gets everybody.
pub async fn list(
    State(app): State<App>,
    SignedIn(caller): SignedIn,
    wanted: PeopleWanted,
    Paged(wanted_page): Paged<PersonPosition, MAX_PEOPLE>,
) -> Result<Response, ApiError> {
    let search = match wanted {
        PeopleWanted::Ids(_) if wanted_page.after.is_some() => {
            return Err(ApiError::invalid_at("cursor", "cannot be given with ids"));
        }
        PeopleWanted::Ids(ids) => {
            let named = names::named(&app, &caller, &ids).await;
            let items =
                named.into_iter().map(|(id, name)| ListedPerson::Named(Named { id, name, role: None })).collect();
            return Ok(shown(items, false, None));
        }
        PeopleWanted::Search(search) => Some(search),
        PeopleWanted::All => None,
    };
    if caller.principal.is_admin() {
        let found = app.store.all_people(search.as_ref(), wanted_page).await?;
        let next_cursor = found.entries.last().filter(|_| found.has_more).map(|(last, _)| page::cursor(last));
        let items = found.entries.into_iter().map(|(_, person)| ListedPerson::Whole(person)).collect();
        return Ok(shown(items, found.has_more, next_cursor));
    }
    let search = search.ok_or_else(|| ApiError::invalid_at("search", "is required unless ids is given"))?;
    check_role(caller.principal, Operation::Create, &app)?;
    let limit = wanted_page.limit.min(MAX_FOUND);
    let default = app.http.default_role;
    let found = app.store.search_people(&search, default, limit).await?;
    let named = |person: Person| {
        let role = Some(person.role_or(default));
        ListedPerson::Named(Named { id: person.id, name: person.name, role })
    };
    Ok(shown(found.entries.into_iter().map(|(_, person)| named(person)).collect(), found.has_more, None))
}

fn shown(items: Vec<ListedPerson>, has_more: bool, next_cursor: Option<String>) -> Response {
    let pagination = Pagination { has_more, next_cursor };
    Answer::without_message(People { items, pagination }).into_response()
}
