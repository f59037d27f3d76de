//! A lesson sheet as a page of HTML, to read on any device and to print. It needs no scripts. The templates escape all
//! text that people wrote.

use std::cell::RefCell;
use std::sync::LazyLock;

use axum::body::Bytes;
use axum::http::HeaderValue;
use maud::{DOCTYPE, Markup, PreEscaped, html};

use super::codes::Codes;
use crate::app::{MARK, SheetHtml};
use crate::domain::lesson_sheet::{
    Audience, Block, Direction, Entry, LONGEST_FORMULA, List, ListKind, Part, Picture, Piece, Section, Sheet, parts,
    pieces, unbroken,
};
use crate::domain::named::Named;
use crate::http::digest::inline_source;

const STYLE: &str = include_str!("style.css");

/// Returns a content security policy that allows the style sheet, by its hash, and pictures of this service: no
/// scripts.
pub fn policy(form_action: &str, frame_ancestors: &str) -> HeaderValue {
    let style = inline_source(STYLE);
    let policy = format!(
        "default-src 'none'; style-src {style}; img-src 'self'; base-uri 'none'; form-action {form_action}; \
         frame-ancestors {frame_ancestors}"
    );
    HeaderValue::try_from(policy).unwrap_or(HeaderValue::from_static("default-src 'none'"))
}

/// The policy of a sheet that the page for authors shows in a frame.
pub static FRAMED: LazyLock<HeaderValue> = LazyLock::new(|| policy("'none'", "'self'"));

/// Returns a page with this language, title and body. Its title is in the footer of each printed page.
pub fn document(language: &str, direction: Direction, title: &str, body: &Markup) -> Bytes {
    let page = html! {
        (DOCTYPE)
        html lang=(language) dir=(direction.name()) data-title=(title) {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="robots" content="noindex";
                meta name="description" content="A lesson of a science class, to read and to print.";
                title { (title) }
                link rel="icon" href="/ui/icon.svg" type="image/svg+xml";
                style { (PreEscaped(STYLE)) }
            }
            body { (body) }
        }
    };
    // Drops the unused capacity of the string.
    page.into_string().into_bytes().into_boxed_slice().into()
}

/// Returns a sheet as HTML.
pub fn html(sheet: &Sheet) -> SheetHtml {
    let writer = Writer { sheet, codes: Codes::default(), pictures: RefCell::default() };
    let title = sheet.shown_title();
    let body = html! {
        main {
            h1 dir=[writer.other(title)] { (writer.words(title)) }
            @if sheet.audience != Audience::Teachers {
                p.pupil { span { (sheet.say("Name")) } span { (sheet.say("Date")) } }
            } @else {
                // It may look like the sheet for pupils, but it has the answers.
                p.pupil { strong { (sheet.say("For teachers")) } }
            }
            @for sections in sheet.sections.chunk_by(|one, next| one.fact().is_some() && next.fact().is_some()) {
                @if sections.len() > 1 { div.brief { @for section in sections { (writer.section(section)) } } }
                @else { @for section in sections { (writer.section(section)) } }
            }
            @if sheet.is_cut { p { (sheet.say("This lesson is too long for one sheet, so the rest is left out.")) } }
        }
    };
    let text = document(&sheet.language.tag, sheet.language.direction, &sheet.full_title(), &body);
    SheetHtml { text, pictures: writer.pictures.into_inner() }
}

struct Writer<'s> {
    sheet: &'s Sheet,
    codes: Codes,
    /// The ids of the pictures in the HTML so far, in order.
    pictures: RefCell<Vec<String>>,
}

