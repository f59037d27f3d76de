//! The audience of a lesson sheet.

use serde_json::Value;
use strum::{IntoStaticStr, VariantArray};

use crate::link::Shows;

/// The audience of a lesson sheet. It decides which fields the sheet shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, IntoStaticStr, VariantArray)]
#[strum(serialize_all = "lowercase")]
pub enum Audience {
    /// Pupils: the fields that the schema marks with `"x-audience": "pupil"`.
    Pupils,
    /// A class that writes on the sheet: the fields for pupils, with lines to write on.
    Class,
    /// Teachers: every field, named by the schema or not.
    Teachers,
}

impl Audience {
    /// Returns the audience of a link's page; `None` if the page shows nothing.
    pub const fn of(shows: Shows) -> Option<Self> {
        match shows {
            Shows::Nothing => None,
            Shows::Handout => Some(Self::Pupils),
            Shows::Lesson => Some(Self::Teachers),
        }
    }

    /// Returns whether this audience sees a field with this schema. The schema is null for a field that the content
    /// schema does not name.
    pub(super) fn reads(self, property: &Value) -> bool {
        self == Self::Teachers || property.get("x-audience").and_then(Value::as_str) == Some("pupil")
    }
}
