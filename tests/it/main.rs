//! The tests of the service: one binary, folders as in `src/`. Every test speaks to the real thing.

mod cli;
mod http;
mod readme;
mod store;
mod support;
mod tidy;
