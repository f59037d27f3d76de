//! Two copies of the service on one store. Nothing is lost, and nothing is counted twice.

use std::net::SocketAddr;

use fieldbook::admission::{LIGHT, share_of};
use fieldbook::app::PEOPLE_MAX_AGE;
use fieldbook::domain::audit::AuditActor;
use fieldbook::domain::id::ObjectId;
use fieldbook::domain::permission::Role;
use fieldbook::domain::person::{Person, PersonChange, PersonStatus};
use fieldbook::store::{NewPassword, PersonAdded, PersonStored, SignIn, Stamp};
use serde_json::{Value, json};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinSet;

use crate::http::people::{add, person};
use crate::http::permissions::{ADMIN, with_role};
use crate::store::histories::are_linearizable;
use crate::support::assistant::Assistant;
use crate::support::{COLLEAGUE, Caller, START, TEACHER, TestApp, postgres};

async fn two_copies() -> (TestApp, TestApp, [Caller; 2]) {
    let folder = tempfile::tempdir().expect("a folder");
    let place = || postgres::place_through(folder.path(), &postgres::host_and_port(), 8);
    let ((one, first), (other, second)) = (TestApp::start_at(place()).await, TestApp::start_at(place()).await);
    (one, other, [first, second])
}

/// Number of requests that one user sends through both copies at the same time. None of them waits for a permit,
/// however slow the machine is.
const AT_ONCE: usize = 2 * share_of(LIGHT) as usize;

#[tokio::test(flavor = "multi_thread")]
async fn all_64_edits_through_both_copies_are_kept_without_version_gaps() {
    let (_one, _other, teachers) = two_copies().await;
    let id = teachers[0].create(json!({"title": "Cress"})).await;
    let path = format!("/api/investigation/{id}");
    let mut edits = JoinSet::new();
    for n in 0..AT_ONCE {
        let (teacher, path) = (teachers[n % 2].clone(), path.clone());
        edits.spawn(async move {
            let mut versions = Vec::new();
            for field in (n..64).step_by(AT_ONCE) {
                // A copy that loses too many races refuses the edit. The test then sends the edit again, as a caller
                // would.
                versions.push(loop {
                    let answer = teacher.patch(&path, json!({ format!("field{field}"): field })).await;
                    if answer.status == 200 {
                        break answer.json()["updatedInvestigation"]["version"].as_u64().expect("a version");
                    }
                    assert_eq!(answer.json()["code"], "too_many_changes", "{answer}");
                });
            }
            versions
        });
    }
    let mut versions = edits.join_all().await.concat();
    versions.sort_unstable();
    assert_eq!(versions, (1..=64).collect::<Vec<_>>());
    let seen: Vec<Value> = vec![teachers[0].get(&path).await.data(), teachers[1].get(&path).await.data()];
    assert_eq!(seen[0], seen[1]);
    assert_eq!(seen[0]["version"], 64);
    for n in 0..64 {
        assert_eq!(seen[0][format!("field{n}")], n);
    }
    let records = teachers[1].get(&format!("{path}/versions?limit=100")).await.data();
    assert_eq!(records.as_array().expect("records").len(), 64);
}

