//! Which styles are headings and titles, and which numberings are bullets.

use std::collections::HashMap;
use std::iter;

use quick_xml::events::Event;

use super::xml::{Events, Kept, Part, attribute, is_on};
use crate::error::ReadError;

/// The list and the level of a paragraph.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Numbering {
    pub(super) id: u32,
    pub(super) level: Option<u8>,
}

#[derive(Debug, Clone, Default)]
struct Style {
    name: String,
    based_on: Option<String>,
    outline: Option<u8>,
    numbering: Option<Numbering>,
    is_bold: Option<bool>,
}

/// A style with the properties that it inherits.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Resolved {
    pub(super) is_title: bool,
    /// Level of a heading, from 1.
    pub(super) heading: Option<u8>,
    pub(super) numbering: Option<Numbering>,
    /// List level according to the name of the style, such as "List Bullet 2".
    pub(super) list_level: u8,
    pub(super) is_bold: bool,
    pub(super) is_caption: bool,
    /// Whether pupils write in paragraphs of this style, in a sheet that the service created.
    pub(super) is_form: bool,
    /// Whether paragraphs of this style have what the service adds to a lesson on such a sheet: a line for name and
    /// date, headings above lines to write on, and the link with its QR code.
    pub(super) is_of_sheet: bool,
}

#[derive(Debug, Default)]
pub(super) struct Styles {
    styles: HashMap<String, Resolved>,
    /// Whether the level of an abstract numbering has numbers or letters.
    ordered: HashMap<(u32, u8), bool>,
    /// Whether a level has numbers or letters, if a list redefines this level of a definition that several lists share.
    overrides: HashMap<(u32, u8), bool>,
    abstracts: HashMap<u32, u32>,
    kept: Kept,
}

/// Approximate memory of a style without its texts, and of a level of a list.
const STYLE: usize = 256;
const LEVEL: usize = 32;

impl Styles {
    pub(super) fn read_styles(&mut self, part: Part<'_>) -> Result<(), ReadError> {
        let mut events = Events::new(part);
        let mut styles: Vec<(String, Style)> = Vec::new();
        let mut current: Option<(String, Style)> = None;
        while let Some(event) = events.next()? {
            match event {
                Event::Start(start) => match (start.local_name().as_ref(), &mut current) {
                    ("style", current) => {
                        *current = attribute(&start, "styleId").map(|id| (id, Style::default()));
                    }
                    ("name", Some((_, style))) => {
                        style.name = attribute(&start, "val").unwrap_or_default().to_lowercase();
                    }
                    ("basedOn", Some((_, style))) => style.based_on = attribute(&start, "val"),
                    ("outlineLvl", Some((_, style))) => style.outline = number(attribute(&start, "val")),
                    ("b", Some((_, style))) => style.is_bold = Some(is_on(&start)),
                    ("numId", Some((_, style))) => {
                        if let Some(id) = number(attribute(&start, "val")) {
                            let level = style.numbering.and_then(|numbering| numbering.level);
                            style.numbering = Some(Numbering { id, level });
                        }
                    }
                    _ => {}
                },
                Event::End(end) if end.local_name().as_ref() == "style" => {
                    if let Some((id, style)) = current.take() {
                        let texts = id.len() + style.name.len() + style.based_on.as_ref().map_or(0, String::len);
                        self.kept.add(STYLE + texts)?;
                        styles.push((id, style));
                    }
                }
                _ => {}
            }
        }
        // Resolves each style once, because any number of paragraphs and runs can use the same style.
        let places: HashMap<&str, usize> = styles.iter().map(|(id, _)| id.as_str()).zip(0..).collect();
        let base = |style: &Style| style.based_on.as_deref().and_then(|id| places.get(id)).copied();
        let bases: Vec<Option<usize>> = styles.iter().map(|(_, style)| base(style)).collect();
        let resolved: Vec<Resolved> = (0..styles.len()).map(|place| resolve(&styles, &bases, place)).collect();
        self.styles = styles.into_iter().map(|(id, _)| id).zip(resolved).collect();
        Ok(())
    }

