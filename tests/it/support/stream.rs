//! A client of the event stream, which reads it as its specification says.

use reqwest::{Response, StatusCode};
use serde_json::Value;

use super::Caller;

/// A stream that is being read.
pub struct Stream {
    response: Response,
    text: String,
}

/// What a stream said between two empty lines.
#[derive(Debug, Clone, PartialEq)]
pub enum Said {
    /// A comment, or a word to the client.
    Aside(String),
    /// An event.
    Event {
        /// Its `id`.
        id: String,
        /// Its `event`.
        kind: String,
        /// Its `data`.
        data: Value,
    },
}

impl Stream {
    /// Opens the stream of this path.
    pub async fn open(caller: &Caller, path: &str) -> Self {
        let response = caller.open(path).await;
        assert_eq!(response.status(), StatusCode::OK);
        assert_eq!(response.headers()["content-type"], "text/event-stream");
        Self { response, text: String::new() }
    }

    /// What it says next; `None` at its end.
    pub async fn next(&mut self) -> Option<Said> {
        let block = loop {
            if let Some((block, rest)) = self.text.split_once("\n\n") {
                let (block, rest) = (block.to_owned(), rest.to_owned());
                self.text = rest;
                break block;
            }
            match self.response.chunk().await.expect("a sound stream") {
                Some(chunk) => self.text.push_str(std::str::from_utf8(&chunk).expect("UTF-8")),
                None => {
                    assert_eq!(self.text, "", "the stream ends within an event");
                    return None;
                }
            }
        };
        let line = |name: &str| block.lines().find_map(|line| line.strip_prefix(name)).map(str::to_owned);
        let Some(data) = line("data: ") else { return Some(Said::Aside(block)) };
        let data = serde_json::from_str(&data).expect("JSON");
        Some(Said::Event { id: line("id: ").expect("an id"), kind: line("event: ").expect("a type"), data })
    }

    /// Its next event: id, type and data.
    pub async fn event(&mut self) -> (String, String, Value) {
        loop {
            match self.next().await.expect("an event") {
                Said::Aside(_) => {}
                Said::Event { id, kind, data } => return (id, kind, data),
            }
        }
    }
}
