//! Calls a language model behind an OpenAI-compatible endpoint, to find and resolve contradictions, regenerate fields,
//! and answer messages.
//!
//! Answers of a model are never trusted: they are validated, quotes are looked up in the document, and edits are
//! checked and applied to a copy. An unreadable answer is a failure, and is never treated as "nothing found".

mod answer;
mod ask;
mod backoff;
mod circuits;
mod detect;
mod diagnostics;
pub mod edits;
mod endpoint;
mod error;
mod host;
mod leaves;
pub mod preset;
mod propose;
mod question;
mod settings;
mod split;
mod stream;
mod tally;
mod wire;

pub use ask::Model;
pub use error::{ModelDiagnosisError, ModelError, ModelSettingsError};
pub use propose::{MAX_FINDINGS, Proposal, ProposedEdits};
pub use settings::ModelSettings;
