//! Copies of the service over one store. The process of a copy can be killed at any step, or stopped. The next process
//! uses the same store.

use std::cell::{Cell, RefCell};
use std::path::Path;
use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::http::{HeaderValue, Request, Response};
use fieldbook::admission::Admission;
use fieldbook::app::{
    ApiKeys, App, BackgroundChecks, Directory, EditLocks, HttpSettings, LinkPresses, ModelCalls, Parts, Passwords,
    Sheets, shown_proposals,
};
use fieldbook::assistant::Assistant;
use fieldbook::assistant::rules::{Field, FieldKind, Level, Rule, RuleFinding};
use fieldbook::clock::Clock;
use fieldbook::domain::schema::Schema;
use fieldbook::feed::Feed;
use fieldbook::ids::Ids;
use fieldbook::limits::Limits;
use fieldbook::profiles::Profiles;
use fieldbook::store::Store;
use fieldbook::tokens::Tokens;
use fieldbook::webhooks::{Receiver, Secrets, WebhookSettings, Webhooks};
use tokio::time::{sleep, timeout};
use tower::ServiceExt;

use crate::faults::Network;
use crate::scheduler::{Group, Scheduler, TaskId};

/// A schema with one field. The rule [`THREE`] forbids one value of it.
pub const SCHEMA: &str = r#"{"properties":{"n":{"type":"integer","x-complete":true}}}"#;

const THREE: Rule = Rule {
    id: "three",
    sentence: "n is not three.",
    fields: &[Field { name: "n", kind: FieldKind::Number }],
    level: Level::Contradiction,
    has_fix: false,
    patterns: &[],
    find: |document| match document.number("n")?.and_then(|n| n.as_i64()) {
        Some(3) => Ok(vec![RuleFinding { reason: "n is three.".to_owned(), ..RuleFinding::default() }]),
        _ => Ok(Vec::new()),
    },
};

/// Secret that signs the tokens.
pub const SECRET: &[u8] = b"a secret of the simulation, which has 32 bytes and more";

const WEBHOOK_SECRET: &str = "whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYX";

/// Time for which events are kept. No clock jumps that far.
const EVENTS_KEPT: Duration = Duration::from_secs(7 * 24 * 3600);
const STREAMS: u32 = 16;

/// Maximum time until a service ends after it is told to stop, even if its store does not answer.
const LONGEST_STOP: Duration = Duration::from_secs(60);

/// A copy of the service, with its current process, if any.
pub struct Copy {
    pub number: usize,
    pub clock: Clock,
    pub process: RefCell<Option<Rc<Process>>>,
}

pub struct Process {
    pub number: u64,
    group: Group,
    app: App,
    router: Router,
    accepts: Cell<bool>,
    stops: Cell<bool>,
    /// Number of tasks that must end before a stop is complete.
    under_way: Cell<usize>,
}

/// State that all processes share.
pub struct World {
    pub scheduler: Rc<Scheduler>,
    pub network: Network,
    pub receiver: Receiver,
    pub endpoints: Vec<String>,
    pub ids: Ids,
    pub folder: Box<Path>,
    pub last_process: Cell<u64>,
}

