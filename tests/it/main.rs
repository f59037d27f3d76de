//! The tests of the service: one binary, folders as in `src/`. Every test speaks to the real thing.

mod http;
mod support;
