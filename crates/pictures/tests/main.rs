//! The conversion of picture files into the form in which pictures are stored.

#![expect(clippy::expect_used, reason = "a test fails by panicking")]

mod files;
mod limits;
mod looks;
mod stored;
mod types;
