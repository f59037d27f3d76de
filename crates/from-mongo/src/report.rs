//! Says what happened to every member of every document.

use std::collections::BTreeMap;
use std::io::Write;

use fieldbook_domain::path::{self, FieldPath};

use crate::document::{Document, Fate};

#[derive(Default)]
pub struct Report {
    read: usize,
    kept: usize,
    mapped: usize,
    left_out: usize,
    /// Number of members that are lost, in documents that are not left out.
    lost: usize,
    /// By file: the documents that are written, and those that are left out.
    files: BTreeMap<String, [usize; 2]>,
    /// By file, path, outcome and reason: how often, and where first. Paths have `*` instead of indexes, so that equal
    /// cases share a note.
    notes: BTreeMap<(String, String, &'static str, String), (u64, String)>,
}

impl Report {
    /// Adds a document that is written.
    pub fn add(&mut self, document: &Document) {
        self.files.entry(document.file.clone()).or_default()[0] += 1;
        self.read += document.read;
        for (path, fate) in &document.fates {
            let (count, outcome, reason) = match fate {
                Fate::Kept => (&mut self.kept, "", ""),
                Fate::Mapped => (&mut self.mapped, "", ""),
                Fate::Altered(reason) => (&mut self.mapped, "altered", reason.as_str()),
                Fate::Unneeded(reason) => (&mut self.left_out, "left out without loss", *reason),
                Fate::Lost(reason) => (&mut self.left_out, "left out", reason.as_str()),
            };
            *count += 1;
            self.lost += usize::from(matches!(fate, Fate::Lost(_)));
            if !reason.is_empty() {
                let pattern = path.segments().iter().map(|s| path::index(s).map_or(s.clone(), |_| "*".into()));
                let pattern = FieldPath::from(pattern.collect::<Vec<_>>()).to_string();
                let note = (document.file.clone(), pattern, outcome, reason.to_owned());
                self.notes.entry(note).or_insert_with(|| (0, format!("line {}: {path}", document.line))).0 += 1;
            }
        }
    }

    /// Names a document that is left out. All its members count as left out.
    pub fn refuse(&mut self, document: &Document, reason: &str) {
        let Document { file, line, name, .. } = document;
        let name = if name.is_empty() { String::new() } else { format!(" ({name})") };
        say(&format!("{file} line {line}{name} is left out: {reason}"));
        self.files.entry(file.clone()).or_default()[1] += 1;
        self.read += document.read;
        self.left_out += document.read;
    }

    /// Returns whether nothing was lost.
    pub fn is_whole(&self) -> bool {
        self.lost == 0 && self.files.values().all(|[_, refused]| *refused == 0)
    }

    pub fn print(&self, is_dry: bool) {
        for ((file, path, outcome, reason), (times, first)) in &self.notes {
            say(&format!("{file} {path}: {outcome} {times} times, first in {first}: {reason}"));
        }
        let verb = if is_dry { "would write" } else { "wrote" };
        for (file, [written, refused]) in &self.files {
            say(&format!("{file}: {verb} {written} documents, and left out {refused}"));
        }
        let Self { read, kept, mapped, left_out, lost, .. } = self;
        say(&format!(
            "{read} members were read: {kept} were kept, {mapped} mapped and {left_out} left out; {lost} were lost"
        ));
    }
}

/// Prints a line to standard output.
fn say(line: &str) {
    // A reader who has seen enough does not stop the conversion.
    let _ = writeln!(std::io::stdout(), "{}", shown(line));
}

/// Escapes what a terminal obeys instead of showing it: control characters, and marks that turn the direction of text.
pub fn shown(text: &str) -> String {
    let is_mark = |c: char| matches!(c, '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    let show = |c: char| if c.is_control() || is_mark(c) { c.escape_unicode().to_string() } else { c.to_string() };
    text.chars().map(show).collect()
}
