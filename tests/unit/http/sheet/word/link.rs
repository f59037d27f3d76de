//! Addresses that a Word document opens.

use super::*;

#[test]
fn web_and_mail_addresses_are_links() {
    for address in [
        "https://example.org",
        "HTTP://example.org:8080/a?b=c&d=%C3%BC#e",
        "https://de.wikipedia.org/wiki/Löslichkeit_(Chemie)",
        "http://[::1]/",
        "mailto:a@example.org?subject=Salt",
    ] {
        assert!(can_be_opened(address), "{address}");
    }
}

#[test]
fn malformed_addresses_are_not_links() {
    let long = format!("https://example.org/{}", "a".repeat(2000));
    for address in [
        "http://",
        "http://x:99999/",
        "http://[::1",
        "https:// a",
        "mailto:a",
        "mailto:@b",
        "mailto:a@b@c",
        "salt",
        &long,
    ] {
        assert!(!can_be_opened(address), "{address}");
    }
}
