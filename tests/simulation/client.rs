//! Clients edit shared investigations, create, clone and link investigations, and visit links, over a network that
//! loses requests and responses.

use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::time::Duration;

use axum::body::{Body, to_bytes};
use axum::http::{Request, StatusCode};
use reqwest::Method;
use serde_json::{Value, json};
use tokio::time::{sleep, timeout};

use crate::creating;
use crate::histories::Dice;
use crate::histories::check::Event;
use crate::histories::model::{Answer, Asked, Call};
use crate::histories::record::{self, Outcome};
use crate::service::Copy;
use crate::simulation::{Simulation, dice};

/// User who edits the investigations.
pub const EDITOR: &str = "aaaaaaaaaaaaaaaaaaaaaaaa";

const CALLS: u64 = 14;

pub struct Client {
    pub simulation: Rc<Simulation>,
    pub by: usize,
    pub dice: RefCell<Dice>,
}

#[derive(Debug)]
pub struct Response {
    pub status: StatusCode,
    pub json: Value,
    pub is_replayed: bool,
}

/// Result of a request, as far as the client knows.
#[derive(Debug)]
pub enum Reply {
    Answer(Response),
    /// The request changed nothing, as the response says or because no connection was made.
    Refused,
    /// The request may have been executed or not.
    Unanswered,
}

/// An investigation that several clients edit.
pub struct Shared {
    pub id: String,
    pub events: RefCell<Vec<Event>>,
    /// The newest version in any response.
    newest: Cell<u64>,
}

/// Revision and newest version of an investigation that a client last saw.
type Seen = (u64, u64);

/// Runs a client until it has sent its requests.
pub async fn work(simulation: Rc<Simulation>, by: usize) {
    let client = Client::new(&simulation, by);
    let shared: Vec<Rc<Shared>> = simulation.shared.borrow().clone();
    let mut seen: Vec<Seen> = vec![(1, 0); shared.len()];
    for _ in 0..CALLS {
        // Most requests are close together, so that they overlap.
        let pause = if client.throw(4) > 0 { 15 } else { 2000 };
        sleep(Duration::from_millis(client.throw(pause))).await;
        let which = client.throw(shared.len() as u64) as usize;
        let done = match client.throw(100) {
            0..62 => shared[which].edit(&client, &mut seen[which]).await,
            62..72 => creating::create(&client).await,
            72..78 => creating::clone(&client, &shared[which].id).await,
            78..86 => creating::link(&client, which, &shared[which].id).await,
            _ => creating::visit(&client).await,
        };
        if let Err(violation) = done {
            simulation.violation(format!("client {by}: {violation}"));
        }
    }
    simulation.at_work.set(simulation.at_work.get() - 1);
}

impl Client {
    pub fn new(simulation: &Rc<Simulation>, by: usize) -> Self {
        Self { simulation: simulation.clone(), by, dice: RefCell::new(dice(simulation, by as u64)) }
    }

    pub fn throw(&self, sides: u64) -> u64 {
        self.dice.borrow_mut().throw(sides)
    }

    /// Returns true with this probability. Always returns false in the calm phases, in which nothing goes wrong.
    fn goes_wrong(&self, percent: u64) -> bool {
        self.throw(100) < percent && !self.simulation.calm.get()
    }

