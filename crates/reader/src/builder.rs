//! Collects the parts of a document while a parser reads it. Enforces the limits.

use std::mem::{replace, take};

use crate::characters::{Script, plain, scripted};
use crate::document::{Form, Kind};
use crate::error::{MAX_BLOCKS, MAX_BYTES, MAX_CELLS, MAX_TEXT, ReadError};

/// A line of text, or a table whose cells have parts.
#[derive(Debug, Clone)]
pub(crate) enum Part {
    Line(Line),
    Table(Vec<TableRow>),
}

#[derive(Debug, Clone)]
pub(crate) struct Line {
    pub(crate) kind: Kind,
    pub(crate) level: u8,
    pub(crate) text: String,
    pub(crate) form: Form,
    /// The bytes of a picture that is in the document.
    pub(crate) picture: Option<Vec<u8>>,
}

#[derive(Debug, Clone, Default)]
pub(crate) struct TableRow {
    pub(crate) cells: Vec<Vec<Part>>,
    pub(crate) is_head: bool,
}

/// The result of parsing a document.
#[derive(Debug, Default)]
pub(crate) struct Built {
    pub(crate) parts: Vec<Part>,
    pub(crate) notices: Vec<String>,
}

/// The formatting of a text.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Style {
    pub(crate) is_bold: bool,
    pub(crate) is_linked: bool,
    pub(crate) script: Option<Script>,
}

/// The formatting of the next line.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Shape {
    pub(crate) kind: Kind,
    pub(crate) level: u8,
    pub(crate) is_title: bool,
    pub(crate) is_ordered: bool,
    pub(crate) number: Option<u32>,
    pub(crate) is_aside: bool,
    /// Whether the line has the style of what the service adds to a lesson on a sheet.
    pub(crate) is_of_sheet: bool,
    pub(crate) is_caption: bool,
    pub(crate) is_term: bool,
}

impl Default for Shape {
    fn default() -> Self {
        let (kind, number) = (Kind::Paragraph, None);
        Self {
            kind,
            level: 0,
            is_title: false,
            is_ordered: false,
            number,
            is_aside: false,
            is_of_sheet: false,
            is_caption: false,
            is_term: false,
        }
    }
}

/// Counts of letters and digits in a line: all of them, those in bold, and those in links.
#[derive(Debug, Default)]
struct Letters {
    all: usize,
    bold: usize,
    linked: usize,
}

#[derive(Debug, Default)]
pub(crate) struct Builder {
    pub(crate) shape: Shape,
    pub(crate) notices: Vec<String>,
    parts: Vec<Part>,
    /// The tables that are open, each with the parts that were before it.
    tables: Vec<(Vec<TableRow>, Vec<Part>)>,
    text: String,
    /// The pictures in the line, which are placed after its text.
    inner: Vec<Line>,
    /// Whether the line has more than white space.
    has_text: bool,
    letters: Letters,
    label: usize,
    /// Whether the line has a no-break space, so that it is kept although it has no text.
    is_spaced: bool,
    is_below_blank: bool,
    blanks: usize,
    blocks: usize,
    cells: usize,
    /// Total size of the text, in bytes.
    bytes: usize,
    pictures: usize,
    picture_bytes: usize,
    lost_pictures: usize,
}

/// A document with at least this number of blank lines uses them as separators. In a document with fewer, every line is
/// treated as separated, because a single blank line may be a mistake.
const MIN_BLANKS: usize = 2;

/// Maximum number of pictures. The total size of their files is at most [`MAX_BYTES`].
const MAX_PICTURES: usize = 20;

impl Builder {
    pub(crate) fn text(&mut self, text: &str, style: Style) {
        // Makes `end_line` return the error for too much text.
        if self.bytes.saturating_add(text.len()) > MAX_TEXT {
            self.bytes = usize::MAX;
            return;
        }
        self.is_spaced |= text.contains('\u{a0}');
        let text = plain(text);
        self.has_text |= !text.trim().is_empty();
        let count = text.chars().filter(|character| character.is_alphanumeric()).count();
        let was_bold = self.letters.bold == self.letters.all;
        self.letters.all += count;
        self.letters.bold += if style.is_bold { count } else { 0 };
        self.letters.linked += if style.is_linked { count } else { 0 };
        let text = match style.script {
            Some(script) => scripted(&text, script),
            None => text,
        };
        self.bytes = self.bytes.saturating_add(text.len());
        self.text.push_str(&text);
        if style.is_bold && was_bold {
            self.label = self.text.len();
        }
    }

