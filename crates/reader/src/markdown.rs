//! Converts Markdown to HTML, and the HTML to parts.

use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};

use crate::builder::Built;
use crate::error::{MAX_SIGNS, ReadError};
use crate::plain::MIN_WRAPPED;
use crate::{facts, html, marks, plain};

/// Returns whether a text has Markdown markup that plain text does not have.
pub(crate) fn is_likely(text: &str) -> bool {
    let is_front = text.starts_with("---\n") || text.starts_with("---\r\n");
    let is_sign = |line: &str| {
        let line = line.trim();
        let level = line.len() - line.trim_start_matches('#').len();
        let is_heading = (1..=6).contains(&level) && line.get(level..).is_some_and(|rest| rest.starts_with(' '));
        let is_rule = line.starts_with('|') && line.contains("---");
        is_heading || is_rule || line.matches("**").count() >= 2
    };
    is_front && text.matches("\n---").count() > 0 || text.lines().any(is_sign)
}

pub(crate) fn parts(text: &str) -> Result<Built, ReadError> {
    html::parts(&html_of(text)?)
}

fn html_of(text: &str) -> Result<String, ReadError> {
    let text = plain::normalised(text);
    if signs(&text) > MAX_SIGNS {
        return Err(ReadError::TooManyBlocks);
    }
    let options = Options::ENABLE_TABLES
        | Options::ENABLE_TASKLISTS
        | Options::ENABLE_STRIKETHROUGH
        | Options::ENABLE_YAML_STYLE_METADATA_BLOCKS;
    let mut page = Page::default();
    // Keeps the line breaks in paragraphs, and the gaps between cells.
    page.html.push_str("<div style='white-space:pre'>");
    let mut events = Parser::new_ext(&text, options).peekable();
    while let Some(event) = events.next() {
        let next = match events.peek() {
            Some(Event::Text(next)) => next,
            _ => "",
        };
        page.event(event, next);
    }
    Ok(page.html)
}

/// Returns how many characters could begin markup. The parser keeps two nodes for each of them, and one for each line.
fn signs(text: &str) -> usize {
    let bytes = text.as_bytes();
    // `+`, `/` and `=` are not counted, because pictures in Base64 are full of them.
    let is_sign = |byte: u8| byte == b'\n' || byte.is_ascii_punctuation() && !matches!(byte, b'+' | b'/' | b'=');
    let items = bytes.windows(2).filter(|pair| matches!(pair, [b'+', b' ' | b'\t' | b'\n'])).count();
    items + bytes.iter().filter(|byte| is_sign(**byte)).count()
}

#[derive(Default)]
struct Page {
    html: String,
    is_front: bool,
    is_head: bool,
    /// Number of open images. Text inside them is their description.
    pictures: usize,
    /// Number of characters in the line so far.
    width: usize,
}

impl Page {
    fn event(&mut self, event: Event<'_>, next: &str) {
        match event {
            Event::Start(tag) => self.start(tag),
            Event::End(tag) => self.end(tag),
            Event::Text(text) if self.is_front => {
                text.lines().for_each(|line| self.html.push_str(&format!("<p>{}</p>", escaped(&front(line)))));
            }
            Event::Text(text) | Event::Code(text) | Event::InlineMath(text) | Event::DisplayMath(text) => {
                self.text(&text);
            }
            Event::InlineHtml(html) | Event::Html(html) => self.tags(&html),
            Event::SoftBreak if self.is_wrapped(next) => self.text(" "),
            Event::SoftBreak | Event::HardBreak => self.text("\n"),
            Event::Rule => self.html.push_str("<hr>"),
            Event::FootnoteReference(_) | Event::TaskListMarker(_) => {}
        }
    }

    fn text(&mut self, text: &str) {
        self.html.push_str(&escaped(text));
        match text.rsplit_once('\n') {
            Some((_, last)) => self.width = last.chars().count(),
            None => self.width += text.chars().count(),
        }
    }

