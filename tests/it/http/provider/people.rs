//! The users and roles in tokens of a provider, whose ids and roles can have any form.

use fieldbook::app::HttpSettings;
use fieldbook::domain::permission::{Editing, Role};
use fieldbook::domain::token_user::{ClaimRules, RoleNames, UserIds, derived_id};
use reqwest::StatusCode;
use serde_json::{Value, json};

use super::{LIST, with};
use crate::support::provider::{Key, Provider};
use crate::support::token::IN_AN_HOUR;
use crate::support::{Caller, TestApp, log};

/// A user id as Keycloak and Entra create them.
const ADA: &str = "f81d4fae-7dec-11d0-a765-00a0c91e6bf6";

struct School {
    app: TestApp,
    provider: Provider,
    key: Key,
}

impl School {
    async fn start(claims: ClaimRules, default_role: Role) -> Self {
        let key = Key::ed();
        let provider = Provider::start(&[key.jwk("k")]).await;
        let http = HttpSettings { editing: Editing::Author, default_role, ..HttpSettings::default() };
        let app = TestApp::start_with_claims(&provider.settings(), claims, http).await;
        Self { app, provider, key }
    }

    /// Returns a caller with a token of this person that has this additional claim.
    fn signed_in(&self, sub: &str, claim: &str, value: Value) -> Caller {
        let claims = with(&self.provider.claims(sub, IN_AN_HOUR), claim, value);
        self.app.anon().bearing(&self.key.token("k", &claims))
    }
}

fn derived() -> ClaimRules {
    ClaimRules { user_ids: UserIds::Derived, ..ClaimRules::default() }
}

#[tokio::test]
async fn person_whose_provider_id_is_a_uuid_owns_and_changes_their_lesson() {
    let school = School::start(derived(), Role::Author).await;
    let ada = school.signed_in(ADA, "name", json!("Ada"));
    let created = ada.post(LIST, json!({"title": "Cress"})).await;
    let id = derived_id(&school.provider.issuer(), ADA).to_string();
    assert_eq!(created.data()["author"]["id"], json!(id), "{created}");
    let path = format!("{LIST}/{}", created.data()["_id"].as_str().expect("an id"));
    let changed = ada.patch(&path, json!({"title": "Peas"})).await;
    assert_eq!(changed.status, StatusCode::OK, "{changed}");
    let refused =
        school.signed_in("bob@district.example", "name", json!("Bob")).patch(&path, json!({"title": "x"})).await;
    assert_eq!(refused.json()["code"], "not_your_investigation", "{refused}");
}

#[tokio::test]
async fn change_with_a_token_that_names_no_user_is_refused_with_an_error_that_names_the_setting() {
    let school = School::start(ClaimRules::default(), Role::Author).await;
    let (log, _guard) = log::captured();
    let ada = school.signed_in(ADA, "name", json!("Ada"));
    let path = ada.create_path(json!({"title": "Cress"})).await;
    let refused = ada.patch(&path, json!({"title": "Peas"})).await;
    insta::assert_snapshot!(refused, @r#"
    PATCH /api/investigation/000000000000000000000001
    {"title":"Peas"}
    403 Forbidden
    {
      "success": false, "message": "Not allowed",
      "error": "Your request names no user, so you own nothing here; sign in, or ask the operator about auth.user-ids",
      "code": "not_your_investigation"
    }
    "#);
    assert_eq!(log.text().matches("received a token that names no user").count(), 1, "{}", log.text());
}

#[tokio::test]
async fn role_names_of_the_provider_are_mapped_to_roles_of_the_service() {
    let names = RoleNames::new([("teachers", Role::Author), ("it", Role::Admin)]);
    let rules = ClaimRules { roles_claim: "realm_access.roles".to_owned(), role_names: names, ..derived() };
    let school = School::start(rules, Role::None).await;
    let outcome = async |roles: Value| {
        let caller = school.signed_in(ADA, "realm_access", json!({"roles": roles}));
        let (list, created) = (caller.get(LIST).await, caller.post(LIST, json!({"title": "x"})).await);
        let audit = caller.get("/api/audit").await;
        [list, created, audit].map(|answer| {
            let code = serde_json::from_str::<Value>(&answer.text)
                .ok()
                .and_then(|body| body["code"].as_str().map(str::to_owned));
            code.unwrap_or_else(|| answer.status.as_u16().to_string())
        })
    };
    assert_eq!(outcome(json!(["Teachers", "offline_access"])).await, ["200", "201", "admins_only"]);
    assert_eq!(outcome(json!(["teachers", "IT"])).await, ["200", "201", "200"]);
    assert_eq!(outcome(json!(["Reader"])).await, ["200", "read_only", "admins_only"]);
    assert_eq!(outcome(json!(["pupils"])).await, ["no_role", "no_role", "no_role"]);
}
