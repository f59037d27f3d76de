//! What the store promises, whatever its backend.

mod backup;
mod concurrency;
mod conformance;
mod crash;
mod detections;
mod events;
mod export;
pub mod histories;
mod import;
mod mongoexport;
mod move_store;
mod once;
mod postgres;
mod recent;
pub mod sqlite;
mod upgrade;
mod walk;
mod webhooks;
