//! The calls to the profile service, and the use of the answers.

use std::time::Duration;

use fieldbook::admission::{LIGHT, share_of};
use serde_json::{Value, json};
use tonic::Status;

use super::{authors, bare, known, start, start_with_authors, store, user};
use crate::support::profile_service::{Played, knows_all, profile};
use crate::support::token::{IN_AN_HOUR, signed};
use crate::support::{COLLEAGUE, TEACHER};

/// Returns the ids of twenty authors.
fn twenty() -> Vec<Option<String>> {
    (0..20).map(|number| Some(user(number))).collect()
}

#[tokio::test]
async fn profile_request_has_the_token_of_the_caller_and_a_deadline() {
    let service = Played::start(knows_all).await;
    let (app, _) = start(service.settings()).await;
    let token = signed(&json!({"userId": TEACHER, "exp": IN_AN_HOUR, "name": "Ünïcödé"}));
    app.anon().bearing(&token).create(json!({})).await;
    let [asked] = service.asked().try_into().expect("one call");
    assert_eq!((asked.authorization, asked.has_deadline), (vec![format!("Bearer {token}")], true));
}

#[tokio::test]
async fn profiles_are_cached_for_a_limited_time_and_separately_for_each_token() {
    let service = Played::start(|asked| {
        let [authorization] = &asked.authorization[..] else { return Err(Status::unauthenticated("")) };
        let mut profiles = knows_all(asked)?;
        profiles.iter_mut().for_each(|profile| profile.name = Some(format!("seen by {}", authorization.len())));
        Ok(profiles)
    })
    .await;
    let (app, teacher) = start_with_authors(service.settings(), &[Some(user(0))]).await;
    let colleague = app.anon().bearing(&signed(&json!({"userId": COLLEAGUE, "exp": IN_AN_HOUR, "x": "a longer one"})));
    let (of_teacher, of_colleague) = (authors(&teacher).await, authors(&colleague).await);
    assert_ne!(of_teacher, of_colleague);
    assert_eq!(service.count(), 2);
    assert_eq!((authors(&teacher).await, authors(&colleague).await), (of_teacher, of_colleague));
    assert_eq!(service.count(), 2);
    // The service asks only for the author whom it does not know yet.
    store(&app, Some(&user(1))).await;
    authors(&teacher).await;
    assert_eq!((service.count(), &service.asked()[2].ids), (3, &vec![user(1)]));
    app.clock.advance(Duration::from_secs(30));
    authors(&teacher).await;
    assert_eq!((service.count(), &service.asked()[3].ids), (4, &vec![user(0), user(1)]));
}

#[tokio::test]
async fn profile_service_is_asked_again_after_a_failure_but_not_for_unknown_users() {
    let service = Played::start(|asked| match asked.authorization.first() {
        Some(token) if token.len() > 300 => Err(Status::permission_denied("not you")),
        _ => Ok(Vec::new()),
    })
    .await;
    let (app, teacher) = start_with_authors(service.settings(), &[Some(user(0))]).await;
    for _ in 0..3 {
        assert_eq!(authors(&teacher).await, [bare(Some(&user(0)))]);
    }
    assert_eq!(service.count(), 1);
    let token = signed(&json!({"userId": TEACHER, "exp": IN_AN_HOUR, "x": "x".repeat(300)}));
    let refused = app.anon().bearing(&token);
    for _ in 0..9 {
        assert_eq!(authors(&refused).await, [bare(Some(&user(0)))]);
    }
    // A refused token is not a failure of the profile service, so the service asks each time.
    assert_eq!(service.count(), 10);
}

#[tokio::test]
async fn missing_profile_of_one_author_does_not_affect_the_other_authors_of_a_list() {
    let service = Played::start(|asked| {
        let mut profiles = knows_all(asked)?;
        profiles.retain(|profile| profile.user_id != user(7));
        profiles.reverse();
        Ok(profiles)
    })
    .await;
    let (_app, teacher) = start_with_authors(service.settings(), &twenty()).await;
    let expected: Vec<Value> = (0..20).map(|n| if n == 7 { bare(Some(&user(n))) } else { known(&user(n)) }).collect();
    assert_eq!(authors(&teacher).await, expected);
    assert_eq!(service.count(), 1);
}

