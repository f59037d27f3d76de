//! Callers of the service, and their requests and responses.

use std::fmt;
use std::net::SocketAddr;

use reqwest::header::{HeaderMap, HeaderName, HeaderValue};
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};

/// A client of the service, with or without a token.
#[derive(Clone)]
pub struct Caller {
    client: reqwest::Client,
    pub(super) base: String,
    pub(super) token: Option<String>,
    headers: HeaderMap,
}

/// A request and its response. Displays both, for snapshots.
pub struct Exchange {
    pub request: String,
    pub status: StatusCode,
    pub headers: HeaderMap,
    /// Body of the response.
    pub text: String,
}

impl Caller {
    /// Creates a caller without a token for the service at this base URL.
    pub fn of(base: String) -> Self {
        let mut headers = HeaderMap::new();
        // The service would otherwise take the request id from its counted test ids, and change all later ids.
        headers.insert("x-request-id", HeaderValue::from_static("test"));
        // No test uses TLS, and reading the machine's certificates takes longer than most tests.
        let client = reqwest::Client::builder().no_proxy().tls_certs_only([]).build().expect("a client");
        Self { client, base, token: None, headers }
    }

    /// Returns the same caller with this token.
    pub fn bearing(mut self, token: &str) -> Self {
        self.token = Some(token.to_owned());
        self
    }

    /// Returns the same caller at another address of the service.
    pub fn at(mut self, address: SocketAddr) -> Self {
        self.base = format!("http://{address}");
        self
    }

    /// Returns the same caller with one more header in every request.
    pub fn with_header(mut self, name: &'static str, value: &str) -> Self {
        self.headers.insert(HeaderName::from_static(name), HeaderValue::from_str(value).expect("a header"));
        self
    }

    pub async fn get(&self, path: &str) -> Exchange {
        self.send(Method::GET, path, None).await
    }

    pub async fn head(&self, path: &str) -> Exchange {
        self.send(Method::HEAD, path, None).await
    }

    pub async fn delete(&self, path: &str) -> Exchange {
        self.send(Method::DELETE, path, None).await
    }

    pub async fn post_empty(&self, path: &str) -> Exchange {
        self.send(Method::POST, path, None).await
    }

    pub async fn post(&self, path: &str, body: Value) -> Exchange {
        self.post_text(path, "application/json", &body.to_string()).await
    }

    pub async fn patch(&self, path: &str, body: Value) -> Exchange {
        self.patch_text(path, "application/merge-patch+json", &body.to_string()).await
    }

    /// Sends a POST with any text as the body.
    pub async fn post_text(&self, path: &str, content_type: &str, body: &str) -> Exchange {
        self.send(Method::POST, path, Some((content_type, body))).await
    }

    /// Sends a PATCH with any text as the body.
    pub async fn patch_text(&self, path: &str, content_type: &str, body: &str) -> Exchange {
        self.send(Method::PATCH, path, Some((content_type, body))).await
    }

    /// Sends a GET and returns the response before its body is read, for streams.
    pub async fn open(&self, path: &str) -> reqwest::Response {
        let request = self.client.get(format!("{}{path}", self.base)).headers(self.headers.clone());
        let request = match &self.token {
            Some(token) => request.bearer_auth(token),
            None => request,
        };
        request.send().await.expect("an answer")
    }

    pub async fn send(&self, method: Method, path: &str, body: Option<(&str, &str)>) -> Exchange {
        self.attempt(method, path, body).await.expect("an answer")
    }

