//! Checks the services that Fieldbook calls.

use std::time::Duration;

use super::finding::{Finding, NOT_SET_UP};
use crate::app::Access;
use crate::assistant::model::{Model, ModelDiagnosisError, ModelError};
use crate::cli::{healthcheck, parts};
use crate::clock::Clock;
use crate::domain::permission::Role;
use crate::domain::token_user::{ClaimRules, UserIds};
use crate::http::CALLBACK;
use crate::http_client;
use crate::ids::Ids;
use crate::profiles;
use crate::settings::{Auth, Settings};
use crate::tokens::{self, Diagnosis};

pub const PROVIDER: &str = "identity-provider";
pub const PROFILES: &str = "profile-service";
pub const MODEL: &str = "language-model";

const NO_KEYS: &str = "check auth.issuer and auth.jwks-url, and the network from this machine";
const NO_ENDPOINTS: &str = "check auth.issuer, which needs OpenID Connect discovery";
const NO_CLIENT: &str = "check auth.client-id and auth.client-secret";
const NO_AUDIENCE: &str =
    "set auth.audience; without it, tokens that the provider issues for other services are accepted here, too";

/// Beginning of the metrics line that counts the uses of tokens which name no user: the name of the counter and a
/// space.
const WITHOUT_USER: &str = "fieldbook_tokens_without_user_total ";
const NO_USER: &str = "set auth.user-ids to derived, which derives an id from any name";

const ALL_AUTHORS: &str = "set auth.default-role to reader or none, and auth.roles-map";

const WITHOUT_ROLE: &str = "everybody without a role at the provider";
const OPEN: &str = "auth.investigations is optional, so everybody who has not signed in";
const NO_ID: &str = "people can sign in only with 24 hexadecimal digits in the claim";
const LOWER: &str = "auth.roles-map has a role below auth.default-role, so people without the claim";
const LOWEST: &str = "set auth.default-role to the lowest role in auth.roles-map";
const NO_NAMES: &str = "auth.scopes lacks profile or email, so people may have no name or e-mail address here";

/// Time limit for reading the metrics of the running service, and the maximum number of bytes that are read.
const METRICS_LIMIT: Duration = Duration::from_secs(3);
const METRICS_BYTES: usize = 4 * 1024 * 1024;

/// Checks the settings of the webhooks and of the trace collector, without contacting them.
pub fn check_receivers(check: &'static str, settings: &Settings) -> Vec<Finding> {
    let webhooks = parts::webhooks(settings).err();
    let collector = settings.collector.as_ref().and_then(|collector| collector.endpoint().err());
    let collector = collector.map(|error| format!("tracing is not possible: {error}"));
    let problem = |sentence: String| Finding::from_sentence(check, &sentence, "check the network from this machine");
    webhooks.into_iter().chain(collector).map(problem).collect()
}

pub async fn check_provider(settings: &Settings) -> Vec<Finding> {
    let mut findings = vec![check_keys(settings).await];
    findings.extend(check_rights(settings));
    if let Some(count) = tokens_without_user(settings).await.filter(|count| *count > 0) {
        let says = format!("tokens without a user since the service started: {count}");
        findings.push(Finding::warning(PROVIDER, says, NO_USER));
    }
    findings
}

/// Warns of rights that the settings of a provider may grant or refuse unintentionally.
fn check_rights(settings: &Settings) -> Vec<Finding> {
    let Settings { auth: auth @ Auth::Provider(_), claims, http, given, .. } = settings else { return Vec::new() };
    let ClaimRules { user_claim, user_ids, roles_claim, role_names } = claims;
    let (default, client) = (http.default_role, auth.sign_in());
    let is_chosen = given.iter().any(|(name, _)| *name == "auth.default-role");
    let is_open = http.investigations == Access::Optional && default > Role::None;
    let lacks = |wanted: &str| client.is_some_and(|client| !client.scopes.split(' ').any(|scope| scope == wanted));
    let all = [
        (!is_chosen || default == Role::Admin, format!("{WITHOUT_ROLE} is an {default}"), ALL_AUTHORS),
        (client.is_some() && role_names.has_below(default), format!("{LOWER} {roles_claim} cannot sign in"), LOWEST),
        (is_open, format!("{OPEN} has the role {}", default.min(Role::Author)), "set it to required"),
        (client.is_some() && *user_ids == UserIds::AsGiven, format!("{NO_ID} {user_claim}"), NO_USER),
        (lacks("profile") || lacks("email"), NO_NAMES.to_owned(), "set it to \"openid profile email\""),
    ];
    let applies = all.into_iter().filter(|(applies, ..)| *applies);
    applies.map(|(_, says, remedy)| Finding::warning(PROVIDER, says, remedy)).collect()
}

