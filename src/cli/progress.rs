//! Shows the progress of long commands, if standard error is a terminal.

use std::fmt::Arguments;
use std::io::Read;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};

/// A progress bar on standard error. It is invisible if standard error is not a terminal, and disappears when it is
/// dropped.
pub struct Progress(ProgressBar);

impl Progress {
    /// Creates a bar that counts investigations. [`show`](Self::show) sets the count.
    pub fn of_investigations() -> Self {
        let bar = ProgressBar::no_length();
        bar.set_style(style("{bar:32} {human_pos} of {human_len} investigations, {eta} left"));
        Self(bar)
    }

    /// Creates a bar that counts the bytes read through [`reading`](Self::reading). `size` is the total number of
    /// bytes, if known.
    pub fn of_bytes(size: Option<u64>) -> Self {
        let bar = size.map_or_else(ProgressBar::no_length, ProgressBar::new);
        let known = "{bar:32} {binary_bytes} of {binary_total_bytes}, {eta} left";
        bar.set_style(style(if size.is_some() { known } else { "{spinner} {binary_bytes}" }));
        Self(bar)
    }

    /// Creates a spinner for work whose length is unknown. `what` describes the work.
    pub fn of_unknown(what: &'static str) -> Self {
        let bar = ProgressBar::no_length().with_message(what);
        bar.set_style(style("{spinner} {msg}, {elapsed}"));
        bar.enable_steady_tick(Duration::from_millis(200));
        Self(bar)
    }

    /// Sets the count, and also the total if it is known.
    pub fn show(&self, done: u64, total: Option<u64>) {
        if let Some(total) = total {
            self.0.set_length(total);
        }
        self.0.set_position(done);
    }

    /// Wraps a reader so that the bar counts its bytes.
    pub fn reading<R: Read>(&self, input: R) -> impl Read + use<R> {
        self.0.wrap_read(input)
    }

    /// Prints a line to standard error, above the bar.
    pub fn warn(&self, words: Arguments<'_>) {
        self.0.suspend(|| eprintln!("{words}"));
    }

    /// Prints a line to standard output, above the bar.
    pub fn say(&self, words: Arguments<'_>) {
        self.0.suspend(|| say!("{words}"));
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.0.finish_and_clear();
    }
}

/// Returns the style for a template; the default style if the template is invalid.
fn style(template: &str) -> ProgressStyle {
    ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar())
}
