//! Splits a file into its documents: one on each line, spread over lines (`--pretty`), or in one array (`--jsonArray`).

use serde_json::value::RawValue;

const BYTE_ORDER_MARK: &[u8] = "\u{feff}".as_bytes();

/// Returns the text of each document, with the number of its first line. A part that is not JSON is a text, too.
pub fn split(file: &[u8]) -> Result<Vec<(usize, &[u8])>, String> {
    if file.starts_with(&[0xff, 0xfe]) || file.starts_with(&[0xfe, 0xff]) {
        return Err("it is UTF-16; in PowerShell, use mongoexport --out FILE instead of >".to_owned());
    }
    let mut rest = file.strip_prefix(BYTE_ORDER_MARK).unwrap_or(file).trim_ascii();
    let mut texts = Vec::new();
    if rest.starts_with(b"[") {
        let elements: Result<Vec<&RawValue>, _> = serde_json::from_slice(rest);
        let elements = elements.map_err(|e| format!("its array is broken: {e}; export it again"))?;
        texts.extend(elements.into_iter().map(|element| element.get().as_bytes()));
        rest = &[];
    }
    while !rest.is_empty() {
        let mut values = serde_json::Deserializer::from_slice(rest).into_iter::<&RawValue>();
        let length = match values.next() {
            Some(Ok(_)) => values.byte_offset(),
            _ => length_of_broken(rest),
        };
        let (text, more) = rest.split_at(length);
        texts.push(text);
        rest = more.trim_ascii_start();
    }
    let (mut line, mut counted) = (1, file);
    let number = |text: &[u8]| {
        let before = counted.len() - (counted.as_ptr_range().end as usize - text.as_ptr() as usize);
        let (passed, after) = counted.split_at(before);
        line += passed.iter().filter(|byte| **byte == b'\n').count();
        counted = after;
        line
    };
    let numbers: Vec<_> = texts.iter().copied().map(number).collect();
    Ok(numbers.into_iter().zip(texts).collect())
}

/// Returns the length up to the next line that begins with a brace. mongoexport indents what is inside a document, so
/// this line begins the next document.
fn length_of_broken(text: &[u8]) -> usize {
    text.windows(2).position(|pair| pair == b"\n{").map_or(text.len(), |end| end + 1)
}
