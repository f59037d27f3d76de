//! A lesson sheet as a Word document. `crates/reader` reads back the words of the sheet from it.

mod body;
mod link;
mod package;
mod picture;
mod text;

use std::collections::HashMap;

use zip::result::ZipResult;

use super::codes::Code;
use crate::domain::lesson_sheet::{self as model, Audience, Block, Entry, List, ListKind, Section, Sheet};
use body::{Body, Kind, Run};
pub use picture::Picture;

/// Width and height at which the QR code of a link is shown, in pixels at 96 dpi: 30 mm.
const CODE: u32 = 113;

/// Maximum size of a table row that is kept on one page, in bytes. A row of this size takes far less than a page.
const MAX_WHOLE_ROW: usize = 1000;

/// Returns a sheet as the bytes of a Word document. `held` contains the pictures that exist, by id; `None` for a
/// picture that does not fit into the document. The QR code of `link` is at the top. The same sheet always gives the
/// same bytes.
///
/// # Errors
/// If the document is too large for a zip file.
pub fn word<'s>(
    sheet: &'s Sheet,
    held: &HashMap<String, Option<Picture<'s>>>,
    link: Option<&'s Code>,
) -> ZipResult<Vec<u8>> {
    let title = sheet.shown_title();
    let body = Body::new(title, &sheet.language, &sheet.full_title(), sheet.say("/"));
    let mut writer = Writer { sheet, held, body };
    if let Some(Code { address, png }) = link {
        writer.body.link(address, Picture { bytes: png, is_png: true, width: CODE, height: CODE });
    }
    writer.body.paragraph(Kind::Title, &[Run::Plain(title)]);
    if sheet.audience != Audience::Teachers {
        let (name, date) = (sheet.say("Name"), sheet.say("Date"));
        writer.body.paragraph(Kind::Pupil, &[name, " \t ", date, " \t"].map(Run::Plain));
    } else {
        writer.body.paragraph(Kind::Audience, &[Run::Bold(sheet.say("For teachers"))]);
    }
    for sections in sheet.sections.chunk_by(|one, next| one.fact().is_some() && next.fact().is_some()) {
        match sections {
            [section] => writer.section(section),
            facts => writer.facts(facts),
        }
    }
    if sheet.is_cut {
        let sentence = sheet.say("This lesson is too long for one sheet, so the rest is left out.");
        writer.body.paragraph(Kind::Text, &[Run::Plain(sentence)]);
    }
    writer.body.finish()
}

struct Writer<'s, 'h> {
    sheet: &'s Sheet,
    held: &'h HashMap<String, Option<Picture<'s>>>,
    body: Body<'s>,
}

impl Writer<'_, '_> {
    fn section(&mut self, section: &Section) {
        if !section.is_heard() {
            self.body.paragraph(Kind::Heading(1), &[Run::Plain(&section.heading)]);
        }
        if section.is_safety {
            self.body.open_box();
            self.block(&section.block);
            self.body.close_box();
        } else {
            self.block(&section.block);
        }
        if let Some(label) = section.lines_label {
            self.body.paragraph(Kind::PupilHeading, &[Run::Accented(label)]);
        }
        for line in 1..=section.lines {
            // Keeps all lines on one page.
            if line < section.lines {
                self.body.keep_next();
            }
            self.body.paragraph(Kind::Line, &[]);
        }
    }

    /// Adds short values in a line, each with its heading.
    fn facts(&mut self, sections: &[Section]) {
        let mut runs = Vec::new();
        for section in sections {
            runs.extend((!runs.is_empty()).then_some(Run::Plain(" · ")));
            let fact = section.fact().unwrap_or_default();
            runs.extend([Run::Bold(&section.heading), Run::Bold(": "), Run::Plain(fact)]);
        }
        self.body.paragraph(Kind::Text, &runs);
    }

