//! A fake profile service. The test defines the answers, sees the calls, and can hold back answers.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use fieldbook::profiles::ProfilesSettings;
use fieldbook::profiles::stubs::profile_service_server::{ProfileService, ProfileServiceServer};
use fieldbook::profiles::stubs::{
    BatchGetProfilesRequest, BatchGetProfilesResponse, GetProfileRequest, GetProfileResponse, Profile,
};
use tokio::sync::{oneshot, watch};
use tonic::metadata::MetadataMap;
use tonic::transport::Server;
use tonic::transport::server::TcpIncoming;
use tonic::{Request, Response, Status};

/// Maximum time to wait for a call. After this, the test fails.
const PATIENCE: Duration = Duration::from_secs(20);

pub struct Played {
    pub address: SocketAddr,
    stage: Arc<Stage>,
    /// Stops the server when it is dropped, so that connections end.
    _stop: oneshot::Sender<()>,
}

struct Stage {
    play: Box<dyn Fn(&Asked) -> Answer + Send + Sync>,
    asked: watch::Sender<Vec<Asked>>,
    held: watch::Sender<bool>,
}

/// Answer to a call: profiles, or an error. A call for a single profile returns the first profile.
pub type Answer = Result<Vec<Profile>, Status>;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Asked {
    /// True if the call was for several users.
    pub batch: bool,
    /// Ids of the requested users.
    pub ids: Vec<String>,
    /// Values of the header `authorization`.
    pub authorization: Vec<String>,
    /// True if the call had a deadline (`grpc-timeout`).
    pub has_deadline: bool,
    /// Header `traceparent` of the call, if any.
    pub traceparent: Option<String>,
}

/// Returns the profile that the fake service has of a user.
pub fn profile(id: &str) -> Profile {
    Profile {
        user_id: id.to_owned(),
        name: Some(format!("Name of {id}")),
        email: Some(format!("{id}@example.org")),
        avatar: Some(format!("https://example.org/{id}.png")),
    }
}

pub fn knows_all(asked: &Asked) -> Answer {
    Ok(asked.ids.iter().map(|id| profile(id)).collect())
}

/// Returns settings for a profile service at this address, with a deadline that no test reaches.
pub fn settings(address: SocketAddr) -> ProfilesSettings {
    let address = format!("http://{address}").parse().expect("an address");
    ProfilesSettings { address, deadline: PATIENCE, keep: Duration::from_secs(30) }
}

/// Returns settings with a deadline of 100 ms. Only for a profile service that never answers, because a slow machine
/// could miss this deadline.
pub fn impatient(address: SocketAddr) -> ProfilesSettings {
    ProfilesSettings { deadline: Duration::from_millis(100), ..settings(address) }
}

impl Played {
    /// Starts a profile service that answers as `play` decides.
    pub async fn start(play: impl Fn(&Asked) -> Answer + Send + Sync + 'static) -> Self {
        Self::start_at(([127, 0, 0, 1], 0).into(), play).await
    }

    pub async fn start_at(address: SocketAddr, play: impl Fn(&Asked) -> Answer + Send + Sync + 'static) -> Self {
        Self::start_on(Server::builder(), address, play).await
    }

    /// Starts a profile service with another server configuration.
    pub async fn start_on(
        mut server: Server,
        address: SocketAddr,
        play: impl Fn(&Asked) -> Answer + Send + Sync + 'static,
    ) -> Self {
        let (asked, held) = (watch::Sender::new(Vec::new()), watch::Sender::new(false));
        let stage = Arc::new(Stage { play: Box::new(play), asked, held });
        let incoming = TcpIncoming::bind(address).expect("a port").with_nodelay(Some(true));
        let address = incoming.local_addr().expect("an address");
        let service = ProfileServiceServer::new(Handle(stage.clone()));
        let (_stop, stopped) = oneshot::channel::<()>();
        let server = server.add_service(service).serve_with_incoming_shutdown(incoming, async move {
            let _ = stopped.await;
        });
        tokio::spawn(async move { server.await.expect("it serves") });
        Self { address, stage, _stop }
    }

    pub fn settings(&self) -> ProfilesSettings {
        settings(self.address)
    }

    /// Holds back all answers.
    pub fn hold(&self) {
        self.stage.held.send_replace(true);
    }

    /// Sends the answers that were held back.
    pub fn let_go(&self) {
        self.stage.held.send_replace(false);
    }

    pub fn asked(&self) -> Vec<Asked> {
        self.stage.asked.borrow().clone()
    }

    pub fn count(&self) -> usize {
        self.stage.asked.borrow().len()
    }

    /// Waits until this many calls have arrived.
    pub async fn was_asked(&self, calls: usize) {
        let mut asked = self.stage.asked.subscribe();
        let came = tokio::time::timeout(PATIENCE, asked.wait_for(|asked| asked.len() >= calls)).await;
        came.expect("the call comes").expect("the service runs");
    }
}

struct Handle(Arc<Stage>);

impl Handle {
    async fn answer(&self, batch: bool, ids: Vec<String>, metadata: &MetadataMap) -> Answer {
        let given = metadata.get_all("authorization").iter();
        let authorization = given.map(|value| value.to_str().expect("a text").to_owned()).collect();
        let traceparent = metadata.get("traceparent").map(|value| value.to_str().expect("a text").to_owned());
        let has_deadline = metadata.contains_key("grpc-timeout");
        let asked = Asked { batch, ids, authorization, has_deadline, traceparent };
        self.0.asked.send_modify(|all| all.push(asked.clone()));
        let _ = self.0.held.subscribe().wait_for(|held| !held).await;
        (self.0.play)(&asked)
    }
}

#[tonic::async_trait]
impl ProfileService for Handle {
    async fn get_profile(&self, request: Request<GetProfileRequest>) -> Result<Response<GetProfileResponse>, Status> {
        let (metadata, _, message) = request.into_parts();
        let profiles = self.answer(false, vec![message.user_id], &metadata).await?;
        Ok(Response::new(GetProfileResponse { profile: profiles.into_iter().next() }))
    }

    async fn batch_get_profiles(
        &self,
        request: Request<BatchGetProfilesRequest>,
    ) -> Result<Response<BatchGetProfilesResponse>, Status> {
        let (metadata, _, message) = request.into_parts();
        let profiles = self.answer(true, message.user_ids, &metadata).await?;
        Ok(Response::new(BatchGetProfilesResponse { profiles }))
    }
}
