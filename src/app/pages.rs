//! A cache of rendered pages. The store returns the same shared value for an investigation until the investigation
//! changes. So a cached page is valid as long as the store returns the value from which the page was rendered.

use std::sync::Arc;

use quick_cache::Weighter;
use quick_cache::sync::Cache;

use crate::domain::content::RawContent;
use crate::domain::id::ObjectId;
use crate::domain::investigation::Investigation;
use crate::domain::link::Shows;

/// Maximum total size of the cached pages, in bytes.
const MAX_BYTES: u64 = 8 * 1024 * 1024;
const TYPICAL_BYTES: usize = 8 * 1024;

/// Key of a cached page: the id of the investigation, the version that a link is pinned to (`None` for the current
/// version), and the parts that are shown.
pub type PageKey = (ObjectId, Option<u64>, Shows);

type SharedInvestigation = Arc<Investigation<RawContent>>;

/// Cache of the HTML pages that short links open.
#[derive(Debug)]
pub struct Pages(Cache<PageKey, (SharedInvestigation, Arc<[u8]>), BySize>);

#[derive(Debug, Clone)]
struct BySize;

impl Weighter<PageKey, (SharedInvestigation, Arc<[u8]>)> for BySize {
    fn weight(&self, _: &PageKey, (_, html): &(SharedInvestigation, Arc<[u8]>)) -> u64 {
        html.len() as u64
    }
}

impl Default for Pages {
    fn default() -> Self {
        Self(Cache::with_weighter(MAX_BYTES as usize / TYPICAL_BYTES, MAX_BYTES, BySize))
    }
}

impl Pages {
    /// Returns the cached page if it was rendered from this same [`Arc`] of the investigation; otherwise `None`.
    pub fn get(&self, key: &PageKey, investigation: &SharedInvestigation) -> Option<Arc<[u8]>> {
        self.0.get(key).filter(|(source, _)| Arc::ptr_eq(source, investigation)).map(|(_, html)| html)
    }

    /// Caches a page together with the investigation from which it was rendered.
    pub fn insert(&self, key: PageKey, investigation: SharedInvestigation, html: Arc<[u8]>) {
        self.0.insert(key, (investigation, html));
    }
}
