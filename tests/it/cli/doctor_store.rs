//! The doctor's report on a store with another store version or another schema.

use std::fs;

use super::doctor::{change, filled, told_of};
use crate::store::sqlite::{
    WITHOUT_AUDIT, WITHOUT_COUNTS, WITHOUT_DELETIONS, WITHOUT_EVENTS, WITHOUT_LINK_OPTIONS, WITHOUT_SNAPSHOTS,
};

#[test]
fn a_schema_that_somebody_else_changed_is_a_problem() {
    let folder = filled();
    change(folder.path(), "ANALYZE");
    insta::assert_snapshot!(told_of(&["store-integrity"], folder.path(), &[]), @"
    exit 0
    ok       store-integrity    all of it is readable
    ");
    change(folder.path(), "CREATE TRIGGER spy AFTER INSERT ON link BEGIN DELETE FROM chat; END");
    insta::assert_snapshot!(told_of(&["store-integrity"], folder.path(), &[]), @"
    exit 1
    problem  store-integrity    another program changed its schema: the trigger spy is not Fieldbook's; undo that change, or restore a backup with fieldbook restore
    ");
}

#[test]
fn stores_of_other_forms_are_named_with_what_helps() {
    let folder = filled();
    let older = format!(
        "{WITHOUT_AUDIT}; {WITHOUT_LINK_OPTIONS}; {WITHOUT_SNAPSHOTS}; {WITHOUT_DELETIONS}; {WITHOUT_EVENTS}; {WITHOUT_COUNTS}; PRAGMA user_version = 3"
    );
    change(folder.path(), &older);
    insta::assert_snapshot!(told_of(&["store-form"], folder.path(), &[]), @"
    exit 0
    warning  store-form         is older (store version 3, this program needs 13); make a backup first; the next start migrates it
    ");
    insta::assert_snapshot!(told_of(&["store-form"], folder.path(), &["--no-migrate"]), @"
    exit 1
    problem  store-form         is older (store version 3, this program needs 13); make a backup, then run fieldbook migrate
    ");
    change(folder.path(), "PRAGMA user_version = 14");
    insta::assert_snapshot!(told_of(&["store-form"], folder.path(), &[]), @"
    exit 1
    problem  store-form         belongs to a newer Fieldbook (store version 14, this program knows 13); run the newer version
    ");
    fs::write(folder.path().join("fieldbook.sqlite3"), "no store at all, but a text of some length").expect("written");
    insta::assert_snapshot!(told_of(&["store"], folder.path(), &[]), @"
    exit 1
    problem  store              cannot read the store DATA/fieldbook.sqlite3: file is not a database; check --data
    ");
}
