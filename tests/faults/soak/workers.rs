//! Tasks that run during a soak. Some send random requests, one breaks off its requests, and some record
//! histories.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use reqwest::Method;
use serde_json::{Value, json};
use tokio::io::AsyncWriteExt;
use tokio::net::TcpStream;
use tokio::sync::watch;

use super::tally::Tally;
use crate::caller::{Caller, Outcome};
use crate::histories::Dice;
use crate::histories::check::check;
use crate::histories::record::{Client, Shared, record};

/// Wait of a worker when the service is down.
const BREATH: Duration = Duration::from_millis(50);
/// Maximum number of investigations of a worker. The oldest are deleted.
const MOST: usize = 40;
/// Maximum number of broken-off connections that stay open at a time.
const HELD: usize = 16;
/// Number of clients that share an investigation whose history is recorded, and number of requests that each client
/// sends.
const CLIENTS: usize = 4;
const CALLS: usize = 25;

#[derive(Clone)]
pub struct Worker {
    /// Client of the current service. It changes with each start of the service.
    pub service: watch::Receiver<Caller>,
    pub tally: Tally,
    pub stop: Arc<AtomicBool>,
}

impl Worker {
    fn goes_on(&self) -> bool {
        !self.stop.load(Ordering::Relaxed)
    }

    fn caller(&self) -> Caller {
        self.service.borrow().clone()
    }

    async fn ask(&self, name: &'static str, method: Method, path: &str, body: Option<&Value>) -> Option<Value> {
        let outcome = self.caller().ask(method, path, body).await;
        self.tally.note(name, &outcome);
        match outcome {
            Outcome::Done(told) => Some(told),
            Outcome::NotConnected => {
                tokio::time::sleep(BREATH).await;
                None
            }
            _ => None,
        }
    }

    /// Sends random requests of all kinds.
    pub async fn ask_at_random(self, mut dice: Dice, number: u64) {
        let mut ids: Vec<String> = Vec::new();
        let key = format!("hand{number}");
        while self.goes_on() {
            let n = dice.throw(1000);
            let pick = usize::try_from(dice.throw(ids.len() as u64)).unwrap_or_default();
            let Some(id) = ids.get(pick).filter(|_| n >= 60).cloned() else {
                let body = lesson(n);
                let made = self.ask("create", Method::POST, "/api/investigation", Some(&body)).await;
                ids.extend(made.and_then(|told| told["data"]["_id"].as_str().map(str::to_owned)));
                if ids.len() > MOST {
                    let oldest = ids.remove(0);
                    self.ask("delete", Method::DELETE, &format!("/api/investigation/{oldest}"), None).await;
                }
                continue;
            };
            let at = format!("/api/investigation/{id}");
            let link = format!("/api/link/{key}/{}", n % 7);
            let (name, method, path, body) = match n {
                60..250 => ("update", Method::PATCH, at, Some(json!({"title": format!("Cress {n}"), "grade": n % 12}))),
                250..290 => ("update", Method::PATCH, format!("{at}?dryRun=true"), Some(json!({"durationMinutes": n}))),
                290..330 => ("undo", Method::POST, format!("{at}/undo"), None),
                330..370 => ("redo", Method::POST, format!("{at}/redo"), None),
                370..400 => ("restore", Method::POST, format!("{at}/versions/{}/restore", n % 5), None),
                400..520 => ("get", Method::GET, at, None),
                520..560 => ("list", Method::GET, "/api/investigation?limit=10&sortBy=title".into(), None),
                560..590 => ("list", Method::GET, format!("/api/investigation?search=cress%20{}", n % 9), None),
                590..620 => ("versions", Method::GET, format!("{at}/versions"), None),
                620..640 => ("version", Method::GET, format!("{at}/versions/{}", n % 5), None),
                640..660 => ("history", Method::GET, format!("{at}/history/title"), None),
                660..680 => ("chat", Method::GET, format!("{at}/chat"), None),
                680..700 => ("converse", Method::POST, format!("{at}/chat"), Some(json!({"content": "And now?"}))),
                700..730 => field(&at, "resolve", "resolve-contradiction"),
                730..760 => field(&at, "regenerate", "regenerate"),
                760..780 => {
                    let made = self.ask("clone", Method::POST, &format!("{at}/clone"), None).await;
                    ids.extend(made.and_then(|told| told["data"]["_id"].as_str().map(str::to_owned)));
                    continue;
                }
                780..830 => {
                    let body = json!({"key": key, "subLink": (n % 7).to_string(), "description": "Cress"});
                    ("link", Method::POST, format!("/api/link/investigation/{id}"), Some(body))
                }
                830..860 => ("links", Method::GET, format!("/api/link/investigation/{id}"), None),
                860..940 => ("resolve a link", Method::GET, link, None),
                940..960 => ("visits", Method::GET, format!("{link}/visits"), None),
                960..970 => ("delete a link", Method::DELETE, link, None),
                970..980 => ("format", Method::GET, "/api/investigation/format".into(), None),
                980..990 => ("delete", Method::DELETE, at, None),
                _ => ("health", Method::GET, "/health/ready".into(), None),
            };
            self.ask(name, method, &path, body.as_ref()).await;
        }
    }

