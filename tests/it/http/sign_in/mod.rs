//! Sign-in with the account of a provider. Most tests use a fake provider, which gives the answers that they need;
//! `real` uses a third-party provider.

mod begin;
mod finish;
mod provider_claims;
mod real;
mod tokens;

use fieldbook::app::HttpSettings;
use fieldbook::domain::permission::Role;
use fieldbook::domain::token_user::{ClaimRules, UserIds};
use fieldbook::tokens::ProviderSettings;
use serde_json::{Value, json};

use super::provider::with;
use crate::support::TestApp;
use crate::support::provider::{Key, Provider};
use crate::support::token::IN_AN_HOUR;
use crate::support::visitor::{Visited, Visitor, parameter};

/// A user id as Keycloak and Entra create them.
const ADA: &str = "f81d4fae-7dec-11d0-a765-00a0c91e6bf6";

/// Starts a service whose people sign in with this provider.
pub async fn service(provider: &ProviderSettings, http: HttpSettings) -> TestApp {
    let claims = ClaimRules { user_ids: UserIds::Derived, ..ClaimRules::default() };
    TestApp::start_with_claims(provider, claims, http).await
}

/// A service with a fake provider.
struct School {
    app: TestApp,
    provider: Provider,
    key: Key,
}

impl School {
    async fn start() -> Self {
        let http = HttpSettings { passwords: false, ..HttpSettings::default() };
        Self::start_with(http, |settings| settings).await
    }

    /// Starts a service that reads claims by these rules, where people without a role are readers.
    async fn start_with_rules(rules: ClaimRules) -> Self {
        let key = Key::ed();
        let provider = Provider::start(&[key.jwk("k")]).await;
        let http = HttpSettings { default_role: Role::Reader, ..HttpSettings::default() };
        let rules = ClaimRules { user_ids: UserIds::Derived, ..rules };
        let app = TestApp::start_with_claims(&provider.sign_in_settings(), rules, http).await;
        Self { app, provider, key }
    }

    async fn start_with(http: HttpSettings, change: impl FnOnce(ProviderSettings) -> ProviderSettings) -> Self {
        let key = Key::ed();
        let provider = Provider::start(&[key.jwk("k")]).await;
        let http = HttpSettings { default_role: Role::Reader, ..http };
        let app = service(&change(provider.sign_in_settings()), http).await;
        Self { app, provider, key }
    }

    /// Starts a service with a separate address for the keys, so that it does not need the provider's configuration.
    async fn start_with_keys() -> Self {
        let known = |settings: ProviderSettings| {
            let jwks_url = settings.issuer.as_ref().map(|issuer| issuer.replace("/tenant", "/keys"));
            ProviderSettings { jwks_url, ..settings }
        };
        Self::start_with(HttpSettings::default(), known).await
    }

    fn at(&self, path: &str) -> String {
        format!("http://{}{path}", self.app.address)
    }

    /// Returns the claims of an ID token for Ada.
    fn claims(&self) -> Value {
        let claims = with(&self.provider.claims(ADA, IN_AN_HOUR), "aud", json!("fieldbook"));
        with(&claims, "name", json!("Ada Lovelace"))
    }

    /// Begins a sign-in.
    async fn begun(&self, visitor: &mut Visitor) -> Begun {
        let visited = visitor.get(&self.at("/sign-in/provider?to=/%23/trash")).await;
        let of = |name| parameter(&visited.location, name);
        Begun { state: of("state"), nonce: of("nonce") }
    }

    /// Makes the browser return from the provider to the service with a code. The provider exchanges this code for a
    /// token that has these claims.
    async fn come_back(&self, visitor: &mut Visitor, begun: &Begun, claims: &Value) -> Visited {
        self.answer_code(&self.key.token("k", &with(claims, "nonce", json!(begun.nonce))));
        visitor.get(&self.at(&format!("/sign-in/callback?state={}&code=c0de", begun.state))).await
    }

    fn answer_code(&self, id_token: &str) {
        let answer = json!({"access_token": "unused", "token_type": "Bearer", "id_token": id_token});
        self.provider.grants(200, &answer.to_string());
    }

    /// Signs in a person whose ID token has these claims.
    async fn sign_in(&self, visitor: &mut Visitor, claims: &Value) -> Visited {
        let begun = self.begun(visitor).await;
        self.come_back(visitor, &begun, claims).await
    }

    /// Returns the data of the person who is signed in, or null without a session.
    async fn me(&self, visitor: &mut Visitor) -> Value {
        me(&self.app, visitor).await
    }
}

/// The parameters with which the service redirects a browser to the provider.
struct Begun {
    state: String,
    nonce: String,
}

pub async fn me(app: &TestApp, visitor: &mut Visitor) -> Value {
    let visited = visitor.get(&format!("http://{}/api/me", app.address)).await;
    serde_json::from_str::<Value>(&visited.text).expect("JSON")["data"].clone()
}
