//! The parameters of operations, described beside each other. Each is named after the extractor that reads it.

use utoipa::IntoParams;
use utoipa::openapi::path::{Parameter, ParameterBuilder, ParameterIn};
use utoipa::openapi::schema::{
    ArrayBuilder, KnownFormat, Object, ObjectBuilder, Schema, SchemaFormat, SchemaType, Type,
};
use utoipa::openapi::{Ref, Required};

use crate::domain::page::ChatPosition;
use crate::http::idempotency::{self, IdempotencyKey};
use crate::http::params::{
    After, DismissalId, DryRun, Field, History, InvestigationId, LinkName, List, MAX_ENTRIES, OfInvestigation, Paged,
    Permanently, Position, Version, Versions,
};
use crate::http::preconditions::IfMatch;
use crate::http::prefer::Prefer;

/// `dryRun` of the operations of the assistant.
pub struct AssistantDryRun;
/// `limit` and `cursor` of a chat, whose pages go backwards.
pub struct ChatPages;

const OBJECT_ID: &str = "^[0-9A-Fa-f]{24}$";
const EVENT_ID: &str = "^(0|evt_[0-9a-f]{1,15}_[0-9a-f]{1,15}_[0-9a-f]{1,15})$";
const LINK_PART: &str = "^[A-Za-z0-9_-]{1,64}$";
/// Lists every blank character, because dialects of regular expressions differ in the meaning of `\s`.
const NOT_BLANK: &str = "[^\\t-\\r \\u0085\\u00a0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000]";
const BEFORE: &str =
    "Only versions below this one. Pass the last version of a page for the next page; an empty list is the end";

macro_rules! describe {
    ($($type:ty { $($name:expr, $place:ident, $schema:expr, $description:expr;)+ })+) => {
        $(impl IntoParams for $type {
            fn into_params(_: impl Fn() -> Option<ParameterIn>) -> Vec<Parameter> {
                vec![$(parameter($name, ParameterIn::$place, $schema, $description)),+]
            }
        })+
    };
}

describe! {
    InvestigationId { "id", Path, pattern(OBJECT_ID), "The investigation"; }
    DismissalId { "dismissalId", Path, pattern(OBJECT_ID), "The dismissal"; }
    Version { "version", Path, long(0), "The version"; }
    Field { "fieldPath", Path, pattern(NOT_BLANK), "The field, dotted: variables.independent, steps.2.text"; }
    LinkName {
        "key", Path, pattern(LINK_PART), "The key";
        "subLink", Path, pattern(LINK_PART), "The sub-link";
    }
    DryRun { "dryRun", Query, switch(), "Return the result without storing it"; }
    AssistantDryRun {
        "dryRun", Query, switch(),
        "Return the result without storing it. If you then store it within ten minutes and nothing else changes, the language model's same proposal is stored";
    }
    Permanently {
        "permanently", Query, switch(),
        "true deletes past the trash, so that nothing can be restored; for the author and admins";
    }
    IfMatch { "If-Match", Header, pattern("^(\\*|\"[0-9]+\")$"), "Change only this revision (its ETag)"; }
    Prefer {
        "Prefer", Header, text(),
        "respond-async: answer as soon as the change is stored, before a language model has read it (RFC 7240)";
    }
    IdempotencyKey {
        idempotency::NAME, Header, pattern("^[!-~]{1,255}$"),
        "A name for this request: sent again within a day, it gets the first answer and creates nothing";
    }
    Versions {
        "limit", Query, limit(MAX_ENTRIES), "1 to 1000, default 20";
        "before", Query, long(1), BEFORE;
    }
    History {
        "limit", Query, limit(MAX_ENTRIES), "1 to 1000, default 50";
        "before", Query, long(1), BEFORE;
    }
    ChatPages {
        "limit", Query, limit(ChatPosition::MAX_ENTRIES),
        "The most entries of a page: 1 to 1000, default 1000. A page also ends before it has more than 8 MiB";
        "cursor", Query, text(), "nextCursor of a page: returns the entries before it";
    }
    OfInvestigation { "investigation", Query, pattern(OBJECT_ID), "Only entries of this investigation"; }
    After {
        "after", Query, pattern(EVENT_ID),
        "The id of the event after which to continue; 0 for all stored events. Without it: events from now on";
        "Last-Event-ID", Header, pattern(EVENT_ID),
        "The same, as clients of event streams send it; stronger than `after`";
    }
    List {
        "limit", Query, limit(100), "1 to 100, default 20";
        "offset", Query, long(0), "Number of entries to skip, default 0";
        "sortBy", Query, choice(["createdAt", "updatedAt", "title", "grade", "curriculum", "status"]),
        "createdAt (default), updatedAt, title, grade, curriculum, status";
        "sortOrder", Query, choice(["asc", "desc"]),
        "asc or desc (default); with sortBy=curriculum that of the groups, too";
        "groupBy", Query, choice(["curriculum", "none"]), "curriculum (default) or none";
        "title", Query, text(), "The title contains this, whatever the case";
        "grade", Query, text(), "The grade is this; 5, 5.0 and \"5\" are the same; a blank filter is ignored";
        "curriculum", Query, text(), "The curriculum is this";
        "status", Query, ArrayBuilder::new().items(Ref::from_schema_name("Status")).build(),
        "The status is one of these, separated by commas or as repeated parameters";
        "author", Query, pattern("^([0-9A-Fa-f]{24}|\\s*)$"), "The author has this id";
        "search", Query, text(), "Every word begins some word of the content";
        "cursor", Query, text(), "nextCursor of the page before, in place of offset";
        "fields", Query, ArrayBuilder::new().items(text()).build(),
        "Content fields of each row, author and contradictions, separated by commas or as repeated parameters. The row then has no other fields but _id, status, version, revision, createdAt and updatedAt";
    }
}

impl<P: Position> IntoParams for Paged<P> {
    fn into_params(_: impl Fn() -> Option<ParameterIn>) -> Vec<Parameter> {
        let most = P::MAX_ENTRIES;
        let description = format!("The most {} of a page: 1 to {most}, default {most}", P::ENTRIES);
        vec![
            parameter("limit", ParameterIn::Query, limit(most), &description),
            parameter("cursor", ParameterIn::Query, text(), "nextCursor of the page before"),
        ]
    }
}

fn parameter(name: &str, place: ParameterIn, schema: impl Into<Schema>, description: &str) -> Parameter {
    let required = if place == ParameterIn::Path { Required::True } else { Required::False };
    let parameter = ParameterBuilder::new().name(name).parameter_in(place).required(required);
    parameter.description(Some(description)).schema(Some(schema.into())).build()
}

fn of(kind: Type) -> ObjectBuilder {
    ObjectBuilder::new().schema_type(SchemaType::Type(kind))
}

fn text() -> Object {
    of(Type::String).build()
}

fn pattern(pattern: &str) -> Object {
    of(Type::String).pattern(Some(pattern)).build()
}

fn choice<const N: usize>(names: [&str; N]) -> Object {
    of(Type::String).enum_values(Some(names)).build()
}

fn switch() -> Object {
    of(Type::Boolean).build()
}

fn limit(most: u32) -> Object {
    let format = SchemaFormat::KnownFormat(KnownFormat::Int32);
    of(Type::Integer).format(Some(format)).minimum(Some(1)).maximum(Some(most)).build()
}

fn long(least: u32) -> Object {
    let format = SchemaFormat::KnownFormat(KnownFormat::Int64);
    of(Type::Integer).format(Some(format)).minimum(Some(least)).build()
}
