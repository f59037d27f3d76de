//! The doctor's report on the services beside the store: profiles, tokens, models and webhooks.

use axum::Router;
use axum::http::StatusCode;
use rusqlite::Connection;
use serde_json::{Value, json};

use super::doctor::{filled, on, told, told_of};
use crate::support::Caller;
use crate::support::endpoint::{Answer, Endpoint};
use crate::support::oidc_provider::{OidcProvider, SECRET};
use crate::support::process::Service;
use crate::support::profile_service::{Played, knows_all};
use crate::support::provider::{Key, Mode, Provider};
use crate::support::receiver::{Receiver, secret};

#[tokio::test(flavor = "multi_thread")]
async fn doctor_reports_healthy_services_as_ok() {
    let folder = filled();
    let provider = Provider::start(&[Key::ed().jwk("k"), json!({"kty": "oct", "k": "c2VjcmV0"})]).await;
    let model = Endpoint::start(|_| Answer::Says(json!({"sum": 5}))).await;
    let profiles = Played::start(knows_all).await;
    let (issuer, base) = (provider.issuer(), model.settings().base_url);
    let at = format!("http://{}", profiles.address);
    let provided = ["--auth-issuer", &issuer, "--auth-audience", "fieldbook", "--auth-default-role", "reader"];
    let model_at = ["--assistant", "openai", "--assistant-base-url", &base, "--assistant-model", "muse"];
    let arguments = [&provided[..], &model_at, &["--profiles-url", &at]].concat();
    let checks = ["secret", "identity", "profile", "language"];
    let data = folder.path();
    insta::assert_snapshot!(tokio::task::block_in_place(|| told_of(&checks, data, &arguments)), @"
    exit 0
    ok       secret             not used: tokens come from the identity provider
    ok       identity-provider  its keys were fetched: 1 of 2 are usable
    ok       profile-service    answers
    ok       language-model     muse answers a test question
    ");
    provider.set_mode(Mode::Refuses(503));
    let arguments = ["--auth-issuer", &issuer];
    let told = tokio::task::block_in_place(|| told_of(&["identity"], data, &arguments)).replace(&issuer, "ISSUER");
    insta::assert_snapshot!(told, @"
    exit 1
    problem  identity-provider  its keys cannot be fetched: it answered with status 503, asked for ISSUER/.well-known/openid-configuration; check auth.issuer and auth.jwks-url, and the network from this machine
    warning  identity-provider  everybody without a role at the provider is an author; set auth.default-role to reader or none, and auth.roles-map
    ");
}

#[tokio::test(flavor = "multi_thread")]
async fn doctor_reports_whether_people_can_sign_in_with_the_provider() {
    let folder = filled();
    let provider = Provider::start(&[Key::ed().jwk("k")]).await;
    let issuer = provider.issuer();
    let client = ["--auth-issuer", &issuer, "--auth-client-id", "fieldbook", "--auth-client-secret", "hush"];
    let told = |arguments: &[&str]| tokio::task::block_in_place(|| told_of(&["identity"], folder.path(), arguments));
    let complete = [&client[..], &["--auth-default-role", "none", "--public-url", "https://book.example.org"]].concat();
    insta::assert_snapshot!(told(&complete), @"
    exit 0
    ok       identity-provider  its keys were fetched: 1 of 1 are usable, the client is registered; https://book.example.org/sign-in/callback must be registered as its redirect URI
    ");
    provider.grants(401, r#"{"error": "invalid_client"}"#);
    insta::assert_snapshot!(told(&complete), @"
    exit 1
    problem  identity-provider  nobody can sign in with it: it refuses the client with status 401 invalid_client; check auth.client-id and auth.client-secret
    ");
    provider.set_mode(Mode::Misnames("https://id.example.org/"));
    insta::assert_snapshot!(told(&complete).replace(&issuer, "ISSUER"), @r#"
    exit 1
    problem  identity-provider  its keys cannot be fetched: its issuer is "https://id.example.org/", but auth.issuer is "ISSUER"; check auth.issuer and auth.jwks-url, and the network from this machine
    "#);
    provider.set_mode(Mode::SignsNobodyIn);
    insta::assert_snapshot!(told(&complete), @"
    exit 1
    problem  identity-provider  nobody can sign in with it: its authorization_endpoint is missing, or is not an address that begins with https://, or http:// on this machine; check auth.issuer, which needs OpenID Connect discovery
    ");
}

#[tokio::test(flavor = "multi_thread")]
async fn doctor_warns_if_provider_users_would_get_an_unintended_role() {
    let folder = filled();
    let provider = Provider::start(&[Key::ed().jwk("k")]).await;
    let issuer = provider.issuer();
    let client =
        ["--auth-issuer", &issuer, "--auth-client-id", "fieldbook", "--public-url", "https://book.example.org"];
    let warnings = |arguments: &[&str]| {
        let told =
            tokio::task::block_in_place(|| told_of(&["identity"], folder.path(), &[&client, arguments].concat()));
        told.lines().filter(|line| line.starts_with("warning")).collect::<Vec<_>>().join("\n")
    };
    assert_eq!(warnings(&["--auth-default-role", "none", "--auth-roles-map", "pupils=none,staff=author"]), "");
    insta::assert_snapshot!(warnings(&["--auth-default-role", "reader", "--auth-roles-map", "pupils=none"]), @"warning  identity-provider  auth.roles-map has a role below auth.default-role, so people without the claim roles cannot sign in; set auth.default-role to the lowest role in auth.roles-map");
    insta::assert_snapshot!(warnings(&["--auth-default-role", "admin", "--auth-investigations", "optional"]), @"
    warning  identity-provider  everybody without a role at the provider is an admin; set auth.default-role to reader or none, and auth.roles-map
    warning  identity-provider  auth.investigations is optional, so everybody who has not signed in has the role author; set it to required
    ");
    insta::assert_snapshot!(warnings(&["--auth-default-role", "none", "--auth-user-ids", "as-given", "--auth-scopes", "openid"]), @r#"
    warning  identity-provider  people can sign in only with 24 hexadecimal digits in the claim sub; set auth.user-ids to derived, which derives an id from any name
    warning  identity-provider  auth.scopes lacks profile or email, so people may have no name or e-mail address here; set it to "openid profile email"
    "#);
}

#[tokio::test(flavor = "multi_thread")]
async fn doctor_reports_a_wrong_client_secret_with_a_real_provider() {
    let folder = filled();
    let provider = OidcProvider::start();
    let told = |secret: &str| {
        let client =
            ["--auth-issuer", &provider.issuer, "--auth-client-id", "fieldbook", "--auth-client-secret", secret];
        let role = ["--auth-default-role", "none"];
        tokio::task::block_in_place(|| told_of(&["identity"], folder.path(), &[&client[..], &role].concat()))
    };
    assert!(told(SECRET).contains("the client is registered"), "{}", told(SECRET));
    insta::assert_snapshot!(told("another"), @"
    exit 1
    problem  identity-provider  nobody can sign in with it: it refuses the client with status 401 invalid_client; check auth.client-id and auth.client-secret
    ");
}

#[tokio::test(flavor = "multi_thread")]
async fn doctor_reports_that_provider_tokens_name_no_user() {
    let folder = filled();
    let key = Key::ed();
    let provider = Provider::start(&[key.jwk("k")]).await;
    let issuer = provider.issuer();
    let provided = ["--auth-issuer", &issuer, "--auth-audience", "fieldbook", "--auth-default-role", "reader"];
    let service = Service::start_with(folder.path(), &provided);
    let told = || {
        let address = service.base.trim_start_matches("http://").to_owned();
        let arguments = [&provided[..], &["--listen", &address]].concat();
        tokio::task::block_in_place(|| told_of(&["identity"], folder.path(), &arguments))
    };
    assert_eq!(told(), "exit 0\nok       identity-provider  its keys were fetched: 1 of 1 are usable");
    let expiry =
        i64::try_from(std::time::SystemTime::UNIX_EPOCH.elapsed().expect("a time").as_secs()).expect("fits") + 60;
    let ada = Caller::of(service.base.clone()).bearing(&key.token("k", &provider.claims("ada@school.example", expiry)));
    assert_eq!(ada.get("/api/investigation").await.status, 200);
    insta::assert_snapshot!(told(), @"
    exit 0
    ok       identity-provider  its keys were fetched: 1 of 1 are usable
    warning  identity-provider  tokens without a user since the service started: 1; set auth.user-ids to derived, which derives an id from any name
    ");
}

#[tokio::test(flavor = "multi_thread")]
async fn doctor_shows_why_the_model_does_not_answer() {
    let folder = filled();
    let error = |code: Value, message: &str| json!({"error": {"code": code, "message": message}}).to_string();
    let long = format!("The key sk-hush;\nis wrong. {}", "é".repeat(300));
    let answers = [
        (401, error(json!("invalid_api_key"), &long)),
        (404, error(json!("model_not_found"), "The model muse does not exist.")),
        (429, error(json!("insufficient_quota"), "You exceeded your quota.")),
        (503, json!({"object": "error", "message": "Loading model", "code": 503}).to_string()),
        (502, "<html>Bad gateway</html>".to_owned()),
        (200, error(json!(402), "Insufficient credits")),
        (200, json!({"choices": [{"message": {"content": "5"}, "finish_reason": "stop"}]}).to_string()),
        (200, json!({"choices": [{"message": {"content": "{\"sum\": 5}"}, "finish_reason": "length"}]}).to_string()),
    ];
    let mut lines = Vec::new();
    for (status, body) in answers {
        let base = answers_with(status, body).await;
        let arguments = ["--assistant", "openai", "--assistant-base-url", &base, "--assistant-model", "muse"];
        let arguments = [&arguments[..], &["--assistant-api-key", "sk-hush"]].concat();
        let said = tokio::task::block_in_place(|| told_of(&["language"], folder.path(), &arguments));
        lines.push(said.replace(&"é".repeat(179), "é × 179"));
    }
    insta::assert_snapshot!(lines.join("\n"), @"
    exit 1
    problem  language-model     muse refuses a test question with status 401: invalid_api_key, The key …, is wrong. é × 179; check assistant-api-key
    exit 1
    problem  language-model     muse refuses a test question with status 404: model_not_found, The model muse does not exist.; check assistant-model and assistant-base-url
    exit 0
    warning  language-model     muse refuses a test question with status 429: insufficient_quota, You exceeded your quota.; wait, or raise its limit
    exit 1
    problem  language-model     muse refuses a test question with status 503: 503, Loading model; check assistant-base-url and the service there
    exit 1
    problem  language-model     muse refuses a test question with status 502; check assistant-base-url and the service there
    exit 1
    problem  language-model     muse refuses a test question with status 402: 402, Insufficient credits; check assistant-base-url and the service there
    exit 1
    problem  language-model     the answer of muse to a test question cannot be used (unreadable); check that the endpoint speaks the protocol of OpenAI, or choose another model
    exit 1
    problem  language-model     the answer of muse to a test question cannot be used (cut_off); check that the endpoint speaks the protocol of OpenAI, or choose another model
    ");
}

#[tokio::test(flavor = "multi_thread")]
async fn doctor_repeats_its_test_question_without_a_json_schema_if_the_model_refuses_schemas() {
    let folder = filled();
    let endpoint = Endpoint::start(|question| match question.nth {
        1 => Answer::Refuses(400),
        _ => Answer::Says(json!({"sum": 5})),
    })
    .await;
    let base = endpoint.settings().base_url;
    let arguments = ["--assistant", "openai-compatible", "--assistant-base-url", &base, "--assistant-model", "muse"];
    let said = tokio::task::block_in_place(|| told_of(&["language"], folder.path(), &arguments));
    assert_eq!(said, "exit 0\nok       language-model     muse answers a test question");
    assert_eq!(endpoint.all().len(), 2);
}

/// Starts a server that answers every request with this status and body. Returns the base URL of its models.
async fn answers_with(status: u16, body: String) -> String {
    let status = StatusCode::from_u16(status).expect("a status");
    let router = Router::new().fallback(move || std::future::ready((status, body.clone())));
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let address = listener.local_addr().expect("an address");
    tokio::spawn(async move { axum::serve(listener, router).await });
    format!("http://{address}/v1")
}

#[tokio::test(flavor = "multi_thread")]
async fn doctor_sends_a_test_question_to_a_local_model_only_if_the_model_is_set_up() {
    let folder = filled();
    let endpoint = Endpoint::start(|_| Answer::Says(json!({"sum": 5}))).await;
    let base = endpoint.settings().base_url;
    let said = |arguments: &[&str]| tokio::task::block_in_place(|| told_of(&["language"], folder.path(), arguments));
    insta::assert_snapshot!(said(&[]), @"
    exit 0
    ok       language-model     not set up
    ");
    insta::assert_snapshot!(said(&["--assistant", "ollama", "--assistant-model", "muse", "--assistant-base-url", &base]), @"
    exit 0
    ok       language-model     muse answers a test question
    ");
    insta::assert_snapshot!(said(&["--assistant", "lmstudio", "--assistant-model", "muse", "--assistant-base-url", "http://127.0.0.1:1/v1"]), @"
    exit 1
    problem  language-model     cannot be reached: error sending request: client error (Connect): tcp connect error: Connection refused (os error 111); check assistant-base-url and the service there
    ");
    insta::assert_snapshot!(said(&["--assistant", "llamacpp", "--assistant-model", "muse", "--listen", "0.0.0.0:8080"]), @"
    exit 1
    problem  language-model     the language model's address is http://127.0.0.1:8080/v1, where this service listens itself; give the service another address, such as --listen 0.0.0.0:8081
    ");
    assert_eq!(endpoint.all().len(), 1, "only a model that is set up is asked");
}

#[tokio::test(flavor = "multi_thread")]
async fn doctor_reports_failed_webhook_deliveries_without_calling_webhooks() {
    let folder = filled();
    let receiver = Receiver::start(Vec::new()).await;
    // No server listens at the second address. Only the doctor gets the third address.
    let (urls, secret) = (format!("{},http://127.0.0.2:9/hook", receiver.url()), secret());
    let three = format!("{urls},http://127.0.0.3/hook");
    let mut program = on("serve", folder.path());
    program.args(["--log-level", "error", "--webhook-urls", &urls, "--webhook-secret", &secret]);
    let mut service = Service::of(program);
    service.teacher(folder.path()).create(json!({})).await;
    receiver.sent(1).await;
    // The service stores the result of a delivery shortly after the delivery.
    let store = Connection::open(folder.path().join("fieldbook.sqlite3")).expect("a store");
    let noted = "SELECT count(*) FROM webhook w WHERE w.after_n > 0 AND NOT EXISTS (
         SELECT 1 FROM webhook_delivery d WHERE d.endpoint = w.endpoint AND d.due IS NULL)";
    while store.query_row(noted, [], |row| row.get::<_, i64>(0)).expect("a number") < 2 {
        tokio::task::yield_now().await;
    }
    service.kill();
    let arguments = ["--webhook-urls", three.as_str(), "--webhook-secret", &secret];
    let said = tokio::task::block_in_place(|| told_of(&["webhooks"], folder.path(), &arguments));
    insta::assert_snapshot!(said, @"
    exit 0
    ok       webhooks           no delivery to 127.0.0.1 is waiting for a retry
    warning  webhooks           deliveries to 127.0.0.2 that failed and are waiting for a retry: 1; fix what the log reports for this host
    ok       webhooks           no delivery to 127.0.0.3 is waiting for a retry
    ");
    assert_eq!(receiver.sent(1).await.len(), 1);
}

#[test]
fn doctor_names_unreachable_services_without_printing_secrets() {
    let folder = filled();
    let nowhere = "http://127.0.0.1:1";
    let services = ["--auth-jwks-url", nowhere, "--profiles-url", nowhere];
    let model = ["--assistant", "openai", "--assistant-base-url", nowhere, "--assistant-model", "muse"];
    let arguments = [&services[..], &model, &["--assistant-api-key", "hush-hush"]].concat();
    insta::assert_snapshot!(told(folder.path(), &arguments), @"
    exit 1
    ok       settings           valid; set: assistant from the flag --assistant, assistant-api-key from the flag --assistant-api-key, assistant-base-url from the flag --assistant-base-url, assistant-model from the flag --assistant-model, auth.jwks-url from the flag --auth-jwks-url, data from the flag --data, profiles-url from the flag --profiles-url
    ok       schema             it and its rules can be used
    ok       data-folder        DATA exists, and only its owner can read it
    ok       disk               more than 1 GiB is free
    ok       secret             not used: tokens come from the identity provider
    ok       store              SQLite in DATA
    ok       store-version      is up to date (store version N)
    ok       store-integrity    all of it is readable
    ok       store-writes       it accepts writes
    ok       webhooks           not set up
    problem  identity-provider  its keys cannot be fetched: it cannot be reached: error sending request: client error (Connect): tcp connect error: Connection refused (os error 111), asked for http://127.0.0.1:1/; check auth.issuer and auth.jwks-url, and the network from this machine
    warning  identity-provider  everybody without a role at the provider is an author; set auth.default-role to reader or none, and auth.roles-map
    problem  profile-service    authors will have no names: it cannot be reached: transport error: tcp connect error: tcp connect error: Connection refused (os error 111); check profiles-url and the service at that address
    problem  language-model     cannot be reached: error sending request: client error (Connect): tcp connect error: Connection refused (os error 111); check assistant-base-url and the service there
    fieldbook: there are 3 problems
    ");
    let database = ["--database", "postgres://ann:hush-hush@127.0.0.1:1/book"];
    insta::assert_snapshot!(told_of(&["store"], folder.path(), &database), @"
    exit 1
    problem  store              cannot reach the database server 127.0.0.1:1: error connecting to server: Connection refused (os error 111); check --database
    ");
}
