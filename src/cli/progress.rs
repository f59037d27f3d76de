//! How far a long command has come, shown to whoever sits in front of it, and to no file.

use std::io::IsTerminal;

/// A line on standard error that is written over.
pub struct Progress {
    shown: bool,
    at: u64,
}

impl Progress {
    /// Shown only where standard error is a terminal.
    pub fn new() -> Self {
        Self { shown: std::io::stderr().is_terminal(), at: 0 }
    }

    /// So many investigations of how many are done, where that is known.
    pub fn show(&mut self, done: u64, total: Option<u64>) {
        self.at = done;
        if self.shown {
            let of = total.map(|total| format!(" of {total}")).unwrap_or_default();
            eprint!("\r{done}{of} investigations");
        }
    }
}

impl Drop for Progress {
    /// What is said next begins a new line.
    fn drop(&mut self) {
        if self.shown && self.at > 0 {
            eprintln!();
        }
    }
}
