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
    let notes = [package.related(&relations, "footnotes")?, package.related(&relations, "endnotes")?];
    let text = package.text(&main)?.ok_or(ReadError::Damaged)?;
    let mut body = body::Body::new(&mut package, &relations, &styles);
    for notes in notes.iter().flatten() {
        body.read(notes)?;
    }
    body.read(&text)?;
    body.finish()
}
