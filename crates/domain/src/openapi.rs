//! The OpenAPI schemas of types that are strings in JSON. Other schemas refer to them by name, such as `ObjectId`.

use std::borrow::Cow;

use utoipa::openapi::RefOr;
use utoipa::openapi::schema::{KnownFormat, ObjectBuilder, Schema, SchemaFormat, Type};
use utoipa::{PartialSchema, ToSchema};

use super::event::EventType;
use super::id::ObjectId;
use super::status::Status;
use super::time::Timestamp;

macro_rules! text_schema {
    ($($name:ident: $description:literal, $text:ident => $schema:expr;)+) => {$(
        impl PartialSchema for $name {
            fn schema() -> RefOr<Schema> {
                let $text = ObjectBuilder::new().schema_type(Type::String).description(Some($description));
                $schema.into()
            }
        }

        impl ToSchema for $name {
            fn name() -> Cow<'static, str> {
                stringify!($name).into()
            }
        }
    )+};
}

text_schema! {
    ObjectId: "An id: 24 hexadecimal digits.", text => text.pattern(Some("^[0-9A-Fa-f]{24}$"));
    Timestamp: "A time in UTC, with milliseconds.",
        text => text.format(Some(SchemaFormat::KnownFormat(KnownFormat::DateTime)));
    Status: "Status of an investigation.", text => text.enum_values(Some(Status::ALL.map(Status::name)));
    EventType: "Type of an event.", text => text.enum_values(Some(EventType::ALL.iter().copied()));
}
