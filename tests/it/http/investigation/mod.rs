//! The investigation operations.

pub mod chat;
mod clone;
mod converse;
mod create;
mod delete;
mod dry_run;
mod format;
mod get;
mod history;
mod list;
mod redo;
mod regenerate;
mod resolve_contradiction;
mod restore;
mod undo;
mod update;
pub mod version;
pub mod versions;
