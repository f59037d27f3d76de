//! Looks up profiles in the cache, or else with a call to the profile service. Equal lookups at the same time share one
//! call.

use std::collections::HashSet;
use std::sync::Arc;
use std::time::Duration;

use aws_lc_rs::digest::{SHA256, digest};
use tokio::time::timeout;

use super::bearer::Bearer;
use super::client::{Client, ProfilesById, Wanted};
use super::error::ProfileError;
use super::settings::ProfilesSettings;
use super::tally;
use crate::admission::PROFILE_BYTES;
use crate::breaker::{Breaker, Pauses, Permit};
use crate::cache::{Bounds, Cache, SingleFlight};
use crate::clock::{Clock, Stopwatch};
use crate::domain::id::ObjectId;
use crate::domain::representation::Profile;
use crate::grpc::AddressError;
use crate::telemetry::{self, Work};

const PAUSES: Pauses = Pauses { first: Duration::from_secs(2), longest: Duration::from_secs(30) };

/// Looks up the profiles of users. Without a profile service, profiles contain only ids. Cheap to clone.
#[derive(Clone)]
pub struct Profiles(Option<Arc<Lookup>>);

struct Lookup {
    client: Client,
    breaker: Breaker,
    /// Profiles that were looked up recently: the same authors occur in many responses.
    cache: Cache<ProfileKey, Profile>,
    under_way: SingleFlight<Question, Arc<ProfilesById>>,
    deadline: Duration,
    clock: Clock,
}

/// Hash of the caller's token; zeros for all callers without a token. The token itself is not stored.
type BearerHash = [u8; 32];

/// Callers with different tokens share no profiles.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct ProfileKey {
    bearer: BearerHash,
    user: ObjectId,
}

/// The parameters of a lookup. Lookups with equal parameters at the same time share one call, for example if many
/// people open the same page.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Question {
    bearer: BearerHash,
    users: Vec<ObjectId>,
}

impl Profiles {
    pub fn none() -> Self {
        Self(None)
    }

    /// Creates an instance for a profile service, which is contacted at the first lookup. `clock` measures the age of
    /// cached profiles.
    pub fn new(settings: ProfilesSettings, clock: Clock) -> Result<Self, AddressError> {
        let ProfilesSettings { address, deadline, keep } = settings;
        Ok(Self(Some(Arc::new(Lookup {
            client: Client::new(&address, deadline, clock.clone())?,
            breaker: Breaker::new(PAUSES),
            cache: Cache::new(Bounds { bytes: PROFILE_BYTES, keep }, clock.clone(), bytes_of),
            under_way: SingleFlight::default(),
            deadline,
            clock,
        }))))
    }

    pub fn is_set_up(&self) -> bool {
        self.0.is_some()
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

fn bytes_of(_: &ProfileKey, profile: &Profile) -> usize {
    let Profile { id: _, name, email, avatar } = profile;
    let texts: usize = [name, email, avatar].into_iter().flatten().map(String::len).sum();
    texts + size_of::<(ProfileKey, Profile)>()
}

fn hash_of(bearer: Option<&Bearer>) -> BearerHash {
    let mut hash = BearerHash::default();
    if let Some(bearer) = bearer {
        hash.copy_from_slice(digest(&SHA256, bearer.expose().as_bytes()).as_ref());
    }
    hash
}

impl Lookup {
    async fn known(self: &Arc<Self>, bearer: Option<&Bearer>, authors: &[Option<ObjectId>]) -> ProfilesById {
        let mut known = ProfilesById::new();
        let mut question = Question { bearer: hash_of(bearer), users: Vec::new() };
        let mut seen = HashSet::new();
        for user in authors.iter().copied().flatten().filter(|user| seen.insert(*user)) {
            if let Some(profile) = self.cached(question.bearer, user) {
                known.insert(user, profile);
            } else {
                question.users.push(user);
            }
        }
        if question.users.is_empty() {
            if !known.is_empty() {
                tally::count_without_call("cached");
            }
            return known;
        }
        let Some(permit) = self.breaker.permit(self.clock.uptime()) else {
            tally::count_without_call("resting");
            return known;
        };
        let (lookup, bearer) = (self.clone(), bearer.cloned());
        // The lookup runs in its own task. So if a caller disconnects, other callers and the cache still get the
        // result.
        let lookup = async move {
            let call = lookup.call(permit, bearer, question.clone());
            lookup.under_way.run(question, call).await
        };
        // This fails only if the lookup panicked.
        if let Ok(found) = tokio::spawn(telemetry::in_current_trace(lookup)).await {
            known.extend(found.iter().map(|(id, profile)| (*id, profile.clone())));
        }
        known
    }

    fn cached(&self, bearer: BearerHash, user: ObjectId) -> Option<Profile> {
        self.cache.get(&ProfileKey { bearer, user })
    }

    async fn call(&self, permit: Permit, bearer: Option<Bearer>, question: Question) -> Arc<ProfilesById> {
        // Looks into the cache again, because an equal lookup may have ended in the meantime.
        let kept = |user: &ObjectId| Some((*user, self.cached(question.bearer, *user)?));
        if let Some(kept) = question.users.iter().map(kept).collect() {
            tally::count_without_call("cached");
            return Arc::new(kept);
        }
        // Checks again for a pause, because another lookup may have failed after this one got its permit.
        if self.breaker.pause(self.clock.uptime()).is_some() {
            tally::count_without_call("resting");
            return Arc::default();
        }
        let work = telemetry::call("profile service");
        let wanted = Wanted { bearer: bearer.as_ref(), users: &question.users };
        let found = work.trace(self.ask(permit, wanted, &work)).await;
        for (user, profile) in &found {
            self.cache.insert(ProfileKey { bearer: question.bearer, user: *user }, profile.clone());
        }
        Arc::new(found)
    }

    /// Runs a lookup within its deadline, and logs and counts it. Returns the profiles that arrived, even if the lookup
    /// fails.
    async fn ask(&self, permit: Permit, wanted: Wanted<'_>, work: &Work) -> ProfilesById {
        let stopwatch = Stopwatch::start();
        let mut found = ProfilesById::new();
        let asked = timeout(self.deadline, self.client.ask(wanted, &mut found)).await;
        match asked.unwrap_or_else(|_| Err(ProfileError::timed_out())) {
            Ok(()) => {
                permit.succeeded();
                tally::answered(wanted.users.len(), stopwatch.elapsed());
            }
            Err(error) => {
                let rest = match error.failures_before_pause() {
                    None => {
                        permit.succeeded();
                        None
                    }
                    Some(enough) => {
                        // The next lookup must not wait for a connection that does not work.
                        self.client.hang_up();
                        permit.failed(self.clock.uptime(), enough, None)
                    }
                };
                tally::failed(&error, wanted.users.len(), stopwatch.elapsed(), rest);
                work.failed(error.outcome());
            }
        }
        found
    }
}
