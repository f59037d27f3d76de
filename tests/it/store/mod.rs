//! The promises of the store, on both backends.

mod backup;
mod concurrency;
mod conformance;
mod crash;
mod detections;
mod events;
pub mod export;
mod from_mongo;
pub mod histories;
mod idempotency;
mod import;
mod moving;
mod pictures;
mod postgres;
pub mod sqlite;
mod sweep;
mod trash;
mod unreadable;
mod usage;
mod walk;
mod webhooks;
