//! Counts visits in batches. While one batch of a link is being counted, new visits of the link are collected for the
//! next batch. The answer to each visit contains a different count.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::{oneshot, watch};
use tokio::time::timeout;

use super::engine::Engine;
use super::{Postgres, rows};
use crate::domain::event::{EventKind, LinkName};
use crate::domain::time::Timestamp;
use crate::store::commands::Count;
use crate::store::row::to_json;
use crate::store::{StoreError, Visited};

/// Maximum number of waiting visits. Additional visits are rejected immediately.
const MAX_WAITING: usize = 10_000;

/// Maximum time that a caller waits for the count of a visit. Includes the time to count an earlier batch.
const MAX_WAIT: Duration = Duration::from_secs(12);

/// Number of batches after which marks older than an hour are deleted. A mark is a random text stored with a batch.
/// Only retries of the batch need the mark.
const BATCHES_PER_CLEARING: u64 = 1000;

/// Key of a link, its sub-link, and the day in UTC (`YYYY-MM-DD`).
type VisitKey = (String, String, String);
type Reply = oneshot::Sender<Result<Visited, StoreError>>;
/// A waiting visit: its time, and the channel for the answer.
type WaitingVisit = (Timestamp, Reply);

/// Visits that are waiting or being counted.
#[derive(Debug, Default)]
pub struct Visits(Arc<Queue>);

#[derive(Debug, Default)]
struct Queue {
    waiting: Mutex<Waiting>,
    /// Number of running tasks. Each task counts the visits of one link on one day.
    under_way: watch::Sender<usize>,
}

#[derive(Debug, Default)]
struct Waiting {
    /// Waiting visits of each link and day. An entry exists while a task is counting visits of this link and day.
    places: HashMap<VisitKey, Vec<WaitingVisit>>,
    visits: usize,
    batches: u64,
}

impl Visits {
    /// Returns the number of visits that wait for their batch to begin.
    pub fn waiting(&self) -> usize {
        self.0.waiting().visits
    }

    /// Waits until all accepted visits are counted.
    pub async fn finished(&self) {
        // Cannot fail, because `self` owns the sender.
        let _ = self.0.under_way.subscribe().wait_for(|places| *places == 0).await;
    }
}

impl Queue {
    fn waiting(&self) -> MutexGuard<'_, Waiting> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes the waiting visits of a link and day. If there are none, removes their entry, and the task must end.
    fn next_batch(&self, place: &VisitKey) -> Vec<WaitingVisit> {
        let mut waiting = self.waiting();
        let batch = waiting.places.get_mut(place).map(std::mem::take).unwrap_or_default();
        if batch.is_empty() {
            waiting.places.remove(place);
            self.under_way.send_replace(waiting.places.len());
        }
        waiting.visits -= batch.len();
        if !batch.is_empty() {
            metrics::histogram!("fieldbook_store_batch_size").record(batch.len() as f64);
        }
        batch
    }

    /// Increments the number of batches. Returns whether old marks should be deleted now.
    fn is_time_to_clear(&self) -> bool {
        let mut waiting = self.waiting();
        waiting.batches += 1;
        waiting.batches.is_multiple_of(BATCHES_PER_CLEARING)
    }
}

impl Postgres {
    pub async fn visit(&self, key: String, sub_link: String, at: Timestamp) -> Result<Visited, StoreError> {
        let (reply, answer) = oneshot::channel();
        let place = (key, sub_link, at.day());
        {
            let mut waiting = self.visits.0.waiting();
            if waiting.visits >= MAX_WAITING {
                return Err(StoreError::Busy);
            }
            waiting.visits += 1;
            match waiting.places.entry(place.clone()) {
                Entry::Occupied(mut gathered) => gathered.get_mut().push((at, reply)),
                Entry::Vacant(free) => {
                    free.insert(vec![(at, reply)]);
                    self.visits.0.under_way.send_replace(waiting.places.len());
                    // Counts in a separate task, so that the others are counted even if this caller disconnects.
                    tokio::spawn(count_all(self.engine.clone(), self.visits.0.clone(), place));
                }
            }
        }
        // The visit may still be counted, because it cannot be removed from a running batch.
        let late = || StoreError::Unanswered("a visit was not counted in time".into());
        let answer = timeout(MAX_WAIT, answer).await.map_err(|_| late())?;
        answer.unwrap_or_else(|_| Err(StoreError::Failed("a visit was not counted".into())))
    }
}

