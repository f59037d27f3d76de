//! Which events a change creates, and that events are small and can be read back.

use std::collections::BTreeSet;

use proptest::prelude::*;
use serde_json::{Value, json};

use fieldbook::domain::content::Content;
use fieldbook::domain::event::*;
use fieldbook::domain::finding::Finding;
use fieldbook::domain::finding::Findings;
use fieldbook::domain::history::Kind;
use fieldbook::domain::history::{self, Act};
use fieldbook::domain::id::ObjectId;
use fieldbook::domain::investigation::Investigation;
use fieldbook::domain::investigation::NewInvestigation;
use fieldbook::domain::schema::{self, Schema};
use fieldbook::domain::status::Status;
use fieldbook::domain::time::Timestamp;

fn content() -> impl Strategy<Value = Content> {
    let value = prop_oneof![Just(json!(null)), any::<u8>().prop_map(Value::from), "[a-c]{0,2}".prop_map(Value::from)];
    prop::collection::btree_map("[a-e\"ü.]{1,90}", value, 0..9).prop_map(|fields| fields.into_iter().collect())
}

fn findings() -> impl Strategy<Value = Findings> {
    let finding = ("[ab]", "[ab]", "[ab]", "[xy]").prop_map(|(source, field, other, reason)| Finding {
        field_name: field,
        conflicts_with: vec![other],
        reason,
        evidence: Vec::new(),
        also_at: Vec::new(),
        suggestion: None,
        source: format!("rule:{source}"),
    });
    (prop::collection::vec(finding, 0..4), any::<bool>(), any::<bool>()).prop_map(
        |(contradictions, incomplete, pending)| Findings { contradictions, hints: Vec::new(), incomplete, pending },
    )
}

fn act() -> Act {
    Act { kind: Kind::Restore, by: None, at: Timestamp(8) }
}

fn born(content: Content, findings: Findings) -> Investigation {
    let birth = NewInvestigation {
        id: ObjectId::from_bytes([7; 12]),
        author: None,
        metadata_author: None,
        status: None,
        cloned_from: None,
        at: Timestamp(7),
    };
    Investigation::new(birth, content, findings, &schema())
}

fn schema() -> Schema {
    Schema::parse(schema::BUILT_IN).expect("the built-in schema")
}

proptest! {
    #[test]
    fn each_change_emits_exactly_the_events_for_its_fields_status_and_contradictions(
        old in content(), new in content(), found_before in findings(), found_after in findings(), by_hand: bool,
    ) {
        let before = born(old.clone(), found_before.clone());
        let step = history::record(&before, &new, act());
        let new = history::in_order_of(&old, &new);
        let mut after = before.after(&step, new.clone(), found_after.clone(), &schema(), Timestamp(9));
        if by_hand {
            after.status = Status::Published;
        }
        let told = of_change(&before, &step, &after);

        let differing: BTreeSet<&String> = old.keys().chain(new.keys())
            .filter(|field| old.get(*field) != new.get(*field)).collect();
        let updated = told.iter().find_map(|what| match what {
            EventKind::Updated { by, version, fields, more } => Some((*by, *version, fields, *more)),
            _ => None,
        });
        prop_assert_eq!(updated.is_some(), !differing.is_empty());
        if let Some((by, version, fields, more)) = updated {
            prop_assert_eq!((by, version), (Cause::Restore, 1));
            let named: BTreeSet<&String> = fields.iter().collect();
            prop_assert_eq!(named.len(), fields.len());
            prop_assert!(named.is_subset(&differing));
            prop_assert_eq!(more, named != differing);
        }
        let moved = told.iter().any(|what| matches!(what, EventKind::StatusChanged { .. }));
        prop_assert_eq!(moved, before.status != after.status);
        let news = found_after.contradictions.iter()
            .filter(|new| found_before.contradictions.iter().all(|old| old.subject() != new.subject())).count();
        let expected = (news > 0)
            .then_some(EventKind::ContradictionsFound { count: news, total: found_after.contradictions.len() });
        let found = told.iter().find(|what| matches!(what, EventKind::ContradictionsFound { .. }));
        prop_assert_eq!(found, expected.as_ref());
        let applied = told.iter().find(|what| matches!(what, EventKind::Contradictions { .. }));
        let (total, incomplete) = (found_after.contradictions.len(), found_after.incomplete);
        let expected = (found_before.pending && !found_after.pending)
            .then_some(EventKind::Contradictions { total, hints: 0, incomplete });
        prop_assert_eq!(applied, expected.as_ref());

        for what in told {
            let kept = serde_json::to_string(&what).expect("JSON");
            prop_assert!(kept.len() < 2 * 256 + 120, "{}", kept);
            prop_assert_eq!(serde_json::from_str::<EventKind>(&kept).expect("read"), what);
        }
    }

    #[test]
    fn event_ids_are_parsed_back_unchanged_and_sort_by_transaction_and_number(
        one in any::<(u32, u32, i32)>(), other in any::<(u32, u32, i32)>(),
    ) {
        let id = |(transaction, number, at): (u32, u32, i32)| EventId {
            transaction: transaction.into(), number: number.into(), at: Timestamp(i64::from(at.unsigned_abs())),
        };
        prop_assert_eq!(id(one).to_string().parse(), Ok(id(one)));
        prop_assert_eq!(id(one) < id(other), (one.0, one.1, one.2.unsigned_abs()) < (other.0, other.1, other.2.unsigned_abs()));
    }

    #[test]
    fn malformed_event_ids_are_rejected(text in "(evt_)?[0-9a-f_+-]{0,40}") {
        if let Ok(id) = text.parse::<EventId>() {
            let parts: Vec<&str> = text.split('_').collect();
            prop_assert_eq!(parts.len(), 4);
            prop_assert_eq!(u64::from_str_radix(parts[2], 16), Ok(id.number));
        }
    }
}

#[test]
fn event_json_has_the_documented_format() {
    let id = EventId { transaction: 0, number: 26, at: Timestamp(1_795_248_000_000) };
    let investigation_id = ObjectId::from_bytes([0xab; 12]);
    let told =
        |what: EventKind| serde_json::to_string(&Event { id, investigation_id, revision: 4, what }).expect("JSON");
    let start = "{\"id\":\"evt_0_1a_1a1fd1e8c00\",\"type\":\"investigation.";
    let common =
        "\",\"at\":\"2026-11-21T08:00:00.000Z\",\"investigationId\":\"abababababababababababab\",\"revision\":4";
    assert_eq!(told(EventKind::Created { cloned_from: None }), format!("{start}created{common}}}"));
    assert_eq!(
        told(EventKind::Contradictions { total: 2, hints: 1, incomplete: false }),
        format!("{start}contradictions{common},\"total\":2,\"hints\":1,\"incomplete\":false}}")
    );
}

#[test]
fn expired_events_are_deleted_except_the_newest() {
    let event = |number: u64, at: i64| EventId { transaction: 0, number, at: Timestamp(at) };
    let kept = |oldest: &[EventId]| first_to_keep(oldest, Timestamp(10)).map(|event| event.number);
    assert_eq!(kept(&[]), None);
    assert_eq!(kept(&[event(1, 9)]), None);
    assert_eq!(kept(&[event(1, 8), event(2, 9), event(3, 10)]), Some(2));
    // The clock was set back before event 3, so event 3 seems to have expired. Only expired events before event 2,
    // which has not expired, can be deleted. The newest of them, event 1, is always kept.
    assert_eq!(kept(&[event(1, 8), event(2, 11), event(3, 9)]), None);
}
