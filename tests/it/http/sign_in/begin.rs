//! `GET /sign-in/provider`

use std::time::Duration;

use fieldbook::app::HttpSettings;
use insta::assert_snapshot;
use reqwest::{StatusCode, Url};

use super::School;
use crate::http::provider::DISCOVERY;
use crate::support::provider::{Key, Mode};
use crate::support::visitor::{Visited, Visitor, parameter};
use crate::support::{TestApp, log};

/// Returns an answer as text, without the random parts.
fn shown(visited: &Visited) -> String {
    let state = visited.location.split_once("state=").map_or("", |(_, rest)| &rest[..16]);
    let cookie = |cookie: &String| {
        let (name, rest) = cookie.split_once('=').expect("a pair");
        let rest = rest.split_once(';').map_or("", |(_, rest)| rest);
        format!("\n{}=…;{rest}", name.replace(state, "STATE"))
    };
    let place = if state.is_empty() { &visited.location } else { "THERE" };
    format!("{} {place}{}", visited.status, visited.set.iter().map(cookie).collect::<String>())
}

#[tokio::test]
async fn browser_is_redirected_to_the_provider_with_all_parameters() {
    let school = School::start().await;
    let visited = Visitor::new().get(&school.at("/sign-in/provider?to=/%23/trash")).await;
    let address = Url::parse(&visited.location).expect("an address");
    let random = |name: &str| ["state", "nonce", "code_challenge"].contains(&name);
    let value =
        |name: &str, value: &str| if random(name) { format!("{} characters", value.len()) } else { value.to_owned() };
    let parameters = address.query_pairs().map(|(name, text)| format!("{name}={}\n", value(&name, &text)));
    let parameters = parameters.collect::<String>().replace(&school.app.address.to_string(), "HERE");
    assert!(visited.location.starts_with(&format!("http://{}/authorize?", school.provider.address())));
    assert_snapshot!(parameters, @"
    tenant=1
    response_type=code
    response_mode=query
    client_id=fieldbook
    redirect_uri=http://HERE/sign-in/callback
    scope=openid profile email
    state=43 characters
    nonce=43 characters
    code_challenge=43 characters
    code_challenge_method=S256
    ");
    assert_snapshot!(shown(&visited), @"
    303 See Other THERE
    fieldbook_sign_in_STATE=…; Path=/; HttpOnly; SameSite=Lax; Max-Age=600
    ");
}

#[tokio::test]
async fn sign_in_attempt_cookie_of_a_service_with_tls_has_a_name_that_only_its_host_can_set() {
    let http =
        HttpSettings { public_url: Some("https://lessons.school.example".to_owned()), ..HttpSettings::default() };
    let school = School::start_with(http, |settings| settings).await;
    let visited = Visitor::new().get_as(&school.at("/sign-in/provider"), "Lessons.school.example").await;
    assert_snapshot!(shown(&visited), @"
    303 See Other THERE
    __Host-fieldbook_sign_in_STATE=…; Path=/; HttpOnly; SameSite=Lax; Secure; Max-Age=600
    ");
    let back = parameter(&visited.location, "redirect_uri");
    assert_eq!(back, "https://lessons.school.example/sign-in/callback");
}

#[tokio::test]
async fn provider_sign_in_redirects_only_to_paths_of_the_page() {
    let school = School::start().await;
    for (to, place) in [
        ("/%23/i/1", "/#/i/1"),
        ("/?a=b%23/i/1", "/?a=b#/i/1"),
        ("/l%C3%A9on", "/l%C3%A9on"),
        ("https://evil.example/", "/"),
        ("//evil.example/", "/"),
        ("/%5Cevil.example/", "/"),
        ("/%09/evil.example/", "/"),
        ("/%0d%0aset-cookie:%20a=b", "/"),
        ("/api/me", "/"),
        ("/x/../api/me", "/"),
        ("/x/%252e%252E/l/a/b", "/"),
        ("/sign-in?to=/", "/"),
        ("/l/class-5b/cress", "/"),
        ("", "/"),
    ] {
        let mut visitor = Visitor::new();
        let visited = visitor.get(&school.at(&format!("/sign-in/provider?to={to}"))).await;
        let begun =
            super::Begun { state: parameter(&visited.location, "state"), nonce: parameter(&visited.location, "nonce") };
        let back = school.come_back(&mut visitor, &begun, &school.claims()).await;
        assert_eq!(back.location, place, "{to}");
    }
}

#[tokio::test]
async fn fifth_sign_in_attempt_of_a_browser_deletes_its_earlier_attempts() {
    let school = School::start().await;
    let mut visitor = Visitor::new();
    for kept in [1, 2, 3, 4, 1, 2] {
        school.begun(&mut visitor).await;
        assert_eq!(visitor.cookies.len(), kept);
    }
}

#[tokio::test]
async fn sign_in_fails_if_the_configuration_of_the_provider_is_invalid() {
    for mode in [Mode::Refuses(503), Mode::SignsNobodyIn, Mode::Misnames("https://id.example.org")] {
        let school = School::start_with(HttpSettings::default(), |settings| settings).await;
        school.provider.set_mode(mode);
        let mut visitor = Visitor::new();
        let visited = visitor.get(&school.at("/sign-in/provider?to=/%23/trash")).await;
        assert_eq!(shown(&visited), "303 See Other /sign-in?failed=unavailable&to=%2F%23%2Ftrash");
    }
}

#[tokio::test]
async fn sign_in_still_redirects_to_the_provider_while_its_configuration_cannot_be_fetched() {
    let ten_minutes = Duration::from_secs(600);
    let school = School::start_with_keys().await;
    let there = format!("http://{}/authorize?", school.provider.address());
    let leads_there = async || Visitor::new().get(&school.at("/sign-in/provider")).await.location.starts_with(&there);
    assert!(leads_there().await);
    for (times, mode) in [(2, Mode::SignsNobodyIn), (3, Mode::Refuses(503)), (4, Mode::HidesConfiguration)] {
        school.provider.set_mode(mode);
        school.app.clock.advance(ten_minutes);
        assert!(leads_there().await);
        school.provider.asked(DISCOVERY, times).await;
        assert!(leads_there().await);
    }
}

#[tokio::test]
async fn configuration_of_a_recovered_provider_is_fetched_after_ten_seconds() {
    let school = School::start_with_keys().await;
    school.provider.set_mode(Mode::SignsNobodyIn);
    let begin = async || Visitor::new().get(&school.at("/sign-in/provider")).await.location;
    assert_eq!(begin().await, "/sign-in?failed=unavailable&to=%2F");
    school.provider.set_mode(Mode::Healthy);
    school.app.clock.advance(Duration::from_millis(9_999));
    assert_eq!(begin().await, "/sign-in?failed=unavailable&to=%2F");
    assert_eq!(school.provider.count(DISCOVERY), 1);
    school.app.clock.advance(Duration::from_millis(1));
    assert!(begin().await.contains("/authorize?"));
}

#[tokio::test]
async fn keys_of_a_separate_jwks_url_are_fetched_without_the_provider_configuration() {
    let school = School::start_with_keys().await;
    school.provider.set_mode(Mode::HidesConfiguration);
    let token = school.key.token("k", &school.claims());
    let asking = Visitor::new().get_in_background(&school.at("/sign-in/provider"));
    school.provider.asked(DISCOVERY, 1).await;
    let new = Key::ed();
    school.provider.has(&[school.key.jwk("k"), new.jwk("new")]);
    for token in [token, new.token("new", &school.claims())] {
        let me = school.app.anon().bearing(&token).get("/api/me").await;
        assert_eq!(me.status, StatusCode::OK, "{me}");
    }
    asking.abort();
}

#[tokio::test]
async fn callback_address_uses_the_host_header_only_for_localhost() {
    let school = School::start().await;
    for host in ["localhost", "127.0.0.1:8080", "[::1]:8080"] {
        let visited = Visitor::new().get_as(&school.at("/sign-in/provider"), host).await;
        assert_eq!(parameter(&visited.location, "redirect_uri"), format!("http://{host}/sign-in/callback"));
    }
    let mut visitor = Visitor::new();
    let begun = school.begun(&mut visitor).await;
    let callback = format!("/sign-in/callback?state={}&code=c0de", begun.state);
    let (log, _guard) = log::captured();
    for host in ["evil.example", "localhost.evil.example", "10.0.0.7:8080"] {
        for path in ["/sign-in/provider", &callback] {
            let visited = visitor.get_as(&school.at(path), host).await;
            assert_eq!(shown(&visited), "303 See Other /sign-in?failed=address&to=%2F", "{host}");
        }
    }
    assert!(log.text().contains("http://evil.example"), "{}", log.text());
    assert!(log.text().contains("set public-url"), "{}", log.text());
    // The refused requests did not use up the sign-in attempt. A configured public address overrides the header.
    assert_eq!(school.come_back(&mut visitor, &begun, &school.claims()).await.location, "/#/trash");
    let http = HttpSettings { public_url: Some("https://lessons.example".to_owned()), ..HttpSettings::default() };
    let school = School::start_with(http, |settings| settings).await;
    for host in ["evil.example", "lessons.example:8080"] {
        let visited = Visitor::new().get_as(&school.at("/sign-in/provider?to=/%23/i/1"), host).await;
        assert_eq!(shown(&visited), "303 See Other https://lessons.example/sign-in/provider?to=%2F%23%2Fi%2F1&moved=1");
        // A proxy that does not forward the host name must not cause a redirect loop.
        let visited = Visitor::new().get_as(&school.at("/sign-in/provider?to=/%23/i/1&moved=1"), host).await;
        assert_eq!(parameter(&visited.location, "redirect_uri"), "https://lessons.example/sign-in/callback");
    }
}

#[tokio::test]
async fn provider_sign_in_without_a_configured_provider_redirects_to_an_error() {
    let (app, ..) = TestApp::start().await;
    let visited = Visitor::new().get(&format!("http://{}/sign-in/provider", app.address)).await;
    assert_eq!(shown(&visited), "303 See Other /sign-in?failed=unavailable&to=%2F");
}

#[tokio::test]
async fn after_a_sign_out_the_service_asks_the_provider_to_let_the_user_choose_an_account() {
    let school = School::start().await;
    let mut visitor = Visitor::new();
    school.sign_in(&mut visitor, &school.claims()).await;
    let signed_out = visitor.delete(&school.at("/api/session")).await;
    // The cookie survives a restart of the browser, because the session at the provider may survive it too.
    let noted = "fieldbook_signed_out=1; Path=/; HttpOnly; SameSite=Lax; Max-Age=2592000";
    assert!(signed_out.set.iter().any(|cookie| cookie == noted), "{:?}", signed_out.set);
    assert_eq!(school.me(&mut visitor).await, serde_json::Value::Null);
    for _ in 0..2 {
        let visited = visitor.get(&school.at("/sign-in/provider")).await;
        assert_eq!(parameter(&visited.location, "prompt"), "select_account");
    }
    school.sign_in(&mut visitor, &school.claims()).await;
    let visited = visitor.get(&school.at("/sign-in/provider")).await;
    assert!(!visited.location.contains("prompt="), "{}", visited.location);
}

#[tokio::test]
async fn sign_in_leaves_out_a_prompt_parameter_that_the_provider_refused() {
    let school = School::start().await;
    let mut visitor = Visitor::new();
    school.sign_in(&mut visitor, &school.claims()).await;
    visitor.delete(&school.at("/api/session")).await;
    let refuse = async |visitor: &mut Visitor, error: &str| {
        let visited = visitor.get(&school.at("/sign-in/provider?to=/%23/trash")).await;
        let state = parameter(&visited.location, "state");
        let answer = visitor.get(&school.at(&format!("/sign-in/callback?state={state}&error={error}"))).await;
        let prompt = visited.location.split_once("prompt=").map_or("", |(_, prompt)| prompt).to_owned();
        (prompt, answer.location)
    };
    let said = |prompt: &str, location: &str| (prompt.to_owned(), location.to_owned());
    let refused = "/sign-in?failed=refused&to=%2F%23%2Ftrash";
    // If a sign-in is cancelled or fails, the next sign-in still asks for the account.
    for error in ["server_error", "temporarily_unavailable"] {
        let unavailable = said("select_account", "/sign-in?failed=unavailable&to=%2F%23%2Ftrash");
        assert_eq!(refuse(&mut visitor, error).await, unavailable);
    }
    assert_eq!(refuse(&mut visitor, "access_denied").await, said("select_account", refused));
    let again = "/sign-in/provider?to=%2F%23%2Ftrash";
    assert_eq!(refuse(&mut visitor, "invalid_request").await, said("select_account", again));
    let failed = "/sign-in?failed=untrusted&to=%2F%23%2Ftrash";
    assert_eq!(refuse(&mut visitor, "invalid_request").await, said("login", failed));
    assert_eq!(refuse(&mut visitor, "invalid_request").await, said("", failed));
}

#[tokio::test]
async fn sign_in_sends_only_a_prompt_parameter_that_the_provider_supports() {
    for (prompts, prompt) in [("none login", "login"), ("login select_account", "select_account")] {
        let school = School::start_with(HttpSettings::default(), |settings| settings).await;
        school.provider.set_mode(Mode::Prompts(prompts));
        let mut visitor = Visitor::new();
        visitor.cookies.insert("fieldbook_signed_out".to_owned(), "1".to_owned());
        let visited = visitor.get(&school.at("/sign-in/provider")).await;
        assert_eq!(parameter(&visited.location, "prompt"), prompt);
    }
}
