//! HTTP client of a server of language models: builds its requests.

use std::time::Duration;

use reqwest::header::{ACCEPT, CONTENT_TYPE, HeaderMap, HeaderValue};
use reqwest::{Client, RequestBuilder, Url};

use super::error::ModelSettingsError;
use crate::http_client;

/// Time limit for opening a connection, even if the deadline of the operation is later.
const CONNECTING: Duration = Duration::from_secs(10);

pub struct Host {
    client: Client,
    base: Url,
    key: Option<HeaderValue>,
}

impl Host {
    pub fn new(base_url: &str, api_key: Option<&str>) -> Result<Self, ModelSettingsError> {
        let base = address(base_url).ok_or(ModelSettingsError::BaseUrl)?;
        let json = HeaderValue::from_static("application/json");
        let json_or_stream = HeaderValue::from_static("application/json, text/event-stream");
        let headers = HeaderMap::from_iter([(CONTENT_TYPE, json), (ACCEPT, json_or_stream)]);
        let mut key = api_key.map(HeaderValue::from_str).transpose().map_err(|_| ModelSettingsError::ApiKey)?;
        key.iter_mut().for_each(|key| key.set_sensitive(true));
        let options = Client::builder().default_headers(headers).connect_timeout(CONNECTING);
        let client = http_client::client(options, &base).map_err(ModelSettingsError::Client)?;
        Ok(Self { client, base, key })
    }

    pub fn completion(&self, body: String) -> RequestBuilder {
        self.with_key(self.client.post(self.at("chat/completions")).body(body))
    }

    /// Removes the API key from a text, because some endpoints repeat it in their errors.
    pub fn without_key(&self, text: &str) -> String {
        match self.key.as_ref().and_then(|key| key.to_str().ok()).filter(|key| !key.is_empty()) {
            Some(key) => text.replace(key, "…"),
            None => text.to_owned(),
        }
    }

    fn with_key(&self, request: RequestBuilder) -> RequestBuilder {
        match &self.key {
            Some(key) => request.bearer_auth(key.to_str().unwrap_or_default()),
            None => request,
        }
    }

    fn at(&self, path: &str) -> Url {
        let mut url = self.base.clone();
        url.set_path(&format!("{}/{path}", self.base.path().trim_end_matches('/')));
        url
    }
}

/// Parses a base URL. Returns `None` if its scheme is not HTTP or HTTPS, or if it has a user, query or fragment.
fn address(base: &str) -> Option<Url> {
    let base = Url::parse(base.trim()).ok()?;
    let plain = base.username().is_empty() && base.password().is_none() && base.query().is_none();
    (plain && base.fragment().is_none() && matches!(base.scheme(), "http" | "https")).then_some(base)
}

#[cfg(test)]
#[path = "../../../tests/unit/assistant/model/host.rs"]
mod tests;
