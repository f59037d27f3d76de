//! Callers of the service, and their requests and responses.

use std::fmt;
use std::net::SocketAddr;

use reqwest::header::{HeaderMap, HeaderName, HeaderValue};
use reqwest::{Method, RequestBuilder, StatusCode};
use serde_json::{Value, json};

use super::documented;

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
    pub fn of(base: String) -> Self {
        let mut headers = HeaderMap::new();
        // The service would otherwise take the request id from its counted test ids, and change all later ids.
        headers.insert("x-request-id", HeaderValue::from_static("test"));
        // No test uses TLS, and reading the machine's certificates takes longer than most tests.
        let client = reqwest::Client::builder().no_proxy().tls_certs_only([]).build().expect("a client");
        Self { client, base, token: None, headers }
    }

    pub fn bearing(mut self, token: &str) -> Self {
        self.token = Some(token.to_owned());
        self
    }

    pub fn at(mut self, address: SocketAddr) -> Self {
        self.base = format!("http://{address}");
        self
    }

    /// Returns the same caller with one more header in every request.
    pub fn with_header(mut self, name: &'static str, value: &str) -> Self {
        self.headers.insert(HeaderName::from_static(name), HeaderValue::from_str(value).expect("a header"));
        self
    }

    /// Returns a header that every request has.
    pub fn sent(&self, name: &str) -> &str {
        self.headers[name].to_str().expect("a text")
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

    pub async fn post_text(&self, path: &str, content_type: &str, body: &str) -> Exchange {
        self.send(Method::POST, path, Some((content_type, body))).await
    }

    pub async fn patch_text(&self, path: &str, content_type: &str, body: &str) -> Exchange {
        self.send(Method::PATCH, path, Some((content_type, body))).await
    }

    pub async fn post_bytes(&self, path: &str, content_type: &str, body: Vec<u8>) -> Exchange {
        let shown = format!("POST {path}\n{content_type}, {} bytes", body.len());
        let request = self.client.post(format!("{}{path}", self.base)).header("content-type", content_type).body(body);
        self.exchange(Method::POST, path, request, shown).await.expect("an answer")
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
        let mut request = self.client.request(method.clone(), format!("{}{path}", self.base));
        let mut shown = format!("{method} {path}");
        if let Some((content_type, text)) = body {
            request = request.header("content-type", content_type).body(text.to_owned());
            shown = format!("{shown}\n{text}");
        }
        self.exchange(method, path, request, shown).await
    }

    async fn exchange(
        &self,
        method: Method,
        path: &str,
        request: RequestBuilder,
        shown: String,
    ) -> Result<Exchange, reqwest::Error> {
        let mut request = request.headers(self.headers.clone());
        if let Some(token) = &self.token {
            request = request.header("authorization", format!("Bearer {token}"));
        }
        let response = request.send().await?;
        let (status, headers) = (response.status(), response.headers().clone());
        let text = response.text().await?;
        let answer = Exchange { request: shown, status, headers, text };
        documented::check(&method, path, &answer);
        Ok(answer)
    }

    /// Creates an investigation with this content and returns its id. [`Self::create_path`] returns its path.
    pub async fn create(&self, content: Value) -> String {
        let created = self.post("/api/investigation", content).await;
        assert_eq!(created.status, StatusCode::CREATED, "{created}");
        created.data()["_id"].as_str().expect("an id").to_owned()
    }

    pub async fn create_path(&self, content: Value) -> String {
        format!("/api/investigation/{}", self.create(content).await)
    }

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

    pub fn answer(&self) -> String {
        let mut shown = format!("{}\n", self.status);
        for name in SHOWN_HEADERS {
            match self.header(name) {
                Some("application/json" | "no-store") | None => {}
                Some(value) => shown.push_str(&format!("{name}: {value}\n")),
            }
        }
        match serde_json::from_str(&self.text) {
            Ok(json) => shown.push_str(&compact(&json)),
            Err(_) => shown.push_str(&self.text),
        }
        shown
    }

    /// Returns a refusal as one line: status, code, message and violations.
    pub fn refusal(&self) -> String {
        let body = self.json();
        let faults = body["errors"].as_array().into_iter().flatten();
        let faults: Vec<String> = faults.map(|fault| format!("{} {}", fault["path"], fault["message"])).collect();
        format!("{} {} {} {}", self.status.as_u16(), body["code"], body["message"], faults.join("; "))
            .trim_end()
            .to_owned()
    }

    /// Returns the path in the header `location`.
    pub fn location(&self) -> &str {
        self.header("location").unwrap_or_else(|| panic!("nothing was created: {self}"))
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
        write!(f, "{}\n{}", self.request, self.answer())
    }
}

/// Maximum length of a line of displayed JSON, in characters.
const WIDTH: usize = 110;

/// Returns JSON as text, in as few lines as [`WIDTH`] allows. An element that is an object or array has its own line.
pub fn compact(value: &Value) -> String {
    compact_at(value, 0, 0)
}

/// `used` is the number of characters in front of the value.
fn compact_at(value: &Value, used: usize, indent: usize) -> String {
    let line = one_line(value);
    if used + line.chars().count() <= WIDTH {
        return line;
    }
    match value {
        Value::Array(elements) if !elements.is_empty() => {
            let items = elements.iter().map(|element| (String::new(), element));
            format!("[\n{}\n{:indent$}]", filled(items, indent + 2), "")
        }
        Value::Object(members) if !members.is_empty() => {
            let items = members.iter().map(|(key, member)| (format!("{}: ", json!(key)), member));
            format!("{{\n{}\n{:indent$}}}", filled(items, indent + 2), "")
        }
        _ => line,
    }
}

fn filled<'a>(items: impl Iterator<Item = (String, &'a Value)>, indent: usize) -> String {
    let mut lines: Vec<String> = Vec::new();
    let mut open = false;
    for (key, value) in items {
        let text = format!("{key}{}", compact_at(value, indent + key.chars().count(), indent));
        let short = !text.contains('\n') && (!key.is_empty() || !(value.is_object() || value.is_array()));
        match lines.last_mut() {
            Some(last) if open && short && last.chars().count() + 2 + text.chars().count() <= WIDTH => {
                last.push_str(&format!(", {text}"));
            }
            _ => lines.push(format!("{:indent$}{text}", "")),
        }
        open = short;
    }
    lines.join(",\n")
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
