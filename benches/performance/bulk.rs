//! Stores with many investigations. They are created once under `target/`, and later runs use them again.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use fieldbook::clock::Clock;
use fieldbook::domain::audit::AuditActor;
use fieldbook::domain::finding::Findings;
use fieldbook::domain::investigation::{Investigation, NewInvestigation};
use fieldbook::domain::schema::{self, Schema};
use fieldbook::domain::time::Timestamp;
use fieldbook::ids::Ids;
use fieldbook::store::{Backend, Store, StoreLocation};

use crate::texts;

/// Number of tasks that write at the same time. The store commits their writes in groups.
const HANDS: u64 = 256;

/// Approximate size of a document, in bytes.
const BYTES: usize = 2048;

/// Number of investigations that contain the rare words [`texts::RARE`], in a store of any size.
pub const MATCHES: u64 = 100;

/// Returns the folder of a store with `count` investigations. Creates the store if no earlier run has completed it.
pub fn store(folder: &Path, count: u64) -> Result<PathBuf, String> {
    let store = folder.join(format!("{count}-investigations"));
    let finished = store.join("finished");
    if finished.is_file() {
        return Ok(store);
    }
    let _ = fs::remove_dir_all(&store);
    fs::create_dir_all(&store).map_err(|e| format!("{store:?}: {e}"))?;
    eprintln!("making {count} investigations in {store:?}");
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().map_err(|e| e.to_string())?;
    runtime.block_on(fill(&store, count))?;
    fs::write(&finished, "").map_err(|e| format!("{finished:?}: {e}"))?;
    Ok(store)
}

async fn fill(folder: &Path, count: u64) -> Result<(), String> {
    let place = StoreLocation { backend: Backend::Embedded(folder.to_owned()), migrate: true };
    let store = Arc::new(Store::open(place).await.map_err(|e| e.to_string())?);
    let schema = Arc::new(Schema::parse(schema::BUILT_IN).map_err(|e| e.to_string())?);
    let ids = Ids::random();
    let begin = Clock::system().now().0 - count as i64;
    let next = Arc::new(AtomicU64::new(0));
    let hands = (0..HANDS).map(|_| {
        let (store, schema, ids, next) = (store.clone(), schema.clone(), ids.clone(), next.clone());
        tokio::spawn(async move {
            loop {
                let number = next.fetch_add(1, Ordering::Relaxed);
                if number >= count {
                    return Ok::<(), String>(());
                }
                let at = Timestamp(begin + number as i64);
                let content = texts::investigation(number, BYTES, number % (count / MATCHES).max(1) == 0);
                let content = content.as_object().cloned().unwrap_or_default();
                let id = ids.object_id(at);
                let birth =
                    NewInvestigation { id, author: None, metadata_author: None, status: None, cloned_from: None, at };
                let new = Investigation::new(birth, content, Findings::default(), &schema);
                let row = fieldbook::store::InvestigationRow::of(new).map_err(|e| e.to_string())?;
                store.create(row, ids.object_id(at), None, AuditActor::default()).await.map_err(|e| e.to_string())?;
            }
        })
    });
    for hand in hands.collect::<Vec<_>>() {
        hand.await.map_err(|e| e.to_string())??;
    }
    store.close().await;
    Ok(())
}
