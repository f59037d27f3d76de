//! Sign-in of people through a provider. They are added to the directory automatically (just-in-time provisioning).

use super::person_row;
use super::sessions::{self, NewSession, SignIn, SignInPlan};
use super::sql::{Rows, Statement};
use super::{Stamp, Store, StoreError, audit, passwords, people};
use crate::domain::audit::{AuditAction, AuditActor, AuditEntry};
use crate::domain::id::ObjectId;
use crate::domain::person::Person;
use crate::domain::session::SignedInBy;
use crate::domain::sign_in::{ATTEMPT_VALIDITY, ProviderClaims};
use crate::domain::time::Timestamp;

impl Store {
    /// Uses up a sign-in attempt. `digest` is the hash of the attempt's OAuth parameter `state`. Returns whether the
    /// attempt had not been used before, on any copy of the service. Also deletes some expired attempts.
    pub async fn use_attempt(&self, digest: String, now: Timestamp) -> Result<bool, StoreError> {
        // Reads first, so that repeated attempts do not delay other writes.
        let used = Statement::new("SELECT a.digest FROM used_attempt a WHERE a.digest = $digest");
        if !self.get(used.with("digest", &digest)).await?.is_empty() {
            return Ok(false);
        }
        let columns = vec![("digest", digest.into()), ("at", now.into())];
        let first = Statement::insert("used_attempt", columns).then("ON CONFLICT (digest) DO NOTHING").expect(1);
        let old = self.dialect().delete_first("used_attempt", &["digest"], "e.at <= $before", "e.at");
        let old = Statement::new(old).with("before", now.earlier_by(ATTEMPT_VALIDITY));
        self.write_if("use_attempt", vec![first, old]).await
    }

    /// Begins a session of a person with these claims of a provider, and adds the person if the directory does not know
    /// them. Ends the session `replaced`.
    pub async fn sign_in_by_provider(
        &self,
        claims: ProviderClaims,
        session: String,
        replaced: Option<String>,
        at: Timestamp,
    ) -> Result<SignIn, StoreError> {
        let reads =
            vec![person_row::locked(self.dialect()).with("id", claims.id), people::same_email(claims.email.as_deref())];
        let enter = move |found: &[Rows]| {
            let before = found[0].first().map(person_row::read).transpose()?;
            let others = found[1].iter().map(|row| Ok(row.parsed::<ObjectId>("id")? != claims.id));
            let is_email_free = !others.collect::<Result<Vec<_>, StoreError>>()?.contains(&true);
            let person = claims.person(before.clone(), is_email_free, at);
            let mut statements = Vec::new();
            if before.is_none() {
                // Two sign-ins of a new person may come at the same time. One of them finds the person when it runs
                // again.
                let columns = person_row::columns(&person);
                statements.push(Statement::insert("person", columns).then("ON CONFLICT (id) DO NOTHING").expect(1));
            }
            if before.as_ref().is_some_and(|before| before.origin.is_here()) {
                // From now on, the person signs in with the provider, so the password is deleted.
                statements.push(passwords::delete_password_of(person.id));
            }
            if before.as_ref().is_some_and(|before| before.email != person.email) {
                statements.push(sessions::end_links_of(person.id));
            }
            // For a new person, the audit log records only the role.
            let none = Person { provider_role: None, ..person.clone() };
            let changed = change(before.as_ref().unwrap_or(&none), &person, at);
            let is_changed = before.as_ref() != Some(&person);
            let mut after: Vec<Statement> =
                changed.map(|entry| audit::record(&entry)).transpose()?.into_iter().collect();
            if is_changed {
                after.push(person_row::count_change());
            }
            Ok(Some(SignInPlan { person, before: statements, after }))
        };
        let session = NewSession { digest: session, replaced, by: SignedInBy::Provider, at };
        self.begin_session("sign_in_by_provider", session, reads, enter).await
    }
}

/// Returns the audit entry about the properties of a person that the provider has changed; `None` if it has changed
/// none.
fn change(before: &Person, after: &Person, at: Timestamp) -> Option<AuditEntry> {
    let differs = [
        ("name", before.name != after.name),
        ("email", before.email != after.email),
        ("providerRole", before.provider_role != after.provider_role),
    ];
    let fields = differs.into_iter().filter(|(_, differs)| *differs).map(|(name, _)| name.to_owned());
    let fields: Vec<String> = fields.collect();
    let actor = AuditActor { user: Some(after.id), key: None };
    let action = AuditAction::person_changed(before, after, fields.clone());
    (!fields.is_empty()).then(|| Stamp { actor, at }.entry(action))
}
