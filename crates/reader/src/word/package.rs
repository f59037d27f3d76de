//! The zip file of a Word document: parts, and relationships between them. Nothing outside of the file is opened.

use std::collections::HashMap;
use std::io::{Cursor, Read};

use quick_xml::events::Event;
use zip::ZipArchive;
use zip::result::ZipError;

use super::xml::{Events, attribute};
use crate::encoding;
use crate::error::{MAX_ENTRIES, MAX_UNPACKED, ReadError};

pub(super) struct Package<'p> {
    archive: ZipArchive<Cursor<&'p [u8]>>,
    /// How many bytes may still be unpacked.
    left: u64,
}

#[derive(Debug, Clone)]
pub(super) struct Relation {
    /// The last part of its type, such as `styles`.
    pub(super) kind: String,
    pub(super) target: String,
    pub(super) is_external: bool,
}

pub(super) type Relations = HashMap<String, Relation>;

impl<'p> Package<'p> {
    pub(super) fn open(bytes: &'p [u8]) -> Result<Self, ReadError> {
        let count = entries(bytes).ok_or(ReadError::Damaged)?;
        if count > MAX_ENTRIES {
            return Err(ReadError::TooManyEntries);
        }
        let archive = ZipArchive::new(Cursor::new(bytes)).map_err(|error| read_error(&error))?;
        // The archive keeps one of several entries with the same name. Which one would be a guess.
        if archive.len() != count {
            return Err(ReadError::DuplicateEntry);
        }
        Ok(Self { archive, left: MAX_UNPACKED })
    }

    /// Returns the bytes of a part, unless there are more than `most`. Counts what comes out, since sizes that a zip
    /// file states can be wrong.
    pub(super) fn bytes(&mut self, name: &str, most: u64) -> Result<Option<Vec<u8>>, ReadError> {
        let entry = match self.archive.by_name(name) {
            Ok(entry) => entry,
            Err(ZipError::FileNotFound) => return Ok(None),
            Err(error) => return Err(read_error(&error)),
        };
        if entry.size() > most {
            return Ok(None);
        }
        let mut bytes = Vec::new();
        entry.take(self.left.min(most) + 1).read_to_end(&mut bytes).map_err(|_| ReadError::Damaged)?;
        let length = u64::try_from(bytes.len()).unwrap_or(u64::MAX);
        self.left = self.left.checked_sub(length).ok_or(ReadError::TooLargeUnpacked)?;
        Ok(Some(bytes).filter(|_| length <= most))
    }

    pub(super) fn text(&mut self, name: &str) -> Result<Option<String>, ReadError> {
        let bytes = self.bytes(name, u64::MAX)?;
        let text = |bytes| String::from_utf8(bytes).unwrap_or_else(|error| encoding::decode(error.as_bytes()).text);
        Ok(bytes.map(text))
    }

    /// Returns the name of the main part.
    pub(super) fn main(&mut self) -> Result<String, ReadError> {
        let relations = self.relations("")?;
        let main = relations.values().find(|relation| relation.kind == "officeDocument");
        match main {
            // Tables and presentations of Office are packages, too.
            Some(relation) if relation.target.starts_with("xl/") || relation.target.starts_with("ppt/") => {
                Err(ReadError::OtherType)
            }
            Some(relation) if !relation.is_external => Ok(relation.target.clone()),
            _ if self.archive.index_for_name("content.xml").is_some() => Err(ReadError::OpenDocument),
            _ => Err(ReadError::OtherType),
        }
    }

    /// Returns the relationships of a part, with targets as names of parts.
    pub(super) fn relations(&mut self, part: &str) -> Result<Relations, ReadError> {
        let (folder, file) = part.rsplit_once('/').unwrap_or(("", part));
        let folder = if folder.is_empty() { String::new() } else { format!("{folder}/") };
        let mut relations = HashMap::new();
        let Some(text) = self.text(&format!("{folder}_rels/{file}.rels"))? else { return Ok(relations) };
        let mut events = Events::new(&text);
        while let Some(event) = events.next()? {
            let Event::Start(start) = event else { continue };
            let values = (attribute(&start, "Id"), attribute(&start, "Type"), attribute(&start, "Target"));
            let (Some(id), Some(kind), Some(target)) = values else { continue };
            let kind = kind.rsplit('/').next().unwrap_or_default().to_owned();
            let is_external = attribute(&start, "TargetMode").as_deref() == Some("External");
            let target = if is_external { target } else { resolved(&folder, &target) };
            relations.insert(id, Relation { kind, target, is_external });
        }
        Ok(relations)
    }

    pub(super) fn related(&mut self, relations: &Relations, kind: &str) -> Result<Option<String>, ReadError> {
        match relations.values().find(|relation| relation.kind == kind && !relation.is_external) {
            Some(relation) => self.text(&relation.target.clone()),
            None => Ok(None),
        }
    }
}

/// Returns the number of entries that the end of a zip file states.
fn entries(bytes: &[u8]) -> Option<usize> {
    let end = bytes.windows(4).rposition(|window| window == b"PK\x05\x06")?;
    let count = bytes.get(end + 10..end + 12)?;
    Some(usize::from(u16::from_le_bytes(count.try_into().ok()?)))
}

/// Returns the name of a part from a target that is relative to a folder.
fn resolved(folder: &str, target: &str) -> String {
    let full = if target.starts_with('/') { target.to_owned() } else { format!("{folder}{target}") };
    let mut parts: Vec<&str> = Vec::new();
    for part in full.split('/') {
        match part {
            "" | "." => {}
            ".." => drop(parts.pop()),
            part => parts.push(part),
        }
    }
    parts.join("/")
}

fn read_error(error: &ZipError) -> ReadError {
    match error {
        ZipError::UnsupportedArchive(ZipError::PASSWORD_REQUIRED) | ZipError::InvalidPassword => ReadError::Encrypted,
        _ => ReadError::Damaged,
    }
}
