//! Calls the endpoint. Limits the number, duration and size of calls, and repeats a call if a retry may help.
//!
//! A permit is held only during a call, not while waiting for a retry.

use std::collections::HashMap;
use std::time::Duration;

use parking_lot::Mutex;
use serde_json::Value;
use tokio::time::{Instant, sleep, timeout_at};

use super::backoff::{self, RETRIES};
use super::circuits::{CallPermit, Circuits};
use super::error::{ModelDiagnosisError, ModelError, ModelSettingsError};
use super::host::Host;
use super::settings::ModelSettings;
use super::stream;
use super::tally::{self, CallStats};
use super::wire::{self, AnswerFormat, AnswerSchema, Completion, Dialect, Texts};
use crate::admission::{Actor, Pool};
use crate::clock::Clock;
use crate::error_chain::error_chain;
use crate::http_client::{self, BodyError};
use crate::ids::Ids;
use crate::telemetry::{self, Work};

/// HTTP status of an endpoint that works, but gets too many requests.
const TOO_MANY: u16 = 429;

/// Time for which an endpoint gets simpler requests after it has refused a request with more features. After that,
/// these features are requested again, because the refusal may have had another reason.
const SIMPLER_FOR: Duration = Duration::from_secs(600);

pub struct Endpoint {
    host: Host,
    model: String,
    clock: Clock,
    ids: Ids,
    permits: Pool,
    circuits: Circuits,
    /// If a call times out after at least this duration, the timeout counts as a failure of the endpoint.
    fair_time: Duration,
    /// Dialect (optional features) of the first request.
    first: Dialect,
    /// Simpler dialects that work, by [`AnswerSchema::name`]. A name without an entry uses `first`.
    dialects: Mutex<HashMap<&'static str, SimplerDialect>>,
}

#[derive(Debug, Clone, Copy)]
struct SimplerDialect {
    dialect: Dialect,
    /// Value of [`Clock::uptime`] at which `first` is tried again.
    until: Duration,
}

#[derive(Debug, Clone, Copy)]
pub struct Asking {
    pub caller: Actor,
    pub deadline: Instant,
}

enum Outcome {
    Answered(String),
    /// The endpoint refused the request, and a simpler request may succeed. Contains the failure and the response text.
    Misunderstood(ModelError, String),
    /// A temporary failure, with the wait that the endpoint asks for, if any.
    Later(ModelError, Option<Duration>),
    Failed(ModelError),
}

/// Creates the permits for concurrent calls. One actor can hold at most a quarter of the permits, but always at least
/// one.
pub fn calls(concurrent: usize) -> Pool {
    Pool::new(u32::try_from(concurrent).unwrap_or(u32::MAX).max(1))
}

impl Endpoint {
    pub fn new(settings: &ModelSettings, clock: Clock, ids: Ids) -> Result<Self, ModelSettingsError> {
        if settings.model.trim().is_empty() {
            return Err(ModelSettingsError::Name);
        }
        let host = Host::new(&settings.base_url, settings.api_key.as_deref())?;
        Ok(Self {
            host,
            model: settings.model.clone(),
            clock,
            ids,
            permits: calls(settings.concurrent_calls),
            circuits: Circuits::new(),
            fair_time: settings.deadline / 2,
            first: settings.preset.dialect,
            dialects: Mutex::default(),
        })
    }

    /// Sends a prompt and returns the model's answer. If the endpoint refuses an optional feature of the request, sends
    /// the request again without this feature.
    pub async fn complete(&self, texts: &Texts, answer: &AnswerSchema, asking: Asking) -> Result<String, ModelError> {
        let mut dialect = self.dialect(answer.name);
        loop {
            let body = wire::request(&self.model, texts, answer, dialect).to_string();
            match self.persist(&body, dialect.format, asking).await {
                Outcome::Answered(text) => {
                    self.remember(answer.name, dialect);
                    return Ok(text);
                }
                Outcome::Misunderstood(error, words) => dialect = dialect.simpler(&words).ok_or(error)?,
                Outcome::Later(error, _) | Outcome::Failed(error) => return Err(error),
            }
        }
    }

