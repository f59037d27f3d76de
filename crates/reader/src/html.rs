//! Converts HTML to parts. The input is what browsers and Word put on the clipboard.
//!
//! Only the tokenizer of html5ever is used: its tree builder takes quadratic time for nested elements, and paragraphs,
//! lists and tables need no tree. A stack of open elements is enough, which also bounds the nesting.

mod attributes;
mod pieces;

use std::cell::RefCell;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use html5ever::buffer_queue::BufferQueue;
use html5ever::tendril::StrTendril;
use html5ever::tokenizer::{Tag, TagKind, Token, TokenSink, TokenSinkResult, Tokenizer, TokenizerOpts};

use attributes::{classed, styled};

use crate::builder::{Builder, Built, Shape, Style};
use crate::characters::Script;
use crate::document::Kind;
use crate::error::{MAX_DEPTH, MAX_PIECES, ReadError};
use crate::marks;
use pieces::Piece;

const VOID: [&str; 14] =
    ["area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param", "source", "track", "wbr"];
/// Elements that begin and end a line.
const LINES: &str = "address article aside blockquote body caption center dd details dl dt fieldset figcaption figure \
    footer form h1 h2 h3 h4 h5 h6 header hr legend main nav ol pre section summary ul";
const SKIPPED: [&str; 9] = ["script", "style", "template", "title", "del", "select", "textarea", "iframe", "object"];
/// Raw text elements, whose content is not text of the page.
const RAW: [&str; 5] = ["script", "style", "title", "textarea", "iframe"];
/// Elements that begin a scope: an end tag of a paragraph or list inside does not close elements outside.
const SCOPES: [&str; 4] = ["table", "td", "th", "caption"];

/// The properties that an element passes on to its children.
#[derive(Debug, Clone, Copy, Default)]
struct State {
    style: Style,
    shape: Shape,
    lists: u8,
    is_ordered: bool,
    is_hidden: bool,
    is_pre: bool,
    /// Whether the text is the mark of a list item, as Word writes it.
    is_mark: bool,
}

#[derive(Debug)]
struct Element {
    name: String,
    state: State,
    /// The address of a link, and the byte offset where its text begins.
    link: Option<(String, usize)>,
    /// The number of the next item of a list.
    next: u32,
}

#[derive(Default)]
struct Page {
    builder: Builder,
    open: Vec<Element>,
    failure: Option<ReadError>,
    pieces: usize,
    /// The element whose text is skipped up to its end tag.
    raw: Option<String>,
    /// Whether a comment has ended.
    is_comment_read: bool,
}

struct Sink(RefCell<Page>);

impl TokenSink for Sink {
    type Handle = ();

    fn process_token(&self, token: Token, _line: u64) -> TokenSinkResult<()> {
        let mut page = self.0.borrow_mut();
        if page.failure.is_some() {
            return TokenSinkResult::Continue;
        }
        page.pieces += 1;
        let done = match token {
            _ if page.pieces > MAX_PIECES => Err(ReadError::TooManyPieces),
            Token::TagToken(tag) if tag.kind == TagKind::StartTag => page.start(&tag),
            Token::TagToken(tag) => page.end(&tag.name),
            Token::CharacterTokens(text) => {
                page.text(&text);
                Ok(())
            }
            Token::CommentToken(_) | Token::DoctypeToken(_) => {
                page.is_comment_read = true;
                Ok(())
            }
            _ => Ok(()),
        };
        page.failure = done.err();
        TokenSinkResult::Continue
    }
}

pub(crate) fn parts(html: &str) -> Result<Built, ReadError> {
    let tokenizer = Tokenizer::new(Sink(RefCell::default()), TokenizerOpts::default());
    let input = BufferQueue::default();
    let mut rest = html;
    let mut is_in_comment = false;
    while !rest.is_empty() {
        let piece = if is_in_comment { Piece::Comment(pieces::end(rest)) } else { pieces::first(rest)? };
        let (Piece::Text(length) | Piece::Tag(length) | Piece::Comment(length)) = piece;
        let (text, after) = rest.split_at_checked(length).unwrap_or((rest, ""));
        input.push_back(StrTendril::from_slice(text));
        let _ = tokenizer.feed(&input);
        let mut page = tokenizer.sink.0.borrow_mut();
        if let Some(failure) = page.failure {
            return Err(failure);
        }
        // Only the tokenizer knows which `>` ends a comment, so the comment may continue.
        is_in_comment = matches!(piece, Piece::Comment(_)) && !page.is_comment_read;
        page.is_comment_read = false;
        rest = page.raw.take().map_or(after, |name| pieces::behind(after, &name));
    }
    tokenizer.end();
    let page = tokenizer.sink.0.into_inner();
    if let Some(failure) = page.failure {
        return Err(failure);
    }
    page.builder.finish()
}

