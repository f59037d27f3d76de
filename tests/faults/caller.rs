//! A client of the service, and the results of its requests.

use std::time::Duration;

use reqwest::Method;
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

    pub async fn ask_with(
        &self,
        method: Method,
        path: &str,
        body: Option<&Value>,
        headers: &[(&str, &str)],
    ) -> Outcome {
        let mut request = self.http.request(method, format!("{}{path}", self.base)).bearer_auth(&self.token);
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        if let Some(body) = body {
            request = request.header("content-type", "application/json").body(body.to_string());
        }
        let answer = match request.send().await {
            Ok(answer) => answer,
            Err(error) if error.is_connect() => return Outcome::NotConnected,
            Err(error) if error.is_timeout() => {
                return Outcome::Wrong(format!("no answer within {} s", HANG.as_secs()));
            }
            Err(_) => return Outcome::Unanswered,
        };
        let status = answer.status();
        let Ok(text) = answer.text().await else { return Outcome::Unanswered };
        let Ok(told) = serde_json::from_str::<Value>(&text) else {
            return Outcome::Wrong(format!("{status}, no JSON: {text}"));
        };
        if status.is_success() {
            return Outcome::Done(told);
        }
        let (Some(code), Some(message), Some(false)) =
            (told["code"].as_str(), told["message"].as_str(), told["success"].as_bool())
        else {
            return Outcome::Wrong(format!("{status}, not in the envelope: {text}"));
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
