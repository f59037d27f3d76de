//! Findings of the doctor, printed as lines for people or as JSON for programs. Programs may rely on the names of
//! checks, which do not change.

use std::fmt;

use serde::Serialize;
use serde_json::json;

pub const NOT_SET_UP: &str = "not set up";

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, strum::Display)]
#[serde(rename_all = "lowercase")]
#[strum(serialize_all = "lowercase")]
pub enum Level {
    Ok,
    Warning,
    Problem,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Finding {
    check: &'static str,
    pub level: Level,
    message: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    remedy: Option<String>,
}

impl Finding {
    pub fn ok(check: &'static str, message: impl Into<String>) -> Self {
        Self { check, level: Level::Ok, message: message.into(), remedy: None }
    }

    pub fn warning(check: &'static str, message: impl Into<String>, remedy: impl Into<String>) -> Self {
        Self { check, level: Level::Warning, message: message.into(), remedy: Some(remedy.into()) }
    }

    pub fn problem(check: &'static str, message: impl Into<String>, remedy: impl Into<String>) -> Self {
        // In a printed line, a semicolon separates the message from the remedy, so the message must not contain one.
        let message = message.into().replace("; ", ", ");
        Self { check, level: Level::Problem, message, remedy: Some(remedy.into()) }
    }

    /// Creates a problem from an error message. The text after the last semicolon becomes the remedy. If there is no
    /// semicolon, the remedy is `otherwise`.
    pub fn from_sentence(check: &'static str, sentence: &str, otherwise: &str) -> Self {
        let (message, remedy) = sentence.rsplit_once("; ").unwrap_or((sentence, otherwise));
        Self::problem(check, message, remedy)
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:<8} {:<18} {}", self.level, self.check, self.message)?;
        self.remedy.iter().try_for_each(|remedy| write!(f, "; {remedy}"))
    }
}

pub fn as_json(findings: &[Finding]) -> String {
    let level = findings.iter().map(|finding| finding.level).max().unwrap_or(Level::Ok);
    format!("{:#}", json!({ "level": level, "findings": findings }))
}
