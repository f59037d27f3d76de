//! `GET /metrics`

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use fieldbook::admission::Actor;
use fieldbook::metrics::{Kind, METRICS};
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};

use super::admit::is_waiting;
use crate::authoring::{at_odds, finds_birds, start};
use crate::support::TestApp;

/// Returns the value of the line that begins like this, or 0 if there is no such line.
fn number(text: &str, begins: &str) -> f64 {
    let line = text.lines().find_map(|line| line.strip_prefix(begins)?.strip_prefix(' '));
    line.map_or(0.0, |number| number.parse().expect("a number"))
}

#[tokio::test]
async fn request_metrics_are_counted_by_method_route_status_and_error_code() {
    let (_app, anon, teacher) = TestApp::start().await;
    let counted = [
        "fieldbook_requests_total{method=\"GET\",route=\"/api/investigation/{id}\",status=\"401\",code=\"unauthenticated\"}",
        "fieldbook_requests_total{method=\"GET\",route=\"/api/investigation/{id}\",status=\"500\",code=\"investigation_not_found\"}",
        "fieldbook_requests_total{method=\"GET\",route=\"/health/live\",status=\"200\",code=\"none\"}",
        "fieldbook_requests_total{method=\"other\",route=\"none\",status=\"404\",code=\"route_not_found\"}",
        "fieldbook_request_seconds_count{route=\"/api/investigation/{id}\"}",
        "fieldbook_request_seconds_bucket{route=\"/api/investigation/{id}\",le=\"+Inf\"}",
    ];
    let before = anon.get("/metrics").await;
    assert_eq!(
        (before.status.as_u16(), before.header("content-type")),
        (200, Some("text/plain; version=0.0.4; charset=utf-8"))
    );
    anon.get("/api/investigation/aaaaaaaaaaaaaaaaaaaaaaaa?secret=word").await;
    teacher.get("/api/investigation/aaaaaaaaaaaaaaaaaaaaaaaa").await;
    anon.get("/health/live").await;
    teacher.send(Method::from_bytes(b"MADEUP").expect("a method"), "/made/up", None).await;
    let after = anon.get("/metrics").await;
    for line in counted {
        // Other tests may count in the same process, so the value may grow by more than 1.
        assert!(number(&after.text, line) >= number(&before.text, line) + 1.0, "{line}\n{after}");
    }
    for word in ["aaaaaaaaaaaaaaaaaaaaaaaa", "secret", "MADEUP", "/made/up"] {
        assert!(!after.text.contains(word), "{after}");
    }
}

#[tokio::test]
async fn model_calls_are_counted_by_outcome() {
    let (_endpoint, app, teacher) = start(finds_birds).await;
    let line = "fieldbook_model_calls_total{outcome=\"answered\"}";
    let before = number(&app.anon().get("/metrics").await.text, line);
    teacher.create(at_odds()).await;
    let after = app.anon().get("/metrics").await;
    assert!(number(&after.text, line) >= before + 1.0, "{after}");
    assert!(after.text.contains("# HELP fieldbook_model_calls_total "), "{after}");
}

/// A family of metrics: its type, its help text, and its samples as name, labels and value.
#[derive(Default)]
struct Family {
    kind: String,
    help: String,
    samples: Vec<(String, BTreeMap<String, String>, f64)>,
}

/// Reads the Prometheus text format 0.0.4, and panics if the text breaks the format.
fn families(text: &str) -> BTreeMap<String, Family> {
    let mut families: BTreeMap<String, Family> = BTreeMap::new();
    for line in text.lines().filter(|line| !line.is_empty()) {
        if let Some(said) = line.strip_prefix("# ") {
            let mut said = said.splitn(3, ' ');
            let (what, name) = (said.next().expect("a word"), said.next().expect("a name"));
            let (family, words) = (families.entry(name.to_owned()).or_default(), said.next().expect("words"));
            match what {
                "TYPE" => family.kind = words.to_owned(),
                "HELP" => family.help = words.to_owned(),
                _ => panic!("{line}"),
            }
            continue;
        }
        let (sample, number) = line.rsplit_once(' ').expect("a number");
        let (name, labels) = sample.split_once('{').unwrap_or((sample, "}"));
        let labels = labels.strip_suffix('}').expect("an end").split("\",").filter(|label| !label.is_empty());
        let labels = labels.map(|label| {
            let (label, value) = label.split_once("=\"").expect("a value");
            (label.to_owned(), value.trim_end_matches('"').to_owned())
        });
        let base = ["_bucket", "_sum", "_count"].iter().find_map(|end| name.strip_suffix(end));
        let owner = base.filter(|base| families.contains_key(*base)).unwrap_or(name);
        let family = families.get_mut(owner).unwrap_or_else(|| panic!("{line} has no type"));
        family.samples.push((name.to_owned(), labels.collect(), number.parse().expect("a number")));
    }
    families
}

