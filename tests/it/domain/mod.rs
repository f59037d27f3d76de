//! The pure rules of the domain.

mod change;
mod comparison;
mod content;
mod event;
mod field_history;
mod finding;
mod id;
mod keys;
mod keywords;
mod label;
mod lesson_sheet;
mod link;
mod merge_patch;
mod page;
mod password;
mod path;
mod permission;
mod person;
mod schema;
mod search;
mod session;
mod sign_in;
mod size;
mod status;
mod time;
mod token_user;
