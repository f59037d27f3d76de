//! Names of the settings: in the file, as flags, and as environment variables.

use std::cmp::Reverse;

use crate::domain::text::common_letters;

/// Beginning of the names of environment variables.
const PREFIX: &str = "FIELDBOOK_";

/// Names of the settings in the file, with the help texts of their flags.
pub const SETTINGS: [(&str, &str); 54] = [
    ("listen", "Listening address: IP address and port"),
    ("data", "Folder of the embedded store and of the token secret"),
    ("database", "Use this PostgreSQL instead of the embedded store: postgres://…"),
    ("database-password-file", "File with the password of the database user"),
    ("database-connections", "Maximum connections to PostgreSQL"),
    ("no-migrate", "Refuse an older store instead of migrating it"),
    ("schema", "Use this content schema instead of the built-in one"),
    ("public-url", "Public base URL of the service"),
    (
        "link-target",
        "External page to which links redirect people, instead of the service's own page; with {investigationId}, {key}, {subLink}",
    ),
    ("editing", "Who may change an investigation: anyone, or its author, editors and admins"),
    ("trash-days", "How many days a deleted investigation can be restored; 0 means that a deletion is final"),
    ("error-statuses", "HTTP statuses of failed operations: contract or http"),
    ("resolve-rate-limit", "Maximum requests per second for links from one address; 0 means no limit"),
    ("assistant-rate-limit", "Maximum assistant requests per minute by one user; 0 means no limit"),
    ("trusted-proxies", "Proxies whose X-Forwarded-For is trusted: addresses or networks"),
    ("cors-origins", "Origins whose pages may call from a browser; * lets any page read"),
    (
        "assistant",
        "Who finds and resolves contradictions: rules, or rules with a language model: ollama, lmstudio, llamacpp, openai, anthropic, mistral, openai-compatible",
    ),
    ("assistant-base-url", "Endpoint of the language model, if it is not the preset's"),
    ("assistant-model", "Name of the model at the endpoint; required with a language model"),
    ("assistant-api-key", "API key for the endpoint"),
    ("assistant-api-key-file", "File with the API key for the endpoint"),
    ("assistant-deadline-seconds", "Deadline of one operation of the model"),
    (
        "assistant-settle-seconds",
        "How long an investigation must stay unchanged before the model reads it in the background",
    ),
    ("assistant-concurrent-calls", "Maximum concurrent calls of the model"),
    ("profiles-url", "Profile service for names, e-mail addresses and pictures of authors (gRPC)"),
    ("profiles-deadline-milliseconds", "Deadline of a profile lookup, including connecting"),
    ("profiles-cache-seconds", "How long profiles are cached"),
    ("events-retention-days", "How many days events are kept"),
    ("audit-retention-days", "How many days entries of the audit log are kept"),
    ("event-streams", "Maximum event streams at once; each editor that is open in a browser reads one"),
    ("webhook-urls", "Addresses that receive events"),
    ("webhook-secret", "Secret that signs webhooks: whsec_ and Base64; several, separated by spaces, during a change"),
    ("webhook-secret-file", "File with the secret that signs webhooks"),
    ("otlp-endpoint", "Collector of traces (OTLP over gRPC)"),
    ("auth.hs256-secret", "Secret that signs tokens, at least 32 bytes"),
    ("auth.hs256-secret-file", "File with the secret that signs tokens"),
    ("auth.issuer", "OIDC issuer of tokens, instead of a secret"),
    ("auth.jwks-url", "Address of the issuer's keys, instead of a secret"),
    ("auth.audience", "Required audience of the tokens of an issuer"),
    ("auth.client-id", "Client id of this service at the issuer; enables sign-in with the issuer's accounts"),
    ("auth.client-secret", "Client secret of this service at the issuer"),
    ("auth.client-secret-file", "File with the secret of this service at the issuer"),
    ("auth.scopes", "Scopes that a sign-in asks for"),
    ("auth.sign-in-name", "Name of the issuer on the sign-in button"),
    ("auth.user-claim", "The claim of a token that names the user, if there is no userId"),
    ("auth.user-ids", "Whether that claim is the user id (as-given), or an id is derived from it (derived)"),
    ("auth.roles-claim", "The claim of a token that lists the caller's roles"),
    ("auth.roles-map", "Map from the provider's roles: teachers=author,it=admin"),
    (
        "auth.default-role",
        "Role of callers that have no role from the directory or a token: admin, author, reader or none",
    ),
    ("auth.passwords", "Whether people can sign in with a password"),
    ("auth.investigations", "Whether investigation operations need a token: required or optional"),
    ("log.level", "Minimum log level: error, warn, info, debug, trace"),
    ("log.format", "human or json"),
    ("log.requests", "Log every request, not only those that end with a server error"),
];

/// Returns the command line flag of a setting, without the two dashes: `auth-issuer` for `auth.issuer`.
pub fn flag(name: &str) -> String {
    name.replace('.', "-")
}

/// Returns the name of the environment variable of a setting: `FIELDBOOK_AUTH_ISSUER` for `auth.issuer`.
pub fn variable(name: &str) -> String {
    format!("{PREFIX}{}", name.replace(['.', '-'], "_").to_uppercase())
}

/// A variable that is probably a misspelled setting.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnknownVariable {
    pub variable: String,
    /// The variable that was probably meant, if one has nearly the same name.
    pub similar: Option<String>,
}

impl UnknownVariable {
    pub fn remedy(&self) -> String {
        remedy(self.similar.as_deref())
    }
}

/// Returns the environment variables in `given` that begin with `FIELDBOOK_` but belong to no setting.
pub fn unknown_variables(given: impl IntoIterator<Item = String>) -> Vec<UnknownVariable> {
    let known = SETTINGS.map(|(name, _)| variable(name));
    let unknown = given.into_iter().filter(|name| name.starts_with(PREFIX) && !known.contains(name));
    let own_part = |name: &str| name.trim_start_matches(PREFIX).to_owned();
    let own_parts = known.each_ref().map(|name| own_part(name));
    let similar = |name: &str| {
        let similar = most_similar(own_parts.iter().map(String::as_str), &own_part(name))?;
        Some(format!("{PREFIX}{similar}"))
    };
    unknown.map(|variable| UnknownVariable { similar: similar(&variable), variable }).collect()
}

/// Returns a hint for the operator about an unknown setting in the file.
pub(super) fn remedy_of(unknown: &str) -> String {
    // A line that is appended to a file belongs to the last section of the file.
    if let Some((section, name)) = unknown.split_once('.')
        && SETTINGS.into_iter().any(|(known, _)| known == name)
    {
        return format!("write {name} above the line [{section}], or remove it");
    }
    remedy(most_similar(SETTINGS.into_iter().map(|(name, _)| name), unknown))
}

fn remedy(similar: Option<&str>) -> String {
    similar.map_or_else(|| "remove it".to_owned(), |name| format!("rename it, perhaps to {name}, or remove it"))
}

/// Returns the name that is most similar to a text. Considers only names that share more than half of their letters
/// with the text.
fn most_similar<'k>(known: impl Iterator<Item = &'k str>, text: &str) -> Option<&'k str> {
    let is_near = |known: &&str| 2 * common_letters(known, text) > known.len().max(text.len());
    known.filter(is_near).max_by_key(|known| (common_letters(known, text), Reverse(known.len())))
}
