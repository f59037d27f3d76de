//! Markdown becomes parts.

use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};

use crate::builder::{Builder, Built, Shape, Style};
use crate::document::Kind;
use crate::error::{MAX_DEPTH, ReadError};
use crate::facts;
use crate::marks;
use crate::plain;

/// Returns whether a text has signs of Markdown that plain texts do not have.
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

#[derive(Default)]
struct State {
    lists: Vec<bool>,
    bold: usize,
    link: Option<(String, usize)>,
    image: Option<String>,
    is_front: bool,
    is_head: bool,
    depth: usize,
}

pub(crate) fn parts(text: &str) -> Result<Built, ReadError> {
    let text = plain::normalised(text);
    let options = Options::ENABLE_TABLES
        | Options::ENABLE_TASKLISTS
        | Options::ENABLE_STRIKETHROUGH
        | Options::ENABLE_YAML_STYLE_METADATA_BLOCKS;
    let mut builder = Builder::default();
    let mut state = State::default();
    let mut events = Parser::new_ext(&text, options).peekable();
    while let Some(event) = events.next() {
        match event {
            Event::Start(tag) => {
                state.depth += 1;
                if state.depth > MAX_DEPTH {
                    return Err(ReadError::TooDeep);
                }
                start(&mut builder, &mut state, tag)?;
            }
            Event::End(tag) => {
                state.depth = state.depth.saturating_sub(1);
                end(&mut builder, &mut state, tag)?;
            }
            Event::Text(text) if state.is_front => {
                for line in text.lines() {
                    builder.text(&front(line), Style::default());
                    builder.flush()?;
                }
            }
            Event::Text(text) | Event::Code(text) | Event::InlineMath(text) | Event::DisplayMath(text) => {
                match &mut state.image {
                    Some(alt) => alt.push_str(&text),
                    None => builder.text(&text, style(&state)),
                }
            }
            // Tags go, but line breaks stay. What only looks like a tag is text.
            Event::InlineHtml(html) if html.starts_with("<br") => builder.text("\n", style(&state)),
            Event::InlineHtml(html) if is_tag(&html) => {}
            Event::InlineHtml(html) => builder.text(&html, style(&state)),
            Event::Html(html) => builder.text(&without_tags(&html), style(&state)),
            Event::SoftBreak => {
                let is_wrapped = matches!(events.peek(), Some(Event::Text(next)) if is_wrapped(builder.since(0), next));
                builder.text(if is_wrapped { " " } else { "\n" }, style(&state));
            }
            Event::HardBreak => builder.text("\n", style(&state)),
            Event::Rule => builder.flush()?,
            Event::FootnoteReference(_) | Event::TaskListMarker(_) => {}
        }
    }
    builder.finish()
}

/// Returns whether a line of a paragraph was only broken to fit.
fn is_wrapped(text: &str, next: &str) -> bool {
    const MIN_WRAPPED: usize = 55;
    let is_open = !text.ends_with(['.', '!', '?', ':']) || next.starts_with(char::is_lowercase);
    let is_new = marks::mark(next).is_some() || facts::labelled(next, 0).is_some();
    let is_full = text.chars().rev().take(MIN_WRAPPED).filter(|character| *character != '\n').count() == MIN_WRAPPED;
    is_full && is_open && !is_new
}

fn style(state: &State) -> Style {
    Style { is_bold: state.bold > 0, is_linked: state.link.is_some(), script: None }
}

fn start(builder: &mut Builder, state: &mut State, tag: Tag<'_>) -> Result<(), ReadError> {
    match tag {
        Tag::Heading { level, .. } => {
            builder.flush()?;
            // There are six levels.
            let level = u8::try_from(level as usize).unwrap_or(6);
            builder.shape = Shape { kind: Kind::Heading, level, ..Shape::default() };
        }
        Tag::Paragraph if !state.lists.is_empty() && !builder.is_blank() => {
            builder.text("\n", Style::default());
        }
        Tag::List(first) => {
            builder.flush()?;
            state.lists.push(first.is_some());
        }
        Tag::Item => {
            builder.flush()?;
            builder.shape = item(state);
        }
        Tag::Strong => state.bold += 1,
        Tag::Link { dest_url, .. } => state.link = Some((dest_url.into_string(), builder.len())),
        Tag::Image { .. } => state.image = Some(String::new()),
        Tag::MetadataBlock(_) => state.is_front = true,
        Tag::Table(_) => builder.open_table()?,
        Tag::TableHead => {
            state.is_head = true;
            builder.open_row(true)?;
        }
        Tag::TableRow => builder.open_row(false)?,
        Tag::TableCell => builder.shape = Shape::default(),
        Tag::Paragraph | Tag::CodeBlock(_) | Tag::HtmlBlock | Tag::BlockQuote(_) => builder.flush()?,
        _ => {}
    }
    Ok(())
}

