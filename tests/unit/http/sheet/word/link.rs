//! Unit tests of the addresses that are links in Word documents.

use super::*;

#[test]
fn word_sheet_links_web_and_mail_addresses() {
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
fn word_sheet_does_not_link_malformed_addresses() {
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
