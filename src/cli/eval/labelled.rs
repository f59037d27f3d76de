//! Reads labelled documents: one JSON object per line, with the contradictions that a person has added to the document
//! on purpose.

use serde::Deserialize;
use serde_json::Value;

use crate::domain::content::Content;
use crate::domain::path::FieldPath;

#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Labelled {
    pub id: String,
    pub labels: Vec<Label>,
    /// Edits that remove the contradictions from the document; `None` if the file does not give any.
    #[serde(default)]
    pub clean_twin_patch: Option<Vec<Replacement>>,
    pub doc: Content,
}

#[derive(Debug, Clone, Deserialize)]
pub struct Label {
    /// Kind of contradiction, such as `opposite statements`.
    #[serde(rename = "type")]
    pub kind: String,
    /// Paths of the two sides of the contradiction, such as `steps[4].text` and `assessment`.
    pub fields: [String; 2],
    /// Other pairs of paths that are also accepted as the two sides.
    #[serde(default)]
    pub alt: Vec<[String; 2]>,
}

/// A new value for a path. The value null removes a member of an object.
#[derive(Debug, Clone, Deserialize)]
pub struct Replacement {
    path: String,
    value: Value,
}

impl Label {
    /// Returns all pairs of paths that are accepted as the two sides.
    pub fn pairs(&self) -> impl Iterator<Item = [FieldPath; 2]> + '_ {
        std::iter::once(&self.fields).chain(&self.alt).map(|pair| [place(&pair[0]), place(&pair[1])])
    }
}

impl Labelled {
    pub fn read(text: &str) -> Result<Vec<Self>, String> {
        let lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
        lines.map(|(i, line)| serde_json::from_str(line).map_err(|e| format!("line {}: {e}", i + 1))).collect()
    }

    /// Returns the document without its contradictions; `None` if no edits are given.
    pub fn clean_version(&self) -> Result<Option<Content>, String> {
        let Some(replacements) = &self.clean_twin_patch else { return Ok(None) };
        let mut clean = Value::Object(self.doc.clone());
        for Replacement { path, value } in replacements {
            put(&mut clean, path, value.clone())
                .ok_or_else(|| format!("{}: the patch names {path}, which does not exist", self.id))?;
        }
        match clean {
            Value::Object(content) => Ok(Some(content)),
            _ => Ok(None),
        }
    }
}

/// Parses a path such as `steps[2].text`.
fn place(path: &str) -> FieldPath {
    FieldPath::parse(&path.replace('[', ".").replace(']', ""))
}

fn put(document: &mut Value, path: &str, value: Value) -> Option<()> {
    let pointer = format!("/{}", path.replace(['[', '.'], "/").replace(']', ""));
    let (above, last) = pointer.rsplit_once('/')?;
    match document.pointer_mut(above)? {
        Value::Object(members) if value.is_null() => {
            members.shift_remove(last);
        }
        Value::Object(members) => {
            members.insert(last.to_owned(), value);
        }
        Value::Array(elements) => {
            let index: usize = last.parse().ok()?;
            if index == elements.len() {
                elements.push(value);
            } else {
                *elements.get_mut(index)? = value;
            }
        }
        _ => return None,
    }
    Some(())
}

#[cfg(test)]
#[path = "../../../tests/unit/cli/eval/labelled.rs"]
mod tests;
