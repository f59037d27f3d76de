//! Checks an endpoint with a small test question, which has the same form as all other questions.

use serde_json::json;

use super::answer::Reader;
use super::ask::Model;
use super::error::{ModelDiagnosisError, ModelError};
use super::question::{Question, object};
use super::wire::AnswerSchema;

impl Model {
    /// Asks a test question, without retries.
    pub async fn diagnose(&self) -> Result<(), ModelDiagnosisError> {
        let failed = |error| ModelDiagnosisError { error, words: None };
        let question = question();
        let reader = Reader::of(&question.schema).map_err(failed)?;
        let texts = question.texts(&self.parts.ids.nonce(), None);
        let answer = self.parts.endpoint.try_out(&texts, &question.answer).await?;
        reader.read(&answer).map(drop).map_err(|_| failed(ModelError::Unreadable))
    }
}

fn question() -> Question {
    let schema = object([("sum", json!({ "type": "integer" }))]);
    Question {
        task: "Add the two numbers in the data.\n",
        data: vec![json!({ "number": 2 }), json!({ "number": 3 })],
        answer: AnswerSchema { name: "sum", schema: schema.clone(), strict: true },
        schema,
        content_schema: None,
    }
}
