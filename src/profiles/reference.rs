//! A simple profile service. It serves the people in a file to every caller, and reports its health.
//!
//! The file is read again after it changes. If the new file is invalid, the service logs the problem and continues to
//! serve the previous people.

use std::collections::HashMap;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, SystemTime};

use serde::Deserialize;
use tokio::time::timeout;
use tonic::transport::Server;
use tonic::transport::server::TcpIncoming;
use tonic::{Request, Response, Status};

use super::stubs::profile_service_server::{ProfileService, ProfileServiceServer};
use super::stubs::{self, BatchGetProfilesRequest, BatchGetProfilesResponse, GetProfileRequest, GetProfileResponse};
use crate::domain::id::ObjectId;

/// Maximum number of users in a call.
const MAX_USERS: usize = 1000;

/// Time limit for finishing open calls when the service stops.
const STOP_TIMEOUT: Duration = Duration::from_secs(10);

/// The people in a file.
pub struct People {
    file: PathBuf,
    read: Mutex<Read>,
}

#[derive(Clone)]
struct Read {
    stamp: Option<FileVersion>,
    people: Arc<HashMap<ObjectId, stubs::Profile>>,
}

type FileVersion = (SystemTime, u64);

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Person {
    id: ObjectId,
    name: Option<String>,
    email: Option<String>,
    avatar: Option<String>,
}

impl People {
    /// Reads a file: a JSON array of `{ id, name, email, avatar }`. All members except `id` may be null or missing.
    ///
    /// # Errors
    /// A sentence for the operator that says why the file cannot be read.
    pub fn read(file: PathBuf) -> Result<Self, String> {
        let stamp = stamp(&file);
        let people = people(&file)?;
        Ok(Self { file, read: Mutex::new(Read { stamp, people }) })
    }

    fn now(&self) -> Arc<HashMap<ObjectId, stubs::Profile>> {
        let mut read = self.read.lock().unwrap_or_else(PoisonError::into_inner);
        let stamp = stamp(&self.file);
        if stamp != read.stamp {
            // The file's time and size are stored before reading, so that an invalid file is logged only once.
            read.stamp = stamp;
            match people(&self.file) {
                Ok(people) => read.people = people,
                Err(reason) => tracing::warn!(reason, "the file is invalid; the previous version is still served"),
            }
        }
        read.people.clone()
    }
}

fn stamp(file: &std::path::Path) -> Option<FileVersion> {
    let metadata = file.metadata().ok()?;
    Some((metadata.modified().ok()?, metadata.len()))
}

fn people(file: &std::path::Path) -> Result<Arc<HashMap<ObjectId, stubs::Profile>>, String> {
    let shown = file.display();
    let text = std::fs::read_to_string(file)
        .map_err(|e| format!("cannot read the profiles file {shown}: {e}; check --file"))?;
    let cannot = |reason: String| {
        format!(
            "the profiles file {shown} cannot be used: {reason}; give a JSON array of people: [{{\"id\": \"24 hexadecimal digits\", \"name\": \"…\", \"email\": \"…\", \"avatar\": \"…\"}}]"
        )
    };
    let list: Vec<Person> = serde_json::from_str(&text).map_err(|e| cannot(e.to_string()))?;
    let mut people = HashMap::with_capacity(list.len());
    for Person { id, name, email, avatar } in list {
        let profile = stubs::Profile { user_id: id.to_string(), name, email, avatar };
        if people.insert(id, profile).is_some() {
            return Err(cannot(format!("{id} appears twice")));
        }
    }
    Ok(Arc::new(people))
}

#[tonic::async_trait]
impl ProfileService for People {
    async fn get_profile(&self, request: Request<GetProfileRequest>) -> Result<Response<GetProfileResponse>, Status> {
        let id: ObjectId = request.into_inner().user_id.parse().map_err(|_| no_id())?;
        let profile = self.now().get(&id).cloned().ok_or_else(|| Status::not_found("the user does not exist"))?;
        Ok(Response::new(GetProfileResponse { profile: Some(profile) }))
    }

    async fn batch_get_profiles(
        &self,
        request: Request<BatchGetProfilesRequest>,
    ) -> Result<Response<BatchGetProfilesResponse>, Status> {
        let ids = request.into_inner().user_ids;
        if ids.len() > MAX_USERS {
            return Err(Status::invalid_argument(format!("at most {MAX_USERS} users can be asked for at once")));
        }
        let people = self.now();
        let mut profiles = Vec::with_capacity(ids.len());
        for id in ids {
            let id: ObjectId = id.parse().map_err(|_| no_id())?;
            profiles.extend(people.get(&id).cloned());
        }
        Ok(Response::new(BatchGetProfilesResponse { profiles }))
    }
}

fn no_id() -> Status {
    Status::invalid_argument("a user id must be 24 hexadecimal digits")
}

/// A profile service that is bound to its address, but does not serve calls yet.
pub struct Reference {
    incoming: TcpIncoming,
    address: SocketAddr,
}

impl Reference {
    /// Binds to an address. With port 0, the system chooses a free port.
    ///
    /// # Errors
    /// A sentence for the operator that says why the address cannot be bound.
    pub fn bind(address: SocketAddr) -> Result<Self, String> {
        let failed = |e| format!("cannot listen on {address}: {e}; choose another address with --listen");
        let incoming = TcpIncoming::bind(address).map_err(failed)?.with_nodelay(Some(true));
        let address = incoming.local_addr().map_err(failed)?;
        Ok(Self { incoming, address })
    }

    /// Returns the address on which the service listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Serves calls until `stop` resolves, and then waits at most ten seconds for open calls.
    ///
    /// # Errors
    /// A sentence for the operator that says why serving failed.
    pub async fn serve(self, people: People, stop: impl Future<Output = ()>) -> Result<(), String> {
        let (health, health_service) = tonic_health::server::health_reporter();
        health.set_serving::<ProfileServiceServer<People>>().await;
        let (ending, ended) = tokio::sync::oneshot::channel::<()>();
        let server = Server::builder()
            .http2_keepalive_interval(Some(Duration::from_secs(60)))
            .add_service(health_service)
            .add_service(ProfileServiceServer::new(people))
            .serve_with_incoming_shutdown(self.incoming, async {
                let _ = ended.await;
            });
        let mut server = std::pin::pin!(server);
        let failed = |e: tonic::transport::Error| format!("cannot serve: {e}");
        tokio::select! {
            served = &mut server => return served.map_err(failed),
            () = stop => drop(ending),
        }
        // A client that watches the service's health never finishes its call, so the wait is limited.
        timeout(STOP_TIMEOUT, server).await.map_or(Ok(()), |served| served.map_err(failed))
    }
}
