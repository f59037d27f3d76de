//! The addresses to which a sign-in may return.

use fieldbook::domain::sign_in::destination;
use proptest::prelude::*;

#[test]
fn sign_in_returns_only_to_paths_of_the_page() {
    for to in ["/", "/#/i/1", "/?a=b#/i/1", "/lesson", "/lé#é", "/a/b/", "/.a/..b", "/#/../api", "/apis", "/sign-in-x"]
    {
        assert_eq!(destination(to), to);
    }
    let long = format!("/{}", "a".repeat(400));
    for to in [
        "",
        "lesson",
        "//evil.example/",
        "/\\evil.example/",
        "https://evil.example/",
        "/a\u{0}",
        "/\t/evil.example/",
        "/\u{85}",
        "/api",
        "/api/me",
        "/api?a=b",
        "/api#a",
        "/sign-in",
        "/l/class-5b/cress",
        "/./api/me",
        "/a/../api/me",
        "/a/%2e%2E/api/me",
        "/a/.%2e",
        &long,
    ] {
        assert_eq!(destination(to), "/", "{to}");
    }
}

proptest! {
    #[test]
    fn sign_in_never_returns_to_another_host(text in "[/\\\\.%2eE:?#a-z\t\n]{0,20}") {
        let to = destination(&text);
        let is_another = to.starts_with("//") || to.contains(['\\', '\t', '\n']) || !to.starts_with('/');
        prop_assert!(!is_another && (to == text || to == "/"), "{to}");
    }
}
