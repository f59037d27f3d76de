//! Reads facts from texts: typed statements, each with its path and a verbatim quote.
//!
//! All functions are pure. The patterns match English; texts in other languages yield no facts. A fact is only what a
//! text states. Rules decide whether two facts agree. No pattern lists verbs, objects or situations.

pub mod amount;
mod fact;
pub mod grade;
pub mod group_size;
pub mod lesson_length;
pub mod number;
pub mod pattern;
pub mod standard_code;
pub mod step_minutes;
pub mod step_reference;

pub use fact::{Fact, MAX_FACTS, MAX_QUOTE, Reading, Text, in_texts, sentence_at, shortened};