impl Writer<'_> {
    /// Returns the direction of a text if it differs from the direction of the page.
    fn other(&self, text: &str) -> Option<&'static str> {
        let own = self.sheet.language.direction;
        Some(own.of(text)).filter(|direction| *direction != own).map(Direction::name)
    }

    fn section(&self, section: &Section) -> Markup {
        let class = if section.is_safety { Some("safety") } else { None };
        let heard = section.is_heard();
        html! {
            section class=[class] {
                h2 class=[heard.then_some("heard")] dir=[self.other(&section.heading)] { (section.heading) }
                (self.block(&section.block))
                @if section.lines > 0 {
                    div.lines {
                        @if let Some(label) = section.lines_label { h3 { (label) } }
                        @for _ in 0..section.lines { span {} }
                    }
                }
            }
        }
    }

    fn block(&self, block: &Block) -> Markup {
        html! {
            @match block {
                Block::Text(paragraphs) => { @for paragraph in paragraphs { (self.paragraph(paragraph)) } }
                Block::List(list) => { (self.list(list)) }
                Block::Members(members) => {
                    dl {
                        @for (label, block) in members {
                            dt dir=[self.other(label)] { (label) }
                            dd { (self.block(block)) }
                        }
                    }
                }
                Block::Pictures(pictures) => { div.pictures { @for picture in pictures { (self.picture(picture)) } } }
            }
        }
    }

    fn list(&self, List { kind, entries }: &List) -> Markup {
        html! {
            @match kind {
                ListKind::Materials => {
                    @let has_amounts = entries.iter().any(|entry| entry.amount.is_some());
                    ul.checklist {
                        @for entry in entries {
                            li {
                                label {
                                    input type="checkbox";
                                    @if has_amounts { span.amount { (self.amount(entry)) } " " }
                                    span { (self.line(entry)) }
                                }
                                (self.below(entry))
                            }
                        }
                    }
                }
                ListKind::Steps => {
                    ol.steps {
                        @for entry in entries {
                            li {
                                @if let Some(minutes) = &entry.minutes { span.minutes { (self.minutes(minutes)) " " } }
                                @for paragraph in entry.lead.split("\n\n") { (self.paragraph(paragraph)) }
                                @for note in &entry.notes { p.note dir=[self.other(note)] { (self.text(note)) } }
                                (self.below(entry))
                            }
                        }
                    }
                }
                ListKind::Terms => {
                    dl {
                        @for entry in entries {
                            dt dir=[self.other(&entry.lead)] { (self.text(&entry.lead)) }
                            @for note in &entry.notes { dd dir=[self.other(note)] { (self.text(note)) } }
                            @if let Some(picture) = &entry.picture { dd { (self.picture(picture)) } }
                        }
                    }
                }
                // A plain list may mix texts, materials, steps and other objects, so each part is shown only if the
                // entry has it.
                ListKind::Plain => {
                    ul {
                        @for entry in entries {
                            li {
                                @if entry.amount.is_some() { (self.amount(entry)) " " }
                                (self.line(entry))
                                @if let Some(minutes) = &entry.minutes { span.note { " · " (self.minutes(minutes)) } }
                                (self.below(entry))
                            }
                        }
                    }
                }
            }
        }
    }

    fn amount(&self, entry: &Entry) -> Markup {
        html! { @if let Some(amount) = &entry.amount { (self.part(amount)) } }
    }

    fn minutes(&self, minutes: &str) -> Markup {
        html! { (minutes) "\u{a0}" (self.sheet.say("min")) }
    }

    /// Returns an entry as one line. Each part has its own text direction, so that parts in different scripts keep
    /// their order.
    fn line(&self, entry: &Entry) -> Markup {
        html! {
            (self.part(&entry.lead))
            @for note in &entry.notes { span.note { " · " (self.part(note)) } }
        }
    }

    /// Returns the picture below the text of an entry.
    fn below(&self, entry: &Entry) -> Markup {
        html! {
            @if let Some(picture) = &entry.picture { (self.picture(picture)) }
        }
    }

    /// Returns a part of a line. If the part has letters of the other direction, isolates it, so that it does not
    /// reorder its neighbors.
    fn part(&self, text: &str) -> Markup {
        let own = self.sheet.language.direction;
        html! {
            @if own.other().is_in(text) { bdi dir=(own.of(text).name()) { (self.text(text)) } }
            @else { (self.text(text)) }
        }
    }

    fn paragraph(&self, text: &str) -> Markup {
        let lines: Vec<&str> = text.split('\n').collect();
        // If several lines begin with a number or a dash, the author has typed a list as plain text.
        let are_items = lines.iter().filter(|line| is_item(line)).count() > 1;
        html! {
            p dir=[self.other(text)] {
                @if are_items {
                    @for same in lines.chunk_by(|one, next| !is_item(one) && !is_item(next)) {
                        @if same.first().is_some_and(|line| is_item(line)) { span.item { (self.text(&same.concat())) } }
                        @else { (self.text(&same.join("\n"))) }
                    }
                } @else { (self.text(text)) }
            }
        }
    }

    /// Returns a text whose addresses are hyperlinks on a screen, and QR codes in print.
    fn text(&self, text: &str) -> Markup {
        let direction = self.sheet.language.direction.of(text);
        let pieces = pieces(text);
        let addresses = pieces.iter().filter_map(|piece| match piece {
            Piece::Address(address) => Some(*address),
            Piece::Text(_) => None,
        });
        html! {
            // The codes come first, so that the text flows beside them.
            @for address in addresses { @if let Some(code) = self.codes.code(address) { (code) } }
            @for piece in &pieces {
                @match piece {
                    Piece::Text(text) => { (flowing(text, direction)) }
                    Piece::Address(address) => {
                        a href=(address) target="_blank" rel="noopener noreferrer nofollow" dir="ltr" { (breakable(address)) }
                    }
                }
            }
        }
    }

    /// Returns a text without addresses.
    fn words(&self, text: &str) -> Markup {
        flowing(text, self.sheet.language.direction.of(text))
    }

    fn picture(&self, picture: &Picture) -> Markup {
        self.pictures.borrow_mut().push(picture.id.clone());
        html! {
            figure {
                // The link opens the picture alone, without the sheet, so that readers can enlarge it.
                (MARK) a.picture href=(MARK) target="_blank" { img src=(MARK) alt=(picture.alt); }
                (MARK) p.removed { "(" (self.sheet.say("picture removed")) ") " (self.part(&picture.alt)) }
                (MARK)
                @if let Some(caption) = &picture.caption {
                    figcaption dir=[self.other(caption)] { (self.text(caption)) }
                }
            }
        }
    }
}

