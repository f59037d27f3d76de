//! `GET /api/investigation`

use axum::extract::State;
use axum::response::Response;
use serde::Serialize;
use serde_json::value::RawValue;

use crate::app::App;
use crate::domain::page::ByteBudget;
use crate::domain::representation::{Document, DocumentRow, Profile};
use crate::http::auth::Reads;
use crate::http::envelope::{json, show_page, take_fitting};
use crate::http::error::ApiError;
use crate::http::params::List;
use crate::store::PageEnd;

#[derive(Debug, Serialize)]
pub struct ListAnswer {
    data: ListData,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct ListData {
    items: Vec<Box<RawValue>>,
    groups: Vec<Box<RawValue>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    groups_cut: Option<bool>,
    pagination: Pagination,
}

#[derive(Debug, Serialize)]
struct Group {
    curriculum: Option<String>,
    count: u64,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Pagination {
    total: u64,
    limit: u32,
    offset: u64,
    has_more: bool,
    next_cursor: Option<String>,
}

/// Lists the investigations of every author that match all filters. By default, they are grouped by curriculum.
pub async fn list(State(app): State<App>, reader: Reads, List(query): List) -> Result<Response, ApiError> {
    let page = app.store.list(query.clone()).await?;
    let room = ByteBudget::of_answer(query.max_answer());
    let groups = page.groups.len();
    let in_order = page.groups.into_iter().map(|(curriculum, count)| Group { curriculum, count });
    let given_groups = take_fitting(in_order, room.half())?;
    let room = room.without(given_groups.iter().map(|group| group.get().len() + 1).sum());
    let (ends, found): (Vec<_>, Vec<_>) = page.items.into_iter().unzip();
    let has_author = query.fields.as_ref().is_none_or(|fields| fields.contains("author"));
    let documents = if has_author {
        show_page(&app, &reader.0, found.clone()).await
    } else {
        found.iter().map(|found| Document { investigation: found.clone(), author: Profile::default() }).collect()
    };
    let items = match &query.fields {
        None => take_fitting(documents, room)?,
        Some(fields) => take_fitting(documents.iter().map(|document| DocumentRow { document, fields }), room)?,
    };
    let given = items.len();
    let has_more = page.has_more || given < found.len();
    // If no item can be read, the next page begins after the unreadable rows.
    let PageEnd { position, rows } = ends.into_iter().take(given).next_back().unwrap_or(page.end);
    let next_cursor = position.filter(|_| has_more).map(|last| query.next_cursor(last, rows));
    let data = ListData {
        items,
        groups_cut: (page.has_more_groups || given_groups.len() < groups).then_some(true),
        groups: given_groups,
        pagination: Pagination {
            total: page.total,
            limit: if has_more { rows } else { query.limit },
            offset: query.offset,
            has_more,
            next_cursor,
        },
    };
    Ok(json(given, &ListAnswer { data }))
}
