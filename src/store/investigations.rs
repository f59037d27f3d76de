//! Investigations as rows of their table, and reads of single investigations.

use std::sync::LazyLock;

use serde::de::DeserializeOwned;

use super::dialect::Dialect;
use super::readable::Table;
use super::row::{InvestigationRow, StoredFindings};
use super::sql::{self, Columns, Statement, list};
use super::{Store, StoreError};
use crate::admission::{self, Class};
use crate::domain::content::ContentFields;
use crate::domain::finding::Findings;
use crate::domain::id::ObjectId;
use crate::domain::investigation::{Investigation, MAX_CREATED};
use crate::domain::named::Named;
use crate::domain::sort_keys::SortKeys;

pub(super) const TABLE: Table = Table { name: "investigation", key: &["id"] };

/// The table of investigations that are not deleted.
pub(super) const LIVE: &str = "investigation";

/// The table of investigations that can be restored.
pub(super) const TRASH: &str = "trash";

/// The columns that [`read`] reads.
pub(super) const COLUMNS: [&str; 13] = [
    "id",
    "status",
    "author",
    "metadata_author",
    "last_change_with_ai",
    "findings",
    "version",
    "latest_version",
    "revision",
    "cloned_from",
    "created_at",
    "updated_at",
    "content",
];

/// Other columns of an investigation, for lists. [`columns`] returns both kinds.
pub(super) const LIST_COLUMNS: [&str; 7] =
    ["group_key", "curriculum_key", "title_key", "grade_key", "curriculum", "grade", "title"];

/// The column that only [`Store::created_by`] reads.
pub(super) const CREATOR: &str = "creator";

/// Returns all columns of an investigation, except its internal number.
pub(super) fn all_columns() -> Vec<&'static str> {
    [&COLUMNS[..], &LIST_COLUMNS, &[CREATOR]].concat()
}

impl Store {
    /// Returns the number of investigations that a user has created, with those in the trash: at most [`MAX_CREATED`].
    pub async fn created_by(&self, user: ObjectId) -> Result<u64, StoreError> {
        let created = format!(
            "SELECT count(*) AS count FROM (
                 SELECT 1 AS one FROM investigation i WHERE i.creator = $user
                 UNION ALL SELECT 1 AS one FROM trash t WHERE t.creator = $user LIMIT {MAX_CREATED}) c"
        );
        let rows = self.get(Statement::new(created).with("user", user)).await?;
        rows.first().map_or(Ok(0), |row| row.count("count"))
    }

    /// Loads an investigation. One that is too large for a light request needs a heavy permit.
    pub async fn load(&self, id: ObjectId) -> Result<Option<Investigation>, StoreError> {
        let found = self.get(find(id)).await?;
        let Some(row) = found.first() else { return Ok(None) };
        admission::hold(Class::of_text(row.text("content")?.as_bytes())).await?;
        read(row).map(Some)
    }
}

/// Returns the query that has a row if the investigation `id` exists.
pub(super) fn exists(id: ObjectId) -> Statement {
    Statement::new("SELECT i.id FROM investigation i WHERE i.id = $id").with("id", id)
}

/// Returns the query for the investigation `id`. The function [`read`] reads its row.
pub(super) fn find(id: ObjectId) -> Statement {
    static SQL: LazyLock<String> =
        LazyLock::new(|| format!("SELECT i.body, {} FROM investigation i WHERE i.id = $id", list("i", &COLUMNS)));
    Statement::new(SQL.as_str()).with("id", id)
}

/// Returns the query that locks the investigation `id`, and reads the same as [`state`].
pub(super) fn lock(id: ObjectId, dialect: Dialect) -> Statement {
    state(id).then(&dialect.lock("i"))
}

/// Returns the query for the columns of the investigation `id` that a write must read again, because other writes may
/// have changed them: `revision`, `latest_version` and `group_key`.
pub(super) fn state(id: ObjectId) -> Statement {
    let sql = "SELECT i.revision, i.latest_version, i.group_key FROM investigation i WHERE i.id = $id";
    Statement::new(sql).with("id", id)
}

/// Reads an investigation. `C` decides whether its content and findings are parsed
/// ([`Content`](crate::domain::content::Content)) or stay JSON text ([`RawContent`]).
pub(super) fn read<C: ContentFields + DeserializeOwned>(row: &sql::Row) -> Result<Investigation<C>, StoreError> {
    let StoredFindings { contradictions, hints, incomplete, pending, dismissals, editors } = row.json("findings")?;
    Ok(Investigation {
        id: row.parsed("id")?,
        status: row.parsed("status")?,
        author: row.optional_parsed("author")?,
        editors,
        metadata_author: row.optional_parsed("metadata_author")?,
        last_change_with_ai: row.flag("last_change_with_ai")?,
        findings: Findings { contradictions, hints, incomplete, pending },
        dismissals,
        version: row.count("version")?,
        latest_version: row.count("latest_version")?,
        revision: row.count("revision")?,
        cloned_from: row.optional_parsed("cloned_from")?,
        created_at: row.time("created_at")?,
        updated_at: row.time("updated_at")?,
        content: row.json("content")?,
    })
}

/// Returns all columns of an investigation, except its internal number and its creator. Its search words are stored
/// elsewhere.
pub(super) fn columns(row: &InvestigationRow) -> Columns {
    let InvestigationRow { investigation, keys, curriculum, grade, title, findings, content, words: _ } = row;
    let Investigation {
        id,
        status,
        author,
        editors: _,
        metadata_author,
        last_change_with_ai,
        findings: _,
        dismissals: _,
        version,
        latest_version,
        revision,
        cloned_from,
        created_at,
        updated_at,
        content: _,
    } = &**investigation;
    let SortKeys { group: group_key, curriculum: curriculum_key, title: title_key, grade: grade_key } = keys;
    vec![
        ("id", (*id).into()),
        ("revision", (*revision).into()),
        ("status", status.name().into()),
        ("author", (*author).into()),
        ("metadata_author", (*metadata_author).into()),
        ("last_change_with_ai", (*last_change_with_ai).into()),
        ("version", (*version).into()),
        ("latest_version", (*latest_version).into()),
        ("cloned_from", (*cloned_from).into()),
        ("created_at", (*created_at).into()),
        ("updated_at", (*updated_at).into()),
        ("group_key", group_key.into()),
        ("curriculum_key", curriculum_key.into()),
        ("title_key", title_key.into()),
        ("grade_key", grade_key.into()),
        ("curriculum", curriculum.as_deref().into()),
        ("grade", grade.as_deref().into()),
        ("title", title.as_deref().into()),
        ("findings", findings.into()),
        ("content", content.into()),
    ]
}
