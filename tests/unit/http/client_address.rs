//! Unit tests of `src/http/client_address.rs`.

use std::sync::Arc;

use axum::body::Body;
use axum::http::HeaderValue;

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
fn forwarded_header_from_an_untrusted_peer_is_ignored() {
    assert_eq!(seen("192.0.2.1", &[], &["10.0.0.0/8"]), "192.0.2.1");
    assert_eq!(seen("192.0.2.1", &["198.51.100.7"], &[]), "192.0.2.1");
    assert_eq!(seen("192.0.2.1", &["198.51.100.7"], &["10.0.0.0/8"]), "192.0.2.1");
    assert_eq!(seen("10.0.0.1", &["198.51.100.7"], &["10.0.0.0/8"]), "198.51.100.7");
    assert_eq!(seen("::ffff:10.0.0.1", &["198.51.100.7"], &["10.0.0.0/8"]), "198.51.100.7");
}

#[test]
fn last_untrusted_address_in_a_forwarded_header_is_the_client() {
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
fn several_forwarded_headers_count_as_one_list() {
    let lists = ["1.1.1.1", "198.51.100.7, 10.0.0.3", "10.0.0.2"];
    assert_eq!(seen("10.0.0.1", &lists, &["10.0.0.0/8"]), "198.51.100.7");
}

#[test]
fn forwarded_headers_from_one_ipv6_network_cause_one_warning() {
    let log = tempfile::NamedTempFile::new().expect("a file");
    let writer = Arc::new(log.reopen().expect("the same file"));
    let subscriber = tracing_subscriber::fmt().with_ansi(false).with_writer(writer).finish();
    let of_one_network = (1..=20).map(|n| format!("2001:db8::{n}"));
    let others = ["2001:db8:0:1::1", "192.0.2.1", "::ffff:192.0.2.1", "192.0.2.2"].map(str::to_owned);
    tracing::subscriber::with_default(subscriber, || {
        for peer in of_one_network.chain(others) {
            let mut request = Request::new(Body::empty());
            request.extensions_mut().insert(Peer(peer.parse().expect("an address")));
            request.headers_mut().insert(FORWARDED_FOR, HeaderValue::from_static("198.51.100.7"));
            warn_of_untrusted_proxy(&request, &[]);
        }
    });
    let log = std::fs::read_to_string(log.path()).expect("UTF-8");
    let named: Vec<&str> = log.lines().filter_map(|line| Some(line.split_once("address=")?.1)).collect();
    assert_eq!(named, ["2001:db8::1", "2001:db8:0:1::1", "192.0.2.1", "192.0.2.2"], "{log}");
}