/// Returns whether a line begins with a number and a full stop or a bracket, or with a dash or a dot.
fn is_item(line: &str) -> bool {
    let rest = line.trim_start_matches(char::is_numeric);
    let is_numbered = (1..=2).contains(&line.chars().take_while(|digit| digit.is_numeric()).count());
    let signs: &[&str] = if is_numbered { &[". ", ") "] } else { &["– ", "- ", "• "] };
    signs.iter().any(|sign| rest.starts_with(sign))
}

/// Returns a text with this direction. Lines do not break inside a number with its unit or a short formula.
fn flowing(text: &str, direction: Direction) -> Markup {
    html! {
        @for part in parts(text, direction) {
            @match part {
                Part::Flowing(text) => { (unbroken(text)) }
                Part::Formula(text) => {
                    @let short = (text.chars().count() <= LONGEST_FORMULA).then_some("whole");
                    bdi class=[short] dir="ltr" { (unbroken(text)) }
                }
            }
        }
    }
}

/// Returns an address that may wrap after a slash, so that no word is split.
fn breakable(address: &str) -> Markup {
    let (scheme, rest) = address.split_once("//").map_or(("", address), |(scheme, rest)| (scheme, rest));
    html! {
        (scheme) @if !scheme.is_empty() { "//" }
        @for (number, part) in rest.split('/').enumerate() {
            @if number > 0 { "/" wbr; }
            (part)
        }
    }
}
