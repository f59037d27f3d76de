//! Splits a file into its documents: one on each line, spread over lines (`--pretty`), or in one array (`--jsonArray`).

use serde_json::value::RawValue;
use serde_json::{Deserializer, Error};

const BYTE_ORDER_MARK: &[u8] = "\u{feff}".as_bytes();

/// Returns the text of each document. The error says why the file cannot be read.
pub fn split(file: &[u8]) -> Result<Vec<&str>, String> {
    if file.starts_with(&[0xff, 0xfe]) || file.starts_with(&[0xfe, 0xff]) {
        return Err("it is UTF-16; in PowerShell, use mongoexport --out FILE instead of >".to_owned());
    }
    let broken = |error: Error| format!("it is broken: {error}; export it again");
    let text = file.strip_prefix(BYTE_ORDER_MARK).unwrap_or(file);
    let mut documents = Vec::new();
    for value in Deserializer::from_slice(text).into_iter::<&RawValue>() {
        let value = value.map_err(broken)?.get();
        if value.starts_with('[') {
            let elements: Vec<&RawValue> = serde_json::from_str(value).map_err(broken)?;
            documents.extend(elements.into_iter().map(RawValue::get));
        } else {
            documents.push(value);
        }
    }
    Ok(documents)
}
