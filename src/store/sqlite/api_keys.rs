//! Stores, lists and revokes API keys.

use rusqlite::{Connection, params};

use super::{Sqlite, audit, rows};
use crate::domain::api_key::ApiKey;
use crate::domain::audit::{AuditAction, AuditEntry};
use crate::domain::id::ObjectId;
use crate::domain::permission::Roles;
use crate::domain::time::Timestamp;
use crate::store::StoreError;

impl Sqlite {
    pub async fn add_api_key(&self, key: ApiKey) -> Result<(), StoreError> {
        self.writer
            .write(move |connection| {
                connection
                    .prepare_cached(
                        "INSERT INTO api_key (id, name, bearer, roles, digest, created_at) VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
                    )?
                    .execute(params![
                        key.id.to_string(),
                        key.name,
                        key.user.to_string(),
                        key.roles.names().join(" "),
                        key.digest,
                        key.created_at.0,
                    ])?;
                let added = AuditEntry::of_key(key.created_at, AuditAction::KeyAdded { key_id: key.id });
                audit::record(connection, &[added])
            })
            .await
    }

    pub async fn put_api_key(&self, key: ApiKey) -> Result<bool, StoreError> {
        self.writer
            .write(move |connection| {
                let stored = connection
                    .prepare_cached(
                        "INSERT INTO api_key (id, name, bearer, roles, digest, created_at, last_used_at, revoked_at)
                         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8) ON CONFLICT (id) DO NOTHING",
                    )?
                    .execute(params![
                        key.id.to_string(),
                        key.name,
                        key.user.to_string(),
                        key.roles.names().join(" "),
                        key.digest,
                        key.created_at.0,
                        key.last_used_at.map(|at| at.0),
                        key.revoked_at.map(|at| at.0),
                    ])?;
                Ok(stored == 1)
            })
            .await
    }

    pub async fn api_keys(&self) -> Result<Vec<ApiKey>, StoreError> {
        self.readers.look_up(|connection| all(connection)).await
    }

    pub async fn revoke_api_key(&self, id: ObjectId, at: Timestamp) -> Result<bool, StoreError> {
        self.writer
            .write(move |connection| {
                let revoked = connection
                    .prepare_cached("UPDATE api_key SET revoked_at = ?2 WHERE id = ?1 AND revoked_at IS NULL")?
                    .execute(params![id.to_string(), at.0])?;
                if revoked == 1 {
                    let revoked = AuditEntry::of_key(at, AuditAction::KeyRevoked { key_id: id });
                    audit::record(connection, &[revoked])?;
                }
                Ok(connection.prepare_cached("SELECT 1 FROM api_key WHERE id = ?1")?.exists([id.to_string()])?)
            })
            .await
    }

    pub async fn note_api_key_use(&self, id: ObjectId, at: Timestamp) -> Result<(), StoreError> {
        self.writer
            .write(move |connection| {
                connection
                    .prepare_cached(
                        "UPDATE api_key SET last_used_at = max(coalesce(last_used_at, ?2), ?2) WHERE id = ?1",
                    )?
                    .execute(params![id.to_string(), at.0])?;
                Ok(())
            })
            .await
    }
}

/// Returns all keys, oldest first.
pub(super) fn all(connection: &Connection) -> Result<Vec<ApiKey>, rusqlite::Error> {
    connection
        .prepare_cached(
            "SELECT id, name, bearer, roles, digest, created_at, last_used_at, revoked_at FROM api_key
             ORDER BY created_at, id",
        )?
        .query_map([], |row| {
            Ok(ApiKey {
                id: rows::parsed(row, 0)?,
                name: row.get(1)?,
                user: rows::parsed(row, 2)?,
                roles: Roles::from_names(row.get_ref(3)?.as_str()?.split_whitespace()),
                digest: row.get(4)?,
                created_at: Timestamp(row.get(5)?),
                last_used_at: row.get::<_, Option<i64>>(6)?.map(Timestamp),
                revoked_at: row.get::<_, Option<i64>>(7)?.map(Timestamp),
            })
        })?
        .collect()
}
