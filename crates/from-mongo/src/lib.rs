//! Reads documents that mongoexport wrote. The tests and the fuzz target use this library, too.

pub mod chats;
pub mod document;
mod extended;
pub mod field_map;
pub mod investigations;
pub mod links;
pub mod report;
pub mod texts;
pub mod versions;
