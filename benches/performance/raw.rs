//! The upper limit for writes: this process writes the same rows directly into a store with the same schema.

use std::path::Path;
use std::time::Duration;

use fieldbook::clock::Stopwatch;
use fieldbook::store::sqlite::FILE;
use rusqlite::{Connection, params};

/// Number of writes per transaction. Fieldbook also groups 64 writes if 64 connections send one write each.
pub const GROUP: u64 = 64;

/// A store file that is opened with the same settings as in Fieldbook.
pub struct Raw(Connection);

impl Raw {
    pub fn open(data: &Path) -> Result<Self, String> {
        let open = || -> Result<Connection, rusqlite::Error> {
            let connection = Connection::open(data.join(FILE))?;
            connection.execute_batch(
                "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON;
                 PRAGMA busy_timeout = 5000;",
            )?;
            connection.set_prepared_statement_cache_capacity(64);
            Ok(connection)
        };
        open().map(Self).map_err(|e| e.to_string())
    }

    /// Returns the time of one commit that counts one visit, in milliseconds: the mean over `time`.
    pub fn visit(&self, time: Duration) -> Result<f64, String> {
        let count = || -> Result<(), rusqlite::Error> {
            self.0.execute_batch("BEGIN IMMEDIATE")?;
            self.count(1)?;
            self.0.execute_batch("COMMIT")
        };
        let begun = Stopwatch::start();
        let mut commits = 0u32;
        while begun.elapsed() < time {
            count().map_err(|e| e.to_string())?;
            commits += 1;
        }
        Ok(begun.elapsed().as_secs_f64() * 1e3 / f64::from(commits))
    }

    /// Counts visits of `links` links, in transactions of [`GROUP`] visits. Returns the number of visits per second.
    pub fn visits(&self, links: u64, time: Duration) -> Result<f64, String> {
        let begun = Stopwatch::start();
        let mut visits = 0u64;
        while begun.elapsed() < time {
            let group = || -> Result<(), rusqlite::Error> {
                self.0.execute_batch("BEGIN IMMEDIATE")?;
                // Spreads the visits over all links, as many visitors do. From one visit to the next, the number of the
                // link grows by a prime number, so that every link gets visits.
                (visits..visits + GROUP).try_for_each(|visit| self.count(1 + visit * 7919 % links))?;
                self.0.execute_batch("COMMIT")
            };
            group().map_err(|e| e.to_string())?;
            visits += GROUP;
        }
        Ok(visits as f64 / begun.elapsed().as_secs_f64())
    }

    fn count(&self, link: u64) -> Result<(), rusqlite::Error> {
        self.0.prepare_cached("UPDATE link SET visit_count = visit_count + 1 WHERE n = ?1")?.execute([link])?;
        let day = "INSERT INTO link_day (link, day, count) VALUES (?1, '2026-01-01', 1)
                   ON CONFLICT (link, day) DO UPDATE SET count = count + 1";
        self.0.prepare_cached(day)?.execute([link])?;
        Ok(())
    }

    /// Returns the number of updates per second, in transactions of [`GROUP`] updates. Each update writes an
    /// investigation, its search words, a version record and the name of the changed field.
    pub fn update(&self, time: Duration) -> Result<f64, String> {
        let run = || -> Result<f64, rusqlite::Error> {
            let of = |sql: &str| -> Result<u64, rusqlite::Error> { self.0.query_row(sql, [], |row| row.get(0)) };
            let investigations = of("SELECT count(*) FROM investigation")?.max(1);
            let mut version = of("SELECT coalesce(max(version), 0) FROM version_record")?;
            let (content, findings): (String, String) =
                self.0.query_row("SELECT content, findings FROM investigation LIMIT 1", [], |row| {
                    Ok((row.get(0)?, row.get(1)?))
                })?;
            let words = words(&content);
            let begun = Stopwatch::start();
            let mut updates = 0u64;
            while begun.elapsed() < time {
                self.0.execute_batch("BEGIN IMMEDIATE")?;
                for _ in 0..GROUP {
                    updates += 1;
                    version += 1;
                    self.write(1 + updates % investigations, version, &content, &findings, &words)?;
                }
                self.0.execute_batch("COMMIT")?;
            }
            Ok(updates as f64 / begun.elapsed().as_secs_f64())
        };
        run().map_err(|e| e.to_string())
    }

    fn write(
        &self,
        body: u64,
        version: u64,
        content: &str,
        findings: &str,
        words: &str,
    ) -> Result<(), rusqlite::Error> {
        let id: String = self
            .0
            .prepare_cached("SELECT id FROM investigation WHERE body = ?1")?
            .query_row([body], |row| row.get(0))?;
        self.0
            .prepare_cached(
                "UPDATE investigation SET revision = revision + 1, version = ?2, latest_version = ?2, updated_at = ?2,
                     findings = ?3, content = ?4 WHERE id = ?1",
            )?
            .execute(params![id, version, findings, content])?;
        self.0.prepare_cached("UPDATE search SET words = ?2 WHERE rowid = ?1")?.execute(params![body, words])?;
        let changes =
            r#"[{"path":"phenomenon","before":"Look: Light reaches the leaf.","after":"Look: Light reaches."}]"#;
        self.0
            .prepare_cached(
                "INSERT INTO version_record
                     (body, version, parent, kind, at, by_user, with_ai, undone, since_copy, changes)
                 VALUES (?1, ?2, ?2 - 1, 'update', ?2, NULL, 0, 0, 1, ?3)",
            )?
            .execute(params![body, version, changes])?;
        self.0
            .prepare_cached("INSERT INTO version_field (body, field, version) VALUES (?1, '=phenomenon', ?2)")?
            .execute(params![body, version])?;
        Ok(())
    }
}

/// Returns the words of a document, each once.
fn words(content: &str) -> String {
    let lower = content.to_lowercase();
    let mut words: Vec<&str> = lower.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
    words.sort_unstable();
    words.dedup();
    words.join(" ")
}
