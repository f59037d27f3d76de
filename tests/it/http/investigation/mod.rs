//! The investigation operations.

mod create;
