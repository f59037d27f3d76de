//! Histories of concurrent operations on one investigation, recorded from real clients. In a correct history, some
//! order of the operations explains every answer, and each operation happens between its request and its answer.

pub mod check;
mod dice;
pub mod model;
pub mod record;

pub use dice::Dice;
