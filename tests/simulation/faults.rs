//! Faults between the service and its store: calls take long, fail before they have any effect, or lose their answers;
//! transactions end in deadlocks, or continue after their connection is broken.
//!
//! Only one copy delivers to webhooks at a time, as on PostgreSQL. In the simulation, a lease ensures this.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use fieldbook::store::StoreError;
use fieldbook::store::simulated::{Fate, Fault, Faults};
use fieldbook::store::webhook::LEASE;
use parking_lot::{Mutex, MutexGuard};
use tokio::sync::Notify;
use tokio::time::{Instant, sleep};

use crate::histories::Dice;
use crate::trace::Trace;

/// Behavior of the store.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Weather {
    /// No call fails.
    Calm,
    /// Some calls fail or take long.
    Changeable,
    /// Most calls fail or take long.
    Storm,
}

/// Calls that change the store.
const WRITES: [&str; 14] = [
    "claim",
    "create",
    "finalize_answer",
    "commit",
    "delete",
    "create_link",
    "change_link",
    "visit",
    "delete_link",
    "lease_endpoint",
    "release_endpoint",
    "queue_deliveries",
    "settle_delivery",
    "forget_events",
];

/// State of the network, which all copies of the service share.
#[derive(Clone)]
pub struct Network(Arc<Mutex<State>>, Trace, Arc<Notify>);

struct State {
    weather: Weather,
    /// Whether every call takes more than a second. Such calls need not fail: they are slow even in [`Weather::Calm`],
    /// in which no call fails.
    is_slow: bool,
    dice: Dice,
    /// Processes that have ended. The remaining calls of these processes fail.
    ended: BTreeSet<u64>,
    /// Process that delivers to webhooks, and the end of its lease.
    lease: Option<(u64, Instant)>,
    /// Number of marks that were created. Each mark identifies one write, as `src/store/write.rs` explains.
    marks: u64,
    /// Processes to be killed at their current step: before a write, or between a write and its answer.
    doomed: Vec<u64>,
}

#[derive(Clone)]
pub struct StoreConnection {
    network: Network,
    process: u64,
}

impl std::fmt::Debug for StoreConnection {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "the connection of process {}", self.process)
    }
}

impl Network {
    pub fn new(mut dice: Dice, trace: Trace) -> Self {
        let is_slow = dice.throw(20) == 0;
        let state = State {
            weather: Weather::Calm,
            is_slow,
            dice,
            ended: BTreeSet::new(),
            lease: None,
            marks: 0,
            doomed: Vec::new(),
        };
        Self(Arc::new(Mutex::new(state)), trace, Arc::default())
    }

    pub fn set(&self, weather: Weather) {
        self.state().weather = weather;
    }

    pub fn connection(&self, process: u64) -> StoreConnection {
        StoreConnection { network: self.clone(), process }
    }

    /// Waits until a process must be killed, and returns the number of the process.
    pub async fn doomed(&self) -> u64 {
        loop {
            if let Some(process) = self.state().doomed.pop() {
                return process;
            }
            self.2.notified().await;
        }
    }

    pub fn end(&self, process: u64) {
        self.state().ended.insert(process);
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock()
    }
}

impl State {
    /// Returns how long a call waits, and whether it fails after that.
    fn decide(&mut self) -> (Duration, bool) {
        let (slow, very_slow, fails) = match self.weather {
            Weather::Calm => (0, 0, 0),
            Weather::Changeable => (20, 23, 4),
            Weather::Storm => (40, 55, 50),
        };
        let wait = match self.dice.throw(100) {
            chance if chance < slow => 1 + self.dice.throw(200),
            chance if chance < very_slow => 500 + self.dice.throw(4000),
            _ => 0,
        };
        let wait = if self.is_slow { wait + 1100 } else { wait };
        (Duration::from_millis(wait), self.dice.throw(100) < fails)
    }

