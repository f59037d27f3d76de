//! Stores, reads, changes and deletes links, and counts their visits.

use super::{IdempotentAnswer, LinkChanged, LinkCreated, Reports, Stamp, Store, StoreError, Visited};
use crate::domain::id::ObjectId;
use crate::domain::link::{DayCount, Link};
use crate::domain::link_request::LinkChange;
use crate::domain::page::{self, DayPosition, LinkPosition, OwnLinkPosition, PageRequest};
use crate::domain::time::Timestamp;

impl Store {
    /// Stores a new link, and the events and audit entries in `reports`. Also stores `answer_for_repeats`, if given:
    /// the answer to later requests with the same idempotency key.
    pub async fn create_link(
        &self,
        link: Link,
        answer_for_repeats: Option<IdempotentAnswer>,
        reports: Reports,
    ) -> Result<LinkCreated, StoreError> {
        ask!(self, create_link(link, answer_for_repeats, reports))
    }

    /// Returns a page of the links of an investigation, oldest first; `None` if the investigation does not exist.
    pub async fn links(
        &self,
        investigation: ObjectId,
        wanted: PageRequest<LinkPosition>,
    ) -> Result<Option<page::Page<Link, LinkPosition>>, StoreError> {
        ask!(self, links(investigation, wanted))
    }

    /// Returns a page of the links that a user created, newest first.
    pub async fn links_of(
        &self,
        creator: ObjectId,
        wanted: PageRequest<OwnLinkPosition>,
    ) -> Result<page::Page<Link, OwnLinkPosition>, StoreError> {
        ask!(self, links_of(creator, wanted))
    }

    /// Returns a link without counting a visit; `None` if the link does not exist.
    pub async fn link(&self, key: String, sub_link: String) -> Result<Option<Link>, StoreError> {
        ask!(self, link(key, sub_link))
    }

    /// Counts a visit, unless the link is archived, expired or used up. Returns the investigation of the link, and the
    /// visit count, which is different for each visit. The count is on disk before this function returns.
    pub async fn visit(&self, key: String, sub_link: String, at: Timestamp) -> Result<Visited, StoreError> {
        ask!(self, visit(key, sub_link, at))
    }

    /// Changes a link, and stores the events and audit entries about the change.
    pub async fn change_link(
        &self,
        key: String,
        sub_link: String,
        change: LinkChange,
        stamp: Stamp,
    ) -> Result<LinkChanged, StoreError> {
        ask!(self, change_link(key, sub_link, change, stamp))
    }

    /// Returns a link and a page of the days on which it had visits, oldest first; `None` if the link does not exist.
    pub async fn visits_per_day(
        &self,
        key: String,
        sub_link: String,
        wanted: PageRequest<DayPosition>,
    ) -> Result<Option<(Link, page::Page<DayCount, DayPosition>)>, StoreError> {
        ask!(self, visits_per_day(key, sub_link, wanted))
    }

    /// Deletes a link and its visit counts. Returns whether the link existed.
    pub async fn delete_link(&self, key: String, sub_link: String, stamp: Stamp) -> Result<bool, StoreError> {
        ask!(self, delete_link(key, sub_link, stamp))
    }
}
