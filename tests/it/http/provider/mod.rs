//! Tokens of a provider, played by a server of the test.

mod keys;
mod tokens;

use reqwest::StatusCode;
use serde_json::Value;

use crate::support::provider::Provider;
use crate::support::token::IN_AN_HOUR;
use crate::support::{Exchange, TEACHER, TestApp};

/// What needs a token.
pub const LIST: &str = "/api/investigation";
/// Where the provider describes itself.
pub const DISCOVERY: &str = "/tenant/.well-known/openid-configuration";
/// After so long unknown keys are looked for again.
pub const COOL_DOWN: std::time::Duration = std::time::Duration::from_secs(60);

pub async fn with_token(app: &TestApp, token: &str) -> Exchange {
    app.anon().bearing(token).get(LIST).await
}

pub async fn status(app: &TestApp, token: &str) -> StatusCode {
    with_token(app, token).await.status
}

/// What a token that expires in an hour of the beginning says.
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