fn end(builder: &mut Builder, state: &mut State, tag: TagEnd) -> Result<(), ReadError> {
    match tag {
        TagEnd::Paragraph if !state.lists.is_empty() => {}
        TagEnd::Paragraph | TagEnd::CodeBlock | TagEnd::HtmlBlock | TagEnd::BlockQuote(_) => builder.flush()?,
        TagEnd::Heading(_) | TagEnd::Item => {
            builder.flush()?;
            builder.shape = Shape::default();
        }
        TagEnd::List(_) => {
            builder.flush()?;
            state.lists.pop();
            builder.shape = if state.lists.is_empty() { Shape::default() } else { item(state) };
        }
        TagEnd::Strong => state.bold = state.bold.saturating_sub(1),
        TagEnd::Link => {
            if let Some((address, start)) = state.link.take() {
                builder.address(&address, start);
            }
        }
        TagEnd::Image => {
            let alt = state.image.take().unwrap_or_default();
            builder.picture(&alt, None)?;
        }
        TagEnd::MetadataBlock(_) => state.is_front = false,
        TagEnd::TableHead => state.is_head = false,
        TagEnd::TableCell => builder.end_cell()?,
        TagEnd::Table => builder.close_table()?,
        _ => {}
    }
    Ok(())
}

fn item(state: &State) -> Shape {
    let level = u8::try_from(state.lists.len()).unwrap_or(u8::MAX);
    let is_ordered = state.lists.last().copied().unwrap_or(false);
    Shape { kind: Kind::Item, level, is_ordered, ..Shape::default() }
}

/// Returns a line of front matter as people would write it: names with spaces, values without quotes.
fn front(line: &str) -> String {
    let Some((name, value)) = line.split_once(':') else { return line.to_owned() };
    let value = value.trim();
    let quoted = ['"', '\''].iter().find_map(|quote| value.strip_prefix(*quote)?.strip_suffix(*quote));
    let listed = value.strip_prefix('[').and_then(|value| value.strip_suffix(']'));
    format!("{}: {}", name.replace(['_', '-'], " "), quoted.or(listed).unwrap_or(value))
}

fn is_tag(html: &str) -> bool {
    const TAGS: [&str; 22] = [
        "a", "b", "i", "u", "s", "em", "strong", "sub", "sup", "span", "p", "div", "img", "table", "tr", "td", "th",
        "ul", "ol", "li", "hr", "font",
    ];
    let name = html.trim_start_matches(['<', '/']).split(|character: char| !character.is_alphanumeric()).next();
    name.is_some_and(|name| TAGS.contains(&name.to_ascii_lowercase().as_str())) || html.starts_with("<!--")
}

/// Returns the text of HTML that stands in Markdown.
fn without_tags(html: &str) -> String {
    let mut text = String::with_capacity(html.len());
    let mut rest = html;
    while let Some((before, after)) = rest.split_once('<') {
        text.push_str(before);
        let end = if after.starts_with("!--") {
            after.find("-->").map(|end| end + 3)
        } else {
            after.find('>').map(|end| end + 1)
        };
        match end.and_then(|end| after.split_at_checked(end)) {
            Some((tag, after)) => {
                if !is_tag(&format!("<{tag}")) && !tag.starts_with('/') {
                    text.push('<');
                    text.push_str(tag);
                } else {
                    text.push(' ');
                }
                rest = after;
            }
            None => {
                text.push('<');
                rest = after;
                break;
            }
        }
    }
    text.push_str(rest);
    text
}
