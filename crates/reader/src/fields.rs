//! The fields of a content schema, and the forms of their values.

use serde_json::Value;

use crate::words;

/// The form of a field's value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Form {
    /// A text. If `takes_numbers` is true, a text that is a number becomes a number.
    Text {
        takes_numbers: bool,
    },
    Number,
    Texts,
    Materials,
    Steps,
    Terms,
    Variables,
    Pictures,
}

#[derive(Debug, Clone)]
struct Field {
    name: String,
    form: Form,
    /// Titles of the field in the schema, in lower case, without accents and punctuation.
    labels: Vec<String>,
    /// Name of the member of an entry that holds a picture.
    picture: Option<String>,
}

/// The fields into which blocks can be put.
#[derive(Debug, Clone)]
pub struct Fields {
    fields: Vec<Field>,
}

/// The meaning of a heading for the blocks below it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Meant<'f> {
    Field(&'f str),
    /// A part of the steps.
    Phase,
    /// Something that has no field.
    Other,
}

impl Fields {
    /// Returns the fields of a content schema. Fields of an unknown form stay empty.
    pub fn of(schema: &Value) -> Self {
        let properties = schema.get("properties").and_then(Value::as_object);
        let field = |(name, property): (&String, &Value)| {
            let property = resolved(property, schema);
            let titles = ["title", "x-pupil-title"].iter().filter_map(|key| property.get(*key)?.as_str());
            let labels = titles.map(words::fold).collect();
            let picture = picture_in(property, schema);
            Some(Field { name: name.clone(), form: form(property, schema)?, labels, picture })
        };
        Self { fields: properties.into_iter().flatten().filter_map(field).collect() }
    }

    pub(crate) fn form(&self, name: &str) -> Option<Form> {
        let name = name.split('.').next().unwrap_or_default();
        self.fields.iter().find(|field| field.name == name).map(|field| field.form)
    }

    /// Returns the first list of pictures.
    pub(crate) fn pictures(&self) -> Option<&str> {
        self.fields.iter().find(|field| field.form == Form::Pictures).map(|field| field.name.as_str())
    }

    /// Returns the name of the member that holds a picture in the entries of a field.
    pub(crate) fn picture_in(&self, name: &str) -> Option<&str> {
        self.fields.iter().find(|field| field.name == name)?.picture.as_deref()
    }

    /// Returns the names of the fields.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.fields.iter().map(|field| field.name.as_str())
    }

    /// Returns the meaning of a heading, and whether this meaning is weak: it applies only if no other heading has it.
    pub(crate) fn means(&self, text: &str) -> Option<(Meant<'_>, bool)> {
        // Maximum length of a label, in bytes.
        const MAX_LABEL: usize = 300;
        let folded = if text.len() > MAX_LABEL { String::new() } else { words::fold(text) };
        if folded.is_empty() {
            return None;
        }
        let own = || self.fields.iter().find(|field| field.labels.contains(&folded));
        match words::heading(text) {
            Some(meaning) => Some((self.meant(meaning.key), meaning.is_weak)),
            None => own().map(|field| (Meant::Field(field.name.as_str()), false)),
        }
    }

    /// Returns the meaning of a key in the files of `languages/`, such as `materials`. A field that is not in the
    /// schema becomes [`Meant::Other`].
    pub(crate) fn meant(&self, key: &'static str) -> Meant<'static> {
        match key {
            "phase" => Meant::Phase,
            // Answers belong to the field of the questions that they answer.
            "answers" => self.meant("assessment"),
            key if self.form(key).is_some() => Meant::Field(key),
            _ => Meant::Other,
        }
    }
}

fn resolved<'s>(schema: &'s Value, root: &'s Value) -> &'s Value {
    let pointer = schema.get("$ref").and_then(Value::as_str).and_then(|reference| reference.strip_prefix('#'));
    pointer.and_then(|pointer| root.pointer(pointer)).unwrap_or(schema)
}

fn has(schema: &Value, name: &str) -> bool {
    schema.get("properties").is_some_and(|properties| properties.get(name).is_some())
}

fn is_picture(schema: &Value) -> bool {
    has(schema, "id") && has(schema, "alt")
}

fn picture_in(property: &Value, root: &Value) -> Option<String> {
    let members = resolved(property.get("items")?, root).get("properties")?.as_object()?;
    members.iter().find(|(_, member)| is_picture(resolved(member, root))).map(|(name, _)| name.clone())
}

fn form(property: &Value, root: &Value) -> Option<Form> {
    let types = |schema: &Value| match schema.get("type") {
        Some(Value::String(one)) => vec![one.clone()],
        Some(Value::Array(several)) => several.iter().filter_map(|one| Some(one.as_str()?.to_owned())).collect(),
        _ => Vec::new(),
    };
    let own = types(property);
    let is = |kind: &str| own.iter().any(|own| own == kind);
    let is_number = is("integer") || is("number");
    if is("array") {
        let items = resolved(property.get("items")?, root);
        return if types(items).iter().any(|kind| kind == "string") {
            Some(Form::Texts)
        } else if has(items, "name") {
            Some(Form::Materials)
        } else if has(items, "text") {
            Some(Form::Steps)
        } else if has(items, "term") {
            Some(Form::Terms)
        } else {
            is_picture(items).then_some(Form::Pictures)
        };
    }
    if is("object") {
        let is_variables = ["independent", "dependent", "controlled"].iter().any(|name| has(property, name));
        return is_variables.then_some(Form::Variables);
    }
    if is("string") {
        return Some(Form::Text { takes_numbers: is_number });
    }
    is_number.then_some(Form::Number)
}
