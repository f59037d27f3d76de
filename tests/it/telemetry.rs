//! Traces over OTLP. The service runs as a separate process and sends its spans to a collector over gRPC.

use std::net::SocketAddr;
use std::process::{Command, Stdio};
use std::sync::Arc;

use opentelemetry_proto::tonic::collector::trace::v1::trace_service_server::{TraceService, TraceServiceServer};
use opentelemetry_proto::tonic::collector::trace::v1::{ExportTraceServiceRequest, ExportTraceServiceResponse};
use opentelemetry_proto::tonic::common::v1::any_value::Value as Given;
use opentelemetry_proto::tonic::trace::v1::Span;
use tokio::net::TcpListener;
use tokio::sync::watch;
use tonic::transport::Server;
use tonic::transport::server::TcpIncoming;
use tonic::{Request, Response, Status};

use crate::authoring::{at_odds, finds_birds};
use crate::support::endpoint::Endpoint;
use crate::support::process::{Service, fieldbook, token};
use crate::support::profile_service::{Played, knows_all};
use crate::support::{Caller, TEACHER};

/// The ids of the caller's trace and of the caller's span.
const TRACE: &str = "0af7651916cd43dd8448eb211c80319c";
const CALLER: &str = "b7ad6b7169203331";

#[derive(Clone, Default)]
struct Collector(Arc<watch::Sender<Vec<Span>>>);

#[tonic::async_trait]
impl TraceService for Collector {
    async fn export(
        &self,
        request: Request<ExportTraceServiceRequest>,
    ) -> Result<Response<ExportTraceServiceResponse>, Status> {
        let resources = request.into_inner().resource_spans;
        assert!(resources.iter().all(|one| format!("{:?}", one.resource).contains("\"fieldbook\"")), "{resources:?}");
        let version = format!("\"{}\"", env!("CARGO_PKG_VERSION"));
        assert!(resources.iter().all(|one| format!("{:?}", one.resource).contains(&version)), "{resources:?}");
        let scopes = resources.into_iter().flat_map(|resource| resource.scope_spans);
        self.0.send_modify(|spans| spans.extend(scopes.flat_map(|scope| scope.spans)));
        Ok(Response::new(ExportTraceServiceResponse::default()))
    }
}