/// Asks the running service how many tokens without a user it has received; `None` if no service answers at the address
/// in the settings.
async fn tokens_without_user(settings: &Settings) -> Option<u64> {
    let url = format!("http://{}/metrics", healthcheck::reachable(settings.listen));
    let answer = http_client::get(&url, METRICS_LIMIT).await.ok()?;
    let body = http_client::body(answer, METRICS_BYTES).await.ok()?;
    let text = String::from_utf8(body).ok()?;
    text.lines().find_map(|line| line.strip_prefix(WITHOUT_USER))?.trim().parse().ok()
}

async fn check_keys(settings: &Settings) -> Finding {
    let Auth::Provider(provider) = &settings.auth else { return Finding::ok(PROVIDER, NOT_SET_UP) };
    let redirect = format!("{}{CALLBACK}", healthcheck::base_url(&settings.http, settings.listen));
    match tokens::diagnose(provider, &redirect).await {
        Err(reason) => Finding::from_sentence(PROVIDER, &format!("its keys cannot be fetched: {reason}"), NO_KEYS),
        Ok(Diagnosis { endpoints: Some(Err(reason)), .. }) => {
            Finding::problem(PROVIDER, format!("nobody can sign in with it: {reason}"), NO_ENDPOINTS)
        }
        Ok(Diagnosis { client: Err(reason), .. }) => {
            Finding::problem(PROVIDER, format!("nobody can sign in with it: {reason}"), NO_CLIENT)
        }
        Ok(Diagnosis { keys, .. }) => {
            let says = format!("its keys were fetched: {} of {} are usable", keys.usable(), keys.listed());
            let Some(_) = &provider.audience else { return Finding::warning(PROVIDER, says, NO_AUDIENCE) };
            let Some(_) = &provider.sign_in else { return Finding::ok(PROVIDER, says) };
            Finding::ok(
                PROVIDER,
                format!("{says}, the client is registered; {redirect} must be registered as its redirect URI"),
            )
        }
    }
}

pub async fn check_profiles(settings: &Settings) -> Finding {
    let Some(settings) = &settings.profiles else { return Finding::ok(PROFILES, NOT_SET_UP) };
    match profiles::diagnose(settings, Clock::system()).await {
        profiles::Diagnosis::Answers => Finding::ok(PROFILES, "answers"),
        profiles::Diagnosis::Refuses => Finding::ok(PROFILES, "answers, and requires a token"),
        profiles::Diagnosis::Fails(reason) => Finding::from_sentence(
            PROFILES,
            &format!("authors will have no names: {reason}"),
            "check profiles-url and the service at that address",
        ),
    }
}

/// Asks the model a test question.
pub async fn check_model(settings: &Settings) -> Finding {
    let Some(model) = settings.model.clone() else { return Finding::ok(MODEL, NOT_SET_UP) };
    if let Err(fault) = settings.model_is_elsewhere() {
        return Finding::from_sentence(MODEL, &fault.to_string(), "check assistant-base-url");
    }
    match Model::new(model, Clock::system(), Ids::random()) {
        Err(error) => Finding::from_sentence(MODEL, &error.to_string(), "check the settings of assistant"),
        Ok(model) => of_answer(model.name(), model.diagnose().await),
    }
}

fn of_answer(name: &str, answer: Result<(), ModelDiagnosisError>) -> Finding {
    let Err(ModelDiagnosisError { error, words }) = answer else {
        return Finding::ok(MODEL, format!("{name} answers a test question"));
    };
    let words = words.map(|words| format!(": {words}")).unwrap_or_default();
    let says = match &error {
        ModelError::Refused(status) => format!("{name} refuses a test question with status {status}{words}"),
        ModelError::Unreachable => format!("cannot be reached{words}"),
        error => format!("the answer of {name} to a test question cannot be used ({}){words}", error.outcome()),
    };
    let remedy = match error {
        ModelError::Refused(401 | 403) => "check assistant-api-key",
        ModelError::Refused(404) => "check assistant-model and assistant-base-url",
        ModelError::Refused(429) => return Finding::warning(MODEL, says, "wait, or raise its limit"),
        ModelError::Refused(_) | ModelError::Unreachable => "check assistant-base-url and the service there",
        _ => "check that the endpoint speaks the protocol of OpenAI, or choose another model",
    };
    Finding::problem(MODEL, says, remedy)
}
