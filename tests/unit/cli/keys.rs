//! Unit tests of `src/cli/keys.rs`.

use super::*;

#[test]
fn message_about_a_key_that_may_have_been_added_says_how_to_revoke_it() {
    let id = "64b64c6f1f4e4b0012345678".parse().expect("an id");
    assert_eq!(
        add_error(id, &StoreError::Unanswered("R".to_owned())),
        "the key above may have been added: the store did not answer: R; if you do not want it, run: fieldbook keys revoke \
         64b64c6f1f4e4b0012345678"
    );
    assert_eq!(add_error(id, &StoreError::Busy), "the key above was not added: the store is busy");
}
