//! Unit tests of `src/grpc.rs`.

use super::*;

#[test]
fn grpc_address_is_accepted_only_as_a_scheme_a_host_and_an_optional_port() {
    for text in ["http://127.0.0.1:8081", "https://profiles.example.org", "http://[::1]:1/", " http://p:80 "] {
        assert!(text.parse::<Address>().is_ok(), "{text}");
    }
    for text in [
        "",
        "p",
        "p:80",
        "/p",
        "ftp://p",
        "grpc://p:80",
        "http://",
        "http:///x",
        "http://p/v1",
        "http://p?x=1",
        "http://p#x",
        "http://user@p",
        "http://user:word@p:80",
        "http://p:port",
        "http://p:99999",
        "http://p:",
        "http://a b",
    ] {
        assert!(text.parse::<Address>().is_err(), "{text}");
    }
}
