//! The paragraphs, tables and pictures of a Word document.

use std::borrow::Cow;
use std::collections::HashMap;
use std::fmt::Write as _;

use zip::result::ZipResult;

use super::link::can_be_opened;
use super::package::{FIRST_LIST, FOOTER, Parts, zipped};
use super::picture::{Picture, drawing};
use super::text::{Look, runs};
use crate::domain::lesson_sheet::{Direction, LONGEST_FORMULA, Language, Part, Piece, parts, pieces, unbroken};

/// Width of the text, in twentieths of a point: A4 with margins of 20 mm.
const TEXT_WIDTH: usize = 9638;

/// Width of the QR code of a link, in twentieths of a point: 32 mm.
const LINK_WIDTH: usize = 1814;

/// Maximum length of the footer, in characters.
const MAX_FOOTER: usize = 80;

/// Indentation of the text in lists, in twentieths of a point.
const INDENT: usize = 624;

/// Kinds of paragraphs. Each kind has its own style in the document, but for those that are no part of the lesson: they
/// share the style `FieldbookPupil`, and `crates/reader` skips them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Title,
    /// The line on which a pupil writes name and date. Each label is followed by a tab, which is drawn as a line to
    /// write on.
    Pupil,
    /// The line that says whom the sheet is for. It is no part of the lesson, so it has the style that `crates/reader`
    /// skips.
    Audience,
    /// The label above lines to write on.
    PupilHeading,
    /// The QR code of a link, or its address. It is at the top, next to the title.
    Link,
    /// A heading of this level, 1 or 2.
    Heading(u8),
    Text,
    Bullet,
    /// An entry of the numbered list that was opened last.
    Number,
    /// A line with a box to tick.
    Check,
    /// A line with a box to tick, and an amount before a tab.
    Material,
    /// A further paragraph of a list entry.
    Below,
    Picture,
    Caption,
    /// A line to write on.
    Line,
}

impl Kind {
    fn style(self) -> &'static str {
        match self {
            Self::Title => "Title",
            Self::Pupil | Self::Audience | Self::PupilHeading | Self::Link => "FieldbookPupil",
            Self::Heading(1) => "Heading1",
            Self::Heading(_) => "Heading2",
            Self::Text => "Normal",
            Self::Bullet => "ListBullet",
            Self::Number => "ListNumber",
            Self::Check => "Checklist",
            Self::Material => "Materials",
            Self::Below => "ListContinue",
            Self::Picture => "Picture",
            Self::Caption => "Caption",
            Self::Line => "WritingLine",
        }
    }

    /// Returns whether a paragraph takes its direction from its own text. Entries of a list do not, so that all numbers
    /// and boxes are on the same side.
    fn follows_text(self) -> bool {
        matches!(self, Self::Title | Self::Heading(_) | Self::Text | Self::Caption)
    }
}

/// A part of a paragraph. Each part has its own text direction, so that parts in different scripts keep their order.
/// Addresses in a part become hyperlinks.
#[derive(Debug, Clone, Copy)]
pub enum Run<'t> {
    Plain(&'t str),
    Bold(&'t str),
    /// A heading that the sheet adds to the headings of the lesson.
    Accented(&'t str),
    /// Less important text, such as the minutes of a step.
    Faint(&'t str),
}

impl<'t> Run<'t> {
    fn text(self) -> &'t str {
        match self {
            Self::Plain(text) | Self::Bold(text) | Self::Accented(text) | Self::Faint(text) => text,
        }
    }

    fn properties(self) -> &'static str {
        match self {
            Self::Plain(_) => "",
            Self::Bold(_) => "<w:b/><w:bCs/>",
            Self::Accented(_) => r#"<w:b/><w:bCs/><w:color w:val="005E4B"/><w:sz w:val="26"/><w:szCs w:val="26"/>"#,
            Self::Faint(_) => r#"<w:color w:val="4A5A62"/>"#,
        }
    }
}

/// A document that is being written.
#[derive(Debug)]
pub struct Body<'p> {
    parts: Parts<'p>,
    direction: Direction,
    /// Whether pictures are indented, because they are below a list entry.
    pub is_below: bool,
    /// Whether the QR code of a link is next to the title.
    has_link: bool,
    /// Whether the next paragraph stays on the page of the one that follows it.
    keeps_next: bool,
    /// Number of drawings so far.
    drawings: usize,
    /// The relationships of pictures, by the ids of the pictures.
    pictures: HashMap<String, String>,
}

