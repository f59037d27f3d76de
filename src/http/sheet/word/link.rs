//! Hyperlinks in Word documents.

use axum::http::Uri;
use percent_encoding::{CONTROLS, utf8_percent_encode};

/// Maximum length of an address, in bytes. Word does not open longer addresses.
const MAX_ADDRESS: usize = 2000;

/// Returns whether an address is well-formed, so that it can become a hyperlink. Word treats a document with a
/// malformed hyperlink as damaged.
pub fn can_be_opened(address: &str) -> bool {
    // Escapes letters of other scripts for this check, because they may appear unescaped.
    let ascii = utf8_percent_encode(address, CONTROLS).to_string();
    let Some((scheme, rest)) = ascii.split_once(':').filter(|_| address.len() <= MAX_ADDRESS) else { return false };
    if scheme.eq_ignore_ascii_case("mailto") {
        let recipient = rest.split('?').next().unwrap_or_default();
        let parts = recipient.split_once('@');
        return parts.is_some_and(|(name, host)| !name.is_empty() && !host.is_empty() && !host.contains('@'));
    }
    let Ok(uri) = ascii.parse::<Uri>() else { return false };
    uri.authority().is_some_and(|authority| {
        let host = authority.host();
        !host.is_empty() && (authority.port_u16().is_some() || authority.as_str().ends_with(host))
    })
}

#[cfg(test)]
#[path = "../../../../tests/unit/http/sheet/word/link.rs"]
mod tests;
