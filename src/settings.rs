//! Settings, from highest to lowest priority: flag, environment variable, file, `config.default.toml`.
//!
//! An error names the setting, its value and its source, and says how to fix it.

mod auth;
mod http;
mod model;
mod names;
mod secret_files;
mod webhooks;

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::time::Duration;

use toml::Value;

use crate::app::HttpSettings;
use crate::assistant::model::ModelSettings;
use crate::domain::token_user::ClaimRules;
use crate::grpc::Address as GrpcAddress;
use crate::private_file;
use crate::profiles::ProfilesSettings;
use crate::proxy;
use crate::store::{Address, Backend, StoreLocation};
use crate::webhooks::WebhookSettings;

pub use auth::{Auth, OWN_SECRETS, PLAIN_SIGN_INS};
pub use names::{SETTINGS, UnknownVariable, flag, unknown_variables, variable};

/// The reference of all settings, with comments and default values.
pub const REFERENCE: &str = include_str!("../config.default.toml");

/// All settings after validation. They contain secrets, so the type does not implement `Debug`.
#[derive(Clone)]
pub struct Settings {
    pub listen: SocketAddr,
    pub data: PathBuf,
    pub store: StoreLocation,
    /// File with the operator's own content schema; `None` to use the built-in schema.
    pub schema: Option<PathBuf>,
    pub http: HttpSettings,
    pub model: Option<ModelSettings>,
    /// Time for which an investigation must stay unchanged before the model reads it in the background.
    pub settle: Duration,
    pub auth: Auth,
    /// Which claims of a token name the user and the role.
    pub claims: ClaimRules,
    pub profiles: Option<ProfilesSettings>,
    pub events_kept: Duration,
    pub audit_kept: Duration,
    /// Maximum number of event streams of this copy of the service.
    pub event_streams: u32,
    pub webhooks: Option<WebhookSettings>,
    pub collector: Option<GrpcAddress>,
    pub log_level: tracing::Level,
    pub log_json: bool,
    /// The names of the settings that were given, each with its source, such as `the flag --listen`.
    pub given: Vec<(&'static str, String)>,
}

/// An error in a setting. The text is a sentence.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct SettingError(pub String);

/// Returns whether the value of the setting `name` must be kept secret: a secret, a key, an address with a password, or
/// addresses of webhooks, which may contain tokens.
fn holds_secret(name: &str, value: &str) -> bool {
    let user = || value.split_once("://")?.1.split('/').next()?.rsplit_once('@').map(|(user, _)| user);
    let has_password = || value.contains("password=") || user().is_some_and(|user| user.contains(':'));
    name.ends_with("secret")
        || name.ends_with("key")
        || name == "webhook-urls"
        || (name == "database" && has_password())
}

struct SourcedValue {
    value: String,
    origin: String,
    is_default: bool,
}

impl Settings {
    /// Reads and validates the settings. Given the name of a setting, `flags` returns the value of its flag, and
    /// `variables` returns the value of its environment variable.
    ///
    /// # Errors
    /// [`SettingError`] for the first invalid setting.
    pub fn gather(
        flags: impl Fn(&str) -> Option<String>,
        variables: impl Fn(&str) -> Option<String>,
        file: Option<&Path>,
    ) -> Result<Self, SettingError> {
        let mut layers = read_file(REFERENCE, "config.default.toml")?;
        layers.values_mut().for_each(|given| given.is_default = true);
        if let Some(path) = file {
            let shown = path.display().to_string();
            let text = std::fs::read_to_string(path)
                .map_err(|e| SettingError(format!("cannot read the settings file {shown}: {e}; check --config")))?;
            let given = read_file(&text, &shown)?;
            let secret = given.iter().find(|(name, given)| holds_secret(name, &given.value));
            if let Some((name, _)) = secret.filter(|_| !private_file::is_private(path)) {
                return Err(SettingError(format!(
                    "the settings file {shown} holds the secret {name}, and {}; {}",
                    private_file::openness(path),
                    private_file::remedy(path)
                )));
            }
            layers.extend(given);
        }
        for (name, _) in SETTINGS {
            let given = flags(name).map(|value| (value, format!("the flag --{}", flag(name))));
            let from_variable = || variables(name).map(|value| (value, format!("the variable {}", variable(name))));
            if let Some((value, origin)) = given.or_else(from_variable) {
                layers.insert(name, SourcedValue { value, origin, is_default: false });
            }
        }
        secret_files::add(&mut layers)?;
        Self::check(&layers)
    }

