//! Services that Fieldbook calls: a language model whose behaviour changes, and a profile service that can be killed
//! and paused.

use std::net::{SocketAddr, TcpListener};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Json, Router};
use serde_json::{Value, json};

use crate::service::{PROGRAM, signal, text};

/// Behaviour of the model.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    /// The model finds nothing and proposes nothing.
    Healthy,
    /// The model answers with status 500.
    Fails,
    /// The model never answers.
    Stalls,
    /// The model answers with text that is not valid.
    Garbage,
}

/// A fake language model.
pub struct Model {
    address: SocketAddr,
    mode: Arc<AtomicU8>,
}

impl Model {
    pub async fn start() -> Result<Self, String> {
        let mode = Arc::new(AtomicU8::new(Mode::Healthy as u8));
        let models = async || Json(json!({"data": [{"id": "muse", "object": "model"}]}));
        let router = Router::new().route("/v1/chat/completions", post(answer)).route("/v1/models", get(models));
        let router = router.with_state(mode.clone());
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.map_err(|e| e.to_string())?;
        let address = listener.local_addr().map_err(|e| e.to_string())?;
        tokio::spawn(async move { axum::serve(listener, router).await });
        Ok(Self { address, mode })
    }

    /// Returns the service's arguments for this model.
    pub fn arguments(&self) -> Vec<String> {
        let base = format!("http://{}/v1", self.address);
        let words = ["--assistant", "openai", "--assistant-model", "muse", "--assistant-deadline-seconds", "2"];
        words.map(str::to_owned).into_iter().chain(["--assistant-base-url".to_owned(), base]).collect()
    }

    pub fn set_mode(&self, mode: Mode) {
        self.mode.store(mode as u8, Ordering::Relaxed);
    }
}

async fn answer(State(mode): State<Arc<AtomicU8>>, Json(question): Json<Value>) -> Response {
    let mode = mode.load(Ordering::Relaxed);
    if mode == Mode::Fails as u8 {
        return StatusCode::INTERNAL_SERVER_ERROR.into_response();
    }
    if mode == Mode::Stalls as u8 {
        std::future::pending::<()>().await;
    }
    let groups =
        ["time", "people_and_materials", "quantities", "variables", "order", "safety", "prediction", "level_and_topic"];
    let content = match question["response_format"]["json_schema"]["name"].as_str() {
        _ if mode == Mode::Garbage as u8 => "As I was going to say".to_owned(),
        Some("findings") => groups.into_iter().map(|group| (group, json!([]))).collect::<Value>().to_string(),
        _ => json!({"edits": [], "message": "Nothing to do."}).to_string(),
    };
    Json(json!({"choices": [{"message": {"role": "assistant", "content": content}, "finish_reason": "stop"}]}))
        .into_response()
}

/// A profile service. It is killed on drop.
pub struct Profiles {
    address: SocketAddr,
    people: std::path::PathBuf,
    process: Option<Child>,
}

impl Profiles {
    /// Starts a profile service with a file in this folder.
    pub fn start(folder: &Path) -> Result<Self, String> {
        let people = folder.join("people.json");
        let who = json!([{"id": "aaaaaaaaaaaaaaaaaaaaaaaa", "name": "Ada", "email": null, "avatar": null}]);
        std::fs::write(&people, who.to_string()).map_err(|e| e.to_string())?;
        let free = TcpListener::bind("127.0.0.1:0").and_then(|listener| listener.local_addr());
        let mut profiles = Self { address: free.map_err(|e| e.to_string())?, people, process: None };
        profiles.come_back()?;
        Ok(profiles)
    }

    /// Returns the service's arguments for this profile service.
    pub fn arguments(&self) -> [String; 4] {
        let url = format!("http://{}", self.address);
        ["--profiles-url".to_owned(), url, "--profiles-cache-seconds".to_owned(), "1".to_owned()]
    }

    /// Starts the profile service, also after it was killed.
    pub fn come_back(&mut self) -> Result<(), String> {
        let mut command = Command::new(PROGRAM);
        command.args(["profiles", "--log-level", "error", "--file", text(&self.people)]);
        command.args(["--listen", &self.address.to_string()]).stdin(Stdio::null()).stdout(Stdio::null());
        self.process = Some(command.spawn().map_err(|e| format!("{PROGRAM} profiles: {e}"))?);
        Ok(())
    }

    pub fn kill(&mut self) {
        if let Some(mut process) = self.process.take() {
            let _ = process.kill();
            let _ = process.wait();
        }
    }

    /// Pauses the profile service (`STOP`) or lets it continue (`CONT`).
    pub fn signal(&self, name: &str) {
        self.process.iter().for_each(|process| signal(name, process.id()));
    }
}

impl Drop for Profiles {
    fn drop(&mut self) {
        self.kill();
    }
}
