//! Text as WordprocessingML.

use unicode_bidi::{BidiClass, BidiInfo, Level, bidi_class};

use crate::domain::lesson_sheet::Direction;

/// The direction and the character formatting of a text.
#[derive(Debug, Clone, Copy)]
pub struct Look {
    /// Elements that come before `w:rtl` in `w:rPr`, such as `<w:b/>`.
    pub properties: &'static str,
    /// The direction of the text as a whole.
    pub direction: Direction,
}

/// Appends a text, escaped for content and attributes. Replaces the control characters that are not allowed in XML,
/// even if they are escaped.
pub fn escape(xml: &mut String, text: &str) {
    for character in text.chars() {
        match character {
            '&' => xml.push_str("&amp;"),
            '<' => xml.push_str("&lt;"),
            '>' => xml.push_str("&gt;"),
            '"' => xml.push_str("&quot;"),
            // In an attribute, unescaped tabs and line breaks would become spaces.
            '\t' => xml.push_str("&#9;"),
            '\n' => xml.push_str("&#10;"),
            '\u{0}'..'\u{20}' | '\u{fffe}' | '\u{ffff}' => xml.push(char::REPLACEMENT_CHARACTER),
            other => xml.push(other),
        }
    }
}

/// Returns a text, escaped.
pub fn escaped(text: &str) -> String {
    let mut xml = String::with_capacity(text.len());
    escape(&mut xml, text);
    xml
}

/// Appends a text as runs that each have one direction, because Word takes the direction of a run from its properties
/// and not from its letters. A line break in the text becomes a line break in the document.
pub fn runs(xml: &mut String, text: &str, look: Look) {
    let text = one_kind_of_line_break(text);
    let is_rtl = look.direction == Direction::Rtl;
    if !is_rtl && !text.chars().any(runs_to_left) {
        return run(xml, &text, look.properties, false);
    }
    let levels = BidiInfo::new(&text, Some(if is_rtl { Level::rtl() } else { Level::ltr() })).levels;
    let is_rtl_at = |place: usize| levels.get(place).is_some_and(Level::is_rtl);
    let mut start = 0;
    for (place, _) in text.char_indices() {
        if is_rtl_at(place) != is_rtl_at(start) {
            run(xml, text.get(start..place).unwrap_or_default(), look.properties, is_rtl_at(start));
            start = place;
        }
    }
    run(xml, text.get(start..).unwrap_or_default(), look.properties, is_rtl_at(start));
}

fn one_kind_of_line_break(text: &str) -> String {
    text.replace("\r\n", "\n").replace(['\r', '\u{b}', '\u{c}', '\u{85}', '\u{2028}', '\u{2029}'], "\n")
}

fn run(xml: &mut String, text: &str, properties: &str, is_rtl: bool) {
    xml.push_str("<w:r>");
    if is_rtl || !properties.is_empty() {
        xml.push_str("<w:rPr>");
        xml.push_str(properties);
        xml.push_str(if is_rtl { "<w:rtl/></w:rPr>" } else { "</w:rPr>" });
    }
    for (number, line) in text.split('\n').enumerate() {
        if number > 0 {
            xml.push_str("<w:br/>");
        }
        for (number, part) in line.split('\t').enumerate() {
            if number > 0 {
                xml.push_str("<w:tab/>");
            }
            for (number, part) in part.split('\u{2011}').enumerate() {
                if number > 0 {
                    xml.push_str("<w:noBreakHyphen/>");
                }
                if !part.is_empty() {
                    xml.push_str(r#"<w:t xml:space="preserve">"#);
                    escape(xml, part);
                    xml.push_str("</w:t>");
                }
            }
        }
    }
    xml.push_str("</w:r>");
}

fn runs_to_left(character: char) -> bool {
    matches!(bidi_class(character), BidiClass::R | BidiClass::AL)
}

#[cfg(test)]
#[path = "../../../../tests/unit/http/sheet/word/text.rs"]
mod tests;
