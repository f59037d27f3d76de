//! Stored answers to requests with an `Idempotency-Key`: compared with a simple model, and after a crash.

use std::collections::HashMap;
use std::net::TcpListener;
use std::time::Duration;

use fieldbook::domain::audit::AuditActor;
use fieldbook::domain::content::Content;
use fieldbook::domain::id::ObjectId;
use fieldbook::domain::investigation::{Investigation, NewInvestigation};
use fieldbook::domain::link::{Link, LinkOptions};
use fieldbook::domain::list::ListQuery;
use fieldbook::domain::page::PageRequest;
use fieldbook::domain::time::Timestamp;
use fieldbook::store::{ANSWER_TTL, IdempotentAnswer, InvestigationRow, LinkCreated, Reports};
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::authoring::at_odds;
use crate::support::TestApp;
use crate::support::process::{Service, token};

#[derive(Debug, Clone)]
enum Move {
    /// Creates an investigation, or a link with a new sub-link, for this caller with this key and this body.
    Create {
        caller: u8,
        key: u8,
        request: u8,
        link: bool,
    },
    Wait(i64),
    Settle {
        caller: u8,
        key: u8,
    },
    Reopen,
}

fn moves() -> impl Strategy<Value = Vec<Move>> {
    let one = prop_oneof![
        8 => (0..2u8, 0..3u8, 0..2u8, any::<bool>())
            .prop_map(|(caller, key, request, link)| Move::Create { caller, key, request, link }),
        2 => (0..ANSWER_TTL).prop_map(Move::Wait),
        1 => (0..2u8, 0..3u8).prop_map(|(caller, key)| Move::Settle { caller, key }),
        1 => Just(Move::Reopen),
    ];
    prop::collection::vec(one, 1..40)
}

fn investigation(app: &TestApp, n: u32) -> Investigation {
    let mut bytes = [0xdd; 12];
    bytes[..4].copy_from_slice(&n.to_be_bytes());
    let id = ObjectId::from_bytes(bytes);
    let at = app.clock.now();
    let birth = NewInvestigation { id, author: None, metadata_author: None, status: None, cloned_from: None, at };
    Investigation::new(birth, Content::new(), Default::default(), &app.app.schema)
}

/// For each caller and key: the request, the answer, whether the answer is final, and its time.
type Model = HashMap<(u8, u8), (String, String, bool, i64)>;

async fn walk(moves: Vec<Move>) {
    let (mut app, _, _) = TestApp::start().await;
    let home = investigation(&app, 0);
    let row = InvestigationRow::of(home.clone()).expect("a row");
    app.app.store.create(row, home.id, None, AuditActor::default()).await.expect("created");
    let (mut model, mut now, mut count, mut links) = (Model::new(), app.clock.now().0, 0, 0);
    for (n, step) in (1..).zip(moves) {
        match step {
            Move::Create { caller, key, request, link } => {
                let (store, made) = (&app.app.store, investigation(&app, n));
                let first = IdempotentAnswer {
                    caller: caller.to_string(),
                    key: key.to_string(),
                    request: request.to_string(),
                    answer: json!({"_id": made.id}).to_string(),
                    is_final: request == 0,
                    at: Timestamp(now),
                };
                let known = model.get(&(caller, key)).filter(|kept| kept.3 + ANSWER_TTL > now).cloned();
                let kept = if link {
                    let link = Link {
                        id: made.id,
                        key: "k".into(),
                        sub_link: n.to_string(),
                        description: String::new(),
                        investigation_id: home.id,
                        creator: None,
                        visit_count: 0,
                        created_at: Timestamp(now),
                        options: LinkOptions::default(),
                    };
                    match store.create_link(link, Some(first.clone()), Reports::default()).await.expect("an answer") {
                        LinkCreated::Done => None,
                        LinkCreated::KeyUsed(kept) => Some(kept),
                        other => panic!("{other:?}"),
                    }
                } else {
                    let (id, row) = (made.id, InvestigationRow::of(made).expect("a row"));
                    let created = store.create(row, id, Some(first.clone()), AuditActor::default()).await;
                    created.expect("an answer")
                };
                match known {
                    None => {
                        assert_eq!(kept, None);
                        (count, links) = (count + u64::from(!link), links + usize::from(link));
                        model.insert((caller, key), (first.request, first.answer, first.is_final, now));
                    }
                    Some((request, answer, settled, _)) => {
                        let kept = kept.expect("the first answer");
                        assert_eq!((kept.request, kept.answer, kept.is_final), (request, answer, settled));
                    }
                }
            }
            Move::Wait(time) => now += time,
            Move::Settle { caller, key } => {
                let answer = json!({"settled": n}).to_string();
                app.app.store.finalize_answer(caller.to_string(), key.to_string(), answer.clone()).await.expect("done");
                if let Some(kept) = model.get_mut(&(caller, key)).filter(|kept| !kept.2) {
                    (kept.1, kept.2) = (answer, true);
                }
            }
            Move::Reopen => app = app.restart().await,
        }
        for ((caller, key), (request, answer, settled, at)) in &model {
            let found = app.app.store.stored_answer(caller.to_string(), key.to_string(), Timestamp(now)).await;
            let found = found.expect("read").map(|kept| (kept.request, kept.answer, kept.is_final));
            let expected = (request.clone(), answer.clone(), *settled);
            assert_eq!(found, (at + ANSWER_TTL > now).then_some(expected));
        }
    }
    let list = app.app.store.list(ListQuery::read(&[]).expect("a query")).await.expect("a page");
    assert_eq!(list.total, count + 1);
    let stored = app.app.store.links(home.id, PageRequest::first(1000)).await.expect("read").expect("links");
    assert_eq!(stored.entries.len(), links);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]

    #[test]
    fn stored_answers_for_idempotency_keys_agree_with_a_simple_model(moves in moves()) {
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().expect("a runtime");
        runtime.block_on(walk(moves));
    }
}

