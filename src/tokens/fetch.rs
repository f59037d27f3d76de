//! Fetches the published metadata of a provider: its keys, and its endpoints for sign-in. The endpoints are read from
//! the discovery document of an OIDC issuer. The address of the keys is configured, or is read from the same document.
//! Also sends form requests to the provider.
//!
//! A request has a deadline and a size limit, and does not follow redirects. It requires TLS unless the address is on
//! this machine.

use std::time::Duration;

use reqwest::header::{ACCEPT, AUTHORIZATION, CONTENT_TYPE, HeaderMap, HeaderValue};
use reqwest::{Client, RequestBuilder, Response, StatusCode, Url};
use serde_json::Value;

use super::jwks::Keys;
use super::settings::ProviderSettings;
use crate::error_chain::error_chain;
use crate::http_client::{self, BodyError};
use crate::proxy;

/// Time limit for asking a provider for its keys, including discovery, or for tokens.
pub const FETCH_DEADLINE: Duration = Duration::from_secs(5);

/// Maximum size of a response, in bytes.
const MAX_ANSWER: usize = 256 * 1024;

/// Maximum length of the provider's text in an error message, in characters.
const MAX_SHOWN: usize = 200;

const NO_ADDRESS: &str =
    "neither auth.issuer nor auth.jwks-url is an address that begins with https://, or http:// on this machine";

/// Path of the discovery document below an issuer (OpenID Connect Discovery 1.0).
const DISCOVERY: &str = "/.well-known/openid-configuration";

pub struct Source {
    client: Client,
    /// Address of the keys; `None` to read it from the discovery document.
    key_set: Option<Url>,
    /// The issuer whose discovery document is read; `None` if nothing in it is needed.
    issuer: Option<Issuer>,
    deadline: Duration,
}

struct Issuer {
    name: String,
    description: Url,
}

/// Endpoints for sign-in, and how the client authenticates to them.
#[derive(Clone)]
pub struct Endpoints {
    /// The address to which browsers are redirected for a sign-in.
    pub authorization: Url,
    /// The address at which the service exchanges a code for tokens.
    pub token: Url,
    /// The address at which the service requests claims that are not in the ID token; `None` if the provider has none.
    pub userinfo: Option<Url>,
    /// Whether the client secret is sent in the form (`client_secret_post`) and not in a header
    /// (`client_secret_basic`).
    pub secret_in_form: bool,
    /// Whether the provider adds its issuer to the redirect (RFC 9207).
    pub names_itself: bool,
    /// Whether the provider may be asked for `prompt=select_account`. Many providers support it without announcing it.
    pub lets_choose: bool,
}

/// The response to a form request.
pub struct Answered {
    pub status: StatusCode,
    pub body: Value,
}

/// Why a fetch failed, as a phrase that calls the provider "it".
pub type FetchError = String;

/// Returns whether a text is an address for fetching keys: `https://…`, or `http://…` on this machine.
pub fn is_key_address(text: &str) -> bool {
    address(text).is_some()
}

/// Returns whether a text may be the name of an issuer: an address as in [`is_key_address`], without a query.
pub fn is_issuer(text: &str) -> bool {
    address(text).is_some_and(|url| url.query().is_none())
}

fn address(text: &str) -> Option<Url> {
    let url = Url::parse(text).ok()?;
    let plain = url.username().is_empty() && url.password().is_none() && url.fragment().is_none();
    (plain && (url.scheme() == "https" || is_plain_on_this_machine(&url))).then_some(url)
}

fn is_plain_on_this_machine(url: &Url) -> bool {
    url.scheme() == "http" && url.host_str().is_some_and(proxy::is_on_this_machine)
}

impl Source {
    /// Creates a source of provider metadata from the addresses in the settings. If both a key set and an issuer are
    /// given, the keys come from the key set.
    pub fn new(settings: &ProviderSettings) -> Result<Self, String> {
        let ProviderSettings { jwks_url, issuer, sign_in, deadline, .. } = settings;
        let key_set = match jwks_url {
            Some(url) => Some(address(url).ok_or(NO_ADDRESS)?),
            None => None,
        };
        let issuer = match issuer {
            Some(name) if key_set.is_none() || sign_in.is_some() => Some(Issuer::new(name).ok_or(NO_ADDRESS)?),
            _ => None,
        };
        let first = issuer.as_ref().map(|issuer| &issuer.description).or(key_set.as_ref()).ok_or(NO_ADDRESS)?;
        let json = HeaderMap::from_iter([(ACCEPT, HeaderValue::from_static("application/json"))]);
        let client = http_client::client(Client::builder().default_headers(json), first)?;
        Ok(Self { client, key_set, issuer, deadline: *deadline })
    }

    /// Fetches the keys.
    pub async fn keys(&self) -> Result<Keys, FetchError> {
        self.in_time(async {
            let address = match &self.key_set {
                Some(address) => address.clone(),
                None => self.address_in(&self.description().await?, "jwks_uri")?,
            };
            let keys = Keys::read(&self.json(address).await?);
            keys.ok_or_else(|| "it has no key for RS256, ES256 or EdDSA".to_owned())
        })
        .await
    }

    /// Fetches the addresses for a sign-in.
    pub async fn endpoints(&self) -> Result<Endpoints, FetchError> {
        self.in_time(async { self.endpoints_in(&self.description().await?) }).await
    }