    pub(super) fn read_numbering(&mut self, part: Part<'_>) -> Result<(), ReadError> {
        let mut events = Events::new(part);
        let (mut id, mut level) = (None, None);
        let mut is_abstract = true;
        while let Some(event) = events.next()? {
            let Event::Start(start) = event else { continue };
            let value = || attribute(&start, "val");
            match start.local_name().as_ref() {
                "abstractNum" => {
                    is_abstract = true;
                    (id, level) = (number(attribute(&start, "abstractNumId")), None);
                }
                "num" => {
                    is_abstract = false;
                    (id, level) = (number(attribute(&start, "numId")), None);
                }
                "lvl" => level = number::<u8>(attribute(&start, "ilvl")),
                "numFmt" => {
                    if let (Some(id), Some(level)) = (id, level) {
                        let is_ordered = !matches!(value().as_deref(), Some("bullet" | "none"));
                        let levels = if is_abstract { &mut self.ordered } else { &mut self.overrides };
                        self.kept.add(LEVEL)?;
                        levels.insert((id, level), is_ordered);
                    }
                }
                "abstractNumId" => {
                    if let (Some(id), Some(of)) = (id, number(value())) {
                        self.kept.add(LEVEL)?;
                        self.abstracts.insert(id, of);
                    }
                }
                _ => {}
            }
        }
        Ok(())
    }

    pub(super) fn is_ordered(&self, numbering: Numbering) -> bool {
        let of = self.abstracts.get(&numbering.id).copied().unwrap_or(numbering.id);
        let level = numbering.level.unwrap_or(0);
        let own = self.overrides.get(&(numbering.id, level));
        own.or_else(|| self.ordered.get(&(of, level))).copied().unwrap_or(false)
    }

    pub(super) fn resolve(&self, id: &str) -> Resolved {
        self.styles.get(id).copied().unwrap_or_default()
    }
}

/// Returns the style at an index, with the properties that it inherits. `bases` has the index of the style on which
/// each style is based.
fn resolve(styles: &[(String, Style)], bases: &[Option<usize>], place: usize) -> Resolved {
    /// Maximum length of a chain of styles that are based on each other. A longer chain is probably a cycle.
    const MAX_CHAIN: usize = 16;
    let mut resolved = Resolved::default();
    let (mut is_bold, mut numbering, mut outline) = (None, None, None);
    for place in iter::successors(Some(place), |place| *bases.get(*place)?).take(MAX_CHAIN) {
        let Some((_, style)) = styles.get(place) else { break };
        is_bold = is_bold.or(style.is_bold);
        numbering = numbering.or(style.numbering);
        outline = outline.or(style.outline);
        resolved.is_title |= style.name == "title";
        resolved.is_caption |= style.name == "caption";
        resolved.is_of_sheet |= style.name == "fieldbookpupil";
        resolved.is_form |= resolved.is_of_sheet || style.name == "writing line";
        let level = style.name.strip_prefix("heading ").and_then(|level| level.parse().ok());
        resolved.heading = resolved.heading.or(level);
        if style.name.starts_with("list") {
            let digit = style.name.chars().last().and_then(|last| last.to_digit(10));
            let level = digit.and_then(|digit| u8::try_from(digit).ok()).unwrap_or(1);
            resolved.list_level = resolved.list_level.max(level);
        }
    }
    // Level 9 is body text.
    resolved.heading = resolved.heading.or(outline.filter(|level| *level < 9).map(|level| level + 1));
    resolved.numbering = numbering;
    resolved.is_bold = is_bold.unwrap_or(false);
    resolved
}

pub(super) fn number<N: std::str::FromStr>(value: Option<String>) -> Option<N> {
    value?.trim().parse().ok()
}
