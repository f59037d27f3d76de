//! The cost of the largest allowed requests: CPU time, memory and bytes of the real program, for every operation.
//!
//! `FIELDBOOK_COST_TABLE=1` prints the measured table.

use std::collections::BTreeSet;
use std::fs;

use fieldbook::http::openapi;
use reqwest::Method;
use serde_json::{Value, json};

use crate::support::process::{Service, fieldbook};
use crate::support::{Caller, Exchange, TEACHER};

/// Maximum growth of memory by one request, in KiB.
const MAX_GROWTH: u64 = 150 * 1024;
/// Maximum size of a response in bytes: a full page and its envelope.
const MAX_ANSWER: usize = 8 * 1024 * 1024 + 64 * 1024;
/// Maximum CPU time of one request in milliseconds, in a debug build. `LARGE` is for requests that read or write a
/// document of 256 KiB, and `ASSISTANT` for requests that run the assistant.
const CHEAP: u64 = 500;
const LARGE: u64 = 3_000;
const ASSISTANT: u64 = 4_000;

/// The end of the path of a picture, after the path of its investigation.
const PICTURE: &str = "/pictures/0000000000000000000000000000000000000000000000000000000000000000";

/// A call of a tool by an assistant.
const TOOL: &str = "POST /mcp";
/// The route of the lesson page that a short link opens.
const PAGE: &str = "GET /l/{key}/{subLink}";

/// Returns the CPU time of the service so far, in milliseconds. Linux counts 100 ticks a second on x86-64 and aarch64.
fn cpu(service: &Service) -> u64 {
    let stat = fs::read_to_string(format!("/proc/{}/stat", service.process.id())).expect("its figures");
    let (_, after_name) = stat.rsplit_once(") ").expect("a name");
    after_name.split(' ').skip(11).take(2).map(|ticks| ticks.parse::<u64>().expect("ticks") * 10).sum()
}

/// Returns one line of the service's `/proc` memory figures, in KiB.
fn memory(service: &Service, line: &str) -> u64 {
    let status = fs::read_to_string(format!("/proc/{}/status", service.process.id())).expect("its figures");
    let figure = status.lines().find_map(|text| text.strip_prefix(line)).expect("a figure");
    figure.trim_start_matches(':').trim().trim_end_matches(" kB").parse().expect("KiB")
}

/// The service, and the documents, lists and histories that the requests use.
struct Seeds {
    service: Service,
    teacher: Caller,
    /// The id of a lesson of 3,000 steps, with 8 version records and 8 chat entries.
    lesson: String,
    /// The id of a document with one text of nearly 256 KiB.
    text: String,
    _folder: tempfile::TempDir,
}

fn steps() -> Value {
    let step = |n: usize| json!({"text": format!("Sow {n} seeds and repeat step 2."), "minutes": 1});
    (0..3_000).map(step).collect()
}

fn large_text(n: usize) -> String {
    (0..40_000).map(|word| format!("w{word:x}{n} ")).collect::<String>().chars().take(250_000).collect()
}

/// Returns a text in Chinese characters of nearly 256 KiB. Nearly all pairs of adjacent characters are different.
fn chinese() -> String {
    let sign = |n: u32| char::from_u32(0x4e00 + n.wrapping_mul(0x9e37_79b9) % 20_000).unwrap_or('字');
    (0..85_000_u32).map(|n| sign(n.wrapping_mul(n))).collect()
}

