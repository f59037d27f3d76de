//! Checks a store on PostgreSQL, which other processes may be using, without changing it: first each server, and then
//! the database on a writable server.

use std::time::Duration;

use tokio::task::JoinSet;
use tokio::time::timeout;
use tokio_postgres::{Client, Error, Row};

use super::address::Address;
use super::connect::{self, Connection};
use super::failure::{self, FailureKind};
use super::{migrate, pooler, tls};
use crate::domain::time::Timestamp;
use crate::store::Obstacle;
use crate::store::diagnostics::{Diagnosis, Integrity, MigrationState, OtherUsers, Server, Webhook};

/// Statements that need the same permissions as the service, but change no row.
const WRITES: &str = "BEGIN; \
    INSERT INTO investigation SELECT * FROM investigation WHERE false; \
    UPDATE investigation SET revision = revision WHERE false; \
    DELETE FROM investigation WHERE false; \
    ROLLBACK";

/// Query for the number of checksum failures, and the time of the last one. No row if the server computes no checksums.
const DAMAGE: &str = "SELECT checksum_failures, (extract(epoch FROM checksum_last_failure) * 1000)::bigint
     FROM pg_stat_database WHERE datname = current_database() AND checksum_failures IS NOT NULL";

const WEBHOOKS: &str = "SELECT w.endpoint, w.after_at,
        (SELECT count(*) FROM event e WHERE (e.transaction, e.n) > (w.after_transaction, w.after_n)),
        (SELECT min(e.at) FROM event e WHERE (e.transaction, e.n) > (w.after_transaction, w.after_n)),
        count(r.n), min(r.due), coalesce(max(r.attempts), 0)::bigint,
        w.holder IS NOT NULL AND w.held_until > now()
     FROM webhook w LEFT JOIN webhook_retry r ON r.endpoint = w.endpoint GROUP BY w.endpoint";

const CLOCK_JUMPS: &str =
    "SELECT at, next FROM (SELECT at, lead(at) OVER (ORDER BY transaction, n) AS next FROM event) AS e
     WHERE at > next + 60000 ORDER BY at - next DESC LIMIT 1";

const RISKY_SETTINGS: &str =
    "SELECT name FROM pg_settings WHERE setting = 'off' AND name IN ('synchronous_commit', 'fsync') ORDER BY name";

/// Query for the oldest open write transaction in any database of the server. This transaction delays all later events.
/// Prepared transactions have no session, so they are queried separately.
const OLDEST_TRANSACTION: &str = "SELECT extract(epoch FROM now() - t.since)::float8, t.named FROM (
         SELECT a.xact_start AS since, format('process %s in the database %s', a.pid, a.datname) AS named
         FROM pg_stat_activity a WHERE a.backend_xid IS NOT NULL AND a.xact_start IS NOT NULL
         UNION ALL SELECT p.prepared, format('prepared transaction %s in the database %s', p.gid, p.database)
         FROM pg_prepared_xacts p) AS t ORDER BY t.since LIMIT 1";

/// Maximum connection timeout per server, even if the address specifies a longer timeout.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(5);

/// Checks all servers of this address.
///
/// # Errors
/// A sentence for the operator, for example if no server is writable.
pub async fn at(address: Address) -> Result<Diagnosis, String> {
    let tls = tls::connector(&address).map_err(|e| e.to_string())?;
    let mut attempts = JoinSet::new();
    for (index, server) in address.servers.iter().cloned().enumerate() {
        let (tls, limit) = (tls.clone(), address.connect_timeout.min(CONNECT_TIMEOUT));
        attempts.spawn(async move {
            let silent = || format!("the database server {} did not respond within {} s", server.name, limit.as_secs());
            match timeout(limit, connect::greet(&server, tls)).await {
                Ok(Ok((connection, false))) => (index, Server::Writes, Some(connection)),
                Ok(Ok((_, true))) => (index, Server::ReadsOnly, None),
                Ok(Err(error)) => (index, Server::Unreachable(error.reason), None),
                Err(_) => (index, Server::Unreachable(silent()), None),
            }
        });
    }
    let mut answers = Vec::new();
    while let Some(Ok(answer)) = attempts.join_next().await {
        answers.push(answer);
    }
    answers.sort_by_key(|(index, ..)| *index);
    let mut writer: Option<Connection> = None;
    let mut servers = Vec::new();
    for ((_, answer, connection), server) in answers.into_iter().zip(&address.servers) {
        writer = writer.or(connection);
        servers.push((server.name.clone(), answer));
    }
    let Some(writer) = writer else { return Err(nobody_writes(&servers)) };
    let at = servers.iter().position(|(_, server)| *server == Server::Writes);
    if let Some(server) = at.and_then(|at| address.servers.get(at))
        && let Ok(Ok((other, _))) =
            timeout(address.connect_timeout.min(CONNECT_TIMEOUT), connect::greet(server, tls)).await
        && timeout(CONNECT_TIMEOUT, pooler::shares_sessions(writer.client(), other.client()))
            .await
            .is_ok_and(|is| is.unwrap_or(false))
    {
        return Err(pooler::REFUSAL.to_owned());
    }
    let seen = diagnose(writer.client()).await;
    let look = seen.map_err(|e| format!("cannot read the database: {}", failure::words(&e)))?;
    Ok(Diagnosis { servers, ..look })
}

