"""Writes the files in this folder: four collections of an Express and Mongoose application, exported with pymongo.

    python3 -m venv /tmp/pymongo && /tmp/pymongo/bin/pip install pymongo==4.20.1
    /tmp/pymongo/bin/python crates/from-mongo/tests/make.py

The documents follow public Mongoose models. Links have isActive, activeStatus, expired or an expiry date. Chats have
entries with user and assistant, or messages with a role. Histories have before and after values, or full copies.
"""

from datetime import datetime, timedelta, timezone
from pathlib import Path

from bson import Binary, Decimal128, Int64, ObjectId, Regex, json_util

HERE = Path(__file__).parent
DAY = datetime(2024, 3, 4, 8, 30, 0, 250000, tzinfo=timezone.utc)


def oid(kind, number):
    return ObjectId(f"65e5a0{kind}0{number:016x}")


def inv(number):
    return oid("a", number)


def user(number):
    return oid("b", number)


def at(days, minutes=0):
    return DAY + timedelta(days=days, minutes=minutes)


ANNA, BEN, CARLA = user(1), user(2), user(3)

investigations = [
    {"_id": inv(1), "title": "Cress in light and dark", "grade": 5, "curriculum": "NGSS", "durationMinutes": 45.0,
     "drivingQuestion": "Does cress need light?", "objectives": ["Plan a fair test", "Record growth"],
     "steps": [{"text": "Sow 20 seeds", "minutes": 10}, {"text": "Water daily", "minutes": 35}],
     "materials": [{"name": "Cress seeds", "quantity": Int64(20)}, {"name": "Tray", "unit": None}],
     "assessment": "Draw the growth curve", "status": "published", "author": ANNA, "metadata": {"author": ANNA},
     "lastChangeWithAI": False, "contradictions": [], "version": 2, "createdAt": at(0), "updatedAt": at(9), "__v": 3},
    # Wrapped fields, each with its own history of edits.
    {"_id": inv(2), "title": {"value": "Radish race", "updatedAt": at(3), "updatedBy": BEN},
     "grade": {"value": "6", "updatedAt": at(3), "updatedBy": BEN}, "curriculum": {"value": "NGSS"},
     "durationMinutes": {"value": Int64(90)}, "status": "draft_incomplete", "author": BEN,
     "metadata": {"author": BEN, "school": {"name": "Nordschule", "city": "Kiel"}, "locale": "de-DE"},
     "createdAt": at(1), "updatedAt": at(3), "__v": 0},
    # Renamed and nested fields, and lists of texts instead of objects.
    {"_id": inv(3), "title": "Floating eggs", "gradeLevel": 4, "details": {"duration": 30, "people": 3},
     "procedure": ["Fill the glass", "Add the egg", "Stir in salt"], "tags": ["density", "kitchen"],
     "author": str(CARLA), "status": "in_development", "createdAt": at(2), "updatedAt": at(2)},
    # Measurements with a division by zero, a price, a photo and a pattern.
    {"_id": inv(4), "title": "Pendulum", "grade": 9, "measurements": [{"length": 0.5, "period": 1.42},
     {"length": 0.0, "period": float("nan")}], "error": float("inf"), "readings": [1.5, float("nan"), 2.5],
     "cost": {"amount": Decimal128("12.90"), "exact": Decimal128("0.12345678901234567890"), "currency": "EUR"},
     "photo": Binary(b"\x89PNG", 0), "answerPattern": Regex("^[0-9]+ s$", "i"), "author": ANNA, "status": "draft",
     "createdAt": at(4), "updatedAt": at(4, 30), "__v": 1},
    {"_id": inv(5), "title": None, "grade": "K", "curriculum": "", "steps": [], "variables": {}, "author": None,
     "metadata": None, "status": None, "createdAt": at(5), "updatedAt": None},
    # An old document without dates and author.
    {"_id": inv(6), "title": "Shadow clock", "steps": [{"text": "Plant the stick", "minutes": None}],
     "created": "12.03.2019", "owner": "anna@example.org"},
    {"_id": inv(7), "title": "Cress in light and dark (copy)", "clonedFrom": inv(1), "grade": 5, "author": BEN,
     "editors": [ANNA, CARLA], "hints": [{"fieldName": "steps"}], "dismissed": [{"fieldName": "title", "by": BEN}],
     "lastChangeWithAI": True, "createdAt": at(7), "updatedAt": at(6)},
    # The same id again, with another title, as after a failed restore of a backup.
    {"_id": inv(1), "title": "Cress in light", "grade": 5, "author": ANNA, "createdAt": at(0)},
    {"_id": "legacy-17", "title": "Imported from the old wiki", "grade": 3},
    {"_id": inv(10), "lastChangeWithAI": False, "author": "not an id", "createdAt": "yesterday", "__v": 0},
    {"_id": inv(11), "title": "Ünïcödé 🌱 \"quoted\" <b>bold</b>", "drivingQuestion": "line\nbreak",
     "vocabulary": [{"term": "Keim", "definition": "germ"}], "counts": {"2024-03-01": 4, "2024-03-02": Int64(2**40)},
     "groupSize": Int64(4), "createdAt": at(11), "updatedAt": at(11)},
    {"_id": inv(12), "seededBy": "migration 0007", "jobs": ["reindex"], "doneAt": at(12)},
]

