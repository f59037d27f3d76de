//! Distinguishes people with a browser from programs.

use axum::http::{HeaderMap, header};

use crate::http::headers::listed;

/// Returns true if `Accept` prefers HTML to JSON. The header must name HTML: a wildcard such as `*/*` is not enough.
pub fn prefers_html(headers: &HeaderMap) -> bool {
    let (mut html, mut json) = (Quality::default(), Quality::default());
    for range in listed(headers, header::ACCEPT) {
        let mut parts = range.split(';').map(str::trim);
        let kind = parts.next().unwrap_or_default().to_ascii_lowercase();
        let weight = parts.find_map(|part| part.strip_prefix("q=").or_else(|| part.strip_prefix("Q=")));
        let weight = weight.map_or(1.0, |weight| weight.parse().unwrap_or(0.0));
        html.consider(&kind, "text/html", "text/*", weight);
        json.consider(&kind, "application/json", "application/*", weight);
    }
    html.named && html.weight > json.weight
}

/// Weight of a media type in `Accept`, which the most specific matching range determines (RFC 9110, section 12.5.1).
#[derive(Default)]
struct Quality {
    weight: f32,
    precision: u8,
    /// Whether a range names the type exactly, without a wildcard.
    named: bool,
}

impl Quality {
    fn consider(&mut self, range: &str, own: &str, group: &str, weight: f32) {
        let precision = match range {
            exact if exact == own => 3,
            wide if wide == group => 2,
            "*/*" => 1,
            _ => return,
        };
        self.named |= precision == 3 && weight > 0.0;
        if precision > self.precision {
            (self.precision, self.weight) = (precision, weight);
        }
    }
}