    async fn in_time<T>(&self, answer: impl Future<Output = Result<T, FetchError>>) -> Result<T, FetchError> {
        let answer = tokio::time::timeout(self.deadline, answer).await;
        answer.unwrap_or_else(|_| Err("it did not answer in time".to_owned()))
    }

    /// Returns the discovery document of the issuer.
    async fn description(&self) -> Result<Value, FetchError> {
        let issuer = self.issuer.as_ref().ok_or("auth.issuer is not set")?;
        let found = self.json(issuer.description.clone()).await?;
        let is_same = found.get("issuer").and_then(Value::as_str) == Some(&issuer.name);
        if is_same {
            return Ok(found);
        }
        let said = found.get("issuer").unwrap_or(&Value::Null).to_string();
        let said: String = said.chars().filter(|c| !c.is_control()).take(MAX_SHOWN).collect();
        Err(format!("its issuer is {said}, but auth.issuer is {:?}", issuer.name))
    }

    fn endpoints_in(&self, description: &Value) -> Result<Endpoints, FetchError> {
        let methods = description.get("token_endpoint_auth_methods_supported").and_then(Value::as_array);
        // A provider that lists no methods of client authentication supports `client_secret_basic`.
        let takes_header = methods.is_none_or(|methods| methods.iter().any(|method| method == "client_secret_basic"));
        let prompts = description.get("prompt_values_supported").and_then(Value::as_array);
        Ok(Endpoints {
            authorization: self.address_in(description, "authorization_endpoint")?,
            token: self.address_in(description, "token_endpoint")?,
            userinfo: self.address_in(description, "userinfo_endpoint").ok(),
            secret_in_form: !takes_header,
            names_itself: description.get("authorization_response_iss_parameter_supported") == Some(&Value::Bool(true)),
            lets_choose: prompts.is_none_or(|prompts| prompts.iter().any(|prompt| prompt == "select_account")),
        })
    }

    /// Returns an address in the discovery document. It must use TLS if the address of the document does.
    fn address_in(&self, description: &Value, name: &str) -> Result<Url, FetchError> {
        let is_plain = self.issuer.as_ref().is_some_and(|issuer| issuer.description.scheme() == "http");
        let found = description.get(name).and_then(Value::as_str).and_then(address);
        found.filter(|url| url.scheme() == "https" || is_plain).ok_or_else(|| {
            format!("its {name} is missing, or is not an address that begins with https://, or http:// on this machine")
        })
    }

    async fn json(&self, url: Url) -> Result<Value, FetchError> {
        let mut shown = url.clone();
        shown.set_query(None);
        let answer = async {
            let response = sent(self.client.get(url)).await?;
            if response.status() != StatusCode::OK {
                return Err(format!("it answered with status {}", response.status().as_u16()));
            }
            read(response).await
        };
        answer.await.map_err(|fault| format!("{fault}, asked for {shown}"))
    }

    /// Sends a form to the provider, and returns the response, even if it is an error.
    pub async fn post(&self, url: Url, form: String, authorization: Option<String>) -> Result<Answered, FetchError> {
        let request = self.client.post(url).header(CONTENT_TYPE, "application/x-www-form-urlencoded").body(form);
        let request = authorized(request, authorization)?;
        self.in_time(async {
            let response = sent(request).await?;
            Ok(Answered { status: response.status(), body: read(response).await? })
        })
        .await
    }

    /// Sends a GET request with an access token to the provider, and returns the response, even if it is an error. The
    /// body is null if it is not JSON.
    pub async fn get_with(&self, url: Url, access_token: &str) -> Result<Answered, FetchError> {
        let request = authorized(self.client.get(url), Some(format!("Bearer {access_token}")))?;
        self.in_time(async {
            let response = sent(request).await?;
            let (status, body) = (response.status(), bytes(response).await?);
            Ok(Answered { status, body: serde_json::from_slice(&body).unwrap_or_default() })
        })
        .await
    }
}

fn authorized(request: RequestBuilder, authorization: Option<String>) -> Result<RequestBuilder, FetchError> {
    let Some(authorization) = authorization else { return Ok(request) };
    let mut value =
        HeaderValue::try_from(authorization).map_err(|_| "its secret or token cannot be sent in a header")?;
    value.set_sensitive(true);
    Ok(request.header(AUTHORIZATION, value))
}

impl Issuer {
    fn new(name: &str) -> Option<Self> {
        let description = Url::parse(&format!("{}{DISCOVERY}", name.trim_end_matches('/'))).ok()?;
        is_issuer(name).then(|| Self { name: name.to_owned(), description })
    }
}

fn unreachable(error: reqwest::Error) -> FetchError {
    format!("it cannot be reached: {}", error_chain(&error.without_url()))
}

async fn sent(request: RequestBuilder) -> Result<Response, FetchError> {
    request.send().await.map_err(unreachable)
}

async fn read(response: Response) -> Result<Value, FetchError> {
    serde_json::from_slice(&bytes(response).await?).map_err(|_| "its answer is not JSON".to_owned())
}

async fn bytes(response: Response) -> Result<Vec<u8>, FetchError> {
    http_client::body(response, MAX_ANSWER).await.map_err(|error| match error {
        BodyError::ConnectionBroken(error) => unreachable(error),
        BodyError::TooLarge => format!("its answer has more than {MAX_ANSWER} bytes"),
    })
}

#[cfg(test)]
#[path = "../../tests/unit/tokens/fetch.rs"]
mod tests;
