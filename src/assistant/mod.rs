//! Finds contradictions in a document, resolves them, and makes the other fields agree with one field.
//!
//! The consistency rules are pure functions of the content, so their findings can be recomputed at any time. A language
//! model is optional.

mod detection;
pub mod facts;
pub mod fix;
pub mod model;
mod outcome;
pub mod rules;
pub mod summary;

pub use detection::Assistant;
pub use outcome::Outcome;
