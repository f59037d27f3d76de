//! Macros that print formatted lines.

/// Prints a line to standard output, see [`output::line`](super::output::line).
macro_rules! say {
    ($($words:tt)*) => { $crate::cli::output::line(&format!($($words)*)) };
}

/// Prints a line to standard error, see [`output::note`](super::output::note).
macro_rules! note {
    ($($words:tt)*) => { $crate::cli::output::note(&format!($($words)*)) };
}
