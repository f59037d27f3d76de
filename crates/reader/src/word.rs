//! Converts Word documents to parts.

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
    if let Some(part) = package.related(&relations, "styles")? {
        styles.read_styles(part)?;
    }
    if let Some(part) = package.related(&relations, "numbering")? {
        styles.read_numbering(part)?;
    }
    let mut pictures = package.clone();
    let mut body = body::Body::new(&mut pictures, &relations, &styles);
    for kind in ["footnotes", "endnotes"] {
        if let Some(notes) = package.related(&relations, kind)? {
            body.read(notes)?;
        }
    }
    body.read(package.part(&main)?.ok_or(ReadError::Damaged)?)?;
    body.finish()
}