#[tokio::test]
async fn scraped_metrics_match_the_documentation_and_conventions() {
    let (_endpoint, app, teacher) = start(finds_birds).await;
    let id = teacher.create(at_odds()).await;
    let link = teacher.create_link(&id, "class-5b", "cress").await;
    for path in [link.as_str(), "/api/link/class-5b/unknown"] {
        app.anon().get(path).await;
    }
    teacher.patch(&link, json!({"archived": true})).await;
    app.anon().get("/l/class-5b/cress").await;
    let families = families(&app.anon().get("/metrics").await.text);
    for must in ["requests_total", "request_seconds", "visits_total", "model_calls_total", "model_call_seconds"] {
        assert!(families.contains_key(&format!("fieldbook_{must}")), "{must}");
    }
    for (name, Family { kind, help, samples }) in &families {
        let measure = METRICS.iter().find(|measure| measure.name == name);
        let measure = measure.unwrap_or_else(|| panic!("what is {name}?"));
        assert_eq!((kind.as_str(), help.as_str()), (word(measure.kind), measure.help), "{name}");
        assert_eq!(name.ends_with("_total"), measure.kind == Kind::Counter, "{name}");
        for (sample, labels, number) in samples {
            let known: BTreeSet<&str> = labels.keys().map(String::as_str).filter(|label| *label != "le").collect();
            assert_eq!(known, measure.labels.iter().copied().collect(), "{sample}");
            assert!(*number >= 0.0, "{sample} {number}");
        }
        if measure.kind == Kind::Histogram {
            each_bucket_holds_the_one_before(name, samples);
        }
    }
    let visits = &families["fieldbook_visits_total"].samples;
    let outcomes: BTreeSet<&str> = visits.iter().map(|(_, labels, _)| labels["outcome"].as_str()).collect();
    for must in ["counted", "link_not_found", "link_closed"] {
        assert!(outcomes.contains(must), "{must}: {outcomes:?}");
    }
}

fn word(kind: Kind) -> &'static str {
    match kind {
        Kind::Counter => "counter",
        Kind::Gauge => "gauge",
        Kind::Histogram => "histogram",
    }
}

fn each_bucket_holds_the_one_before(name: &str, samples: &[(String, BTreeMap<String, String>, f64)]) {
    let mut before: BTreeMap<Option<&String>, f64> = BTreeMap::new();
    for (sample, labels, number) in samples {
        let last = before.entry(labels.get("route")).or_default();
        if sample.ends_with("_bucket") {
            assert!(number >= last, "{name} {labels:?}");
            *last = *number;
        } else if sample.ends_with("_count") {
            assert_eq!(number, last, "{name}: the last bucket holds all");
        }
    }
}

fn read(path: &str) -> String {
    fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(path)).expect("a text")
}

fn named(text: &str) -> BTreeSet<&str> {
    let words = text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
    words.filter(|word| word.starts_with("fieldbook_") || word.starts_with("process_")).collect()
}

#[test]
fn every_metric_is_described_and_in_the_documented_table() {
    let mut counted = BTreeSet::new();
    let mut folders = vec![PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("src")];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                folders.push(path);
            } else if !path.ends_with("src/metrics.rs") {
                let text = fs::read_to_string(&path).expect("a text");
                let macros = text.split("metrics::").skip(1).filter_map(|rest| rest.split_once("!("));
                let names = macros.filter_map(|(_, rest)| rest.trim_start().strip_prefix('"')?.split('"').next());
                counted.extend(names.filter(|name| name.contains('_')).map(str::to_owned));
            }
        }
    }
    let measures = read("src/metrics.rs");
    let served = ["fieldbook_requests_total", "fieldbook_request_seconds"];
    assert!(served.iter().all(|name| measures.matches(&format!("\"{name}\"")).count() == 2));
    counted.extend(served.map(str::to_owned));
    let described: BTreeSet<String> = METRICS.iter().map(|measure| measure.name.to_owned()).collect();
    assert_eq!(counted, described);

    let document = read("docs/operators/observing.md");
    let shown: Vec<&str> =
        document.lines().filter(|line| line.starts_with("| `fieldbook_") || line.starts_with("| `process_")).collect();
    let rows = METRICS.iter().map(|measure| {
        let labels: Vec<String> = measure.labels.iter().map(|label| format!("`{label}`")).collect();
        let labels = if labels.is_empty() { "–".to_owned() } else { labels.join(", ") };
        format!("| `{}` | {} | {labels} | {} |", measure.name, word(measure.kind), measure.help)
    });
    assert_eq!(shown, rows.collect::<Vec<_>>());
}

