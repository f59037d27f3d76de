//! `fieldbook eval FILE`: measures how well the configured assistant finds contradictions in labelled documents.

mod command;
mod labelled;
mod measure;
mod score;

pub use command::{command, run};
