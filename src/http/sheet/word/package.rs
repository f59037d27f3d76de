//! The zip file of a Word document: its parts, and the relationships between them.

use std::collections::HashMap;
use std::fmt::Write as _;
use std::io::{Cursor, Write as _};

use zip::result::ZipResult;
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, DateTime, ZipWriter};

use super::text::escaped;

const HEAD: &str = "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"yes\"?>\n";
const RELATION: &str = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";

/// The parts that every document has in addition to the text, each with its kind. The text refers to them by their
/// positions in this list, starting with `rId1`.
const BESIDE: [&str; 4] = ["styles", "numbering", "settings", "footer"];
/// The id of the relationship to the footer.
pub const FOOTER: &str = "rId4";

/// Maximum length of a property of a document, in characters. Word does not accept longer properties.
const MAX_PROPERTY: usize = 255;

/// The relationships of the text to addresses and pictures.
#[derive(Debug)]
pub struct Relations {
    xml: String,
    /// Number of relationships.
    count: usize,
    ids: HashMap<String, String>,
}

impl Default for Relations {
    fn default() -> Self {
        let mut relations = Self { xml: String::new(), count: 0, ids: HashMap::new() };
        for part in BESIDE {
            relations.to(part, &format!("{part}.xml"), "");
        }
        relations
    }
}

impl Relations {
    /// Returns the id of the relationship to an address outside of the document.
    pub fn address(&mut self, address: &str) -> String {
        self.to("hyperlink", address, r#" TargetMode="External""#)
    }

    /// Returns the id of the relationship to the picture of this name.
    pub fn picture(&mut self, name: &str) -> String {
        self.to("image", &format!("media/{name}"), "")
    }

    fn to(&mut self, kind: &str, target: &str, mode: &str) -> String {
        if let Some(id) = self.ids.get(target) {
            return id.clone();
        }
        self.count += 1;
        let id = format!("rId{}", self.count);
        let escaped = escaped(target);
        let _ = write!(self.xml, r#"<Relationship Id="{id}" Type="{RELATION}/{kind}" Target="{escaped}"{mode}/>"#);
        self.ids.insert(target.to_owned(), id.clone());
        id
    }
}

/// What a document consists of.
#[derive(Debug, Default)]
pub struct Parts<'p> {
    pub title: &'p str,
    /// The parts of the footer, as XML: the property for text from right to left, or nothing; the title; and the word
    /// between the page number and the number of pages.
    pub footer: [String; 3],
    /// Language of the text, as a BCP 47 tag.
    pub language: &'p str,
    /// The children of `w:body`.
    pub body: String,
    pub relations: Relations,
    /// Number of numbered lists. Their ids are consecutive, beginning with [`FIRST_LIST`].
    pub lists: usize,
    /// Pictures, by their names.
    pub pictures: Vec<(String, &'p [u8])>,
}

/// The id of the first numbered list. Lower ids belong to styles.
pub const FIRST_LIST: usize = 4;

/// Returns the bytes of a document. The same parts give the same bytes.
///
/// # Errors
/// If the document is too large for a zip file.
pub fn zipped(parts: &Parts<'_>) -> ZipResult<Vec<u8>> {
    let language = escaped(parts.language);
    let relations = &parts.relations.xml;
    let texts = [
        ("[Content_Types].xml", include_str!("parts/content_types.xml").to_owned()),
        ("_rels/.rels", include_str!("parts/relationships.xml").to_owned()),
        ("docProps/core.xml", core(parts.title, &language)),
        (
            "word/_rels/document.xml.rels",
            format!(
                r#"{HEAD}<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">{relations}</Relationships>"#
            ),
        ),
        ("word/styles.xml", include_str!("parts/styles.xml").replace("{language}", &language)),
        ("word/numbering.xml", include_str!("parts/numbering.xml").replace("{lists}", &lists(parts.lists))),
        ("word/settings.xml", include_str!("parts/settings.xml").to_owned()),
        ("word/footer.xml", footer(&parts.footer)),
        ("word/document.xml", include_str!("parts/document.xml").replace("{body}", &parts.body)),
    ];
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    let options = SimpleFileOptions::default().last_modified_time(DateTime::default());
    for (name, text) in texts {
        zip.start_file(name, options.compression_method(CompressionMethod::Deflated))?;
        zip.write_all(text.as_bytes())?;
    }
    for (name, bytes) in &parts.pictures {
        // Stores pictures as they are, because they are compressed already.
        zip.start_file(format!("word/media/{name}"), options.compression_method(CompressionMethod::Stored))?;
        zip.write_all(bytes)?;
    }
    Ok(zip.finish()?.into_inner())
}

fn core(title: &str, language: &str) -> String {
    let title = escaped(&title.chars().take(MAX_PROPERTY).collect::<String>());
    format!(
        r#"{HEAD}<cp:coreProperties xmlns:cp="http://schemas.openxmlformats.org/package/2006/metadata/core-properties" xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>{title}</dc:title><dc:language>{language}</dc:language></cp:coreProperties>"#
    )
}

fn footer([bidi, title, of]: &[String; 3]) -> String {
    include_str!("parts/footer.xml").replace("{bidi}", bidi).replace("{of}", of).replace("{title}", title)
}

/// Returns the XML that defines `count` numbered lists, each of which starts at 1.
fn lists(count: usize) -> String {
    let numbering = |id| {
        format!(
            r#"<w:num w:numId="{id}"><w:abstractNumId w:val="2"/><w:lvlOverride w:ilvl="0"><w:startOverride w:val="1"/></w:lvlOverride></w:num>"#
        )
    };
    (FIRST_LIST..FIRST_LIST + count).map(numbering).collect()
}