    /// Starts requests and abandons them: before the head is complete, inside the body, or before the response. Some
    /// connections stay open without traffic.
    pub async fn break_off(self, mut dice: Dice) {
        let mut held = Vec::new();
        while self.goes_on() {
            let Caller { base, token, .. } = self.caller();
            let Ok(mut stream) = TcpStream::connect(base.trim_start_matches("http://")).await else {
                tokio::time::sleep(BREATH).await;
                continue;
            };
            let head = format!("POST /api/investigation HTTP/1.1\r\nhost: x\r\nauthorization: Bearer {token}\r\n");
            let body = "content-type: application/json\r\ncontent-length: 30\r\n\r\n{\"title\":";
            let list = format!("GET /api/investigation HTTP/1.1\r\nhost: x\r\nauthorization: Bearer {token}\r\n\r\n");
            let text = match dice.throw(5) {
                0 => String::new(),
                1 => head.chars().take(40).collect(),
                2 => format!("{head}{body}"),
                3 => list,
                // Requests many responses that nobody reads.
                _ => list.repeat(50),
            };
            let _ = stream.write_all(text.as_bytes()).await;
            self.tally.counts().aborted += 1;
            if dice.throw(4) == 0 {
                held.push(stream);
            }
            if held.len() > HELD {
                held.clear();
            }
            tokio::time::sleep(BREATH).await;
        }
    }

    /// Records histories of investigations that several clients share, and checks that they are linearizable.
    pub async fn record(self, mut dice: Dice) {
        while self.goes_on() {
            let Ok(shared) = Shared::create(&client(&self.caller())).await else {
                tokio::time::sleep(BREATH).await;
                continue;
            };
            let mut events = Vec::new();
            for _ in 0..=dice.throw(3) {
                let caller = self.caller();
                let clients: Vec<Client> = std::iter::repeat_with(|| client(&caller)).take(CLIENTS).collect();
                match record(&shared, &clients, CALLS, dice.throw(u64::MAX)).await {
                    Ok(seen) => events.extend(seen),
                    Err(words) => return self.tally.counts().wrong.push(words),
                }
            }
            let checked =
                tokio::task::spawn_blocking(move || (check(Shared::begin().read_later(), &events), events.len())).await;
            let mut counts = self.tally.counts();
            match checked {
                Ok((Ok(()), operations)) => {
                    counts.histories += 1;
                    counts.operations += operations as u64;
                }
                Ok((Err(words), _)) => counts.wrong.push(words),
                Err(_) => counts.wrong.push("a check failed".into()),
            }
        }
    }
}

fn client(caller: &Caller) -> Client {
    Client { http: caller.http.clone(), base: caller.base.clone(), token: caller.token.clone(), shows_later: true }
}

/// Returns a lesson, which contradicts itself if the number is odd.
fn lesson(n: u64) -> Value {
    json!({
        "title": format!("Cress {n}"), "grade": 5, "curriculum": if n.is_multiple_of(3) { "NGSS" } else { "Lehrplan" },
        "durationMinutes": if n.is_multiple_of(2) { 60 } else { 20 },
        "steps": [{"text": "Put the cress on the window sill.", "minutes": 30}, {"text": "Draw it.", "minutes": 15}],
    })
}

fn field(at: &str, name: &'static str, operation: &str) -> (&'static str, Method, String, Option<Value>) {
    (name, Method::POST, format!("{at}/{operation}"), Some(json!({"fieldName": "durationMinutes"})))
}
