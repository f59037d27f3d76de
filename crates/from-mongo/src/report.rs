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
    /// Numbers of the documents of each file that are written and left out.
    files: BTreeMap<String, [usize; 2]>,
    /// Numbers of the documents with each kind of loss. Equal losses differ only in indexes, which `*` replaces.
    notes: BTreeMap<String, Vec<usize>>,
}

impl Report {
    pub fn add(&mut self, document: &Document) {
        self.files.entry(document.file.clone()).or_default()[0] += 1;
        self.read += document.read;
        for (path, fate) in &document.fates {
            match fate {
                Fate::Kept => self.kept += 1,
                Fate::Mapped => self.mapped += 1,
                Fate::Unneeded(reason) => self.leave_out(document, path, "left out without loss", reason),
                Fate::Lost(reason) => {
                    self.lost += 1;
                    self.leave_out(document, path, "left out", reason);
                }
            }
        }
    }

    fn leave_out(&mut self, document: &Document, path: &FieldPath, outcome: &'static str, reason: &str) {
        self.left_out += 1;
        let pattern = path.segments().iter().map(|s| path::index(s).map_or(s.clone(), |_| "*".into()));
        let pattern = FieldPath::from(pattern.collect::<Vec<_>>());
        let note = format!("{} {pattern}: {outcome}: {reason}", document.file);
        self.notes.entry(note).or_default().push(document.number);
    }

    /// Names a document that is left out. All its members count as left out.
    pub fn refuse(&mut self, document: &Document, reason: &str) {
        let Document { file, number, name, .. } = document;
        let name = if name.is_empty() { String::new() } else { format!(" ({name})") };
        say(&format!("{file} document {number}{name} is left out: {reason}"));
        self.files.entry(file.clone()).or_default()[1] += 1;
        self.read += document.read;
        self.left_out += document.read;
    }

    pub fn is_whole(&self) -> bool {
        self.lost == 0 && self.files.values().all(|[_, refused]| *refused == 0)
    }

    pub fn print(&self, is_dry: bool) {
        for (note, documents) in &self.notes {
            let first = documents.first().copied().unwrap_or_default();
            say(&format!("{note} ({} in all, first in document {first})", documents.len()));
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