impl Collector {
    async fn start() -> (Self, SocketAddr) {
        let collector = Self::default();
        let incoming = TcpIncoming::bind(([127, 0, 0, 1], 0).into()).expect("a port");
        let address = incoming.local_addr().expect("an address");
        let server = Server::builder().add_service(TraceServiceServer::new(collector.clone()));
        tokio::spawn(async move { server.serve_with_incoming(incoming).await.expect("it serves") });
        (collector, address)
    }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn text(span: &Span, name: &str) -> String {
    let found = span.attributes.iter().find(|attribute| attribute.key == name);
    match found.and_then(|attribute| attribute.value.as_ref()?.value.as_ref()) {
        Some(Given::StringValue(text)) => text.clone(),
        Some(Given::IntValue(number)) => number.to_string(),
        other => panic!("{name} of {} is {other:?}", span.name),
    }
}

/// Stops the service, and asserts that it ends without an error.
async fn stopped(mut service: Service) {
    let told = Command::new("kill").args(["-TERM", &service.process.id().to_string()]).status();
    assert!(told.is_ok_and(|status| status.success()));
    let ended = tokio::task::spawn_blocking(move || service.process.wait().expect("ended")).await;
    assert!(ended.expect("it ends").success());
}

/// Returns a client whose requests are part of the caller's trace.
fn caller(service: &Service, token: &str) -> Caller {
    Caller::of(service.base.clone()).bearing(token).with_header("traceparent", &format!("00-{TRACE}-{CALLER}-01"))
}

#[tokio::test(flavor = "multi_thread")]
async fn request_and_its_outgoing_calls_are_spans_in_the_trace_of_the_caller() {
    let folder = tempfile::tempdir().expect("a folder");
    let (collector, address) = Collector::start().await;
    let (model, profiles) = (Endpoint::start(finds_birds).await, Played::start(knows_all).await);
    let (at, asked_at, known_at) =
        (format!("http://{address}"), model.settings().base_url, format!("http://{}", profiles.address));
    let token = token(folder.path());
    let traced = ["--otlp-endpoint", &at, "--profiles-url", &known_at];
    let model_at = ["--assistant", "openai", "--assistant-base-url", &asked_at, "--assistant-model", "muse"];
    let service = Service::start_with(folder.path(), &[&traced[..], &model_at].concat());
    caller(&service, &token).create(at_odds()).await;
    // The service sends its remaining spans before it ends.
    stopped(service).await;
    let spans = collector.0.borrow().clone();
    assert!(spans.iter().all(|span| hex(&span.trace_id) == TRACE), "{spans:?}");
    let of = |name: &str| -> Vec<&Span> { spans.iter().filter(|span| span.name == name).collect() };
    let [request] = of("POST /api/investigation")[..] else { panic!("{spans:?}") };
    assert_eq!(hex(&request.parent_span_id), CALLER);
    assert_eq!(
        (text(request, "http.request.method"), text(request, "http.route"), text(request, "http.response.status_code")),
        ("POST".to_owned(), "/api/investigation".to_owned(), "201".to_owned())
    );
    let (asked, known) = (of("language model"), of("profile service"));
    for call in asked.iter().chain(&known) {
        assert_eq!(call.parent_span_id, request.span_id, "{call:?}");
    }
    assert_eq!(text(asked[0], "gen_ai.request.model"), "muse");
    // Each called service gets the span of its own call as the parent.
    let under = |calls: &[&Span]| -> Vec<String> {
        let mut all: Vec<_> = calls.iter().map(|call| format!("00-{TRACE}-{}-01", hex(&call.span_id))).collect();
        all.sort();
        all
    };
    let mut passed_on: Vec<String> = model.all().into_iter().filter_map(|question| question.traceparent).collect();
    passed_on.sort();
    assert_eq!((passed_on.len(), passed_on), (1, under(&asked)));
    let passed_on: Vec<String> = profiles.asked().into_iter().filter_map(|call| call.traceparent).collect();
    assert_eq!(passed_on, under(&known));
    let words = format!("{spans:?}");
    for word in ["birds", token.as_str(), TEACHER] {
        assert!(!words.contains(word), "{word}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn service_works_and_logs_a_warning_if_the_trace_collector_is_unreachable() {
    let silent = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let nobody = TcpListener::bind("127.0.0.1:0").await.expect("a port").local_addr().expect("an address");
    for address in [silent.local_addr().expect("an address"), nobody] {
        let folder = tempfile::tempdir().expect("a folder");
        let mut program = fieldbook("serve", folder.path());
        program.args(["--otlp-endpoint", &format!("http://{address}")]).stderr(Stdio::piped());
        let mut service = Service::of(program);
        let caller = caller(&service, &token(folder.path()));
        for _ in 0..20 {
            caller.create(at_odds()).await;
        }
        let log = service.process.stderr.take().expect("its log");
        stopped(service).await;
        let log = std::io::read_to_string(log).expect("a text");
        assert!(log.contains("BatchSpanProcessor"), "{log}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn no_spans_are_sent_unless_a_trace_collector_is_configured() {
    let folder = tempfile::tempdir().expect("a folder");
    let profiles = Played::start(knows_all).await;
    let service = Service::start_with(folder.path(), &["--profiles-url", &format!("http://{}", profiles.address)]);
    caller(&service, &token(folder.path())).create(at_odds()).await;
    assert_eq!(profiles.asked().into_iter().map(|call| call.traceparent).collect::<Vec<_>>(), [None]);
    stopped(service).await;
}
