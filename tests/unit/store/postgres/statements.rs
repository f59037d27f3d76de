//! Unit tests of `src/store/postgres/statements.rs`.

use std::pin::Pin;

use super::*;

type Sent = Pin<Box<dyn Future<Output = Result<u8, &'static str>>>>;

/// Returns a future that is ready at its second poll.
fn later(answer: Result<u8, &'static str>) -> Sent {
    Box::pin(async move {
        tokio::task::yield_now().await;
        answer
    })
}

fn at_once(answer: Result<u8, &'static str>) -> Sent {
    Box::pin(std::future::ready(answer))
}

#[tokio::test]
async fn results_of_pipelined_statements_are_in_the_order_of_the_statements() {
    assert_eq!(in_order(vec![later(Ok(1)), at_once(Ok(2)), later(Ok(3))]).await, Ok(vec![1, 2, 3]));
}

/// On a busy machine, the refusals of later statements can arrive before the failure that caused them.
#[tokio::test]
async fn pipelined_statements_report_the_error_of_the_first_failed_statement() {
    assert_eq!(in_order(vec![later(Err("deadlock")), at_once(Err("aborted"))]).await, Err("deadlock"));
    assert_eq!(in_order(vec![later(Ok(1)), at_once(Err("closed"))]).await, Err("closed"));
}

#[tokio::test]
async fn pipeline_sends_no_statement_after_a_statement_that_failed_at_once() {
    let unsent: Sent = Box::pin(async { panic!("it was sent") });
    assert_eq!(in_order(vec![later(Ok(1)), at_once(Err("closed")), unsent]).await, Err("closed"));
}

#[test]
fn changes_of_independent_tables_are_joined_into_one_sql_statement() {
    let lesson =
        Statement::new("UPDATE lesson SET title = $title WHERE id = $id").with("title", "Dew").with("id", 1_i64);
    let note = Statement::new("INSERT INTO note (id) VALUES ($id)").with("id", 2_i64);
    let copy = Statement::new("INSERT INTO copy (id) SELECT n.id FROM note n WHERE n.id = $id").with("id", 3_i64);
    let again = Statement::new("DELETE FROM copy WHERE id = $id").with("id", 4_i64);
    let joined = joined(vec![lesson.expect(1), note, copy, again]);
    let texts: Vec<&str> = joined.iter().map(|statement| &*statement.sql).collect();
    let first = "WITH changed AS (UPDATE lesson SET title = $title WHERE id = $id RETURNING 1), \
                 part_0 AS (INSERT INTO note (id) VALUES ($id_0)) \
                 SELECT 1 / CASE WHEN count(*) = 1 THEN 1 ELSE 0 END AS one FROM changed";
    let copies = "INSERT INTO copy (id) SELECT n.id FROM note n WHERE n.id = $id";
    assert_eq!(texts, [first, copies, "DELETE FROM copy WHERE id = $id"]);
    let names: Vec<&str> = joined[0].values.iter().map(|(name, _)| &**name).collect();
    assert_eq!(names, ["title", "id", "id_0"]);
}

#[test]
fn change_with_an_expected_row_count_starts_a_new_joined_statement() {
    let note = || Statement::new("INSERT INTO note (id) VALUES (1)");
    let lesson = || Statement::new("DELETE FROM lesson");
    assert_eq!(joined(vec![note(), lesson()]).len(), 1);
    assert_eq!(joined(vec![note(), lesson().expect(1)]).len(), 2);
    assert_eq!(joined(vec![note(), Statement::new("SELECT setval('lesson', 1) AS n")]).len(), 2);
}

#[test]
fn statement_is_not_joined_if_a_with_clause_already_changes_its_table() {
    let both = Statement::new("WITH old AS (DELETE FROM lesson l USING note n) INSERT INTO note (id) VALUES (1)");
    assert_eq!(joined(vec![both, Statement::new("UPDATE lesson SET title = $title")]).len(), 2);
}

/// PostgreSQL allows no `WITH` that changes something inside another `WITH`.
#[test]
fn joined_statement_never_nests_a_with_clause() {
    let lesson = Statement::new("WITH old AS (DELETE FROM lesson) INSERT INTO lesson (id) VALUES (1)");
    let joined = joined(vec![lesson, Statement::new("INSERT INTO a (id) VALUES (1)"), Statement::new("DELETE FROM b")]);
    let text = "WITH part_1 AS (DELETE FROM b), part_0 AS (INSERT INTO a (id) VALUES (1)), \
                old AS (DELETE FROM lesson) INSERT INTO lesson (id) VALUES (1)";
    assert_eq!(joined.iter().map(|statement| &*statement.sql).collect::<Vec<_>>(), [text]);
}
