//! Profiles of authors: names, e-mail addresses and pictures, from a profile service over gRPC.
//!
//! A lookup never fails and never exceeds its deadline: an author without a profile in time is shown with the id alone.
//! Profiles are never shared between bearers of different tokens.

mod breaker;
mod cache;
mod client;
mod diagnostics;
mod failure;
pub mod reference;
#[rustfmt::skip]
#[path = "../../proto/fieldbook/profile/v1/profile.rs"]
#[expect(missing_docs, clippy::allow_attributes, reason = "made from the contract by a library")]
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
    /// How long a profile is cached; zero disables the cache.
    pub keep: Duration,
}

/// A caller's token, which is passed on unchanged and never shown.
#[derive(Clone)]
pub struct Bearer(Arc<str>);

impl Bearer {
    /// Returns the caller's token, without `Bearer `.
    pub fn new(token: &str) -> Self {
        Self(token.into())
    }
}

impl fmt::Debug for Bearer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Bearer(…)")
    }
}

/// The profiles of users; cheap to clone.
#[derive(Clone)]
pub struct Profiles(Option<Arc<Lookup>>);

/// Profiles by user. A user whom the service does not know has a profile without a name.
type Found = HashMap<ObjectId, Profile>;

struct Lookup {
    client: Client,
    breaker: Arc<Breaker>,
    cache: Cache,
    under_way: Mutex<HashMap<Question, watch::Receiver<Option<Arc<Found>>>>>,
    deadline: Duration,
    clock: Clock,
}

/// Bearer and users. Equal lookups at the same time share one call.
type Question = (BearerHash, Vec<ObjectId>);

impl Profiles {
    /// Creates profiles without a profile service: only ids are known.
    pub fn none() -> Self {
        Self(None)
    }

    /// Creates profiles from a service, which is contacted on the first lookup. The cache uses `clock`.
    ///
    /// # Errors
    /// [`UnusableAddress`] if this machine cannot connect to such an address.
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

    /// Returns the profile of this author, as the service shows it to this bearer.
    pub async fn of_one(&self, bearer: Option<&Bearer>, author: Option<ObjectId>) -> Profile {
        self.of(bearer, &[author]).await.pop().unwrap_or_else(|| Profile::bare(author))
    }

    /// Returns the profiles of these authors, in order, as the service shows them to this bearer.
    pub async fn of(&self, bearer: Option<&Bearer>, authors: &[Option<ObjectId>]) -> Vec<Profile> {
        let known = match &self.0 {
            Some(lookup) => lookup.known(bearer, authors).await,
            None => Found::new(),
        };
        let profile = |id: ObjectId| known.get(&id).cloned();
        authors.iter().map(|author| author.and_then(profile).unwrap_or_else(|| Profile::bare(*author))).collect()
    }
}

impl Lookup {
    async fn known(self: &Arc<Self>, bearer: Option<&Bearer>, authors: &[Option<ObjectId>]) -> Found {
        let whose = BearerHash::bears(bearer);
        let (mut known, missing) = self.cache.get(whose, authors.iter().copied().flatten(), self.clock.now());
        if missing.is_empty() {
            if !known.is_empty() {
                failure::not_asked("cached");
            }
            return known;
        }
        let Some(permit) = self.breaker.permit(self.clock.now()) else {
            failure::not_asked("resting");
            return known;
        };
        let mut answer = self.answer(permit, bearer, (whose, missing));
        // An error means that the task that would have answered is gone.
        if let Ok(found) = answer.wait_for(Option::is_some).await
            && let Some(found) = found.as_ref()
        {
            known.extend(found.iter().map(|(id, profile)| (*id, profile.clone())));
        }
        known
    }

    /// Returns the result of a lookup, which may be running already. It runs in its own task, so a caller who
    /// disconnects leaves the result to others and to the cache.
    fn answer(
        self: &Arc<Self>,
        permit: Permit,
        bearer: Option<&Bearer>,
        question: Question,
    ) -> watch::Receiver<Option<Arc<Found>>> {
        let mut under_way = self.under_way();
        if let Some(answer) = under_way.get(&question)
            && answer.has_changed().is_ok()
        {
            return answer.clone();
        }
        let (sender, answer) = watch::channel(None);
        under_way.insert(question.clone(), answer.clone());
        let (lookup, bearer) = (self.clone(), bearer.cloned());
        tokio::spawn(telemetry::carried(async move {
            let (whose, ids) = &question;
            let work = telemetry::call("profile service");
            let found = work.of(lookup.ask(permit, bearer.as_ref(), ids, &work)).await;
            lookup.cache.put(*whose, &found, lookup.clock.now());
            lookup.under_way().remove(&question);
            sender.send_replace(Some(Arc::new(found)));
        }));
        answer
    }

    fn under_way(&self) -> MutexGuard<'_, HashMap<Question, watch::Receiver<Option<Arc<Found>>>>> {
        self.under_way.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Runs a lookup within its deadline, logs it and counts it. Some profiles may be found even if it fails.
    async fn ask(&self, permit: Permit, bearer: Option<&Bearer>, ids: &[ObjectId], work: &Work) -> Found {
        let stopwatch = Stopwatch::start();
        let mut found = Found::new();
        let asked = timeout(self.deadline, self.client.ask(bearer, ids, &mut found)).await;
        match asked.unwrap_or_else(|_| Err(Failure::timed_out())) {
            Ok(()) => {
                permit.succeeded();
                failure::answered(ids.len(), stopwatch.elapsed());
            }
            Err(failure) => {
                let rest = match failure.enough() {
                    None => {
                        permit.succeeded();
                        None
                    }
                    Some(enough) => {
                        // The next lookup must not wait for a bad connection.
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
