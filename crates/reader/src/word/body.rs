//! Reads the text of a Word document as if all tracked changes were accepted.

use std::collections::{HashMap, HashSet};

use quick_xml::events::{BytesStart, Event};

use super::package::{Package, Relations};
use super::styles::{Numbering, Resolved, Styles, number};
use super::xml::{Events, Part, attribute, is_on, reference};
use crate::builder::{Builder, Built, Shape, Style};
use crate::characters::Script;
use crate::document::Kind;
use crate::error::{MAX_BLOCKS, MAX_BYTES, ReadError};

/// Elements whose text does not belong to the document: deletions, field codes, fallback copies, and phonetic guides
/// (ruby).
const SKIPPED: [&str; 9] =
    ["del", "moveFrom", "instrText", "Fallback", "rt", "delText", "delInstrText", "sectPr", "rPrChange"];

/// The properties of a run.
#[derive(Debug, Clone, Copy, Default)]
struct Run {
    is_bold: Option<bool>,
    is_hidden: bool,
    script: Option<Script>,
    is_style_bold: bool,
}

/// The properties of a paragraph.
#[derive(Debug, Clone, Copy, Default)]
struct Paragraph {
    style: Resolved,
    numbering: Option<Numbering>,
    outline: Option<u8>,
    /// Whether the mark at the end of the paragraph was deleted, so that the next paragraph continues this one.
    is_joined: bool,
}

pub(super) struct Body<'b, 'p> {
    package: &'b mut Package<'p>,
    relations: &'b Relations,
    styles: &'b Styles,
    /// Footnotes and endnotes, by kind and id.
    notes: HashMap<String, String>,
    /// The note that is open.
    note: Option<String>,
    is_document: bool,
    builder: Builder,
    paragraph: Paragraph,
    /// Paragraphs around the text boxes that are open.
    outer: Vec<Paragraph>,
    is_in_paragraph: bool,
    run: Run,
    /// Pictures that were already added.
    pictures: HashSet<&'b str>,
    is_text: bool,
    link: Option<(&'b str, usize)>,
    /// The elements that are open.
    open: Vec<String>,
    alt: String,
}

impl<'b, 'p> Body<'b, 'p> {
    pub(super) fn new(package: &'b mut Package<'p>, relations: &'b Relations, styles: &'b Styles) -> Self {
        Self {
            package,
            relations,
            styles,
            notes: HashMap::new(),
            note: None,
            is_document: false,
            builder: Builder::default(),
            paragraph: Paragraph::default(),
            outer: Vec::new(),
            is_in_paragraph: false,
            run: Run::default(),
            pictures: HashSet::new(),
            is_text: false,
            link: None,
            open: Vec::new(),
            alt: String::new(),
        }
    }

    /// Reads a part: notes, or the document.
    pub(super) fn read(&mut self, part: Part<'_>) -> Result<(), ReadError> {
        let mut events = Events::new(part);
        let mut skipped = 0_usize;
        while let Some(event) = events.next()? {
            match event {
                Event::Start(start) => {
                    let name = start.local_name().as_ref().to_owned();
                    self.is_document |= name == "document";
                    if skipped > 0 || self.is_skipped(&name) {
                        self.paragraph.is_joined |= name == "del" && self.open.iter().any(|open| open == "pPr");
                        skipped += 1;
                    } else {
                        self.start(&name, &start)?;
                        self.open.push(name);
                    }
                }
                Event::End(_) if skipped > 0 => skipped -= 1,
                Event::End(_) => {
                    if let Some(name) = self.open.pop() {
                        self.end(&name)?;
                    }
                }
                Event::Text(text) if skipped == 0 && self.is_text => self.text(&text.xml10_content()),
                Event::CData(text) if skipped == 0 && self.is_text => self.text(&text.xml10_content()),
                Event::GeneralRef(found) if skipped == 0 && self.is_text => {
                    if let Some(character) = reference(&found) {
                        self.text(character.encode_utf8(&mut [0; 4]));
                    }
                }
                _ => {}
            }
        }
        Ok(())
    }

