//! A bounded number of units, which callers share.

use std::collections::HashMap;
use std::sync::Arc;

use parking_lot::{Mutex, MutexGuard};
use tokio::sync::oneshot;

use super::actor::Actor;
use super::turns::Turns;

/// A bounded number of units. One caller holds at most a quarter of them, but always at least one. Callers who wait
/// take turns.
#[derive(Debug)]
pub struct Pool(Arc<Units>);

#[derive(Debug)]
struct Units {
    all: u64,
    each: u64,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    used: u64,
    /// Number of units that each caller holds.
    held: HashMap<Actor, u64>,
    waiting: Turns<Waiting>,
}

#[derive(Debug)]
struct Waiting {
    units: u64,
    grant: oneshot::Sender<Permit>,
}

/// When dropped, grants units to the next waiting callers, because they may have been waiting behind a caller who gave
/// up.
struct PassOn<'u>(&'u Arc<Units>);

/// Units that a caller holds. Dropping this value gives them back.
#[derive(Debug)]
#[must_use]
pub struct Permit {
    units: u64,
    actor: Actor,
    pool: Arc<Units>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PoolError {
    ShareUsedUp,
    Everything,
}

/// Returns the maximum number of units that one caller may hold in a pool of `units` units.
pub const fn share_of(units: u32) -> u32 {
    if units < 8 { 1 } else { units / 4 }
}

impl Pool {
    pub fn new(units: u32) -> Self {
        let (all, each) = (u64::from(units), u64::from(share_of(units)));
        Self(Arc::new(Units { all, each, state: Mutex::default() }))
    }

    /// Returns the maximum number of units that one caller may hold.
    pub fn share(&self) -> u32 {
        u32::try_from(self.0.each).unwrap_or(u32::MAX)
    }

    /// Takes units without waiting. A request for more units than [`share_of`] returns always fails.
    pub fn try_take(&self, actor: Actor, units: u32) -> Result<Permit, PoolError> {
        self.try_take_of(self.0.each, actor, units)
    }

    /// Like [`Self::try_take`], for an actor that represents many callers, such as a trusted proxy, and may hold all
    /// units.
    pub fn try_take_for_many(&self, actor: Actor, units: u32) -> Result<Permit, PoolError> {
        self.try_take_of(self.0.all, actor, units)
    }

    fn try_take_of(&self, share: u64, actor: Actor, units: u32) -> Result<Permit, PoolError> {
        let (mut state, units) = (self.0.state(), u64::from(units));
        if held_by(actor, &state.held) + units > share {
            return Err(PoolError::ShareUsedUp);
        }
        if state.used + units > self.0.all {
            return Err(PoolError::Everything);
        }
        state.add(actor, units);
        Ok(self.0.permit(actor, units))
    }

    /// Waits for units. A request for more units than a caller's share gets the whole share. A caller whose own share
    /// is used up does not block other callers.
    pub async fn take(&self, actor: Actor, units: u32) -> Permit {
        let units = u64::from(units).min(self.0.each);
        loop {
            let granted = {
                let mut state = self.0.state();
                if state.waiting.is_empty()
                    && held_by(actor, &state.held) + units <= self.0.each
                    && state.used + units <= self.0.all
                {
                    state.add(actor, units);
                    return self.0.permit(actor, units);
                }
                let (grant, granted) = oneshot::channel();
                state.waiting.push(actor, Waiting { units, grant });
                granted
            };
            self.0.grant_waiting();
            let _pass_on = PassOn(&self.0);
            // Fails only if the sender was dropped, which never happens.
            if let Ok(permit) = granted.await {
                return permit;
            }
        }
    }

    /// Returns how many requests wait for units.
    #[cfg(feature = "simulation")]
    pub fn waiting(&self) -> usize {
        self.0.state().waiting.len()
    }

    #[cfg(test)]
    pub(super) fn known_callers(&self) -> usize {
        self.0.state().held.len()
    }
}

impl Units {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock()
    }

    fn permit(self: &Arc<Self>, actor: Actor, units: u64) -> Permit {
        Permit { units, actor, pool: self.clone() }
    }

    /// Grants free units to waiting callers. If there are too few units for the next caller, later callers do not
    /// overtake this caller.
    fn grant_waiting(self: &Arc<Self>) {
        loop {
            let (actor, Waiting { units, grant }) = {
                let mut state = self.state();
                let State { used, held, waiting } = &mut *state;
                if *used == self.all {
                    return;
                }
                let mut is_full = false;
                let next = waiting.pop_if(|actor, next| {
                    // Callers who have given up do not block others.
                    if next.grant.is_closed() {
                        return true;
                    }
                    let is_next = !is_full && held_by(actor, held) + next.units <= self.each;
                    is_full |= is_next && *used + next.units > self.all;
                    is_next && !is_full
                });
                let Some((actor, next)) = next else { return };
                if next.grant.is_closed() {
                    continue;
                }
                state.add(actor, next.units);
                (actor, next)
            };
            // Sent outside the lock, because dropping an undelivered permit takes the lock.
            drop(grant.send(self.permit(actor, units)));
        }
    }
}

impl Drop for PassOn<'_> {
    fn drop(&mut self) {
        self.0.grant_waiting();
    }
}

fn held_by(actor: Actor, held: &HashMap<Actor, u64>) -> u64 {
    held.get(&actor).copied().unwrap_or_default()
}

impl State {
    fn add(&mut self, actor: Actor, units: u64) {
        self.used += units;
        *self.held.entry(actor).or_default() += units;
    }

    fn remove(&mut self, actor: Actor, units: u64) {
        self.used = self.used.saturating_sub(units);
        if let Some(held) = self.held.get_mut(&actor) {
            *held = held.saturating_sub(units);
            if *held == 0 {
                self.held.remove(&actor);
            }
        }
    }
}

impl Permit {
    /// Gives back all but `units` units. Never takes more units, because others may be waiting for them.
    pub fn shrink(&mut self, units: u64) {
        let given_back = self.units.saturating_sub(units);
        self.pool.state().remove(self.actor, given_back);
        self.units -= given_back;
        self.pool.grant_waiting();
    }

    pub fn units(&self) -> u64 {
        self.units
    }
}

impl Drop for Permit {
    fn drop(&mut self) {
        let mut state = self.pool.state();
        state.remove(self.actor, self.units);
        state.waiting.step_back(self.actor);
        drop(state);
        self.pool.grant_waiting();
    }
}
