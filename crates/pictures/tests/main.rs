//! Pictures, from files to what is stored.

#![expect(clippy::expect_used, reason = "a test fails by panicking")]

mod files;
mod limits;
mod looks;
mod stored;
mod types;
