//! Path and query parameters, validated before the operation runs.

use std::collections::HashMap;

use axum::RequestPartsExt;
use axum::extract::{FromRequestParts, Path, Query};
use axum::http::request::Parts;
use fieldbook_reader::Places;
use serde::de::DeserializeOwned;

use super::error::ApiError;
use super::error_code::ErrorCode;
use super::sheet::Format;
use crate::app::App;
use crate::authoring::SplitBy;
pub use crate::domain::event::LinkName;
use crate::domain::event::{EventId, EventIdError};
use crate::domain::history::HistoryRange;
use crate::domain::id::{ObjectId, ObjectIdError};
use crate::domain::lesson_sheet::Audience;
use crate::domain::link;
use crate::domain::list::{self, ListQuery};
use crate::domain::named::Named;
use crate::domain::page::{self, PageRequest};
use crate::domain::path::FieldPath;
use crate::domain::person::PersonSearch;
use crate::domain::picture;
use crate::domain::schema::Violation;
use crate::domain::size::MAX_LIST;

/// Maximum number of entries in a response, for collections such as versions, links and audit entries.
pub const MAX_ENTRIES: u32 = 1000;
const DEFAULT_VERSIONS: u32 = 20;
const DEFAULT_HISTORY: u32 = 50;

/// Header that browsers send when an `EventSource` reconnects.
const LAST_EVENT_ID: &str = "last-event-id";

/// `id` in the path: the id of an investigation. Link operations use it, too.
pub struct InvestigationId(pub ObjectId);
pub struct DismissalId(pub ObjectId);
/// `pictureId` in the path: the id of a picture.
pub struct PictureId(pub String);
/// `fieldPath` in the path: the path of a content field.
pub struct Field(pub FieldPath);
/// `version` in the path: the number of a version.
pub struct Version(pub u64);
/// `for`, `format`, `version` and `link` in the query, for a sheet.
pub struct SheetWanted {
    pub audience: Audience,
    pub format: Format,
    /// `None` for the current version.
    pub version: Option<u64>,
    /// The link whose QR code is in the document.
    pub link: Option<LinkName>,
}
/// `limit` and `before` in the query, for the list of versions.
pub struct Versions(pub HistoryRange);
/// `named` in the query: true if only versions that have a name are returned.
pub struct OnlyNamed(pub bool);
/// `limit` and `before` in the query, for the history of a field.
pub struct History(pub HistoryRange);
/// `limit` and `cursor` in the query, for any collection. `MOST` is the maximum and default of `limit`.
pub struct Paged<P, const MOST: u32 = MAX_ENTRIES>(pub PageRequest<P>);
/// `investigation` in the query: only entries of this investigation are returned.
pub struct OfInvestigation(pub Option<ObjectId>);
/// `id` in the path: the id of a person.
pub struct PersonId(pub ObjectId);
/// `ids` or `search` in the query: which people to return.
pub enum PeopleWanted {
    Ids(Vec<ObjectId>),
    Search(PersonSearch),
    All,
}
/// `reassign` in the query: the new author of what an erased person wrote.
pub struct Reassign(pub Option<ObjectId>);
/// All query parameters of the list of investigations.
pub struct List(pub ListQuery);
/// The header `Last-Event-ID`, or else `after` in the query: the last event that the caller has received.
pub struct After(pub Option<EventId>);
/// `dryRun` in the query: true if the result is returned without being stored.
pub struct DryRun(pub bool);
/// `place` and `assistant` in the query: what decides the field of each block of a document.
pub struct Sorting(pub SplitBy);
/// `permanently` in the query: true if a deleted investigation does not go to the trash.
pub struct Permanently(pub bool);

/// Implements `FromRequestParts` for types, each with the code that reads it.
macro_rules! read_with {
    ($($type:ident: |$parts:ident, $app:ident| $read:expr;)+) => {
        $(impl axum::extract::FromRequestParts<App> for $type {
            type Rejection = ApiError;

            async fn from_request_parts($parts: &mut Parts, $app: &App) -> Result<Self, ApiError> {
                $read
            }
        })+
    };
}
pub(super) use read_with;

read_with! {
    InvestigationId: |parts, _app| investigation_id(parts).await.map(Self);
    PersonId: |parts, _app| object_id("id", &segment(parts, "id").await?).map(Self);
    PeopleWanted: |parts, _app| people_wanted(parts).await;
    Reassign: |parts, _app| id_in_query(parts, "reassign").await.map(Self);
    DismissalId: |parts, _app| object_id("dismissalId", &segment(parts, "dismissalId").await?).map(Self);
    PictureId: |parts, _app| picture_id(parts).await.map(Self);
    Field: |parts, _app| field(parts).await.map(Self);
    Version: |parts, _app| version(&segment(parts, "version").await?).map(Self);
    LinkName: |parts, _app| link_name(parts).await;
    DryRun: |parts, _app| switch(parts, "dryRun").await.map(|given| Self(given.unwrap_or(false)));
    Permanently: |parts, _app| switch(parts, "permanently").await.map(|given| Self(given.unwrap_or(false)));
    OnlyNamed: |parts, _app| switch(parts, "named").await.map(|given| Self(given.unwrap_or(false)));
    Sorting: |parts, _app| sorting(parts).await.map(Self);
    OfInvestigation: |parts, _app| id_in_query(parts, "investigation").await.map(Self);
    After: |parts, _app| after(parts).await.map(Self);
    SheetWanted: |parts, _app| sheet_wanted(parts).await;
    Versions: |parts, _app| history_range(parts, DEFAULT_VERSIONS).await.map(Self);
    History: |parts, _app| history_range(parts, DEFAULT_HISTORY).await.map(Self);
    List: |parts, _app| ListQuery::read(&query(parts).await?).map(Self).map_err(ApiError::invalid);
}

