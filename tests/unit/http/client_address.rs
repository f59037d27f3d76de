//! Unit tests of `src/http/client_address.rs`.

use super::*;

fn seen(peer: &str, forwarded: &[&str], trusted: &[&str]) -> String {
    let mut headers = HeaderMap::new();
    for line in forwarded {
        headers.append(FORWARDED_FOR, line.parse().expect("a header"));
    }
    let trusted: Vec<IpNet> = trusted.iter().map(|net| net.parse().expect("a network")).collect();
    client(peer.parse().expect("an address"), &headers, &trusted).to_string()
}

#[test]
fn nobody_is_believed_who_is_not_trusted() {
    assert_eq!(seen("192.0.2.1", &[], &["10.0.0.0/8"]), "192.0.2.1");
    assert_eq!(seen("192.0.2.1", &["198.51.100.7"], &[]), "192.0.2.1");
    assert_eq!(seen("192.0.2.1", &["198.51.100.7"], &["10.0.0.0/8"]), "192.0.2.1");
    assert_eq!(seen("10.0.0.1", &["198.51.100.7"], &["10.0.0.0/8"]), "198.51.100.7");
    assert_eq!(seen("::ffff:10.0.0.1", &["198.51.100.7"], &["10.0.0.0/8"]), "198.51.100.7");
}

#[test]
fn the_last_address_that_no_trusted_proxy_has_is_the_clients() {
    let trusted = ["10.0.0.0/8", "2001:db8::/32"];
    let client = |forwarded: &[&str]| seen("10.0.0.1", forwarded, &trusted);
    // Entries further left were written by the client or by an unknown proxy.
    assert_eq!(client(&["1.1.1.1, 198.51.100.7"]), "198.51.100.7");
    assert_eq!(client(&["1.1.1.1, 198.51.100.7, 10.9.9.9"]), "198.51.100.7");
    assert_eq!(client(&["1.1.1.1,198.51.100.7:4711 , [2001:db8::1]:80"]), "198.51.100.7");
    assert_eq!(client(&["10.3.3.3, 10.2.2.2"]), "10.3.3.3");
    assert_eq!(client(&["[2a00::7]"]), "2a00::7");
    for nonsense in ["", "unknown", "1.1.1.1, _hidden", "198.51.100.7, ", "198.51.100.7 10.0.0.2", "1.1.1.1;"] {
        assert_eq!(client(&[nonsense]), "10.0.0.1", "{nonsense}");
    }
}

#[test]
fn several_headers_are_one_list() {
    let lists = ["1.1.1.1", "198.51.100.7, 10.0.0.3", "10.0.0.2"];
    assert_eq!(seen("10.0.0.1", &lists, &["10.0.0.0/8"]), "198.51.100.7");
}