    fn block(&mut self, block: &Block) {
        match block {
            Block::Text(paragraphs) => {
                paragraphs.iter().for_each(|paragraph| self.body.paragraph(Kind::Text, &[Run::Plain(paragraph)]));
            }
            Block::List(List { kind: ListKind::Terms, entries }) => self.terms(entries),
            Block::List(List { kind, entries }) => {
                if *kind == ListKind::Steps {
                    self.body.open_numbers();
                }
                let has_amounts = entries.iter().any(|entry| entry.amount.is_some());
                let style = match kind {
                    ListKind::Materials if has_amounts => Kind::Material,
                    ListKind::Materials => Kind::Check,
                    ListKind::Steps => Kind::Number,
                    ListKind::Plain | ListKind::Terms => Kind::Bullet,
                };
                entries.iter().for_each(|entry| self.entry(style, entry));
            }
            Block::Members(members) => {
                for (label, block) in members {
                    self.body.paragraph(Kind::Heading(2), &[Run::Plain(label)]);
                    self.block(block);
                }
            }
            Block::Pictures(pictures) => pictures.iter().for_each(|picture| self.picture(picture)),
        }
    }

    fn entry(&mut self, style: Kind, entry: &Entry) {
        let minutes = entry.minutes.as_ref().map(|minutes| format!(" ({minutes} {})", self.sheet.say("min")));
        // Further paragraphs of a step are indented below its number.
        let is_step = style == Kind::Number;
        let mut paragraphs: Vec<&str> = if is_step { entry.lead.split("\n\n").collect() } else { vec![&entry.lead] };
        let last = paragraphs.pop().unwrap_or_default();
        let style_at = |place: usize| if place == 0 { style } else { Kind::Below };
        for (place, paragraph) in paragraphs.iter().enumerate() {
            self.body.paragraph(style_at(place), &[Run::Plain(paragraph)]);
        }
        let mut runs = Vec::new();
        if style == Kind::Material {
            runs.extend([entry.amount.as_deref().unwrap_or_default(), "\t"].map(Run::Plain));
        } else {
            entry.amount.iter().for_each(|amount| runs.extend([amount, " "].map(Run::Plain)));
        }
        runs.push(Run::Plain(last));
        // The notes of a material are in parentheses, where `crates/reader` expects them.
        let (open, close) = if matches!(style, Kind::Material | Kind::Check) { (" (", ")") } else { (" · ", "") };
        entry.notes.iter().for_each(|note| runs.extend([open, note, close].map(Run::Faint)));
        runs.extend(minutes.as_deref().map(Run::Faint));
        if entry.picture.is_some() {
            self.body.keep_next();
        }
        self.body.paragraph(style_at(paragraphs.len()), &runs);
        self.body.is_below = true;
        entry.picture.iter().for_each(|picture| self.picture(picture));
        self.body.is_below = false;
    }

    /// Adds a table of terms and their definitions.
    fn terms(&mut self, entries: &[Entry]) {
        self.body.open_table(&[3, 7]);
        self.body.open_row(true, true);
        for heading in ["Term", "Definition"] {
            self.body.open_cell();
            self.body.paragraph(Kind::Text, &[Run::Bold(self.sheet.say(heading))]);
            self.body.close_cell();
        }
        self.body.close_row();
        for Entry { lead, notes, picture, .. } in entries {
            let bytes = lead.len() + notes.iter().map(String::len).sum::<usize>();
            self.body.open_row(false, bytes <= MAX_WHOLE_ROW);
            self.body.open_cell();
            self.body.paragraph(Kind::Text, &[Run::Bold(lead)]);
            self.body.close_cell();
            self.body.open_cell();
            notes.iter().for_each(|note| self.body.paragraph(Kind::Text, &[Run::Plain(note)]));
            picture.iter().for_each(|picture| self.picture(picture));
            self.body.close_cell();
            self.body.close_row();
        }
        self.body.close_table();
    }

    fn picture(&mut self, picture: &model::Picture) {
        let caption = picture.caption.as_deref();
        match self.held.get(&picture.id) {
            Some(Some(held)) => {
                if caption.is_some() {
                    self.body.keep_next();
                }
                self.body.picture(&picture.id, *held, &picture.alt);
            }
            missing => {
                let reason = if missing.is_some() { "picture left out" } else { "picture removed" };
                let reason = format!("({}) ", self.sheet.say(reason));
                self.body.paragraph(Kind::Text, &[Run::Faint(&reason), Run::Plain(&picture.alt)]);
            }
        }
        caption.iter().for_each(|caption| self.body.paragraph(Kind::Caption, &[Run::Plain(caption)]));
    }
}