fn nobody_writes(servers: &[(String, Server)]) -> String {
    let said = servers.iter().map(|(name, server)| match server {
        Server::Unreachable(reason) => reason.clone(),
        Server::ReadsOnly | Server::Writes => format!("the database server {name} takes no writes"),
    });
    said.collect::<Vec<_>>().join("; ")
}

async fn diagnose(client: &Client) -> Result<Diagnosis, Error> {
    let done = migrate::steps_done(client).await?;
    let upgrades = migrate::may_create_tables(client).await?;
    if done == 0 {
        return Ok(Diagnosis { upgrades, ..Diagnosis::missing(Ok(())) });
    }
    let others = "SELECT count(*) FROM pg_stat_activity WHERE application_name = \
                  current_setting('application_name') AND datname = current_database() AND pid <> pg_backend_pid()";
    let others: i64 = match client.query_one(others, &[]).await {
        Ok(row) => row.try_get(0)?,
        // Some databases that speak the protocol of PostgreSQL do not support this query.
        Err(_) => 0,
    };
    // If this query fails because data is damaged, the other checks run anyway.
    let (newest, damage) = match client.query_one("SELECT max(created_at) FROM investigation", &[]).await {
        Ok(row) => (row.try_get::<_, Option<i64>>(0)?, None),
        Err(e) if failure::meaning(&e) == FailureKind::Hindered(Obstacle::Damaged) => (None, Some(failure::words(&e))),
        Err(e) => return Err(e),
    };
    let writes = client.batch_execute(WRITES).await.map_err(|e| failure::words(&e));
    Ok(Diagnosis {
        servers: Vec::new(),
        migrations: MigrationState::Steps { done, known: migrate::known_steps() },
        integrity: match (check_integrity(client).await, damage) {
            (met @ Integrity::ChecksumFailures(1.., _), _) => met,
            (_, Some(damage)) => Integrity::Damaged(damage),
            (integrity, None) => integrity,
        },
        writes,
        upgrades,
        others: if others > 0 { OtherUsers::Connections(others) } else { OtherUsers::Nobody },
        newest: newest.map(Timestamp),
        // Some databases that speak the protocol of PostgreSQL do not support this query.
        risky_settings: client
            .query(RISKY_SETTINGS, &[])
            .await
            .map(|rows| rows.iter().filter_map(|row| row.try_get(0).ok()).collect())
            .unwrap_or_default(),
        oldest_transaction: client.query_opt(OLDEST_TRANSACTION, &[]).await.ok().flatten().and_then(|row| {
            let age = Duration::try_from_secs_f64(row.try_get(0).ok()?).ok()?;
            Some((age, row.try_get(1).ok()?))
        }),
        went_back: client
            .query_opt(CLOCK_JUMPS, &[])
            .await
            .ok()
            .flatten()
            .and_then(|row| Some((Timestamp(row.try_get(0).ok()?), Timestamp(row.try_get(1).ok()?)))),
        // `None` for a store of an older version, which does not have this table.
        webhooks: client
            .query(WEBHOOKS, &[])
            .await
            .ok()
            .and_then(|rows| rows.iter().map(webhook).collect::<Result<_, _>>().ok()),
    })
}

async fn check_integrity(client: &Client) -> Integrity {
    // Older versions of PostgreSQL do not count checksum failures.
    let Ok(Some(row)) = client.query_opt(DAMAGE, &[]).await else { return Integrity::NotChecked };
    match (row.try_get(0), row.try_get::<_, Option<i64>>(1)) {
        (Ok(times), Ok(last)) => Integrity::ChecksumFailures(times, last.map(Timestamp)),
        _ => Integrity::NotChecked,
    }
}

fn webhook(row: &Row) -> Result<Webhook, Error> {
    let time = |column: usize| Ok::<_, Error>(row.try_get::<_, Option<i64>>(column)?.map(Timestamp));
    Ok(Webhook {
        endpoint: row.try_get(0)?,
        last: Timestamp(row.try_get(1)?),
        unsent: (row.try_get(2)?, time(3)?),
        to_retry: (row.try_get(4)?, time(5)?),
        attempts: row.try_get(6)?,
        is_leased: Some(row.try_get::<_, Option<bool>>(7)?.unwrap_or_default()),
    })
}
