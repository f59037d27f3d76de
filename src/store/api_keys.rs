//! Stores, lists and revokes API keys.

use super::readable::{Table, readable};
use super::sql::{Columns, Row, Rows, Statement, list};
use super::{Store, StoreError, audit};
use crate::domain::api_key::ApiKey;
use crate::domain::audit::{AuditAction, AuditEntry};
use crate::domain::id::ObjectId;
use crate::domain::named::Named;
use crate::domain::time::Timestamp;

const TABLE: Table = Table { name: "api_key", key: &["id"] };

const COLUMNS: [&str; 8] = ["id", "name", "bearer", "role", "digest", "created_at", "last_used_at", "revoked_at"];

impl Store {
    /// Stores a new key and an entry in the audit log.
    pub async fn add_api_key(&self, key: ApiKey) -> Result<(), StoreError> {
        let added = AuditEntry::of_operator(key.created_at, AuditAction::KeyAdded { key_id: key.id });
        let statements = vec![put(key), audit::record(&added)?];
        match self.write_if("add_api_key", statements).await? {
            true => Ok(()),
            false => Err(StoreError::Failed("another key has this id".to_owned())),
        }
    }

    /// Stores a key that comes from another store, unless a key with this id exists. Writes nothing to the audit log.
    /// Returns whether the key was stored.
    pub async fn put_api_key(&self, key: ApiKey) -> Result<bool, StoreError> {
        self.write_if("put_api_key", vec![put(key)]).await
    }

    /// Returns all keys that can be read, oldest first, including revoked keys.
    pub async fn api_keys(&self) -> Result<Vec<ApiKey>, StoreError> {
        readable(TABLE, &self.get(all()).await?, read)
    }

    /// Revokes a key and stores an entry in the audit log. Returns whether the key exists. A key that is already
    /// revoked keeps its original revocation time.
    pub async fn revoke_api_key(&self, id: ObjectId, at: Timestamp) -> Result<bool, StoreError> {
        let found = format!("SELECT k.revoked_at FROM api_key k WHERE k.id = $id {}", self.dialect().lock("k"));
        let revoked = AuditEntry::of_operator(at, AuditAction::KeyRevoked { key_id: id });
        let revoke = vec![
            Statement::new("UPDATE api_key SET revoked_at = $at WHERE id = $id").with("at", at).with("id", id),
            audit::record(&revoked)?,
        ];
        let decide = move |found: &[Rows]| {
            let Some(key) = found[0].first() else { return Ok((Vec::new(), false)) };
            let statements = if key.is_null("revoked_at")? { revoke.clone() } else { Vec::new() };
            Ok((statements, true))
        };
        self.write("revoke_api_key", vec![Statement::new(found).with("id", id)], decide).await
    }

    /// Sets the time of the last use of a key, unless a later time is stored.
    pub async fn note_api_key_use(&self, id: ObjectId, at: Timestamp) -> Result<(), StoreError> {
        let note = Statement::new(
            "UPDATE api_key SET last_used_at = $at WHERE id = $id AND (last_used_at IS NULL OR last_used_at < $at)",
        );
        let note = note.with("at", at).with("id", id);
        self.write_repeatable("note_api_key_use", vec![note]).await
    }
}

/// Returns the statement that reads all keys, oldest first. The function [`read`] reads its rows.
pub(super) fn all() -> Statement {
    Statement::new(format!("SELECT {} FROM api_key k ORDER BY k.created_at, k.id", list("k", &COLUMNS)))
}

pub(super) fn read(row: &Row) -> Result<ApiKey, StoreError> {
    Ok(ApiKey {
        id: row.parsed("id")?,
        name: row.text("name")?.to_owned(),
        user: row.parsed("bearer")?,
        role: row.parsed("role")?,
        digest: row.bytes("digest")?.to_owned(),
        created_at: row.time("created_at")?,
        last_used_at: row.optional_time("last_used_at")?,
        revoked_at: row.optional_time("revoked_at")?,
    })
}

/// Returns the statement that stores a key and expects that no key has its id.
fn put(key: ApiKey) -> Statement {
    Statement::insert("api_key", columns(key)).then("ON CONFLICT (id) DO NOTHING").expect(1)
}

fn columns(key: ApiKey) -> Columns {
    let ApiKey { id, name, user, role, digest, created_at, last_used_at, revoked_at } = key;
    vec![
        ("id", id.into()),
        ("name", name.into()),
        ("bearer", user.into()),
        ("role", role.name().into()),
        ("digest", digest.into()),
        ("created_at", created_at.into()),
        ("last_used_at", last_used_at.into()),
        ("revoked_at", revoked_at.into()),
    ]
}
