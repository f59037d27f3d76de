//! The output formats of a sheet.

use strum::{IntoStaticStr, VariantArray};

/// An output format of a sheet.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, IntoStaticStr, VariantArray)]
#[strum(serialize_all = "lowercase")]
pub enum Format {
    /// A page to read and to print.
    #[default]
    Html,
    /// A Word document to change and to print.
    Docx,
}
