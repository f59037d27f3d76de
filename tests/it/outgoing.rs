//! Requests of the program to other services: through the proxy that environment variables name, and to services whose
//! certificates come from the operator's own certificate authority.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpListener};
use std::path::Path;
use std::process::Command;
use std::sync::Arc;

use insta::assert_snapshot;
use rcgen::{CertifiedKey, generate_simple_self_signed};
use rustls::pki_types::{PrivateKeyDer, PrivatePkcs8KeyDer};
use serde_json::{Value, json};
use tonic::transport::{Identity, Server, ServerTlsConfig};

use crate::authoring::{at_odds, finds_birds, found};
use crate::support::TEACHER;
use crate::support::endpoint::Endpoint;
use crate::support::forward_proxy::ForwardProxy;
use crate::support::process::{Service, on_no_backend};
use crate::support::profile_service::{Played, knows_all};
use crate::support::provider::{Key, Provider};
use crate::support::receiver::{Receiver, secret};

const HOST: &str = "services.school.example";
/// An address on which nothing listens.
const NOBODY: &str = "http://127.0.0.1:1";

/// Returns a command of the program that uses the embedded store, and these environment variables for proxies.
fn behind(command: &str, data: &Path, proxies: &[(&str, &str)]) -> Command {
    let mut program = on_no_backend(command, data);
    for name in ["HTTPS_PROXY", "HTTP_PROXY", "ALL_PROXY", "NO_PROXY"] {
        program.env_remove(name).env_remove(name.to_lowercase());
    }
    program.envs(proxies.iter().copied());
    program
}

/// Starts an identity provider with TLS, which answers one request per connection.
fn provider_with_tls(made: &CertifiedKey<rcgen::KeyPair>, keys: &[Value]) -> SocketAddr {
    let key = PrivateKeyDer::Pkcs8(PrivatePkcs8KeyDer::from(made.signing_key.serialize_der()));
    let provider = Arc::new(rustls::crypto::aws_lc_rs::default_provider());
    let config = rustls::ServerConfig::builder_with_provider(provider).with_safe_default_protocol_versions();
    let config = config.expect("versions").with_no_client_auth();
    let config = Arc::new(config.with_single_cert(vec![made.cert.der().clone()], key).expect("a certificate"));
    let discovery =
        json!({"issuer": format!("https://{HOST}"), "jwks_uri": format!("https://{HOST}/keys")}).to_string();
    let keys = json!({ "keys": keys }).to_string();
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = listener.local_addr().expect("an address");
    std::thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            let connection = rustls::ServerConnection::new(config.clone()).expect("a connection");
            let mut stream = rustls::StreamOwned::new(connection, stream);
            let mut head = Vec::new();
            let mut byte = [0];
            while !head.ends_with(b"\r\n\r\n") && stream.read_exact(&mut byte).is_ok() {
                head.push(byte[0]);
            }
            let body = if head.starts_with(b"GET /keys ") { &keys } else { &discovery };
            let length = body.len();
            let _ = write!(stream, "HTTP/1.1 200 OK\r\ncontent-length: {length}\r\nconnection: close\r\n\r\n{body}");
            stream.conn.send_close_notify();
            let _ = stream.flush();
        }
    });
    address
}

