//! Facts: what the texts of a document say in a form that rules and matchers can count with.
//!
//! Pure functions of the content. Patterns read English; a text in another language yields no facts, never wrong ones.

pub mod actions;
pub mod agreement;
pub mod apparatus;
pub mod asked;
pub mod bare_names;
pub mod beside;
pub mod clauses;
pub mod directions;
pub mod grade_systems;
pub mod grades;
pub mod hands;
pub mod household;
pub mod kept;
pub mod kinds;
pub mod laboratory;
pub mod lesson;
pub mod lists;
pub mod mentions;
pub mod minutes;
pub mod money;
pub mod nouns;
pub mod numbers;
pub mod other_lessons;
pub mod patterns;
pub mod phrases;
pub mod poles;
pub mod prohibitions;
pub mod quantities;
mod repeated;
pub mod roles;
pub mod stances;
pub mod steps;
pub mod terms;
pub mod units;
pub mod verdicts;
pub mod words;

pub use minutes::{fit_minutes, lesson_minutes};
pub use steps::{StepReference, step_references};
