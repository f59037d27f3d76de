//! Unit tests of `src/http/hangup.rs`.

use tokio::io::{AsyncReadExt, AsyncWriteExt, duplex};

use super::*;

#[tokio::test]
async fn what_a_client_sends_meanwhile_is_kept_and_shows_that_it_is_there() {
    let (mut client, service) = duplex(1024);
    let mut watched = WatchedStream::new(service);
    let hangup = watched.hangup();
    client.write_all(&[7; 100]).await.expect("sent");
    let gone = tokio::time::timeout(std::time::Duration::ZERO, hangup.closed()).await;
    assert!(gone.is_err(), "it is there");
    let mut bytes = [0; 100];
    watched.read_exact(&mut bytes).await.expect("all of it");
    assert_eq!(bytes, [7; 100]);
    drop(client);
    hangup.closed().await;
    assert_eq!(watched.read(&mut bytes).await.expect("the end"), 0);
}