    fn fate(&mut self) -> Fate {
        let (deadlocks, broken) = match self.weather {
            Weather::Calm => (0, 0),
            Weather::Changeable => (3, 6),
            Weather::Storm => (10, 25),
        };
        match self.dice.throw(100) {
            chance if chance < deadlocks => Fate::Deadlock,
            chance if chance < broken => Fate::Abandoned(Duration::from_millis(self.dice.throw(2000))),
            _ => Fate::Committed,
        }
    }

    /// Returns true if a process is to be killed at its current step, and records this.
    fn dooms(&mut self, process: u64) -> bool {
        let is_doomed = self.weather != Weather::Calm && self.dice.throw(150) == 0;
        self.doomed.extend(is_doomed.then_some(process));
        is_doomed
    }

    /// Returns true if a process may make this call for webhooks. Renews the lease of the process, if it has one.
    fn may_deliver(&mut self, process: u64, call: &str) -> bool {
        let now = Instant::now();
        let is_own = self.lease.is_some_and(|(holder, _)| holder == process);
        let is_free = self.lease.is_none_or(|(_, until)| until < now);
        match call {
            "lease_endpoint" if !is_own && !is_free => return false,
            "queue_deliveries" | "settle_delivery" if !is_own => return false,
            "lease_endpoint" | "queue_deliveries" | "settle_delivery" => {
                self.lease = Some((process, now + Duration::from_millis(LEASE)));
            }
            "release_endpoint" if is_own => self.lease = None,
            _ => {}
        }
        true
    }
}

impl StoreConnection {
    async fn wait_or_fail(&self, call: &'static str, is_before: bool) -> Result<(), StoreError> {
        let Network(_, trace, dying) = &self.network;
        let process = self.process;
        let failed = |state: &State, why: &str| -> Result<(), StoreError> {
            let reason = format!("simulated: {why}");
            trace.note(|| format!("store    process {process}: {call}: {why} ({:?})", state.weather));
            Err(if is_before { StoreError::Unavailable(reason) } else { StoreError::Unanswered(reason) })
        };
        let (wait, fails) = {
            let mut state = self.network.state();
            match state.ended.contains(&process) {
                true => return Err(StoreError::Unavailable("the process has ended".to_owned())),
                false => state.decide(),
            }
        };
        if !wait.is_zero() {
            sleep(wait).await;
        }
        if WRITES.contains(&call) && self.network.state().dooms(process) {
            dying.notify_one();
            trace.note(|| format!("store    process {process}: {call}: the process dies here"));
            return std::future::pending().await;
        }
        let mut state = self.network.state();
        match is_before {
            true if fails && state.dice.throw(4) == 0 => {
                trace.note(|| format!("store    process {process}: {call}: busy"));
                Err(StoreError::Busy)
            }
            true if fails => failed(&state, "not reached"),
            true if !state.may_deliver(process, call) => {
                trace.note(|| format!("store    process {process}: {call}: another process delivers"));
                Err(StoreError::Busy)
            }
            true => {
                trace.note(|| format!("store    process {process}: {call}"));
                Ok(())
            }
            false if fails && WRITES.contains(&call) => failed(&state, "done, but the answer is lost"),
            false => Ok(()),
        }
    }
}

impl Faults for StoreConnection {
    fn before(&self, call: &'static str) -> Fault<'_> {
        Box::pin(self.wait_or_fail(call, true))
    }

    fn after(&self, call: &'static str) -> Fault<'_> {
        Box::pin(self.wait_or_fail(call, false))
    }

    fn fate(&self, call: &'static str) -> Fate {
        let fate = self.network.state().fate();
        if fate != Fate::Committed {
            self.network.1.note(|| format!("store    process {}: {call}: {fate:?}", self.process));
        }
        fate
    }

    fn mark(&self) -> String {
        let mut state = self.network.state();
        state.marks += 1;
        state.marks.to_string()
    }
}
