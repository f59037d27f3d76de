"""Creates, lists, updates, undoes and mends an investigation, and makes and visits a link to it, with generated types.

    python main.py ADDRESS TOKEN
"""

import sys
from http import HTTPStatus
from typing import TypeVar

from fieldbook_client import AuthenticatedClient, models
from fieldbook_client.api.investigation import (
    create_investigation,
    delete_investigation,
    get_investigation_versions,
    get_investigations,
    resolve_contradiction,
    undo_investigation,
    update_investigation,
)
from fieldbook_client.api.link import create_link, list_own_links, resolve_link
from fieldbook_client.types import UNSET, Response, Unset

Answer = TypeVar("Answer")


def check(condition: bool, what: str) -> None:
    if not condition:
        raise AssertionError(f"wrong: {what}")


def ok(response: Response[Answer | models.ErrorBody]) -> Answer:
    """Returns the parsed answer, or fails with the error that the service gave."""
    parsed = response.parsed
    if parsed is None or isinstance(parsed, models.ErrorBody):
        raise AssertionError(f"{response.status_code}: {response.content!r}")
    return parsed


def main(address: str, token: str) -> None:
    client = AuthenticatedClient(base_url=address, token=token)

    lesson = models.InvestigationBody(
        title="Cress in Python",
        grade=5,
        duration_minutes=40,
        materials=[models.ContentMaterialsItem(name="cress seeds", quantity=20)],
        steps=[
            models.ContentStepsItem(text="Sow the cress", minutes=30),
            models.ContentStepsItem(text="Water it", minutes=20),
        ],
    )
    lesson["station"] = {"room": "B12"}  # a field that the schema does not name
    created = create_investigation.sync_detailed(client=client, body=lesson)
    investigation = ok(created).data
    check(created.headers["Location"] == f"/api/investigation/{investigation.field_id}", "Location")
    check(investigation.title == "Cress in Python", "the title")
    steps = investigation.steps
    check(not isinstance(steps, Unset) and steps[1].minutes == 20, "the steps")
    check(investigation["station"] == {"room": "B12"}, "a field of its own")
    check(investigation.status == models.Status.DRAFT_INCOMPLETE, "the status")
    check(investigation.contradictions[0].field_name == "durationMinutes", "the contradiction")
    check(investigation.created_at.tzinfo is not None, "the time")

    statuses = [models.Status.DRAFT_INCOMPLETE, models.Status.PUBLISHED]
    listed = get_investigations.sync_detailed(client=client, status=statuses, fields=["title", "grade"], limit=100)
    rows = [row for row in ok(listed).data.items if row.field_id == investigation.field_id]
    check(len(rows) == 1 and rows[0].title == investigation.title and rows[0].steps is UNSET, "the row")

    updated = update_investigation.sync_detailed(
        investigation.field_id,
        client=client,
        body=models.InvestigationPatch(title="Garden cress", group_size=2, grade=None),
        if_match=created.headers["ETag"],
    )
    check(ok(updated).updated_investigation.title == "Garden cress", "the new title")
    check(ok(updated).updated_investigation.grade is UNSET, "the removed grade")

    undone = ok(undo_investigation.sync_detailed(investigation.field_id, client=client)).data
    check(undone.title == investigation.title and undone.grade == 5 and undone.group_size is UNSET, "undo")
    check(undone["station"] == {"room": "B12"}, "a field of its own after undo")
    versions = ok(get_investigation_versions.sync_detailed(investigation.field_id, client=client)).data
    check(versions[0].kind == models.VersionKind.UPDATE and versions[0].undone, "the version")

    field = models.FieldNameBody(field_name="durationMinutes")
    mended = ok(resolve_contradiction.sync_detailed(investigation.field_id, client=client, body=field)).data
    check(mended.investigation.contradictions == [], "resolve")

    body = models.LinkBody(key="clients", description="", shows=models.Shows.HANDOUT)
    link = ok(create_link.sync_detailed(investigation.field_id, client=client, body=body)).data
    visit = ok(resolve_link.sync_detailed(link.key, link.sub_link, client=client)).data
    check(visit.investigation_id == investigation.field_id and visit.visit_count == 1, "the visit")
    own = ok(list_own_links.sync_detailed(client=client, limit=1)).data
    check(own[0].field_id == link.field_id, "the own link")

    failed = resolve_link.sync_detailed("clients", "none", client=client)
    check(failed.status_code == HTTPStatus.NOT_FOUND, "the error")
    check(isinstance(failed.parsed, models.ErrorBody) and failed.parsed.code == models.ErrorCode.LINK_NOT_FOUND, "the code")
    ok(delete_investigation.sync_detailed(investigation.field_id, client=client))
    print("python: all answers are right")


main(*sys.argv[1:3])
