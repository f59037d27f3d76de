//! Word documents become parts.

mod body;
mod package;
mod styles;
mod xml;

use crate::builder::Built;
use crate::error::ReadError;
use package::Package;
use styles::Styles;

pub(crate) fn parts(bytes: &[u8]) -> Result<Built, ReadError> {
    let mut package = Package::open(bytes)?;
    let main = package.main()?;
    let relations = package.relations(&main)?;
    let mut styles = Styles::default();
    if let Some(text) = package.related(&relations, "styles")? {
        styles.read_styles(&text)?;
    }
    if let Some(text) = package.related(&relations, "numbering")? {
        styles.read_numbering(&text)?;
    }
    let mut notes = Vec::new();
    for (kind, element) in [("footnotes", "footnote"), ("endnotes", "endnote")] {
        if let Some(text) = package.related(&relations, kind)? {
            notes.extend(body::notes(&text, element)?);
        }
    }
    let text = package.text(&main)?.ok_or(ReadError::Damaged)?;
    body::Body::new(&mut package, &relations, &styles, notes).read(&text)
}
