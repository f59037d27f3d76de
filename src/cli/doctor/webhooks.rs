//! Checks the progress of webhook deliveries, with pure functions. Does not call the endpoints, because a test event
//! would report something that never happened.

use super::finding::Finding;
use crate::domain::time::Timestamp;
use crate::store::diagnostics::Webhook;

const WEBHOOKS: &str = "webhooks";

/// Age, in milliseconds, above which an unsent event is reported. It is longer than the longest pause after failures.
const TOO_LONG: i64 = 10 * 60 * 1000;

/// Returns a finding for each endpoint. `endpoints` has the name in the store and the host of each endpoint. `known` is
/// the progress of the deliveries in the store; `None` if it could not be read.
pub fn of_webhooks(endpoints: &[(String, String)], known: Option<&[Webhook]>, now: Timestamp) -> Vec<Finding> {
    if endpoints.is_empty() {
        return vec![Finding::not_set_up(WEBHOOKS)];
    }
    let of_one = |(name, host): &(String, String)| match known {
        None => Finding::ok(WEBHOOKS, format!("{host} was not called, and the store has no record of it")),
        Some(known) => of_endpoint(host, known.iter().find(|webhook| webhook.endpoint == *name), now),
    };
    endpoints.iter().map(of_one).collect()
}

fn of_endpoint(host: &str, webhook: Option<&Webhook>, now: Timestamp) -> Finding {
    let Some(Webhook { last, unsent, to_retry, attempts, is_leased, .. }) = webhook else {
        return Finding::ok(WEBHOOKS, format!("{host} is new, and receives events from the next start on"));
    };
    let mut report = vec![match last {
        Timestamp(0) => format!("{host} has received nothing yet"),
        last => format!("{host} has received the events up to {last}"),
    }];
    let waits = if let (count @ 1.., Some(oldest)) = *unsent {
        report.push(format!("{} since {oldest}", events(count, "waits to be sent", "wait to be sent")));
        now.0.saturating_sub(oldest.0) > TOO_LONG
    } else {
        false
    };
    let refuses = if let (count @ 1.., Some(next)) = *to_retry {
        report.push(format!(
            "{} after {} so far, next attempt at {next}",
            events(count, "failed", "failed"),
            if *attempts == 1 { "one attempt".to_owned() } else { format!("up to {attempts} attempts") },
        ));
        true
    } else {
        false
    };
    if *is_leased == Some(false) {
        report.push("no copy of the service is delivering to it".to_owned());
    }
    let report = report.join(", ");
    if refuses {
        Finding::warning(WEBHOOKS, report, "fix what the log reports for this host")
    } else if waits {
        Finding::warning(
            WEBHOOKS,
            report,
            "check that the service runs with this address, and read its log about this host",
        )
    } else {
        Finding::ok(WEBHOOKS, report)
    }
}

fn events(count: i64, one: &str, several: &str) -> String {
    if count == 1 { format!("1 event {one}") } else { format!("{count} events {several}") }
}

#[cfg(test)]
#[path = "../../../tests/unit/cli/doctor/webhooks.rs"]
mod tests;
