//! Profiles of authors: names, e-mail addresses and pictures, from a profile service over gRPC.
//!
//! A lookup never fails and never exceeds its deadline. If the profile of an author does not arrive in time, the author
//! is shown with only the id. Callers with different tokens never share profiles.

mod breaker;
mod cache;
mod client;
mod diagnostics;
mod failure;
#[rustfmt::skip]
#[path = "../../proto/fieldbook/profile/v1/profile.rs"]
#[expect(clippy::allow_attributes, reason = "made from the contract by a library")]
pub mod stubs;

use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::watch;
use tokio::time::timeout;

pub use diagnostics::{Diagnosis, diagnose};

use crate::clock::{Clock, Stopwatch};
use crate::domain::id::ObjectId;
use crate::domain::representation::Profile;
use crate::grpc::{Address, UnusableAddress};
use crate::telemetry::{self, Work};
use breaker::{Breaker, Permit};
use cache::{BearerHash, Cache};
use client::Client;
use failure::Failure;

/// Settings of the profile service.
#[derive(Debug, Clone)]
pub struct ProfilesSettings {
    /// Address of the service.
    pub address: Address,
    /// Deadline of a lookup, including connecting and retries.
    pub deadline: Duration,
    /// Time for which a profile is cached; zero disables the cache.
    pub keep: Duration,
}

/// A caller's bearer token. It is forwarded unchanged, and never logged.
#[derive(Clone)]
pub struct Bearer(Arc<str>);

impl Bearer {
    /// Creates a bearer from `token`, which does not include the prefix `Bearer `.
    pub fn new(token: &str) -> Self {
        Self(token.into())
    }
}

impl fmt::Debug for Bearer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Bearer(…)")
    }
}

/// Looks up the profiles of users. Without a profile service, profiles contain only ids. Cheap to clone.
#[derive(Clone)]
pub struct Profiles(Option<Arc<Lookup>>);

/// Profiles by user id. For a user whom the service does not know, the profile contains only the id.
type ProfilesById = HashMap<ObjectId, Profile>;

struct Lookup {
    client: Client,
    breaker: Arc<Breaker>,
    cache: Cache,
    under_way: Mutex<HashMap<Question, watch::Receiver<Option<Arc<ProfilesById>>>>>,
    deadline: Duration,
    clock: Clock,
}

/// What a lookup asks: the hash of the caller's token, and the users. Equal lookups at the same time share one call.
type Question = (BearerHash, Vec<ObjectId>);

impl Profiles {
    /// Creates an instance without a profile service. Profiles contain only ids.
    pub fn none() -> Self {
        Self(None)
    }

    /// Creates an instance for a profile service, which is contacted at the first lookup. `clock` measures the age of
    /// cached profiles.
    ///
    /// # Errors
    /// [`UnusableAddress`] if the address requires TLS and this machine has no certificates.
    pub fn new(settings: ProfilesSettings, clock: Clock) -> Result<Self, UnusableAddress> {
        let ProfilesSettings { address, deadline, keep } = settings;
        Ok(Self(Some(Arc::new(Lookup {
            client: Client::new(&address, deadline, clock.clone())?,
            breaker: Arc::default(),
            cache: Cache::new(keep),
            under_way: Mutex::default(),
            deadline,
            clock,
        }))))
    }

    /// Returns the profile of an author, as the service shows the profile to this caller.
    pub async fn of_one(&self, bearer: Option<&Bearer>, author: Option<ObjectId>) -> Profile {
        self.of(bearer, &[author]).await.pop().unwrap_or_else(|| Profile::bare(author))
    }

    /// Returns the profiles of these authors, in the same order, as the service shows the profiles to this caller.
    pub async fn of(&self, bearer: Option<&Bearer>, authors: &[Option<ObjectId>]) -> Vec<Profile> {
        let known = match &self.0 {
            Some(lookup) => lookup.known(bearer, authors).await,
            None => ProfilesById::new(),
        };
        let profile = |id: ObjectId| known.get(&id).cloned();
        authors.iter().map(|author| author.and_then(profile).unwrap_or_else(|| Profile::bare(*author))).collect()
    }
}

impl Lookup {
    async fn known(self: &Arc<Self>, bearer: Option<&Bearer>, authors: &[Option<ObjectId>]) -> ProfilesById {
        let whose = BearerHash::of(bearer);
        let (mut known, missing) = self.cache.get(whose, authors.iter().copied().flatten(), self.clock.now());
        if missing.is_empty() {
            if !known.is_empty() {
                failure::count_without_call("cached");
            }
            return known;
        }
        let Some(permit) = self.breaker.permit(self.clock.now()) else {
            failure::count_without_call("resting");
            return known;
        };
        let mut answer = self.answer(permit, bearer, (whose, missing));
        // This fails only if the task of the lookup has ended without a result.
        if let Ok(found) = answer.wait_for(Option::is_some).await
            && let Some(found) = found.as_ref()
        {
            known.extend(found.iter().map(|(id, profile)| (*id, profile.clone())));
        }
        known
    }

    /// Starts a lookup, or joins an equal lookup that is already running. Returns a receiver of the result. A lookup
    /// runs in its own task. So if a caller disconnects, other callers and the cache still get the result.
    fn answer(
        self: &Arc<Self>,
        permit: Permit,
        bearer: Option<&Bearer>,
        question: Question,
    ) -> watch::Receiver<Option<Arc<ProfilesById>>> {
        let mut under_way = self.under_way();
        if let Some(answer) = under_way.get(&question)
            && answer.has_changed().is_ok()
        {
            return answer.clone();
        }
        let (sender, answer) = watch::channel(None);
        under_way.insert(question.clone(), answer.clone());
        let (lookup, bearer) = (self.clone(), bearer.cloned());
        tokio::spawn(telemetry::in_current_trace(async move {
            let (whose, ids) = &question;
            let work = telemetry::call("profile service");
            let found = work.trace(lookup.ask(permit, bearer.as_ref(), ids, &work)).await;
            lookup.cache.put(*whose, &found, lookup.clock.now());
            lookup.under_way().remove(&question);
            sender.send_replace(Some(Arc::new(found)));
        }));
        answer
    }

    fn under_way(&self) -> MutexGuard<'_, HashMap<Question, watch::Receiver<Option<Arc<ProfilesById>>>>> {
        self.under_way.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Runs a lookup within its deadline, and logs and counts it. Returns the profiles that arrived, even if the lookup
    /// fails.
    async fn ask(&self, permit: Permit, bearer: Option<&Bearer>, ids: &[ObjectId], work: &Work) -> ProfilesById {
        let stopwatch = Stopwatch::start();
        let mut found = ProfilesById::new();
        let asked = timeout(self.deadline, self.client.ask(bearer, ids, &mut found)).await;
        match asked.unwrap_or_else(|_| Err(Failure::timed_out())) {
            Ok(()) => {
                permit.succeeded();
                failure::answered(ids.len(), stopwatch.elapsed());
            }
            Err(failure) => {
                let rest = match failure.failures_before_pause() {
                    None => {
                        permit.succeeded();
                        None
                    }
                    Some(enough) => {
                        // The next lookup must not wait for a connection that does not work.
                        self.client.hang_up();
                        permit.failed(enough, self.clock.now())
                    }
                };
                failure::failed(&failure, ids.len(), stopwatch.elapsed(), rest);
                work.failed(failure.outcome());
            }
        }
        found
    }
}
