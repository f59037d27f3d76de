//! Single requests, which prepare the data of a measurement.

use std::path::Path;
use std::process::Command;
use std::time::Duration;

use reqwest::Method;
use serde_json::Value;
use tokio::runtime::Runtime;

use crate::server::{FIELDBOOK, Server};
use crate::texts;

/// Time after which an idle connection is not used again. Servers close idle connections after about half a minute.
const IDLE: Duration = Duration::from_secs(15);

/// Pause before a request that the busy service has refused is sent again.
const BUSY: Duration = Duration::from_millis(100);

/// Client of one server. Sends one request at a time.
pub struct Caller<'s> {
    server: &'s Server,
    http: reqwest::Client,
    runtime: Runtime,
}

impl<'s> Caller<'s> {
    pub fn of(server: &'s Server) -> Result<Self, String> {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().map_err(|e| e.to_string())?;
        let http = reqwest::Client::builder().no_proxy().pool_idle_timeout(IDLE).build().map_err(|e| e.to_string())?;
        Ok(Self { server, http, runtime })
    }

    /// Sends a request and returns the body of the response. Returns an error if the status is not a success.
    pub fn text(&self, method: &str, path: &str, body: Option<&Value>) -> Result<String, String> {
        let body = body.map(|body| ("application/json", body.to_string().into_bytes()));
        Ok(String::from_utf8_lossy(&self.bytes(method, path, body)?).into_owned())
    }

    /// Sends a request, with a body and its media type, and returns the body of the response. Repeats the request while
    /// the service refuses it because it is busy. Returns an error for any other failure.
    pub fn bytes(&self, method: &str, path: &str, body: Option<(&str, Vec<u8>)>) -> Result<Vec<u8>, String> {
        let method: Method = method.parse().map_err(|_| format!("no method {method}"))?;
        self.runtime.block_on(async {
            loop {
                let mut request = self.http.request(method.clone(), format!("{}{path}", self.server.base));
                if let Some(token) = self.server.tokens.first() {
                    request = request.bearer_auth(token);
                }
                if let Some((kind, body)) = &body {
                    request = request.header("content-type", *kind).body(body.clone());
                }
                let answer = request.send().await.map_err(|e| format!("{path}: {e}"))?;
                let (status, is_busy) = (answer.status(), answer.headers().contains_key("retry-after"));
                let bytes = answer.bytes().await.map_err(|e| format!("{path}: {e}"))?;
                if status.is_success() {
                    return Ok(bytes.to_vec());
                }
                if !is_busy {
                    return Err(format!("{path}: {status} {}", String::from_utf8_lossy(&bytes)));
                }
                tokio::time::sleep(BUSY).await;
            }
        })
    }

    /// Sends a request and returns the body of the response as JSON.
    pub fn json(&self, method: &str, path: &str, body: Option<&Value>) -> Result<Value, String> {
        serde_json::from_str(&self.text(method, path, body)?).map_err(|e| format!("{path}: {e}"))
    }

    /// Creates an investigation and returns its id.
    pub fn create(&self, content: &Value) -> Result<String, String> {
        let created = self.json("POST", "/api/investigation", Some(content))?;
        let id = created["data"]["_id"].as_str().ok_or_else(|| format!("no id in {created}"))?;
        Ok(id.to_owned())
    }

    /// Creates `count` investigations of about `bytes` bytes each, and returns their ids.
    pub fn create_many(&self, count: u64, bytes: usize) -> Result<Vec<String>, String> {
        (0..count).map(|number| self.create(&texts::investigation(number, bytes, false))).collect()
    }

    /// Adds a picture to the investigation at `path`, and returns its id.
    pub fn add_picture(&self, path: &str, file: Vec<u8>) -> Result<String, String> {
        let added = self.bytes("POST", &format!("{path}/pictures"), Some(("image/png", file)))?;
        let added: Value = serde_json::from_slice(&added).map_err(|e| format!("{path}: {e}"))?;
        Ok(added["data"]["id"].as_str().ok_or_else(|| format!("no id in {added}"))?.to_owned())
    }

    /// Adds a person to the directory of `data`, signs them in, and returns their cookie.
    pub fn session(&self, data: &Path) -> Result<String, String> {
        let mut add = Command::new(FIELDBOOK);
        add.args(["person", "add", "Bench", "--role", "author", "--data"]).arg(data);
        let added = add.output().map_err(|e| format!("no person: {e}"))?;
        let link = String::from_utf8_lossy(&added.stdout).into_owned();
        let (_, code) = link.trim().split_once("#code=").ok_or_else(|| format!("no code in {link:?}"))?;
        let body = serde_json::json!({ "code": code }).to_string();
        self.runtime.block_on(async {
            let request = self.http.post(format!("{}/api/session", self.server.base)).body(body);
            let request = request.header("content-type", "application/json").header("sec-fetch-site", "same-origin");
            let signed_in = request.send().await.map_err(|e| e.to_string())?;
            let cookie =
                signed_in.headers().get("set-cookie").and_then(|cookie| cookie.to_str().ok()?.split(';').next());
            cookie.map(str::to_owned).ok_or_else(|| format!("no session: {}", signed_in.status()))
        })
    }

    /// Creates a link and returns its path.
    pub fn link(&self, investigation: &str, key: &str) -> Result<String, String> {
        let body = serde_json::json!({"key": key, "description": "for a class"});
        let created = self.json("POST", &format!("/api/link/investigation/{investigation}"), Some(&body))?;
        let sub_link = created["data"]["subLink"].as_str().ok_or_else(|| format!("no sub-link in {created}"))?;
        Ok(format!("/api/link/{key}/{sub_link}"))
    }
}

/// Returns the paths of the investigations with these ids.
pub fn paths(ids: &[String]) -> Vec<String> {
    ids.iter().map(|id| format!("/api/investigation/{id}")).collect()
}
