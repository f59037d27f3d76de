//! Rate limits (GCRA): each caller may send a burst of requests, and after that requests at a steady rate.
//!
//! The memory use depends only on the number of callers within one time window, because idle callers are forgotten.

use std::num::NonZeroU32;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use governor::middleware::NoOpMiddleware;
use governor::state::keyed::HashMapStateStore;
use governor::{Quota, RateLimiter};

use crate::admission::Actor;
use crate::clock::Clock;

/// A rate limit forgets idle callers only if it tracks at least this number of callers.
const MIN_CLEANED: usize = 1024;

/// Maximum value of a rate limit setting.
pub const MAX_RATE: u32 = 1_000_000;

/// Maximum number of wrong sign-in codes and of password attempts, successful or not, per minute from one address. A
/// whole school may share an address.
const SIGN_INS_PER_MINUTE: u32 = 50;

/// A request that may use the assistant. The rate limit counts it at most once, and only when it uses the assistant.
pub struct AssistantRequest {
    actor: Actor,
    counted: AtomicBool,
}

/// The rate limits of the service; `None` means that there is no limit.
#[derive(Default)]
pub struct Limits {
    /// Limit on requests for links, per client address.
    pub resolve: Option<Limit>,
    /// Limit on requests to the assistant, per user.
    pub assistant: Option<Limit>,
    /// Limit on refused codes and tried passwords, per client address.
    pub sign_in: Option<Limit>,
}

/// A rate limit, with the recent use by each caller.
pub struct Limit {
    policy: Policy,
    clock: Clock,
    limiter: RateLimiter<Actor, HashMapStateStore<Actor>, Uptime, NoOpMiddleware<Duration>>,
    /// Number of tracked callers at which the limit will next remove idle callers.
    clean_at: AtomicUsize,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Policy {
    pub name: &'static str,
    pub most: NonZeroU32,
    pub window: Duration,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RateLimitError {
    pub policy: Policy,
    pub wait: Duration,
}

/// The service's [`Clock`] in the form that the rate limit library needs.
#[derive(Clone)]
struct Uptime(Clock);

impl governor::clock::Clock for Uptime {
    type Instant = Duration;

    fn now(&self) -> Duration {
        self.0.uptime()
    }
}

impl Limits {
    /// Creates the rate limits. `resolve` is the maximum number of requests for links per second and address, and
    /// `assistant` the maximum number of requests to the assistant per minute and user; 0 means no limit.
    pub fn new(resolve: u32, assistant: u32, clock: &Clock) -> Self {
        let limit = |name, most, window| Limit::new(Policy { name, most: NonZeroU32::new(most)?, window }, clock);
        Self {
            resolve: limit("resolve", resolve, Duration::from_secs(1)),
            assistant: limit("assistant", assistant, Duration::from_secs(60)),
            sign_in: limit("sign_in", SIGN_INS_PER_MINUTE, Duration::from_secs(60)),
        }
    }
}

impl AssistantRequest {
    pub fn by(actor: Actor) -> Self {
        Self { actor, counted: AtomicBool::new(false) }
    }

    /// Counts the request against the limit on requests to the assistant. Further calls have no effect.
    ///
    /// # Errors
    /// [`RateLimitError`], in which case the request is not counted.
    pub fn count(&self, limits: &Limits) -> Result<(), RateLimitError> {
        if let Some(limit) = limits.assistant.as_ref().filter(|_| !self.counted.load(Ordering::Relaxed)) {
            limit.check(self.actor)?;
            self.counted.store(true, Ordering::Relaxed);
        }
        Ok(())
    }
}

impl Limit {
    fn new(policy: Policy, clock: &Clock) -> Option<Self> {
        let quota = Quota::with_period(policy.window / policy.most.get())?.allow_burst(policy.most);
        let limiter = RateLimiter::hashmap_with_clock(quota, Uptime(clock.clone()));
        Some(Self { policy, clock: clock.clone(), limiter, clean_at: AtomicUsize::new(MIN_CLEANED) })
    }

    /// Counts one request of this caller against the limit.
    ///
    /// # Errors
    /// [`RateLimitError`], in which case the request is not counted.
    pub fn check(&self, actor: Actor) -> Result<(), RateLimitError> {
        let asked = self.limiter.check_key(&actor);
        if self.limiter.len() >= self.clean_at.load(Ordering::Relaxed) {
            self.limiter.retain_recent();
            // The next removal takes place when the table has doubled. So the cost of a removal is spread over at least
            // as many requests as the table has callers.
            self.clean_at.store(self.limiter.len().saturating_mul(2).max(MIN_CLEANED), Ordering::Relaxed);
        }
        asked.map_err(|until| {
            metrics::counter!("fieldbook_rate_limited_total", "limit" => self.policy.name).increment(1);
            RateLimitError { policy: self.policy, wait: until.wait_time_from(self.clock.uptime()) }
        })
    }

    #[cfg(feature = "simulation")]
    pub fn tracked_callers(&self) -> usize {
        self.limiter.len()
    }
}
