//! The schema of the service, and documents that are built for a test.

use std::io::{Cursor, Write};
use std::sync::LazyLock;

use fieldbook_reader::{Document, Fields, Filled, ReadError, Source, WORD, by_headings, fill, read};
use serde_json::Value;
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipWriter};

pub static FIELDS: LazyLock<Fields> = LazyLock::new(|| {
    let schema = include_str!("../../../schemas/investigation.json");
    Fields::of(&serde_json::from_str(schema).unwrap())
});

pub fn filled(document: &Document) -> Filled {
    fill(document, &by_headings(document, &FIELDS), &FIELDS, &|_| Vec::new())
}

/// Reads a document into a lesson.
pub fn lesson(source: Source<'_>) -> Filled {
    filled(&read(source).unwrap())
}

/// Returns the texts of the blocks that are in no field.
pub fn left(filled: &Filled) -> Vec<&str> {
    let is_left = |id: &String| filled.not_placed.contains(id);
    filled.blocks.iter().filter(|block| is_left(&block.id)).map(|block| block.text.as_str()).collect()
}

/// Reads a plain text into a lesson.
pub fn text(text: &str) -> Filled {
    lesson(Source::Text(text))
}

pub fn html(html: &str) -> Filled {
    lesson(Source::Html(html))
}

pub fn content(filled: &Filled) -> Value {
    Value::Object(filled.content.clone())
}

const TYPES: &str = r#"<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>"#;
const ROOT: &str = r#"<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="word/document.xml"/></Relationships>"#;
const PARTS: &str = r#"<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/styles" Target="styles.xml"/><Relationship Id="rId2" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/numbering" Target="/word/numbering.xml"/><Relationship Id="rId3" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/footnotes" Target="footnotes.xml"/><Relationship Id="rId4" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/image" Target="media/set-up.png"/><Relationship Id="rId5" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/hyperlink" Target="https://example.org/film" TargetMode="External"/></Relationships>"#;
const STYLES: &str = r#"<w:styles xmlns:w="w"><w:style w:styleId="Titel"><w:name w:val="Title"/></w:style><w:style w:styleId="berschrift1"><w:name w:val="heading 1"/></w:style><w:style w:styleId="berschrift2"><w:name w:val="heading 2"/></w:style><w:style w:styleId="FieldbookPupil"><w:name w:val="FieldbookPupil"/></w:style><w:style w:styleId="Line"><w:name w:val="Writing Line"/></w:style><w:style w:styleId="Eigene"><w:name w:val="My heading"/><w:basedOn w:val="berschrift1"/></w:style><w:style w:styleId="Aufz"><w:name w:val="List Bullet"/><w:pPr><w:numPr><w:numId w:val="1"/></w:numPr></w:pPr></w:style><w:style w:styleId="Untertitel"><w:name w:val="Subtitle"/><w:pPr><w:numPr><w:ilvl w:val="1"/></w:numPr></w:pPr></w:style></w:styles>"#;
const NUMBERING: &str = r#"<w:numbering xmlns:w="w"><w:abstractNum w:abstractNumId="0"><w:lvl w:ilvl="0"><w:numFmt w:val="bullet"/></w:lvl></w:abstractNum><w:abstractNum w:abstractNumId="1"><w:lvl w:ilvl="0"><w:numFmt w:val="decimal"/></w:lvl><w:lvl w:ilvl="1"><w:numFmt w:val="lowerLetter"/></w:lvl></w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="0"/><w:lvlOverride w:ilvl="0"><w:lvl w:ilvl="0"><w:numFmt w:val="bullet"/></w:lvl></w:lvlOverride></w:num><w:num w:numId="2"><w:abstractNumId w:val="1"/></w:num></w:numbering>"#;
const FOOTNOTES: &str = r#"<w:footnotes xmlns:w="w"><w:footnote w:id="-1"><w:p><w:r><w:separator/></w:r></w:p></w:footnote><w:footnote w:id="2"><w:p><w:r><w:t>Ask the technician.</w:t></w:r><w:r><w:rPr><w:vanish/></w:rPr><w:t>secret</w:t></w:r></w:p></w:footnote></w:footnotes>"#;

/// Returns a zip file of the given entries.
pub fn zip(entries: &[(&str, &[u8])]) -> Vec<u8> {
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    let options = SimpleFileOptions::default().compression_method(CompressionMethod::Deflated);
    for (name, bytes) in entries {
        writer.start_file(*name, options).unwrap();
        writer.write_all(bytes).unwrap();
    }
    writer.finish().unwrap().into_inner()
}

/// Returns a Word document with the given body.
pub fn docx(body: &str) -> Vec<u8> {
    docx_of(document_of(body).as_bytes())
}

/// Returns a Word document with other styles.
pub fn docx_with_styles(body: &str, styles: &str) -> Vec<u8> {
    docx_of_parts(document_of(body).as_bytes(), &format!("<w:styles>{styles}</w:styles>"))
}

fn document_of(body: &str) -> String {
    format!(
        r#"<?xml version="1.0"?><w:document xmlns:w="w" xmlns:r="r" xmlns:a="a" xmlns:wp="wp" xmlns:mc="mc"><w:body>{body}</w:body></w:document>"#
    )
}

pub fn docx_of(document: &[u8]) -> Vec<u8> {
    docx_of_parts(document, STYLES)
}

fn docx_of_parts(document: &[u8], styles: &str) -> Vec<u8> {
    zip(&[
        ("[Content_Types].xml", TYPES.as_bytes()),
        ("_rels/.rels", ROOT.as_bytes()),
        ("word/document.xml", document),
        ("word/_rels/document.xml.rels", PARTS.as_bytes()),
        ("word/styles.xml", styles.as_bytes()),
        ("word/numbering.xml", NUMBERING.as_bytes()),
        ("word/footnotes.xml", FOOTNOTES.as_bytes()),
        ("word/media/set-up.png", b"PNG"),
    ])
}

pub fn read_docx(bytes: &[u8]) -> Result<Document, ReadError> {
    read(Source::File { media_type: WORD, bytes })
}

/// Returns a paragraph with a style.
pub fn styled(style: &str, text: &str) -> String {
    format!(r#"<w:p><w:pPr><w:pStyle w:val="{style}"/></w:pPr><w:r><w:t>{text}</w:t></w:r></w:p>"#)
}

pub fn paragraph(text: &str) -> String {
    format!("<w:p><w:r><w:t>{text}</w:t></w:r></w:p>")
}

pub fn item(numbering: u32, level: u32, text: &str) -> String {
    format!(
        r#"<w:p><w:pPr><w:numPr><w:ilvl w:val="{level}"/><w:numId w:val="{numbering}"/></w:numPr></w:pPr><w:r><w:t>{text}</w:t></w:r></w:p>"#
    )
}
