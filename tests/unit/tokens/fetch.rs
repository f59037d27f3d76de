//! Unit tests of `src/tokens/fetch.rs`.

use super::*;

#[test]
fn address_of_provider_keys_must_use_tls_unless_it_is_on_this_machine() {
    for good in [
        "https://id.example.org/keys?p=b2c",
        "https://10.0.0.1:8443",
        "http://localhost:8080/keys",
        "http://127.0.0.1/keys",
        "http://[::1]:9/keys",
    ] {
        assert!(is_key_address(good), "{good}");
    }
    for bad in [
        "http://id.example.org/keys",
        "http://localhost.example.org/",
        "http://127.0.0.1.example.org/",
        "http://10.0.0.1/keys",
        "http://0.0.0.0/keys",
        "https://user:word@id.example.org/",
        "https://id.example.org/#keys",
        "https://",
        "ftp://localhost/",
        "file:///etc/passwd",
        "/keys",
        "",
    ] {
        assert!(!is_key_address(bad), "{bad}");
    }
    assert!(is_issuer("https://id.example.org/tenant/") && !is_issuer("https://id.example.org/?tenant=1"));
}
