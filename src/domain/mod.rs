//! Rules of the domain. They are pure functions of their arguments: no input or output, no clock, no randomness, no
//! HTTP, no SQL. So each rule can be tested alone and gives the same result on every store.
//!
//! Everything here is a function of its arguments, so that every rule can be tested alone
//! and gives the same answer on every store.

pub mod change;
pub mod chat;
pub mod comparison;
pub mod content;
pub mod dismissal;
pub mod event;
mod event_id;
pub mod event_view;
pub mod field_history;
pub mod finding;
pub mod hex;
pub mod history;
pub mod id;
pub mod index;
pub mod investigation;
pub mod json;
pub mod keys;
pub mod keywords;
pub mod label;
pub mod lesson_sheet;
pub mod lineage;
pub mod link;
pub mod link_request;
pub mod list;
pub mod merge_patch;
pub mod page;
pub mod patch;
pub mod path;
pub mod pattern;
pub mod permission;
pub mod record;
pub mod representation;
pub mod request;
pub mod sample;
pub mod schema;
pub mod search;
pub mod status;
pub mod time;
