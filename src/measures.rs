//! What the service counts and measures of itself, for Prometheus. Whoever counts names the counter through the
//! `metrics` facade; here they are described, kept and shown.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use metrics_exporter_prometheus::{Matcher, PrometheusBuilder, PrometheusHandle};

/// Bounds of the durations of requests, in seconds: from what memory answers to what a language model takes.
const SECONDS: [f64; 14] = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 15.0, 60.0];

/// Measurements wait to be sorted into their bounds until somebody asks, or until there are so many.
const WAITING: u64 = 4096;

/// One for the process: the facade knows no more.
static KEPT: OnceLock<PrometheusHandle> = OnceLock::new();

fn kept() -> &'static PrometheusHandle {
    KEPT.get_or_init(|| {
        let bounds = PrometheusBuilder::new().set_buckets_for_metric(Matcher::Suffix("_seconds".to_owned()), &SECONDS);
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
    metrics::describe_counter!("fieldbook_requests_total", "Requests served, by method, route and status.");
    metrics::describe_histogram!("fieldbook_request_seconds", "How long requests took, by route.");
    metrics::describe_counter!(
        "fieldbook_rate_limited_total",
        "Requests refused because somebody asked too often, by limit."
    );
    metrics::describe_counter!("fieldbook_model_calls_total", "Calls of the language model, by outcome.");
    metrics::describe_counter!("fieldbook_model_tokens_total", "Tokens of the language model, by kind.");
    metrics::describe_counter!("fieldbook_model_unreadable_answers_total", "Answers of the model that were no use.");
    metrics::describe_counter!("fieldbook_model_findings_dropped_total", "Findings not taken, by reason.");
    metrics::describe_counter!("fieldbook_profile_lookups_total", "Lookups of author profiles, by outcome.");
    metrics::describe_gauge!("fieldbook_profile_service_resting", "1 while the profile service is left alone.");
}

/// Begins to count. What is counted before this is lost.
pub fn begin() {
    kept();
}

/// Everything counted so far, in the text form of Prometheus.
pub fn shown() -> String {
    kept().render()
}

/// Counts a request. Of what is no route of the service nothing is told apart: callers could make up any number of them.
pub fn served(method: &str, route: Option<&str>, status: u16, took: Duration) {
    static REQUESTS: AtomicU64 = AtomicU64::new(1);
    let known = ["GET", "HEAD", "POST", "PATCH", "DELETE"].into_iter().find(|known| *known == method);
    let route = route.unwrap_or("none").to_owned();
    metrics::counter!("fieldbook_requests_total",
        "method" => known.unwrap_or("other"), "route" => route.clone(), "status" => status.to_string())
    .increment(1);
    metrics::histogram!("fieldbook_request_seconds", "route" => route).record(took.as_secs_f64());
    if REQUESTS.fetch_add(1, Ordering::Relaxed).is_multiple_of(WAITING) {
        kept().run_upkeep();
    }
}
