//! Reports the fate of every member of every document.

use std::collections::BTreeMap;
use std::io::Write;

use fieldbook_domain::path::{self, FieldPath};
use fieldbook_domain::printable::printable;

use crate::document::{Document, Fate};

#[derive(Default)]
pub struct Report {
    read: usize,
    kept: usize,
    mapped: usize,
    left_out: usize,
    /// Number of lost members in documents that were converted.
    lost: usize,
    /// For each file, the number of documents that were converted and that were left out.
    files: BTreeMap<String, [usize; 2]>,
    /// For each reason to leave out a member, the positions of the documents with such a member. Members whose paths
    /// differ only in indexes share an entry, in which `*` replaces the indexes.
    notes: BTreeMap<String, Vec<usize>>,
    /// Why a line of the report could not be written. The conversion continues, but fails at its end.
    unwritten: Option<String>,
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

    /// Reports a document that is left out. All its members are counted as left out.
    pub fn refuse(&mut self, document: &Document, reason: &str) {
        let Document { file, number, name, .. } = document;
        let name = if name.is_empty() { String::new() } else { format!(" ({name})") };
        self.say(&format!("{file} document {number}{name} is left out: {reason}"));
        self.files.entry(file.clone()).or_default()[1] += 1;
        self.read += document.read;
        self.left_out += document.read;
    }

    pub fn is_whole(&self) -> bool {
        self.lost == 0 && self.files.values().all(|[_, refused]| *refused == 0)
    }

    /// Prints the rest of the report.
    ///
    /// # Errors
    /// A sentence if a line of the report could not be written.
    pub fn print(&mut self, is_dry: bool) -> Result<(), String> {
        for (note, documents) in std::mem::take(&mut self.notes) {
            let first = documents.first().copied().unwrap_or_default();
            self.say(&format!("{note} ({} in all, first in document {first})", documents.len()));
        }
        let verb = if is_dry { "would write" } else { "wrote" };
        for (file, [written, refused]) in self.files.clone() {
            self.say(&format!("{file}: {verb} {written} documents, and left out {refused}"));
        }
        let Self { read, kept, mapped, left_out, lost, .. } = self;
        let sums = format!(
            "{read} members were read: {kept} were kept, {mapped} mapped and {left_out} left out; {lost} were lost"
        );
        self.say(&sums);
        self.unwritten.take().map_or(Ok(()), Err)
    }

    fn say(&mut self, line: &str) {
        if let Err(error) = writeln!(std::io::stdout(), "{}", printable(line)) {
            self.unwritten.get_or_insert_with(|| format!("cannot write the report to standard output: {error}"));
        }
    }
}
