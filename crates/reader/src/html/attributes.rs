//! Formatting and roles that attributes give to the text in an element.

use super::State;
use crate::builder::Shape;
use crate::characters::Script;
use crate::document::Kind;

/// Class names, ids and roles of elements that belong to the page's navigation and layout.
const ASIDE: &str = "nav navbar navigation menu sidebar footer topbar breadcrumb breadcrumbs social share sharing cookie cookies \
    related comments advert ads newsletter pagination contentinfo banner complementary search toolbar toc";

/// Applies the `style` of an element.
pub(super) fn styled(state: &mut State, name: &str, style: &str) {
    let declarations = style.split(';').filter_map(|declaration| declaration.split_once(':'));
    for (property, value) in declarations {
        match (property.trim(), value.trim()) {
            ("font-weight", value) => {
                state.style.is_bold = matches!(value, "bold" | "bolder" | "600" | "700" | "800" | "900");
            }
            ("vertical-align", "super") => state.style.script = Some(Script::Raised),
            ("vertical-align", "sub") => state.style.script = Some(Script::Lowered),
            ("vertical-align", "baseline") if name == "span" => state.style.script = None,
            ("display", "none") | ("visibility", "hidden") | ("mso-hide", "all") => state.is_hidden = true,
            ("mso-element", value) if value.starts_with("comment") => state.is_hidden = true,
            ("white-space", "pre" | "pre-wrap") => state.is_pre = true,
            ("mso-list", "ignore") => state.is_mark = true,
            ("mso-list", value) if state.shape.kind != Kind::Heading => {
                let level = value.split("level").nth(1).and_then(|rest| rest.chars().next()?.to_digit(10));
                let level = level.and_then(|level| u8::try_from(level).ok()).unwrap_or(1);
                state.shape = Shape { kind: Kind::Item, level, is_aside: state.shape.is_aside, ..Shape::default() };
            }
            _ => {}
        }
    }
}

/// Applies the `class`, `id` and `role` of an element.
pub(super) fn classed(state: &mut State, element: &str, names: [Option<String>; 3]) {
    // A class such as "toc" of a heading or of the whole page does not make it navigation.
    let is_page = matches!(element, "html" | "body" | "main" | "article" | "h1" | "h2" | "h3" | "h4" | "h5" | "h6");
    for name in names.into_iter().flatten() {
        let lower = name.to_ascii_lowercase();
        let is_aside = lower.split_whitespace().any(|name| ASIDE.split_whitespace().any(|aside| aside == name));
        state.shape.is_aside |= is_aside && !is_page;
        match lower.as_str() {
            "msotitle" => state.shape.is_title = true,
            "msocommenttext" | "msocommentreference" => state.is_hidden = true,
            _ => {}
        }
    }
}
