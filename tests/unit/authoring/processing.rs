//! Unit tests of `src/authoring/processing.rs`.

use super::*;

async fn panics() -> Result<(), Failure> {
    panic!("a bug")
}

#[tokio::test]
async fn work_that_panics_fails_as_a_panic_and_does_not_blame_the_store() {
    assert!(matches!(detached(panics()).await, Err(Failure::Panicked)));
    assert!(matches!(detached(async { Err::<(), _>(Failure::Stopping) }).await, Err(Failure::Stopping)));
    assert!(matches!(detached(async { Ok(7) }).await, Ok(7)));
}
