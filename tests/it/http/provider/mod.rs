//! Tokens of a provider. The provider is a fake server in this process.

mod keys;
mod people;
mod tokens;

use reqwest::StatusCode;
use serde_json::Value;

use crate::support::provider::Provider;
use crate::support::token::IN_AN_HOUR;
use crate::support::{Exchange, TEACHER, TestApp};

/// A route that needs a token.
pub const LIST: &str = "/api/investigation";
/// The path of the provider's discovery document.
pub const DISCOVERY: &str = "/tenant/.well-known/openid-configuration";
/// The time after which the service looks up unknown keys again.
pub const COOL_DOWN: std::time::Duration = std::time::Duration::from_secs(60);

pub async fn with_token(app: &TestApp, token: &str) -> Exchange {
    app.anon().bearing(token).get(LIST).await
}

pub async fn status(app: &TestApp, token: &str) -> StatusCode {
    with_token(app, token).await.status
}

/// Returns the claims of a token that expires one hour after the start of the test.
pub fn lasting(provider: &Provider) -> Value {
    provider.claims(TEACHER, IN_AN_HOUR)
}

pub fn with(claims: &Value, name: &str, value: Value) -> Value {
    let mut claims = claims.clone();
    claims[name] = value;
    claims
}

pub fn without(claims: &Value, name: &str) -> Value {
    let mut claims = claims.clone();
    claims.as_object_mut().expect("claims").remove(name);
    claims
}