    pub(crate) fn is_blank(&self) -> bool {
        !self.has_text
    }

    /// Returns the text of the line, and discards the line.
    pub(crate) fn take_text(&mut self) -> String {
        (self.letters, self.label, self.has_text) = (Letters::default(), 0, false);
        take(&mut self.text)
    }

    /// Ends the line.
    pub(crate) fn flush(&mut self) -> Result<(), ReadError> {
        if self.bytes > MAX_TEXT {
            return Err(ReadError::TooMuchText);
        }
        self.has_text = false;
        let letters = take(&mut self.letters);
        let label = take(&mut self.label);
        let raw = take(&mut self.text);
        let text = raw.trim();
        let is_spaced = take(&mut self.is_spaced);
        let is_blank = if text.is_empty() { is_spaced || raw.contains('\n') } else { raw.ends_with("\n\n") };
        self.blanks += usize::from(is_blank);
        if text.is_empty() {
            self.is_below_blank |= is_blank;
            return self.push_pictures();
        }
        let is_below_blank = replace(&mut self.is_below_blank, is_blank);
        let removed = raw.len() - raw.trim_start().len();
        let form = Form {
            is_title: self.shape.is_title,
            is_ordered: self.shape.is_ordered,
            number: self.shape.number,
            is_aside: self.shape.is_aside,
            is_of_sheet: self.shape.is_of_sheet,
            is_caption: self.shape.is_caption,
            is_term: self.shape.is_term,
            is_linked: self.shape.kind != Kind::Heading && letters.all > 0 && letters.linked * 10 >= letters.all * 9,
            is_bold: letters.all > 0 && letters.bold == letters.all,
            is_apart: is_below_blank || self.shape.kind != Kind::Paragraph || !self.is_below_paragraph(),
            label: if letters.bold == letters.all { 0 } else { label.saturating_sub(removed).min(text.len()) },
            ..Form::default()
        };
        self.push(Line { kind: self.shape.kind, level: self.shape.level, text: text.to_owned(), form, picture: None })?;
        self.push_pictures()
    }

    fn is_below_paragraph(&self) -> bool {
        matches!(self.parts.last(), Some(Part::Line(line)) if line.kind == Kind::Paragraph)
    }

    fn push_pictures(&mut self) -> Result<(), ReadError> {
        take(&mut self.inner).into_iter().try_for_each(|picture| self.push(picture))
    }

    fn push(&mut self, line: Line) -> Result<(), ReadError> {
        // Lines in cells are part of a row.
        if self.tables.is_empty() {
            self.count()?
        } else {
            self.count_cells()?
        }
        self.parts.push(Part::Line(line));
        Ok(())
    }

    /// Adds a picture. Without bytes, only its description is kept.
    pub(crate) fn picture(&mut self, alt: &str, bytes: Option<Vec<u8>>) -> Result<(), ReadError> {
        let size = bytes.as_ref().map_or(0, Vec::len);
        let fits = self.pictures < MAX_PICTURES && self.picture_bytes + size <= MAX_BYTES;
        let bytes = bytes.filter(|_| fits);
        if bytes.is_some() {
            self.pictures += 1;
            self.picture_bytes += size;
        } else {
            self.lost_pictures += 1;
        }
        self.bytes = self.bytes.saturating_add(alt.len());
        if self.bytes > MAX_TEXT {
            return Err(ReadError::TooMuchText);
        }
        let text = plain(alt).trim().to_owned();
        if bytes.is_none() && text.is_empty() {
            return Ok(());
        }
        let form = Form { is_aside: self.shape.is_aside, ..Form::default() };
        self.inner.push(Line { kind: Kind::Picture, level: 0, text, form, picture: bytes });
        if self.inner.len() > MAX_BLOCKS { Err(ReadError::TooManyBlocks) } else { Ok(()) }
    }

    fn count(&mut self) -> Result<(), ReadError> {
        self.blocks += 1;
        if self.blocks > MAX_BLOCKS { Err(ReadError::TooManyBlocks) } else { Ok(()) }
    }

