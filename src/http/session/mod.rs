//! Sessions on the page.

pub mod cookie;
pub mod create;
pub mod delete;
mod known_browser;