#[tokio::test(flavor = "multi_thread")]
async fn copy_of_the_service_shows_changes_made_on_another_copy() {
    let (_one, _other, [reader, writer]) = two_copies().await;
    let (first, second) =
        (reader.create(json!({"title": "Cress"})).await, reader.create(json!({"title": "Moss"})).await);
    let (path, gone) = (format!("/api/investigation/{first}"), format!("/api/investigation/{second}"));
    let listed = async || {
        let page = reader.get("/api/investigation?sortBy=title&sortOrder=asc&groupBy=none").await.json();
        let items = page["data"]["items"].as_array().expect("items").clone();
        items.iter().map(|item| item["title"].as_str().expect("a title").to_owned()).collect::<Vec<_>>()
    };
    for title in ["Ash", "Elm", "Oak"] {
        writer.patch(&path, json!({ "title": title })).await;
        for _ in 0..2 {
            assert_eq!(reader.get(&path).await.data()["title"], title);
            let mut titles = [title, "Moss"];
            titles.sort_unstable();
            assert_eq!(listed().await, titles);
        }
    }
    writer.delete(&gone).await;
    assert_eq!(reader.get(&gone).await.status, 500);
    assert_eq!(listed().await, ["Oak"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_thousand_visits_through_both_copies_get_the_numbers_from_1_to_1000() {
    let (_one, _other, teachers) = two_copies().await;
    let id = teachers[0].create(json!({"title": "Cress"})).await;
    let link = teachers[0].create_link(&id, "class", "cress").await;
    let mut counts = Vec::new();
    // Each copy allows one address 256 waiting visits, so the test sends the visits in two rounds.
    for _ in 0..2 {
        let mut visits = JoinSet::new();
        for n in 0..500 {
            let (caller, link) = (teachers[n % 2].clone(), link.clone());
            visits.spawn(async move { caller.get(&link).await.data()["visitCount"].as_u64().expect("a count") });
        }
        counts.extend(visits.join_all().await);
    }
    counts.sort_unstable();
    assert_eq!(counts, (1..=1000).collect::<Vec<_>>());
    let days = teachers[1].get(&format!("{link}/visits")).await.data();
    assert_eq!(days["visitCount"], 1000, "{days}");
}

#[tokio::test(flavor = "multi_thread")]
async fn concurrent_operations_through_both_copies_are_linearizable() {
    let (one, other, _) = two_copies().await;
    are_linearizable(&[&one, &other], 100..106).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn copies_of_the_service_started_together_migrate_an_empty_database_once() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut copies = JoinSet::new();
    for _ in 0..4 {
        let place = postgres::place_through(folder.path(), &postgres::host_and_port(), 2);
        copies.spawn(TestApp::start_at(place));
    }
    for (copy, _) in copies.join_all().await {
        copy.app.store.ready().await.expect("ready");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn link_for_50_visits_admits_50_of_120_visits_through_both_copies() {
    let (_one, _other, teachers) = two_copies().await;
    let id = teachers[0].create(json!({"title": "Cress"})).await;
    let link = teachers[0].create_link(&id, "k", "s").await;
    teachers[1].patch(&link, json!({"maxVisits": 50})).await;
    let mut visits = JoinSet::new();
    for n in 0..120 {
        let (teacher, link) = (teachers[n % 2].clone(), link.clone());
        visits.spawn(async move { teacher.get(&link).await });
    }
    let answers = visits.join_all().await;
    let mut counts: Vec<u64> =
        answers.iter().filter_map(|answer| answer.json()["data"]["visitCount"].as_u64()).collect();
    counts.sort_unstable();
    assert_eq!(counts, (1..=50).collect::<Vec<_>>());
    let refused = answers.iter().filter(|answer| answer.status != 200);
    assert!(refused.clone().count() == 70 && refused.clone().all(|answer| answer.json()["code"] == "link_closed"));
    let visits = teachers[0].get(&format!("{link}/visits")).await.data();
    assert_eq!((&visits["visitCount"], &visits["days"][0]["count"]), (&json!(50), &json!(50)));
}

#[tokio::test(flavor = "multi_thread")]
async fn users_present_on_different_copies_see_each_other() {
    let (_one, other, [teacher, _]) = two_copies().await;
    let path = format!("/api/investigation/{}/presence", teacher.create(json!({"title": "Cress"})).await);
    let colleague = other.signed_in(COLLEAGUE);
    let others = async |caller: &Caller, open: bool| {
        caller.post(&path, json!({ "open": open })).await.data()["others"][0]["id"].clone()
    };
    assert_eq!(others(&teacher, true).await, Value::Null);
    assert_eq!(others(&colleague, true).await, TEACHER);
    assert_eq!(others(&teacher, true).await, COLLEAGUE);
    // Concurrent heartbeats of many users neither fail nor wait for each other.
    let mut beats = JoinSet::new();
    for n in 0..AT_ONCE {
        let (caller, path) = (if n % 2 == 0 { teacher.clone() } else { colleague.clone() }, path.clone());
        beats.spawn(async move { caller.post(&path, json!({"open": true})).await.status.as_u16() });
    }
    assert!(beats.join_all().await.into_iter().all(|status| status == 200));
    others(&colleague, false).await;
    assert_eq!(others(&teacher, true).await, Value::Null);
}

/// A balancer that sends each connection to the next of these services.
async fn balancer(services: [SocketAddr; 2]) -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let address = listener.local_addr().expect("an address");
    tokio::spawn(async move {
        for service in services.into_iter().cycle() {
            let (mut near, _) = listener.accept().await.expect("a connection");
            tokio::spawn(async move {
                let mut far = TcpStream::connect(service).await.expect("a service");
                let _ = tokio::io::copy_bidirectional(&mut near, &mut far).await;
            });
        }
    });
    address
}

#[tokio::test(flavor = "multi_thread")]
async fn mcp_client_works_if_its_requests_alternate_between_two_copies() {
    let (one, other, [teacher, _]) = two_copies().await;
    let id = teacher.create(json!({"title": "Cress"})).await;
    let assistant = Assistant::of(&teacher.clone().at(balancer([one.address, other.address]).await)).await;
    for n in 1..=6 {
        let change = json!({"id": id, "changes": {"title": format!("Cress {n}")}});
        let shown = assistant.call("updateInvestigation", change.clone()).await;
        let mut apply = change;
        (apply["apply"], apply["ifMatch"]) = (json!(true), shown["ifMatch"].clone());
        let applied = assistant.call("updateInvestigation", apply).await;
        assert_eq!(applied["updatedInvestigation"]["version"], n);
        let read = assistant.call("getInvestigation", json!({"id": id})).await;
        assert_eq!(read["data"], applied["updatedInvestigation"]);
    }
}

/// Returns a person who is an admin.
fn admin(id: &str, name: &str) -> Person {
    person(id, name, Some(Role::Admin))
}

fn stamp() -> Stamp {
    Stamp { actor: AuditActor::default(), at: START }
}

#[tokio::test(flavor = "multi_thread")]
async fn two_admins_who_concurrently_demote_each_other_on_two_copies_leave_one_admin() {
    for round in 0..3 {
        let (one, other, _) = two_copies().await;
        let ids = ["a", "b"].map(|digit| digit.repeat(24));
        for id in &ids {
            add(&one, admin(id, id)).await;
        }
        let [ada, bob] = ids.each_ref().map(|id| id.parse::<ObjectId>().expect("an id"));
        let demote = PersonChange { role: Some(Some(Role::Author)), ..PersonChange::default() };
        let (here, there) = tokio::join!(
            one.app.store.change_person(ada, demote.clone(), stamp()),
            other.app.store.change_person(bob, demote.clone(), stamp())
        );
        let outcomes = [here.expect("answered"), there.expect("answered")];
        let refused = outcomes.iter().filter(|outcome| **outcome == PersonStored::LastAdmin).count();
        let admins = one.app.store.people(&[ada, bob]).await.expect("read");
        let admins = admins.into_iter().filter(Person::is_active_admin).collect::<Vec<_>>();
        assert_eq!((refused, admins.len()), (1, 1), "{round}: {outcomes:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn sign_in_code_used_concurrently_on_two_copies_signs_in_once() {
    let (one, other, _) = two_copies().await;
    add(&one, person(TEACHER, "Ada", None)).await;
    let id = TEACHER.parse().expect("an id");
    for round in 0..10 {
        let link = format!("{round:064}");
        one.app.store.make_sign_in_link(id, link.clone(), stamp()).await.expect("made");
        let sign_in = async |app: &TestApp, copy: char| {
            let session = format!("{copy}{round:063}");
            app.app.store.sign_in_by_link(link.clone(), session, None, START).await.expect("answered")
        };
        let outcomes: [SignIn; 2] = tokio::join!(sign_in(&one, 'a'), sign_in(&other, 'b')).into();
        let done = outcomes.iter().filter(|outcome| matches!(outcome, SignIn::Done(_))).count();
        assert_eq!((done, outcomes.contains(&SignIn::NotValid)), (1, true), "{outcomes:?}");
        let mut sessions = 0;
        for copy in ['a', 'b'] {
            let session = one.app.store.session(format!("{copy}{round:063}")).await.expect("read");
            sessions += usize::from(session.is_some());
        }
        assert_eq!(sessions, 1, "{round}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn second_person_added_with_the_same_email_address_on_another_copy_is_refused() {
    let (one, other, _) = two_copies().await;
    for round in 0..10 {
        let named = |digit: u8| {
            let email = Some(format!("ada{round}@school.example"));
            Person { email, ..person(&format!("{digit}{round:023}"), "Ada", None) }
        };
        let (here, there) = tokio::join!(one.app.store.add_person(named(1)), other.app.store.add_person(named(2)));
        let mut outcomes = [here.expect("answered"), there.expect("answered")];
        outcomes.sort_by_key(|outcome| *outcome != PersonAdded::Added);
        assert_eq!(outcomes, [PersonAdded::Added, PersonAdded::EmailTaken]);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn change_of_a_person_takes_effect_on_another_copy_within_five_seconds() {
    let (one, other, [_, teacher]) = two_copies().await;
    add(&one, person(TEACHER, "Ada", None)).await;
    let role = async || teacher.get("/api/me").await.data()["role"].clone();
    assert_eq!(role().await, "author");
    let admin = with_role(&one, ADMIN, "admin");
    let path = format!("/api/people/{TEACHER}");
    assert_eq!(admin.patch(&path, json!({"role": "reader"})).await.status, 200);
    other.clock.advance(PEOPLE_MAX_AGE);
    assert_eq!(role().await, "reader");
    assert_eq!(admin.patch(&path, json!({"status": "disabled"})).await.status, 200);
    other.clock.advance(PEOPLE_MAX_AGE);
    assert_eq!(teacher.get("/api/me").await.refusal(), r#"403 "disabled" "Not allowed""#);
}

#[tokio::test(flavor = "multi_thread")]
async fn two_copies_started_with_an_empty_directory_create_one_admin() {
    let (one, other, _) = two_copies().await;
    let invite = async |app: &TestApp, digit: &str| {
        let status = PersonStatus::Invited;
        let admin = Person { status, last_sign_in_at: None, ..admin(&digit.repeat(24), "Admin") };
        app.app.store.invite_first_admin(admin, Some(digit.repeat(64)), START).await.expect("answered")
    };
    let (first, second) = tokio::join!(invite(&one, "1"), invite(&other, "2"));
    assert!(first.is_some() && first == second, "{first:?} {second:?}");
    let ids = ["1", "2"].map(|digit| digit.repeat(24).parse::<ObjectId>().expect("an id"));
    let made = one.app.store.people(&ids).await.expect("read");
    assert_eq!(made.len(), 1, "{made:?}");
    let mut links = Vec::new();
    for digit in ["1", "2"] {
        links.extend(one.app.store.person_of_link(digit.repeat(64), START).await.expect("read"));
    }
    assert_eq!(links, made);
}

#[tokio::test(flavor = "multi_thread")]
async fn sign_in_with_a_password_just_replaced_on_another_copy_creates_no_session() {
    let (one, other, _) = two_copies().await;
    add(&one, person(TEACHER, "Ada", None)).await;
    let id: ObjectId = TEACHER.parse().expect("an id");
    for round in 0..20 {
        let (link, kept) = (format!("{round:064}"), format!("a{round:063}"));
        one.app.store.make_sign_in_link(id, link.clone(), stamp()).await.expect("made");
        one.app.store.sign_in_by_link(link, kept.clone(), None, START).await.expect("signed in");
        let set = async |hash: String| {
            let new = NewPassword { hash, checked: None, session: kept.clone() };
            one.app.store.set_password(id, new, stamp()).await.expect("answered")
        };
        assert!(set(format!("old {round}")).await);
        let known = other.app.store.person_with_email("ada@school.example").await.expect("read").expect("a person");
        let begun = format!("b{round:063}");
        let sign_in = other.app.store.sign_in_by_password(known, begun.clone(), None, START);
        let (changed, signed_in) = tokio::join!(set(format!("new {round}")), sign_in);
        assert!(changed);
        // The sign-in either came first, and its session was ended, or it was refused.
        let signed_in = signed_in.expect("answered");
        assert!(matches!(signed_in, SignIn::Done(_) | SignIn::NotValid), "{signed_in:?}");
        assert_eq!(one.app.store.session(begun).await.expect("read"), None, "{round}");
        assert!(one.app.store.session(kept).await.expect("read").is_some(), "{round}");
    }
}
