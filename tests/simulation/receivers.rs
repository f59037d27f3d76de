//! Receivers of webhooks. They accept events, refuse them, do not answer, or accept them and lose the answer.

use std::sync::Arc;
use std::time::Duration;

use axum::http::Response;
use fieldbook::webhooks::{PostResult, Receiver};
use parking_lot::{Mutex, MutexGuard};
use tokio::time::sleep;

use crate::histories::Dice;
use crate::trace::Trace;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    /// The receiver accepts events.
    Healthy,
    /// The receiver behaves in one of the other ways, at random.
    Random,
    /// The receiver answers with an error, sometimes with `Retry-After`.
    Refusing,
    /// The receiver does not answer until the service gives up.
    Silent,
    /// The receiver accepts events, but its answers are lost.
    Unheard,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sent {
    pub endpoint: String,
    pub id: String,
    pub body: String,
    pub is_taken: bool,
}

/// All receivers. Cheap to clone.
#[derive(Clone)]
pub struct Receivers(Arc<Mutex<State>>, Trace);

struct State {
    mode: Mode,
    dice: Dice,
    sent: Vec<Sent>,
}

impl Receivers {
    pub fn new(dice: Dice, trace: Trace) -> Self {
        Self(Arc::new(Mutex::new(State { mode: Mode::Healthy, dice, sent: Vec::new() })), trace)
    }

    pub fn set_mode(&self, mode: Mode) {
        self.state().mode = mode;
    }

    /// Returns all events that were sent, in order.
    pub fn sent(&self) -> Vec<Sent> {
        self.state().sent.clone()
    }

    /// Returns true if this endpoint has accepted all events with these ids.
    pub fn have_taken(&self, endpoint: &str, ids: &[String]) -> bool {
        let state = self.state();
        let took =
            |id: &String| state.sent.iter().any(|sent| sent.is_taken && sent.endpoint == endpoint && sent.id == *id);
        ids.iter().all(took)
    }

    pub fn receiver(&self) -> Receiver {
        let receivers = self.clone();
        Arc::new(move |request| {
            let receivers = receivers.clone();
            Box::pin(async move {
                let endpoint = request.url().to_string();
                let id =
                    request.headers().get("webhook-id").and_then(|id| id.to_str().ok()).unwrap_or_default().to_owned();
                let body = request.body().and_then(|body| body.as_bytes()).unwrap_or_default();
                let body = String::from_utf8_lossy(body).into_owned();
                receivers.receive(endpoint, id, body).await
            })
        })
    }

    async fn receive(self, endpoint: String, id: String, body: String) -> PostResult {
        let (mode, way, patience) = {
            let mut state = self.state();
            let any = [Mode::Healthy, Mode::Healthy, Mode::Refusing, Mode::Unheard, Mode::Silent];
            let mode = match state.mode {
                Mode::Random => any[state.dice.throw(5) as usize],
                mode => mode,
            };
            (mode, Duration::from_millis(state.dice.throw(50)), state.dice.throw(3))
        };
        sleep(way).await;
        let is_taken = matches!(mode, Mode::Healthy | Mode::Unheard);
        self.1.note(|| format!("webhook  {endpoint} {id}: {mode:?}"));
        self.state().sent.push(Sent { endpoint, id, body, is_taken });
        let answer = |status: u16| Response::builder().status(status);
        match mode {
            Mode::Healthy => Ok(answer(204).body("").expect("an answer").into()),
            Mode::Refusing if patience == 0 => {
                Ok(answer(503).header("retry-after", "7").body("").expect("an answer").into())
            }
            Mode::Refusing | Mode::Random => Ok(answer(500).body("").expect("an answer").into()),
            Mode::Silent => {
                sleep(Duration::from_secs(15)).await;
                Err("it did not answer in time".to_owned())
            }
            Mode::Unheard => Err("the connection was closed".to_owned()),
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock()
    }
}
