//! The investigation operations.

pub mod chat;
mod chat_pages;
mod clone;
mod converse;
mod create;
mod delete;
pub mod dismiss;
mod dry_run;
mod format;
mod get;
mod history;
mod list;
mod redo;
mod regenerate;
mod remove_dismissal;
mod resolve_contradiction;
mod restore;
mod size;
pub mod undo;
mod update;
pub mod version;
pub mod versions;
