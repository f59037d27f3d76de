//! The rules of Fieldbook. They are pure functions of their arguments: they use no I/O, no clock, no randomness, no
//! HTTP and no SQL. So each rule can be tested alone and gives the same result on every store.

#![warn(missing_docs)]

pub mod api_key;
pub mod audit;
pub mod change;
pub mod chat;
pub mod client_schema;
pub mod comparison;
pub mod content;
pub mod dismissal;
pub mod event;
mod event_id;
pub mod field_history;
pub mod finding;
pub mod hex;
pub mod history;
pub mod id;
pub mod investigation;
pub mod json;
pub mod json_schema;
pub mod keywords;
pub mod label;
pub mod lesson_sheet;
pub mod lineage;
pub mod link;
pub mod link_request;
pub mod list;
mod members;
pub mod merge_patch;
pub mod named;
pub mod page;
pub mod password;
pub mod path;
pub mod permission;
pub mod person;
pub mod picture;
pub mod printable;
mod record;
pub mod representation;
pub mod request;
pub mod schema;
mod schema_error;
pub mod search;
pub mod secret_token;
pub mod session;
pub mod sign_in;
pub mod size;
pub mod sort_keys;
pub mod status;
pub mod text;
pub mod time;
pub mod token_user;
