//! The OpenAPI document, which `api/openapi.json` contains, and a documentation page that loads nothing from other
//! hosts.

mod content;
mod document;
mod page;

pub use document::{document, openapi};
pub use page::page;
