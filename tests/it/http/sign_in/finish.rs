//! `GET /sign-in/callback`: signs in the browser that began the attempt, or redirects to an error.

use std::time::Duration;

use fieldbook::admission::{Actor, SIGN_INS, VISITS, share_of};
use fieldbook::app::HttpSettings;
use fieldbook::domain::token_user::derived_id;
use fieldbook::tokens::{ProviderSettings, SignInSettings};
use insta::assert_snapshot;
use reqwest::StatusCode;
use serde_json::{Value, json};

use super::{ADA, School};
use crate::http::provider::with;
use crate::support::log;
use crate::support::provider::Mode;
use crate::support::token::IN_AN_HOUR;
use crate::support::visitor::Visitor;

const UNKNOWN: &str = "/sign-in?failed=attempt&to=%2F";

#[tokio::test]
async fn person_who_signs_in_with_the_provider_has_the_same_user_id_as_in_bearer_tokens() {
    let school = School::start().await;
    let mut visitor = Visitor::new();
    let visited = school.sign_in(&mut visitor, &school.claims()).await;
    assert_eq!((visited.status, visited.location.as_str()), (StatusCode::SEE_OTHER, "/#/trash"));
    let session = visitor.cookies["fieldbook_session"].clone();
    let set = format!("fieldbook_session={session}; Path=/; HttpOnly; SameSite=Lax");
    assert!(visited.set.contains(&set), "{:?}", visited.set);
    // The cookies of the attempt are deleted.
    assert_eq!(visitor.cookies.keys().collect::<Vec<_>>(), ["fieldbook_session"]);
    let me = school.me(&mut visitor).await;
    let id = derived_id(&school.provider.issuer(), ADA).to_string();
    assert_snapshot!(me.to_string().replace(&id, "ID"), @r#"{"id":"ID","name":"Ada Lovelace","email":null,"role":"reader","signedInBy":"provider","may":{"read":true,"create":false,"administer":false},"signIn":{"provider":"your school account","password":false}}"#);
    let token = school.key.token("k", &school.provider.claims(ADA, IN_AN_HOUR));
    assert_eq!(school.app.anon().bearing(&token).get("/api/me").await.data()["id"], me["id"]);
}

/// Returns the header and the form that were sent with a code, without the verifier.
async fn sent(school: School) -> String {
    school.sign_in(&mut Visitor::new(), &school.claims()).await;
    let sent = school.provider.codes().concat();
    let verifier = sent.split_once("code_verifier=").expect("a verifier").1.split('&').next().unwrap_or_default();
    assert_eq!(verifier.len(), 43);
    let here = school.app.address.to_string().replace(':', "%3A");
    sent.replace(verifier, "VERIFIER").replace(&here, "HERE")
}

#[tokio::test]
async fn authorization_code_is_sent_to_the_provider_with_the_verifier_and_the_secret() {
    assert_snapshot!(sent(School::start().await).await, @"
    Basic ZmllbGRib29rOmh1c2glM0ErYStzZWNyZXQlMkYlQzMlQkM=
    grant_type=authorization_code&code=c0de&redirect_uri=http%3A%2F%2FHERE%2Fsign-in%2Fcallback&code_verifier=VERIFIER
    ");
    let school = School::start().await;
    school.provider.set_mode(Mode::TakesForms);
    assert_snapshot!(sent(school).await, @"grant_type=authorization_code&code=c0de&redirect_uri=http%3A%2F%2FHERE%2Fsign-in%2Fcallback&code_verifier=VERIFIER&client_id=fieldbook&client_secret=hush%3A+a+secret%2F%C3%BC");
    let without = |settings: ProviderSettings| {
        let sign_in = settings.sign_in.map(|sign_in| SignInSettings { client_secret: None, ..sign_in });
        ProviderSettings { sign_in, ..settings }
    };
    let school = School::start_with(HttpSettings::default(), without).await;
    assert_snapshot!(sent(school).await, @"grant_type=authorization_code&code=c0de&redirect_uri=http%3A%2F%2FHERE%2Fsign-in%2Fcallback&code_verifier=VERIFIER&client_id=fieldbook");
}

#[tokio::test]
async fn sign_in_attempt_of_another_browser_is_refused() {
    let school = School::start().await;
    let (mut attacker, mut victim) = (Visitor::new(), Visitor::new());
    let of_attacker = school.begun(&mut attacker).await;
    // The victim opens the address at which the attacker would have come back, with and without an attempt of their
    // own.
    let visited = school.come_back(&mut victim, &of_attacker, &school.claims()).await;
    assert_eq!((visited.location.as_str(), visited.set.len()), (UNKNOWN, 0));
    school.begun(&mut victim).await;
    let visited = school.come_back(&mut victim, &of_attacker, &school.claims()).await;
    assert_eq!((visited.location.as_str(), visited.set.len()), (UNKNOWN, 0));
    // One cookie has another name, and one was tampered with.
    let (name, value) = attacker.cookies.pop_first().expect("an attempt");
    let (own, _) = victim.cookies.pop_first().expect("an attempt");
    for (name, value) in [(own, value.clone()), (name.clone(), changed(&value)), (name, "A".repeat(9))] {
        victim.cookies = [(name, value)].into();
        let visited = school.come_back(&mut victim, &of_attacker, &school.claims()).await;
        assert_eq!((visited.location.as_str(), visited.set.len()), (UNKNOWN, 0));
    }
    assert_eq!((school.app.rows("session"), school.app.rows("person")), (0, 0));
    assert_eq!(school.provider.codes(), [""; 0]);
}

/// Returns a text with another first letter.
fn changed(text: &str) -> String {
    let first = if text.starts_with('A') { "B" } else { "A" };
    format!("{first}{}", &text[1..])
}

#[tokio::test]
async fn sign_in_attempt_ends_after_ten_minutes() {
    let school = School::start().await;
    for (seconds, location) in [(599, "/#/trash"), (600, UNKNOWN)] {
        let mut visitor = Visitor::new();
        let begun = school.begun(&mut visitor).await;
        school.app.clock.advance(Duration::from_secs(seconds));
        assert_eq!(school.come_back(&mut visitor, &begun, &school.claims()).await.location, location);
    }
}

#[tokio::test]
async fn sign_in_attempt_that_failed_cannot_be_continued() {
    let school = School::start().await;
    let mut visitor = Visitor::new();
    let begun = school.begun(&mut visitor).await;
    let refused =
        visitor.get(&school.at(&format!("/sign-in/callback?state={}&error=access_denied", begun.state))).await;
    assert_eq!(refused.location, "/sign-in?failed=refused&to=%2F%23%2Ftrash");
    assert_eq!(school.come_back(&mut visitor, &begun, &school.claims()).await.location, UNKNOWN);
}

#[tokio::test]
async fn used_sign_in_attempt_cannot_be_used_again_on_any_copy() {
    let school = School::start().await;
    let copy = school.app.copy().await;
    let mut visitor = Visitor::new();
    let begun = school.begun(&mut visitor).await;
    let kept = visitor.cookies.clone();
    assert_eq!(school.come_back(&mut visitor, &begun, &school.claims()).await.location, "/#/trash");
    for address in [school.app.address, copy.address, school.app.address] {
        visitor.cookies = kept.clone();
        let callback = format!("http://{address}/sign-in/callback?state={}&code=c0de", begun.state);
        assert_eq!(visitor.get(&callback).await.location, UNKNOWN);
    }
    assert_eq!(school.provider.codes().len(), 1);
    // The store deletes used attempts once they would have expired.
    school.app.clock.advance(Duration::from_secs(600));
    assert_eq!(school.sign_in(&mut Visitor::new(), &school.claims()).await.location, "/#/trash");
    assert_eq!(school.app.rows("used_attempt"), 1);
}

#[tokio::test]
async fn concurrent_callbacks_of_one_sign_in_attempt_create_one_session() {
    let school = School::start().await;
    let mut visitor = Visitor::new();
    let begun = school.begun(&mut visitor).await;
    school.answer_code(&school.key.token("k", &with(&school.claims(), "nonce", json!(begun.nonce))));
    let callback = school.at(&format!("/sign-in/callback?state={}&code=c0de", begun.state));
    let tries = (0..20).map(|_| {
        let (cookies, callback) = (visitor.cookies.clone(), callback.clone());
        tokio::spawn(async move {
            let mut visitor = Visitor::new();
            visitor.cookies = cookies;
            visitor.get(&callback).await.location
        })
    });
    let tries: Vec<_> = tries.collect();
    let mut signed_in = 0;
    for tried in tries {
        match tried.await.expect("an answer").as_str() {
            "/#/trash" => signed_in += 1,
            other => assert_eq!(other, UNKNOWN),
        }
    }
    assert_eq!((signed_in, school.provider.codes().len(), school.app.rows("session")), (1, 1, 1));
}

#[tokio::test]
async fn head_request_to_the_callback_does_not_use_up_the_sign_in_attempt() {
    let school = School::start().await;
    let mut visitor = Visitor::new();
    let begun = school.begun(&mut visitor).await;
    let looked = visitor.head(&school.at(&format!("/sign-in/callback?state={}&code=c0de", begun.state))).await;
    assert_eq!((looked.status, looked.location.as_str(), looked.set.len()), (StatusCode::OK, "", 0));
    assert_eq!(school.come_back(&mut visitor, &begun, &school.claims()).await.location, "/#/trash");
}

#[tokio::test]
async fn sign_in_is_not_blocked_by_many_visits_and_the_sign_in_page_says_if_too_many_people_sign_in() {
    let school = School::start().await;
    let admission = &school.app.app.admission;
    let here = Actor::at([127, 0, 0, 1].into());
    let visits = admission.visits.try_take(here, share_of(VISITS)).expect("permits");
    let mut visitor = Visitor::new();
    let begun = school.begun(&mut visitor).await;
    drop(visits);
    let sign_ins = admission.sign_ins.try_take(here, share_of(SIGN_INS)).expect("permits");
    let busy = school.come_back(&mut visitor, &begun, &school.claims()).await;
    assert_eq!((busy.status, busy.location.as_str()), (StatusCode::SEE_OTHER, "/sign-in?failed=busy&to=%2F"));
    assert_eq!(school.app.anon().get("/api/link/a/b").await.status, StatusCode::NOT_FOUND);
    drop(sign_ins);
    // The attempt was not used up.
    assert_eq!(school.come_back(&mut visitor, &begun, &school.claims()).await.location, "/#/trash");
}

#[tokio::test]
async fn callback_with_a_missing_or_repeated_state_is_refused() {
    let school = School::start().await;
    let mut visitor = Visitor::new();
    let begun = school.begun(&mut visitor).await;
    for query in [
        "",
        "?code=c0de",
        "?state=&code=c0de",
        "?state=ä&code=c0de",
        &format!("?state={0}&state={0}&code=c0de", begun.state),
    ] {
        assert_eq!(visitor.get(&school.at(&format!("/sign-in/callback{query}"))).await.location, UNKNOWN, "{query}");
    }
}

#[tokio::test]
async fn errors_from_the_provider_are_shown_as_messages_of_the_service() {
    let school = School::start().await;
    let (log, _guard) = log::captured();
    for (error, failed) in [
        ("access_denied", "refused"),
        ("login_required", "refused"),
        ("temporarily_unavailable", "unavailable"),
        ("invalid_scope", "untrusted"),
    ] {
        let mut visitor = Visitor::new();
        let begun = school.begun(&mut visitor).await;
        let query = format!("state={}&error={error}&error_description=Call%0A555-1234+", begun.state);
        let query = format!("{query}{}", "x".repeat(400));
        let visited = visitor.get(&school.at(&format!("/sign-in/callback?{query}"))).await;
        assert_eq!(visited.location, format!("/sign-in?failed={failed}&to=%2F%23%2Ftrash"));
    }
    let mut visitor = Visitor::new();
    let begun = school.begun(&mut visitor).await;
    let visited = visitor.get(&school.at(&format!("/sign-in/callback?state={}", begun.state))).await;
    assert_eq!(visited.location, "/sign-in?failed=untrusted&to=%2F%23%2Ftrash");
    let words = format!("Call555-1234 {}", "x".repeat(200 - 13));
    assert!(log.text().contains("access_denied") && log.text().contains(&words), "{}", log.text());
    assert!(!log.text().contains(&"x".repeat(201 - 13)), "{}", log.text());
}

#[tokio::test]
async fn second_sign_in_ends_the_first_session_of_the_browser() {
    let school = School::start().await;
    let mut visitor = Visitor::new();
    school.sign_in(&mut visitor, &school.claims()).await;
    let first = visitor.cookies["fieldbook_session"].clone();
    school.sign_in(&mut visitor, &school.claims()).await;
    assert_ne!(visitor.cookies["fieldbook_session"], first);
    assert_eq!(school.app.rows("session"), 1);
    visitor.cookies.insert("fieldbook_session".to_owned(), first);
    assert_eq!(school.me(&mut visitor).await, Value::Null);
}

#[tokio::test]
async fn session_of_a_provider_sign_in_lasts_twelve_hours_regardless_of_use() {
    let school = School::start().await;
    let mut visitor = Visitor::new();
    school.sign_in(&mut visitor, &school.claims()).await;
    for hours in 1..=12 {
        assert_ne!(school.me(&mut visitor).await, Value::Null, "after {hours} hours");
        school.app.clock.advance(Duration::from_secs(3600));
    }
    assert_eq!(school.me(&mut visitor).await, Value::Null);
}

#[tokio::test]
async fn secrets_of_a_provider_sign_in_are_never_logged() {
    let (log, _guard) = log::captured();
    let school = School::start().await;
    let mut visitor = Visitor::new();
    let begun = school.begun(&mut visitor).await;
    let sealed = visitor.cookies.values().next().expect("an attempt").clone();
    school.come_back(&mut visitor, &begun, &with_wrong_issuer(&school)).await;
    let begun_again = school.begun(&mut visitor).await;
    school.come_back(&mut visitor, &begun_again, &school.claims()).await;
    let session = visitor.cookies["fieldbook_session"].clone();
    let form = school.provider.codes().concat();
    let verifier = form.rsplit_once("code_verifier=").expect("a verifier").1.to_owned();
    assert!(log.text().contains("a sign-in with the provider failed"), "{}", log.text());
    for secret in [&begun.state, &begun.nonce, &begun_again.nonce, &sealed, &session, &verifier, "c0de", "hush", "eyJ"]
    {
        assert!(!log.text().contains(secret), "{secret} is in {}", log.text());
    }
}

fn with_wrong_issuer(school: &School) -> Value {
    let mut claims = school.claims();
    claims["iss"] = json!("https://id.example.org");
    claims
}
