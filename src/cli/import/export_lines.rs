//! Imports the lines of a Fieldbook export.

use std::io::BufRead;

use super::texts::{Text, Texts};
use super::{Import, MAX_TEXT, Stopped, stopped};
use crate::domain::finding::Findings;
use crate::store::jsonl::{Counts, Entry, FORMAT_VERSION, Line, SUPPORTED_FORMAT_VERSIONS};
use crate::store::{Detection, InvestigationSnapshot, StoreError};

/// An import of the lines of an export, with the counts so far.
pub struct LineImport<'i> {
    import: Import<'i>,
    /// Counts of everything in the file so far, whether it was imported or not.
    seen: Counts,
    imported: u64,
    existing: u64,
    rejected: u64,
    detections: u64,
    /// The investigation whose version records are still being read from the next lines, with its own line number.
    pending: Option<(u64, Box<Entry>)>,
}

impl<'i> LineImport<'i> {
    pub fn of(import: Import<'i>) -> Self {
        Self { import, seen: Counts::default(), imported: 0, existing: 0, rejected: 0, detections: 0, pending: None }
    }

    /// Imports all lines. Returns the reason if the import is incomplete; otherwise `None`.
    pub async fn import_all<R: BufRead>(mut self, texts: &mut Texts<R>) -> Result<Option<String>, String> {
        let outcome = self.import_lines(texts).await;
        let Self { import, imported, existing, rejected, detections, .. } = self;
        let verb = import.verb();
        import.say(format_args!(
            "{verb} {imported} investigations, {existing} existed already, {rejected} were not imported; {verb} the cached findings of {detections} contents"
        ));
        outcome?;
        Ok((rejected > 0).then(|| format!("{rejected} lines were not imported")))
    }

    async fn import_lines<R: BufRead>(&mut self, texts: &mut Texts<R>) -> Result<(), Stopped> {
        let (mut has_header, mut has_end) = (false, false);
        while let Some(Text { line, bytes }) = texts.next_text().map_err(|e| format!("cannot be read: {e}"))? {
            let read = match bytes {
                Some(bytes) => Line::read(&bytes),
                None => Err(format!("has more than {MAX_TEXT} bytes")),
            };
            if !matches!(read, Ok(Line::Records(_))) {
                self.import_pending().await?;
            }
            let fault = match read {
                Ok(_) if has_end => Some("comes after the last line of an export".to_owned()),
                Ok(Line::Fieldbook(header)) if !SUPPORTED_FORMAT_VERSIONS.contains(&header.format_version) => {
                    return Err(format!(
                        "line {line} begins an export of the form {}, and this program reads {} to {FORMAT_VERSION}; use the program that wrote it, or a newer one",
                        header.format_version,
                        SUPPORTED_FORMAT_VERSIONS.start()
                    ));
                }
                Ok(Line::Fieldbook(_)) => {
                    has_header = true;
                    None
                }
                _ if !has_header => {
                    return Err(format!(
                        "line {line} is not the first line of an export; fieldbook-from-mongo makes one of files of mongoexport"
                    ));
                }
                Ok(Line::Investigation(entry)) => {
                    self.seen.investigations += 1;
                    self.pending = Some((line, entry));
                    None
                }
                Ok(Line::Records(more)) => match &mut self.pending {
                    Some((_, entry)) => entry.add(more).err(),
                    None => Some("has records without the investigation before".to_owned()),
                },
                Ok(Line::Detection(found)) => {
                    self.seen.detections += 1;
                    let detection = found.try_into().map_err(|e: StoreError| format!("line {line}: {e}"))?;
                    self.import_detection(line, detection).await?;
                    None
                }
                Ok(Line::End(counts)) => {
                    has_end = true;
                    let seen = self.seen;
                    (counts != seen).then(|| {
                        format!(
                            "says that {} investigations and {} findings come before it, and {} and {} did: lines are missing, or cannot be read",
                            counts.investigations, counts.detections, seen.investigations, seen.detections
                        )
                    })
                }
                Err(fault) => Some(fault),
            };
            self.reject(line, fault);
        }
        self.import_pending().await?;
        if has_end { Ok(()) } else { Err("the file ends before its last line: it was cut off".to_owned()) }
    }

    fn reject(&mut self, line: u64, fault: Option<String>) {
        if let Some(fault) = fault {
            self.rejected += 1;
            self.import.say(format_args!("line {line} {fault}"));
        }
    }

    /// Imports the investigation in `pending`, if there is one.
    async fn import_pending(&mut self) -> Result<(), Stopped> {
        let Some((line, entry)) = self.pending.take() else { return Ok(()) };
        let fault = self.import_or_compare(line, *entry).await?;
        self.reject(line, fault);
        Ok(())
    }

    /// Imports an investigation, or compares it with an existing one. Returns the reason if the investigation was
    /// rejected.
    async fn import_or_compare(&mut self, line: u64, entry: Entry) -> Result<Option<String>, Stopped> {
        let Import { schema, assistant, .. } = self.import;
        // The language model will read the content after the next change.
        let entry = entry.with_findings(|content| Findings { pending: false, ..assistant.detect(content) }, schema);
        let whole = match entry.whole() {
            Ok(whole) => whole,
            Err(fault) => return Ok(Some(fault)),
        };
        if let Some(here) = self.import.snapshot(line, whole.id()).await? {
            return Ok(self.compare(&here, &whole));
        }
        let fault = self.import.add(line, whole).await?;
        self.imported += u64::from(fault.is_none());
        Ok(fault)
    }

    fn compare(&mut self, here: &InvestigationSnapshot, whole: &InvestigationSnapshot) -> Option<String> {
        let id = whole.id();
        let differences = here.differences(whole);
        if differences.is_empty() {
            self.existing += 1;
            return None;
        }
        let (here, there) = (here.revision(), whole.revision());
        Some(format!(
            "is not imported: the investigation {id} already exists here (revision {here} here, {there} in the file) and differs: {}; delete it here and import again",
            differences.join(", ")
        ))
    }

    async fn import_detection(&mut self, line: u64, detection: Detection) -> Result<(), Stopped> {
        if let Some(store) = self.import.store {
            let key = detection.key.clone();
            let known = store.detections_of(vec![key.clone()]).await.map_err(|error| stopped(line, &error))?;
            if known.contains_key(&key) {
                return Ok(());
            }
            if !self.import.dry_run {
                store.put_detections(vec![detection]).await.map_err(|error| stopped(line, &error))?;
            }
        }
        self.detections += 1;
        Ok(())
    }
}
