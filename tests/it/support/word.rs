//! Word documents with pictures, as a teacher sends them.

use std::io::{Cursor, Write as _};

use zip::ZipWriter;
use zip::write::SimpleFileOptions;

pub const WORD: &str = "application/vnd.openxmlformats-officedocument.wordprocessingml.document";
const RELATIONS: &str = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";

/// Returns a document of paragraphs, with pictures whose ids are `p0`, `p1` and so on, and a picture `linked`, which is
/// not in the file but at a web address.
pub fn document(paragraphs: &[String], pictures: &[Vec<u8>]) -> Vec<u8> {
    let text = format!(
        r#"<w:document xmlns:w="w" xmlns:r="r" xmlns:a="a" xmlns:wp="wp"><w:body>{}</w:body></w:document>"#,
        paragraphs.concat()
    );
    let image =
        |at: usize| format!(r#"<Relationship Id="p{at}" Type="{RELATIONS}/image" Target="media/image{at}.png"/>"#);
    let images: String = (0..pictures.len()).map(image).collect();
    let linked = format!(
        r#"<Relationship Id="linked" Type="{RELATIONS}/image" Target="https://example.org/pan.png" TargetMode="External"/>"#
    );
    let root = format!(r#"<Relationship Id="d" Type="{RELATIONS}/officeDocument" Target="word/document.xml"/>"#);
    let relations = |inner: String| format!("<Relationships>{inner}</Relationships>").into_bytes();
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    let mut add = |name: String, bytes: &[u8]| {
        zip.start_file(name, SimpleFileOptions::default()).expect("an entry");
        zip.write_all(bytes).expect("in memory");
    };
    add("_rels/.rels".to_owned(), &relations(root));
    add("word/document.xml".to_owned(), text.as_bytes());
    add("word/_rels/document.xml.rels".to_owned(), &relations(format!("{images}{linked}")));
    for (at, picture) in pictures.iter().enumerate() {
        add(format!("word/media/image{at}.png"), picture);
    }
    zip.finish().expect("a zip file").into_inner()
}

pub fn paragraph(text: &str) -> String {
    format!("<w:p><w:r><w:t>{text}</w:t></w:r></w:p>")
}

/// Returns a paragraph with a picture in front of its text.
pub fn illustrated(id: &str, alt: &str, text: &str) -> String {
    format!(
        r#"<w:p><w:r><w:drawing><wp:docPr descr="{alt}"/><a:blip r:embed="{id}"/></w:drawing></w:r><w:r><w:t>{text}</w:t></w:r></w:p>"#
    )
}