#[test]
fn dashboard_shows_exactly_the_existing_metrics() {
    let board: Value = serde_json::from_str(&read("deploy/grafana/fieldbook.json")).expect("JSON");
    let panels = board["panels"].as_array().expect("panels");
    let targets = panels.iter().flat_map(|panel| panel["targets"].as_array().expect("targets"));
    let questions: Vec<&str> = targets.map(|target| target["expr"].as_str().expect("a question")).collect();
    let mut on_the_board = BTreeSet::new();
    for question in questions {
        let names = asked(question);
        assert!(!names.is_empty(), "{question}");
        on_the_board.extend(names);
    }
    assert_eq!(on_the_board, METRICS.iter().map(|measure| measure.name).collect());
    assert!(panels.iter().all(|panel| panel["description"].as_str().is_some_and(|text| text.ends_with('.'))));
}

/// Returns the names of the metrics in a PromQL query.
fn asked(question: &str) -> BTreeSet<&'static str> {
    let known = |name: &str| {
        let measure = METRICS.iter().find(|measure| match measure.kind {
            Kind::Histogram => {
                name.strip_prefix(measure.name).is_some_and(|end| ["_bucket", "_sum", "_count"].contains(&end))
            }
            _ => name == measure.name,
        });
        measure.unwrap_or_else(|| panic!("{question} names {name}")).name
    };
    named(question).into_iter().map(known).collect()
}

#[test]
fn every_alert_has_a_test_and_names_only_existing_metrics_error_codes_and_routes() {
    let rules = read("deploy/prometheus/fieldbook.rules.yaml");
    let alerts = rules.split("- alert: ").skip(1);
    let mut count = 0;
    for alert in alerts {
        let (name, rest) = alert.split_once('\n').expect("a name");
        let (question, _) = rest.split_once("labels:").expect("labels");
        assert!(!asked(question).is_empty() || question.contains("up{"), "{name}");
        assert!(read("deploy/prometheus/fieldbook.test.yaml").contains(&format!("alertname: {name}\n")), "{name}");
        count += 1;
    }
    assert!(count > 5);
    let document: Value = serde_json::from_str(&read("api/openapi.json")).expect("JSON");
    let choices = |label: &str| -> Vec<String> {
        let matchers = rules.split(label).skip(1).map(|rest| rest.split('"').next().expect("an end"));
        matchers.flat_map(|all| all.split('|').map(str::to_owned)).collect()
    };
    let known = document["components"]["schemas"]["ErrorCode"]["enum"].as_array().expect("codes");
    let codes = choices("code=~\"");
    assert!(codes.len() > 4 && codes.iter().all(|code| known.iter().any(|known| known == code)), "{codes:?}");
    let paths = document["paths"].as_object().expect("paths");
    let exists = |route: &String| match route.strip_suffix(".*") {
        Some(beginning) => paths.keys().any(|path| path.starts_with(beginning)),
        None => paths.contains_key(route),
    };
    let routes = choices("route=~\"");
    assert!(!routes.is_empty() && routes.iter().all(exists), "{routes:?}");
}

/// Counting open files takes time, so an address with many connections would delay others.
#[tokio::test]
async fn second_metrics_request_from_a_client_address_waits_until_the_first_is_answered() {
    let (app, anon, _) = TestApp::start().await;
    let metrics = &app.app.admission.metrics;
    let first = metrics.try_take(Actor::at([127, 0, 0, 1].into()), 1).expect("a permit");
    let second = tokio::spawn(async move { anon.get("/metrics").await.status });
    is_waiting(metrics).await;
    drop(first);
    assert_eq!(second.await.expect("an answer"), StatusCode::OK);
}

#[tokio::test]
async fn metrics_report_memory_open_files_cpu_time_start_time_and_version_of_the_service() {
    let (_app, anon, _) = TestApp::start().await;
    let text = anon.get("/metrics").await.text;
    let memory = number(&text, "process_resident_memory_bytes");
    assert!((1e6..1e11).contains(&memory), "{memory}");
    assert!(number(&text, "process_open_fds") > 3.0);
    assert!(number(&text, "process_start_time_seconds") > 1.7e9);
    assert!(text.contains("process_cpu_seconds_total "), "{text}");
    let build = format!("fieldbook_build_info{{version=\"{}\"}}", env!("CARGO_PKG_VERSION"));
    assert_eq!(number(&text, &build), 1.0);
}
