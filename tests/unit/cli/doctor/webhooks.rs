//! Unit tests of `src/cli/doctor/webhooks.rs`.

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
        to_retry: (0, None),
        attempts: 0,
        is_leased: None,
    };
    let named = |endpoint: &str| Webhook { endpoint: endpoint.into(), ..well.clone() };
    let known = [
        named("a"),
        Webhook { last: Timestamp(0), unsent: (1, Some(before(1))), is_leased: Some(true), ..named("b") },
        Webhook { unsent: (7, Some(before(3600))), is_leased: Some(false), ..named("c") },
        Webhook { to_retry: (2, Some(before(-90))), attempts: 3, ..named("d") },
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
