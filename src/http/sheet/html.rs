//! A lesson sheet as a page of HTML, to read on any device and to print. It needs no scripts. The templates escape all text
//! that people wrote.

use std::collections::HashSet;
use std::sync::{Arc, LazyLock};

use axum::http::HeaderValue;
use maud::{DOCTYPE, Markup, PreEscaped, html};

use super::codes::Codes;
use crate::domain::lesson_sheet::{
    Audience, Block, Direction, Entry, List, ListKind, Picture, Piece, Section, Sheet, pieces,
};
use crate::domain::named::Named;
use crate::http::digest::style_source;

const STYLE: &str = include_str!("style.css");

/// Stands before the id of a picture, where its address is put in when the page is sent. No text has this character.
const PLACE: char = '\0';

/// Number of characters of the id of a picture.
const ID: usize = 64;

/// Returns a content security policy that allows the style sheet, by its hash, and pictures of this service: no scripts.
pub fn policy(form_action: &str, frame_ancestors: &str) -> HeaderValue {
    let style = style_source(STYLE);
    let policy = format!(
        "default-src 'none'; style-src {style}; img-src 'self'; base-uri 'none'; form-action {form_action}; \
         frame-ancestors {frame_ancestors}"
    );
    HeaderValue::try_from(policy).unwrap_or(HeaderValue::from_static("default-src 'none'"))
}

/// The policy of a sheet that the page for authors shows in a frame.
pub static FRAMED: LazyLock<HeaderValue> = LazyLock::new(|| policy("'none'", "'self'"));

/// Returns a page with this language, title and body.
pub fn document(language: &str, direction: Direction, title: &str, body: &Markup) -> Arc<[u8]> {
    let page = html! {
        (DOCTYPE)
        html lang=(language) dir=(direction.name()) {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="robots" content="noindex";
                meta name="description" content="A lesson of a science class, to read and to print.";
                title { (title) }
                style { (PreEscaped(STYLE)) }
            }
            body { (body) }
        }
    };
    Arc::from(page.into_string().into_bytes())
}

/// Returns a sheet as HTML. Of its pictures it shows those in `held`. [`addressed`] gives them addresses.
pub fn html(sheet: &Sheet, held: &HashSet<String>) -> Arc<[u8]> {
    let writer = Writer { sheet, held, codes: Codes::default() };
    let title = sheet.shown_title();
    let body = html! {
        main {
            h1 dir=[writer.other(title)] { (title) }
            @if sheet.audience == Audience::Class {
                p.pupil { span { (sheet.say("Name")) } span { (sheet.say("Date")) } }
            }
            @for sections in sheet.sections.chunk_by(|one, next| one.fact().is_some() && next.fact().is_some()) {
                @if sections.len() > 1 { div.brief { @for section in sections { (writer.section(section)) } } }
                @else { @for section in sections { (writer.section(section)) } }
            }
            @if sheet.is_cut { p { (sheet.say("This lesson is too long for one sheet, so the rest is left out.")) } }
        }
    };
    document(&sheet.language.tag, sheet.language.direction, title, &body)
}

/// Returns a sheet with the addresses of its pictures: each begins with `before`, and ends with `after` behind the id.
pub fn addressed(html: &Arc<[u8]>, before: &str, after: &str) -> Arc<[u8]> {
    let mut parts = html.split(|byte| *byte == PLACE as u8);
    let (Some(first), rest) = (parts.next(), parts) else { return html.clone() };
    if first.len() == html.len() {
        return html.clone();
    }
    let mut page = first.to_vec();
    for part in rest {
        let (id, rest) = part.split_at_checked(ID).unwrap_or((part, &[]));
        [before.as_bytes(), id, after.as_bytes(), rest].into_iter().for_each(|part| page.extend_from_slice(part));
    }
    Arc::from(page)
}

/// Returns whether a sheet shows a picture.
pub fn shows(html: &[u8], id: &str) -> bool {
    html.split(|byte| *byte == PLACE as u8).skip(1).any(|part| part.starts_with(id.as_bytes()))
}

