//! The HTML of the public pages. The templates escape all text that people wrote.

use std::sync::{Arc, LazyLock};

use axum::http::{HeaderValue, StatusCode};
use maud::{DOCTYPE, Markup, PreEscaped, html};

use crate::domain::lesson_sheet::{Block, Entry, EntryKind, Section, cut};
use crate::http::digest::style_source;

const STYLE: &str = include_str!("style.css");

/// Content security policy that allows only the style sheet, by its hash: no scripts, no frames, no forms.
pub static POLICY: LazyLock<HeaderValue> = LazyLock::new(|| policy("'none'"));

/// Returns the content security policy of a page with a form that is sent to this service. Browsers also check where it
/// redirects to, which may be another origin.
pub fn form_policy(redirect: Option<&str>) -> HeaderValue {
    match redirect {
        None => policy("'self'"),
        Some(origin) => policy(&format!("'self' {origin}")),
    }
}

fn policy(form_action: &str) -> HeaderValue {
    let style = style_source(STYLE);
    let policy = format!(
        "default-src 'none'; style-src {style}; base-uri 'none'; form-action {form_action}; frame-ancestors 'none'"
    );
    HeaderValue::try_from(policy).unwrap_or(HeaderValue::from_static("default-src 'none'"))
}

/// The page for an open link that shows nothing of its investigation (`Shows::Nothing`).
pub static NOTHING: LazyLock<Arc<[u8]>> =
    LazyLock::new(|| message("Welcome", "This link works, but it shows no lesson. Ask whoever gave it to you."));

pub static CLOSED: LazyLock<Arc<[u8]>> = LazyLock::new(|| {
    message(
        "This link leads nowhere",
        "It may be closed, or mistyped. Check the address, or ask whoever gave it to you.",
    )
});

/// The page for a browser that loads a link before a person opens it.
pub static PREFETCHED: LazyLock<Arc<[u8]>> =
    LazyLock::new(|| message("Not open yet", "Open the link to see what it shows."));

/// Returns the page of a link with a visit limit. Its button sends a form to the path `action`.
pub fn button(action: &str) -> Arc<[u8]> {
    let title = "Open the lesson";
    let body = html! {
        main.message {
            h1 { (title) }
            p { "This link can be opened a limited number of times. It counts when you press the button." }
            form method="post" action=(action) { button { "Open" } }
        }
    };
    document(title, &body)
}

/// Returns the page for a request that failed with this status.
pub fn failure(status: StatusCode) -> Arc<[u8]> {
    match status {
        StatusCode::TOO_MANY_REQUESTS => message("Too many visits at once", "Wait a moment, and open the link again."),
        _ => message("This did not work", "Open the link again in a minute."),
    }
}

fn message(title: &str, text: &str) -> Arc<[u8]> {
    document(title, &html! { main.message { h1 { (title) } p { (text) } } })
}

pub fn lesson(title: Option<&str>, mut sections: Vec<Section>) -> Arc<[u8]> {
    let name = title.unwrap_or("Lesson");
    let is_cut = cut(&mut sections);
    let body = html! {
        main {
            h1 dir="auto" { (name) }
            @for (number, section) in sections.iter().enumerate() { (section_html(number, section)) }
            @if is_cut { p { "This lesson is too long for one page, so the rest is left out." } }
        }
    };
    document(name, &body)
}

fn document(title: &str, body: &Markup) -> Arc<[u8]> {
    let page = html! {
        (DOCTYPE)
        html lang="en" {
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

fn section_html(number: usize, section: &Section) -> Markup {
    let class = if section.field == "safety" { "safety" } else { "" };
    let id = format!("section-{number}");
    html! {
        section class=(class) aria-labelledby=(id) {
            h2 id=(id) dir="auto" { (section.label) }
            (block_html(number, &section.block))
        }
    }
}

fn block_html(section: usize, block: &Block) -> Markup {
    html! {
        @match block {
            Block::Text(paragraphs) => { @for paragraph in paragraphs { p dir="auto" { (paragraph) } } }
            Block::Entries(entries) => { (entries_html(section, entries)) }
            Block::Members(members) => {
                dl {
                    @for (label, block) in members {
                        dt dir="auto" { (label) }
                        dd { (block_html(section, block)) }
                    }
                }
            }
        }
    }
}

fn entries_html(section: usize, entries: &[Entry]) -> Markup {
    let are = |kind: EntryKind| entries.iter().all(|entry| entry.kind == kind);
    html! {
        @if are(EntryKind::Material) {
            ul.checklist {
                @for (number, entry) in entries.iter().enumerate() {
                    @let id = format!("material-{section}-{number}");
                    li { input type="checkbox" id=(id); label for=(id) dir="auto" { (entry.lead) (notes_html(entry)) } }
                }
            }
        } @else if are(EntryKind::Step) {
            ol.steps { @for entry in entries { li { (step_html(entry)) } } }
        } @else if are(EntryKind::Term) {
            dl { @for entry in entries { dt dir="auto" { (entry.lead) } dd dir="auto" { (entry.notes.join(" · ")) } } }
        } @else {
            ul { @for entry in entries { li dir="auto" { (entry.lead) (notes_html(entry)) } } }
        }
    }
}

fn step_html(entry: &Entry) -> Markup {
    html! {
        @for paragraph in entry.lead.split("\n\n") { p dir="auto" { (paragraph) } }
        @for note in &entry.notes { p.note dir="auto" { (note) } }
        @if let Some(minutes) = &entry.minutes { p.minutes { (minutes) " min" } }
    }
}

fn notes_html(entry: &Entry) -> Markup {
    html! { @for note in &entry.notes { span.note dir="auto" { " · " (note) } } }
}
