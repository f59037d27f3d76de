//! Pictures of investigations. A picture that no content refers to is deleted after some time. When a content refers to
//! a picture, the transaction that stores the content marks the picture. A marked picture is kept as long as its
//! investigation, because earlier versions always show it.
//!
//! Investigations that hold the same picture share its bytes, which have a table of their own. So a clone copies only
//! small rows. A trigger deletes the bytes with the last picture that needs them.

use std::collections::HashMap;

use super::dialect::Dialect;
use super::expiry_clock::not_long_before;
use super::investigations::{self, LIVE};
use super::sql::{Columns, Row, Rows, Statement, list};
use super::{Reports, Stamp, Store, StoreError};
use crate::domain::event::EventKind;
use crate::domain::id::ObjectId;
use crate::domain::investigation::Expected;
use crate::domain::picture::{MAX_PICTURE_BYTES, MAX_PICTURES};
use crate::domain::time::Timestamp;
use fieldbook_pictures::{self as pictures, Picture, Type};

/// The columns of a picture, except its owner and the time of its upload.
const COLUMNS: [&str; 5] = ["id", "media_type", "width", "height", "size"];

/// The tables of pictures `p` and their bytes `f`.
const WITH_BYTES: &str = "picture p JOIN picture_file f ON f.id = p.id";

/// Result of adding a picture.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PictureAdded {
    /// The investigation now holds the picture, or already held it.
    Done,
    NoInvestigation,
    /// The investigation holds [`MAX_PICTURES`] others, or more than [`MAX_PICTURE_BYTES`] with this one.
    Full,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PictureRemoved {
    Done,
    NoInvestigation,
    NoPicture,
    /// The investigation has this revision, but the caller expected a different one.
    Changed {
        revision: u64,
    },
}

/// A picture as an export contains it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExportedPicture {
    pub picture: Picture,
    /// When the picture was uploaded; `None` once the content has shown it.
    pub unused_since: Option<Timestamp>,
}

impl Store {
    /// Stores a picture of an investigation. If the picture exists and no content refers to it, its retention period
    /// starts again.
    pub async fn add_picture(
        &self,
        investigation: ObjectId,
        picture: Picture,
        at: Timestamp,
    ) -> Result<PictureAdded, StoreError> {
        // Locks the investigation, so that concurrent writes cannot exceed the maximum number of pictures.
        let lock = investigations::lock(investigation, self.dialect());
        let reads = vec![lock, others(LIVE, investigation, &picture.id)];
        let size = picture.bytes.len() as u64;
        // The content may still refer to a picture that was removed and is now uploaded again. Such a picture is in
        // use.
        let is_shown = self.dialect().contains("i.content", "id");
        let unused_since = format!("CASE WHEN {is_shown} THEN NULL ELSE {} END", not_long_before("unused_since"));
        let [file, put] = put(LIVE, investigation, picture, Some(at), &unused_since);
        // Repairs damaged bytes that can be read.
        let file = file
            .then("ON CONFLICT (id) DO UPDATE SET bytes = excluded.bytes WHERE picture_file.bytes <> excluded.bytes");
        let put = put.then(
            "ON CONFLICT (body, id) DO UPDATE SET unused_since = excluded.unused_since WHERE picture.unused_since IS NOT NULL",
        );
        self.write("add_picture", reads, move |rows: &[Rows]| {
            if rows[0].is_empty() {
                return Ok((Vec::new(), PictureAdded::NoInvestigation));
            }
            match is_full(&rows[1], size)? {
                true => Ok((Vec::new(), PictureAdded::Full)),
                false => Ok((vec![file.clone(), put.clone()], PictureAdded::Done)),
            }
        })
        .await
    }

    /// Stores a picture from an export. Its investigation may be in the trash. Returns `None` if the store already has
    /// the picture.
    pub async fn put_picture(
        &self,
        of_trash: bool,
        investigation: ObjectId,
        exported: ExportedPicture,
    ) -> Result<Option<PictureAdded>, StoreError> {
        let table = if of_trash { investigations::TRASH } else { LIVE };
        let ExportedPicture { picture, unused_since } = exported;
        // Locks are taken in a fixed order, in which the trash comes after its pictures. So the row in the trash is not
        // locked here.
        let lock = if of_trash { String::new() } else { self.dialect().lock("i") };
        let owner = Statement::new(format!("SELECT i.id FROM {table} i WHERE i.id = $id {lock}"));
        let held = held(table, investigation, &picture.id);
        let reads = vec![owner.with("id", investigation), held, others(table, investigation, &picture.id)];
        let size = picture.bytes.len() as u64;
        let [file, put] = put(table, investigation, picture, unused_since, "$unused_since");
        // If the investigation was removed from the trash meanwhile, its picture must not leave bytes behind.
        let statements = [file.then("ON CONFLICT (id) DO NOTHING"), put.expect(1)];
        self.write("put_picture", reads, move |rows: &[Rows]| {
            Ok(match (rows[0].is_empty(), rows[1].is_empty()) {
                (true, _) => (Vec::new(), Some(PictureAdded::NoInvestigation)),
                (_, false) => (Vec::new(), None),
                _ if is_full(&rows[2], size)? => (Vec::new(), Some(PictureAdded::Full)),
                _ => (statements.to_vec(), Some(PictureAdded::Done)),
            })
        })
        .await
    }

