//! The doctor's report on a store with another store version or another schema.

use std::fs;

use super::doctor::{change, filled, told_of};

#[test]
fn doctor_reports_a_database_schema_changed_by_another_program() {
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
fn doctor_reports_a_store_of_another_version_with_a_remedy() {
    let folder = filled();
    change(folder.path(), "PRAGMA user_version = 99");
    insta::assert_snapshot!(told_of(&["store-version"], folder.path(), &[]), @"
    exit 1
    problem  store-version      belongs to a newer Fieldbook (store version 99, this program knows N); run the newer version
    ");
    fs::write(folder.path().join("fieldbook.sqlite3"), "no store at all, but a text of some length").expect("written");
    insta::assert_snapshot!(told_of(&["store"], folder.path(), &[]), @"
    exit 1
    problem  store              cannot read the store DATA/fieldbook.sqlite3: file is not a database; check --data
    ");
}
