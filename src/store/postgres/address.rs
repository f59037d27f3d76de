//! Database addresses: `postgres://…` with libpq's parameters. An unsupported parameter is an error.
//!
//! No error message of this module contains the whole address, because the address may contain a password.

use std::fmt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use percent_encoding::percent_decode_str;
use tokio_postgres::Config;
use tokio_postgres::config::{Host, SslMode};

use crate::private_file;

/// When TLS is used and how certificates are checked: libpq's `sslmode`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tls {
    /// `disable`: never use TLS.
    Disable,
    /// `allow`, `prefer`: use TLS if the server supports it; the certificate is not checked.
    Prefer,
    /// `require`: always use TLS. If `sslrootcert` is given, the certificate is checked as for `verify-ca`. Otherwise
    /// it is not checked.
    Require,
    /// `verify-ca`: always use TLS. The certificate must be signed by a trusted authority.
    VerifyCa,
    /// `verify-full`: always use TLS. The certificate must be signed by a trusted authority and contain the host name.
    VerifyFull,
}

/// Servers of the database, and how to connect to them. `Debug` omits passwords.
#[derive(Clone)]
pub struct Address {
    /// Servers, in the order in which the address lists them.
    pub servers: Vec<Server>,
    /// When TLS is used and how certificates are checked.
    pub tls: Tls,
    /// PEM file with the trusted certificate authorities; `None` to trust the authorities of the operating system.
    pub root_certificates: Option<PathBuf>,
    /// Time limit for connecting to one server, including authentication.
    pub connect_timeout: Duration,
}

/// Why an address cannot be used, as a phrase that follows "the address of the database".
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct AddressError(pub String);

/// A database server.
#[derive(Clone)]
pub struct Server {
    /// `host:port`, for messages.
    pub name: String,
    /// Configuration for the driver, without a password that is in a file.
    pub config: Config,
    /// A file with nothing but the password. It is read for each new connection, so that the service takes a new
    /// password without a restart.
    pub password_file: Option<PathBuf>,
}

impl Server {
    /// Returns the configuration with the password as it is now.
    ///
    /// # Errors
    /// A sentence if the file with the password cannot be used.
    pub fn login(&self) -> Result<Config, String> {
        let mut config = self.config.clone();
        if let Some(file) = &self.password_file {
            let password = private_file::secret(file);
            config.password(password.map_err(|fault| format!("the password file {} {fault}", file.display()))?);
        }
        Ok(config)
    }
}

/// Parameters that are passed to the driver unchanged.
const DRIVER_PARAMETERS: [&str; 13] = [
    "user",
    "password",
    "dbname",
    "host",
    "port",
    "options",
    "application_name",
    "sslnegotiation",
    "channel_binding",
    "tcp_user_timeout",
    "keepalives",
    "keepalives_idle",
    "keepalives_interval",
];

/// Connection timeout per server if the address names several servers.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(2);

/// Connection timeout if the address names one server.
const CONNECT_TIMEOUT_OF_ONE: Duration = Duration::from_secs(5);

impl Address {
    /// Parses an address.
    ///
    /// # Errors
    /// [`AddressError`] for the first problem.
    pub fn parse(text: &str) -> Result<Self, AddressError> {
        let refused = |reason: String| AddressError(reason);
        let Some(("postgres" | "postgresql", rest)) = text.split_once("://") else {
            return Err(refused("must begin with postgres://".into()));
        };
        let (base, query) = rest.split_once('?').unwrap_or((rest, ""));
        let mut parameters = OwnParameters::default();
        let mut driver_pairs = Vec::new();
        for pair in query.split('&').filter(|pair| !pair.is_empty()) {
            let (word, value) = pair.split_once('=').unwrap_or((pair, ""));
            if DRIVER_PARAMETERS.contains(&word) {
                driver_pairs.push(pair);
            } else {
                let value = percent_decode_str(value).decode_utf8();
                parameters.take(word, &value.map_err(|_| refused(format!("has a {word} that is not a text")))?)?;
            }
        }
        let config = |base: &str, pairs: &[&str]| -> Result<Config, AddressError> {
            format!("postgres://{base}?{}", pairs.join("&")).parse().map_err(|_| {
                refused("cannot be read; write it as postgres://user:password@host:5432/database, several hosts separated by commas, and characters other than letters and digits percent-encoded".into())
            })
        };
        let all = config(base, &driver_pairs)?;
        // The driver has no function that removes hosts.
        driver_pairs.retain(|pair| !pair.starts_with("host=") && !pair.starts_with("port="));
        let (login, place) = base.split_once('@').unwrap_or(("", base));
        let at = if login.is_empty() { "" } else { "@" };
        let database = place.split_once('/').map_or("", |(_, database)| database);
        let without_hosts = config(&format!("{login}{at}/{database}"), &driver_pairs)?;
        Self::of(&all, without_hosts, parameters)
    }