chats = [
    {"_id": oid("c", 1), "investigationId": inv(1), "history": [
        {"_id": oid("e", 1), "user": {"content": "Why 45 minutes?"},
         "assistant": {"content": "The steps take 45.", "metadata": "{\"title\":\"Cress\"}",
                       "content_for_llm": "[investigation_provided]"}},
        {"user": {"content": ""}, "assistant": {"content": "Successfully resolved contradictions"}}], "__v": 2},
    # Messages with a role. They are not read.
    {"_id": oid("c", 2), "investigationId": inv(2), "userId": BEN, "title": "Race", "model": "gpt-4o", "messages": [
        {"role": "system", "content": "You help teachers.", "timestamp": at(3)},
        {"role": "user", "content": "Make it shorter", "timestamp": at(3, 1)},
        {"role": "assistant", "content": "Use 60 minutes.", "timestamp": at(3, 2), "tokens": Int64(412)},
        {"role": "user", "content": [{"type": "text", "text": "And this photo?"},
                                     {"type": "image_url", "image_url": {"url": "https://img.example/1.png"}}],
         "timestamp": at(3, 3)}], "createdAt": at(3), "updatedAt": at(3, 3), "__v": 0},
    # Two chats of one investigation. The messages are plain texts.
    {"_id": oid("c", 3), "investigationId": inv(3), "history": [
        {"user": "first", "assistant": "first answer", "createdAt": at(4, 0)}, {"user": "second"}]},
    {"_id": oid("c", 4), "investigationId": inv(3), "history": [{"user": "third", "assistant": "third answer"}]},
    # Two chats whose messages are objects with the text in `content`, and not plain texts.
    {"_id": oid("c", 5), "investigationId": inv(4), "history": [{"user": {"content": "a"}, "assistant": {"content": "b"}}]},
    {"_id": oid("c", 6), "investigationId": inv(4), "history": [{"user": {"content": "c"}, "assistant": {"content": "d"}}]},
    {"_id": oid("c", 7), "investigationId": inv(5), "history": []},
    {"_id": oid("c", 8), "investigationId": inv(6), "messages": [{"sender": "human", "text": "How tall is the stick?"},
                                                              {"sender": "bot", "text": "One metre."}]},
    # Unknown formats.
    {"_id": oid("c", 9), "investigationId": inv(7), "history": [{"q": "What?", "a": "That."}]},
    {"_id": oid("c", 10), "investigationId": inv(11), "messages": [{"role": "narrator", "content": "Once upon a time"}]},
    {"_id": oid("c", 11), "investigationId": inv(99), "history": [{"user": {"content": "x"}, "assistant": {"content": "y"}}]},
    {"_id": oid("c", 12), "userId": ANNA, "title": "New chat", "messages": [{"role": "user", "content": "hello"}]},
]


def link(number, of, **more):
    return {"_id": oid("d", number), "key": "class-5b", "subLink": f"s{number}", "investigationId": of, **more}


links = [
    link(1, inv(1), description="Monday group", creator=ANNA, visitCount=Int64(31), isActive=True, createdAt=at(1),
         updatedAt=at(2), __v=0),
    link(2, inv(1), description="", isActive=False, visits=4),
    link(3, inv(1), enabled=False, clicks=Int64(7), createdBy=BEN),
    link(4, inv(2), disabled=True, qrStyle={"dots": "round", "colour": "#0a0"}),
    link(5, inv(2), deletedAt=at(8), deletedBy=ANNA),
    link(6, inv(3), status="inactive", expiresAt=None),
    link(7, inv(3), activeStatus="Active", expirationDate=at(-400), dateClicks=[{"date": "2024-03-05", "count": 2}]),
    link(8, inv(4), expired=True, maxClicks=10),
    link(9, inv(4), status="waiting for approval"),
    link(10, inv(4), expiresAt="end of term"),
    link(11, inv(6), active=True, status="active", deletedAt=None, isDeleted=False, expireAt=at(40000)),
    # The same key and subLink as those of the first link.
    {"_id": oid("d", 12), "key": "class-5b", "subLink": "s1", "investigationId": inv(2)},
]

