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
        assert_eq!((is_usable(&proxy, &["http", "https"]), is_usable(&proxy, &["http"])), (over_http, over_grpc));
    }
}
