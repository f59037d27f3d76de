//! Why a schema cannot be used.

/// Why a schema cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SchemaError {
    /// The text is not JSON.
    #[error("{0}")]
    Json(String),
    /// The text is JSON, but not a schema that Fieldbook accepts.
    #[error("at {path}: {message}")]
    Invalid {
        /// Position in the schema, as a JSON Pointer; `/` for the root.
        path: String,
        /// The problem.
        message: String,
    },
}

impl SchemaError {
    /// Creates the error for a problem at `path`.
    pub fn invalid(path: impl Into<String>, message: impl Into<String>) -> Self {
        Self::Invalid { path: path.into(), message: message.into() }
    }
}
