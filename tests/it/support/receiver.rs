//! A receiver of webhooks: a real server that records the events it receives, and responds as the test defines.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex};

use aws_lc_rs::hmac;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::Value;
use tokio::sync::watch;
use wiremock::matchers::method;
use wiremock::{Mock, MockServer, Request, Respond, ResponseTemplate};

/// Bytes of the secret that signs the webhooks of tests.
pub const KEY: [u8; 32] = [42; 32];

pub fn secret() -> String {
    format!("whsec_{}", STANDARD.encode(KEY))
}

/// A webhook request that was received.
#[derive(Debug, Clone, PartialEq)]
pub struct Sent {
    /// Header `webhook-id`.
    pub id: String,
    /// Header `webhook-timestamp`, in seconds since 1970.
    pub seconds: i64,
    pub payload: Value,
    /// True if the signature is valid.
    pub is_signed: bool,
    /// True if the receiver accepted the event.
    pub is_taken: bool,
}

pub struct Receiver {
    server: MockServer,
    noted: Noted,
    seen: watch::Receiver<usize>,
}

#[derive(Clone)]
struct Noted {
    all: Arc<Mutex<Vec<Sent>>>,
    answers: Arc<Mutex<VecDeque<(u16, ResponseTemplate)>>>,
    count: watch::Sender<usize>,
}

impl Respond for Noted {
    fn respond(&self, request: &Request) -> ResponseTemplate {
        let header = |name: &str| request.headers[name].to_str().expect("a text").to_owned();
        let (id, timestamp) = (header("webhook-id"), header("webhook-timestamp"));
        // Computes the expected signature independently of the service, as Standard Webhooks specifies it.
        let mut signing = hmac::Context::with_key(&hmac::Key::new(hmac::HMAC_SHA256, &KEY));
        for part in [id.as_bytes(), b".", timestamp.as_bytes(), b".", &request.body] {
            signing.update(part);
        }
        let expected = format!("v1,{}", STANDARD.encode(signing.sign()));
        let is_signed = header("webhook-signature").split(' ').any(|signature| signature == expected);
        let answer = self.answers.lock().expect("unharmed").pop_front();
        let (status, answer) = answer.unwrap_or((204, ResponseTemplate::new(204)));
        let is_taken = status < 300;
        let payload = serde_json::from_slice(&request.body).expect("JSON");
        let mut all = self.all.lock().expect("unharmed");
        all.push(Sent { id, seconds: timestamp.parse().expect("seconds"), payload, is_signed, is_taken });
        self.count.send_replace(all.len());
        answer
    }
}

impl Receiver {
    /// Starts a receiver that gives these responses in order, and then accepts everything.
    pub async fn start(answers: Vec<(u16, ResponseTemplate)>) -> Self {
        let (count, seen) = watch::channel(0);
        let noted = Noted { all: Arc::default(), answers: Arc::new(Mutex::new(answers.into())), count };
        let server = MockServer::start().await;
        Mock::given(method("POST")).respond_with(noted.clone()).mount(&server).await;
        Self { server, noted, seen }
    }

    pub fn url(&self) -> String {
        format!("{}/hook", self.server.uri())
    }

    /// Waits until at least `count` requests were received, and returns all of them.
    pub async fn sent(&self, count: usize) -> Vec<Sent> {
        self.until(|all| all.len() >= count).await
    }

    /// Waits until the received requests satisfy `is_enough`, and returns all of them.
    pub async fn until(&self, is_enough: impl Fn(&[Sent]) -> bool) -> Vec<Sent> {
        let mut seen = self.seen.clone();
        loop {
            seen.mark_unchanged();
            let all = self.noted.all.lock().expect("unharmed").clone();
            assert!(all.iter().all(|sent| sent.is_signed), "{all:?}");
            if is_enough(&all) {
                return all;
            }
            seen.changed().await.expect("it runs");
        }
    }

    /// Accepts everything from now on.
    pub fn take_all(&self) {
        self.noted.answers.lock().expect("unharmed").clear();
    }
}
