"""Ignores failures of schemathesis' checks that the API documentation allows, or that no JSON Schema can rule out."""

import json

import schemathesis
from schemathesis.core.failures import AcceptedNegativeData, Failure, ServerError
from schemathesis.openapi.checks import EnsureResourceAvailability, IgnoredAuth, RejectedPositiveData

# Error codes that the API documentation lists with the status 500. Any other code with this status is a finding.
FAILURES = {
    "chat_not_found",
    "changed_meanwhile",
    "investigation_not_found",
    "no_model",
    "not_resolved",
    "nothing_to_redo",
    "nothing_to_undo",
    "version_not_found",
}

# Reasons for which the service rejects a value anywhere in a body, and which no schema can express.
REFUSALS = (
    "cannot be stored",
    "has the key",
    "holds a NUL character",
    "is nested deeper than 32 levels",
    "is nested deeper than 64 levels",
    "must be the id of a picture that this investigation holds",
    "must not hold a NUL character",
)


def answer_of(response):
    """Returns the body of a response if it is a JSON object; otherwise an empty object."""
    try:
        answer = json.loads(response.content)
    except ValueError:
        return {}
    return answer if isinstance(answer, dict) else {}


@schemathesis.hook
def filter_failure(context, failure: Failure, case, response) -> bool:
    """Returns whether a failure is a finding."""
    answer = answer_of(response)
    if isinstance(failure, ServerError):
        return answer.get("code") not in FAILURES
    if isinstance(failure, RejectedPositiveData) and case.operation.definition.raw.get("operationId") == "addPicture":
        # No schema says which bytes are a picture.
        return answer.get("code") not in ("unsupported_media_type", "validation_failed", "too_large")
    if isinstance(failure, RejectedPositiveData):
        errors = answer.get("errors", [])
        return not errors or not all(beyond_schema(error, case) for error in errors)
    # Signing out always succeeds, even with a session that has ended.
    if isinstance(failure, IgnoredAuth) and case.operation.definition.raw.get("operationId") == "deleteSession":
        return False
    if isinstance(failure, AcceptedNegativeData) and case.operation.definition.raw.get("operationId") == "createInvestigation":
        # The service treats a field with the value null as if it were left out. The OpenAPI schema does not say so,
        # because clients that are generated from it would then need a second set of types for the same content.
        return "null" not in json.dumps(case.body, default=str)
    if isinstance(failure, AcceptedNegativeData) and case.operation.definition.raw.get("operationId") == "splitText":
        # Any text is a document, even a text in the format of JSON.
        return case.media_type == "application/json"
    # A repeated creation with the same Idempotency-Key gets the first answer again, even if the investigation has been
    # deleted since. The check mistakes the repetition for a new creation. tests/it/store/walk.rs checks that a creation
    # without a key is stored.
    return not isinstance(failure, EnsureResourceAvailability)


def beyond_schema(error, case) -> bool:
    """Returns whether no schema could express the reason of a rejection."""
    # Only the service knows which cursors are valid. A cursor also replaces the offset.
    if error["path"] in ("cursor", "offset") and "cursor" in (case.query or {}):
        return True
    if error["path"] == "search" and "at most 50 words" in error["message"]:
        return True
    # Schemathesis generates an entity tag such as `"0"` from the pattern of `If-Match`, but then removes the quotes: it
    # sends `If-Match: 0`.
    if error["path"] == "If-Match" and '"' not in str((case.headers or {}).get("If-Match", "")):
        return True
    # A schema cannot know which versions an investigation has.
    if error["path"] == "version" and "is not the number of a version" in error["message"]:
        return True
    return any(refusal in error["message"] for refusal in REFUSALS)