/// Returns whether this is the name of an element that occurs in documents.
pub(crate) fn is_known(name: &str) -> bool {
    const INLINE: &str = "a b i u s em strong sub sup span p div table thead tbody tr td th li font code del ins small";
    is_line(name) || VOID.contains(&name) || INLINE.split(' ').any(|inline| inline == name)
}

fn is_line(name: &str) -> bool {
    LINES.split(' ').any(|line| line == name)
}

impl Page {
    fn state(&self) -> State {
        self.open.last().map(|element| element.state).unwrap_or_default()
    }

    fn text(&mut self, text: &str) {
        let state = self.state();
        if state.is_hidden {
            return;
        }
        if state.is_mark {
            let is_ordered = marks::is_enumerator(text);
            self.builder.shape.is_ordered |= is_ordered;
            let number = marks::digits(text.trim().trim_end_matches(['.', ')']));
            self.builder.shape.number = number.or(self.builder.shape.number);
            return;
        }
        if state.is_pre {
            self.builder.text(text, state.style);
            return;
        }
        let mut collapsed = String::with_capacity(text.len());
        for character in text.chars() {
            let is_space = matches!(character, ' ' | '\t' | '\n' | '\r' | '\u{c}');
            if !is_space {
                collapsed.push(character);
            } else if !(collapsed.ends_with(' ') || collapsed.is_empty() && self.builder.since(0).ends_with(' ')) {
                collapsed.push(' ');
            }
        }
        self.builder.text(&collapsed, state.style);
    }

    fn start(&mut self, tag: &Tag) -> Result<(), ReadError> {
        let name: &str = &tag.name;
        let attribute = |wanted: &str| {
            tag.attrs.iter().find(|attribute| &*attribute.name.local == wanted).map(|found| found.value.to_string())
        };
        match name {
            "br" if !self.state().is_hidden => self.builder.text("\n", Style::default()),
            "img" if !self.state().is_hidden => {
                // Skips tracking pixels, which are at most two pixels wide and high.
                let is_dot = |side: &str| {
                    attribute(side).is_some_and(|side| matches!(side.trim_end_matches("px"), "0" | "1" | "2"))
                };
                if !(is_dot("width") && is_dot("height")) {
                    self.image(attribute("src"), attribute("alt"))?;
                }
            }
            "hr" => self.builder.flush()?,
            _ => {}
        }
        if VOID.contains(&name) || tag.self_closing && name.contains(':') {
            return Ok(());
        }
        if RAW.contains(&name) {
            self.raw = Some(name.to_owned());
        }
        self.close_implied(name)?;
        let mut state = self.state();
        let is_in_item = state.shape.kind == Kind::Item;
        let begins_line = is_line(name) || matches!(name, "li" | "table" | "p" | "div");
        if matches!(name, "p" | "div") && is_in_item {
            if !self.builder.is_blank() {
                self.builder.text("\n", Style::default());
            }
        } else if begins_line {
            self.builder.flush()?;
        }
        self.enter(name, &mut state);
        let number = |name: &str| attribute(name).and_then(|number| number.trim().parse().ok());
        if name == "li" && state.is_ordered {
            state.shape.number = self.count(number("value"));
        }
        styled(&mut state, name, &attribute("style").unwrap_or_default().to_ascii_lowercase());
        classed(&mut state, name, [attribute("class"), attribute("id"), attribute("role")]);
        state.is_hidden |= tag.attrs.iter().any(|attribute| &*attribute.name.local == "hidden");
        match name {
            "table" => self.builder.open_table()?,
            "tr" => self.builder.open_row(false)?,
            "th" if self.open.iter().any(|element| element.name == "thead") => self.builder.mark_head(),
            _ => {}
        }
        if begins_line || matches!(name, "td" | "th") {
            self.builder.shape = state.shape;
        }
        let address = attribute("href").filter(|_| name == "a");
        state.style.is_linked |= address.is_some();
        let link = address.map(|href| (href, self.builder.len()));
        let next = number("start").unwrap_or(1);
        self.open.push(Element { name: name.to_owned(), state, link, next });
        if self.open.len() > MAX_DEPTH { Err(ReadError::TooDeep) } else { Ok(()) }
    }

    /// Returns the number of the next item of the list that is open.
    fn count(&mut self, own: Option<u32>) -> Option<u32> {
        let list = self.open.iter_mut().rev().find(|element| element.name == "ol")?;
        let number = own.unwrap_or(list.next);
        list.next = number.saturating_add(1);
        Some(number)
    }

