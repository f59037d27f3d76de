//! Path and query parameters, validated before the operation runs.

use std::collections::HashMap;

use axum::RequestPartsExt;
use axum::extract::{FromRequestParts, Path, Query};
use axum::http::request::Parts;
use serde::de::DeserializeOwned;

use super::error::ApiError;
use super::error_code::ErrorCode;
use crate::app::App;
use crate::domain::event::{EventId, NotAnEventId};
use crate::domain::history::HistoryRange;
use crate::domain::id::ObjectId;
use crate::domain::link;
use crate::domain::list::{self, ListQuery};
use crate::domain::page::{
    self, AuditPosition, ChatPosition, DayPosition, LinkPosition, OwnLinkPosition, PageRequest, TrashPosition,
};
use crate::domain::path::FieldPath;
use crate::domain::schema::Violation;

/// Maximum number of entries in a response, for collections such as versions, links and audit entries.
pub const MAX_ENTRIES: u64 = 1000;
const DEFAULT_VERSIONS: u32 = 20;
const DEFAULT_HISTORY: u32 = 50;

/// `id` in the path: the id of an investigation. Link operations use it, too.
pub struct InvestigationId(pub ObjectId);
/// `dismissalId` in the path: the id of a dismissal.
pub struct DismissalId(pub ObjectId);
/// `fieldPath` in the path: the path of a content field.
pub struct Field(pub FieldPath);
/// `version` in the path: the number of a version.
pub struct Version(pub u64);
/// `key` and `subLink` in the path, which together name a link.
pub struct LinkName {
    /// The first part of the link's address.
    pub key: String,
    /// The second part of the link's address.
    pub sub_link: String,
}
/// `limit` and `before` in the query, for the list of versions.
pub struct Versions(pub HistoryRange);
/// `limit` and `before` in the query, for the history of a field.
pub struct History(pub HistoryRange);
/// `limit` and `cursor` in the query, for any collection. `MOST` is the maximum and the default of `limit`.
pub struct Paged<P, const MOST: u32>(pub PageRequest<P>);
/// `limit` and `cursor` in the query, for the entries of a chat.
pub type ChatPages = Paged<ChatPosition, { MAX_ENTRIES as u32 }>;
/// `limit` and `cursor` in the query, for links.
pub type LinkPages = Paged<LinkPosition, { MAX_ENTRIES as u32 }>;
/// `limit` and `cursor` in the query, for the caller's own links.
pub type OwnLinkPages = Paged<OwnLinkPosition, { MAX_ENTRIES as u32 }>;
/// `limit` and `cursor` in the query, for the days on which a link was visited. 10,000 days are 27 years.
pub type DayPages = Paged<DayPosition, 10_000>;
/// `limit` and `cursor` in the query, for the audit log.
pub type AuditPages = Paged<AuditPosition, { MAX_ENTRIES as u32 }>;
/// `investigation` in the query: only entries of this investigation are returned.
pub struct OfInvestigation(pub Option<ObjectId>);
/// All query parameters of the list of investigations.
pub struct List(pub ListQuery);
/// The header `Last-Event-ID`, or else `after` in the query: the last event that the caller has received.
pub struct After(pub Option<EventId>);
/// `dryRun` in the query: true if the result is returned without being stored.
pub struct DryRun(pub bool);
/// `permanently` in the query: true if a deleted investigation does not go to the trash.
pub struct Permanently(pub bool);
/// `limit` and `cursor` in the query, for the trash.
pub type TrashPages = Paged<TrashPosition, { MAX_ENTRIES as u32 }>;

/// Returns the path parameters by name. Fails if the path is not percent-encoded UTF-8.
async fn segments(parts: &mut Parts) -> Result<HashMap<String, String>, ApiError> {
    let path: Result<Path<HashMap<String, String>>, _> = parts.extract().await;
    path.map(|Path(segments)| segments).map_err(|_| ApiError::invalid_at("", "the path must be percent-encoded UTF-8"))
}

async fn segment(parts: &mut Parts, name: &str) -> Result<String, ApiError> {
    Ok(segments(parts).await?.remove(name).unwrap_or_default())
}

fn object_id(name: &str, text: &str) -> Result<ObjectId, ApiError> {
    text.parse().map_err(|fault: crate::domain::id::NotAnObjectId| ApiError::invalid_at(name, fault.to_string()))
}

impl FromRequestParts<App> for InvestigationId {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, _: &App) -> Result<Self, ApiError> {
        let text = segment(parts, "id").await?;
        if text.trim().is_empty() {
            return Err(ApiError::missing("Investigation ID is required", ErrorCode::InvestigationIdRequired));
        }
        object_id("id", &text).map(Self)
    }
}

impl FromRequestParts<App> for DismissalId {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, _: &App) -> Result<Self, ApiError> {
        object_id("dismissalId", &segment(parts, "dismissalId").await?).map(Self)
    }
}

