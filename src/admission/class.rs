//! Classes of requests, by the resources that a request may need.

use super::capacity::{LIGHT_DOCUMENT, VISIT_BODY};
use crate::domain::content;
use crate::domain::page::{MAX_ANSWER, MAX_LIGHT_ANSWER};
use crate::domain::size::{MAX_CONTENT, MAX_STORED};

/// A class of requests, by the resources that a request may need.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Class {
    /// Is public, and loads no document. Its permit is charged to the client's address, even if the request has
    /// credentials.
    Visit,
    /// A visit that may be answered with a page. A page that is cached is sent without another permit.
    Page,
    /// Is public, loads no document, and asks the provider with which people sign in.
    SignIn,
    /// Is public, and renders the metrics. This takes time, because it counts the open files of the process one by one.
    Metrics,
    /// Loads one document, or a few short entries.
    Light,
    /// Lists many short entries, or investigations without a filter.
    List,
    /// Reads a document into fields. A document that is not short needs a heavy permit before it is read.
    Document,
    /// Decodes a picture. The request's own permit allows it to do so.
    Picture,
    /// Loads many documents, a history, or a document that is too large for a light request.
    Heavy,
    /// Asks the assistant, which may take a long time.
    Assistant,
}

impl Class {
    /// Returns whether such a request needs no account. Its permit is charged to the client's address.
    pub const fn is_public(self) -> bool {
        matches!(self, Self::Visit | Self::Page | Self::SignIn | Self::Metrics)
    }

    /// Returns the expected maximum size of a response, in bytes.
    pub const fn answer_bytes(self) -> u32 {
        match self {
            Self::Visit | Self::SignIn | Self::Picture => 16 * 1024,
            // A document of the maximum size, and half as much for the data that belongs to it.
            Self::Light | Self::Metrics | Self::Assistant => 384 * 1024,
            // The largest sheet with its surrounding page, or a picture.
            Self::Page | Self::List | Self::Document => MAX_LIGHT_ANSWER as u32,
            Self::Heavy => MAX_ANSWER as u32,
        }
    }

    /// Returns the maximum size of a request body, in bytes.
    pub const fn body_bytes(self) -> usize {
        match self {
            Self::Visit | Self::Page | Self::SignIn | Self::Metrics => VISIT_BODY,
            Self::Document => fieldbook_reader::MAX_BYTES,
            Self::Picture => fieldbook_pictures::MAX_BYTES,
            Self::Light | Self::List | Self::Heavy | Self::Assistant => MAX_STORED,
        }
    }

    /// Returns the class of this request once its body has arrived. A large body makes a request heavy, because a
    /// parsed body takes many times its size. Pictures have a separate memory budget. Public requests keep their class,
    /// so that anonymous visitors take no permits that users need. The bodies of public requests are small.
    pub fn with_body(self, body: &[u8]) -> Self {
        let is_text = !self.is_public() && self != Self::Picture;
        if is_text && Self::of_text(body) == Self::Heavy { Self::Heavy } else { self }
    }

    /// Returns the class of a request that parses a document of `bytes` bytes, which then takes `memory` bytes.
    pub fn of_document(bytes: usize, memory: usize) -> Self {
        if bytes > MAX_CONTENT || memory > LIGHT_DOCUMENT { Self::Heavy } else { Self::Light }
    }

    /// Returns the class of a request that parses this JSON text.
    pub fn of_text(json: &[u8]) -> Self {
        Self::of_document(json.len(), content::memory_of_text(json))
    }

    /// Returns whether work of the class `other` may run under a permit of this class.
    pub(super) fn includes(self, other: Self) -> bool {
        match (self, other) {
            (_, Self::Visit) | (Self::Heavy, Self::Page | Self::Light | Self::List | Self::Document) => true,
            (Self::List | Self::Document | Self::Picture | Self::Assistant, Self::Light) => true,
            _ => self == other,
        }
    }
}
