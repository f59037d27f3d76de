//! The forms in which a sheet is written.

/// A form of a sheet.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub enum Format {
    /// A page to read and to print.
    #[default]
    Html,
}

impl Format {
    /// All forms.
    pub const ALL: [Self; 1] = [Self::Html];

    /// Returns the name that requests use.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Html => "html",
        }
    }
}
