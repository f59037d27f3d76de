//! Validates pictures from an export file, which is untrusted. They are not encoded again, because JPEG loses quality
//! each time, and because the id would change.

use std::io::Cursor;

use image::{ImageDecoder, ImageFormat, ImageReader};

use crate::error::PictureError;
use crate::samples::Samples;
use crate::{MAX_MADE, MAX_SIDE, Picture, Type, kind};

/// Returns the picture with these bytes if they have the form that [`crate::make`] gives: JPEG or PNG within the
/// limits, fully decodable, and without extra data.
///
/// # Errors
/// [`PictureError`] if the bytes do not have this form.
pub fn check(bytes: Vec<u8>) -> Result<Picture, PictureError> {
    if bytes.len() > MAX_MADE {
        return Err(PictureError::NotAsMade);
    }
    let format = kind::of(&bytes)?;
    let kind = match format {
        ImageFormat::Jpeg if is_plain_jpeg(&bytes) => Type::Jpeg,
        ImageFormat::Png if is_plain_png(&bytes) => Type::Png,
        _ => return Err(PictureError::NotAsMade),
    };
    let decoder = ImageReader::with_format(Cursor::new(&bytes), format).into_decoder()?;
    let (width, height) = decoder.dimensions();
    if width > MAX_SIDE || height > MAX_SIDE {
        return Err(PictureError::NotAsMade);
    }
    Samples::read(decoder)?;
    Ok(Picture::of(width, height, kind, bytes))
}

/// Returns true if a JPEG has the segments that a picture needs, one scan, and nothing else.
fn is_plain_jpeg(bytes: &[u8]) -> bool {
    let mut rest = &bytes[2..];
    loop {
        let (marker, length) = match rest {
            [0xff, marker, high, low, ..] => (*marker, usize::from(u16::from_be_bytes([*high, *low]))),
            _ => return false,
        };
        let Some((segment, after)) = rest.split_at_checked(2 + length) else { return false };
        match marker {
            0xe0 if segment.len() == 18 && segment[4..].starts_with(b"JFIF\0") => rest = after,
            0xc0 | 0xc4 | 0xdb => rest = after,
            0xda => return is_scan_to_the_end(after),
            _ => return false,
        }
    }
}

/// Returns true if the bytes after the header of a scan are only its data and, at the end of the file, the end marker.
fn is_scan_to_the_end(scan: &[u8]) -> bool {
    let Some(data) = scan.strip_suffix(&[0xff, 0xd9]) else { return false };
    data.last() != Some(&0xff) && data.windows(2).all(|pair| pair[0] != 0xff || pair[1] == 0)
}

/// Returns true if a PNG has a header, the picture, the end, and nothing else.
fn is_plain_png(bytes: &[u8]) -> bool {
    let mut rest = &bytes[8..];
    let mut names = Vec::new();
    while let Some((length, after)) = rest.split_first_chunk() {
        let Some((name, after)) = after.split_first_chunk::<4>() else { return false };
        names.push(*name);
        // The data is followed by a checksum of 4 bytes.
        let Some(after) = after.get((u32::from_be_bytes(*length) as usize).saturating_add(4)..) else { return false };
        rest = after;
    }
    names.dedup();
    rest.is_empty() && names == [*b"IHDR", *b"IDAT", *b"IEND"]
}
