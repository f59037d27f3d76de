//! Pictures in export files.

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use serde::{Deserialize, Serialize};

use crate::domain::id::ObjectId;
use crate::domain::time::Timestamp;
use crate::store::ExportedPicture;

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct PictureLine {
    /// The investigation.
    pub of: ObjectId,
    pub id: String,
    /// When the picture was uploaded; omitted if a version of the investigation has ever shown the picture.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    unused_since: Option<Timestamp>,
    /// The bytes in Base64.
    data: String,
}

impl PictureLine {
    pub fn of(investigation: ObjectId, exported: &ExportedPicture) -> Self {
        let ExportedPicture { picture, unused_since } = exported;
        let (id, data) = (picture.id.clone(), BASE64_STANDARD.encode(&picture.bytes));
        Self { of: investigation, id, unused_since: *unused_since, data }
    }

    /// Decodes the picture, and checks that the service could have made it.
    ///
    /// # Errors
    /// What is wrong with it, as a phrase that follows the line number: `cannot be imported: …`.
    pub fn picture(self) -> Result<ExportedPicture, String> {
        let Self { of: _, id, unused_since, data } = self;
        let refused = |fault: &str| format!("cannot be imported: the picture {id} {fault}");
        let bytes = BASE64_STANDARD.decode(data).map_err(|_| refused("is not valid Base64"))?;
        let checked = fieldbook_pictures::check(bytes);
        let picture = checked.map_err(|error| refused(&format!("is refused: {error}")))?;
        match picture.id == id {
            true => Ok(ExportedPicture { picture, unused_since }),
            false => Err(refused("does not match its id, which is the SHA-256 of the bytes")),
        }
    }
}
