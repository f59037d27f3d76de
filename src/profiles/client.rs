//! Calls to the profile service: one call for many users, or one call per user if the service does not support batch
//! calls.
//!
//! Each call runs in a separate task. An invalid response may make the gRPC library panic, and then the request must
//! not fail. The task ends if its caller is dropped.

use std::collections::{HashMap, HashSet};
use std::time::Duration;

use parking_lot::Mutex;
use tokio::task::JoinSet;
use tonic::metadata::{Ascii, MetadataKey, MetadataValue};
use tonic::transport::{Channel, Endpoint};
use tonic::{Code, Request, Response, Status};

use super::bearer::Bearer;
use super::error::{ProfileError, ProfileErrorKind};
use super::stubs::profile_service_client::ProfileServiceClient;
use super::stubs::{self, BatchGetProfilesRequest, GetProfileRequest};
use crate::clock::Clock;
use crate::domain::id::ObjectId;
use crate::domain::representation::Profile;
use crate::domain::time::Timestamp;
use crate::grpc::{self, Address, AddressError};
use crate::telemetry::Work;

/// Maximum number of concurrent calls if users are looked up one by one.
const MAX_CONCURRENT: usize = 16;

/// If the service does not support batch calls, the client tries them again after this time, in milliseconds.
const SINGLE_CALLS_MS: i64 = 10 * 60 * 1000;

/// Maximum size of a response, in bytes.
const LARGEST_ANSWER: usize = 4 * 1024 * 1024;

/// Maximum length of a text in a profile, in bytes. Longer texts are omitted.
const LONGEST_TEXT: usize = 8 * 1024;

/// Interval of keep-alive pings. Many gRPC servers close a connection on which pings arrive more often than every five
/// minutes.
const KEEP_ALIVE: Duration = Duration::from_secs(310);

/// Profiles by user id. For a user whom the service does not know, the profile contains only the id.
pub type ProfilesById = HashMap<ObjectId, Profile>;

type Stub = ProfileServiceClient<Channel>;

pub struct Client {
    endpoint: Endpoint,
    deadline: Duration,
    clock: Clock,
    /// The connection, which is created for the first call, and again after a failure.
    stub: Mutex<Option<Stub>>,
    one_by_one_until: Mutex<Option<Timestamp>>,
}

/// The users to look up, for the caller with this token.
#[derive(Clone, Copy)]
pub struct Wanted<'w> {
    pub bearer: Option<&'w Bearer>,
    pub users: &'w [ObjectId],
}

impl Client {
    pub fn new(address: &Address, deadline: Duration, clock: Clock) -> Result<Self, AddressError> {
        let endpoint = address
            .endpoint()?
            .connect_timeout(deadline)
            .tcp_keepalive(Some(Duration::from_secs(60)))
            .http2_keep_alive_interval(KEEP_ALIVE)
            .keep_alive_timeout(Duration::from_secs(10))
            .keep_alive_while_idle(true);
        Ok(Self { endpoint, deadline, clock, stub: Mutex::default(), one_by_one_until: Mutex::default() })
    }

    /// Fetches the profiles of these users, and adds them to `found`. Even if this fails or is cancelled, `found`
    /// contains the profiles that arrived.
    pub async fn ask(&self, wanted: Wanted<'_>, found: &mut ProfilesById) -> Result<(), ProfileError> {
        match self.ask_once(wanted, found).await {
            // The service may have just closed the old connection, so one more attempt uses a new connection.
            Err(error) if error.kind == ProfileErrorKind::Unreachable => {
                self.hang_up();
                let missing: Vec<ObjectId> =
                    wanted.users.iter().filter(|id| !found.contains_key(id)).copied().collect();
                self.ask_once(Wanted { users: &missing, ..wanted }, found).await
            }
            outcome => outcome,
        }
    }

    /// Drops the connection. The next call creates a new one.
    pub fn hang_up(&self) {
        *self.stub.lock() = None;
    }

    async fn ask_once(&self, wanted: Wanted<'_>, found: &mut ProfilesById) -> Result<(), ProfileError> {
        if self.goes_one_by_one() {
            return self.ask_one_by_one(wanted, found).await;
        }
        match self.ask_for_all(wanted, found).await {
            Err(error) if error.kind == ProfileErrorKind::Unimplemented => {
                let until = self.clock.now().0.saturating_add(SINGLE_CALLS_MS);
                *self.one_by_one_until.lock() = Some(Timestamp(until));
                tracing::info!("the profile service has no BatchGetProfiles and is asked for one profile at a time");
                self.ask_one_by_one(wanted, found).await
            }
            outcome => outcome,
        }
    }