    pub(super) fn finish(self) -> Result<Built, ReadError> {
        if self.is_document { self.builder.finish() } else { Err(ReadError::Damaged) }
    }

    /// Ends a line. Lines of a note stay together.
    fn end_line(&mut self) -> Result<(), ReadError> {
        if self.note.is_none() {
            return self.builder.flush();
        }
        self.builder.text(" ", Style::default());
        Ok(())
    }

    fn is_skipped(&self, name: &str) -> bool {
        // These elements hold earlier paragraph properties (tracked changes) or section properties.
        SKIPPED.contains(&name) || matches!(name, "pPrChange" | "tblPrChange" | "tcPrChange" | "trPrChange")
    }

    fn start(&mut self, name: &str, start: &BytesStart<'_>) -> Result<(), ReadError> {
        let value = || attribute(start, "val");
        let is_in = |wanted: &str| self.open.last().is_some_and(|open| open == wanted);
        match name {
            "p" => {
                if self.is_in_paragraph {
                    self.outer.push(std::mem::take(&mut self.paragraph));
                } else if !self.paragraph.is_joined {
                    self.end_line()?;
                }
                self.paragraph = Paragraph::default();
                self.builder.shape = Shape::default();
                self.is_in_paragraph = true;
            }
            "pStyle" => self.paragraph.style = value().map_or_else(Resolved::default, |id| self.styles.resolve(&id)),
            "outlineLvl" => self.paragraph.outline = number(value()),
            "ilvl" => {
                let id = self.paragraph.numbering.map_or(u32::MAX, |numbering| numbering.id);
                self.paragraph.numbering = Some(Numbering { id, level: number(value()) });
            }
            "numId" => {
                let level = self.paragraph.numbering.and_then(|numbering| numbering.level);
                self.paragraph.numbering = number(value()).map(|id| Numbering { id, level });
            }
            "r" => {
                self.run = Run { is_style_bold: self.paragraph.style.is_bold, ..Run::default() };
            }
            "rStyle" => {
                let is_bold = value().is_some_and(|id| self.styles.resolve(&id).is_bold);
                self.run.is_style_bold |= is_bold;
            }
            "b" if is_in("rPr") => self.run.is_bold = Some(is_on(start)),
            "vanish" if is_in("rPr") => self.run.is_hidden = is_on(start),
            "vertAlign" => {
                self.run.script = match value().as_deref() {
                    Some("superscript") => Some(Script::Raised),
                    Some("subscript") => Some(Script::Lowered),
                    _ => None,
                };
            }
            "t" => self.is_text = true,
            "tab" if !is_in("tabs") => self.text("\t"),
            "br" | "cr" if attribute(start, "type").as_deref() != Some("page") => self.text("\n"),
            "noBreakHyphen" => self.text("-"),
            "sym" => self.symbol(attribute(start, "char")),
            // Links and pictures in notes are skipped, because only the relationships of the document itself were read.
            "hyperlink" | "blip" | "imagedata" if self.note.is_some() => {}
            "hyperlink" => {
                let relation = attribute(start, "id").and_then(|id| self.relations.get(&id));
                let address = relation.filter(|relation| relation.is_external).map(|relation| relation.target.as_str());
                self.link = address.map(|address| (address, self.builder.len()));
            }
            "footnoteReference" | "endnoteReference" => {
                let kind = name.trim_end_matches("Reference");
                let id = attribute(start, "id").unwrap_or_default();
                if let Some(note) = self.notes.remove(&format!("{kind} {id}")) {
                    self.builder.text(&format!(" ({note})"), Style::default());
                }
            }
            "footnote" | "endnote" => {
                self.note = Some(format!("{name} {}", attribute(start, "id").unwrap_or_default()));
            }
            "docPr" => self.alt = attribute(start, "descr").unwrap_or_default(),
            "blip" => self.picture(attribute(start, "embed"))?,
            "imagedata" => {
                self.alt = attribute(start, "title").unwrap_or_default();
                self.picture(attribute(start, "id"))?;
            }
            "tbl" => self.builder.open_table()?,
            "tr" => self.builder.open_row(false)?,
            "tblHeader" if is_on(start) => self.builder.mark_head(),
            _ => {}
        }
        Ok(())
    }