#[tokio::test]
async fn refused_creation_of_an_existing_link_stores_no_answer_for_its_idempotency_key() {
    let (app, teacher, id) = TestApp::with_id(json!({})).await;
    teacher.create_link(&id, "class", "a").await;
    let mut link = app.app.store.link("class".into(), "a".into()).await.expect("read").expect("a link");
    link.id = ObjectId::from_bytes([9; 12]);
    let first = |answer: &str| IdempotentAnswer {
        caller: "c".into(),
        key: "k".into(),
        request: "r".into(),
        answer: answer.into(),
        is_final: true,
        at: app.clock.now(),
    };
    let taken = app.app.store.create_link(link.clone(), Some(first("1")), Reports::default()).await.expect("an answer");
    assert_eq!(taken, LinkCreated::Taken);
    assert_eq!(app.app.store.stored_answer("c".into(), "k".into(), app.clock.now()).await.expect("read"), None);
    link.sub_link = "b".into();
    let created = app.app.store.create_link(link, Some(first("2")), Reports::default()).await.expect("an answer");
    assert_eq!(created, LinkCreated::Done);
}

async fn create(base: &str, token: &str, key: &str) -> reqwest::Result<(Option<String>, Value)> {
    let client = reqwest::Client::builder().no_proxy().timeout(Duration::from_secs(60)).build()?;
    let request = client.post(format!("{base}/api/investigation")).bearer_auth(token).header("idempotency-key", key);
    let response = request.header("content-type", "application/json").body(at_odds().to_string()).send().await?;
    let again = response.headers().get("idempotent-replayed").map(|again| again.to_str().expect("text").to_owned());
    Ok((again, serde_json::from_str(&response.text().await?).expect("JSON")))
}

#[tokio::test(flavor = "multi_thread")]
async fn request_repeated_with_its_key_after_a_kill_gets_the_stored_answer() {
    let folder = tempfile::tempdir().expect("a folder");
    let token = token(folder.path());
    // The language model never answers. The service stores the investigation before the call of the model, and would
    // answer the client only after that call.
    let silent = TcpListener::bind("127.0.0.1:0").expect("a port");
    let model = format!("http://{}/v1", silent.local_addr().expect("an address"));
    let arguments = ["--assistant", "openai", "--assistant-model", "m", "--assistant-base-url", &model];
    let mut service = Service::start_with(folder.path(), &arguments);
    let asking = tokio::spawn({
        let (base, token) = (service.base.clone(), token.clone());
        async move { create(&base, &token, "mine").await }
    });
    let asked = tokio::task::spawn_blocking(move || silent.accept()).await.expect("a thread").expect("a call");
    service.kill();
    drop(asked);
    assert!(asking.await.expect("a task").is_err(), "nobody was answered");

    let service = Service::start(folder.path());
    let (again, first) = create(&service.base, &token, "mine").await.expect("an answer");
    assert_eq!((again.as_deref(), &first["message"]), (Some("true"), &json!("Investigation created successfully")));
    assert_eq!(create(&service.base, &token, "mine").await.expect("an answer"), (again, first));
    let (again, other) = create(&service.base, &token, "another").await.expect("an answer");
    assert_eq!((again, &other["success"]), (None, &json!(true)));
    let list = service.teacher(folder.path()).get("/api/investigation").await.data();
    assert_eq!(list["pagination"]["total"], 2);
}
