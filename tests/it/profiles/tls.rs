//! Fieldbook calls a profile service over TLS only if the machine trusts the certificate of the profile service.

use std::path::Path;

use rcgen::{CertifiedKey, generate_simple_self_signed};
use serde_json::{Value, json};
use tonic::transport::{Identity, Server, ServerTlsConfig};

use crate::support::TEACHER;
use crate::support::process::{Service, fieldbook, refused};
use crate::support::profile_service::{Played, knows_all};

/// Creates an investigation on a service that trusts only the certificates in this file. Returns its author.
async fn author(profiles_url: &str, trusted: &Path) -> Value {
    let folder = tempfile::tempdir().expect("a folder");
    let mut program = fieldbook("serve", folder.path());
    program.args(["--profiles-url", profiles_url, "--profiles-deadline-milliseconds", "10000"]);
    program.env("SSL_CERT_FILE", trusted).env_remove("SSL_CERT_DIR");
    let service = Service::of(program);
    service.teacher(folder.path()).post("/api/investigation", json!({})).await.data()["author"].clone()
}

#[tokio::test]
async fn token_is_sent_only_to_a_profile_service_with_a_trusted_certificate() {
    let made = || generate_simple_self_signed(["localhost".to_owned()]).expect("a certificate");
    let (CertifiedKey { cert, signing_key }, other) = (made(), made());
    let identity = Identity::from_pem(cert.pem(), signing_key.serialize_pem());
    let server = Server::builder().tls_config(ServerTlsConfig::new().identity(identity)).expect("TLS");
    let service = Played::start_on(server, ([127, 0, 0, 1], 0).into(), knows_all).await;
    let url = format!("https://localhost:{}", service.address.port());
    let folder = tempfile::tempdir().expect("a folder");
    let (trusted, strange) = (folder.path().join("trusted.pem"), folder.path().join("strange.pem"));
    std::fs::write(&trusted, cert.pem()).expect("written");
    std::fs::write(&strange, other.cert.pem()).expect("written");
    assert_eq!(author(&url, &trusted).await, super::known(TEACHER));
    assert_eq!(service.count(), 1);
    assert_eq!(author(&url, &strange).await, super::bare(Some(TEACHER)));
    // The host name must fit the certificate too, and a profile service behind TLS does not answer without TLS.
    assert_eq!(author(&url.replace("localhost", "127.0.0.1"), &trusted).await, super::bare(Some(TEACHER)));
    assert_eq!(author(&url.replace("https", "http"), &trusted).await, super::bare(Some(TEACHER)));
    assert_eq!(service.count(), 1);
}

#[test]
fn missing_root_certificates_prevent_the_start_with_a_message() {
    let folder = tempfile::tempdir().expect("a folder");
    let nobody = folder.path().join("nobody.pem");
    std::fs::write(&nobody, "").expect("written");
    let mut program = fieldbook("serve", folder.path());
    program.args(["--profiles-url", "https://localhost"]).env("SSL_CERT_FILE", nobody).env_remove("SSL_CERT_DIR");
    let reason = refused(program.output().expect("run"));
    assert!(reason.starts_with("fieldbook: the profile service cannot be asked: "), "{reason}");
    assert!(reason.ends_with("(ca-certificates), or name a file with SSL_CERT_FILE"), "{reason}");
}
