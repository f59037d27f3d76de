"""Which failures of schemathesis' checks are none, because the interface says so or because no JSON Schema can say it."""

import json

import schemathesis
from schemathesis.core.failures import Failure, ServerError
from schemathesis.openapi.checks import EnsureResourceAvailability, RejectedPositiveData

# Failures inside an operation have the status 500 in the interface's table. Any other code with it is a finding.
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

# What the service keeps to the letter or refuses by name, anywhere in a body.
REFUSALS = (
    "cannot be stored",
    "has the key",
    "holds a NUL character",
    "is nested deeper than 64 levels",
    "must not hold a NUL character",
)


def answer_of(response):
    try:
        answer = json.loads(response.content)
    except ValueError:
        return {}
    return answer if isinstance(answer, dict) else {}


@schemathesis.hook
def filter_failure(context, failure: Failure, case, response) -> bool:
    """Whether a failure counts."""
    answer = answer_of(response)
    if isinstance(failure, ServerError):
        return answer.get("code") not in FAILURES
    if isinstance(failure, RejectedPositiveData):
        errors = answer.get("errors", [])
        return not errors or not all(beyond_schema(error, case) for error in errors)
    # A creation that is sent again under its Idempotency-Key gets its first answer, also when what that tells of was
    # deleted since; the check takes it for a new creation. Without a key, what was created is there: tests/it/store/walk.rs.
    return not isinstance(failure, EnsureResourceAvailability)


def beyond_schema(error, case) -> bool:
    """Whether a schema could not have said that this would be refused."""
    # Only a service that has given a cursor knows it, and a cursor takes the place of an offset.
    if error["path"] in ("cursor", "offset") and "cursor" in (case.query or {}):
        return True
    if error["path"] == "search" and "at most 50 words" in error["message"]:
        return True
    # Which versions an investigation has, only a request can tell.
    if error["path"] == "version" and "is not the number of a version" in error["message"]:
        return True
    return any(refusal in error["message"] for refusal in REFUSALS)
