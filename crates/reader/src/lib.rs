//! Reads lessons from documents. A document is split into blocks: headings, paragraphs, list items, table rows,
//! pictures. Each block is placed in one field of the lesson, or reported to the author as unplaced.
//!
//! All functions are pure. Limits bound the work and the memory for any input.

pub mod amount;
mod asides;
mod blocks;
mod builder;
mod characters;
mod document;
mod encoding;
mod error;
mod facts;
mod fields;
mod fill;
mod headings;
mod html;
mod lists;
mod markdown;
mod marks;
mod materials;
mod numbered;
mod pages;
mod pictures;
mod places;
mod plain;
mod steps;
mod tables;
mod time;
mod title;
mod vocabulary;
mod word;
mod words;

pub use document::{Block, Document, Kind, Picture};
pub use error::{ErrorClass, MAX_BLOCKS, MAX_BYTES, MAX_MEMORY, MAX_PIECES, MAX_TEXT, ReadError};
pub use fields::Fields;
pub use fill::{Filled, fill};
pub use headings::by_headings;
pub use pictures::place_pictures;
pub use places::Places;

/// An input document.
#[derive(Debug, Clone, Copy)]
pub enum Source<'s> {
    /// Text of unknown origin. Markdown markup is recognized if there is any.
    Text(&'s str),
    Html(&'s str),
    File {
        media_type: &'s str,
        bytes: &'s [u8],
    },
}

/// The media type of Word documents.
pub const WORD: &str = "application/vnd.openxmlformats-officedocument.wordprocessingml.document";

impl Source<'_> {
    /// Returns the size of the text, in bytes. For a Word document, the size is unknown before unpacking, so this
    /// returns the maximum.
    pub fn text_bytes(&self) -> usize {
        match self {
            Self::Text(text) | Self::Html(text) => text.len(),
            Self::File { media_type, .. } if is_word(media_type) => MAX_BYTES,
            Self::File { bytes, .. } => bytes.len(),
        }
    }
}

/// Returns a media type in lower case, without its parameters.
fn essence(media_type: &str) -> String {
    media_type.split(';').next().unwrap_or_default().trim().to_ascii_lowercase()
}

fn is_word(media_type: &str) -> bool {
    essence(media_type) == WORD
}

/// Turns a document into blocks.
///
/// # Errors
/// If the type of the document is not supported, or the document is damaged or exceeds a limit.
pub fn read(source: Source<'_>) -> Result<Document, ReadError> {
    let length = match source {
        Source::Text(text) | Source::Html(text) => text.len(),
        Source::File { bytes, .. } => bytes.len(),
    };
    if length > error::MAX_BYTES {
        return Err(ReadError::TooLarge);
    }
    match source {
        Source::Text(text) => text_or_markdown(text).and_then(blocks::document),
        Source::Html(html) => html::parts(html).and_then(blocks::document),
        Source::File { media_type, bytes } => file(media_type, bytes),
    }
}

fn text_or_markdown(text: &str) -> Result<builder::Built, ReadError> {
    if markdown::is_likely(text) { markdown::parts(text) } else { plain::parts(text) }
}

fn file(media_type: &str, bytes: &[u8]) -> Result<Document, ReadError> {
    encoding::refuse_foreign(bytes)?;
    if is_word(media_type) {
        return word::parts(bytes).and_then(blocks::document);
    }
    if bytes.starts_with(b"PK\x03\x04") {
        return Err(ReadError::OtherType);
    }
    let decoded = encoding::decode(bytes);
    let built = match essence(media_type).as_str() {
        "text/plain" => text_or_markdown(&decoded.text),
        "text/markdown" => markdown::parts(&decoded.text),
        "text/html" | "application/xhtml+xml" => html::parts(&decoded.text),
        _ => return Err(ReadError::OtherType),
    };
    let mut document = built.and_then(blocks::document)?;
    if decoded.is_guessed {
        document.notices.push("The text is not UTF-8. It was read as Windows-1252.".to_owned());
    }
    Ok(document)
}