    fn start(&mut self, tag: Tag<'_>) {
        if self.pictures > 0 && !matches!(tag, Tag::Image { .. }) {
            return;
        }
        self.is_head |= tag == Tag::TableHead;
        match tag {
            Tag::MetadataBlock(_) => self.is_front = true,
            Tag::Link { dest_url, .. } => self.html.push_str(&format!("<a href=\"{}\">", escaped(&dest_url))),
            Tag::Image { dest_url, .. } => {
                self.pictures += 1;
                if self.pictures == 1 {
                    self.html.push_str(&format!("<img src=\"{}\" alt=\"", escaped(&dest_url)));
                }
            }
            Tag::List(Some(first)) if first != 1 => {
                self.width = 0;
                self.html.push_str(&format!("<ol start=\"{first}\">"));
            }
            tag => self.tag("<", tag.to_end()),
        }
    }

    fn end(&mut self, tag: TagEnd) {
        match tag {
            TagEnd::MetadataBlock(_) => self.is_front = false,
            TagEnd::Image => {
                self.pictures = self.pictures.saturating_sub(1);
                if self.pictures == 0 {
                    self.html.push_str("\">");
                }
            }
            tag if self.pictures == 0 => {
                self.tag("</", tag);
                self.is_head &= tag != TagEnd::TableHead;
            }
            _ => {}
        }
    }

    fn tag(&mut self, sign: &str, tag: TagEnd) {
        let name = match tag {
            TagEnd::Paragraph => "p",
            TagEnd::Heading(level) => &format!("h{}", level as u8),
            TagEnd::BlockQuote(_) => "blockquote",
            TagEnd::CodeBlock => "pre",
            TagEnd::HtmlBlock => "section",
            TagEnd::List(true) => "ol",
            TagEnd::List(false) => "ul",
            TagEnd::Item => "li",
            TagEnd::Table => "table",
            TagEnd::TableHead => "thead",
            TagEnd::TableRow => "tr",
            TagEnd::TableCell if self.is_head => "th",
            TagEnd::TableCell => "td",
            TagEnd::Strong => "b",
            TagEnd::Link => "a",
            _ => return,
        };
        if !matches!(name, "b" | "a") {
            self.width = 0;
        }
        self.html.push_str(&format!("{sign}{name}>"));
        if (sign, name) == ("<", "thead") {
            self.html.push_str("<tr>");
        }
    }

    /// Adds HTML that is embedded in Markdown. Anything that only looks like a tag is text.
    fn tags(&mut self, html: &str) {
        for (count, piece) in html.split('<').enumerate() {
            let name = piece.trim_start_matches('/').split(|character: char| !character.is_alphanumeric()).next();
            let is_tag =
                piece.starts_with(['!', '?']) || name.is_some_and(|name| html::is_known(&name.to_ascii_lowercase()));
            if count > 0 {
                self.html.push_str(if is_tag && self.pictures == 0 { "<" } else { "&lt;" });
            }
            self.html.push_str(piece);
        }
    }

    /// Returns whether a line break in a paragraph is only a soft wrap.
    fn is_wrapped(&self, next: &str) -> bool {
        let is_open = !self.html.ends_with(['.', '!', '?', ':']) || next.starts_with(char::is_lowercase);
        let is_new = next.is_empty() || marks::mark(next).is_some() || facts::labelled(next, 0).is_some();
        self.width >= MIN_WRAPPED && is_open && !is_new
    }
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('"', "&quot;")
}

/// Returns a line of front matter as people would write it: names with spaces, values without quotes.
fn front(line: &str) -> String {
    let Some((name, value)) = line.split_once(':') else { return line.to_owned() };
    let value = value.trim();
    let quoted = ['"', '\''].iter().find_map(|quote| value.strip_prefix(*quote)?.strip_suffix(*quote));
    let listed = value.strip_prefix('[').and_then(|value| value.strip_suffix(']'));
    format!("{}: {}", name.replace(['_', '-'], " "), quoted.or(listed).unwrap_or(value))
}
