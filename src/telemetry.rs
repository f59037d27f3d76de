//! Traces of requests, and of the calls to other services that a request causes. The traces are sent to a collector
//! over OTLP; without a collector, nothing is traced. A separate thread sends the spans from a bounded queue, so a slow
//! or unavailable collector causes lost spans, but no delays.

use std::collections::HashMap;
use std::sync::OnceLock;
use std::time::Duration;

use opentelemetry::propagation::TextMapPropagator;
use opentelemetry::trace::{FutureExt, SpanKind, Status, TraceContextExt, Tracer, TracerProvider, WithContext};
use opentelemetry::{Context, KeyValue, Value};
use opentelemetry_otlp::{SpanExporter, WithExportConfig, WithTonicConfig};
use opentelemetry_sdk::Resource;
use opentelemetry_sdk::propagation::TraceContextPropagator;
use opentelemetry_sdk::trace::SdkTracerProvider;

use crate::grpc::{self, Address};

/// Time limit for sending a batch of spans, including connecting.
const EXPORT_TIMEOUT: Duration = Duration::from_secs(3);

/// Maximum wait for sending the last spans when the service stops.
const LAST_SPANS: Duration = Duration::from_secs(2);

/// The tracer provider of the process; unset if there is no collector.
static PROVIDER: OnceLock<SdkTracerProvider> = OnceLock::new();

/// Starts tracing, without waiting for the collector. The collector must support OTLP over gRPC. Must be called on an
/// async runtime that outlives the service.
///
/// # Errors
/// A text that says why tracing cannot start.
pub fn begin(collector: &Address) -> Result<(), String> {
    let endpoint = collector.endpoint().map_err(|error| error.to_string())?;
    let channel = grpc::channel(&endpoint.connect_timeout(EXPORT_TIMEOUT).timeout(EXPORT_TIMEOUT));
    let exporter = SpanExporter::builder().with_tonic().with_channel(channel).with_timeout(EXPORT_TIMEOUT);
    let exporter = exporter.build().map_err(|error| error.to_string())?;
    let resource = Resource::builder()
        .with_service_name("fieldbook")
        .with_attribute(KeyValue::new("service.version", env!("CARGO_PKG_VERSION")))
        .build();
    let provider = SdkTracerProvider::builder().with_batch_exporter(exporter).with_resource(resource).build();
    PROVIDER.set(provider).map_err(|_| "another tracer is installed in this process".to_owned())
}

/// Sends the remaining spans. Gives up after two seconds.
pub async fn end() {
    let Some(provider) = PROVIDER.get() else { return };
    let shut_down = tokio::task::spawn_blocking(|| provider.shutdown_with_timeout(LAST_SPANS));
    if !matches!(tokio::time::timeout(LAST_SPANS, shut_down).await, Ok(Ok(Ok(())))) {
        tracing::warn!("the last spans may not have reached the collector");
    }
}

/// Work with a span, such as a request or a call to another service. The span ends when the last clone is dropped.
/// Without a collector, there is no span.
#[derive(Clone)]
pub struct Work(Context);

/// Starts the span of a request. If a header `traceparent` (W3C) names the caller's trace, the span joins that trace.
pub fn request<'h>(method: &str, route: &str, header: impl Fn(&str) -> Option<&'h str>) -> Work {
    if PROVIDER.get().is_none() {
        return Work(Context::new());
    }
    let propagator = TraceContextPropagator::new();
    let given = propagator.fields().filter_map(|name| Some((name.to_owned(), header(name)?.to_owned())));
    let parent = propagator.extract_with_context(&Context::new(), &given.collect::<HashMap<_, _>>());
    start_span(format!("{method} {route}"), SpanKind::Server, &parent)
}

/// Starts the span of a call to another service. The parent of the span is the current work.
pub fn call(name: &'static str) -> Work {
    start_span(name.to_owned(), SpanKind::Client, &Context::current())
}

fn start_span(name: String, kind: SpanKind, parent: &Context) -> Work {
    let Some(provider) = PROVIDER.get() else { return Work(parent.clone()) };
    let tracer = provider.tracer("fieldbook");
    Work(parent.with_span(tracer.span_builder(name).with_kind(kind).start_with_context(&tracer, parent)))
}

/// Attaches a future to the current trace, even if the future runs on another thread.
pub fn in_current_trace<F: Future>(future: F) -> WithContext<F> {
    future.with_current_context()
}

impl Work {
    pub fn trace<F: Future>(&self, future: F) -> WithContext<F> {
        future.with_context(self.0.clone())
    }

    /// Adds an attribute to the span, if the work is traced. Names follow the conventions of OpenTelemetry. Values must
    /// not contain text of users.
    pub fn note<V: Into<Value>>(&self, name: &'static str, value: impl FnOnce() -> V) {
        let span = self.0.span();
        if span.is_recording() {
            span.set_attribute(KeyValue::new(name, value()));
        }
    }

    /// Marks the work as failed. `reason` must be one of a few fixed texts, such as `timed_out`.
    pub fn failed(&self, reason: &'static str) {
        self.note("error.type", || reason);
        self.0.span().set_status(Status::error(reason));
    }

    pub fn current() -> Self {
        Self(Context::current())
    }

    /// Returns headers that let another service join the trace; empty if the work is not traced.
    pub fn trace_headers(&self) -> HashMap<String, String> {
        let mut headers = HashMap::new();
        TraceContextPropagator::new().inject_context(&self.0, &mut headers);
        // An empty `tracestate` header must not be sent.
        headers.retain(|_, value| !value.is_empty());
        headers
    }
}
