//! A client of the service, and the results of its requests.

use std::time::Duration;

use reqwest::header::HeaderMap;
use reqwest::{Method, StatusCode};
use serde_json::Value;

/// Time after which a missing response counts as a hang.
const HANG: Duration = Duration::from_secs(60);

/// A client with a token, for one service.
#[derive(Clone)]
pub struct Caller {
    pub http: reqwest::Client,
    pub base: String,
    pub token: String,
}

/// A response with any status.
pub struct Response {
    pub status: StatusCode,
    pub headers: HeaderMap,
    pub json: Value,
}

#[derive(Debug)]
pub enum Outcome {
    Done(Value),
    /// The service answered with an error.
    Failed {
        code: String,
        /// Status, message and reason.
        said: String,
    },
    /// No connection was made, so nothing was sent.
    NotConnected,
    /// The connection ended without a complete response.
    Unanswered,
    /// The contract does not allow this result: no response within [`HANG`], or a response in an unexpected format.
    Wrong(String),
}

impl Caller {
    /// Creates a client that keeps its connections open.
    pub fn new(base: &str, token: &str) -> Result<Self, String> {
        let http = reqwest::Client::builder().no_proxy().tls_certs_only([]).timeout(HANG).build();
        Ok(Self { http: http.map_err(|e| e.to_string())?, base: base.to_owned(), token: token.to_owned() })
    }

    /// Creates a client with the same token and its own TCP connections.
    pub fn apart(&self) -> Result<Self, String> {
        Self::new(&self.base, &self.token)
    }

    pub async fn get(&self, path: &str) -> Outcome {
        self.ask(Method::GET, path, None).await
    }

    pub async fn post(&self, path: &str, body: &Value) -> Outcome {
        self.ask(Method::POST, path, Some(body)).await
    }

    pub async fn patch(&self, path: &str, body: &Value) -> Outcome {
        self.ask(Method::PATCH, path, Some(body)).await
    }

    pub async fn ask(&self, method: Method, path: &str, body: Option<&Value>) -> Outcome {
        self.ask_with(method, path, body, &[]).await
    }

    /// Sends a request and returns the response. Without a complete response in JSON, returns the failure.
    pub async fn send(
        &self,
        method: Method,
        path: &str,
        body: Option<&Value>,
        headers: &[(&str, &str)],
    ) -> Result<Response, Outcome> {
        let mut request = self.http.request(method, format!("{}{path}", self.base)).bearer_auth(&self.token);
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        if let Some(body) = body {
            request = request.header("content-type", "application/json").body(body.to_string());
        }
        let answer = match request.send().await {
            Ok(answer) => answer,
            Err(error) if error.is_connect() => return Err(Outcome::NotConnected),
            Err(error) if error.is_timeout() => {
                return Err(Outcome::Wrong(format!("no answer within {} s", HANG.as_secs())));
            }
            Err(_) => return Err(Outcome::Unanswered),
        };
        let (status, headers) = (answer.status(), answer.headers().clone());
        let Ok(text) = answer.text().await else { return Err(Outcome::Unanswered) };
        match serde_json::from_str(&text) {
            Ok(json) => Ok(Response { status, headers, json }),
            Err(_) => Err(Outcome::Wrong(format!("{status}, no JSON: {text}"))),
        }
    }

    pub async fn ask_with(
        &self,
        method: Method,
        path: &str,
        body: Option<&Value>,
        headers: &[(&str, &str)],
    ) -> Outcome {
        let (status, told) = match self.send(method, path, body, headers).await {
            Ok(response) => (response.status, response.json),
            Err(outcome) => return outcome,
        };
        if status.is_success() {
            return Outcome::Done(told);
        }
        let (Some(code), Some(message), Some(false)) =
            (told["code"].as_str(), told["message"].as_str(), told["success"].as_bool())
        else {
            return Outcome::Wrong(format!("{status}, not in the envelope: {told}"));
        };
        let reason = told["error"].as_str().map(|reason| format!(" ({reason})")).unwrap_or_default();
        Outcome::Failed { code: code.to_owned(), said: format!("{} {message}{reason}", status.as_u16()) }
    }

    /// Sends a request that must succeed, and returns the response.
    pub async fn must(&self, method: Method, path: &str, body: Option<&Value>) -> Result<Value, String> {
        match self.ask(method.clone(), path, body).await {
            Outcome::Done(told) => Ok(told),
            other => Err(format!("{method} {path}: {other:?}")),
        }
    }
}
