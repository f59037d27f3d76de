//! What the store promises, whatever its backend.

mod concurrency;
mod conformance;
mod crash;
mod detections;
mod postgres;
mod sqlite;
mod walk;
