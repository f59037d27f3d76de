//! Unit tests of `src/store/lock_order.rs`.

use super::*;
use crate::store::dialect::Dialect;

fn locked(statements: &[&str]) -> Result<Locked, String> {
    Locked::default().and(&statements.iter().map(|sql| Statement::new((*sql).to_owned())).collect::<Vec<_>>())
}

#[test]
fn statement_that_locks_tables_in_the_wrong_order_is_detected() {
    let answer = "INSERT INTO first_answer (key) VALUES ($key)";
    let investigation = "UPDATE investigation SET revision = 2 WHERE id = $id";
    let record = "INSERT INTO version_record (body) SELECT i.body FROM investigation i";
    let trash = "DELETE FROM trash AS t WHERE t.id = $id";
    let link = "WITH old AS (SELECT 1) DELETE FROM link AS l WHERE l.key = $key";
    let group = "INSERT INTO group_count (count) VALUES (1) ON CONFLICT (slot) DO UPDATE SET count = 2";
    let event = "INSERT INTO event (at) VALUES ($at)";
    let webhook = "UPDATE webhook SET holder = NULL";
    for right in [
        &[answer, investigation, trash, link, group, event][..],
        &[investigation, group, record, event],
        &[event, webhook],
        &["SELECT l.n FROM link l", investigation],
    ] {
        assert!(locked(right).is_ok(), "{right:?}");
    }
    for wrong in [[investigation, answer], [link, record], [link, trash], [group, link], [event, group]] {
        assert_eq!(locked(&wrong), Err(wrong[1].to_owned()));
    }
}

#[test]
fn lock_order_check_includes_reads_that_lock_rows_on_both_engines() {
    for dialect in [Dialect::Sqlite, Dialect::Postgres] {
        let query = "SELECT l.n FROM link l JOIN investigation i ON i.body = l.body";
        let read = format!("{query} {}", dialect.lock("l"));
        let investigation = "DELETE FROM investigation WHERE id = $id";
        assert_eq!(locked(&[&read, investigation]), Err(investigation.to_owned()));
        assert!(locked(&[&format!("{query} {}", dialect.lock("i")), investigation]).is_ok());
    }
}

#[test]
fn write_must_lock_the_counters_of_groups_in_the_order_of_group_and_counter_number() {
    let count = |key: &str, slot: i64| {
        Statement::new("INSERT INTO group_count (count) VALUES (1)").with("group_key", key).with("slot", slot)
    };
    let is_right = |statements: [Statement; 2]| Locked::default().and(&statements).is_ok();
    assert!(is_right([count("a", 2), count("b", 1)]));
    assert!(!is_right([count("b", 1), count("a", 2)]));
    assert!(!is_right([count("a", 2), count("a", 1)]));
}

#[test]
fn every_table_is_in_the_lock_order() {
    let schemas = [
        include_str!("../../../migrations/sqlite/0001_initial.sql"),
        include_str!("../../../migrations/postgres/0001_initial.sql"),
    ];
    for line in schemas.iter().flat_map(|schema| schema.lines()) {
        let Some((_, table)) = line.split_once("TABLE ").filter(|_| line.starts_with("CREATE")) else { continue };
        assert!(locked(&[&format!("DELETE FROM {table}")]).is_ok(), "{line}");
    }
}

#[test]
#[cfg(debug_assertions)]
#[should_panic(expected = "the write late locks rows in the wrong order")]
fn write_that_violates_the_lock_order_panics_in_debug_builds() {
    let change = |table: &str| Statement::new(format!("DELETE FROM {table}"));
    let decide = checked("late", &[], move |_: &[Rows]| Ok((vec![change("link"), change("trash")], ())));
    let _ = decide(&[]);
}
