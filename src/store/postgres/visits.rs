//! Visits, counted in batches: while one batch of a link is under way the next gathers. Each visit gets a number of its own.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::{oneshot, watch};
use tokio::time::timeout;

use super::engine::Engine;
use super::{Postgres, rows};
use crate::domain::id::ObjectId;
use crate::domain::link::Visit;
use crate::store::StoreError;

/// Maximum number of waiting visits; more are refused at once.
const MAX_WAITING: usize = 10_000;

/// How long a visit waits to be counted, including the batch before it.
const MAX_WAIT: Duration = Duration::from_secs(12);

/// Number of batches after which old marks are deleted.
const BATCHES_PER_CLEARING: u64 = 1000;

/// Key, sub-link and day.
type VisitKey = (String, String, String);
type Reply = oneshot::Sender<Result<Option<Visit>, StoreError>>;

/// Visits that wait to be counted.
#[derive(Debug, Default)]
pub struct Visits(Arc<Queue>);

#[derive(Debug, Default)]
struct Queue {
    waiting: Mutex<Waiting>,
    /// Number of batches under way.
    under_way: watch::Sender<usize>,
}

#[derive(Debug, Default)]
struct Waiting {
    /// The waiting visits of each link and day. An entry exists while a task counts for it.
    places: HashMap<VisitKey, Vec<Reply>>,
    visits: usize,
    batches: u64,
}

impl Visits {
    /// Waits until no batch is under way.
    pub async fn finished(&self) {
        // The sender lives as long as this does.
        let _ = self.0.under_way.subscribe().wait_for(|places| *places == 0).await;
    }
}

impl Queue {
    fn waiting(&self) -> MutexGuard<'_, Waiting> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes the waiting visits of a link and day; removes the entry if there are none.
    fn next_batch(&self, place: &VisitKey) -> Vec<Reply> {
        let mut waiting = self.waiting();
        let batch = waiting.places.get_mut(place).map(std::mem::take).unwrap_or_default();
        if batch.is_empty() {
            waiting.places.remove(place);
            self.under_way.send_replace(waiting.places.len());
        }
        waiting.visits -= batch.len();
        metrics::gauge!("fieldbook_store_queue_length").set(waiting.visits as f64);
        if !batch.is_empty() {
            metrics::histogram!("fieldbook_store_batch_size").record(batch.len() as f64);
        }
        batch
    }

    /// Whether it is time to delete old marks.
    fn is_time_to_clear(&self) -> bool {
        let mut waiting = self.waiting();
        waiting.batches += 1;
        waiting.batches.is_multiple_of(BATCHES_PER_CLEARING)
    }
}

impl Postgres {
    /// Counts a visit.
    pub async fn visit(&self, key: String, sub_link: String, day: String) -> Result<Option<Visit>, StoreError> {
        let (reply, answer) = oneshot::channel();
        let place = (key, sub_link, day);
        {
            let mut waiting = self.visits.0.waiting();
            if waiting.visits >= MAX_WAITING {
                return Err(StoreError::Busy);
            }
            waiting.visits += 1;
            match waiting.places.entry(place.clone()) {
                Entry::Occupied(mut gathered) => gathered.get_mut().push(reply),
                Entry::Vacant(free) => {
                    free.insert(vec![reply]);
                    self.visits.0.under_way.send_replace(waiting.places.len());
                    // A task of its own, so that callers who disconnect do not affect others.
                    tokio::spawn(count_all(self.engine.clone(), self.visits.0.clone(), place));
                }
            }
        }
        // It may still be counted: a visit cannot leave a running batch.
        let late = || StoreError::Unanswered("a visit was not counted in time".into());
        let answer = timeout(MAX_WAIT, answer).await.map_err(|_| late())?;
        answer.unwrap_or_else(|_| Err(StoreError::Failed("a visit was not counted".into())))
    }
}

/// Counts the visits of one link and day, batch by batch, until none is waiting.
async fn count_all(engine: Engine, queue: Arc<Queue>, place: VisitKey) {
    loop {
        let batch = queue.next_batch(&place);
        if batch.is_empty() {
            return;
        }
        let visits = batch.len() as u64;
        let counted = count(&engine, &place, visits).await;
        for (number, reply) in (1..).zip(batch) {
            let (key, sub_link, _) = &place;
            let answer = counted.as_ref().map_err(StoreError::clone).map(|counted| {
                counted.map(|(investigation_id, after)| Visit {
                    investigation_id,
                    key: key.clone(),
                    sub_link: sub_link.clone(),
                    visit_count: after - visits + number,
                })
            });
            // The caller may be gone; the visit counts anyway.
            let _ = reply.send(answer);
        }
        if queue.is_time_to_clear()
            && let Err(error) = engine.change("DELETE FROM visit_mark WHERE at < now() - interval '1 hour'", &[]).await
        {
            tracing::warn!(%error, "cannot delete old visit marks");
        }
    }
}

/// Adds visits to a link and returns its target and new count; `None` for an unknown link.
async fn count(
    engine: &Engine,
    (key, sub_link, day): &VisitKey,
    visits: u64,
) -> Result<Option<(ObjectId, u64)>, StoreError> {
    let mark = engine.mark()?;
    let visits = rows::signed(visits)?;
    // Should an earlier attempt be carried out in the meantime, its mark is in the way of this one.
    let counted = engine
        .change(
            "WITH counted AS (
                 UPDATE link SET visit_count = visit_count + $4
                 WHERE key = $1 AND sub_link = $2
                     AND NOT EXISTS (SELECT 1 FROM visit_mark m WHERE m.key = $1 AND m.sub_link = $2 AND m.mark = $5)
                 RETURNING investigation, visit_count),
             marked AS (
                 INSERT INTO visit_mark (key, sub_link, mark, investigation, count_after)
                 SELECT $1, $2, $5, investigation, visit_count FROM counted),
             daily AS (
                 INSERT INTO link_day (key, sub_link, day, count) SELECT $1, $2, $3, $4 FROM counted
                 ON CONFLICT (key, sub_link, day) DO UPDATE SET count = link_day.count + excluded.count)
             SELECT investigation, visit_count FROM counted",
            &[key, sub_link, day, &visits, &mark],
        )
        .await?;
    let mut rows = counted.rows;
    if rows.is_empty() && counted.again {
        let sql = "SELECT investigation, count_after FROM visit_mark WHERE key = $1 AND sub_link = $2 AND mark = $3";
        rows = engine.look_up(sql, &[key, sub_link, &mark]).await?.rows;
    }
    rows.first().map(|row| Ok((rows::parsed(row, 0)?, rows::whole(row, 1)?))).transpose()
}