impl<'p> Body<'p> {
    /// Begins a document. `below` is the footer text, and `of` is the word between the page number and the number of
    /// pages.
    pub fn new(title: &'p str, language: &'p Language, below: &str, of: &str) -> Self {
        let direction = language.direction;
        let bidi = if direction == Direction::Rtl { "<w:bidi/>" } else { "" };
        let said = |text: &str, direction| {
            let mut xml = String::new();
            runs(&mut xml, text, Look { properties: "", direction });
            xml
        };
        // The footer has one line, which also needs space for the page number.
        let cut: String = below.chars().take(MAX_FOOTER).collect();
        let below = if cut.len() < below.len() { format!("{cut}…") } else { cut };
        let footer = [bidi.to_owned(), said(&below, direction.of(&below)), said(&format!(" {of} "), direction.of(of))];
        Self {
            parts: Parts { title, footer, language: &language.tag, ..Parts::default() },
            direction: language.direction,
            is_below: false,
            has_link: false,
            keeps_next: false,
            drawings: 0,
            pictures: HashMap::new(),
        }
    }

    /// Keeps the next paragraph on the page of the one that follows it.
    pub fn keep_next(&mut self) {
        self.keeps_next = true;
    }

    /// Opens a list whose numbers begin with 1.
    pub fn open_numbers(&mut self) {
        self.parts.lists += 1;
    }