CRESS = {key: value for key, value in investigations[0].items() if key in (
    "title", "grade", "curriculum", "durationMinutes", "drivingQuestion", "objectives", "steps", "materials", "assessment")}
versions = [
    # The old and new values of the changed fields.
    {"_id": oid("f", 1), "investigationId": inv(1), "version": 1, "updatedBy": ANNA, "createdAt": at(2), "isAI": False,
     "before": {"title": "Cress", "durationMinutes": 30, "status": "draft_incomplete"},
     "after": {"title": "Cress in light and dark", "durationMinutes": 40, "status": "draft_incomplete"}},
    {"_id": oid("f", 2), "investigationId": inv(1), "version": 2, "updatedBy": BEN, "createdAt": at(9), "kind": "resolve",
     "isAI": True, "before": {"durationMinutes": 40}, "after": {"durationMinutes": 45, "assessment": CRESS["assessment"]},
     "reason": "the steps take 45 minutes"},
    # The number, the author and the time of this version have other names. The map renames its field gradeLevel.
    {"_id": oid("f", 3), "investigationId": inv(3), "versionNumber": Int64(1), "userId": CARLA, "timestamp": at(2, 20),
     "before": {"title": "Eggs", "gradeLevel": 3}, "after": {"title": "Floating eggs", "gradeLevel": 4}},
    # A full copy. It is not read.
    {"_id": oid("f", 4), "investigationId": inv(3), "versionNumber": Int64(2), "userId": CARLA, "timestamp": at(2, 20),
     "snapshot": {"_id": inv(3), "title": "Floating eggs", "gradeLevel": 4, "details": {"duration": 30, "people": 3},
                  "procedure": ["Fill the glass", "Add the egg", "Stir in salt"], "tags": ["density", "kitchen"],
                  "author": str(CARLA), "status": "in_development"}},
    # Changes by path. They are not read.
    {"_id": oid("f", 5), "investigationId": inv(6), "version": 1, "at": at(6), "by": None, "changes": [
        {"path": "title", "before": "Sundial", "after": "Shadow clock"}]},
    # A history that does not lead to the current content.
    {"_id": oid("f", 6), "investigationId": inv(7), "version": 1, "createdAt": at(7), "before": {"grade": 4},
     "after": {"grade": 6}},
    # Unknown formats.
    {"_id": oid("f", 7), "collectionName": "investigations", "collectionId": inv(4), "diff": {"title": ["A", "B"]},
     "user": "anna", "reason": "typo", "version": 0},
    {"_id": oid("f", 8), "refId": inv(4), "versions": [{"refVersion": 0, "title": "Pendulum?"}]},
    {"_id": oid("f", 9), "investigationId": inv(4), "version": 1, "patch": "@@ -1,4 +1,4 @@", "createdAt": at(4)},
    # Two versions of one investigation with the same number.
    {"_id": oid("f", 10), "investigationId": inv(11), "version": 1, "before": {}, "after": {"groupSize": 4}},
    {"_id": oid("f", 11), "investigationId": inv(11), "version": 1, "before": {}, "after": {"groupSize": 4}},
    {"_id": oid("f", 12), "investigationId": inv(77), "version": 1, "before": {"title": "?"}, "after": {"title": "!"}},
]

OPTIONS = {"canonical": json_util.CANONICAL_JSON_OPTIONS, "relaxed": json_util.RELAXED_JSON_OPTIONS}
COLLECTIONS = {"investigations": investigations, "chats": chats, "links": links, "versions": versions}
for form, options in OPTIONS.items():
    (HERE / form).mkdir(exist_ok=True)
    for name, documents in COLLECTIONS.items():
        lines = [json_util.dumps(document, json_options=options, ensure_ascii=False) + "\n" for document in documents]
        (HERE / form / f"{name}.jsonl").write_text("".join(lines), encoding="utf-8")