    fn end(&mut self, name: &str) -> Result<(), ReadError> {
        match name {
            "p" => {
                if !self.paragraph.is_joined {
                    self.builder.shape = self.shape();
                    if self.builder.shape.is_aside && self.builder.is_blank() && self.note.is_none() {
                        self.builder.set_heading_aside();
                    }
                    self.end_line()?;
                }
                let outer = self.outer.pop();
                self.is_in_paragraph = outer.is_some();
                self.paragraph = outer.unwrap_or(self.paragraph);
                if self.is_in_paragraph {
                    self.builder.shape = self.shape();
                }
            }
            // Pictures and links need the shape of their paragraph before its end.
            "pPr" => self.builder.shape = self.shape(),
            "t" => self.is_text = false,
            "hyperlink" => {
                if let Some((address, start)) = self.link.take() {
                    self.builder.address(address, start);
                }
            }
            // A text box in the middle of a paragraph.
            "txbxContent" => self.end_line()?,
            "footnote" | "endnote" => {
                let text = self.builder.take_text().trim().to_owned();
                if let Some(note) = self.note.take().filter(|_| !text.is_empty()) {
                    self.notes.insert(note, text);
                }
                if self.notes.len() > MAX_BLOCKS {
                    return Err(ReadError::TooManyBlocks);
                }
            }
            "tc" => self.builder.end_cell()?,
            "tbl" => self.builder.close_table()?,
            _ => {}
        }
        Ok(())
    }

    fn text(&mut self, text: &str) {
        if !self.run.is_hidden {
            let is_bold = self.run.is_bold.unwrap_or(self.run.is_style_bold);
            self.builder.text(text, Style { is_bold, is_linked: false, script: self.run.script });
        }
    }

    /// Adds a character of a symbol font. Its code has a meaning only in that font, but at the beginning of a line, any
    /// such code is read as a bullet.
    fn symbol(&mut self, code: Option<String>) {
        let code = code.and_then(|code| u32::from_str_radix(&code, 16).ok());
        if let Some(character) = code.and_then(char::from_u32) {
            self.text(character.encode_utf8(&mut [0; 4]));
        }
    }

    fn shape(&self) -> Shape {
        let style = self.paragraph.style;
        let own = self.paragraph.outline.filter(|level| *level < 9).map(|level| level + 1);
        if let Some(level) = own.or(style.heading) {
            return Shape { kind: Kind::Heading, level, ..Shape::default() };
        }
        if style.is_title {
            return Shape { kind: Kind::Heading, level: 1, is_title: true, ..Shape::default() };
        }
        if style.is_caption || style.is_form {
            let Resolved { is_caption, is_form, is_of_sheet, .. } = style;
            return Shape { is_caption, is_aside: is_form, is_of_sheet, ..Shape::default() };
        }
        // A level alone does not make a list: the built-in subtitle style has one.
        let own = self.paragraph.numbering.filter(|numbering| numbering.id != u32::MAX);
        match own.or(style.numbering).filter(|numbering| numbering.id != 0) {
            Some(numbering) => {
                let level = match own.and_then(|own| own.level) {
                    Some(level) => level.saturating_add(1),
                    None => style.list_level.max(1),
                };
                let is_ordered = self.styles.is_ordered(numbering);
                Shape { kind: Kind::Item, level, is_ordered, ..Shape::default() }
            }
            None => Shape::default(),
        }
    }

    fn picture(&mut self, id: Option<String>) -> Result<(), ReadError> {
        let alt = std::mem::take(&mut self.alt);
        // Skips the QR code of a link, which this service puts on its sheets.
        if self.paragraph.style.is_of_sheet {
            return Ok(());
        }
        let relation = id.and_then(|id| self.relations.get(&id)).filter(|relation| !relation.is_external);
        let bytes = match relation {
            // A logo that is repeated in each row is included once.
            Some(relation) if !self.pictures.insert(&relation.target) => return Ok(()),
            Some(relation) => self.package.bytes(&relation.target, MAX_BYTES as u64)?,
            None => None,
        };
        self.builder.picture(&alt, bytes)
    }
}
