//! The doctor's report on the services beside the store: profiles, tokens, models and webhooks.

use rusqlite::Connection;

use super::doctor::{filled, on, run, told, told_of};
use super::text;
use crate::authoring::finds_birds;
use crate::support::endpoint::Endpoint;
use crate::support::process::Service;
use crate::support::profile_service::{Played, knows_all};
use crate::support::provider::{Key, Mode, Provider};
use crate::support::receiver::{Receiver, secret};
use crate::support::{Caller, TEACHER};

#[tokio::test(flavor = "multi_thread")]
async fn services_that_are_well_are_said_to_be() {
    let folder = filled();
    let provider = Provider::start(&[Key::ed().jwk("k"), serde_json::json!({"kty": "oct", "k": "c2VjcmV0"})]).await;
    let model = Endpoint::start(finds_birds).await;
    let profiles = Played::start(knows_all).await;
    let (issuer, base) = (provider.issuer(), model.settings().base_url);
    let at = format!("http://{}", profiles.address);
    let arguments = [
        "--auth-issuer",
        &issuer,
        "--auth-audience",
        "fieldbook",
        "--profiles-url",
        &at,
        "--otlp-endpoint",
        &at,
        "--assistant",
        "openai",
        "--assistant-base-url",
        &base,
        "--assistant-model",
        "muse",
    ];
    let checks = ["clock", "secret", "identity", "profile", "language", "otlp"];
    let data = folder.path();
    insta::assert_snapshot!(tokio::task::block_in_place(|| told_of(&checks, data, &arguments)), @"
    exit 0
    ok       clock              agrees with the identity provider and the language model
    ok       secret             not used: tokens come from the identity provider
    ok       identity-provider  its keys were fetched: 1 of 2 are usable
    ok       profile-service    answers
    ok       language-model     responds, and lists the model muse
    ok       otlp-collector     can be reached
    ");
    provider.set_mode(Mode::Refuses(503));
    let arguments = [
        "--auth-issuer",
        &issuer,
        "--assistant",
        "openai",
        "--assistant-base-url",
        &base,
        "--assistant-model",
        "other",
    ];
    insta::assert_snapshot!(tokio::task::block_in_place(|| told_of(&checks, data, &arguments)), @"
    exit 1
    ok       clock              agrees with the language model
    ok       secret             not used: tokens come from the identity provider
    problem  identity-provider  its keys cannot be fetched: it answered with status 503; check auth.issuer and auth.jwks-url, and the network from this machine
    ok       profile-service    not set up
    problem  language-model     responds, and does not list the model other; check assistant-model, or load the model there
    ok       otlp-collector     not set up
    ");
    assert!(model.all().is_empty(), "nothing is asked that costs something");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_local_model_is_found_asked_for_its_name_and_missed() {
    let folder = filled();
    let endpoint = Endpoint::start(finds_birds).await;
    let base = endpoint.settings().base_url;
    let port = base.trim_start_matches("http://127.0.0.1:").trim_end_matches("/v1");
    let said = |arguments: &[&str]| {
        let said = tokio::task::block_in_place(|| told_of(&["language"], folder.path(), arguments));
        said.replace(port, "PORT")
    };
    insta::assert_snapshot!(said(&["--assistant-local-ports", port]), @r#"
    exit 0
    ok       language-model     not set up; a language model answers at http://127.0.0.1:PORT: add --assistant openai-compatible --assistant-base-url http://127.0.0.1:PORT/v1 --assistant-model "muse" to use it
    "#);
    insta::assert_snapshot!(said(&["--assistant-local-ports", ""]), @"
    exit 0
    ok       language-model     not set up
    ");
    insta::assert_snapshot!(said(&["--assistant", "ollama", "--assistant-base-url", &base]), @"
    exit 0
    ok       language-model     responds, and lists the model muse
    ");
    insta::assert_snapshot!(said(&["--assistant", "lmstudio", "--assistant-base-url", "http://127.0.0.1:1/v1"]), @"
    exit 1
    problem  language-model     LM Studio at http://127.0.0.1:1/v1 does not say which models it has: error sending request: client error (Connect): tcp connect error: Connection refused (os error 111); start it with lms server start, or set a model with --assistant-model
    ");
    insta::assert_snapshot!(said(&["--assistant", "llamacpp", "--listen", "0.0.0.0:8080"]), @"
    exit 1
    problem  language-model     the language model's address is http://127.0.0.1:8080/v1, where this service listens itself; give the service another address, such as --listen 0.0.0.0:8081
    ");
    assert!(endpoint.all().is_empty(), "nothing is asked that costs something");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_came_of_deliveries_to_webhooks_is_said_and_none_is_called() {
    let folder = filled();
    let receiver = Receiver::start(Vec::new()).await;
    // No server listens at the second address. Only the doctor gets the third address.
    let (urls, secret) = (format!("{},http://127.0.0.2:9/hook", receiver.url()), secret());
    let three = format!("{urls},http://127.0.0.3/hook");
    let mut program = on("serve", folder.path());
    program.args(["--log-level", "error", "--webhook-urls", &urls, "--webhook-secret", &secret]);
    let mut service = Service::of(program);
    let token = run(on("token", folder.path()), &["--user", TEACHER]);
    let teacher = Caller::of(service.base.clone()).bearing(text(&token.stdout).trim());
    teacher.create(serde_json::json!({})).await;
    receiver.sent(1).await;
    // The service stores the result of a delivery shortly after the delivery.
    let store = Connection::open(folder.path().join("fieldbook.sqlite3")).expect("a store");
    let noted = "SELECT count(*) FROM webhook WHERE after_n > 0";
    while store.query_row(noted, [], |row| row.get::<_, i64>(0)).expect("a number") < 2 {
        tokio::task::yield_now().await;
    }
    service.kill();
    let arguments = ["--webhook-urls", three.as_str(), "--webhook-secret", &secret];
    let said = tokio::task::block_in_place(|| told_of(&["webhooks"], folder.path(), &arguments));
    let is_time = |word: &str| word.starts_with("20") && word.contains("T") && word.contains('Z');
    let words = said
        .split(' ')
        .map(|word| if is_time(word) { word.replace(|c: char| c.is_ascii_digit(), "0") } else { word.to_owned() });
    insta::assert_snapshot!(words.collect::<Vec<_>>().join(" "), @"
    exit 0
    ok       webhooks           127.0.0.1 has received the events up to 0000-00-00T00:00:00.000Z
    warning  webhooks           127.0.0.2 has received the events up to 0000-00-00T00:00:00.000Z, 1 event failed after one attempt so far, next attempt at 0000-00-00T00:00:00.000Z; fix what the log reports for this host
    ok       webhooks           127.0.0.3 is new, and receives events from the next start on
    ");
    assert_eq!(receiver.sent(1).await.len(), 1);
}

#[test]
fn services_that_nobody_runs_are_named_and_no_secret_is_said() {
    let folder = filled();
    let nowhere = "http://127.0.0.1:1";
    let arguments = [
        "--auth-jwks-url",
        nowhere,
        "--profiles-url",
        nowhere,
        "--otlp-endpoint",
        nowhere,
        "--assistant",
        "openai",
        "--assistant-base-url",
        nowhere,
        "--assistant-model",
        "muse",
        "--assistant-api-key",
        "hush-hush",
    ];
    insta::assert_snapshot!(told(folder.path(), &arguments), @"
    exit 1
    ok       settings           valid; set: assistant from the flag --assistant, assistant-api-key from the flag --assistant-api-key, assistant-base-url from the flag --assistant-base-url, assistant-model from the flag --assistant-model, auth.jwks-url from the flag --auth-jwks-url, data from the flag --data, otlp-endpoint from the flag --otlp-endpoint, profiles-url from the flag --profiles-url
    ok       data-folder        DATA exists, and only its owner can read it
    ok       disk               more than 1 GiB is free
    ok       store              is in DATA
    ok       store-form         is up to date (store version 13)
    ok       store-integrity    all of it is readable
    ok       store-writes       it accepts writes
    ok       store-users        nobody else is using it
    ok       clock              nothing to compare it with
    ok       schema             the built-in schema and its rules are valid
    ok       secret             not used: tokens come from the identity provider
    problem  identity-provider  its keys cannot be fetched: it cannot be reached: error sending request: client error (Connect): tcp connect error: Connection refused (os error 111); check auth.issuer and auth.jwks-url, and the network from this machine
    problem  profile-service    authors will have no names: it cannot be reached: transport error: tcp connect error: tcp connect error: Connection refused (os error 111); check profiles-url and the service at that address
    problem  language-model     cannot be reached: error sending request: client error (Connect): tcp connect error: Connection refused (os error 111); check assistant-base-url and the service at that address
    ok       webhooks           not set up
    warning  otlp-collector     traces are lost: transport error: tcp connect error: tcp connect error: Connection refused (os error 111); check otlp-endpoint and the collector at that address
    fieldbook: there are 3 problems
    ");
    let database = ["--database", "postgres://ann:hush-hush@127.0.0.1:1/book"];
    insta::assert_snapshot!(told_of(&["store"], folder.path(), &database), @"
    exit 1
    problem  store              cannot reach the database server 127.0.0.1:1: error connecting to server: Connection refused (os error 111); check --database
    ");
}
