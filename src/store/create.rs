//! Creates an investigation.

use super::dialect::Dialect;
use super::investigations::CREATOR;
use super::sql::{Rows, Statement};
use super::{
    IdempotentAnswer, InvestigationRow, Reports, Stamp, Store, StoreError, answers, chats, groups, investigations,
    pictures,
};
use crate::domain::audit::AuditActor;
use crate::domain::event;
use crate::domain::id::ObjectId;
use crate::domain::picture;

impl Store {
    /// Stores a new investigation and an empty chat with the id `chat`. A clone gets the pictures that its content
    /// shows. The audit log names `actor` as the creator. Also stores `answer_for_repeats`, if given: the answer to
    /// later requests with the same idempotency key. If the caller already used this key, stores nothing, and returns
    /// the stored answer to the earlier request.
    pub async fn create(
        &self,
        row: InvestigationRow,
        chat: ObjectId,
        answer_for_repeats: Option<IdempotentAnswer>,
        actor: AuditActor,
    ) -> Result<Option<IdempotentAnswer>, StoreError> {
        let dialect = self.dialect();
        let mut statements = answer_for_repeats.as_ref().map_or_else(Vec::new, |answer| answer.keep(dialect));
        let (id, source) = (row.investigation.id, row.investigation.cloned_from);
        let shown = picture::ids(&picture::references(&row.investigation.content));
        statements.extend(creation(&row, chat, actor, dialect)?);
        let source = source.filter(|_| !shown.is_empty());
        let mut reads: Vec<Statement> = answer_for_repeats.iter().map(IdempotentAnswer::find_earlier).collect();
        // Copying a picture fails if its bytes are being deleted. Only a write with reads is repeated after such a
        // failure, so this write reads whether the source exists.
        reads.extend(source.map(investigations::exists));
        statements.extend(source.map(|source| pictures::copy(id, source, shown, dialect)));
        let is_repeatable = answer_for_repeats.is_some();
        self.write("create", reads, move |rows: &[Rows]| {
            let earlier = rows.first().filter(|_| is_repeatable).map(answers::stored).transpose()?.flatten();
            Ok((if earlier.is_some() { Vec::new() } else { statements.clone() }, earlier))
        })
        .await
    }
}

fn creation(
    row: &InvestigationRow,
    chat: ObjectId,
    actor: AuditActor,
    dialect: Dialect,
) -> Result<Vec<Statement>, StoreError> {
    let new = &row.investigation;
    let stamp = Stamp { actor, at: new.created_at };
    let reports = Reports::of(stamp, new.id, event::of_creation(new));
    let mut columns = investigations::columns(row);
    columns.push((CREATOR, actor.user.into()));
    let mut statements = vec![
        Statement::insert("investigation", columns),
        dialect.index_new(new.id.into(), &row.words),
        chats::insert(new.id, chat, 0),
        // Other writes wait while the counter of the group is locked. So the counter comes after the search words, of
        // which there may be many.
        groups::entered(dialect, new.id, &row.keys.group, row.curriculum.as_deref()),
    ];
    statements.extend(reports.statements(new.id, Some(new.revision), stamp.at)?);
    Ok(statements)
}