    fn goes_one_by_one(&self) -> bool {
        self.one_by_one_until.lock().is_some_and(|until| self.clock.now() < until)
    }

    async fn ask_for_all(&self, wanted: Wanted<'_>, found: &mut ProfilesById) -> Result<(), ProfileError> {
        let Wanted { bearer, users } = wanted;
        let mut stub = self.stub();
        let message = BatchGetProfilesRequest { user_ids: users.iter().map(ObjectId::to_string).collect() };
        let request = self.request(bearer, message)?;
        let mut call = JoinSet::new();
        call.spawn(async move { stub.batch_get_profiles(request).await });
        let Some(Ok(answer)) = call.join_next().await else { return Err(protocol_violation()) };
        let answer = answer.map_err(|status| ProfileError::of(&status))?.into_inner();
        let mut missing: HashSet<ObjectId> = users.iter().copied().collect();
        for profile in answer.profiles {
            // Ignores users that were not requested, and further profiles of the same user.
            if let Some(id) = profile.user_id.parse().ok().filter(|id| missing.remove(id)) {
                found.insert(id, read(id, profile));
            }
        }
        found.extend(missing.into_iter().map(|id| (id, Profile::bare(Some(id)))));
        Ok(())
    }

    async fn ask_one_by_one(&self, wanted: Wanted<'_>, found: &mut ProfilesById) -> Result<(), ProfileError> {
        let Wanted { bearer, users } = wanted;
        let mut waiting = users.iter().copied();
        let mut calls = JoinSet::new();
        let mut failed = None;
        loop {
            for id in waiting.by_ref().take(MAX_CONCURRENT - calls.len().min(MAX_CONCURRENT)) {
                let mut stub = self.stub();
                let request = self.request(bearer, GetProfileRequest { user_id: id.to_string() })?;
                calls.spawn(async move { (id, stub.get_profile(request).await) });
            }
            let outcome = match calls.join_next().await {
                None => return failed.map_or(Ok(()), Err),
                Some(Ok((id, answer))) => only(id, answer).map(|profile| found.insert(id, profile)),
                Some(Err(_)) => Err(protocol_violation()),
            };
            match outcome {
                Err(error) if error.concerns_all() => return Err(error),
                // Continues after an error, because the calls for other users may succeed.
                Err(error) => failed = failed.or(Some(error)),
                Ok(_) => {}
            }
        }
    }

    fn stub(&self) -> Stub {
        let connect = || Stub::new(grpc::channel(&self.endpoint)).max_decoding_message_size(LARGEST_ANSWER);
        self.stub.lock().get_or_insert_with(connect).clone()
    }

    fn request<T>(&self, bearer: Option<&Bearer>, message: T) -> Result<Request<T>, ProfileError> {
        let mut request = Request::new(message);
        // The header with the deadline tells the service when the response is no longer needed.
        request.set_timeout(self.deadline);
        if let Some(token) = bearer.map(Bearer::expose) {
            let value = MetadataValue::<Ascii>::try_from(format!("Bearer {token}"));
            let mut value = value.map_err(|_| ProfileError::useless("the token cannot be passed on"))?;
            value.set_sensitive(true);
            request.metadata_mut().insert("authorization", value);
        }
        for (name, value) in Work::current().trace_headers() {
            if let (Ok(name), Ok(value)) = (MetadataKey::<Ascii>::from_bytes(name.as_bytes()), value.parse()) {
                request.metadata_mut().insert(name, value);
            }
        }
        Ok(request)
    }
}

fn protocol_violation() -> ProfileError {
    ProfileError::useless("the answer violates the gRPC protocol")
}

/// Returns the profile in the response to a call for one user. The profile of an unknown user has only the id.
fn only(id: ObjectId, answer: Result<Response<stubs::GetProfileResponse>, Status>) -> Result<Profile, ProfileError> {
    match answer.map(|answer| answer.into_inner().profile) {
        Ok(Some(profile)) if profile.user_id.parse() == Ok(id) => Ok(read(id, profile)),
        Ok(Some(_)) => Err(ProfileError::useless("the profile is another user's")),
        Ok(None) => Ok(Profile::bare(Some(id))),
        Err(status) if status.code() == Code::NotFound => Ok(Profile::bare(Some(id))),
        Err(status) => Err(ProfileError::of(&status)),
    }
}

/// Converts a profile. Omits texts that are longer than [`LONGEST_TEXT`].
fn read(id: ObjectId, profile: stubs::Profile) -> Profile {
    let stubs::Profile { user_id: _, name, email, avatar } = profile;
    let [name, email, avatar] = [name, email, avatar].map(|text| text.filter(|text| text.len() <= LONGEST_TEXT));
    Profile { id: Some(id), name, email, avatar }
}
