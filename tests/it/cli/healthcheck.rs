//! `fieldbook healthcheck` on services that are ready, not ready, or not running.

use std::io::{Read, Write};
use std::net::TcpListener;
use std::process::Output;

use super::text;
use crate::support::process::{Service, fieldbook, refused};

fn check(listen: &str) -> Output {
    let folder = tempfile::tempdir().expect("a folder");
    fieldbook("healthcheck", folder.path()).args(["--listen", listen]).output().expect("run")
}

#[test]
fn healthcheck_succeeds_with_one_line_while_the_service_is_ready() {
    let folder = tempfile::tempdir().expect("a folder");
    let service = Service::start(folder.path());
    let (_, port) = service.base.rsplit_once(':').expect("a port");
    for listen in [format!("127.0.0.1:{port}"), format!("0.0.0.0:{port}")] {
        let output = check(&listen);
        assert_eq!((output.status.code(), text(&output.stdout).as_str()), (Some(0), "ready\n"), "{listen}");
    }
}

#[test]
fn healthcheck_fails_with_one_line_if_the_service_is_not_ready() {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = listener.local_addr().expect("an address").to_string();
    let asked = std::thread::spawn({
        let address = address.clone();
        move || [(); 2].map(|()| refused(check(&address)))
    });
    let (mut first, _) = listener.accept().expect("a connection");
    let mut head = [0; 512];
    let length = first.read(&mut head).expect("a request");
    assert!(text(&head[..length]).starts_with("GET /health/ready HTTP/1.1\r\n"));
    first.write_all(b"HTTP/1.1 503 Service Unavailable\r\ncontent-length: 0\r\n\r\n").expect("an answer");
    let silent = listener.accept().expect("a connection");
    let [not_ready, no_answer] = asked.join().expect("both");
    let url = format!("http://{address}/health/ready");
    assert_eq!(not_ready, format!("fieldbook: not ready: {url} answers with status 503"));
    assert!(no_answer.starts_with(&format!("fieldbook: not ready: {url} does not answer: ")), "{no_answer}");
    assert!(no_answer.ends_with("operation timed out") && !no_answer.contains('\n'), "{no_answer}");
    drop((silent, listener));
    let away = refused(check(&address));
    assert!(away.contains("Connection refused") && !away.contains('\n'), "{away}");
}
