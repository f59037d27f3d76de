//! The addresses of links. An address belongs to at most one link. A link of an existing investigation takes precedence
//! over links of deleted ones. A new link takes the address of a link whose investigation was deleted: the old link is
//! displaced. A link that is moved or imported into the trash takes an address only from a link whose investigation was
//! permanently deleted.

use super::StoreError;
use super::dialect::Dialect;
use super::sql::{Rows, Statement};
use crate::domain::link::Link;

/// Addresses of new links.
pub(super) struct Addresses {
    /// The keys, so that queries use the index of links.
    keys: Vec<String>,
    /// The sub-link if there is only one link, so that queries look up key and sub-link together in the index. With
    /// several links, queries look up only the keys: looking up each key with each sub-link would take too long.
    sub_link: Option<String>,
    addresses: Vec<String>,
}

/// The condition that the investigation of the link `l` was permanently deleted.
const IS_REMOVED: &str = "EXISTS (SELECT 1 FROM removed r WHERE r.kind = 'body' AND r.n = l.body)";

/// The links that have these addresses already.
#[derive(Default)]
pub(super) struct Owners {
    /// The addresses of links that can be reached.
    pub live: Vec<String>,
    /// The addresses of links whose investigations are in the trash.
    pub in_trash: Vec<String>,
    /// The addresses of links whose investigations were permanently deleted, and which the sweeper will delete.
    pub removed: Vec<String>,
}

impl Addresses {
    pub fn of<'l>(links: impl IntoIterator<Item = &'l Link>) -> Self {
        let (mut keys, mut sub_links, mut addresses) = (Vec::new(), Vec::new(), Vec::new());
        for link in links {
            keys.push(link.key.clone());
            sub_links.push(link.sub_link.clone());
            addresses.push(link.address());
        }
        let sub_link = sub_links.pop().filter(|_| sub_links.is_empty());
        Self { keys, sub_link, addresses }
    }

    fn condition(&self, dialect: Dialect) -> String {
        let key = dialect.any_of("l.key", "keys");
        let sub_link = if self.sub_link.is_some() { "l.sub_link = $sub_link AND" } else { "" };
        let address = dialect.any_of("l.key || '/' || l.sub_link", "addresses");
        format!("{key} AND {sub_link} {address} AND NOT l.displaced")
    }

    fn statement(&self, sql: String) -> Statement {
        let Self { keys, sub_link, addresses } = self;
        let statement = Statement::new(sql).with("keys", keys.clone()).with("addresses", addresses.clone());
        match sub_link {
            Some(sub_link) => statement.with("sub_link", sub_link),
            None => statement,
        }
    }

    /// Returns the query for the links that have these addresses. [`Owners::read`] reads its rows.
    pub fn owners(&self, dialect: Dialect) -> Statement {
        self.statement(format!(
            "SELECT l.key || '/' || l.sub_link AS address, i.id AS investigation, t.id AS in_trash
             FROM link l LEFT JOIN investigation i ON i.body = l.body LEFT JOIN trash t ON t.body = l.body WHERE {}",
            self.condition(dialect)
        ))
    }

    /// Returns the statement that takes these addresses from links of deleted investigations. The statement locks the
    /// rows of these investigations in the trash. So a concurrent restore either comes first and keeps its links, or
    /// finds the links displaced.
    pub fn displace(&self, dialect: Dialect) -> Statement {
        self.statement(format!(
            "UPDATE link AS l SET displaced = true WHERE {condition} AND (
                 l.body IN (SELECT t.body FROM trash t
                     WHERE t.body IN (SELECT l.body FROM link l WHERE {condition}) {lock})
                 OR {IS_REMOVED})",
            condition = self.condition(dialect),
            lock = dialect.lock("t")
        ))
    }

    /// Like [`Self::displace`], but takes nothing from links in the trash.
    pub fn displace_removed(&self, dialect: Dialect) -> Statement {
        let condition = self.condition(dialect);
        self.statement(format!("UPDATE link AS l SET displaced = true WHERE {condition} AND {IS_REMOVED}"))
    }
}

impl Owners {
    pub fn read(rows: &Rows) -> Result<Self, StoreError> {
        let mut owners = Self::default();
        for row in rows {
            let kind = if !row.is_null("investigation")? {
                &mut owners.live
            } else if !row.is_null("in_trash")? {
                &mut owners.in_trash
            } else {
                &mut owners.removed
            };
            kind.push(row.text("address")?.to_owned());
        }
        Ok(owners)
    }

    /// Returns whether a new link displaces some of these links.
    pub fn are_deleted(&self) -> bool {
        !self.in_trash.is_empty() || !self.removed.is_empty()
    }
}