    pub(crate) fn open_table(&mut self) -> Result<(), ReadError> {
        self.flush()?;
        /// Maximum depth of nested tables. No layout needs a greater depth.
        const MAX_TABLES: usize = 16;
        if self.tables.len() >= MAX_TABLES {
            return Err(ReadError::TooDeep);
        }
        let before = take(&mut self.parts);
        self.tables.push((Vec::new(), before));
        Ok(())
    }

    pub(crate) fn open_row(&mut self, is_head: bool) -> Result<(), ReadError> {
        self.close_cell()?;
        if let Some((rows, _)) = self.tables.last_mut() {
            rows.push(TableRow { is_head, ..TableRow::default() });
            self.count()?;
        }
        Ok(())
    }

    pub(crate) fn mark_head(&mut self) {
        if let Some(row) = self.tables.last_mut().and_then(|(rows, _)| rows.last_mut()) {
            row.is_head = true;
        }
    }

    /// Ends the cell. Text outside of cells is put into a cell, so that it is not lost.
    pub(crate) fn close_cell(&mut self) -> Result<(), ReadError> {
        self.flush()?;
        if self.parts.is_empty() || self.tables.is_empty() {
            return Ok(());
        }
        self.push_cell();
        Ok(())
    }

    /// Ends a cell that may be empty, so that the cells of a row keep their columns.
    pub(crate) fn end_cell(&mut self) -> Result<(), ReadError> {
        self.flush()?;
        self.push_cell();
        self.count_cells()
    }

    /// Adds a cell to the row. Outside of tables, the parts stay where they are.
    fn push_cell(&mut self) {
        let Some((rows, _)) = self.tables.last_mut() else { return };
        let mut parts = take(&mut self.parts);
        // Most cells have one part. Shrinking saves the unused capacity.
        parts.shrink_to_fit();
        match rows.last_mut() {
            Some(row) => row.cells.push(parts),
            None => rows.push(TableRow { cells: vec![parts], is_head: false }),
        }
    }

    fn count_cells(&mut self) -> Result<(), ReadError> {
        self.cells += 1;
        if self.cells > MAX_CELLS { Err(ReadError::TooManyBlocks) } else { Ok(()) }
    }

    /// Marks the last line as an aside if it is a heading. Called for a heading above lines to write on.
    pub(crate) fn set_heading_aside(&mut self) {
        if let Some(Part::Line(line)) = self.parts.last_mut() {
            line.form.is_aside |= line.kind == Kind::Heading;
        }
    }

    /// Appends the address of a link, in parentheses, to the link text that begins at `start`. Links in menus get no
    /// address.
    pub(crate) fn address(&mut self, address: &str, start: usize) {
        if self.shape.is_aside {
            return;
        }
        let text = self.since(start).trim();
        let is_wanted = ["http://", "https://", "mailto:"].iter().any(|scheme| address.starts_with(scheme));
        if is_wanted && !text.is_empty() && !text.contains(address.trim_start_matches("mailto:")) {
            self.bytes = self.bytes.saturating_add(address.len());
            // `end_line` returns the error for too much text.
            if self.bytes > MAX_TEXT {
                return;
            }
            // The address is not counted as letters, because it says nothing about the formatting of the line.
            self.text.push_str(&format!(" ({address})"));
        }
    }

    /// Returns the text of the line from a byte offset on.
    pub(crate) fn since(&self, start: usize) -> &str {
        self.text.get(start..).unwrap_or_default()
    }

    pub(crate) fn len(&self) -> usize {
        self.text.len()
    }

    pub(crate) fn close_table(&mut self) -> Result<(), ReadError> {
        self.close_cell()?;
        if let Some((rows, before)) = self.tables.pop() {
            self.parts = before;
            // Tables are not counted by the limits, so empty ones are dropped.
            if !rows.is_empty() {
                self.parts.push(Part::Table(rows));
            }
        }
        Ok(())
    }

    pub(crate) fn finish(mut self) -> Result<Built, ReadError> {
        self.flush()?;
        while !self.tables.is_empty() {
            self.close_table()?;
        }
        if self.lost_pictures > 0 {
            let count = self.lost_pictures;
            self.notices.push(format!("Pictures that are not in the lesson: {count}. Add them by hand."));
        }
        // Every line is treated as separated, unless the document uses blank lines as separators.
        for part in self.parts.iter_mut().filter(|_| self.blanks < MIN_BLANKS) {
            if let Part::Line(line) = part {
                line.form.is_apart = true;
            }
        }
        Ok(Built { parts: self.parts, notices: self.notices })
    }
}
