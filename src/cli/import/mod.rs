//! `fieldbook import`: imports a file, and reports what was not imported. Each investigation is imported completely or
//! not at all.

mod command;
mod importer;
mod kinds;
mod taken;
mod texts;

pub use command::{command, run};
pub use importer::SESSIONS_ENDED;
pub use texts::{MAX_TEXT, Text, Texts};
