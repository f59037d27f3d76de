//! Lesson sheets as people get them. `crates/domain/src/lesson_sheet/` decides what is on them.

mod codes;
mod format;
pub mod html;
mod render;

pub use format::Format;
pub use render::rendered;