impl Copy {
    /// Starts a process, which serves requests once it is ready.
    pub fn start(&self, world: &World) {
        let number = world.last_process.replace(world.last_process.get() + 1);
        let group = world.scheduler.group();
        let faults = Arc::new(world.network.connection(number));
        let (store, writing) = Store::simulated(&world.folder, faults).expect("a store");
        world.scheduler.spawn(group, writing);
        let schema = Schema::parse(SCHEMA).expect("a schema");
        let secrets = Secrets::read(WEBHOOK_SECRET).expect("a secret");
        let settings = WebhookSettings { urls: world.endpoints.clone(), secrets };
        let webhooks = Webhooks::simulated(&world.receiver, &settings, world.ids.clone()).expect("endpoints");
        let app = App::new(Parts {
            admission: Arc::new(Admission::default()),
            sheets: Sheets::default(),
            store,
            assistant: Assistant::with_rules(vec![THREE].into()),
            schema,
            clock: self.clock.clone(),
            ids: world.ids.clone(),
            tokens: Tokens::with_secret(SECRET),
            profiles: Profiles::none(),
            api_keys: ApiKeys::default(),
            directory: Directory::default(),
            passwords: Passwords::default(),
            edit_locks: EditLocks::default(),
            model_calls: ModelCalls::default(),
            background_checks: BackgroundChecks::new(Duration::from_secs(2)),
            shown_proposals: shown_proposals(&self.clock),
            link_presses: LinkPresses::new(&self.clock),
            feed: Feed::new(EVENTS_KEPT, STREAMS).with_endpoints(webhooks.names()),
            webhooks,
            limits: Limits::new(0, 0, &self.clock),
            http: HttpSettings::default(),
        });
        let router = fieldbook::http::router(app.clone());
        let (accepts, stops, under_way) = (Cell::new(false), Cell::new(false), Cell::new(0));
        let process = Rc::new(Process { number, group, app, router, accepts, stops, under_way });
        self.process.replace(Some(process.clone()));
        // Does the same as `Server::serve`, but in a task, because the process may be killed before it serves.
        let scheduler = world.scheduler.clone();
        world.scheduler.spawn(group, async move {
            let app = process.app.clone();
            let watching = app.clone();
            process.run_beside(&scheduler, async move { watching.feed.watch(&watching.store, &watching.clock).await });
            app.webhooks.begin(&app.store).await;
            for endpoint in 0..app.webhooks.count() {
                let app = app.clone();
                process.run_beside(&scheduler, async move {
                    app.webhooks.deliver(endpoint, &app.store, &app.feed, &app.clock).await;
                });
            }
            // The process may have been told to stop before it was ready.
            process.accepts.set(!process.stops.get());
        });
    }

    /// Kills the process and all its tasks between two steps.
    pub fn kill(&self, world: &World) {
        let Some(process) = self.process.take() else { return };
        world.network.end(process.number);
        world.scheduler.end(process.group);
        // Readers hold the event streams, which are not tasks of the process. This call ends the streams.
        process.app.feed.end();
    }

    /// Ends the process after it has finished its work in progress.
    pub async fn stop(&self, world: &World) -> Result<(), String> {
        let Some(process) = self.process.borrow().clone() else { return Ok(()) };
        process.accepts.set(false);
        process.stops.set(true);
        process.app.model_calls.cancel();
        process.app.feed.end();
        process.app.store.stop_heavy_reads();
        let ended = timeout(LONGEST_STOP, async {
            while process.under_way.get() > 0 {
                sleep(Duration::from_millis(20)).await;
            }
            process.app.store.close().await;
        });
        let outcome = ended.await;
        // Another task may have killed the process meanwhile, and started another.
        if self.process.borrow().as_ref().is_some_and(|now| Rc::ptr_eq(now, &process)) {
            self.kill(world);
            return outcome.map_err(|_| format!("copy {} does not stop within {LONGEST_STOP:?}", self.number));
        }
        Ok(())
    }

    pub fn is_running(&self) -> bool {
        self.process.borrow().as_ref().is_some_and(|process| process.accepts.get())
    }

    /// Sends a request. Returns the task that handles it, and the receiver of its response. Returns `None` if no
    /// process accepts requests. The request then changed nothing.
    pub fn send(
        &self,
        world: &World,
        mut request: Request<Body>,
    ) -> Option<(TaskId, tokio::sync::oneshot::Receiver<Response<Body>>)> {
        let process = self.process.borrow().clone().filter(|process| process.accepts.get())?;
        for (name, value) in [("host", "simulated.example"), ("x-request-id", "simulated")] {
            request.headers_mut().insert(name, HeaderValue::from_static(value));
        }
        let (answer, answered) = tokio::sync::oneshot::channel();
        let router = process.router.clone();
        let task = process.run_beside(&world.scheduler, async move {
            let response = router.oneshot(request).await.unwrap_or_else(|never| match never {});
            // Sending fails if the client no longer waits.
            let _ = answer.send(response);
        });
        Some((task, answered))
    }
}

/// Guard that counts a task as work in progress until the guard is dropped.
struct UnderWay(Rc<Process>);

impl UnderWay {
    fn of(process: &Rc<Process>) -> Self {
        process.under_way.set(process.under_way.get() + 1);
        Self(process.clone())
    }
}

impl Drop for UnderWay {
    fn drop(&mut self) {
        self.0.under_way.set(self.0.under_way.get() - 1);
    }
}

impl Process {
    fn run_beside(self: &Rc<Self>, scheduler: &Scheduler, work: impl Future<Output = ()> + 'static) -> TaskId {
        let under_way = UnderWay::of(self);
        scheduler.spawn(self.group, async move {
            work.await;
            drop(under_way);
        })
    }
}
