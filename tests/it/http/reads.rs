//! Heavy reads. The histories, versions and searches of one user do not delay other users, and a read stops when its
//! client disconnects.

use fieldbook::admission::Actor;
use insta::assert_snapshot;
use serde_json::json;

use crate::support::raw::Raw;
use crate::support::{COLLEAGUE, Caller, TEACHER, TestApp, http_statuses, postgres};

/// SQL after which the version records of the first investigation take forever to read. Others stay readable.
const ENDLESS_ON_SQLITE: &str = "
    ALTER TABLE version_record RENAME TO version_record_kept;
    CREATE VIEW version_record AS SELECT k.* FROM version_record_kept k WHERE CASE WHEN k.body = 1
        THEN (WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c) SELECT count(*) FROM c) > 0 ELSE true END;";
const ENDLESS_ON_POSTGRES: &str = "
    ALTER TABLE version_record RENAME TO version_record_kept;
    CREATE VIEW version_record AS SELECT k.* FROM version_record_kept k WHERE CASE
        WHEN k.body = 1 THEN pg_sleep(3600)::text IS NOT NULL ELSE true END;";

fn teacher_asks() -> Actor {
    Actor::User(TEACHER.parse().expect("an id"))
}

/// Creates two investigations with one version record each. Reading the version record of the first investigation never
/// ends.
async fn with_an_endless_history(app: &TestApp, teacher: &Caller) -> [String; 2] {
    let mut paths = Vec::new();
    for _ in 0..2 {
        let path = teacher.create_path(json!({"title": "Cress"})).await;
        teacher.patch(&path, json!({"title": "Garden cress"})).await;
        paths.push(format!("{path}/versions"));
    }
    app.behind(if postgres::server().is_some() { ENDLESS_ON_POSTGRES } else { ENDLESS_ON_SQLITE });
    paths.try_into().expect("two")
}

/// Sends the teacher's request for an endless read, and returns when the read is running.
async fn under_way(app: &TestApp, path: &str) -> Raw {
    let mut raw = Raw::connect(app).await;
    raw.send(format!("GET {path} HTTP/1.1\r\nhost: x\r\n{}\r\n", app.bearer())).await;
    while app.app.admission.heavy.try_take(teacher_asks(), 1).is_ok() {
        tokio::task::yield_now().await;
    }
    raw
}

#[tokio::test]
async fn other_users_are_answered_during_a_heavy_read() {
    let (app, anon, teacher) = TestApp::start().await;
    let [endless, other] = with_an_endless_history(&app, &teacher).await;
    let _endless = under_way(&app, &endless).await;
    let colleague = app.signed_in(COLLEAGUE);
    let document = other.trim_end_matches("/versions");
    // The service also answers the teacher's small reads.
    for (caller, path) in [
        (&anon, "/health/ready"),
        (&colleague, "/api/investigation"),
        (&colleague, &format!("{document}/chat")),
        (&teacher, document),
    ] {
        let answer = caller.get(path).await;
        assert_eq!(answer.status, 200, "{answer}");
    }
}

#[tokio::test]
async fn second_heavy_read_of_a_user_is_refused_after_a_short_wait() {
    let (app, teacher, id) = TestApp::with_id(json!({"title": "Cress"})).await;
    let _share = app.app.admission.heavy.try_take(teacher_asks(), 1).expect("a share");
    let path = format!("/api/investigation/{id}/history/title");
    let refused = teacher.get(&path).await;
    assert_eq!((refused.status.as_u16(), refused.header("retry-after")), (503, Some("1")), "{refused}");
    assert_eq!(refused.json()["code"], "busy");
    assert_snapshot!(refused.json()["error"], @r#""The service is busy. Nothing was changed; try again in a second""#);
    let colleague = app.signed_in(COLLEAGUE);
    for path in [path.as_str(), "/api/investigation?search=cress"] {
        let answer = colleague.get(path).await;
        assert_eq!(answer.status, 200, "{answer}");
    }
}

#[tokio::test]
async fn read_is_cancelled_when_its_client_disconnects() {
    let (app, _, teacher) = TestApp::start().await;
    let [endless, other] = with_an_endless_history(&app, &teacher).await;
    drop(under_way(&app, &endless).await);
    // If the read continued, it would use the teacher's share for longer than this request waits.
    let answer = teacher.get(&other).await;
    assert_eq!(answer.status, 200, "{answer}");
}

#[tokio::test]
async fn stopping_service_cancels_reads() {
    let (mut app, _, teacher) = TestApp::start().await;
    let [endless, _] = with_an_endless_history(&app, &teacher).await;
    let mut reading = under_way(&app, &endless).await;
    app.stop().await;
    assert_snapshot!(reading.answer().await.text, @r#"{"success":false,"message":"Failed to fetch investigation versions","error":"The service is stopping; nothing was changed.","code":"stopping"}"#);
}

#[tokio::test]
async fn read_that_takes_too_long_is_refused_with_advice() {
    let (app, _, teacher) = TestApp::start_with(http_statuses()).await;
    let [endless, _] = with_an_endless_history(&app, &teacher).await;
    let mut reading = under_way(&app, &endless).await;
    let answer = reading.answer().await;
    assert_eq!((answer.status.as_u16(), answer.header("retry-after")), (503, Some("1")));
    assert_snapshot!(answer.text, @r#"{"success":false,"message":"Failed to fetch investigation versions","error":"Reading took too long and was stopped. Nothing was changed; try again in a second. A list or a history takes less time with a smaller limit or fewer search words","code":"deadline_exceeded"}"#);
}

/// Returns the CPU time that this process has used, in clock ticks.
fn ticks() -> u64 {
    let stat = std::fs::read_to_string("/proc/self/stat").expect("Linux");
    // The program's name may contain spaces, but the fields after it do not.
    let fields: Vec<&str> = stat.rsplit_once(')').expect("a name").1.split_whitespace().collect();
    fields[11..13].iter().map(|field| field.parse::<u64>().expect("a number")).sum()
}

#[tokio::test]
async fn history_of_a_field_with_many_undone_changes_takes_less_cpu_time_than_ten_reads_of_versions() {
    let (_app, _, teacher) = TestApp::start().await;
    let large: serde_json::Map<_, _> = (0..5_000).map(|n| (format!("k{n}"), n.into())).collect();
    let path = teacher.create_path(json!({"large": large, "small": {"n": 0}})).await;
    for n in 1..=40 {
        teacher.patch(&path, json!({"small": {"n": n}})).await;
        teacher.post_empty(&format!("{path}/undo")).await;
    }
    let (mut history, mut contents) = (0, 0);
    for _ in 0..5 {
        let begin = ticks();
        for _ in 0..2 {
            let answer = teacher.get(&format!("{path}/history/small")).await;
            assert_eq!(answer.data().as_array().map(Vec::len), Some(40), "{answer}");
        }
        let between = ticks();
        for n in 0..20 {
            assert_eq!(teacher.get(&format!("{path}/versions/{n}")).await.status, 200);
        }
        (history, contents) = (history + between - begin, contents + ticks() - between);
    }
    assert!(history < contents, "two histories took {history} ticks, 20 contents {contents}");
}