impl FromRequestParts<App> for Field {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, _: &App) -> Result<Self, ApiError> {
        let text = segment(parts, "fieldPath").await?;
        if text.trim().is_empty() {
            return Err(ApiError::missing("Field path is required", ErrorCode::FieldPathRequired));
        }
        if text.contains('\0') {
            return Err(ApiError::invalid_at("fieldPath", "must not hold a NUL character"));
        }
        Ok(Self(FieldPath::parse(&text)))
    }
}

impl FromRequestParts<App> for Version {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, _: &App) -> Result<Self, ApiError> {
        let text = segment(parts, "version").await?;
        list::number(&text, 0, i64::MAX as u64).map(Self).map_err(|message| ApiError::invalid_at("version", message))
    }
}

impl FromRequestParts<App> for LinkName {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, _: &App) -> Result<Self, ApiError> {
        let mut segments = segments(parts).await?;
        let mut violations = Vec::new();
        let mut name = |parameter: &str| {
            let text = segments.remove(parameter).unwrap_or_default();
            violations.extend(link::name_fault(&text).map(|message| Violation::new(parameter, message)));
            text
        };
        let (key, sub_link) = (name("key"), name("subLink"));
        if violations.is_empty() { Ok(Self { key, sub_link }) } else { Err(ApiError::invalid(violations)) }
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
async fn parameter(parts: &mut Parts, name: &str) -> Result<Option<String>, ApiError> {
    let mut values = query(parts).await?.into_iter().filter(|(given, _)| given == name);
    match (values.next(), values.next()) {
        (_, Some(_)) => Err(ApiError::invalid_at(name, "must appear once")),
        (value, None) => Ok(value.map(|(_, value)| value)),
    }
}

async fn number(parts: &mut Parts, name: &str, most: u64) -> Result<Option<u64>, ApiError> {
    let text = parameter(parts, name).await?;
    let number = text.map(|text| list::number(&text, 1, most)).transpose();
    number.map_err(|message| ApiError::invalid_at(name, message))
}

async fn switch(parts: &mut Parts, name: &str) -> Result<bool, ApiError> {
    match parameter(parts, name).await?.as_deref() {
        None | Some("false") => Ok(false),
        Some("true") => Ok(true),
        Some(_) => Err(ApiError::invalid_at(name, "must be true or false")),
    }
}

async fn history_range(parts: &mut Parts, default: u32) -> Result<HistoryRange, ApiError> {
    let limit = number(parts, "limit", MAX_ENTRIES).await?.map_or(default, |limit| limit as u32);
    let newest = HistoryRange::newest(limit);
    let before = number(parts, "before", newest.before).await?.unwrap_or(newest.before);
    Ok(HistoryRange { before, limit })
}

impl FromRequestParts<App> for DryRun {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, _: &App) -> Result<Self, ApiError> {
        switch(parts, "dryRun").await.map(Self)
    }
}

impl FromRequestParts<App> for Permanently {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, _: &App) -> Result<Self, ApiError> {
        switch(parts, "permanently").await.map(Self)
    }
}

impl FromRequestParts<App> for OfInvestigation {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, _: &App) -> Result<Self, ApiError> {
        let id = parameter(parts, "investigation").await?;
        id.map(|text| object_id("investigation", &text)).transpose().map(Self)
    }
}

/// Header that browsers send when an `EventSource` reconnects.
const LAST_EVENT_ID: &str = "last-event-id";

impl FromRequestParts<App> for After {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, _: &App) -> Result<Self, ApiError> {
        let header = parts.headers.get(LAST_EVENT_ID).map(|value| value.to_str().unwrap_or("?").to_owned());
        let header = event_id("Last-Event-ID", header)?;
        let parameter = event_id("after", parameter(parts, "after").await?)?;
        Ok(Self(header.or(parameter)))
    }
}

fn event_id(name: &str, text: Option<String>) -> Result<Option<EventId>, ApiError> {
    match text.as_deref() {
        None => Ok(None),
        Some("0") => Ok(Some(EventId::BEGINNING)),
        Some(text) => {
            text.parse().map(Some).map_err(|fault: NotAnEventId| ApiError::invalid_at(name, format!("{fault}, or 0")))
        }
    }
}

impl FromRequestParts<App> for Versions {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, _: &App) -> Result<Self, ApiError> {
        history_range(parts, DEFAULT_VERSIONS).await.map(Self)
    }
}

impl FromRequestParts<App> for History {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, _: &App) -> Result<Self, ApiError> {
        history_range(parts, DEFAULT_HISTORY).await.map(Self)
    }
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

impl FromRequestParts<App> for List {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, _: &App) -> Result<Self, ApiError> {
        ListQuery::read(&query(parts).await?).map(Self).map_err(ApiError::invalid)
    }
}
