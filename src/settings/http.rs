//! Settings of the HTTP layer: statuses of failures, rate limits, access, and allowed origins.

use std::net::IpAddr;

use ipnet::IpNet;

use super::{Layers, SettingError, number};
use crate::app::{HttpSettings, LinkTarget, Origins};
use crate::domain::permission::Role;
use crate::limits::MAX_RATE;

/// Default maximum number of assistant requests per minute and user if a language model is configured.
const MODEL_RATE_LIMIT: u32 = 30;

impl Layers<'_> {
    pub(super) fn http(&self, has_model: bool, has_sign_in: bool) -> Result<HttpSettings, SettingError> {
        Ok(HttpSettings {
            public_url: self.optional(
                "public-url",
                "give http:// or https:// with a host and optionally a port, such as https://fieldbook.example.org, without a path: the service needs its own host name",
                |v| url(v).filter(|url| !has_path(url)).map(|url| origin(&url)),
            )?,
            link_target: self.optional(
                "link-target",
                "expected an address that begins with http:// or https://, with {investigationId}, {key} or {subLink}, and without any of @ ; , ' in its host",
                link_target,
            )?,
            error_statuses: self.required("error-statuses", "give contract or http", |v| v.parse().ok())?,
            resolve_rate_limit: self.required("resolve-rate-limit", "give 0 to 1000000", number(0, MAX_RATE))?,
            assistant_rate_limit: self
                .optional("assistant-rate-limit", "give 0 to 1000000", number(0, MAX_RATE))?
                .unwrap_or(if has_model { MODEL_RATE_LIMIT } else { 0 }),
            trusted_proxies: self
                .optional(
                    "trusted-proxies",
                    "give IP addresses or networks such as 192.0.2.0/28, separated by commas",
                    |v| listed(v).map(network).collect(),
                )?
                .unwrap_or_default(),
            cors_origins: self
                .optional(
                    "cors-origins",
                    "give origins such as https://lessons.example.org, separated by commas, or * alone, which lets pages of any origin read",
                    origins,
                )?
                .unwrap_or_default(),
            log_requests: self.required("log.requests", "give true or false", |v| v.parse().ok())?,
            passwords: self.optional("auth.passwords", "give true or false", |v| v.parse().ok())?.unwrap_or(!has_sign_in),
            default_role: self.default_role(has_sign_in)?,
            editing: self.required("editing", "give anyone or author", |v| v.parse().ok())?,
            trash_days: self.required("trash-days", "give 0 to 365", number(0, 365))?,
            investigations: self.required("auth.investigations", "give required or optional", |v| v.parse().ok())?,
        })
    }
}

impl Layers<'_> {
    fn default_role(&self, has_sign_in: bool) -> Result<Role, SettingError> {
        if has_sign_in && !self.is_given("auth.default-role") {
            return Err(SettingError(
                "the setting auth.client-id needs auth.default-role; give none or reader if the provider has accounts of \
                 people who may not change lessons, such as pupils"
                    .to_owned(),
            ));
        }
        self.required("auth.default-role", "give admin, author, reader or none", |v| v.parse().ok())
    }
}

/// Returns a URL without a path in the form that browsers send in `Origin`: in lower case, and without the default
/// port.
fn origin(url: &str) -> String {
    let url = url.to_lowercase();
    let usual_port = if url.starts_with("https://") { ":443" } else { ":80" };
    url.strip_suffix(usual_port).map(str::to_owned).unwrap_or(url)
}

pub(super) fn listed(value: &str) -> impl Iterator<Item = &str> {
    value.split(',').map(str::trim).filter(|part| !part.is_empty())
}

fn network(text: &str) -> Option<IpNet> {
    text.parse::<IpNet>().ok().or_else(|| text.parse::<IpAddr>().ok().map(IpNet::from))
}

fn origins(value: &str) -> Option<Origins> {
    let origins: Vec<String> = listed(value).map(str::to_owned).collect();
    if origins.iter().any(|origin| origin == "*") {
        return (origins.len() == 1).then_some(Origins::Any);
    }
    // Browsers send the scheme and the host in lower case, without a slash at the end. Any other text would never
    // match.
    let is_origin = |origin: &String| {
        let host = origin.strip_prefix("https://").or_else(|| origin.strip_prefix("http://"));
        host.is_some_and(|host| {
            !host.is_empty() && host.bytes().all(|b| b.is_ascii_graphic() && !b"/?#@*,".contains(&b))
        }) && !origin.bytes().any(|byte| byte.is_ascii_uppercase())
    };
    match origins.as_slice() {
        [] => Some(Origins::None),
        _ => origins.iter().all(is_origin).then_some(Origins::Listed(origins)),
    }
}

fn link_target(value: &str) -> Option<LinkTarget> {
    url(&value.replace(['{', '}'], ""))?;
    let target = LinkTarget(value.to_owned());
    // A content security policy names the origin, and each of these characters would change what the policy says.
    (!target.origin().contains(['@', ';', ',', '\''])).then_some(target)
}

/// Returns whether an address, which begins with a scheme, has more than a host and a port.
fn has_path(url: &str) -> bool {
    url.split_once("://").is_some_and(|(_, host)| host.contains(['/', '?', '#', '@']))
}

pub(super) fn url(value: &str) -> Option<String> {
    let rest = value.strip_prefix("http://").or_else(|| value.strip_prefix("https://"))?;
    let host = rest.trim_end_matches('/');
    let usable = !host.is_empty() && host.chars().all(|c| c.is_ascii_graphic() && !"\"<>\\^`{|}".contains(c));
    usable.then(|| value.trim_end_matches('/').to_owned())
}
