//! The forms in which a sheet is written.

use strum::{IntoStaticStr, VariantArray};

/// A form of a sheet.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, IntoStaticStr, VariantArray)]
#[strum(serialize_all = "lowercase")]
pub enum Format {
    /// A page to read and to print.
    #[default]
    Html,
    /// A Word document to change and to print.
    Docx,
}