struct Writer<'s> {
    sheet: &'s Sheet,
    held: &'s HashSet<String>,
    codes: Codes,
}

impl Writer<'_> {
    /// Returns the direction of a text if it is not that of the page.
    fn other(&self, text: &str) -> Option<&'static str> {
        let own = self.sheet.language.direction;
        Some(own.of(text)).filter(|direction| *direction != own).map(Direction::name)
    }

    fn section(&self, section: &Section) -> Markup {
        let class = if section.is_safety { Some("safety") } else { None };
        html! {
            section class=[class] {
                h2 dir=[self.other(&section.heading)] { (section.heading) }
                (self.block(&section.block))
                @if section.lines > 0 { div.lines { @for _ in 0..section.lines { span {} } } }
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
                Block::Pictures(pictures) => { @for picture in pictures { (self.picture(picture)) } }
            }
        }
    }

    fn list(&self, List { kind, entries }: &List) -> Markup {
        html! {
            @match kind {
                ListKind::Materials => {
                    ul.checklist {
                        @for entry in entries { li { label { input type="checkbox"; span { (self.line(entry)) } } (self.below(entry)) } }
                    }
                }
                ListKind::Steps => {
                    ol.steps {
                        @for entry in entries {
                            li {
                                @for paragraph in entry.lead.split("\n\n") { (self.paragraph(paragraph)) }
                                @for note in &entry.notes { p.note dir=[self.other(note)] { (self.text(note)) } }
                                (self.below(entry))
                                @if let Some(minutes) = &entry.minutes { p.minutes { (minutes) " " (self.sheet.say("min")) } }
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
                ListKind::Plain => { ul { @for entry in entries { li { (self.line(entry)) (self.below(entry)) } } } }
            }
        }
    }

    /// Returns an entry in a line. Each part has its own direction, so that parts of two scripts keep their order.
    fn line(&self, entry: &Entry) -> Markup {
        html! {
            @if let Some(amount) = &entry.amount { (self.part(amount)) " " }
            (self.part(&entry.lead))
            @for note in &entry.notes { span.note { " · " (self.part(note)) } }
            @if let Some(minutes) = &entry.minutes { span.note { " · " (minutes) " " (self.sheet.say("min")) } }
        }
    }

    /// Returns what stands below the text of an entry.
    fn below(&self, entry: &Entry) -> Markup {
        html! {
            @if let Some(picture) = &entry.picture { (self.picture(picture)) }
        }
    }

    /// Returns a part of a line, apart from its neighbours if it has letters of the other direction.
    fn part(&self, text: &str) -> Markup {
        let own = self.sheet.language.direction;
        html! {
            @if own.other().is_in(text) { bdi dir=(own.of(text).name()) { (self.text(text)) } }
            @else { (self.text(text)) }
        }
    }

    fn paragraph(&self, text: &str) -> Markup {
        html! { p dir=[self.other(text)] { (self.text(text)) } }
    }

    /// Returns a text whose addresses can be opened, and scanned from paper.
    fn text(&self, text: &str) -> Markup {
        let pieces = pieces(text);
        let addresses = pieces.iter().filter_map(|piece| match piece {
            Piece::Address(address) => Some(*address),
            Piece::Text(_) => None,
        });
        html! {
            @for piece in &pieces {
                @match piece {
                    Piece::Text(text) => { (text) }
                    Piece::Address(address) => {
                        a href=(address) target="_blank" rel="noopener noreferrer nofollow" dir="ltr" { (address) }
                    }
                }
            }
            @for address in addresses { @if let Some(code) = self.codes.code(address) { (code) } }
        }
    }

    fn picture(&self, picture: &Picture) -> Markup {
        html! {
            figure {
                @if self.held.contains(&picture.id) {
                    img src={ (PLACE) (picture.id) } alt=(picture.alt);
                } @else {
                    p.removed { "(" (self.sheet.say("picture removed")) ") " (self.part(&picture.alt)) }
                }
                @if let Some(caption) = &picture.caption {
                    figcaption dir=[self.other(caption)] { (self.text(caption)) }
                }
            }
        }
    }
}