    /// Returns the `host:port` of each server, for messages.
    pub fn names(&self) -> Vec<&str> {
        self.servers.iter().map(|server| server.name.as_str()).collect()
    }

    /// Returns the address with the password in this file for every server. The file holds nothing else.
    pub fn with_password_file(mut self, file: &Path) -> Self {
        for server in &mut self.servers {
            server.password_file = Some(file.to_owned());
        }
        self
    }

    /// Creates an address with one server for each host in `all`. Each server gets a copy of `config`, which names no
    /// hosts.
    fn of(all: &Config, mut config: Config, parameters: OwnParameters) -> Result<Self, AddressError> {
        if all.get_hosts().is_empty() {
            return Err(AddressError("names no host".into()));
        }
        let ports = all.get_ports();
        if ports.len() > 1 && ports.len() != all.get_hosts().len() {
            return Err(AddressError("must have one port for all hosts, or one for each".into()));
        }
        let places: Vec<(Host, u16)> = all
            .get_hosts()
            .iter()
            .enumerate()
            .map(|(index, host)| (host.clone(), ports.get(index).or(ports.first()).copied().unwrap_or(5432)))
            .collect();
        if config.get_application_name().is_none() {
            config.application_name("fieldbook");
        }
        let tls = parameters.tls.unwrap_or(Tls::Prefer);
        config.ssl_mode(match tls {
            Tls::Disable => SslMode::Disable,
            Tls::Prefer => SslMode::Prefer,
            Tls::Require | Tls::VerifyCa | Tls::VerifyFull => SslMode::Require,
        });
        let server = |(host, port): (Host, u16)| {
            let mut one = config.clone();
            let name = match &host {
                Host::Tcp(name) => {
                    one.host(name);
                    name.clone()
                }
                Host::Unix(folder) => {
                    one.host_path(folder);
                    folder.display().to_string()
                }
            };
            one.port(port);
            Server { name: format!("{name}:{port}"), config: one, password_file: None }
        };
        let patience = if places.len() == 1 { CONNECT_TIMEOUT_OF_ONE } else { CONNECT_TIMEOUT };
        Ok(Self {
            servers: places.into_iter().map(server).collect(),
            tls,
            root_certificates: parameters.root_certificates,
            connect_timeout: parameters.connect_timeout.unwrap_or(patience),
        })
    }
}

impl fmt::Debug for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.names()).finish()
    }
}

/// Parameters that this module interprets itself instead of passing them to the driver.
#[derive(Default)]
struct OwnParameters {
    tls: Option<Tls>,
    root_certificates: Option<PathBuf>,
    connect_timeout: Option<Duration>,
}

impl OwnParameters {
    fn take(&mut self, word: &str, value: &str) -> Result<(), AddressError> {
        let wrong = |remedy: &str| AddressError(format!("has {word}={value}; {remedy}"));
        match word {
            "sslmode" => {
                self.tls = Some(match value {
                    "disable" => Tls::Disable,
                    "allow" | "prefer" => Tls::Prefer,
                    "require" => Tls::Require,
                    "verify-ca" => Tls::VerifyCa,
                    "verify-full" => Tls::VerifyFull,
                    _ => return Err(wrong("give disable, prefer, require, verify-ca or verify-full")),
                });
            }
            "sslrootcert" if value == "system" => self.root_certificates = None,
            "sslrootcert" => self.root_certificates = Some(PathBuf::from(value)),
            "connect_timeout" => {
                let seconds = value.parse().ok().filter(|seconds| (1..=60).contains(seconds));
                self.connect_timeout = Some(Duration::from_secs(seconds.ok_or_else(|| wrong("give 1 to 60 seconds"))?));
            }
            // These values change nothing: Fieldbook always looks for a writable server, in the order of the address.
            "target_session_attrs" if ["any", "read-write", "primary"].contains(&value) => {}
            "load_balance_hosts" if value == "disable" => {}
            "client_encoding" if ["auto", "utf8", "UTF8"].contains(&value) => {}
            "gssencmode" if ["disable", "prefer"].contains(&value) => {}
            "sslcompression" if value == "0" => {}
            _ => return Err(AddressError(format!("has {word}={value}, which Fieldbook does not support; omit it"))),
        }
        Ok(())
    }
}

#[cfg(test)]
#[path = "../../../tests/unit/store/postgres/address.rs"]
mod tests;
