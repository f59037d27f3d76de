//! The investigation operations.

mod clone;
mod create;
mod delete;
mod format;
mod get;
mod list;
mod update;
