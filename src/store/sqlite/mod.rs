//! The embedded store: SQLite in WAL mode with `synchronous=FULL`, one writer thread, and two pools of read-only
//! connections.

pub mod backup;
mod connection;
mod database;
pub mod diagnostics;
mod error;
mod files;
mod log;
mod migrate;
mod open;
mod readers;
mod schema;
mod statements;
mod writer;

pub use database::Sqlite;
pub use files::FILE;
pub use readers::Snapshot;
