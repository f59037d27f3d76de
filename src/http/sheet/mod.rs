//! Writes lesson sheets as HTML pages and Word documents. `crates/domain/src/lesson_sheet/` decides what they contain.

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
