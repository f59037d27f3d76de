//! Unit tests of `src/app/edit_locks.rs`.

use std::time::Duration;

use tokio::time::timeout;

use super::*;

fn id(number: usize) -> ObjectId {
    format!("{number:024x}").parse().expect("an id")
}

#[tokio::test]
async fn edit_lock_of_one_investigation_does_not_block_other_investigations() {
    let locks = EditLocks::default();
    let held = locks.lock(id(7)).await;
    for other in (0..5_000).filter(|number| *number != 7) {
        let free = timeout(Duration::ZERO, locks.lock(id(other))).await;
        assert!(free.is_ok(), "{other}");
    }
    assert!(timeout(Duration::ZERO, locks.lock(id(7))).await.is_err());
    drop(held);
    assert!(timeout(Duration::ZERO, locks.lock(id(7))).await.is_ok());
    assert!(locks.known() <= MIN_CLEANED + 1, "locks that nobody uses are forgotten");
}