impl Seeds {
    async fn start() -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let token = fieldbook("token", folder.path())
            .args(["--user", TEACHER, "--role", "admin"])
            .output()
            .expect("a token")
            .stdout;
        let without_limits = ["--assistant-rate-limit", "0", "--resolve-rate-limit", "0", "--trash-days", "30"];
        let service = Service::start_with(folder.path(), &without_limits);
        let teacher = Caller::of(service.base.clone()).bearing(String::from_utf8(token).expect("UTF-8").trim());
        let teacher = teacher.with_header("accept", "application/json, text/event-stream");
        let lesson = teacher.create(json!({"title": "Cress", "durationMinutes": 45, "steps": steps()})).await;
        for n in 0..8 {
            teacher.patch(&format!("/api/investigation/{lesson}"), json!({"title": format!("Cress {n}")})).await;
            teacher.post(&format!("/api/investigation/{lesson}/regenerate"), json!({"fieldName": "grade"})).await;
        }
        let mut text = String::new();
        for n in 0..16 {
            text = teacher.create(json!({"title": "Text", "text": large_text(n)})).await;
        }
        for n in 0..100 {
            let link = json!({"key": "class", "subLink": format!("l{n}"), "description": "d".repeat(500)});
            teacher.post(&format!("/api/investigation/{lesson}/links"), link).await;
        }
        Self { service, teacher, lesson, text, _folder: folder }
    }

    /// Sends a request, and checks its status, CPU time, memory growth and response size.
    async fn check(&self, name: &str, path: &str, body: Option<Value>, max_cpu: u64, statuses: &[u16]) -> Exchange {
        let (method, _) = name.split_once(' ').expect("a method");
        let pid = self.service.process.id();
        fs::write(format!("/proc/{pid}/clear_refs"), "5").expect("the peak is forgotten");
        let (cpu_before, memory_before) = (cpu(&self.service), memory(&self.service, "VmRSS"));
        let body = body.map(|body| body.to_string());
        let body = body.as_deref().map(|body| ("application/json", body));
        let answer = self.teacher.send(method.parse().expect("a method"), path, body).await;
        let used = cpu(&self.service) - cpu_before;
        let growth = memory(&self.service, "VmHWM").saturating_sub(memory_before);
        let bytes = answer.text.len();
        if std::env::var_os("FIELDBOOK_COST_TABLE").is_some() {
            println!("| {name} | {} | {used} ms | {growth} KiB | {bytes} bytes |", answer.status.as_u16());
        }
        assert!(statuses.contains(&answer.status.as_u16()), "{name}: {} {:.300}", answer.status, answer.text);
        assert!(used <= max_cpu, "{name}: {used} ms of CPU time");
        assert!(growth <= MAX_GROWTH, "{name}: {growth} KiB of memory");
        assert!(bytes <= MAX_ANSWER, "{name}: {bytes} bytes");
        answer
    }
}