    /// Returns whether an investigation, which is in the trash if `of_trash` is true, holds a picture.
    pub async fn holds_picture(&self, of_trash: bool, investigation: ObjectId, id: &str) -> Result<bool, StoreError> {
        let table = if of_trash { investigations::TRASH } else { LIVE };
        Ok(!self.get(held(table, investigation, id)).await?.is_empty())
    }

    /// Returns a picture; `None` if the investigation does not hold it, or does not exist.
    pub async fn picture(&self, investigation: ObjectId, id: String) -> Result<Option<Picture>, StoreError> {
        let find = Statement::new(format!(
            "SELECT {}, f.bytes FROM {WITH_BYTES} JOIN investigation i ON i.body = p.body
             WHERE i.id = $id AND p.id = $picture",
            list("p", &COLUMNS)
        ));
        let find = find.with("id", investigation).with("picture", id);
        self.get(find).await?.first().map(read).transpose()
    }

    /// Returns the ids of the pictures that an investigation holds, of those in `ids`.
    pub async fn held_pictures(&self, investigation: ObjectId, ids: Vec<String>) -> Result<Vec<String>, StoreError> {
        let held = Statement::new(format!(
            "SELECT p.id FROM picture p JOIN investigation i ON i.body = p.body WHERE i.id = $id AND {}",
            self.dialect().any_of("p.id", "pictures")
        ));
        let found = self.get(held.with("id", investigation).with("pictures", ids)).await?;
        found.iter().map(|row| row.text("id").map(str::to_owned)).collect()
    }

    /// Returns the ids of all pictures that an investigation holds, with their widths and heights in pixels.
    pub async fn pictures_of(&self, investigation: ObjectId) -> Result<HashMap<String, (u32, u32)>, StoreError> {
        let held =
            "SELECT p.id, p.width, p.height FROM picture p JOIN investigation i ON i.body = p.body WHERE i.id = $id";
        let found = self.get(Statement::new(held).with("id", investigation)).await?;
        found.iter().map(|row| Ok((row.text("id")?.to_owned(), size(row)?))).collect()
    }

    /// Removes a picture immediately, from the current content and from all versions. The investigation gets the next
    /// revision, because it is shown without the picture.
    pub async fn remove_picture(
        &self,
        investigation: ObjectId,
        id: String,
        expected: Expected,
        stamp: Stamp,
    ) -> Result<PictureRemoved, StoreError> {
        let reads = vec![investigations::lock(investigation, self.dialect()), held(LIVE, investigation, &id)];
        let delete = Statement::new(
            "DELETE FROM picture WHERE body = (SELECT i.body FROM investigation i WHERE i.id = $id) AND id = $picture",
        );
        let delete = delete.with("id", investigation).with("picture", &id).expect(1);
        let next = Statement::new("UPDATE investigation SET revision = revision + 1 WHERE id = $id");
        let mut statements = vec![delete, next.with("id", investigation)];
        let reports = Reports::of(stamp, investigation, vec![EventKind::PictureRemoved { picture_id: id }]);
        statements.extend(reports.statements(investigation, None, stamp.at)?);
        self.write("remove_picture", reads, move |rows: &[Rows]| {
            let Some(found) = rows[0].first() else { return Ok((Vec::new(), PictureRemoved::NoInvestigation)) };
            let revision = found.count("revision")?;
            Ok(match rows[1].is_empty() {
                true => (Vec::new(), PictureRemoved::NoPicture),
                false if !expected.allows(revision) => (Vec::new(), PictureRemoved::Changed { revision }),
                false => (statements.clone(), PictureRemoved::Done),
            })
        })
        .await
    }

    /// Deletes the oldest picture that no content has ever shown, if it was uploaded before `before`. Returns whether
    /// there may be more.
    pub async fn forget_picture(&self, before: Timestamp) -> Result<bool, StoreError> {
        let oldest =
            "SELECT p.body, p.id FROM picture p WHERE p.unused_since < $before ORDER BY p.unused_since LIMIT 1";
        let Some(row) = self.get(Statement::new(oldest).with("before", before)).await?.pop() else { return Ok(false) };
        // If the investigation has begun to show the picture in the meantime, `unused_since` is null, and nothing is
        // deleted.
        let delete = "DELETE FROM picture WHERE body = $body AND id = $picture AND unused_since < $before";
        let delete = Statement::new(delete).with("body", row.integer("body")?).with("picture", row.text("id")?);
        self.write_if("forget_picture", vec![delete.with("before", before)]).await?;
        Ok(true)
    }
}