/// Counts the visits of one link and day, batch by batch, until no visit is waiting.
async fn count_all(engine: Engine, queue: Arc<Queue>, place: VisitKey) {
    loop {
        let batch = queue.next_batch(&place);
        if batch.is_empty() {
            return;
        }
        let latest = batch.iter().map(|(at, _)| *at).max().unwrap_or(Timestamp(0));
        let counted = count(&engine, &place, latest, batch.len() as u64).await;
        for (number, (_, reply)) in (1..).zip(batch) {
            let (key, sub_link, _) = &place;
            let counted = counted.as_ref().map_err(StoreError::clone);
            let answer = counted.map(|counted| counted.of_visit(number, key, sub_link));
            // The caller may have disconnected, but the visit counts anyway.
            let _ = reply.send(answer);
        }
        if queue.is_time_to_clear()
            && let Err(error) = engine.change("DELETE FROM visit_mark WHERE at < now() - interval '1 hour'", &[]).await
        {
            tracing::warn!(%error, "cannot delete old visit marks");
        }
    }
}

/// Counts `$4` visits of a link, up to its visit limit, unless the mark `$5` is already stored. Stores an event if the
/// limit is reached. The first visits of a day also store an event with the number of visits on the last earlier day
/// that had visits.
const COUNT: &str = "WITH before AS (
     SELECT l.key, l.sub_link, l.visit_count, least($4, coalesce(l.max_visits - l.visit_count, $4)) AS added
     FROM link l
     WHERE l.key = $1 AND l.sub_link = $2 AND NOT l.archived AND coalesce(l.expires_at > $6, true)
         AND coalesce(l.visit_count < l.max_visits, true)
         AND NOT EXISTS (SELECT 1 FROM visit_mark m WHERE m.key = $1 AND m.sub_link = $2 AND m.mark = $5)
     FOR UPDATE),
 counted AS (
     UPDATE link l SET visit_count = b.visit_count + b.added FROM before b
     WHERE l.key = b.key AND l.sub_link = b.sub_link
     RETURNING l.investigation, l.visit_count, b.added, l.shows, l.version, l.max_visits),
 marked AS (
     INSERT INTO visit_mark (key, sub_link, mark, investigation, count_after, added)
     SELECT $1, $2, $5, investigation, visit_count, added FROM counted),
 daily AS (
     INSERT INTO link_day (key, sub_link, day, count) SELECT $1, $2, $3, added FROM counted
     ON CONFLICT (key, sub_link, day) DO UPDATE SET count = link_day.count + excluded.count RETURNING count),
 earlier AS (
     SELECT d.day, d.count FROM link_day d, daily, counted
     WHERE d.key = $1 AND d.sub_link = $2 AND d.day < $3 AND daily.count = counted.added
     ORDER BY d.day DESC LIMIT 1),
 new_events AS (
     INSERT INTO event (at, investigation, revision, what)
     SELECT $6, i.id, i.revision, e.what
     FROM counted c JOIN investigation i ON i.id = c.investigation,
         LATERAL (
             SELECT json_build_object('type', 'link_visits', 'key', $1::text, 'subLink', $2::text, 'day', p.day,
                 'count', p.count)::text AS what FROM earlier p
             UNION ALL SELECT $7 WHERE c.visit_count = c.max_visits) AS e)
 SELECT investigation, visit_count, added, shows, version FROM counted";

/// Query for the result that an earlier attempt stored with the mark `$3`.
const FIND_MARK: &str = "SELECT m.investigation, m.count_after, m.added, l.shows, l.version
     FROM visit_mark m JOIN link l ON l.key = m.key AND l.sub_link = m.sub_link
     WHERE m.key = $1 AND m.sub_link = $2 AND m.mark = $3";

/// Counts `visits` visits of a link at the time `at`, but not more than its visit limit allows.
async fn count(
    engine: &Engine,
    (key, sub_link, day): &VisitKey,
    at: Timestamp,
    visits: u64,
) -> Result<Count, StoreError> {
    let mark = engine.mark();
    let visits = rows::signed(visits)?;
    let used_up = to_json(&EventKind::LinkClosed(LinkName { key: key.clone(), sub_link: sub_link.clone() }))?;
    let counted = engine.change(COUNT, &[key, sub_link, day, &visits, &mark, &at.0, &used_up]).await?;
    let mut rows = counted.rows;
    if rows.is_empty() && counted.may_be_stored {
        rows = engine.look_up(FIND_MARK, &[key, sub_link, &mark]).await?.rows;
    }
    if let Some(row) = rows.first() {
        return Ok(Count::Counted {
            investigation_id: rows::parsed(row, 0)?,
            after: rows::whole(row, 1)?,
            added: rows::whole(row, 2)?,
            shows: rows::shows(row, 3)?,
            version: rows::whole_or_none(row, 4)?,
        });
    }
    let found = engine.look_up("SELECT 1 FROM link WHERE key = $1 AND sub_link = $2", &[key, sub_link]).await?;
    Ok(if found.rows.is_empty() { Count::NoLink } else { Count::Closed })
}