impl<P: DeserializeOwned, const MOST: u32> FromRequestParts<App> for Paged<P, MOST> {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, _: &App) -> Result<Self, ApiError> {
        let limit = number(parts, "limit", u64::from(MOST)).await?.map_or(MOST, |limit| limit as u32);
        let cursor = parameter(parts, "cursor").await?;
        let after = cursor.map(|text| page::read_cursor(&text).ok_or_else(wrong_cursor)).transpose()?;
        Ok(Self(PageRequest { limit, after }))
    }
}

impl<P, const MOST: u32> Paged<P, MOST> {
    /// Returns the request for a page of investigation `id`. Fails if the cursor belongs to another investigation.
    pub fn of(self, id: ObjectId, investigation: impl Fn(&P) -> ObjectId) -> Result<PageRequest<P>, ApiError> {
        match &self.0.after {
            Some(place) if investigation(place) != id => Err(wrong_cursor()),
            _ => Ok(self.0),
        }
    }
}

fn wrong_cursor() -> ApiError {
    ApiError::invalid_at("cursor", "must be the nextCursor of a page of the same collection")
}

/// Returns the path parameters by name. Fails if the path is not percent-encoded UTF-8.
async fn segments(parts: &mut Parts) -> Result<HashMap<String, String>, ApiError> {
    let path: Result<Path<HashMap<String, String>>, _> = parts.extract().await;
    path.map(|Path(segments)| segments).map_err(|_| ApiError::invalid_at("", "the path must be percent-encoded UTF-8"))
}

async fn segment(parts: &mut Parts, name: &str) -> Result<String, ApiError> {
    Ok(segments(parts).await?.remove(name).unwrap_or_default())
}

fn object_id(name: &str, text: &str) -> Result<ObjectId, ApiError> {
    text.parse().map_err(|fault: ObjectIdError| ApiError::invalid_at(name, fault.to_string()))
}

async fn investigation_id(parts: &mut Parts) -> Result<ObjectId, ApiError> {
    let text = segment(parts, "id").await?;
    if text.trim().is_empty() {
        return Err(ApiError::missing("Investigation ID is required", ErrorCode::InvestigationIdRequired));
    }
    object_id("id", &text)
}

async fn picture_id(parts: &mut Parts) -> Result<String, ApiError> {
    let text = segment(parts, "pictureId").await?;
    match picture::is_id(&text) {
        true => Ok(text),
        false => Err(ApiError::invalid_at("pictureId", "must be 64 digits from 0 to 9 and a to f")),
    }
}

async fn field(parts: &mut Parts) -> Result<FieldPath, ApiError> {
    let text = segment(parts, "fieldPath").await?;
    if text.trim().is_empty() {
        return Err(ApiError::missing("Field path is required", ErrorCode::FieldPathRequired));
    }
    if text.contains('\0') {
        return Err(ApiError::invalid_at("fieldPath", "must not hold a NUL character"));
    }
    Ok(FieldPath::parse(&text))
}

fn version(text: &str) -> Result<u64, ApiError> {
    list::number(text, 0, i64::MAX as u64).map_err(|message| ApiError::invalid_at("version", message))
}

async fn link_name(parts: &mut Parts) -> Result<LinkName, ApiError> {
    let mut segments = segments(parts).await?;
    let mut violations = Vec::new();
    let mut name = |parameter: &str| {
        let text = segments.remove(parameter).unwrap_or_default();
        violations.extend(link::name_fault(&text).map(|message| Violation::new(parameter, message)));
        text
    };
    let (key, sub_link) = (name("key"), name("subLink"));
    if violations.is_empty() { Ok(LinkName { key, sub_link }) } else { Err(ApiError::invalid(violations)) }
}

async fn people_wanted(parts: &mut Parts) -> Result<PeopleWanted, ApiError> {
    let (ids, search) = (parameter(parts, "ids").await?, parameter(parts, "search").await?);
    match (ids, search) {
        (Some(_), Some(_)) => Err(ApiError::invalid_at("search", "cannot be given with ids")),
        (Some(ids), None) => {
            let ids: Vec<&str> = ids.split(',').collect();
            if ids.len() > MAX_LIST {
                return Err(ApiError::invalid_at("ids", format!("must have at most {MAX_LIST} entries")));
            }
            ids.into_iter().map(|id| object_id("ids", id)).collect::<Result<_, _>>().map(PeopleWanted::Ids)
        }
        (None, Some(search)) => {
            PersonSearch::read(&search).map(PeopleWanted::Search).map_err(|fault| ApiError::invalid_at("search", fault))
        }
        (None, None) => Ok(PeopleWanted::All),
    }
}