#[tokio::test]
async fn unrequested_and_duplicate_profiles_in_an_answer_are_ignored() {
    let service = Played::start(|_| {
        let mut second = profile(&user(0));
        second.name = Some("An impostor".into());
        let strange = ["", "me", TEACHER, "not hexadecimal digits!!", "é"];
        let mut profiles: Vec<_> = strange.into_iter().map(profile).collect();
        // An id in upper case means the same user.
        profiles.extend([profile(&user(0)), second, profile(&user(1).to_uppercase())]);
        Ok(profiles)
    })
    .await;
    let (_app, teacher) = start_with_authors(service.settings(), &[Some(user(0)), Some(user(1)), Some(user(2))]).await;
    let shown = authors(&teacher).await;
    assert_eq!((&shown[0], &shown[2]), (&known(&user(0)), &bare(Some(&user(2)))));
    assert_eq!(
        (&shown[1]["id"], &shown[1]["name"]),
        (&json!(user(1)), &json!(format!("Name of {}", user(1).to_uppercase())))
    );
}

#[tokio::test]
async fn profile_texts_are_shown_unchanged_and_overlong_texts_are_dropped() {
    let service = Played::start(|asked| {
        let mut profiles = knows_all(asked)?;
        for profile in &mut profiles {
            profile.name = Some(" \u{202e}Ada \u{0}\"<b>\u{1f469}\u{200d}\u{1f52c}\n ".into());
            profile.email = Some("x".repeat(8 * 1024));
            profile.avatar = Some("x".repeat(8 * 1024 + 1));
        }
        Ok(profiles)
    })
    .await;
    let (_app, teacher) = start_with_authors(service.settings(), &[Some(user(0))]).await;
    let shown = authors(&teacher).await;
    assert_eq!(shown[0]["name"], " \u{202e}Ada \u{0}\"<b>\u{1f469}\u{200d}\u{1f52c}\n ");
    assert_eq!((shown[0]["email"].as_str().map(str::len), &shown[0]["avatar"]), (Some(8 * 1024), &Value::Null));
}

#[tokio::test]
async fn profile_service_without_batch_calls_is_asked_for_one_user_at_a_time() {
    let service = Played::start(|asked| match asked.batch {
        true => Err(Status::unimplemented("")),
        false if asked.ids == [user(3)] => Err(Status::not_found("")),
        false if asked.ids == [user(4)] => Ok(Vec::new()),
        false if asked.ids == [user(5)] => Ok(vec![profile(&user(6))]),
        false if asked.ids == [user(6)] => Err(Status::permission_denied("")),
        false => knows_all(asked),
    })
    .await;
    let (app, teacher) = start_with_authors(service.settings(), &twenty()).await;
    let expected: Vec<Value> =
        (0..20).map(|n| if (3..7).contains(&n) { bare(Some(&user(n))) } else { known(&user(n)) }).collect();
    assert_eq!(authors(&teacher).await, expected);
    let asked = service.asked();
    assert_eq!((asked.len(), asked.iter().filter(|asked| asked.batch).count()), (21, 1));
    assert!(asked.iter().all(|one| one.authorization == asked[0].authorization && one.has_deadline));
    // Two of the calls failed, so the service asks for these two authors again.
    assert_eq!(authors(&teacher).await, expected);
    assert_eq!(service.count(), 23);
    app.clock.advance(Duration::from_secs(600));
    authors(&teacher).await;
    assert!(service.asked()[23].batch, "perhaps it has one by now");
}

#[tokio::test]
async fn equal_concurrent_profile_lookups_are_sent_as_one_request() {
    let service = Played::start(knows_all).await;
    service.hold();
    let (_app, teacher) = start_with_authors(service.settings(), &[Some(user(0))]).await;
    // This request brings the caller's entry in the directory of people into memory. So the requests for lists below do
    // not wait for this entry one after the other.
    teacher.get("/api/investigation/format").await;
    let mut lists = tokio::task::JoinSet::new();
    for _ in 0..share_of(LIGHT) {
        let teacher = teacher.clone();
        lists.spawn(async move { authors(&teacher).await });
    }
    service.was_asked(1).await;
    service.let_go();
    for shown in lists.join_all().await {
        assert_eq!(shown, [known(&user(0))]);
    }
    assert_eq!(service.count(), 1);
}

#[tokio::test]
async fn profile_lookup_goes_on_for_waiting_callers_if_the_first_caller_disconnects() {
    let service = Played::start(knows_all).await;
    service.hold();
    let (_app, teacher) = start_with_authors(service.settings(), &[Some(user(0))]).await;
    let first = tokio::spawn({
        let teacher = teacher.clone();
        async move { authors(&teacher).await }
    });
    service.was_asked(1).await;
    first.abort();
    let _ = first.await;
    service.let_go();
    assert_eq!(authors(&teacher).await, [known(&user(0))]);
    assert_eq!(service.count(), 1);
}
