//! Unit tests of `src/proxy.rs`.

use super::*;

#[test]
fn proxy_with_another_scheme_is_not_usable() {
    let uri = "https://services.school.example".parse().expect("an address");
    for (proxy, over_http, over_grpc) in [
        ("http://proxy.example:3128", true, true),
        ("proxy.example:3128", true, true),
        ("https://proxy.example", true, false),
        ("socks5://proxy.example", false, false),
        ("socks5h://user:hush@proxy.example:1080", false, false),
    ] {
        let proxy = Matcher::builder().all(proxy).build().intercept(&uri).expect("a proxy");
        assert_eq!(
            (check(&proxy, &["http", "https"]).is_ok(), check(&proxy, &["http"]).is_ok()),
            (over_http, over_grpc)
        );
    }
}

#[test]
fn localhost_names_are_recognized_and_lookalikes_are_not() {
    for own in
        ["http://localhost", "http://localhost:8080", "https://127.0.0.1:1", "http://127.8.9.1", "http://[::1]:80"]
    {
        assert!(is_of_this_machine(own), "{own}");
    }
    for other in [
        "http://localhost.example",
        "http://localhost:80@evil.example",
        "http://evil.example:80",
        "http://localhost/@evil.example",
        "http://10.0.0.1",
        "http://0.0.0.0",
        "http://[::2]:80",
        "http://",
    ] {
        assert!(!is_of_this_machine(other), "{other}");
    }
}
