//! Lesson sheets as people get them. `crates/domain/src/lesson_sheet/` decides what is on them.

mod attachment;
mod codes;
mod format;
pub mod html;
mod render;
pub mod word;

pub use attachment::attachment;
pub use codes::Code;
pub use format::Format;
pub use render::{document, page, shows};