    /// Sends a request with any method. Returns an error if the connection fails, for tests that stop the service.
    pub async fn attempt(
        &self,
        method: Method,
        path: &str,
        body: Option<(&str, &str)>,
    ) -> Result<Exchange, reqwest::Error> {
        let mut request =
            self.client.request(method.clone(), format!("{}{path}", self.base)).headers(self.headers.clone());
        if let Some(token) = &self.token {
            request = request.header("authorization", format!("Bearer {token}"));
        }
        let mut shown = format!("{method} {path}");
        if let Some((content_type, text)) = body {
            request = request.header("content-type", content_type).body(text.to_owned());
            shown = format!("{shown}\n{text}");
        }
        let response = request.send().await?;
        let (status, headers) = (response.status(), response.headers().clone());
        let text = response.text().await?;
        Ok(Exchange { request: shown, status, headers, text })
    }

    /// Creates an investigation with this content and returns its id.
    pub async fn create(&self, content: Value) -> String {
        let created = self.post("/api/investigation", content).await;
        assert_eq!(created.status, StatusCode::CREATED, "{created}");
        created.data()["_id"].as_str().expect("an id").to_owned()
    }

    /// Creates a link to an investigation and returns its path.
    pub async fn create_link(&self, investigation: &str, key: &str, sub_link: &str) -> String {
        let body = json!({"key": key, "subLink": sub_link, "description": ""});
        let created = self.post(&format!("/api/link/investigation/{investigation}"), body).await;
        assert_eq!(created.status, StatusCode::CREATED, "{created}");
        format!("/api/link/{key}/{sub_link}")
    }
}

impl Exchange {
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.text).unwrap_or_else(|_| panic!("no JSON: {self}"))
    }

    /// Returns `data` in the JSON body.
    pub fn data(&self) -> Value {
        self.json()["data"].clone()
    }

    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name)?.to_str().ok()
    }
}

/// Headers that are displayed, because they depend on the operation. The other headers are the same in all responses.
const SHOWN_HEADERS: [&str; 10] = [
    "allow",
    "cache-control",
    "content-type",
    "etag",
    "location",
    "preference-applied",
    "ratelimit",
    "ratelimit-policy",
    "retry-after",
    "www-authenticate",
];

impl fmt::Display for Exchange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}\n\n{}", self.request, self.status)?;
        for name in SHOWN_HEADERS {
            match self.header(name) {
                Some("application/json" | "no-store") | None => {}
                Some(value) => writeln!(f, "{name}: {value}")?,
            }
        }
        match serde_json::from_str::<Value>(&self.text) {
            Ok(json) => write!(f, "{}", compact(&json, 0, 0)),
            Err(_) => write!(f, "{}", self.text),
        }
    }
}

/// Maximum length of a line of displayed JSON, in characters.
const WIDTH: usize = 110;

/// Returns JSON as text. A value that fits into its line has no other lines. `used` is the number of characters in front
/// of the value.
fn compact(value: &Value, used: usize, indent: usize) -> String {
    let line = one_line(value);
    if used + line.chars().count() <= WIDTH {
        return line;
    }
    let (outer, inner) = (" ".repeat(indent), " ".repeat(indent + 2));
    match value {
        Value::Array(elements) if !elements.is_empty() => {
            let lines = elements.iter().map(|element| format!("{inner}{}", compact(element, indent + 2, indent + 2)));
            format!("[\n{}\n{outer}]", lines.collect::<Vec<_>>().join(",\n"))
        }
        Value::Object(members) if !members.is_empty() => {
            let lines = members.iter().map(|(key, member)| {
                let start = format!("{inner}{}: ", json!(key));
                let member = compact(member, start.chars().count(), indent + 2);
                format!("{start}{member}")
            });
            format!("{{\n{}\n{outer}}}", lines.collect::<Vec<_>>().join(",\n"))
        }
        _ => line,
    }
}

fn one_line(value: &Value) -> String {
    match value {
        Value::Array(elements) => format!("[{}]", elements.iter().map(one_line).collect::<Vec<_>>().join(", ")),
        Value::Object(members) => {
            let members = members.iter().map(|(key, member)| format!("{}: {}", json!(key), one_line(member)));
            format!("{{{}}}", members.collect::<Vec<_>>().join(", "))
        }
        leaf => leaf.to_string(),
    }
}
