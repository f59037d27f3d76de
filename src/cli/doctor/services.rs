//! Judges the services that Fieldbook uses besides the store. Pure.

use super::finding::Finding;
use crate::assistant::model::Answer;
use crate::profiles::Diagnosis as ProfilesLook;
use crate::tokens::Diagnosis as ProviderLook;

pub const PROVIDER: &str = "identity-provider";
pub const PROFILES: &str = "profile-service";
pub const MODEL: &str = "language-model";
pub const COLLECTOR: &str = "otlp-collector";

/// Judges the identity provider; `for_us` if tokens must name this service as their audience.
pub fn of_provider(look: &Result<ProviderLook, String>, for_us: bool) -> Finding {
    match look {
        Err(reason) => Finding::problem(
            PROVIDER,
            format!("its keys cannot be had: {}", reason.replace("; ", ", ")),
            "check auth.issuer and auth.jwks-url, and the way there from this machine",
        ),
        Ok(ProviderLook { usable, listed, .. }) => {
            let says = format!("its keys can be had: {usable} of {listed} can be used");
            if for_us {
                Finding::ok(PROVIDER, says)
            } else {
                let way_out = "set auth.audience, or tokens that it makes for other services count here, too";
                Finding::warning(PROVIDER, says, way_out)
            }
        }
    }
}

/// Judges the profile service.
pub fn of_profiles(look: &ProfilesLook) -> Finding {
    match look {
        ProfilesLook::Answers => Finding::ok(PROFILES, "answers"),
        ProfilesLook::Refuses => Finding::ok(PROFILES, "answers, and tells nothing to somebody without a token"),
        ProfilesLook::Fails(reason) => Finding::problem(
            PROFILES,
            format!("authors will have no names: {}", reason.replace("; ", ", ")),
            "check profiles-url, and the service there",
        ),
    }
}

/// No model is configured; `advice` says how to use one that runs on this machine.
pub fn of_no_model(advice: Option<String>) -> Finding {
    match advice {
        None => Finding::not_set_up(MODEL),
        Some(advice) => Finding::ok(MODEL, format!("not set up; {advice}")),
    }
}

/// Judges the endpoint of the model `name`.
pub fn of_model(name: &str, answer: &Answer) -> Finding {
    match answer {
        Answer::Knows => Finding::ok(MODEL, format!("is there, and knows the model {name}")),
        Answer::NoList => Finding::warning(
            MODEL,
            format!("is there, and does not say whether it knows the model {name}"),
            "try it with: fieldbook eval",
        ),
        Answer::KnowsOthers => Finding::problem(
            MODEL,
            format!("is there, and does not list the model {name}"),
            "check assistant-model, or load the model there",
        ),
        Answer::Refuses(status @ (401 | 403)) => {
            Finding::problem(MODEL, format!("refuses with status {status}"), "check assistant-api-key")
        }
        Answer::Refuses(429) => {
            Finding::warning(MODEL, "is asked too often (status 429)", "wait, or raise the limit there")
        }
        Answer::Refuses(status) => Finding::problem(
            MODEL,
            format!("refuses with status {status}"),
            "check assistant-base-url, and the service there",
        ),
        Answer::Unreachable(reason) => Finding::problem(
            MODEL,
            format!("cannot be reached: {}", reason.replace("; ", ", ")),
            "check assistant-base-url, and the service there",
        ),
    }
}

/// Judges the collector of traces. A missing collector never stops the service.
pub fn of_collector(reached: &Result<(), String>) -> Finding {
    match reached {
        Ok(()) => Finding::ok(COLLECTOR, "is reached"),
        Err(reason) => Finding::warning(
            COLLECTOR,
            format!("traces get lost: {}", reason.replace("; ", ", ")),
            "check otlp-endpoint, and the collector there",
        ),
    }
}
