//! Unit tests of `src/cli/export.rs`.

use fieldbook_pictures::{Picture, Type};

use super::*;
use crate::store::ExportedPicture;
use crate::store::jsonl::PictureLine;

const CRESS: ObjectId = ObjectId::from_bytes([1; 12]);

fn picture_of(investigation: ObjectId) -> ExportPart {
    let picture = Picture { id: "a picture".to_owned(), width: 1, height: 1, kind: Type::Png, bytes: vec![1, 2, 3] };
    let exported = ExportedPicture { picture, unused_since: None };
    ExportPart::Line(Line::Picture(PictureLine::of(investigation, &exported)))
}

fn unreadable(investigation: Option<ObjectId>) -> ExportPart {
    ExportPart::Unreadable { what: "a part".to_owned(), investigation, reason: "it is damaged".to_owned() }
}

#[test]
fn export_that_leaves_out_an_investigation_also_leaves_out_its_pictures_after_a_damaged_one() {
    let failed = |error: &io::Error| error.to_string();
    let mut export = Export::begin(BufWriter::new(Vec::new()), &failed).expect("an export");
    for part in [unreadable(Some(CRESS)), picture_of(CRESS), unreadable(None), picture_of(CRESS)] {
        export.add(part).expect("added");
    }
    let (file, is_complete) = export.end().expect("ended");
    let lines = String::from_utf8(file).expect("text");
    assert_eq!(
        (lines.lines().collect::<Vec<_>>(), is_complete),
        (vec![r#"{"fieldbook":{"form":2}}"#, r#"{"end":{"lines":1}}"#], false)
    );
}
