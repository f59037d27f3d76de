//! The pages of a link that show no lesson. The templates escape all text that people wrote.

use std::sync::LazyLock;

use axum::body::Bytes;
use axum::http::{HeaderValue, StatusCode};
use maud::{Markup, html};

use crate::domain::lesson_sheet::Direction;
use crate::http::sheet::html::{document, policy};

/// Content security policy of all pages but those with a form: no scripts, no frames, no forms.
pub static POLICY: LazyLock<HeaderValue> = LazyLock::new(|| policy("'none'", "'none'"));

/// Returns the content security policy of a page with a form that is sent to this service. Browsers apply the policy to
/// the redirect target as well, which may have another origin.
pub fn form_policy(redirect: Option<&str>) -> HeaderValue {
    match redirect {
        None => policy("'self'", "'none'"),
        Some(origin) => policy(&format!("'self' {origin}"), "'none'"),
    }
}

/// The page for an open link that shows nothing of its investigation (`Shows::Nothing`).
pub static NOTHING: LazyLock<Bytes> =
    LazyLock::new(|| message("Welcome", "This link works, but it shows no lesson. Ask whoever gave it to you."));

pub static CLOSED: LazyLock<Bytes> = LazyLock::new(|| {
    message(
        "This link does not work",
        "It may be closed, or mistyped. Check the address, or ask whoever gave it to you.",
    )
});

/// The page for a browser that loads a link before a person opens it.
pub static PREFETCHED: LazyLock<Bytes> =
    LazyLock::new(|| message("Not open yet", "Open the link to see what it shows."));

/// Returns the page of a link with a visit limit. Its button sends a form to the address `action`.
pub fn button(action: &str) -> Bytes {
    let title = "Your lesson is ready";
    let body = html! {
        main.message {
            h1 { (title) }
            p { "This link opens a limited number of times, so open it when you need it." }
            form method="post" action=(action) { button { "Open the lesson" } }
        }
    };
    page(title, &body)
}

/// Returns the page for a request that failed with this status.
pub fn error(status: StatusCode) -> Bytes {
    match status {
        StatusCode::TOO_MANY_REQUESTS => message("Too many visits at once", "Wait a moment, and open the link again."),
        _ => message("Something went wrong", "Open the link again in a minute."),
    }
}

fn message(title: &str, text: &str) -> Bytes {
    page(title, &html! { main.message { h1 { (title) } p { (text) } } })
}

fn page(title: &str, body: &Markup) -> Bytes {
    document("en", Direction::Ltr, title, body)
}