    /// Returns whether people sign in with a password or a provider over a network without TLS.
    pub fn has_plain_sign_ins(&self) -> bool {
        let is_plain = |url: &String| url.starts_with("http://") && !proxy::is_of_this_machine(url);
        (self.http.passwords || self.auth.has_sign_in()) && self.http.public_url.as_ref().is_some_and(is_plain)
    }

    fn check(layers: &BTreeMap<&'static str, SourcedValue>) -> Result<Self, SettingError> {
        let settings = Layers(layers);
        let model = settings.model()?;
        let auth = settings.auth()?;
        let listen: SocketAddr =
            settings.required("listen", "give an IP address and a port, such as 127.0.0.1:8080", |v| v.parse().ok())?;
        let http = settings.http(model.is_some(), auth.has_sign_in())?;
        if auth.has_sign_in() && http.public_url.is_none() && !listen.ip().is_loopback() {
            return Err(SettingError(
                "the setting auth.client-id needs public-url, the address to which the provider sends people back"
                    .to_owned(),
            ));
        }
        Ok(Self {
            listen,
            data: settings.required("data", "give a folder", path)?,
            store: settings.store()?,
            schema: settings.optional("schema", "give the file of a JSON Schema", path)?,
            http,
            model,
            settle: Duration::from_secs(settings.required(
                "assistant-settle-seconds",
                "give 0 to 60",
                number(0, 60),
            )?),
            claims: settings.claims(&auth)?,
            auth,
            profiles: settings.profiles()?,
            events_kept: Duration::from_secs(
                24 * 3600 * settings.required("events-retention-days", "give 1 to 365", number(1, 365))?,
            ),
            audit_kept: Duration::from_secs(
                24 * 3600 * settings.required("audit-retention-days", "give 1 to 36500", number(1, 36_500))?,
            ),
            event_streams: settings.required("event-streams", "give 1 to 100000", number(1, 100_000))?,
            webhooks: settings.webhooks()?,
            collector: settings.optional(
                "otlp-endpoint",
                "give http:// or https:// with a host and optionally a port, such as http://127.0.0.1:4317",
                |v| v.parse().ok(),
            )?,
            log_level: settings.required("log.level", "give error, warn, info, debug or trace", |v| v.parse().ok())?,
            log_json: settings.required("log.format", "give human or json", |v| match v {
                "human" => Some(false),
                "json" => Some(true),
                _ => None,
            })?,
            given: layers
                .iter()
                .filter(|(_, given)| !given.is_default)
                .map(|(name, given)| (*name, given.origin.clone()))
                .collect(),
        })
    }
}

struct Layers<'l>(&'l BTreeMap<&'static str, SourcedValue>);

impl Layers<'_> {
    fn store(&self) -> Result<StoreLocation, SettingError> {
        let connections = self.required("database-connections", "give 1 to 1000", number(1, 1000))?;
        let no_migrate = self.required("no-migrate", "give true or false", |v| v.parse::<bool>().ok())?;
        let backend = match self.optional("database", "give an address", |v| (!v.is_empty()).then(|| v.to_owned()))? {
            None => Backend::Embedded(self.required("data", "give a folder", path)?),
            Some(text) => {
                let mut address = Address::parse(&text)
                    .map_err(|reason| SettingError(format!("the address in the setting database {reason}")))?;
                if let Some(file) = self.optional("database-password-file", "give a file", |v| Some(v.to_owned()))? {
                    secret_files::read("database-password-file", &file)?;
                    address = address.with_password_file(Path::new(&file));
                }
                Backend::Postgres { address, connections }
            }
        };
        Ok(StoreLocation { backend, migrate: !no_migrate })
    }

