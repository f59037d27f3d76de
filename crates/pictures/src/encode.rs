//! Encodes small pictures, and pictures that Fieldbook draws itself.

use image::codecs::jpeg::JpegEncoder;
use image::codecs::png::{CompressionType, FilterType, PngEncoder};
use image::{DynamicImage, ExtendedColorType, GrayImage, ImageEncoder, Luma, RgbaImage};

use crate::error::PictureError;
use crate::samples::Samples;
use crate::{MAX_MADE, MAX_PIXELS, Picture, Type};

/// The qualities of a JPEG that are tried, from 1 to 100. The first is used for all pictures except very noisy ones.
const QUALITIES: [u8; 4] = [85, 70, 50, 30];

/// If a file is too large, the side length of the picture is reduced to this share of the length that is expected to
/// fit. The margin avoids further attempts, which take time: a smaller picture has more details per pixel, and
/// therefore needs more bytes than expected.
const SHARE: f64 = 0.75;

/// Encodes the picture as JPEG, or as PNG if a pixel is transparent. Reduces the picture until the file is small
/// enough.
pub(crate) fn encode(mut image: RgbaImage) -> Result<Picture, PictureError> {
    loop {
        let (width, height) = image.dimensions();
        let is_opaque = image.pixels().all(|pixel| pixel.0[3] == u8::MAX);
        let kind = if is_opaque { Type::Jpeg } else { Type::Png };
        let bytes = if is_opaque { jpeg(&image)? } else { png(&image)? };
        if bytes.len() <= MAX_MADE {
            return Ok(Picture::of(width, height, kind, bytes));
        }
        // The size of the file is about proportional to the number of pixels.
        let share = SHARE * (MAX_MADE as f64 / bytes.len() as f64).sqrt();
        image = Samples::from(image).shrunk((f64::from(width.max(height)) * share) as u32);
    }
}

/// Returns the picture as JPEG in the best of [`QUALITIES`] that fits, or in the lowest if none fits.
fn jpeg(image: &RgbaImage) -> Result<Vec<u8>, PictureError> {
    let (width, height) = image.dimensions();
    let rgb = DynamicImage::from(image.clone()).into_rgb8();
    let mut bytes = Vec::new();
    for quality in QUALITIES {
        bytes.clear();
        JpegEncoder::new_with_quality(&mut bytes, quality).encode(&rgb, width, height, ExtendedColorType::Rgb8)?;
        if bytes.len() <= MAX_MADE {
            break;
        }
    }
    Ok(bytes)
}

/// Returns a square picture of black and white pixels as a PNG. `is_black` gets a column and a row.
///
/// # Errors
/// If the picture has no pixels, or too many.
pub fn black_and_white(side: u32, is_black: impl Fn(u32, u32) -> bool) -> Result<Vec<u8>, PictureError> {
    if u64::from(side) * u64::from(side) > MAX_PIXELS {
        return Err(PictureError::TooManyPixels);
    }
    let luma = |column, row| Luma([if is_black(column, row) { u8::MIN } else { u8::MAX }]);
    let mut bytes = Vec::new();
    PngEncoder::new(&mut bytes).write_image(
        &GrayImage::from_fn(side, side, luma),
        side,
        side,
        ExtendedColorType::L8,
    )?;
    Ok(bytes)
}

/// Returns the picture as a PNG file. A higher compression level would take four times as long for a file of the same
/// size.
fn png(image: &RgbaImage) -> Result<Vec<u8>, PictureError> {
    let (width, height) = image.dimensions();
    let mut bytes = Vec::new();
    let encoder = PngEncoder::new_with_quality(&mut bytes, CompressionType::Level(4), FilterType::Adaptive);
    encoder.write_image(image, width, height, ExtendedColorType::Rgba8)?;
    Ok(bytes)
}
