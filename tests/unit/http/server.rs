//! Unit tests of `src/http/server.rs`.

use super::*;

#[cfg(target_os = "linux")]
#[tokio::test]
async fn tcp_connection_without_acknowledgements_ends_after_the_timeout() {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let _client = TcpStream::connect(listener.local_addr().expect("an address")).await.expect("a connection");
    let (stream, _) = listener.accept().await.expect("a connection");
    set_options(&stream);
    let timeout = rustix::net::sockopt::tcp_user_timeout(&stream).expect("an option");
    assert_eq!(Duration::from_millis(timeout.into()), ACKNOWLEDGE_TIMEOUT);
}

/// If the queue is full, Linux ignores new connections, and their clients try again later.
#[cfg(target_os = "linux")]
#[tokio::test]
async fn five_hundred_new_connections_can_wait_to_be_accepted() {
    let server = Server::bind(([127, 0, 0, 1], 0).into()).expect("a port");
    let most = std::fs::read_to_string("/proc/sys/net/core/somaxconn").expect("a setting of Linux");
    let most: usize = most.trim().parse().expect("a number");
    let mut waiting = Vec::new();
    for number in 0..most.min(500) {
        let connected = tokio::time::timeout(Duration::from_secs(1), TcpStream::connect(server.address())).await;
        waiting.push(connected.unwrap_or_else(|_| panic!("connection {number} is ignored")).expect("a connection"));
    }
}
