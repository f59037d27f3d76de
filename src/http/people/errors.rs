//! Errors of several operations on people.

use axum::http::StatusCode;

use crate::domain::person::LAST_ADMIN;
use crate::http::error::ApiError;
use crate::http::error_code::ErrorCode;

pub fn unknown() -> ApiError {
    ApiError::new(StatusCode::NOT_FOUND, ErrorCode::PersonNotFound, "Person not found")
}

pub fn disabled() -> ApiError {
    ApiError::new(StatusCode::CONFLICT, ErrorCode::PersonDisabled, "Not possible")
        .with_reason("this person was disabled or erased; set the status to active first")
}

pub fn email_taken() -> ApiError {
    ApiError::new(StatusCode::CONFLICT, ErrorCode::EmailTaken, "Not possible")
        .with_reason("another person has this e-mail address")
}

pub fn last_admin() -> ApiError {
    ApiError::new(StatusCode::CONFLICT, ErrorCode::LastAdmin, "Not possible").with_reason(LAST_ADMIN)
}
