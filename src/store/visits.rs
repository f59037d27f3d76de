//! Counts visits in batches. While one batch of a link is being counted, new visits of the link are collected for the
//! next batch. Each visit gets a different number as its answer.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::sync::Arc;
use std::time::Duration;

use parking_lot::Mutex;
use tokio::sync::{oneshot, watch};
use tokio::task::yield_now;
use tokio::time::timeout;

use super::engine::WriteKind;
use super::readable::readable;
use super::sql::{Rows, Statement};
use super::{CountedVisit, Reports, RevisionKey, Store, StoreError, Visited, links};
use crate::domain::event::EventKind;
use crate::domain::link::{DayCount, Link, VisitKind};
use crate::domain::time::Timestamp;

/// Maximum time that a caller waits for the count of a visit. Includes the time to count an earlier batch.
const MAX_WAIT: Duration = Duration::from_secs(12);

/// What all visits of a batch have in common: the link, the kind (opening the link, or looking at its page), and the
/// day in UTC (`YYYY-MM-DD`).
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct BatchKey {
    key: String,
    sub_link: String,
    kind: VisitKind,
    day: String,
}

/// A waiting visit.
#[derive(Debug)]
struct WaitingVisit {
    at: Timestamp,
    reply: oneshot::Sender<Result<Visited, StoreError>>,
}

/// Visits that are waiting or being counted.
#[derive(Debug, Clone, Default)]
pub struct Visits(Arc<Queue>);

#[derive(Debug, Default)]
struct Queue {
    waiting: Mutex<Waiting>,
    /// Number of running tasks. Each task counts the visits of one link, day and kind.
    under_way: watch::Sender<usize>,
}

#[derive(Debug, Default)]
struct Waiting {
    /// Waiting visits of each link, day and kind. An entry exists while a task is counting these visits.
    batches: HashMap<BatchKey, Vec<WaitingVisit>>,
    visits: usize,
}

impl Visits {
    /// Returns the number of visits that wait for their batch to begin.
    pub fn waiting(&self) -> usize {
        self.0.waiting.lock().visits
    }

    /// Waits until all accepted visits are counted.
    pub async fn finished(&self) {
        // Cannot fail, because `self` owns the sender.
        let _ = self.0.under_way.subscribe().wait_for(|batches| *batches == 0).await;
    }

    /// Adds a visit. Returns whether its link, day and kind need a new task, because none is counting them.
    fn add(&self, batch_key: &BatchKey, visit: WaitingVisit) -> bool {
        let mut waiting = self.0.waiting.lock();
        waiting.visits += 1;
        match waiting.batches.entry(batch_key.clone()) {
            Entry::Occupied(mut gathered) => {
                gathered.get_mut().push(visit);
                false
            }
            Entry::Vacant(free) => {
                free.insert(vec![visit]);
                self.0.under_way.send_replace(waiting.batches.len());
                true
            }
        }
    }

    /// Takes the waiting visits of a link, day and kind. If no visit is waiting, removes the entry of this link, day
    /// and kind, and returns an empty list. Then the task that called must end.
    fn next_batch(&self, batch_key: &BatchKey) -> Vec<WaitingVisit> {
        let mut waiting = self.0.waiting.lock();
        let batch = waiting.batches.get_mut(batch_key).map(std::mem::take).unwrap_or_default();
        if batch.is_empty() {
            waiting.batches.remove(batch_key);
            self.0.under_way.send_replace(waiting.batches.len());
        } else {
            waiting.visits -= batch.len();
        }
        batch
    }
}

impl Store {
    /// Counts a visit, unless the link is archived, expired or used up, or visits of this kind are not counted. Returns
    /// the investigation of the link, and the visit count, which is different for each visit. The count is on disk
    /// before this function returns.
    pub async fn visit(
        &self,
        key: String,
        sub_link: String,
        kind: VisitKind,
        at: Timestamp,
    ) -> Result<Visited, StoreError> {
        let (reply, answer) = oneshot::channel();
        let batch_key = BatchKey { key, sub_link, kind, day: at.day() };
        if self.visits.add(&batch_key, WaitingVisit { at, reply }) {
            // Counts in a separate task, so that the other visits in the batch are counted even if this caller
            // disconnects.
            tokio::spawn(self.clone().count_visits(batch_key));
        }
        // The visit may still be counted, because it cannot be removed from a running batch.
        let late = || StoreError::Unanswered("a visit was not counted in time".into());
        let answer = timeout(MAX_WAIT, answer).await.map_err(|_| late())?;
        answer.unwrap_or_else(|_| Err(StoreError::Failed("a visit was not counted".into())))
    }

