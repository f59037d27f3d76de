//! Metrics for Prometheus. Code records values through the facade of the crate `metrics`. This module describes, stores
//! and formats them.

mod process;

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use metrics_exporter_prometheus::{Matcher, PrometheusBuilder, PrometheusHandle};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Counter,
    Gauge,
    Histogram,
}

#[derive(Debug, Clone, Copy)]
pub struct Metric {
    /// Name of the metric, which contains its unit.
    pub name: &'static str,
    pub kind: Kind,
    pub labels: &'static [&'static str],
    pub help: &'static str,
}

const fn metric(name: &'static str, kind: Kind, labels: &'static [&'static str], help: &'static str) -> Metric {
    Metric { name, kind, labels, help }
}

/// All metrics. The table in `docs/operators/observing.md` lists the same metrics.
#[rustfmt::skip]
pub const METRICS: [Metric; 31] = [
    metric("fieldbook_build_info", Kind::Gauge, &["version"], "Always 1; the label is the version of the program."),
    metric("fieldbook_requests_total", Kind::Counter, &["method", "route", "status", "code"], "Requests served. The label code is the error code, or none."),
    metric("fieldbook_request_seconds", Kind::Histogram, &["route"], "Duration of requests."),
    metric("fieldbook_rate_limited_total", Kind::Counter, &["limit"], "Requests refused by a rate limit."),
    metric("fieldbook_visits_total", Kind::Counter, &["outcome"], "Visits of links: counted, asked (shown a button), or the reason why not."),
    metric("fieldbook_store_batch_size", Kind::Histogram, &[], "Changes and visits per transaction of the store."),
    metric("fieldbook_store_commit_seconds", Kind::Histogram, &[], "Duration of a transaction of the embedded store, including the sync to disk."),
    metric("fieldbook_store_queue_length", Kind::Gauge, &[], "Changes and visits that wait for the store now."),
    metric("fieldbook_store_connections_in_use", Kind::Gauge, &["pool"], "Connections of a pool that are in use now."),
    metric("fieldbook_store_connections_max", Kind::Gauge, &["pool"], "Maximum number of connections of a pool."),
    metric("fieldbook_store_size_bytes", Kind::Gauge, &[], "Size of the store file or of the PostgreSQL database."),
    metric("fieldbook_reads_stopped_total", Kind::Counter, &["reason"], "Reads that were stopped: at their deadline, because the caller was gone, or because the service stopped."),
    metric("fieldbook_model_calls_total", Kind::Counter, &["outcome"], "Calls to the language model."),
    metric("fieldbook_model_call_seconds", Kind::Histogram, &[], "Duration of calls to the language model."),
    metric("fieldbook_model_tokens_total", Kind::Counter, &["kind"], "Tokens of the language model: prompt and completion."),
    metric("fieldbook_model_invalid_answers_total", Kind::Counter, &[], "Answers of the language model that could not be read."),
    metric("fieldbook_model_findings_dropped_total", Kind::Counter, &["reason"], "Findings of the language model that were rejected."),
    metric("fieldbook_model_circuit_open", Kind::Gauge, &[], "1 from a pause of calls to the language model, of all users or of one, until a call succeeds."),
    metric("fieldbook_contradictions_incomplete_total", Kind::Counter, &["cause"], "Documents that a rule or the language model failed to check completely."),
    metric("fieldbook_profile_lookups_total", Kind::Counter, &["outcome"], "Lookups of author profiles."),
    metric("fieldbook_profile_lookup_seconds", Kind::Histogram, &[], "Duration of lookups that called the profile service."),
    metric("fieldbook_profile_service_circuit_open", Kind::Gauge, &[], "1 while calls to the profile service pause after failures."),
    metric("fieldbook_event_streams", Kind::Gauge, &[], "Open event streams."),
    metric("fieldbook_webhook_deliveries_total", Kind::Counter, &["outcome"], "Attempts to deliver events: delivered, failed, gone; and events given up."),
    metric("fieldbook_token_key_fetches_total", Kind::Counter, &["outcome"], "Fetches of the identity provider's keys: fetched or failed."),
    metric("fieldbook_token_keys_fetched_timestamp_seconds", Kind::Gauge, &[], "When the current keys of the identity provider were fetched; they are valid for a day."),
    metric("fieldbook_tokens_without_user_total", Kind::Counter, &[], "Uses of tokens that name no user of this service."),
    metric("process_cpu_seconds_total", Kind::Counter, &[], "CPU time of the process, in whole seconds."),
    metric("process_resident_memory_bytes", Kind::Gauge, &[], "Memory of the process that is in RAM."),
    metric("process_open_fds", Kind::Gauge, &[], "Open files and sockets of the process."),
    metric("process_start_time_seconds", Kind::Gauge, &[], "When the process started to serve, as seconds since 1970."),
];

/// Upper bounds of the buckets of histograms whose names end in `_size`.
const BATCHES: [f64; 9] = [1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0, 128.0, 256.0];

/// Upper bounds, in seconds, of the buckets of histograms whose names end in `_seconds`.
const SECONDS: [f64; 14] = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 15.0, 60.0];

/// Number of requests after which recorded values are sorted into buckets. Until then, each value takes memory. Reading
/// the metrics also sorts them.
const UPKEEP_INTERVAL: u64 = 4096;

/// Handle of the recorder. The crate `metrics` allows only one recorder per process.
static RECORDER: OnceLock<PrometheusHandle> = OnceLock::new();

fn recorder() -> &'static PrometheusHandle {
    RECORDER.get_or_init(|| {
        let bounds = PrometheusBuilder::new()
            .set_buckets_for_metric(Matcher::Suffix("_seconds".to_owned()), &SECONDS)
            .and_then(|builder| builder.set_buckets_for_metric(Matcher::Suffix("_size".to_owned()), &BATCHES));
        let recorder = bounds.unwrap_or_default().build_recorder();
        let handle = recorder.handle();
        if metrics::set_global_recorder(recorder).is_err() {
            tracing::error!("another metrics recorder is installed in this process: /metrics stays empty");
        }
        describe();
        process::record();
        handle
    })
}

fn describe() {
    for Metric { name, kind, labels: _, help } in METRICS {
        match kind {
            Kind::Counter => metrics::describe_counter!(name, help),
            Kind::Gauge => metrics::describe_gauge!(name, help),
            Kind::Histogram => metrics::describe_histogram!(name, help),
        }
    }
}

/// Starts recording. Values that code reports before this call are lost.
pub fn install() {
    recorder();
}

pub fn render() -> String {
    let recorder = recorder();
    process::record();
    recorder.render()
}

/// Counts a request and records its duration. `code` is the error code of the response, or `none`. All requests for
/// unknown routes share the label `none`, because callers could invent any number of routes.
pub fn count_request(method: &str, route: Option<&str>, status: u16, code: &'static str, took: Duration) {
    static REQUESTS: AtomicU64 = AtomicU64::new(1);
    let known = ["GET", "HEAD", "POST", "PATCH", "DELETE"].into_iter().find(|known| *known == method);
    let method = known.unwrap_or("other");
    let route: Arc<str> = route.unwrap_or("none").into();
    metrics::counter!("fieldbook_requests_total", "method" => method, "route" => route.clone(),
        "status" => status.to_string(), "code" => code)
    .increment(1);
    metrics::histogram!("fieldbook_request_seconds", "route" => route).record(took.as_secs_f64());
    if REQUESTS.fetch_add(1, Ordering::Relaxed).is_multiple_of(UPKEEP_INTERVAL) {
        recorder().run_upkeep();
    }
}
