//! A client of the event stream. Reads Server-Sent Events.

use reqwest::{Response, StatusCode};
use serde_json::Value;

use super::Caller;

pub struct Stream {
    response: Response,
    text: String,
}

/// Block of a stream, up to the next empty line.
#[derive(Debug, Clone, PartialEq)]
pub enum Block {
    /// A block without data, such as a comment or a `retry` field.
    Aside(String),
    Event {
        id: String,
        /// Field `event`.
        kind: String,
        data: Value,
    },
}

impl Stream {
    pub async fn open(caller: &Caller, path: &str) -> Self {
        let response = caller.open(path).await;
        assert_eq!(response.status(), StatusCode::OK);
        assert_eq!(response.headers()["content-type"], "text/event-stream");
        Self { response, text: String::new() }
    }

    /// Returns the next block, or `None` at the end of the stream.
    pub async fn next(&mut self) -> Option<Block> {
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
        let Some(data) = line("data: ") else { return Some(Block::Aside(block)) };
        let data = serde_json::from_str(&data).expect("JSON");
        Some(Block::Event { id: line("id: ").expect("an id"), kind: line("event: ").expect("a type"), data })
    }

    /// Returns the id, type and data of the next event.
    pub async fn event(&mut self) -> (String, String, Value) {
        loop {
            match self.next().await.expect("an event") {
                Block::Aside(_) => {}
                Block::Event { id, kind, data } => return (id, kind, data),
            }
        }
    }
}