#[tokio::test(flavor = "multi_thread")]
async fn provider_keys_behind_a_private_ca_are_fetched_through_the_proxy() {
    let folder = tempfile::tempdir().expect("a folder");
    let made = generate_simple_self_signed([HOST.to_owned()]).expect("a certificate");
    let authority = folder.path().join("authority.pem");
    std::fs::write(&authority, made.cert.pem()).expect("written");
    let proxy = ForwardProxy::to(provider_with_tls(&made, &[Key::ec().jwk("k")])).await;
    let finding = |proxies: &[(&str, &str)]| {
        let mut program = behind("doctor", folder.path(), proxies);
        program.args(["--auth-issuer", &format!("https://{HOST}"), "--auth-audience", "fieldbook"]);
        let output = program.env("SSL_CERT_FILE", &authority).env_remove("SSL_CERT_DIR").output().expect("run");
        let report = String::from_utf8(output.stdout).expect("UTF-8");
        report.lines().find(|line| line.contains("identity-provider")).expect("a finding").to_owned()
    };
    let with_proxy = finding(&[("HTTPS_PROXY", &proxy.url)]);
    assert!(with_proxy.starts_with("ok ") && with_proxy.contains("1 of 1 are usable"), "{with_proxy}");
    assert_eq!(proxy.asked(), vec![format!("CONNECT {HOST}:443"); 2]);
    let with_exception: [(&str, &str); 2] = [("HTTPS_PROXY", &proxy.url), ("NO_PROXY", "school.example")];
    for proxies in [&[][..], &with_exception[..]] {
        let without_proxy = finding(proxies);
        assert!(
            without_proxy.starts_with("problem ") && without_proxy.contains("cannot be reached"),
            "{without_proxy}"
        );
    }
    assert_eq!(proxy.asked().len(), 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn profiles_are_fetched_through_the_proxy() {
    let folder = tempfile::tempdir().expect("a folder");
    let CertifiedKey { cert, signing_key } = generate_simple_self_signed([HOST.to_owned()]).expect("a certificate");
    let authority = folder.path().join("authority.pem");
    std::fs::write(&authority, cert.pem()).expect("written");
    let identity = Identity::from_pem(cert.pem(), signing_key.serialize_pem());
    let server = Server::builder().tls_config(ServerTlsConfig::new().identity(identity)).expect("TLS");
    let profiles = Played::start_on(server, ([127, 0, 0, 1], 0).into(), knows_all).await;
    let proxy = ForwardProxy::to(profiles.address).await;
    let url = proxy.url.replace("http://", "http://fieldbook:hush@");
    let mut program = behind("serve", folder.path(), &[("HTTPS_PROXY", &url)]);
    program.args(["--profiles-url", &format!("https://{HOST}"), "--profiles-deadline-milliseconds", "10000"]);
    program.env("SSL_CERT_FILE", &authority).env_remove("SSL_CERT_DIR");
    let service = Service::of(program);
    let created = service.teacher(folder.path()).post("/api/investigation", json!({})).await.data();
    assert_eq!(created["author"]["name"], format!("Name of {TEACHER}"), "{created}");
    assert_eq!(proxy.asked(), [format!("CONNECT {HOST}:443")]);
}

#[tokio::test(flavor = "multi_thread")]
async fn model_and_webhooks_are_reached_through_the_proxy() {
    let folder = tempfile::tempdir().expect("a folder");
    let (model, receiver) = (Endpoint::start(finds_birds).await, Receiver::start(Vec::new()).await);
    let address = |url: &str| url.split('/').nth(2).expect("a host").parse::<SocketAddr>().expect("an address");
    let to_model = ForwardProxy::to(address(&model.settings().base_url)).await;
    let to_receiver = ForwardProxy::to(address(&receiver.url())).await;
    let at = format!("http://{HOST}/v1");
    let mut program = behind("serve", folder.path(), &[("HTTP_PROXY", &to_model.url)]);
    program.args(["--assistant", "openai-compatible", "--assistant-base-url", &at, "--assistant-model", "muse"]);
    let service = Service::of(program);
    let created = service.teacher(folder.path()).post("/api/investigation", at_odds()).await;
    assert_eq!(found(&created.data()), ["model:muse phenomenon"], "{created}");
    assert!(to_model.asked().iter().all(|asked| *asked == format!("POST {at}/chat/completions")));
    assert!(!to_model.asked().is_empty());
    drop(service);

    let at = format!("http://{HOST}/hook");
    let mut program = behind("serve", folder.path(), &[("HTTP_PROXY", &to_receiver.url)]);
    program.args(["--webhook-urls", &at, "--webhook-secret", &secret()]);
    let service = Service::of(program);
    service.teacher(folder.path()).create(json!({})).await;
    receiver.sent(1).await;
    assert_eq!(to_receiver.asked()[0], format!("POST {at}"));
}

#[tokio::test(flavor = "multi_thread")]
async fn services_on_this_machine_are_reached_without_the_proxy() {
    let folder = tempfile::tempdir().expect("a folder");
    let proxies = [("HTTPS_PROXY", NOBODY), ("HTTP_PROXY", NOBODY), ("ALL_PROXY", NOBODY)];
    let provider = Provider::start(&[Key::ed().jwk("k")]).await;
    let mut program = behind("doctor", folder.path(), &proxies);
    program.args(["--auth-issuer", &provider.issuer(), "--auth-audience", "fieldbook"]);
    let report = String::from_utf8(program.output().expect("run").stdout).expect("UTF-8");
    assert!(report.contains("1 of 1 are usable"), "{report}");
    let service = Service::of(behind("serve", folder.path(), &proxies));
    let mut check = behind("healthcheck", folder.path(), &proxies);
    check.args(["--listen", service.base.trim_start_matches("http://")]);
    assert_eq!(String::from_utf8(check.output().expect("run").stdout).expect("UTF-8"), "ready\n");
}

#[test]
fn unsupported_kind_of_proxy_prevents_the_start_and_doctor_explains_it() {
    let folder = tempfile::tempdir().expect("a folder");
    let (socks, https) = ("socks5://fieldbook:hush@127.0.0.1:1", "https://127.0.0.1:1");
    let run = |command, exceptions: &str, args: &[&str]| {
        let proxies = [("HTTP_PROXY", socks), ("HTTPS_PROXY", https), ("NO_PROXY", exceptions)];
        let mut program = behind(command, folder.path(), &proxies);
        let output = program.args(args).output().expect("run");
        let said = [output.stdout, output.stderr].concat();
        let said = String::from_utf8(said).expect("UTF-8");
        assert!(!said.contains("hush"), "{said}");
        said.lines().filter(|line| line.contains("PROXY")).collect::<Vec<_>>().join("\n")
    };
    let (hook, secret, collector) = (format!("http://{HOST}/hook"), secret(), format!("https://{HOST}"));
    let to_hook = ["--webhook-urls", &hook, "--webhook-secret", &secret];
    let to_collector = ["--otlp-endpoint", &collector];
    assert_snapshot!(run("serve", "", &to_hook), @"fieldbook: webhooks cannot be sent: the proxy in HTTP_PROXY cannot be used here; name a proxy that begins with http://, or add the host to NO_PROXY");
    assert_snapshot!(run("serve", "", &to_collector), @"fieldbook: tracing is not possible: the proxy in HTTPS_PROXY cannot be used here; name a proxy that begins with http://, or add the host to NO_PROXY");
    assert_snapshot!(run("doctor", "", &[&to_hook[..], &to_collector].concat()), @"
    problem  settings           webhooks cannot be sent: the proxy in HTTP_PROXY cannot be used here; name a proxy that begins with http://, or add the host to NO_PROXY
    problem  settings           tracing is not possible: the proxy in HTTPS_PROXY cannot be used here; name a proxy that begins with http://, or add the host to NO_PROXY
    ");
    assert_eq!(run("doctor", HOST, &[&to_hook[..], &to_collector].concat()), "");
}

#[test]
fn unparsable_proxy_address_prevents_the_start_and_doctor_reports_it_for_every_service() {
    let folder = tempfile::tempdir().expect("a folder");
    let service = format!("https://{HOST}");
    let (hook, model, secret) = (format!("{service}/hook"), format!("{service}/v1"), secret());
    let provider = ["--auth-issuer", &service, "--auth-audience", "fieldbook"];
    let profiles = ["--profiles-url", &service];
    let model = ["--assistant", "openai-compatible", "--assistant-base-url", &model, "--assistant-model", "muse"];
    let webhooks = ["--webhook-urls", &hook, "--webhook-secret", &secret];
    let traces = ["--otlp-endpoint", &service];
    let said = |command, proxy, args: &[&str]| {
        let output = behind(command, folder.path(), &[("HTTPS_PROXY", proxy)]).args(args).output().expect("run");
        assert_eq!(output.status.code(), Some(1), "{proxy}");
        let said = String::from_utf8([output.stdout, output.stderr].concat()).expect("UTF-8");
        said.lines().filter(|line| line.contains("PROXY")).collect::<Vec<_>>().join("\n")
    };
    let refusals = |proxy| {
        [&provider[..], &profiles, &model, &webhooks, &traces].map(|args| said("serve", proxy, args)).join("\n")
    };
    let report = |proxy| said("doctor", proxy, &[&provider[..], &profiles, &model, &webhooks, &traces].concat());
    let (refused, reported) = (refusals("ftp://127.0.0.1:9"), report("ftp://127.0.0.1:9"));
    assert_snapshot!(refused, @"
    fieldbook: tokens cannot be checked with the keys of the provider: the proxy in HTTPS_PROXY cannot be used here; name a proxy that begins with http://, or add the host to NO_PROXY
    fieldbook: the profile service cannot be asked: the proxy in HTTPS_PROXY cannot be used here; name a proxy that begins with http://, or add the host to NO_PROXY
    fieldbook: the language model cannot be asked: the HTTP client for the language model did not start: the proxy in HTTPS_PROXY cannot be used here; name a proxy that begins with http://, or add the host to NO_PROXY
    fieldbook: webhooks cannot be sent: the proxy in HTTPS_PROXY cannot be used here; name a proxy that begins with http://, or add the host to NO_PROXY
    fieldbook: tracing is not possible: the proxy in HTTPS_PROXY cannot be used here; name a proxy that begins with http://, or add the host to NO_PROXY
    ");
    assert_snapshot!(reported, @"
    problem  settings           webhooks cannot be sent: the proxy in HTTPS_PROXY cannot be used here; name a proxy that begins with http://, or add the host to NO_PROXY
    problem  settings           tracing is not possible: the proxy in HTTPS_PROXY cannot be used here; name a proxy that begins with http://, or add the host to NO_PROXY
    problem  identity-provider  its keys cannot be fetched: the proxy in HTTPS_PROXY cannot be used here; name a proxy that begins with http://, or add the host to NO_PROXY
    problem  profile-service    authors will have no names: the proxy in HTTPS_PROXY cannot be used here; name a proxy that begins with http://, or add the host to NO_PROXY
    problem  language-model     the HTTP client for the language model did not start: the proxy in HTTPS_PROXY cannot be used here; name a proxy that begins with http://, or add the host to NO_PROXY
    ");
    for proxy in ["socks5://127.0.0.1:9", "htp://127.0.0.1:9", "http//127.0.0.1:9", "http://[bad"] {
        assert_eq!((refusals(proxy), report(proxy)), (refused.clone(), reported.clone()), "{proxy}");
    }
}
