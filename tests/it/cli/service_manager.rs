//! The messages of the service to systemd. The test provides the socket that systemd would provide.

use std::os::unix::net::UnixDatagram;
use std::process::Command;

use super::text;
use crate::support::process::{Service, on_no_backend};

#[test]
fn service_notifies_systemd_when_ready_alive_and_stopping() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("notify");
    let socket = UnixDatagram::bind(&path).expect("a socket");
    let told = || {
        let mut message = [0; 64];
        let length = socket.recv(&mut message).expect("a message");
        text(&message[..length])
    };
    let mut program = on_no_backend("serve", &folder.path().join("data"));
    program.env("NOTIFY_SOCKET", &path).env("WATCHDOG_USEC", "20000");
    let mut service = Service::of(program);
    assert_eq!(told(), "READY=1\n");
    assert_eq!([told(), told()], ["WATCHDOG=1\n"; 2]);
    let id = service.process.id().to_string();
    assert!(Command::new("kill").args(["-TERM", &id]).status().expect("kill").success());
    let last = std::iter::repeat_with(told).find(|message| message != "WATCHDOG=1\n");
    assert_eq!(last.as_deref(), Some("STOPPING=1\n"));
    assert!(service.process.wait().expect("ended").success());
}
