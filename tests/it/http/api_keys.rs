//! API keys: bearer tokens for programs, which can be revoked.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use fieldbook::app::KEYS_MAX_AGE;
use fieldbook::domain::permission::Editing;
use serde_json::json;

use super::permissions::{STRANGER, add_key, callers};
use crate::support::process::{Service, fieldbook, refused};
use crate::support::{Caller, START, TestApp};

#[tokio::test]
async fn api_key_acts_as_its_user_with_the_role_of_the_key() {
    let (app, _, _) = TestApp::start().await;
    let author = app.anon().bearing(add_key(&app, 1, "author").await.expose());
    let reader = app.anon().bearing(add_key(&app, 2, "reader").await.expose());
    let path = author.create_path(json!({"title": "Cress"})).await;
    let read = reader.get(&path).await;
    assert_eq!(read.data()["author"]["id"], STRANGER, "{read}");
    let refused = reader.delete(&path).await;
    assert_eq!((refused.status.as_u16(), &refused.json()["code"]), (403, &json!("read_only")));
}

#[tokio::test]
async fn unknown_and_revoked_api_keys_get_the_same_refusal() {
    let (app, anon, _) = TestApp::start().await;
    let key = add_key(&app, 1, "author").await;
    let revoked = add_key(&app, 2, "author").await;
    app.app.store.revoke_api_key(revoked.id().expect("an id"), START).await.expect("revoked");
    let text = key.expose();
    let altered = format!("{}A", &text[..text.len() - 1]);
    for wrong in [&altered, "fbk_", &text[..28], &format!("{text}A"), revoked.expose()] {
        let refused = anon.clone().bearing(wrong).get("/api/investigation").await;
        assert_eq!(refused.status, 401, "{wrong}: {refused}");
        assert_eq!(refused.header("www-authenticate"), Some("Bearer"), "{wrong}: {refused}");
        assert_eq!(refused.json()["code"], "invalid_token", "{wrong}: {refused}");
        assert_eq!(refused.json()["error"], "the API key is unknown or was revoked", "{wrong}: {refused}");
    }
    // A token has only ASCII characters, so this header is malformed.
    let refused = anon.bearing("fbk_é").get("/api/investigation").await;
    assert_eq!((refused.status.as_u16(), &refused.json()["code"]), (401, &json!("invalid_token")), "{refused}");
}

#[tokio::test]
async fn last_use_of_an_api_key_is_stored_to_the_minute() {
    let (app, _, _) = TestApp::start().await;
    let program = app.anon().bearing(add_key(&app, 1, "author").await.expose());
    let stored = async || app.app.store.api_keys().await.expect("keys")[0].last_used_at;
    for (wait, expected) in [(0, 0), (59, 0), (1, 60), (30, 60), (60, 150)] {
        app.clock.advance(Duration::from_secs(wait));
        assert_eq!(program.get("/api/investigation").await.status, 200);
        // The service stores the use of a key independently of its answer, so the test waits.
        let expected = START.later_by(Duration::from_secs(expected));
        while stored().await != Some(expected) {
            tokio::task::yield_now().await;
        }
    }
}

/// The service refuses every request that is sent after the revocation has returned. Earlier requests may be accepted
/// or refused.
#[tokio::test]
async fn api_key_revoked_under_load_is_accepted_before_and_refused_after_the_revocation() {
    let callers = callers(Editing::Author).await;
    let app = &callers.app;
    for round in 10..15 {
        let key = add_key(app, round, "admin").await;
        app.clock.advance(KEYS_MAX_AGE);
        let program = app.anon().bearing(key.expose());
        let is_revoked = AtomicBool::new(false);
        let requests = (0..4).map(async |_| {
            let mut outcomes = Vec::new();
            loop {
                let sent_after = is_revoked.load(Ordering::SeqCst);
                outcomes.push((sent_after, program.post("/api/investigation", json!({})).await.status));
                if sent_after {
                    return outcomes;
                }
            }
        });
        let revocation = async {
            while !matches!(app.app.store.api_keys().await.expect("keys").last(), Some(key) if key.last_used_at.is_some())
            {
                tokio::task::yield_now().await;
            }
            app.app.store.revoke_api_key(key.id().expect("an id"), START).await.expect("revoked");
            // `fieldbook keys revoke` also waits this long before it returns.
            app.clock.advance(KEYS_MAX_AGE);
            is_revoked.store(true, Ordering::SeqCst);
        };
        let [one, two, three, four] = <[_; 4]>::try_from(requests.collect::<Vec<_>>()).ok().expect("four");
        let (one, two, three, four, ()) = tokio::join!(one, two, three, four, revocation);
        for (sent_after, status) in [one, two, three, four].concat() {
            assert!(status == 401 || !sent_after && status == 201, "{status} {sent_after}");
        }
    }
}

#[tokio::test]
async fn api_keys_can_be_added_listed_and_revoked_while_the_service_runs() {
    let folder = tempfile::tempdir().expect("a folder");
    let service = Service::start(folder.path());
    let run = |command: &str, arguments: &[&str]| {
        let output = fieldbook(command, folder.path()).args(arguments).output().expect("run");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).expect("UTF-8")
    };
    let text = run("keys add", &["Export every night", "--user", STRANGER, "--role", "reader"]);
    let text = text.trim();
    let program = Caller::of(service.base.clone()).bearing(text);
    assert_eq!(program.get("/api/investigation").await.status, 200);
    let listed = run("keys list", &[]);
    let id = &text["fbk_".len()..][..24];
    let line = listed.lines().nth(1).expect("a key");
    assert!(line.starts_with(&format!("{id}\t{STRANGER}\treader\t")), "{line}");
    assert!(line.ends_with("\t-\tExport every night"), "{line}");
    assert!(!listed.contains(&text[28..]), "only a digest is stored");
    run("keys revoke", &[id]);
    assert_eq!(program.get("/api/investigation").await.status, 401);
    let log = run("audit", &[]);
    let actions: Vec<&str> =
        log.lines().filter_map(|line| line.split("\"action\":\"").nth(1)?.split('"').next()).collect();
    // The first start of the service added an admin.
    assert_eq!(actions, ["api_key.revoked", "api_key.added", "person.link_made", "person.invited"]);
}

#[test]
fn command_that_cannot_add_or_revoke_an_api_key_says_why() {
    let folder = tempfile::tempdir().expect("a folder");
    let _service = Service::start(folder.path());
    for (command, arguments, expected) in [
        (
            "keys add",
            &[" "][..],
            "fieldbook: the name of the key must have 1 to 100 characters and no control characters",
        ),
        ("keys add", &["A", "--user", "me"], "fieldbook: --user cannot be \"me\"; give 24 hexadecimal digits"),
        ("keys revoke", &["A"], "fieldbook: A is not the id of a key; see fieldbook keys list"),
        (
            "keys revoke",
            &[STRANGER],
            "fieldbook: ffffffffffffffffffffffff is not a key of this store; see fieldbook keys list",
        ),
    ] {
        let output = fieldbook(command, folder.path()).args(arguments).output().expect("run");
        assert_eq!(refused(output), expected);
    }
}
