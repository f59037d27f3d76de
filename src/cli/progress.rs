//! Shows the progress of long commands, but only on a terminal.

use std::fmt::Arguments;
use std::io::Read;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};

/// Progress bar on standard error. Invisible if standard error is not a terminal; removed when dropped.
pub struct Progress(ProgressBar);

impl Progress {
    /// Creates a bar that counts investigations. [`show`](Self::show) updates it.
    pub fn of_investigations() -> Self {
        let bar = ProgressBar::no_length();
        bar.set_style(style("{bar:32} {human_pos} of {human_len} investigations, {eta} left"));
        Self(bar)
    }

    /// Creates a bar that counts bytes read through [`reading`](Self::reading). `size` is the total, if known.
    pub fn of_bytes(size: Option<u64>) -> Self {
        let bar = size.map_or_else(ProgressBar::no_length, ProgressBar::new);
        let known = "{bar:32} {binary_bytes} of {binary_total_bytes}, {eta} left";
        bar.set_style(style(if size.is_some() { known } else { "{spinner} {binary_bytes}" }));
        Self(bar)
    }

    /// Creates a spinner for work of unknown length.
    pub fn of_unknown(what: &'static str) -> Self {
        let bar = ProgressBar::no_length().with_message(what);
        bar.set_style(style("{spinner} {msg}, {elapsed}"));
        bar.enable_steady_tick(Duration::from_millis(200));
        Self(bar)
    }

    /// Sets the count, and the total if known.
    pub fn show(&self, done: u64, total: Option<u64>) {
        if let Some(total) = total {
            self.0.set_length(total);
        }
        self.0.set_position(done);
    }

    /// Returns a reader whose bytes are counted.
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

/// Returns a style, or the default style if the template is invalid.
fn style(template: &str) -> ProgressStyle {
    ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar())
}