async fn id_in_query(parts: &mut Parts, name: &str) -> Result<Option<ObjectId>, ApiError> {
    parameter(parts, name).await?.map(|text| object_id(name, &text)).transpose()
}

async fn after(parts: &mut Parts) -> Result<Option<EventId>, ApiError> {
    let header = parts.headers.get(LAST_EVENT_ID).map(|value| value.to_str().unwrap_or("?").to_owned());
    let header = event_id("Last-Event-ID", header)?;
    let parameter = event_id("after", parameter(parts, "after").await?)?;
    Ok(header.or(parameter))
}

fn event_id(name: &str, text: Option<String>) -> Result<Option<EventId>, ApiError> {
    match text.as_deref() {
        None => Ok(None),
        Some("0") => Ok(Some(EventId::BEGINNING)),
        Some(text) => {
            text.parse().map(Some).map_err(|fault: EventIdError| ApiError::invalid_at(name, format!("{fault}, or 0")))
        }
    }
}

async fn query(parts: &mut Parts) -> Result<Vec<(String, String)>, ApiError> {
    let query: Result<Query<Vec<(String, String)>>, _> = parts.extract().await;
    let Query(given) = query.map_err(|_| ApiError::invalid_at("", "the query must be percent-encoded UTF-8"))?;
    match given.iter().find(|(_, value)| value.contains('\0')) {
        Some((name, _)) => Err(ApiError::invalid_at(name, "must not hold a NUL character")),
        None => Ok(given),
    }
}

/// Returns a query parameter. Fails if the parameter appears more than once.
pub async fn parameter(parts: &mut Parts, name: &str) -> Result<Option<String>, ApiError> {
    let mut values = query(parts).await?.into_iter().filter(|(given, _)| given == name);
    match (values.next(), values.next()) {
        (_, Some(_)) => Err(ApiError::invalid_at(name, "must appear once")),
        (value, None) => Ok(value.map(|(_, value)| value)),
    }
}

async fn sheet_wanted(parts: &mut Parts) -> Result<SheetWanted, ApiError> {
    let audience = choice(parts, "for").await?;
    let format = choice::<Format>(parts, "format").await?;
    let version = parameter(parts, "version").await?.map(|text| version(&text)).transpose()?;
    let link = parameter(parts, "link").await?.map(|text| match text.split_once('/') {
        Some((key, sub_link)) if [key, sub_link].iter().all(|name| link::name_fault(name).is_none()) => {
            Ok(LinkName { key: key.to_owned(), sub_link: sub_link.to_owned() })
        }
        _ => Err(ApiError::invalid_at("link", "must be the key and the subLink of a link, with / between them")),
    });
    let (audience, format) = (audience.unwrap_or(Audience::Pupils), format.unwrap_or_default());
    Ok(SheetWanted { audience, format, version, link: link.transpose()? })
}

async fn choice<T: Named>(parts: &mut Parts, name: &str) -> Result<Option<T>, ApiError> {
    let text = parameter(parts, name).await?;
    let chosen = text.map(|text| list::pick_named(&text)).transpose();
    chosen.map_err(|message| ApiError::invalid_at(name, message))
}

async fn number(parts: &mut Parts, name: &str, most: u64) -> Result<Option<u64>, ApiError> {
    let text = parameter(parts, name).await?;
    let number = text.map(|text| list::number(&text, 1, most)).transpose();
    number.map_err(|message| ApiError::invalid_at(name, message))
}

async fn sorting(parts: &mut Parts) -> Result<SplitBy, ApiError> {
    let places = parameter(parts, "place").await?.map(|text| {
        let fault = "must have blocks by field, such as materials:1-4,7;safety:8";
        Places::parse(&text).ok_or_else(|| ApiError::invalid_at("place", fault))
    });
    let by_assistant = switch(parts, "assistant").await?.unwrap_or(true);
    Ok(match places.transpose()? {
        Some(places) => SplitBy::Places(places),
        None if by_assistant => SplitBy::Assistant,
        None => SplitBy::Headings,
    })
}

async fn switch(parts: &mut Parts, name: &str) -> Result<Option<bool>, ApiError> {
    match parameter(parts, name).await?.as_deref() {
        None => Ok(None),
        Some("false") => Ok(Some(false)),
        Some("true") => Ok(Some(true)),
        Some(_) => Err(ApiError::invalid_at(name, "must be true or false")),
    }
}

async fn history_range(parts: &mut Parts, default: u32) -> Result<HistoryRange, ApiError> {
    let limit = number(parts, "limit", u64::from(MAX_ENTRIES)).await?.map_or(default, |limit| limit as u32);
    let newest = HistoryRange::newest(limit);
    let before = number(parts, "before", newest.before).await?.unwrap_or(newest.before);
    Ok(HistoryRange { before, limit })
}
