//! Metrics for Prometheus. Code records them through the `metrics` facade; this module describes, stores and prints
//! them.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{LazyLock, OnceLock, PoisonError, RwLock};
use std::time::Duration;

use metrics::{Counter, Histogram};
use metrics_exporter_prometheus::{Matcher, PrometheusBuilder, PrometheusHandle};

/// Type of a metric.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// It only grows.
    Counter,
    /// Goes up and down.
    Gauge,
    /// Counts values by upper bounds.
    Histogram,
}

/// Something that the service counts or measures of itself.
#[derive(Debug, Clone, Copy)]
pub struct Measure {
    /// Its name, with its unit.
    pub name: &'static str,
    /// Its type.
    pub kind: Kind,
    /// Its labels.
    pub labels: &'static [&'static str],
    /// Its description.
    pub help: &'static str,
}

const fn measure(name: &'static str, kind: Kind, labels: &'static [&'static str], help: &'static str) -> Measure {
    Measure { name, kind, labels, help }
}

/// All of them; `docs/operators/observing.md` shows the same table.
#[rustfmt::skip]
pub const MEASURES: [Measure; 23] = [
    measure("fieldbook_requests_total", Kind::Counter, &["method", "route", "status"], "Requests served."),
    measure("fieldbook_request_seconds", Kind::Histogram, &["route"], "How long requests took."),
    measure("fieldbook_rate_limited_total", Kind::Counter, &["limit"], "Requests refused because somebody asked too often."),
    measure("fieldbook_visits_total", Kind::Counter, &["outcome"], "Visits of links: counted, or why they were not."),
    measure("fieldbook_store_batch_size", Kind::Histogram, &[], "How many changes or visits the store took at once."),
    measure("fieldbook_store_commit_seconds", Kind::Histogram, &[], "How long the embedded store took for such a batch, until it was on disk."),
    measure("fieldbook_store_queue_length", Kind::Gauge, &[], "How many changes or visits were left waiting when the last batch was taken."),
    measure("fieldbook_reads_stopped_total", Kind::Counter, &["reason"], "Reads that were stopped: at their deadline, because nobody waited any more, or because the service closed."),
    measure("fieldbook_model_calls_total", Kind::Counter, &["outcome"], "Calls of the language model."),
    measure("fieldbook_model_call_seconds", Kind::Histogram, &[], "How long calls of the language model took."),
    measure("fieldbook_model_tokens_total", Kind::Counter, &["kind"], "Tokens of the language model: prompt and completion."),
    measure("fieldbook_model_unreadable_answers_total", Kind::Counter, &[], "Answers of the language model that were no use."),
    measure("fieldbook_model_findings_dropped_total", Kind::Counter, &["reason"], "Findings of the language model that were not taken."),
    measure("fieldbook_model_resting", Kind::Gauge, &[], "1 while the language model is left alone after failures."),
    measure("fieldbook_contradictions_incomplete_total", Kind::Counter, &["cause"], "Readings of a document that a rule or the language model failed to complete."),
    measure("fieldbook_profile_lookups_total", Kind::Counter, &["outcome"], "Lookups of author profiles."),
    measure("fieldbook_profile_lookup_seconds", Kind::Histogram, &[], "How long lookups took that asked the profile service."),
    measure("fieldbook_profile_service_resting", Kind::Gauge, &[], "1 while the profile service is left alone after failures."),
    measure("fieldbook_event_streams", Kind::Gauge, &[], "Streams of events that are being read."),
    measure("fieldbook_webhook_deliveries_total", Kind::Counter, &["outcome"], "Attempts to deliver events: delivered, failed, gone; and events given up."),
    measure("fieldbook_token_key_fetches_total", Kind::Counter, &["outcome"], "Fetches of the keys of the token provider: fetched or failed."),
    measure("fieldbook_token_keys_fetched_timestamp_seconds", Kind::Gauge, &[], "When the keys that count were fetched; they count for a day."),
    measure("fieldbook_trace_spans_total", Kind::Counter, &["outcome"], "Spans for the collector: taken or lost."),
];

/// Bounds of the sizes of batches.
const BATCHES: [f64; 9] = [1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0, 128.0, 256.0];

/// Bounds of request durations in seconds, from memory reads to language models.
const SECONDS: [f64; 14] = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 15.0, 60.0];

/// Recorded values are sorted into buckets when somebody scrapes, or when this many are waiting.
const WAITING: u64 = 4096;

/// One per process, as the facade requires.
static KEPT: OnceLock<PrometheusHandle> = OnceLock::new();

fn kept() -> &'static PrometheusHandle {
    KEPT.get_or_init(|| {
        let bounds = PrometheusBuilder::new()
            .set_buckets_for_metric(Matcher::Suffix("_seconds".to_owned()), &SECONDS)
            .and_then(|builder| builder.set_buckets_for_metric(Matcher::Suffix("_size".to_owned()), &BATCHES));
        let recorder = bounds.unwrap_or_default().build_recorder();
        let handle = recorder.handle();
        if metrics::set_global_recorder(recorder).is_err() {
            tracing::error!("something else counts in this process: /metrics stays empty");
        }
        describe();
        handle
    })
}

fn describe() {
    for Measure { name, kind, labels: _, help } in MEASURES {
        match kind {
            Kind::Counter => metrics::describe_counter!(name, help),
            Kind::Gauge => metrics::describe_gauge!(name, help),
            Kind::Histogram => metrics::describe_histogram!(name, help),
        }
    }
}

/// Starts recording. Earlier values are lost.
pub fn begin() {
    kept();
}

/// Everything counted so far, in the text form of Prometheus.
pub fn shown() -> String {
    kept().render()
}

/// Counter of the requests with the same route, method and status. Looking it up by name costs more than counting.
#[derive(Clone)]
struct Served {
    requests: Counter,
    seconds: Histogram,
}

/// By method and status.
type Answers = HashMap<(&'static str, u16), Served>;

/// By route.
static SERVED: LazyLock<RwLock<HashMap<String, Answers>>> = LazyLock::new(RwLock::default);

impl Served {
    fn of(route: &str, (method, status): (&'static str, u16)) -> Self {
        begin();
        let requests = metrics::counter!("fieldbook_requests_total",
            "method" => method, "route" => route.to_owned(), "status" => status.to_string());
        Self { requests, seconds: metrics::histogram!("fieldbook_request_seconds", "route" => route.to_owned()) }
    }
}

/// Counts a request. Unknown routes share one label, because callers could invent any number of them.
pub fn served(method: &str, route: Option<&str>, status: u16, took: Duration) {
    static REQUESTS: AtomicU64 = AtomicU64::new(1);
    let known = ["GET", "HEAD", "POST", "PATCH", "DELETE"].into_iter().find(|known| *known == method);
    let (route, answer) = (route.unwrap_or("none"), (known.unwrap_or("other"), status));
    // Nothing is written in part, so that a panic elsewhere leaves nothing wrong.
    let counting = SERVED.read().unwrap_or_else(PoisonError::into_inner);
    let served = counting.get(route).and_then(|answers| answers.get(&answer)).cloned();
    drop(counting);
    let Served { requests, seconds } = served.unwrap_or_else(|| {
        let served = Served::of(route, answer);
        let mut counting = SERVED.write().unwrap_or_else(PoisonError::into_inner);
        counting.entry(route.to_owned()).or_default().insert(answer, served.clone());
        served
    });
    requests.increment(1);
    seconds.record(took.as_secs_f64());
    if REQUESTS.fetch_add(1, Ordering::Relaxed).is_multiple_of(WAITING) {
        kept().run_upkeep();
    }
}