    /// Sends a prompt to test the endpoint. The first request has the most features. If the endpoint refuses a request,
    /// the next one has fewer features. Unlike [`Self::complete`], this does not repeat a call after a temporary
    /// failure, and does not count the calls.
    ///
    /// # Errors
    /// [`ModelDiagnosisError`] of the last request.
    pub async fn try_out(&self, texts: &Texts, answer: &AnswerSchema) -> Result<String, ModelDiagnosisError> {
        let mut dialect = self.first;
        loop {
            let mut seen = CallStats::default();
            let body = wire::request(&self.model, texts, answer, dialect).to_string();
            let error = match self.exchange(&body, dialect.format, &Work::current(), &mut seen).await {
                Outcome::Answered(text) => return Ok(text),
                Outcome::Misunderstood(error, words) => match dialect.simpler(&words) {
                    Some(simpler) => {
                        dialect = simpler;
                        continue;
                    }
                    None => error,
                },
                Outcome::Later(error, _) | Outcome::Failed(error) => error,
            };
            return Err(ModelDiagnosisError { error, words: seen.cause.or(seen.error.map(|error| error.to_string())) });
        }
    }

    fn dialect(&self, form: &str) -> Dialect {
        let now = self.clock.uptime();
        self.dialects
            .lock()
            .get(form)
            .filter(|simpler| now < simpler.until)
            .map_or(self.first, |simpler| simpler.dialect)
    }

    fn remember(&self, form: &'static str, works: Dialect) {
        let before = self.dialect(form);
        let dialect = before.and(works);
        if dialect != before {
            tracing::info!(
                model.name = self.model,
                form,
                ?dialect,
                "falling back to simpler requests to the language model for a while"
            );
            self.dialects.lock().insert(form, SimplerDialect { dialect, until: self.clock.uptime() + SIMPLER_FOR });
        }
    }

    /// Makes a call, with up to [`RETRIES`] retries after temporary failures, until the deadline. A call that fails
    /// with all its retries counts as one failure.
    async fn persist(&self, body: &str, requested_format: AnswerFormat, asking: Asking) -> Outcome {
        let mut last = None;
        for retry in 0..=RETRIES {
            let (outcome, permit) = self.call(body, requested_format, asking).await;
            let (error, asked) = match outcome {
                // The earlier failure is more informative than the open circuit, which is its consequence.
                Outcome::Failed(ModelError::CircuitOpen) if let Some(error) = last => {
                    return Outcome::Failed(error);
                }
                Outcome::Later(error, asked) => (error, asked),
                outcome => {
                    self.count_failure(permit);
                    return outcome;
                }
            };
            let wait = asked.unwrap_or_else(|| backoff::back_off(retry, self.ids.jitter()));
            let in_time = asking.deadline.saturating_duration_since(Instant::now()) > wait;
            if !in_time || retry == RETRIES {
                self.count_failure(permit);
                return Outcome::Failed(asked.filter(|_| !in_time).map_or(error, ModelError::AskedToWait));
            }
            drop(permit);
            sleep(wait).await;
            last = Some(error);
        }
        Outcome::Failed(last.unwrap_or(ModelError::Unreachable))
    }

    fn count_failure(&self, permit: Option<CallPermit>) {
        if permit.is_some_and(|permit| permit.failed(self.clock.uptime())) {
            tally::set_circuit_open(true);
        }
    }

