//! An investigation with all its data, in the form that an import stores, and the parts of an export.

use serde::{Deserialize, Serialize};

use super::addresses::{Addresses, Owners};
use super::chat_row;
use super::dialect::Dialect;
use super::engine::WriteKind;
use super::jsonl::Line;
use super::row::InvestigationRow;
use super::sql::{Rows, Statement};
use super::{Store, StoreError, chats, groups, investigations, links, records};
use crate::domain::chat::Chat;
use crate::domain::history::VersionRecord;
use crate::domain::id::ObjectId;
use crate::domain::link::{DayCount, Link};

/// An investigation with everything that belongs to it.
#[derive(Debug, Clone, PartialEq)]
pub struct WholeInvestigation {
    pub row: InvestigationRow,
    /// Version records, oldest first, including undone records.
    pub records: Vec<RecordRow>,
    /// Full copies of the content, oldest first.
    pub copies: Vec<FullCopy>,
    pub chat: Option<Chat>,
    /// Links, oldest first.
    pub links: Vec<VisitedLink>,
}

/// Part of an export of a whole store.
#[derive(Debug, Clone, PartialEq)]
pub enum ExportPart {
    /// A line of an export, except the first and the last. Sent in the order of [`Line`].
    Line(Line),
    /// A part that cannot be read, such as `the investigation 65a…`.
    Unreadable {
        what: String,
        /// The id, if the part is an investigation and its id can be read. Some lines of this investigation may have
        /// been sent before its damage was found.
        investigation: Option<ObjectId>,
        reason: String,
    },
}

/// A version record in the form of its database row.
#[derive(Debug, Clone, PartialEq)]
pub struct RecordRow {
    pub record: VersionRecord,
    /// Number of versions since the last full copy of the content: 0 if this version has a full copy, 1 if only its
    /// parent has one.
    pub since_copy: i64,
}

/// A full copy of the content at a version.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FullCopy {
    pub version: u64,
    pub content: String,
}

/// A link with its visits.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct VisitedLink {
    pub link: Link,
    /// Number of visits on each day with visits, oldest first.
    pub days: Vec<DayCount>,
}

impl Store {
    /// Stores an investigation and everything that belongs to it, unless an investigation has this id. Returns whether
    /// the investigation was stored.
    ///
    /// # Errors
    /// [`StoreError::Failed`] if another investigation already has a link with the same key and sub-link. In that case
    /// nothing is stored. Other [`StoreError`]s if the store fails.
    pub async fn import_whole(&self, whole: WholeInvestigation) -> Result<bool, StoreError> {
        let dialect = self.dialect();
        let mut statements = whole.statements(&[], dialect)?;
        statements.push(whole.counted(dialect));
        let addresses = whole.addresses();
        let displace = addresses.displace(dialect);
        let reads = vec![investigations::exists(whole.id()), addresses.owners(dialect)];
        self.write_as(WriteKind::Long, "import_whole", reads, move |rows: &[Rows]| {
            if !rows[0].is_empty() {
                return Ok((Vec::new(), false));
            }
            let owners = Owners::read(&rows[1])?;
            if let Some(taken) = owners.live.first() {
                return Err(StoreError::Failed(format!("the link {taken} leads to another investigation there")));
            }
            let displace = owners.are_deleted().then(|| displace.clone());
            Ok((displace.into_iter().chain(statements.clone()).collect(), true))
        })
        .await
    }
}

impl WholeInvestigation {
    /// Returns the statements that store this investigation as a new one. The links whose addresses are in `displaced`
    /// get no address. The statement [`Self::counted`] must follow. Compresses texts, which takes CPU time.
    pub(super) fn statements(&self, displaced: &[String], dialect: Dialect) -> Result<Vec<Statement>, StoreError> {
        // Lists all fields, so that the compiler reports a new field that is not stored here.
        let Self { row, records, copies, chat, links } = self;
        let id = self.id();
        let mut statements = vec![Statement::insert("investigation", investigations::columns(row))];
        statements.extend(links.iter().flat_map(|visited| {
            let is_displaced = displaced.contains(&visited.link.address());
            links::insertion(visited, is_displaced, dialect)
        }));
        statements.push(dialect.index_new(id.into(), &row.words));
        for recorded in records {
            statements.extend(records::insert(id, recorded)?);
        }
        statements.extend(copies.iter().map(|copy| records::insert_copy(id, copy.version, &copy.content)));
        if let Some(chat) = chat {
            statements.extend(chats::insert_whole(id, chat.id, &chat_row::rows_of(&chat.history)?));
        }
        Ok(statements)
    }

    /// Returns the statement that adds this investigation to the stored count of its group. The list of investigations
    /// has a group for each curriculum.
    pub(super) fn counted(&self, dialect: Dialect) -> Statement {
        groups::entered(dialect, self.id(), &self.row.keys.group, self.row.curriculum.as_deref())
    }

    pub fn id(&self) -> ObjectId {
        self.row.investigation.id
    }

    /// Returns whether the investigation has a link with this address, such as `class-5b/radishes`.
    pub(super) fn has_link(&self, address: &str) -> bool {
        self.links.iter().any(|visited| visited.link.address() == address)
    }

    /// Returns the addresses of its links.
    pub(super) fn addresses(&self) -> Addresses {
        Addresses::of(self.links.iter().map(|visited| &visited.link))
    }
}