    fn profiles(&self) -> Result<Option<ProfilesSettings>, SettingError> {
        let remedy = "give http:// or https:// with a host and optionally a port, such as http://127.0.0.1:8081";
        let address = self.optional("profiles-url", remedy, |v| v.parse::<GrpcAddress>().ok())?;
        let deadline = self.required("profiles-deadline-milliseconds", "give 1 to 10000", number(1, 10_000))?;
        let keep = self.required("profiles-cache-seconds", "give 0 to 3600", number(0, 3600))?;
        Ok(address.map(|address| ProfilesSettings {
            address,
            deadline: Duration::from_millis(deadline),
            keep: Duration::from_secs(keep),
        }))
    }

    /// Returns whether a setting has a value that is not the default.
    fn is_given(&self, name: &str) -> bool {
        self.0.get(name).is_some_and(|given| !given.is_default)
    }

    fn required<T>(&self, name: &str, remedy: &str, read: impl Fn(&str) -> Option<T>) -> Result<T, SettingError> {
        self.optional(name, remedy, read)?
            .ok_or_else(|| SettingError(format!("the setting {name} is missing; {remedy} with --{}", flag(name))))
    }

    fn optional<T>(
        &self,
        name: &str,
        remedy: &str,
        read: impl Fn(&str) -> Option<T>,
    ) -> Result<Option<T>, SettingError> {
        let Some(SourcedValue { value, origin, .. }) = self.0.get(name) else { return Ok(None) };
        // The message does not contain a secret, not even an invalid one, because logs are kept for a long time.
        let shown =
            if holds_secret(name, value) { format!("a text of {} bytes", value.len()) } else { format!("\"{value}\"") };
        read(value)
            .map(Some)
            .ok_or_else(|| SettingError(format!("the setting {name} from {origin} cannot be {shown}; {remedy}")))
    }
}

fn number<N: FromStr + PartialOrd>(least: N, most: N) -> impl Fn(&str) -> Option<N> {
    move |value| value.parse().ok().filter(|number| (&least..=&most).contains(&number))
}

fn text(value: &str) -> Option<String> {
    (!value.trim().is_empty()).then(|| value.to_owned())
}

fn path(value: &str) -> Option<PathBuf> {
    (!value.is_empty()).then(|| PathBuf::from(value))
}

fn read_file(text: &str, shown: &str) -> Result<BTreeMap<&'static str, SourcedValue>, SettingError> {
    let table: toml::Table = toml::from_str(text).map_err(|error| {
        // Shows only parts of the error. The whole error would quote the line, which may contain a secret.
        let line =
            error.span().map_or(1, |span| text.bytes().take(span.start).filter(|byte| *byte == b'\n').count() + 1);
        let reason = error.message().replace('\n', ", ");
        SettingError(format!("the settings file {shown} is not valid TOML in line {line}: {reason}"))
    })?;
    let mut given = BTreeMap::new();
    let mut take = |name: &str, value: &Value| {
        let Some((known, _)) = SETTINGS.into_iter().find(|(known, _)| *known == name) else {
            return Err(SettingError(format!(
                "the settings file {shown} has the unknown setting {name}; {}",
                names::remedy_of(name)
            )));
        };
        let value = match value {
            Value::String(text) => text.clone(),
            Value::Integer(number) => number.to_string(),
            Value::Boolean(truth) => truth.to_string(),
            Value::Array(several) if several.iter().all(Value::is_str) => {
                several.iter().filter_map(Value::as_str).collect::<Vec<_>>().join(",")
            }
            _ => return Err(SettingError(format!("the setting {name} in {shown} must be a string"))),
        };
        given.insert(known, SourcedValue { value, origin: format!("the file {shown}"), is_default: false });
        Ok(())
    };
    for (name, value) in &table {
        match value {
            Value::Table(group) => {
                group.iter().try_for_each(|(inner, value)| take(&format!("{name}.{inner}"), value))?;
            }
            value => take(name, value)?,
        }
    }
    Ok(given)
}
