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
