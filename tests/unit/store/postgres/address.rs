//! Unit tests of `src/store/postgres/address.rs`.

use std::os::unix::fs::PermissionsExt;

use super::*;

fn refused(text: &str) -> String {
    Address::parse(text).err().map_or_else(|| "taken".to_owned(), |error| error.0)
}

#[test]
fn database_address_with_several_hosts_gives_a_configuration_for_each_host() {
    let address = Address::parse(
        "postgres://ann:s%20x@a:1,b:2/book?sslmode=verify-full&connect_timeout=5&target_session_attrs=read-write",
    )
    .expect("an address");
    let names: Vec<&str> = address.servers.iter().map(|server| server.name.as_str()).collect();
    assert_eq!(
        (names, address.tls, address.connect_timeout),
        (vec!["a:1", "b:2"], Tls::VerifyFull, Duration::from_secs(5))
    );
    for Server { config, .. } in &address.servers {
        assert_eq!((config.get_hosts().len(), config.get_user(), config.get_dbname()), (1, Some("ann"), Some("book")));
        assert_eq!((config.get_password(), config.get_ssl_mode()), (Some(b"s x".as_slice()), SslMode::Require));
        assert_eq!(config.get_application_name(), Some("fieldbook"));
    }
    assert_eq!(Address::parse("postgresql://a,b/book").expect("an address").servers[1].name, "b:5432");
}

#[test]
fn unusable_database_address_is_reported_without_its_password() {
    assert_eq!(refused("mysql://a/b"), "must begin with postgres://");
    assert_eq!(refused("postgres:///book"), "names no host");
    assert_eq!(
        refused("postgres://a:1,b:2,c:3/book?sslmode=maybe"),
        "has sslmode=maybe; give disable, prefer, require, verify-ca or verify-full"
    );
    assert_eq!(refused("postgres://a/b?sslcert=x"), "has sslcert=x, which Fieldbook does not support; omit it");
    assert_eq!(
        refused("postgres://a/b?target_session_attrs=standby"),
        "has target_session_attrs=standby, which Fieldbook does not support; omit it"
    );
    assert_eq!(refused("postgres://a/b?connect_timeout=0"), "has connect_timeout=0; give 1 to 60 seconds");
    assert_eq!(refused("postgres://a/b?sslrootcert=%ff"), "has a sslrootcert that is not a text");
    let unread = refused("postgres://ann:hush@a:port/b");
    assert!(unread.starts_with("cannot be read; ") && !unread.contains("hush"), "{unread}");
    let address = Address::parse("postgres://ann:hush@a/b").expect("an address");
    assert!(!format!("{address:?}").contains("hush"));
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("password");
    let given = address.with_password_file(&file);
    for password in ["quiet", "silent"] {
        std::fs::write(&file, format!("{password}\n")).expect("written");
        std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o600)).expect("set");
        let login = given.servers[0].login().expect("a configuration");
        assert_eq!(login.get_password(), Some(password.as_bytes()));
    }
    std::fs::remove_file(&file).expect("removed");
    let fault = given.servers[0].login().expect_err("a fault");
    assert!(fault.starts_with(&format!("the password file {} cannot be read: ", file.display())), "{fault}");
}
