//! The operations on investigations. Each has a file of its own.

pub mod chat;
pub mod clone;
pub mod converse;
pub mod create;
pub mod delete;
pub mod dismiss;
pub mod format;
pub mod get;
pub mod history;
pub mod list;
pub mod name_version;
pub mod presence;
pub mod redo;
pub mod regenerate;
pub mod remove_dismissal;
pub mod resolve_contradiction;
pub mod restore;
pub mod sheet;
pub mod split;
pub mod undelete;
pub mod undo;
pub mod update;
pub mod version;
pub mod versions;
