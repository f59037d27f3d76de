//! Reads links. A closed link must not become open, so a link is left out if a field that may have closed it is not
//! understood.

use fieldbook_domain::link::{self, Link, LinkOptions};
use serde_json::Value;

use crate::document::{Converted, Document, Fate, REFERENCES, time};

const OPEN_IF_TRUE: &str = "isActive active enabled isEnabled isOpen";
const CLOSED_IF_TRUE_OR_TIME: &str = "archived isArchived disabled isDisabled isDisable inactive isInactive deleted \
     isDeleted expired isExpired revoked isRevoked closed blocked archivedAt disabledAt deletedAt revokedAt closedAt \
     deactivatedAt";
const STATUSES: &str = "status state activeStatus";
const OPEN: &str = "active enabled open live published ok";
const CLOSED: &str = "inactive disabled archived deleted expired revoked closed suspended paused blocked deactivated";
const EXPIRES: &str = "expiresAt expires expireAt expires_at expiry expiryDate expireDate expirationDate \
     expirationTime validUntil";
const MAX_VISITS: &str = "maxVisits maxClicks maxUses visitLimit";
const VISITS: &str = "visitCount visits clicks clickCount totalClicks totalVisits";

pub fn read(document: &mut Document) -> Converted<Link> {
    let id = document.own_id("_id", "link")?;
    let mut text = |field: &str| document.text(field).ok_or_else(|| format!("its {field} is not a text"));
    let (key, sub_link) = (text("key")?, text("subLink")?);
    let options = LinkOptions {
        expires_at: strictest(document, EXPIRES, "a time", time),
        max_visits: strictest(document, MAX_VISITS, "a number of visits", Value::as_u64),
        archived: is_closed(document),
        ..LinkOptions::default()
    };
    if let Some(loss) = document.loss() {
        return Err(format!("{loss}, so nobody knows whether the link is open"));
    }
    let link = Link {
        id,
        key,
        sub_link,
        description: document.read("description", "a text", |it| it.as_str().map(str::to_owned)).unwrap_or_default(),
        investigation_id: document.own_id(REFERENCES, "investigation")?,
        creator: document.id("creator createdBy owner user userId", "person"),
        visit_count: document.take(VISITS, Value::as_u64).unwrap_or(0),
        created_at: document.creation(),
        options,
    };
    document.keys.push(format!("address {}", link.address()));
    match link::fault(&link) {
        Some(fault) => Err(format!("the link {} {fault}", link.address())),
        None => Ok((link.investigation_id, link)),
    }
}

/// Takes the smallest of several limits of the same kind.
fn strictest<T: Ord>(document: &mut Document, names: &str, what: &str, read: fn(&Value) -> Option<T>) -> Option<T> {
    let limits = names.split_whitespace().enumerate().filter_map(|(at, name)| {
        let limit = document.read(name, what, read)?;
        if at > 0 {
            document.set(name, &Fate::Mapped);
        }
        Some(limit)
    });
    limits.min()
}

/// Takes everything that may close the link. A value that means neither open nor closed is lost.
fn is_closed(document: &mut Document) -> bool {
    type Closes = fn(&Value) -> Option<bool>;
    let closers: [(&str, Closes); 3] = [
        (OPEN_IF_TRUE, |value| value.as_bool().map(|is_open| !is_open)),
        (CLOSED_IF_TRUE_OR_TIME, |value| value.as_bool().or_else(|| time(value).map(|_| true))),
        (STATUSES, status),
    ];
    let mut is_closed = false;
    for (name, closes) in closers.iter().flat_map(|(names, closes)| names.split(' ').map(move |name| (name, closes))) {
        let closed = document.read(name, "open or closed", closes);
        is_closed |= closed == Some(true);
        if closed.is_some() && name != "archived" {
            document.set(name, &Fate::Mapped);
        }
    }
    is_closed
}

fn status(value: &Value) -> Option<bool> {
    let status = value.as_str()?.trim().to_lowercase();
    let is_in = |words: &str| words.split(' ').any(|known| known == status);
    if is_in(CLOSED) { Some(true) } else { is_in(OPEN).then_some(false) }
}
