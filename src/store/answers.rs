//! Answers to requests with an idempotency key, stored for a day.

use serde::de::IgnoredAny;

use super::dialect::Dialect;
use super::readable::Table;
use super::sql::{Columns, Row, Rows, Statement, list};
use super::{ANSWER_TTL, IdempotentAnswer, Store, StoreError};
use crate::domain::time::Timestamp;

pub(super) const TABLE: Table = Table { name: "first_answer", key: &["caller", "key"] };

const COLUMNS: [&str; 6] = ["caller", "key", "request", "answer", "settled", "at"];

impl Store {
    /// Returns the stored answer to the request of `caller` with the idempotency key `key`; `None` if no answer is
    /// stored or the answer is older than [`ANSWER_TTL`].
    pub async fn stored_answer(
        &self,
        caller: String,
        key: String,
        now: Timestamp,
    ) -> Result<Option<IdempotentAnswer>, StoreError> {
        stored(&self.get(find(&caller, &key, now.0.saturating_sub(ANSWER_TTL))).await?)
    }

    /// Stores the final answer `answer` in place of an answer that was stored before the language model had checked the
    /// investigation. Does nothing if the stored answer is already final.
    pub async fn finalize_answer(&self, caller: String, key: String, answer: String) -> Result<(), StoreError> {
        let finalize = Statement::new(
            "UPDATE first_answer SET answer = $answer, settled = true WHERE caller = $caller AND key = $key AND NOT settled",
        );
        let finalize = finalize.with("caller", caller).with("key", key).with("answer", answer);
        self.write_repeatable("finalize_answer", vec![finalize]).await
    }
}

impl IdempotentAnswer {
    /// Returns the statement that reads the stored answer to an earlier request with the same caller and key. The
    /// function [`stored`] reads its rows.
    pub(super) fn find_earlier(&self) -> Statement {
        find(&self.caller, &self.key, self.expiry_cutoff())
    }

    /// Returns the statements that store this answer, replacing an expired answer with the same key, and delete some
    /// other expired answers. A write must first read that there is no earlier answer, and then run these statements
    /// before its other statements. If another request stores an answer with this key first, the write begins again and
    /// finds that answer.
    pub(super) fn keep(&self, dialect: Dialect) -> Vec<Statement> {
        let store = Statement::insert("first_answer", self.columns())
            .then(
                "ON CONFLICT (caller, key) DO UPDATE SET request = excluded.request, answer = excluded.answer,
                     settled = excluded.settled, at = excluded.at WHERE first_answer.at <= $cutoff",
            )
            .with("cutoff", self.expiry_cutoff())
            .expect(1);
        let delete = dialect.delete_first("first_answer", &["caller", "key"], "e.at <= $cutoff", "e.at");
        vec![store, Statement::new(delete).with("cutoff", self.expiry_cutoff())]
    }

    fn columns(&self) -> Columns {
        let Self { caller, key, request, answer, is_final, at } = self;
        vec![
            ("caller", caller.into()),
            ("key", key.into()),
            ("request", request.into()),
            ("answer", answer.into()),
            ("settled", (*is_final).into()),
            ("at", (*at).into()),
        ]
    }
}

/// Reads the rows of [`IdempotentAnswer::find_earlier`].
pub(super) fn stored(rows: &Rows) -> Result<Option<IdempotentAnswer>, StoreError> {
    rows.first().map(read).transpose()
}

fn read(row: &Row) -> Result<IdempotentAnswer, StoreError> {
    Ok(IdempotentAnswer {
        caller: row.text("caller")?.to_owned(),
        key: row.text("key")?.to_owned(),
        request: row.text("request")?.to_owned(),
        answer: row.text("answer")?.to_owned(),
        is_final: row.flag("settled")?,
        at: row.time("at")?,
    })
}

/// Checks that a row can be read.
pub(super) fn check(row: &Row) -> Result<(), StoreError> {
    read(row)?;
    row.json::<IgnoredAny>("answer").map(drop)
}

fn find(caller: &str, key: &str, cutoff: i64) -> Statement {
    let columns = list("a", &COLUMNS);
    let sql =
        format!("SELECT {columns} FROM first_answer a WHERE a.caller = $caller AND a.key = $key AND a.at > $cutoff");
    Statement::new(sql).with("caller", caller).with("key", key).with("cutoff", cutoff)
}