    pub fn paragraph(&mut self, kind: Kind, parts: &[Run<'_>]) {
        let text: String = parts.iter().filter(|_| kind.follows_text()).map(|part| part.text()).collect();
        let direction = self.direction.of(&text);
        self.begin(kind, direction);
        for part in parts {
            self.run(*part, direction);
        }
        self.parts.body.push_str("</w:p>");
    }

    fn begin(&mut self, kind: Kind, direction: Direction) {
        let body = &mut self.parts.body;
        add(body, format_args!(r#"<w:p><w:pPr><w:pStyle w:val="{}"/>"#, kind.style()));
        if std::mem::take(&mut self.keeps_next) {
            body.push_str("<w:keepNext/>");
        }
        if kind == Kind::Link {
            let side = if self.direction == Direction::Rtl { "left" } else { "right" };
            add(
                body,
                format_args!(
                    r#"<w:framePr w:w="{LINK_WIDTH}" w:hSpace="227" w:wrap="around" w:vAnchor="margin" w:hAnchor="margin" w:xAlign="{side}" w:yAlign="top"/>"#
                ),
            );
        }
        if kind == Kind::Number {
            let id = FIRST_LIST + self.parts.lists.saturating_sub(1);
            add(body, format_args!(r#"<w:numPr><w:ilvl w:val="0"/><w:numId w:val="{id}"/></w:numPr>"#));
        }
        if kind == Kind::Pupil {
            let (name, date) = if self.has_link { (4600, TEXT_WIDTH - LINK_WIDTH - 454) } else { (7200, TEXT_WIDTH) };
            add(
                body,
                format_args!(
                    r#"<w:tabs><w:tab w:val="left" w:leader="underscore" w:pos="{name}"/><w:tab w:val="right" w:leader="underscore" w:pos="{date}"/></w:tabs>"#
                ),
            );
        }
        body.push_str(if direction == Direction::Rtl { "<w:bidi/>" } else { "" });
        if kind == Kind::Link {
            body.push_str(r#"<w:spacing w:before="0" w:after="0" w:line="240" w:lineRule="auto"/>"#);
        }
        if self.is_below && matches!(kind, Kind::Picture | Kind::Caption) {
            add(body, format_args!(r#"<w:ind w:left="{INDENT}"/>"#));
        }
        body.push_str("</w:pPr>");
    }

    fn run(&mut self, run: Run<'_>, around: Direction) {
        let look = Look { properties: run.properties(), direction: self.direction.of(run.text()) };
        let text = if (look.direction, around) == (Direction::Ltr, Direction::Rtl) {
            kept_together(run.text())
        } else {
            Cow::Borrowed(run.text())
        };
        for piece in pieces(&text) {
            let (Piece::Text(text) | Piece::Address(text)) = piece;
            if matches!(piece, Piece::Address(address) if can_be_opened(address)) {
                self.hyperlink(text, text, r#"<w:rStyle w:val="Hyperlink"/>"#);
            } else {
                words(&mut self.parts.body, text, look);
            }
        }
    }

    fn hyperlink(&mut self, address: &str, shown: &str, properties: &'static str) {
        let Parts { body, relations, .. } = &mut self.parts;
        add(body, format_args!(r#"<w:hyperlink r:id="{}" w:history="1">"#, relations.address(address)));
        runs(body, shown, Look { properties, direction: Direction::Ltr });
        body.push_str("</w:hyperlink>");
    }

    /// Opens a table. `columns` contains the relative widths of the columns. The rows, cells and paragraphs are added
    /// afterwards.
    pub fn open_table(&mut self, columns: &[usize]) {
        let visual = if self.direction == Direction::Rtl { "<w:bidiVisual/>" } else { "" };
        let width = TEXT_WIDTH / columns.iter().sum::<usize>().max(1);
        let grid: String = columns.iter().map(|part| format!(r#"<w:gridCol w:w="{}"/>"#, part * width)).collect();
        add(
            &mut self.parts.body,
            format_args!(
                r#"<w:tbl><w:tblPr><w:tblStyle w:val="TableGrid"/>{visual}<w:tblW w:w="{TEXT_WIDTH}" w:type="dxa"/><w:tblLayout w:type="fixed"/><w:tblLook w:val="0020" w:firstRow="1" w:lastRow="0" w:firstColumn="0" w:lastColumn="0" w:noHBand="1" w:noVBand="1"/></w:tblPr><w:tblGrid>{grid}</w:tblGrid>"#
            ),
        );
    }

    /// Opens a colored box, which is a table with one cell.
    pub fn open_box(&mut self) {
        let visual = if self.direction == Direction::Rtl { "<w:bidiVisual/>" } else { "" };
        let sides = ["top", "left", "bottom", "right"];
        let borders = sides.map(|side| format!(r#"<w:{side} w:val="single" w:sz="8" w:space="0" w:color="8A2D10"/>"#));
        add(
            &mut self.parts.body,
            format_args!(
                r#"<w:tbl><w:tblPr>{visual}<w:tblW w:w="{TEXT_WIDTH}" w:type="dxa"/><w:tblBorders>{}</w:tblBorders><w:tblLayout w:type="fixed"/><w:tblCellMar><w:top w:w="57" w:type="dxa"/></w:tblCellMar></w:tblPr><w:tblGrid><w:gridCol w:w="{TEXT_WIDTH}"/></w:tblGrid>"#,
                borders.concat()
            ),
        );
        self.open_row(false, true);
        self.parts.body.push_str(r#"<w:tc><w:tcPr><w:shd w:val="clear" w:color="auto" w:fill="FDEEE6"/></w:tcPr>"#);
    }

    pub fn close_box(&mut self) {
        self.close_cell();
        self.close_row();
        self.close_table();
    }

    /// Opens a row. A table head is repeated on each page. If `is_whole`, the row is not split across two pages.
    pub fn open_row(&mut self, is_head: bool, is_whole: bool) {
        let whole = if is_whole { "<w:cantSplit/>" } else { "" };
        let head = if is_head { "<w:tblHeader/>" } else { "" };
        add(&mut self.parts.body, format_args!("<w:tr><w:trPr>{whole}{head}</w:trPr>"));
    }

    pub fn open_cell(&mut self) {
        self.parts.body.push_str("<w:tc>");
    }

    pub fn close_cell(&mut self) {
        // Adds an empty paragraph to a cell that does not end with one. Word would treat the document as damaged
        // otherwise.
        if !self.parts.body.ends_with("</w:p>") {
            self.paragraph(Kind::Text, &[]);
        }
        self.parts.body.push_str("</w:tc>");
    }

    pub fn close_row(&mut self) {
        self.parts.body.push_str("</w:tr>");
    }

    pub fn close_table(&mut self) {
        self.parts.body.push_str("</w:tbl>");
    }

    /// Adds the QR code of a link next to the title, with the address of the link below the code.
    pub fn link(&mut self, address: &str, code: Picture<'p>) {
        self.has_link = true;
        self.drawn(Kind::Link, address, code, address);
        // Adds no characters that allow a line break: they would be copied with the text, which must be the exact
        // address.
        let shown = address.split_once("://").map_or(address, |(_, rest)| rest);
        let properties = r#"<w:rStyle w:val="Hyperlink"/><w:sz w:val="17"/><w:szCs w:val="17"/>"#;
        self.begin(Kind::Link, Direction::Ltr);
        if can_be_opened(address) {
            self.hyperlink(address, shown, properties);
        } else {
            runs(&mut self.parts.body, shown, Look { properties, direction: Direction::Ltr });
        }
        self.parts.body.push_str("</w:p>");
    }

    /// Adds a picture. Equal ids mean equal bytes. `alt` is the text for people who cannot see the picture.
    pub fn picture(&mut self, id: &str, picture: Picture<'p>, alt: &str) {
        self.drawn(Kind::Picture, id, picture, alt);
    }

    fn drawn(&mut self, kind: Kind, id: &str, picture: Picture<'p>, alt: &str) {
        let Parts { relations, pictures, .. } = &mut self.parts;
        let relation = self.pictures.entry(id.to_owned()).or_insert_with(|| {
            let name = format!("picture{}.{}", pictures.len() + 1, if picture.is_png { "png" } else { "jpeg" });
            let relation = relations.picture(&name);
            pictures.push((name, picture.bytes));
            relation
        });
        self.drawings += 1;
        let drawing = drawing(picture, self.drawings, relation, alt);
        self.begin(kind, self.direction);
        self.parts.body.push_str(&drawing);
        self.parts.body.push_str("</w:p>");
    }

    /// Returns the bytes of the document. Its A4 pages are numbered.
    ///
    /// # Errors
    /// If the document is too large for a zip file.
    pub fn finish(mut self) -> ZipResult<Vec<u8>> {
        let body = &mut self.parts.body;
        // Word wants a paragraph after the last table. This paragraph is so small that it cannot start a new page.
        if body.ends_with("</w:tbl>") {
            body.push_str(r#"<w:p><w:pPr><w:spacing w:after="0" w:line="20" w:lineRule="exact"/></w:pPr></w:p>"#);
        }
        let bidi = if self.direction == Direction::Rtl { "<w:bidi/>" } else { "" };
        add(
            body,
            format_args!(
                r#"<w:sectPr><w:footerReference w:type="default" r:id="{FOOTER}"/><w:pgSz w:w="11906" w:h="16838"/><w:pgMar w:top="1134" w:right="1134" w:bottom="1134" w:left="1134" w:header="567" w:footer="567" w:gutter="0"/>{bidi}</w:sectPr>"#
            ),
        );
        zipped(&self.parts)
    }
}

/// Appends a text without addresses. Lines do not break inside a number with its unit or a short formula.
fn words(xml: &mut String, text: &str, look: Look) {
    for part in parts(text, look.direction) {
        match part {
            Part::Flowing(text) => runs(xml, &unbroken(text), look),
            Part::Formula(text) => {
                let is_short = text.chars().count() <= LONGEST_FORMULA;
                let text = if is_short { text.replace(' ', "\u{a0}") } else { text.to_owned() };
                runs(xml, &kept_together(&text), Look { direction: Direction::Ltr, ..look });
            }
        }
    }
}

/// Returns left-to-right text with direction marks around its digits and punctuation. Without them, a right-to-left
/// paragraph would reorder these characters.
fn kept_together(text: &str) -> Cow<'_, str> {
    const LEFT_TO_RIGHT: &str = "\u{200e}";
    let mark = |outermost: Option<char>| if outermost.is_some_and(char::is_alphabetic) { "" } else { LEFT_TO_RIGHT };
    Cow::Owned([mark(text.chars().next()), text, mark(text.chars().next_back())].concat())
}

/// Appends to the XML. Writing to a string cannot fail.
fn add(xml: &mut String, text: std::fmt::Arguments<'_>) {
    let _ = xml.write_fmt(text);
}
