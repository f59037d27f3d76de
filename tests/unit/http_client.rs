//! Unit tests of `src/http_client.rs`.

use std::io::{BufRead, BufReader, Write};
use std::net::TcpListener;

use super::*;
use reqwest::header::HeaderValue;

fn asked(text: &str) -> Option<Duration> {
    let mut headers = HeaderMap::new();
    headers.insert(RETRY_AFTER, HeaderValue::from_str(text).expect("a header"));
    // 2026-11-21T00:00:00Z
    retry_after(&headers, Timestamp(1_795_219_200_000))
}

#[test]
fn retry_after_header_is_read_as_seconds_or_as_a_date() {
    assert_eq!(asked("7"), Some(Duration::from_secs(7)));
    assert_eq!(asked("299.997"), Some(Duration::from_millis(299_997)));
    assert_eq!(asked("Sat, 21 Nov 2026 00:01:30 GMT"), Some(Duration::from_secs(90)));
    assert_eq!(asked("Fri, 20 Nov 2026 00:00:00 GMT"), Some(Duration::ZERO));
    for senseless in ["soon", "-1", "inf", "NaN", "99999999999999999999999", ""] {
        assert_eq!(asked(senseless), None, "{senseless}");
    }
    assert_eq!(retry_after(&HeaderMap::new(), Timestamp(0)), None);
}

#[tokio::test]
async fn http_client_opens_a_new_connection_for_each_request() {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let url: Url = format!("http://{}/", listener.local_addr().expect("its address")).parse().expect("an address");
    // Each answer is the number of the connection on which it is sent.
    std::thread::spawn(move || {
        for (number, stream) in listener.incoming().enumerate() {
            let mut stream = stream.expect("a connection");
            std::thread::spawn(move || {
                let lines = BufReader::new(stream.try_clone().expect("the same connection")).lines();
                for _ in lines.map_while(Result::ok).filter(String::is_empty) {
                    write!(stream, "HTTP/1.1 200 OK\r\ncontent-length: 1\r\n\r\n{number}").expect("sent");
                }
            });
        }
    });
    let client = client(Client::builder(), &url).expect("a client");
    for number in ["0", "1"] {
        let answer = client.get(url.clone()).send().await.expect("an answer");
        assert_eq!(answer.text().await.expect("a text"), number);
    }
}
