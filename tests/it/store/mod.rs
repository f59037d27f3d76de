//! The promises of the store, on both backends.

mod backup;
mod concurrency;
mod conformance;
mod crash;
mod detections;
mod events;
mod export;
mod from_mongo;
pub mod histories;
mod idempotency;
mod import;
mod move_audit;
mod move_store;
mod postgres;
pub mod sqlite;
mod trash;
mod usage;
mod walk;
mod webhooks;
