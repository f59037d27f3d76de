//! The example investigations in `examples/`, which are embedded in the program.

use std::collections::BTreeMap;

use include_dir::{Dir, include_dir};
use serde_json::{Map, Value};

static EXAMPLES: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/examples");

/// Returns the examples by file name, in alphabetical order.
///
/// # Errors
/// A sentence that names the first file that does not contain a JSON object.
pub fn read() -> Result<BTreeMap<String, Map<String, Value>>, String> {
    let mut examples = BTreeMap::new();
    for file in EXAMPLES.files() {
        let name = file.path().display().to_string();
        let content =
            serde_json::from_slice(file.contents()).map_err(|e| format!("the example {name} is damaged: {e}"))?;
        examples.insert(name, content);
    }
    Ok(examples)
}
