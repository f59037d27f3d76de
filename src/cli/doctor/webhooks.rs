//! Judges the progress of webhook deliveries. Pure functions. No endpoint is called, because a test event would report
//! something that never happened.

use super::finding::Finding;
use crate::domain::time::Timestamp;
use crate::store::diagnostics::Webhook;

const WEBHOOKS: &str = "webhooks";

/// Maximum age of a waiting event, in milliseconds. Longer than the longest wait after failures.
const TOO_LONG: i64 = 10 * 60 * 1000;

/// Returns a finding for each endpoint, which is given as its name in the store and its host. `known` is the state in
/// the store, or `None` if the state could not be read.
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
    let Some(Webhook { last, unsent, again, attempts, held, .. }) = webhook else {
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
    let refuses = if let (count @ 1.., Some(next)) = *again {
        report.push(format!(
            "{} after {} so far, next attempt at {next}",
            events(count, "failed", "failed"),
            if *attempts == 1 { "one attempt".to_owned() } else { format!("up to {attempts} attempts") },
        ));
        true
    } else {
        false
    };
    if *held == Some(false) {
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
mod tests {
    use super::*;

    /// 2026-11-21T08:00:00.000Z
    const NOW: Timestamp = Timestamp(1_795_248_000_000);

    fn report(known: Option<&[Webhook]>) -> String {
        let endpoints = ["a", "b", "c", "d", "e"].map(|name| (name.to_owned(), format!("{name}.example.org")));
        of_webhooks(&endpoints, known, NOW).iter().map(Finding::to_string).collect::<Vec<_>>().join("\n")
    }

    #[test]
    fn each_endpoint_is_told_of_and_a_warning_has_a_way_out() {
        let before = |seconds: i64| Timestamp(NOW.0 - 1000 * seconds);
        let well = Webhook {
            endpoint: "a".into(),
            last: before(60),
            unsent: (0, None),
            again: (0, None),
            attempts: 0,
            held: None,
        };
        let named = |endpoint: &str| Webhook { endpoint: endpoint.into(), ..well.clone() };
        let known = [
            named("a"),
            Webhook { last: Timestamp(0), unsent: (1, Some(before(1))), held: Some(true), ..named("b") },
            Webhook { unsent: (7, Some(before(3600))), held: Some(false), ..named("c") },
            Webhook { again: (2, Some(before(-90))), attempts: 3, ..named("d") },
        ];
        insta::assert_snapshot!(report(Some(&known)), @"
        ok       webhooks           a.example.org has received the events up to 2026-11-21T07:59:00.000Z
        ok       webhooks           b.example.org has received nothing yet, 1 event waits to be sent since 2026-11-21T07:59:59.000Z
        warning  webhooks           c.example.org has received the events up to 2026-11-21T07:59:00.000Z, 7 events wait to be sent since 2026-11-21T07:00:00.000Z, no copy of the service is delivering to it; check that the service runs with this address, and read its log about this host
        warning  webhooks           d.example.org has received the events up to 2026-11-21T07:59:00.000Z, 2 events failed after up to 3 attempts so far, next attempt at 2026-11-21T08:01:30.000Z; fix what the log reports for this host
        ok       webhooks           e.example.org is new, and receives events from the next start on
        ");
        insta::assert_snapshot!(report(None).lines().next().unwrap_or_default(), @"ok       webhooks           a.example.org was not called, and the store has no record of it");
    }
}