/// Returns the statements that store the bytes of a picture, and its row for an investigation in `table`.
/// `unused_since_sql` is the SQL for the column `unused_since` of this row.
fn put(
    table: &str,
    investigation: ObjectId,
    picture: Picture,
    unused_since: Option<Timestamp>,
    unused_since_sql: &str,
) -> [Statement; 2] {
    let file = Statement::new("INSERT INTO picture_file (id, bytes) VALUES ($id, $bytes)");
    let Picture { id, width, height, kind, bytes } = picture;
    let (size, media_type) = (bytes.len() as u64, kind.media_type());
    let file = file.with("id", &id).with("bytes", bytes);
    let columns: Columns = vec![
        ("id", id.into()),
        ("media_type", media_type.into()),
        ("width", width.into()),
        ("height", height.into()),
        ("size", size.into()),
    ];
    let names: Vec<&str> = columns.iter().map(|(name, _)| *name).collect();
    let put = Statement::new(format!(
        "INSERT INTO picture (body, {}, unused_since) SELECT i.body, ${}, {unused_since_sql}
         FROM {table} i WHERE i.id = $investigation",
        names.join(", "),
        names.join(", $")
    ));
    let put = put.with("investigation", investigation).with("unused_since", unused_since);
    [file, columns.into_iter().fold(put, |put, (name, value)| put.with(name, value))]
}

/// Returns the query for the picture `id` of an investigation in `table`. No row means that there is no such picture.
fn held(table: &str, investigation: ObjectId, id: &str) -> Statement {
    let held =
        format!("SELECT p.id FROM picture p JOIN {table} i ON i.body = p.body WHERE i.id = $id AND p.id = $picture");
    Statement::new(held).with("id", investigation).with("picture", id)
}

/// Returns the query for the number and the size of pictures other than `id`.
fn others(table: &str, investigation: ObjectId, id: &str) -> Statement {
    let others = format!(
        "SELECT count(*) AS count, CAST(COALESCE(SUM(p.size), 0) AS BIGINT) AS size
         FROM picture p JOIN {table} i ON i.body = p.body WHERE i.id = $id AND p.id <> $picture"
    );
    Statement::new(others).with("id", investigation).with("picture", id)
}

fn is_full(others: &Rows, size: u64) -> Result<bool, StoreError> {
    let Some(others) = others.first() else { return Ok(false) };
    Ok(others.count("count")? >= MAX_PICTURES || others.count("size")? + size > MAX_PICTURE_BYTES)
}

/// Returns the statement that marks pictures as used, because the content of the investigation `id` shows them. The
/// investigation must hold all of these pictures.
pub(super) fn show(id: ObjectId, ids: Vec<String>, dialect: Dialect) -> Statement {
    let count = ids.len() as u64;
    let show = format!(
        "UPDATE picture SET unused_since = NULL
         WHERE body = (SELECT i.body FROM investigation i WHERE i.id = $id) AND {}",
        dialect.any_of("id", "pictures")
    );
    Statement::new(show).with("id", id).with("pictures", ids).expect(count)
}

/// Returns the statement that gives the investigation `id` those pictures of the list `ids` that the investigation
/// `source` holds.
pub(super) fn copy(id: ObjectId, source: ObjectId, ids: Vec<String>, dialect: Dialect) -> Statement {
    let columns = list("p", &COLUMNS);
    let copy = format!(
        "INSERT INTO picture (body, {}) SELECT i.body, {columns}
         FROM picture p JOIN investigation s ON s.body = p.body, investigation i
         WHERE s.id = $source AND i.id = $id AND {}",
        COLUMNS.join(", "),
        dialect.any_of("p.id", "pictures")
    );
    Statement::new(copy).with("id", id).with("source", source).with("pictures", ids)
}

/// Returns the query for the next pictures of the investigation whose internal number is `$body`, in the order of their
/// ids. The function [`read_exported`] reads its rows.
pub(super) fn after() -> String {
    let columns = list("p", &COLUMNS);
    format!(
        "SELECT {columns}, f.bytes, p.unused_since FROM {WITH_BYTES}
         WHERE p.body = $body AND p.id > CAST($id AS TEXT) ORDER BY p.id LIMIT $limit"
    )
}

/// Reads a row for an export. Fails if the picture is damaged, so that the export leaves it out.
pub(super) fn read_exported(row: &Row) -> Result<ExportedPicture, StoreError> {
    let picture = read(row)?;
    if pictures::id(&picture.bytes) != picture.id {
        return Err(row.wrong("bytes", "the bytes that its id names"));
    }
    Ok(ExportedPicture { picture, unused_since: row.optional_time("unused_since")? })
}

/// Returns the width and height of a picture, in pixels.
fn size(row: &Row) -> Result<(u32, u32), StoreError> {
    let length = |name| u32::try_from(row.count(name)?).map_err(|_| row.wrong(name, "a length"));
    Ok((length("width")?, length("height")?))
}

fn read(row: &Row) -> Result<Picture, StoreError> {
    let media_type = row.text("media_type")?;
    let kind = [Type::Jpeg, Type::Png].into_iter().find(|kind| kind.media_type() == media_type);
    let (width, height) = size(row)?;
    Ok(Picture {
        id: row.text("id")?.to_owned(),
        width,
        height,
        kind: kind.ok_or_else(|| row.wrong("media_type", "the type of a picture"))?,
        bytes: row.bytes("bytes")?.to_vec(),
    })
}
