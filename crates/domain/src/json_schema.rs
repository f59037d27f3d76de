//! A compiled JSON Schema 2020-12, for data that is not content, such as the answers of a language model.
//!
//! Other packages use this type instead of `jsonschema`, whose generic code would be compiled again in each package.

use jsonschema::Validator;
use serde_json::Value;

/// A compiled schema.
pub struct JsonSchema(Validator);

impl JsonSchema {
    /// Compiles a schema.
    pub fn compile(schema: &Value) -> Result<Self, String> {
        let validator = jsonschema::draft202012::options().build(schema);
        validator.map(Self).map_err(|error| error.masked().to_string())
    }

    /// Returns at most `most` violations of the schema. They contain no texts of `value`, because users may have
    /// written these texts.
    pub fn faults(&self, value: &Value, most: usize) -> Vec<String> {
        let faults = self.0.iter_errors(value).take(most);
        faults
            .map(|error| {
                let place = error.instance_path().as_str();
                format!("at {}: {}", if place.is_empty() { "/" } else { place }, error.masked())
            })
            .collect()
    }
}
