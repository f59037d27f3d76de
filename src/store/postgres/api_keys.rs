//! Stores, lists and revokes API keys.

use tokio_postgres::Row;

use super::{Postgres, rows};
use crate::domain::api_key::ApiKey;
use crate::domain::audit::{AuditAction, AuditEntry};
use crate::domain::id::ObjectId;
use crate::domain::permission::Roles;
use crate::domain::time::Timestamp;
use crate::store::StoreError;
use crate::store::row::to_json;

const ADD: &str = "WITH added AS (
     INSERT INTO api_key (id, name, bearer, roles, digest, created_at) VALUES ($1, $2, $3, $4, $5, $6)
     ON CONFLICT (id) DO NOTHING RETURNING 1)
 INSERT INTO audit (entry) SELECT $7 FROM added";

const PUT: &str = "INSERT INTO api_key (id, name, bearer, roles, digest, created_at, last_used_at, revoked_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8) ON CONFLICT (id) DO NOTHING RETURNING 1";

pub const ALL: &str = "SELECT id, name, bearer, roles, digest, created_at, last_used_at, revoked_at FROM api_key
     ORDER BY created_at, id";

const REVOKE: &str = "WITH revoked AS (
     UPDATE api_key SET revoked_at = $2 WHERE id = $1 AND revoked_at IS NULL RETURNING 1),
 audited AS (INSERT INTO audit (entry) SELECT $3 FROM revoked)
 SELECT 1 FROM api_key WHERE id = $1";

impl Postgres {
    pub async fn add_api_key(&self, key: ApiKey) -> Result<(), StoreError> {
        let ApiKey { id, name, user, roles, digest, created_at, .. } = key;
        let (roles, added) =
            (roles.names().join(" "), AuditEntry::of_key(created_at, AuditAction::KeyAdded { key_id: id }));
        let values: [&(dyn tokio_postgres::types::ToSql + Sync); 7] =
            [&id.to_string(), &name, &user.to_string(), &roles, &digest, &created_at.0, &to_json(&added)?];
        self.change(ADD, &values).await.map(drop)
    }

    pub async fn put_api_key(&self, key: ApiKey) -> Result<bool, StoreError> {
        let ApiKey { id, name, user, roles, digest, created_at, last_used_at, revoked_at } = key;
        let (id, user, roles) = (id.to_string(), user.to_string(), roles.names().join(" "));
        let (last_used_at, revoked_at) = (last_used_at.map(|at| at.0), revoked_at.map(|at| at.0));
        let values: [&(dyn tokio_postgres::types::ToSql + Sync); 8] =
            [&id, &name, &user, &roles, &digest, &created_at.0, &last_used_at, &revoked_at];
        let stored = self.change(PUT, &values).await?;
        Ok(!stored.rows.is_empty() || stored.may_be_stored)
    }

    pub async fn api_keys(&self) -> Result<Vec<ApiKey>, StoreError> {
        self.ask(ALL, &[]).await?.rows.iter().map(read).collect()
    }

    pub async fn revoke_api_key(&self, id: ObjectId, at: Timestamp) -> Result<bool, StoreError> {
        let revoked = AuditEntry::of_key(at, AuditAction::KeyRevoked { key_id: id });
        let found = self.change(REVOKE, &[&id.to_string(), &at.0, &to_json(&revoked)?]).await?;
        Ok(!found.rows.is_empty())
    }

    pub async fn note_api_key_use(&self, id: ObjectId, at: Timestamp) -> Result<(), StoreError> {
        let sql = "UPDATE api_key SET last_used_at = greatest(last_used_at, $2) WHERE id = $1";
        self.change(sql, &[&id.to_string(), &at.0]).await.map(drop)
    }
}

/// Reads a row of [`ALL`].
pub fn read(row: &Row) -> Result<ApiKey, StoreError> {
    Ok(ApiKey {
        id: rows::parsed(row, 0)?,
        name: rows::get(row, 1)?,
        user: rows::parsed(row, 2)?,
        roles: Roles::from_names(rows::get::<&str>(row, 3)?.split_whitespace()),
        digest: rows::get(row, 4)?,
        created_at: Timestamp(rows::get(row, 5)?),
        last_used_at: rows::get::<Option<i64>>(row, 6)?.map(Timestamp),
        revoked_at: rows::get::<Option<i64>>(row, 7)?.map(Timestamp),
    })
}
