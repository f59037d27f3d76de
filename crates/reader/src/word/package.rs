//! The zip file of a Word document: parts, and relationships between them. Nothing outside of the file is opened.

use std::cell::Cell;
use std::collections::HashMap;
use std::io::{self, BufRead, BufReader, Cursor, Read};
use std::rc::Rc;

use quick_xml::events::Event;
use zip::ZipArchive;
use zip::read::ZipFile;
use zip::result::ZipError;

use super::xml::{self, Events, Kept, MAX_NAME, Part, Pieces, attribute};
use crate::encoding;
use crate::error::{MAX_BYTES, MAX_ENTRIES, MAX_UNPACKED, ReadError};

/// A clone reads the same file and shares its limit, so pictures can be read while the text is being read.
#[derive(Clone)]
pub(super) struct Package<'p> {
    archive: ZipArchive<Cursor<&'p [u8]>>,
    /// How many bytes may still be unpacked.
    left: Rc<Cell<u64>>,
    pieces: Pieces,
}

/// An entry of the zip file. Counts the unpacked bytes, because the sizes in a zip file may be wrong.
struct Unpacked<'a, 'p> {
    entry: ZipFile<'a, Cursor<&'p [u8]>>,
    left: Rc<Cell<u64>>,
}

impl Read for Unpacked<'_, '_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.entry.read(buffer)?;
        let left = self.left.get().checked_sub(count as u64);
        self.left.set(left.ok_or_else(|| io::Error::other(ReadError::TooLargeUnpacked))?);
        Ok(count)
    }
}

#[derive(Debug, Clone)]
pub(super) struct Relation {
    /// The last segment of the URI that names the type of the relationship, such as `styles`.
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
        // Several entries with the same name are refused: the archive keeps only one of them, which may be the wrong
        // one.
        if archive.len() != count {
            return Err(ReadError::DuplicateEntry);
        }
        Ok(Self { archive, left: Rc::new(Cell::new(MAX_UNPACKED)), pieces: Pieces::default() })
    }

    fn unpacked(&mut self, name: &str) -> Result<Option<Unpacked<'_, 'p>>, ReadError> {
        let left = self.left.clone();
        match self.archive.by_name(name) {
            Ok(entry) => Ok(Some(Unpacked { entry, left })),
            Err(ZipError::FileNotFound) => Ok(None),
            Err(error) => Err(read_error(&error)),
        }
    }

    /// Returns the bytes of a picture, unless there are more than `most`.
    pub(super) fn bytes(&mut self, name: &str, most: u64) -> Result<Option<Vec<u8>>, ReadError> {
        let Some(unpacked) = self.unpacked(name)?.filter(|unpacked| unpacked.entry.size() <= most) else {
            return Ok(None);
        };
        let mut bytes = Vec::new();
        unpacked.take(most + 1).read_to_end(&mut bytes).map_err(|error| xml::read_error(&error))?;
        Ok(Some(bytes).filter(|bytes| bytes.len() as u64 <= most))
    }

    /// Returns an XML part.
    pub(super) fn part(&mut self, name: &str) -> Result<Option<Part<'_>>, ReadError> {
        let pieces = self.pieces.clone();
        let Some(unpacked) = self.unpacked(name)? else { return Ok(None) };
        if unpacked.entry.size() > unpacked.left.get() {
            return Err(ReadError::TooLargeUnpacked);
        }
        let mut part = BufReader::new(unpacked);
        let start = part.fill_buf().map_err(|error| xml::read_error(&error))?;
        if !encoding::is_utf16(start) {
            return Ok(Some(Part { bytes: Box::new(part), pieces }));
        }
        // XML may be encoded in UTF-16, although no known program does this. Such a part is decoded as a whole, so only
        // a small one is accepted.
        let mut bytes = Vec::new();
        part.take(MAX_BYTES as u64 + 1).read_to_end(&mut bytes).map_err(|error| xml::read_error(&error))?;
        if bytes.len() > MAX_BYTES {
            return Err(ReadError::TooLarge);
        }
        Ok(Some(Part { bytes: Box::new(Cursor::new(encoding::decode(&bytes).text)), pieces }))
    }

    /// Returns the name of the main part.
    pub(super) fn main(&mut self) -> Result<String, ReadError> {
        let relations = self.relations("")?;
        let main = relations.values().find(|relation| relation.kind == "officeDocument");
        match main {
            // A spreadsheet or presentation of Office has a main part of the same kind, but is refused.
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
        let Some(part) = self.part(&format!("{folder}_rels/{file}.rels"))? else { return Ok(relations) };
        /// Approximate memory of a relation, without its texts.
        const RELATION: usize = 256;
        let mut kept = Kept::default();
        let mut events = Events::new(part);
        while let Some(event) = events.next()? {
            let Event::Start(start) = event else { continue };
            let values = (attribute(&start, "Id"), attribute(&start, "Type"), attribute(&start, "Target"));
            let (Some(id), Some(kind), Some(target)) = values else { continue };
            let kind = kind.rsplit('/').next().unwrap_or_default().to_owned();
            let is_external = attribute(&start, "TargetMode").as_deref() == Some("External");
            let target = if is_external { target } else { resolved(&folder, &target) };
            // No real part has such a long name. The relation is dropped, because each picture that uses it would look
            // up the long name.
            if !is_external && target.len() > MAX_NAME {
                continue;
            }
            kept.add(RELATION + id.len() + kind.len() + target.len())?;
            relations.insert(id, Relation { kind, target, is_external });
        }
        Ok(relations)
    }

    pub(super) fn related(&mut self, relations: &Relations, kind: &str) -> Result<Option<Part<'_>>, ReadError> {
        match relations.values().find(|relation| relation.kind == kind && !relation.is_external) {
            Some(relation) => self.part(&relation.target),
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