    /// Counts the visits of one link, day and kind, batch by batch, until no visit is waiting.
    async fn count_visits(self, batch_key: BatchKey) {
        loop {
            // Lets other tasks run first, so that visits whose requests have already arrived join this batch. Large
            // batches need less CPU time per visit.
            yield_now().await;
            let batch = self.visits.next_batch(&batch_key);
            if batch.is_empty() {
                return;
            }
            let latest = batch.iter().map(|visit| visit.at).max().unwrap_or(Timestamp(0));
            let counted = self.count_batch(&batch_key, latest, batch.len() as u64).await;
            for (number, visit) in (1..).zip(batch) {
                let counted = counted.as_ref().map_err(StoreError::clone);
                let answer = counted.map(|counted| counted.of_visit(number));
                // The caller may have disconnected, but the visit was counted anyway.
                let _ = visit.reply.send(answer);
            }
        }
    }

    /// Counts `visits` visits of one link at the time `at`, but not more than its visit limit allows.
    async fn count_batch(&self, batch_key: &BatchKey, at: Timestamp, visits: u64) -> Result<Count, StoreError> {
        let BatchKey { key, sub_link, kind, day } = batch_key.clone();
        let latest_days = Statement::new(format!(
            "SELECT d.link, d.day, d.count FROM link l JOIN link_day d ON d.link = l.n
             WHERE {} AND d.day <= $day ORDER BY d.day DESC LIMIT 1",
            links::AT
        ));
        let latest_days = links::at(latest_days, &key, &sub_link).with("day", &day);
        let reads = vec![links::locked(&key, &sub_link, self.dialect()), latest_days];
        self.write_as(WriteKind::Visit, "visit", reads, move |rows: &[Rows]| {
            let Some(found) = rows[0].first() else { return Ok((Vec::new(), Count::NoLink)) };
            let link = links::read(found)?;
            let added = link.admits(visits, at);
            if added == 0 {
                return Ok((Vec::new(), Count::Closed));
            }
            if kind == VisitKind::Look && link.options.max_visits.is_some() {
                return Ok((Vec::new(), Count::Limited));
            }
            let after = link.visit_count + added;
            let number = found.integer("n")?;
            let mut statements = vec![
                Statement::new("UPDATE link SET visit_count = $after WHERE n = $link")
                    .with("after", after)
                    .with("link", number),
                Statement::new(
                    "INSERT INTO link_day (link, day, count) VALUES ($link, $day, $added)
                     ON CONFLICT (link, day) DO UPDATE SET count = link_day.count + excluded.count",
                )
                .with("link", number)
                .with("day", &day)
                .with("added", added),
            ];
            let latest_day = readable(links::DAYS, &rows[1], links::read_day)?.pop();
            let reports = Reports::events(events(&link, after, &day, latest_day));
            statements.extend(reports.statements(link.investigation_id, None, at)?);
            Ok((statements, Count::Counted { before: Box::new(link), state: RevisionKey::read(found)?, added }))
        })
        .await
    }
}

/// Result of counting a batch of visits.
#[derive(Debug)]
enum Count {
    Counted {
        /// The link before these visits.
        before: Box<Link>,
        /// The state of the link's investigation.
        state: RevisionKey,
        /// Number of these visits that were counted. It is lower than the number of visits if the link reached its
        /// visit limit.
        added: u64,
    },
    NoLink,
    Closed,
    Limited,
}

impl Count {
    /// Returns the result of the visit with this number in the batch.
    fn of_visit(&self, number: u64) -> Visited {
        match self {
            Self::NoLink => Visited::NoLink,
            Self::Counted { before: link, state, added } if number <= *added => {
                Visited::Counted(CountedVisit { visit: link.visit(link.visit_count + number), state: *state })
            }
            Self::Limited => Visited::Limited,
            Self::Counted { .. } | Self::Closed => Visited::Closed,
        }
    }
}

/// Returns the events of a batch of visits on the day `day`. `after` is the visit count of the link after the batch.
/// `latest_day` is the last day with visits before the batch. If that is an earlier day, it has ended, so its number of
/// visits is reported with this batch.
fn events(link: &Link, after: u64, day: &str, latest_day: Option<DayCount>) -> Vec<EventKind> {
    let earlier = latest_day.filter(|latest| latest.day != day);
    let visits = earlier.map(|DayCount { day, count }| EventKind::LinkVisits { link: link.name(), day, count });
    let used_up = (link.options.max_visits == Some(after)).then(|| EventKind::LinkClosed(link.name()));
    visits.into_iter().chain(used_up).collect()
}
