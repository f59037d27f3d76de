//! Why a document was refused.

use thiserror::Error;

/// Maximum size of a file, in bytes.
pub const MAX_BYTES: usize = 5 * 1024 * 1024;
/// Maximum size of the text in a file, in bytes. The content of a lesson may have a quarter of this.
pub const MAX_TEXT: usize = 1024 * 1024;
/// Maximum number of pieces of HTML or XML: tags, texts between tags, comments and so on.
pub const MAX_PIECES: usize = 400_000;
/// Maximum number of blocks.
pub const MAX_BLOCKS: usize = 10_000;
/// Maximum number of lines of a plain text. It exceeds the number of blocks, because many lines can be blank, or
/// continue other lines.
pub const MAX_LINES: usize = 100_000;
/// Maximum number of Markdown markup characters, and of lines, in a text.
pub const MAX_SIGNS: usize = 100_000;
/// Maximum number of cells of all tables.
pub const MAX_CELLS: usize = 100_000;
/// Maximum depth of elements.
pub const MAX_DEPTH: usize = 256;
/// Maximum number of entries of a zip file.
pub const MAX_ENTRIES: usize = 1_000;
/// Maximum number of bytes that are unpacked from a zip file. Only the entries that are read are unpacked.
pub const MAX_UNPACKED: u64 = 50 * 1024 * 1024;
/// Approximate maximum memory that a document takes while it is read, in bytes, with its text. Documents are unpacked
/// piece by piece, so only their text and its formatting are in memory.
pub const MAX_MEMORY: usize = 48 * 1024 * 1024;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum ReadError {
    #[error("the file is larger than 5 MiB; make its pictures smaller, or paste its text")]
    TooLarge,
    #[error("the document has more than 1 MiB of text; divide it into several documents")]
    TooMuchText,
    #[error("the document has more than 400,000 pieces of formatting; copy its text and paste it as plain text")]
    TooManyPieces,
    #[error(
        "the document has more than 10,000 paragraphs, list items and table rows; divide it into several documents"
    )]
    TooManyBlocks,
    #[error("the document is nested deeper than 256 levels")]
    TooDeep,
    #[error("the file contains more than 1,000 parts")]
    TooManyEntries,
    #[error("the file unpacks to more than 50 MiB")]
    TooLargeUnpacked,
    #[error("the file contains two parts with the same name")]
    DuplicateEntry,
    #[error("the file contains a DOCTYPE, which no Word document has")]
    Doctype,
    #[error("the file is damaged")]
    Damaged,
    #[error("the file is encrypted; save it without a password")]
    Encrypted,
    #[error("this is an old Word document (.doc) or another Office file; save it as .docx")]
    OldOffice,
    #[error("this is a PDF; copy its text and paste it")]
    Pdf,
    #[error("this is an OpenDocument file; save it as .docx")]
    OpenDocument,
    #[error("files of this type are not supported; use .docx, .html, .md or .txt")]
    OtherType,
}

/// Kinds of errors, from which callers derive a status code.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ErrorClass {
    /// The file type is not supported.
    Type,
    /// The file exceeds a limit.
    Size,
    /// The content of the file does not match its type.
    Form,
}

impl ReadError {
    pub fn class(self) -> ErrorClass {
        match self {
            Self::Encrypted | Self::OldOffice | Self::Pdf | Self::OpenDocument | Self::OtherType => ErrorClass::Type,
            Self::TooLarge
            | Self::TooMuchText
            | Self::TooManyPieces
            | Self::TooManyBlocks
            | Self::TooManyEntries
            | Self::TooLargeUnpacked => ErrorClass::Size,
            Self::TooDeep | Self::DuplicateEntry | Self::Doctype | Self::Damaged => ErrorClass::Form,
        }
    }
}