    /// Waits until the limit on concurrent calls allows another one, and makes one call. If a circuit breaker is open,
    /// makes no call. Logs and counts the call. If the endpoint may be broken, also returns the permit of the circuit
    /// breakers, with which the failure can be counted.
    async fn call(&self, body: &str, requested_format: AnswerFormat, asking: Asking) -> (Outcome, Option<CallPermit>) {
        let Asking { caller, deadline } = asking;
        let refused = |error: ModelError| {
            tally::count_refused(&error);
            (Outcome::Failed(error), None)
        };
        let Ok(_permit) = timeout_at(deadline, self.permits.take(caller, 1)).await else {
            return refused(ModelError::TooBusy);
        };
        let Some(permit) = self.circuits.permit(caller, self.clock.uptime()) else {
            return refused(ModelError::CircuitOpen);
        };
        let start = Instant::now();
        let mut seen = CallStats::default();
        let work = telemetry::call("language model");
        let exchange = timeout_at(deadline, work.trace(self.exchange(body, requested_format, &work, &mut seen))).await;
        let outcome = exchange.unwrap_or(Outcome::Failed(ModelError::TimedOut));
        let failed_permit = match &outcome {
            // Neither a rate limit nor the timeout of a call that had too little time shows that the endpoint is
            // broken.
            Outcome::Later(ModelError::Refused(TOO_MANY), _) => None,
            Outcome::Failed(ModelError::TimedOut) if start.elapsed() < self.fair_time => None,
            Outcome::Later(..) | Outcome::Failed(ModelError::TimedOut) => Some(permit),
            // An error response that is not an outage, such as status 400, shows that the endpoint works.
            _ => {
                permit.succeeded();
                tally::set_circuit_open(false);
                None
            }
        };
        let error = match &outcome {
            Outcome::Answered(_) => None,
            Outcome::Misunderstood(error, _) | Outcome::Later(error, _) | Outcome::Failed(error) => Some(error),
        };
        tally::call(&self.model, &seen, start.elapsed(), error);
        work.note("gen_ai.request.model", || self.model.clone());
        if let Some(error) = error {
            work.failed(error.outcome());
        }
        (outcome, failed_permit)
    }

    async fn exchange(&self, body: &str, requested_format: AnswerFormat, work: &Work, seen: &mut CallStats) -> Outcome {
        let mut request = self.host.completion(body.to_owned());
        for (name, value) in work.trace_headers() {
            request = request.header(name, value);
        }
        let response = match request.send().await {
            Ok(response) => response,
            Err(error) => {
                seen.cause = Some(error_chain(&error.without_url()));
                return Outcome::Later(ModelError::Unreachable, None);
            }
        };
        let sent = response.status();
        seen.status = Some(sent.as_u16());
        let asked_wait = http_client::retry_after(response.headers(), self.clock.now());
        let body = stream::body(response).await;
        let words = body.as_deref().map(String::from_utf8_lossy).unwrap_or_default();
        let json: Value = serde_json::from_str(&words).unwrap_or_default();
        let status = wire::status_of(sent, &json);
        let Completion { text, prompt_tokens, completion_tokens } = wire::completion(&json);
        seen.prompt_tokens = prompt_tokens;
        seen.completion_tokens = completion_tokens;
        if !status.is_success() || text.is_err() {
            seen.error = wire::error_of(&json, |text| self.host.without_key(text));
        }
        let refused = ModelError::Refused(status.as_u16());
        if wire::may_concern_format(requested_format, status, &words) {
            return Outcome::Misunderstood(refused, words.into_owned());
        }
        if backoff::is_temporary(status) {
            return Outcome::Later(refused, asked_wait);
        }
        match body {
            Err(BodyError::ConnectionBroken(_)) => Outcome::Later(ModelError::Unreachable, None),
            Err(BodyError::TooLarge) => Outcome::Failed(ModelError::AnswerTooLarge),
            Ok(_) if !status.is_success() => Outcome::Failed(refused),
            Ok(_) => text.map_or_else(Outcome::Failed, Outcome::Answered),
        }
    }
}

#[cfg(test)]
#[path = "../../../tests/unit/assistant/model/endpoint.rs"]
mod tests;
