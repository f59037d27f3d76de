//! The doctor's report on a store with another store version or another schema.

use std::fs;

use super::doctor::{change, filled, told_of};

#[test]
fn schema_changed_by_another_program_is_a_problem() {
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
fn stores_of_other_versions_are_named_with_a_remedy() {
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