/// Returns the largest request of every operation that is not a stream: the path in the OpenAPI document, the path
/// with ids and query, the body, and the maximum CPU time.
fn requests(lesson: &str, text: &str, finding: &Value) -> Vec<(&'static str, String, Option<Value>, u64)> {
    let search = (0..50).map(|word| format!("w{word:x}")).collect::<Vec<_>>().join("+");
    let on = |id: &str, rest: &str| format!("/api/investigation/{id}{rest}");
    let fdfa = "\u{fdfa}".repeat(85_000);
    let steps_to_fit = Some(json!({"fieldName": "durationMinutes"}));
    let link = |name: &str| Some(json!({"key": "k".repeat(64), "subLink": name, "description": "d".repeat(500)}));
    let call = json!({"name": "updateInvestigation", "arguments": {"id": text, "changes": {"hypothesis": fdfa, "text": null}}});
    vec![
        (TOOL, "/mcp".into(), Some(json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": call})), LARGE),
        (
            "POST /api/investigation",
            "/api/investigation".into(),
            Some(json!({"title": "New", "steps": steps()})),
            LARGE,
        ),
        ("GET /api/investigation", format!("/api/investigation?limit=100&search={search}"), None, LARGE),
        ("GET /api/investigation/format", "/api/investigation/format".into(), None, CHEAP),
        (
            "POST /api/investigation/split",
            "/api/investigation/split".into(),
            Some(json!({"text": "- w\n".repeat(9_000)})),
            LARGE,
        ),
        ("GET /api/investigation/{id}", on(text, ""), None, LARGE),
        ("PATCH /api/investigation/{id}", on(text, ""), Some(json!({"hypothesis": chinese(), "text": null})), LARGE),
        ("GET /api/investigation/{id}/history/{fieldPath}", on(text, "/history/hypothesis?limit=1000"), None, LARGE),
        ("GET /api/investigation/{id}/versions", on(lesson, "/versions?limit=1000"), None, LARGE),
        ("GET /api/investigation/{id}/sheet", on(lesson, "/sheet?for=teachers&version=0"), None, LARGE),
        ("GET /api/investigation/{id}/sheet", on(lesson, "/sheet?for=teachers&format=docx"), None, LARGE),
        ("GET /api/investigation/{id}/versions/{version}", on(text, "/versions/0"), None, LARGE),
        (
            "PATCH /api/investigation/{id}/versions/{version}",
            on(lesson, "/versions/1"),
            Some(json!({"name": "ö".repeat(100)})),
            LARGE,
        ),
        ("POST /api/investigation/{id}/versions/{version}/restore", on(text, "/versions/0/restore"), None, LARGE),
        ("POST /api/investigation/{id}/undo", on(text, "/undo"), None, LARGE),
        ("POST /api/investigation/{id}/redo", on(text, "/redo"), None, LARGE),
        ("POST /api/investigation/{id}/clone", on(lesson, "/clone"), None, LARGE),
        ("POST /api/investigation/{id}/dismissals", on(lesson, "/dismissals"), Some(finding.clone()), LARGE),
        ("DELETE /api/investigation/{id}/dismissals/{dismissalId}", String::new(), None, LARGE),
        // The tests of `crates/pictures/` measure the largest pictures.
        ("POST /api/investigation/{id}/pictures", on(text, "/pictures"), Some(json!({})), CHEAP),
        ("GET /api/investigation/{id}/pictures/{pictureId}", on(text, PICTURE), None, CHEAP),
        ("DELETE /api/investigation/{id}/pictures/{pictureId}", on(text, PICTURE), None, LARGE),
        (
            "POST /api/investigation/{id}/resolve-contradiction",
            on(lesson, "/resolve-contradiction"),
            steps_to_fit.clone(),
            ASSISTANT,
        ),
        ("POST /api/investigation/{id}/regenerate", on(lesson, "/regenerate"), steps_to_fit, ASSISTANT),
        ("POST /api/investigation/{id}/presence", on(text, "/presence"), Some(json!({"open": true})), CHEAP),
        ("GET /api/investigation/{id}/chat", on(lesson, "/chat"), None, LARGE),
        ("POST /api/investigation/{id}/chat", on(lesson, "/chat"), Some(json!({"content": "m".repeat(16_000)})), CHEAP),
        ("GET /api/investigation/{id}/links", on(lesson, "/links"), None, CHEAP),
        ("POST /api/investigation/{id}/links", on(lesson, "/links"), link("a"), CHEAP),
        ("GET /api/link/investigation/{id}", format!("/api/link/investigation/{lesson}"), None, CHEAP),
        ("POST /api/link/investigation/{id}", format!("/api/link/investigation/{lesson}"), link("b"), CHEAP),
        ("GET /api/link/{key}/{subLink}", "/api/link/class/l1".into(), None, CHEAP),
        ("HEAD /api/link/{key}/{subLink}", "/api/link/class/l1".into(), None, CHEAP),
        ("GET /api/link", "/api/link?limit=100".into(), None, CHEAP),
        ("GET /api/link/{key}/{subLink}/visits", "/api/link/class/l1/visits".into(), None, CHEAP),
        ("GET /api/link/{key}/{subLink}/qr.svg", "/api/link/class/l1/qr.svg".into(), None, CHEAP),
        (
            "PATCH /api/link/{key}/{subLink}",
            "/api/link/class/l1".into(),
            Some(json!({"shows": "lesson", "description": "d".repeat(500)})),
            CHEAP,
        ),
        (PAGE, "/l/class/l1".into(), None, LARGE),
        ("DELETE /api/link/{key}/{subLink}", "/api/link/class/l2".into(), None, CHEAP),
        ("GET /api/me", "/api/me".into(), None, CHEAP),
        ("POST /api/people", "/api/people".into(), Some(json!({"name": "ö".repeat(100)})), CHEAP),
        ("GET /api/people", "/api/people?limit=100".into(), None, CHEAP),
        ("PATCH /api/people/{id}", "/api/people/{person}".into(), Some(json!({"name": "ä".repeat(100)})), CHEAP),
        ("POST /api/people/{id}/link", "/api/people/{person}/link".into(), None, CHEAP),
        (
            "POST /api/people/{id}/reassign",
            "/api/people/{person}/reassign".into(),
            Some(json!({"to": "0".repeat(24)})),
            CHEAP,
        ),
        ("DELETE /api/people/{id}", "/api/people/{person}".into(), None, CHEAP),
        ("POST /api/session", "/api/session".into(), Some(json!({"code": "x".repeat(1000)})), CHEAP),
        ("DELETE /api/session", "/api/session".into(), None, CHEAP),
        ("GET /api/audit", "/api/audit".into(), None, LARGE),
        ("GET /health/live", "/health/live".into(), None, CHEAP),
        ("GET /health/ready", "/health/ready".into(), None, CHEAP),
        ("GET /metrics", "/metrics".into(), None, CHEAP),
        ("DELETE /api/investigation/{id}", on(lesson, ""), None, LARGE),
        ("GET /api/trash", "/api/trash".into(), None, CHEAP),
        ("POST /api/investigation/{id}/undelete", on(lesson, "/undelete"), None, LARGE),
        ("DELETE /api/investigation/{id}", on(lesson, ""), None, LARGE),
        ("DELETE /api/trash/{id}", format!("/api/trash/{lesson}"), None, LARGE),
    ]
}

#[tokio::test(flavor = "multi_thread")]
async fn largest_request_of_every_operation_takes_bounded_cpu_time() {
    let seeds = Seeds::start().await;
    let found = seeds.teacher.get(&format!("/api/investigation/{}", seeds.lesson)).await;
    let finding = &found.data()["contradictions"][0];
    let finding = json!({"fieldName": finding["fieldName"], "conflictsWith": finding["conflictsWith"]});
    let mut checked = BTreeSet::new();
    let (mut dismissal, mut person) = (String::new(), String::new());
    for (name, path, body, max_cpu) in requests(&seeds.lesson, &seeds.text, &finding) {
        let path = if path.is_empty() { dismissal.clone() } else { path.replace("{person}", &person) };
        // Without a language model, the chat fails.
        let statuses: &[u16] = match name {
            "POST /api/investigation/{id}/chat" => &[500],
            // The body is not a picture, and the picture to delete does not exist.
            "POST /api/investigation/{id}/pictures" => &[415],
            "GET /api/investigation/{id}/pictures/{pictureId}"
            | "DELETE /api/investigation/{id}/pictures/{pictureId}" => &[404],
            // The person who would become the author does not exist.
            "POST /api/people/{id}/reassign" => &[400],
            // A sign-in is allowed only from the page.
            "POST /api/session" => &[403],
            _ => &[200, 201],
        };
        let answer = seeds.check(name, &path, body, max_cpu, statuses).await;
        if name.ends_with("/dismissals") {
            let id = answer.data()["dismissed"][0]["id"].as_str().expect("an id").to_owned();
            dismissal = format!("{path}/{id}");
        }
        if name == "POST /api/people" {
            answer.data()["id"].as_str().expect("an id").clone_into(&mut person);
        }
        checked.insert(name.to_owned());
    }
    // A stream ends when its client closes it, and costs as much as the events that it sends.
    checked.insert("GET /api/events".to_owned());
    // The lesson page is for people, and tools are for assistants, so the OpenAPI document does not contain them.
    assert!(checked.remove(PAGE) && checked.remove(TOOL));
    let document = openapi();
    let paths = document["paths"].as_object().expect("paths");
    let operations = paths.iter().flat_map(|(path, item)| {
        item.as_object().expect("methods").keys().map(move |method| format!("{} {path}", method.to_uppercase()))
    });
    assert_eq!(checked, operations.collect::<BTreeSet<_>>());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn small_requests_are_answered_while_other_users_send_heavy_requests() {
    let seeds = Seeds::start().await;
    let (_, search, _, _) = requests(&seeds.lesson, &seeds.text, &Value::Null).swap_remove(2);
    let heavy: Vec<_> = (0..4)
        .map(|_| {
            let (teacher, search) = (seeds.teacher.clone(), search.clone());
            tokio::spawn(async move {
                for _ in 0..3 {
                    // One caller has one heavy read at a time. A read that waits for too long gets 503.
                    assert!([200, 503].contains(&teacher.get(&search).await.status.as_u16()));
                }
            })
        })
        .collect();
    let other = Caller::of(seeds.service.base.clone());
    for _ in 0..10 {
        assert_eq!(other.get("/health/live").await.status.as_u16(), 200);
        assert_eq!(other.send(Method::GET, "/api/link/class/l3", None).await.status.as_u16(), 200);
    }
    let still_busy = heavy.iter().filter(|task| !task.is_finished()).count();
    for task in heavy {
        task.await.expect("answered");
    }
    assert!(still_busy > 0, "the heavy requests were done first");
}
