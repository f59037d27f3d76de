//! Findings of the doctor, printed as lines for people or as JSON for programs. Programs may rely on the names of
//! checks, which do not change.

use std::fmt;

use serde::Serialize;

/// Severity of a finding.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Level {
    Ok,
    /// The service works, but the operator should know about this finding.
    Warning,
    /// The service, or a part of it, does not work.
    Problem,
}

/// Result of one check.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
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

    /// Creates the finding for an optional service that is not configured.
    pub fn not_set_up(check: &'static str) -> Self {
        Self::ok(check, "not set up")
    }

    pub fn warning(check: &'static str, message: impl Into<String>, remedy: impl Into<String>) -> Self {
        Self { check, level: Level::Warning, message: message.into(), remedy: Some(remedy.into()) }
    }

    pub fn problem(check: &'static str, message: impl Into<String>, remedy: impl Into<String>) -> Self {
        Self { check, level: Level::Problem, message: message.into(), remedy: Some(remedy.into()) }
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
        let level = match self.level {
            Level::Ok => "ok",
            Level::Warning => "warning",
            Level::Problem => "problem",
        };
        write!(f, "{level:<8} {:<18} {}", self.check, self.message)?;
        self.remedy.iter().try_for_each(|remedy| write!(f, "; {remedy}"))
    }
}

/// Formats all findings and their highest severity as JSON.
pub fn as_json(findings: &[Finding]) -> String {
    #[derive(Serialize)]
    struct Report<'f> {
        level: Level,
        findings: &'f [Finding],
    }
    let level = findings.iter().map(|finding| finding.level).max().unwrap_or(Level::Ok);
    // Serialization cannot fail, because the report consists of strings and names.
    serde_json::to_string_pretty(&Report { level, findings }).unwrap_or_default()
}
