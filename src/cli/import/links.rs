//! Reads links of a MongoDB collection. A closed link must not become open, so a link is left out if a field that may
//! have closed it is not understood.

use serde_json::Value;

use super::members::{Members, Outcome};
use super::values::{object_id, take_reference, time};
use crate::domain::id::ObjectId;
use crate::domain::link::{self, Link, LinkOptions};

const OPEN_IF_TRUE: &str = "isActive active enabled isEnabled isOpen";
const CLOSED_IF_TRUE: &str = "archived isArchived disabled isDisabled isDisable inactive isInactive deleted isDeleted expired \
     isExpired revoked isRevoked closed blocked";
const CLOSED_IF_SET: &str = "archivedAt disabledAt deletedAt revokedAt closedAt deactivatedAt";
const STATUSES: &str = "status state activeStatus";
const OPEN: &str = "active enabled open live published ok";
const CLOSED: &str = "inactive disabled archived deleted expired revoked closed suspended paused blocked deactivated";
const EXPIRES: &str = "expiresAt expires expireAt expires_at expiry expiryDate expireDate expirationDate \
     expirationTime validUntil";
const MAX_VISITS: &str = "maxVisits maxClicks maxUses visitLimit";
const VISITS: &str = "visitCount visits clicks clickCount totalClicks totalVisits";
const CREATORS: &str = "creator createdBy owner user userId";

/// Reads a link. The error says why the link is left out, as a phrase that follows the line number.
pub fn read(id: ObjectId, mut members: Members<'_>) -> Result<Link, String> {
    let mut text = |field: &str| match members.keep(field) {
        Some(Value::String(text)) => Ok(text),
        None | Some(Value::Null) if field == "description" => Ok(String::new()),
        _ => Err(format!("is left out: its {field} is not a text")),
    };
    let (key, sub_link, description) = (text("key")?, text("subLink")?, text("description")?);
    // In some collections, `clicks` is a list. It is not a number of visits, so it is skipped.
    let mut count = |names: &str| match take_value(&mut members, names, names, |value| !value.is_array())? {
        None => Ok(None),
        Some((field, count)) => match count.as_u64() {
            None => Err(format!("is left out: its {field} is not a number of visits")),
            count => Ok(count),
        },
    };
    let (visit_count, max_visits) = (count(VISITS)?.unwrap_or(0), count(MAX_VISITS)?);
    let expires_at = match take_value(&mut members, EXPIRES, EXPIRES, |_| true)? {
        None => None,
        Some((field, end)) => Some(time(&end).ok_or_else(|| format!("is left out: its {field} is not a time"))?),
    };
    let archived = is_closed(&mut members)?;
    let creator = members.take_first(CREATORS, |value| object_id(value).is_some()).as_ref().and_then(object_id);
    members.take_reported("__v", Outcome::Replaced, "the service computes it");
    for names in [OPEN_IF_TRUE, CLOSED_IF_TRUE, CLOSED_IF_SET, STATUSES, CREATORS, EXPIRES, VISITS, MAX_VISITS] {
        while members.take_first(names, Value::is_null).is_some() {}
    }
    let link = Link {
        id,
        key,
        sub_link,
        description,
        investigation_id: take_reference(&mut members)?,
        creator,
        visit_count,
        created_at: members.read("createdAt", "a time", time).unwrap_or_else(|| id.made_at()),
        options: LinkOptions { archived, expires_at, max_visits, ..LinkOptions::default() },
    };
    match link::fault(&link) {
        Some(fault) => Err(format!("is left out: the link {} {fault}", link.address())),
        None => Ok(link),
    }
}

/// Takes the first member in `names` that is not null and satisfies `fits`. Returns its name and value.
fn take_value<'n>(
    members: &mut Members<'_>,
    names: &'n str,
    stored: &str,
    fits: fn(&Value) -> bool,
) -> Result<Option<(&'n str, Value)>, String> {
    if let Some(lost) = names.split(' ').find(|name| names != VISITS && members.is_lost(name)) {
        return Err(format!("is left out: its {lost} cannot be read"));
    }
    let field = members.find(names, |value| !value.is_null() && fits(value));
    Ok(field.and_then(|field| members.take(field, stored).map(|value| (field, value))))
}

/// Returns whether a flag, a time of closing or a status closes the link.
fn is_closed(members: &mut Members<'_>) -> Result<bool, String> {
    let mut is_closed = false;
    for names in [OPEN_IF_TRUE, CLOSED_IF_TRUE, CLOSED_IF_SET, STATUSES] {
        while let Some((field, value)) = take_value(members, names, "archived", |_| true)? {
            let closes = match names {
                OPEN_IF_TRUE => parse_flag(&value).map(|is_open| !is_open),
                CLOSED_IF_TRUE => parse_flag(&value),
                STATUSES => parse_status(&value),
                _ => time(&value).map(|_| true),
            };
            is_closed |= closes.ok_or_else(|| format!("is left out: its {field} says neither open nor closed"))?;
        }
    }
    Ok(is_closed)
}

fn parse_flag(value: &Value) -> Option<bool> {
    match value {
        Value::Bool(parse_flag) => Some(*parse_flag),
        Value::Number(number) => number.as_u64().filter(|number| *number < 2).map(|number| number == 1),
        other => other.as_str()?.to_lowercase().parse().ok(),
    }
}

fn parse_status(value: &Value) -> Option<bool> {
    let parse_status = value.as_str()?.trim().to_lowercase();
    let is_in = |words: &str| words.split(' ').any(|known| known == parse_status);
    if is_in(CLOSED) { Some(true) } else { is_in(OPEN).then_some(false) }
}

#[cfg(test)]
#[path = "../../../tests/unit/cli/import/links.rs"]
mod tests;
