//! Refuses changes that a page of another site sends with somebody's browser. Browsers say where a request comes from.

use axum::extract::Request;
use axum::http::{HeaderName, StatusCode, header};

use super::error::ApiError;
use super::error_code::ErrorCode;
use crate::app::{HttpSettings, Origins};

const FETCH_SITE: HeaderName = HeaderName::from_static("sec-fetch-site");

/// Refuses a request that may change something, if it comes from a page of another origin that the setting
/// `cors-origins` does not name. The value `*` names none.
pub fn check(http: &HttpSettings, request: &Request) -> Result<(), ApiError> {
    let headers = request.headers();
    let is_other = headers.get(FETCH_SITE).is_some_and(|site| site == "cross-site" || site == "same-site");
    if request.method().is_safe() || !is_other {
        return Ok(());
    }
    let is_named = match (&http.cors_origins, headers.get(header::ORIGIN)) {
        (Origins::Listed(named), Some(origin)) => named.iter().any(|named| origin == named.as_str()),
        _ => false,
    };
    let refusal = || {
        ApiError::new(StatusCode::FORBIDDEN, ErrorCode::CrossSite, "Not allowed")
            .with_reason("pages of other sites may not change anything; see the setting cors-origins")
    };
    if is_named { Ok(()) } else { Err(refusal()) }
}