    fn enter(&self, name: &str, state: &mut State) {
        let is_aside = state.shape.is_aside;
        let line = Shape { is_aside, ..Shape::default() };
        match name {
            "b" | "strong" => state.style.is_bold = true,
            "sup" => state.style.script = Some(Script::Raised),
            "sub" => state.style.script = Some(Script::Lowered),
            "pre" => state.is_pre = true,
            "ul" | "ol" => {
                state.lists = state.lists.saturating_add(1);
                state.is_ordered = name == "ol";
                state.shape = Shape { kind: Kind::Item, level: state.lists, ..line };
            }
            "li" => {
                let level = state.lists.max(1);
                state.shape = Shape { kind: Kind::Item, level, is_ordered: state.is_ordered, ..line };
            }
            "h1" | "h2" | "h3" | "h4" | "h5" | "h6" => {
                let level = name.bytes().last().map_or(1, |digit| digit - b'0');
                state.shape = Shape { kind: Kind::Heading, level, ..line };
            }
            "td" | "th" => {
                state.lists = 0;
                state.shape = line;
                state.style.is_bold = name == "th";
            }
            "nav" | "footer" | "aside" | "button" => state.shape.is_aside = true,
            "dt" => state.shape.is_term = true,
            "figcaption" => state.shape = Shape { is_caption: true, ..line },
            _ if SKIPPED.contains(&name) => state.is_hidden = true,
            _ => {}
        }
    }

    /// Closes the open elements that have no end tag and end where the element `name` begins. For example, an `li` ends
    /// the `li` before it.
    fn close_implied(&mut self, name: &str) -> Result<(), ReadError> {
        let (ended, scope): (&[&str], &[&str]) = match name {
            "li" => (&["li"], &["ul", "ol", "table", "td", "th"]),
            "tr" => (&["tr"], &["table"]),
            "td" | "th" => (&["td", "th"], &["tr", "table"]),
            "tbody" | "thead" | "tfoot" => (&["tbody", "thead", "tfoot"], &["table"]),
            "dt" | "dd" => (&["dt", "dd"], &["dl", "table", "td", "th"]),
            "p" => (&["p"], &["div", "li", "td", "th", "table"]),
            // A link cannot contain another link.
            "a" => (&["a"], &SCOPES),
            "h1" | "h2" | "h3" | "h4" | "h5" | "h6" => {
                (&["p", "h1", "h2", "h3", "h4", "h5", "h6"], &["div", "li", "td", "th", "table"])
            }
            _ => return Ok(()),
        };
        for element in self.open.iter().rev() {
            if ended.contains(&element.name.as_str()) {
                let name = element.name.clone();
                return self.end(&name);
            }
            if scope.contains(&element.name.as_str()) {
                break;
            }
        }
        Ok(())
    }

    fn end(&mut self, name: &str) -> Result<(), ReadError> {
        let reaches = SCOPES.contains(&name) || matches!(name, "tr" | "tbody" | "thead" | "tfoot" | "body" | "html");
        let found = self.open.iter().rposition(|element| element.name == name);
        let scope = self.open.iter().rposition(|element| SCOPES.contains(&element.name.as_str()));
        let Some(place) = found.filter(|place| reaches || scope.is_none_or(|scope| scope <= *place)) else {
            return Ok(());
        };
        while self.open.len() > place {
            let Some(element) = self.open.pop() else { break };
            self.leave(&element)?;
        }
        Ok(())
    }

    fn leave(&mut self, element: &Element) -> Result<(), ReadError> {
        if let Some((address, start)) = &element.link {
            self.builder.address(address, *start);
        }
        let outer = self.state().shape;
        match element.name.as_str() {
            "td" | "th" => self.builder.end_cell()?,
            "tr" | "caption" => self.builder.close_cell()?,
            "table" => self.builder.close_table()?,
            "p" | "div" if outer.kind == Kind::Item => return Ok(()),
            "p" | "div" | "li" => self.builder.flush()?,
            name if is_line(name) => self.builder.flush()?,
            _ => return Ok(()),
        }
        self.builder.shape = outer;
        Ok(())
    }

    fn image(&mut self, source: Option<String>, alt: Option<String>) -> Result<(), ReadError> {
        let source = source.unwrap_or_default();
        let encoded = source.strip_prefix("data:image/").and_then(|rest| rest.split_once(";base64,"));
        let bytes = encoded.and_then(|(_, data)| {
            let data: Vec<u8> = data.bytes().filter(|byte| !byte.is_ascii_whitespace()).collect();
            STANDARD.decode(data).ok()
        });
        self.builder.picture(&alt.unwrap_or_default(), bytes)
    }
}