    /// Sends a request as this user to any copy of the service.
    pub async fn ask(
        &self,
        user: &str,
        method: Method,
        path: &str,
        header: Option<(&'static str, String)>,
        body: Option<&Value>,
    ) -> Reply {
        let number = self.simulation.moment();
        let shown = || {
            let with = header.as_ref().map(|(name, value)| format!(" {name}: {value}")).unwrap_or_default();
            format!("client   {} asks {number}: {method} {path}{with} {}", self.by, body.unwrap_or(&Value::Null))
        };
        self.simulation.trace.note(shown);
        let mut request = Request::builder().method(method.as_str()).uri(path);
        request = request.header("authorization", format!("Bearer {}", self.simulation.token(user)));
        if let Some((name, value)) = &header {
            request = request.header(*name, value);
        }
        let request = match body {
            Some(body) => request.header("content-type", "application/json").body(Body::from(body.to_string())),
            None => request.body(Body::empty()),
        };
        let reply = self.exchange(request.expect("a request")).await;
        self.simulation.trace.note(|| match &reply {
            Reply::Answer(Response { status, json, .. }) => {
                format!("client   {} told {number}: {status} {json}", self.by)
            }
            reply => format!("client   {} told {number}: {reply:?}", self.by),
        });
        reply
    }

    /// Chooses a copy, usually one that is running.
    async fn copy(&self) -> &Copy {
        let any = || &self.simulation.copies[self.throw(self.simulation.copies.len() as u64) as usize];
        for _ in 0..20 {
            let copy = any();
            if copy.is_running() {
                return copy;
            }
            sleep(Duration::from_millis(200)).await;
        }
        any()
    }

    async fn exchange(&self, request: Request<Body>) -> Reply {
        let simulation = &self.simulation;
        let copy = self.copy().await;
        sleep(Duration::from_millis(self.throw(30))).await;
        if self.goes_wrong(3) {
            sleep(Duration::from_secs(1)).await;
            return Reply::Unanswered;
        }
        let Some((task, answered)) = copy.send(&simulation.world, request) else { return Reply::Refused };
        let patience = if self.goes_wrong(12) { 1 + self.throw(600) } else { 60_000 };
        let response = match timeout(Duration::from_millis(patience), answered).await {
            Ok(Ok(response)) => response,
            Ok(Err(_)) => return Reply::Unanswered,
            Err(_) => {
                // Half of these clients close the connection, which ends the work. The others only stop waiting.
                if self.throw(2) == 0 {
                    simulation.world.scheduler.cancel(task);
                }
                return Reply::Unanswered;
            }
        };
        sleep(Duration::from_millis(self.throw(30))).await;
        if self.goes_wrong(5) {
            return Reply::Unanswered;
        }
        let status = response.status();
        let is_replayed = response.headers().contains_key("idempotent-replayed");
        let bytes = to_bytes(response.into_body(), usize::MAX).await.unwrap_or_default();
        let json = serde_json::from_slice(&bytes).unwrap_or(Value::Null);
        Reply::Answer(Response { status, json, is_replayed }).taken_at_its_word()
    }
}

impl Response {
    pub fn code(&self) -> Option<&str> {
        self.json["code"].as_str()
    }
}

impl Reply {
    /// Turns an error into `Refused` if it says that nothing was changed, and into `Unanswered` if it is unclear.
    fn taken_at_its_word(self) -> Self {
        let Reply::Answer(answer) = &self else { return self };
        let text = |name: &str| answer.json[name].as_str().unwrap_or_default();
        match answer.code() {
            Some("busy" | "too_many_changes" | "stopping" | "deadline_exceeded") => Reply::Refused,
            Some("store_unavailable") => {
                match [text("message"), text("error")].concat().contains("Nothing was changed") {
                    true => Reply::Refused,
                    false => Reply::Unanswered,
                }
            }
            _ => self,
        }
    }
}

impl Shared {
    /// Creates an investigation while the simulation is calm.
    pub async fn create(client: &Client) -> Result<Self, String> {
        // The author is explicit, so that no update sets the author.
        let body = json!({"n": 0, "metadata": {"author": "cccccccccccccccccccccccc"}});
        match client.ask(EDITOR, Method::POST, "/api/investigation", None, Some(&body)).await {
            Reply::Answer(Response { status: StatusCode::CREATED, json, .. }) => {
                let id = json["data"]["_id"].as_str().unwrap_or_default().to_owned();
                Ok(Self { id, events: RefCell::default(), newest: Cell::new(0) })
            }
            reply => Err(format!("nothing was created while all was calm: {reply:?}")),
        }
    }

    /// Sends one random request for the investigation.
    async fn edit(&self, client: &Client, (revision, version): &mut Seen) -> Result<(), String> {
        let call = match client.throw(60) {
            0 => Call { asked: Asked::Delete, only_on: None },
            _ => record::choose(&mut client.dice.borrow_mut(), *revision, *version),
        };
        match self.ask(client, call).await? {
            Some(Answer::Stands { revision: now, version: at, .. }) => (*revision, *version) = (now, at.max(*version)),
            Some(Answer::Changed { revision: now }) => *revision = now,
            _ => {}
        }
        Ok(())
    }

    async fn ask(&self, client: &Client, call: Call) -> Result<Option<Answer>, String> {
        let (method, path, body) = record::request(&self.id, call.asked);
        let header = call.only_on.map(|revision| ("if-match", format!("\"{revision}\"")));
        let begin = client.simulation.moment();
        let reply = client.ask(EDITOR, method, &path, header, body.as_ref()).await;
        let changes = !matches!(call.asked, Asked::Read | Asked::ReadVersion(_));
        let unanswered = Event { by: client.by, call, told: None, begin, end: u64::MAX };
        let told = match reply {
            Reply::Refused => return Ok(None),
            Reply::Unanswered => {
                self.events.borrow_mut().extend(changes.then_some(unanswered));
                return Ok(None);
            }
            Reply::Answer(answer) => match record::read(call.asked, answer.status.as_u16(), &answer.json) {
                Some(Outcome::Answer(told)) => told,
                _ => return Err(format!("{call:?} was answered {answer:?}")),
            },
        };
        if let Answer::Stands { version, .. } = told {
            self.newest.set(self.newest.get().max(version));
        }
        let end = client.simulation.moment();
        self.events.borrow_mut().push(Event { told: Some(told), end, ..unanswered });
        Ok(Some(told))
    }

    /// Reads the investigation and each version while the simulation is calm, and a version that does not exist.
    pub async fn read_all(&self, client: &Client) -> Result<(), String> {
        let mut version = 0;
        let mut asked = Asked::Read;
        loop {
            match self.ask(client, Call { asked, only_on: None }).await? {
                Some(Answer::Stands { .. } | Answer::Was { .. }) => {}
                Some(Answer::NoSuchVersion) if version > self.newest.get() => return Ok(()),
                Some(Answer::Unknown) => return Ok(()),
                told => return Err(format!("{asked:?} of {} at the end: {told:?}", self.id)),
            }
            asked = Asked::ReadVersion(version);
            version += 1;
        }
    }
}
