//! Unit tests of `src/proxy.rs`.

use super::*;

#[test]
fn unparsable_proxy_address_is_refused_instead_of_ignored() {
    for (proxy, over_http, over_grpc) in [
        ("http://proxy.example:3128", true, true),
        ("proxy.example:3128", true, true),
        ("https://proxy.example", true, false),
        ("socks5://proxy.example", false, false),
        ("socks5h://user:hush@proxy.example:1080", false, false),
        ("ftp://proxy.example", false, false),
        ("htp://proxy.example", false, false),
        ("http//proxy.example", false, false),
        ("http://[bad", false, false),
        (" ", false, false),
    ] {
        for name in ["HTTPS_PROXY", "https_proxy", "ALL_PROXY", "all_proxy"] {
            let of = |schemes: &[&str]| {
                let given = |variable: &str| (variable == name).then(|| OsString::from(proxy));
                chosen("https://services.school.example", schemes, given).map(|proxy| proxy.is_some())
            };
            let wanted = |is_usable| if is_usable { Ok(true) } else { Err(ProxyError(name.to_owned())) };
            assert_eq!((of(&["http", "https"]), of(&["http"])), (wanted(over_http), wanted(over_grpc)), "{proxy}");
        }
    }
}

#[test]
fn proxy_setting_that_does_not_apply_to_an_address_is_ignored() {
    let given = |variables: &'static [(&str, &str)]| {
        move |name: &str| variables.iter().find(|(known, _)| *known == name).map(|(_, value)| OsString::from(value))
    };
    let of = |address, variables| chosen(address, &["http"], given(variables)).expect("no fault");
    let away = "https://services.school.example";
    for variables in [
        &[("HTTPS_PROXY", "ftp://a"), ("NO_PROXY", "school.example")][..],
        &[("ALL_PROXY", "ftp://a"), ("no_proxy", "*")],
        &[("HTTP_PROXY", "ftp://a")],
        &[("HTTPS_PROXY", "")],
        &[],
    ] {
        assert!(of(away, variables).is_none(), "{variables:?}");
    }
    assert!(of("https://127.0.0.1:1", &[("HTTPS_PROXY", "ftp://a")]).is_none());
    let proxy = of(away, &[("HTTPS_PROXY", "http://a"), ("ALL_PROXY", "ftp://b")]).expect("a proxy");
    assert_eq!(proxy.uri().host(), Some("a"));
}

#[test]
fn only_names_of_this_machine_are_recognized_as_localhost() {
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
