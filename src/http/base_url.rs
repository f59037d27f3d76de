//! The address under which people reach the service.

use axum::http::{HeaderMap, header};

use super::error::ApiError;
use crate::app::HttpSettings;

/// Returns the base URL of the service: the URL in the settings, or else a URL with the host in the request.
pub fn base(http: &HttpSettings, headers: &HeaderMap) -> Result<String, ApiError> {
    if let Some(url) = &http.public_url {
        return Ok(url.clone());
    }
    let host = headers.get(header::HOST).and_then(|host| host.to_str().ok()).filter(|host| !host.is_empty());
    host.map(|host| format!("http://{host}")).ok_or_else(|| ApiError::invalid_at("Host", "is required"))
}
