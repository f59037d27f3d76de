//! Checks the diagnostics of the services that Fieldbook uses besides the store. The functions are pure.

use super::finding::Finding;
use crate::assistant::model::Answer;
use crate::profiles::Diagnosis as ProfilesLook;
use crate::tokens::Diagnosis as ProviderLook;

pub const PROVIDER: &str = "identity-provider";
pub const PROFILES: &str = "profile-service";
pub const MODEL: &str = "language-model";
pub const COLLECTOR: &str = "otlp-collector";

/// Returns the finding for the identity provider. `for_us` is true if tokens must name this service as their audience.
pub fn of_provider(look: &Result<ProviderLook, String>, for_us: bool) -> Finding {
    match look {
        Err(reason) => Finding::problem(
            PROVIDER,
            format!("its keys cannot be fetched: {}", reason.replace("; ", ", ")),
            "check auth.issuer and auth.jwks-url, and the network from this machine",
        ),
        Ok(ProviderLook { usable, listed, .. }) => {
            let says = format!("its keys were fetched: {usable} of {listed} are usable");
            if for_us {
                Finding::ok(PROVIDER, says)
            } else {
                let remedy = "set auth.audience; without it, tokens that the provider issues for other services are accepted here, too";
                Finding::warning(PROVIDER, says, remedy)
            }
        }
    }
}

pub fn of_profiles(look: &ProfilesLook) -> Finding {
    match look {
        ProfilesLook::Answers => Finding::ok(PROFILES, "answers"),
        ProfilesLook::Refuses => Finding::ok(PROFILES, "answers, and requires a token"),
        ProfilesLook::Fails(reason) => Finding::problem(
            PROFILES,
            format!("authors will have no names: {}", reason.replace("; ", ", ")),
            "check profiles-url and the service at that address",
        ),
    }
}

/// Returns the finding if no language model is configured. `advice` explains how to use a model that runs on this
/// machine.
pub fn of_no_model(advice: Option<String>) -> Finding {
    match advice {
        None => Finding::not_set_up(MODEL),
        Some(advice) => Finding::ok(MODEL, format!("not set up; {advice}")),
    }
}

/// Returns the finding for the language model `name`. `answer` is the response of its endpoint.
pub fn of_model(name: &str, answer: &Answer) -> Finding {
    match answer {
        Answer::Knows => Finding::ok(MODEL, format!("responds, and lists the model {name}")),
        Answer::NoList => Finding::warning(
            MODEL,
            format!("responds, and does not say whether it has the model {name}"),
            "try it with: fieldbook eval",
        ),
        Answer::KnowsOthers => Finding::problem(
            MODEL,
            format!("responds, and does not list the model {name}"),
            "check assistant-model, or load the model there",
        ),
        Answer::Refuses(status @ (401 | 403)) => {
            Finding::problem(MODEL, format!("refuses with status {status}"), "check assistant-api-key")
        }
        Answer::Refuses(429) => {
            Finding::warning(MODEL, "receives too many requests (status 429)", "wait, or raise its limit")
        }
        Answer::Refuses(status) => Finding::problem(
            MODEL,
            format!("refuses with status {status}"),
            "check assistant-base-url and the service at that address",
        ),
        Answer::Unreachable(reason) => Finding::problem(
            MODEL,
            format!("cannot be reached: {}", reason.replace("; ", ", ")),
            "check assistant-base-url and the service at that address",
        ),
    }
}

/// Returns the finding for the collector of traces. The service also works without the collector, so an error is only a
/// warning.
pub fn of_collector(reached: &Result<(), String>) -> Finding {
    match reached {
        Ok(()) => Finding::ok(COLLECTOR, "can be reached"),
        Err(reason) => Finding::warning(
            COLLECTOR,
            format!("traces are lost: {}", reason.replace("; ", ", ")),
            "check otlp-endpoint and the collector at that address",
        ),
    }
}
