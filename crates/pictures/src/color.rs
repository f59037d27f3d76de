//! Converts colors to sRGB, which all browsers and printers assume for pictures without a profile.

use image::RgbaImage;
use moxcms::{ColorProfile, DataColorSpace, Layout, TransformOptions};

/// Returns the picture in sRGB. `profile` is the ICC profile of the file it was made of. A profile is ignored if it is
/// damaged, or if it does not match the decoded color space, such as a CMYK profile.
pub(crate) fn to_srgb(image: RgbaImage, is_gray: bool, profile: Option<&[u8]>) -> RgbaImage {
    match profile.and_then(|profile| converted(&image, is_gray, profile)) {
        Some(converted) => converted,
        None => image,
    }
}

fn converted(image: &RgbaImage, is_gray: bool, profile: &[u8]) -> Option<RgbaImage> {
    let profile = ColorProfile::new_from_slice(profile).ok()?;
    let gray: Vec<u8>;
    let (layout, source) = match profile.color_space {
        DataColorSpace::Rgb => (Layout::Rgba, image.as_raw()),
        DataColorSpace::Gray if is_gray => {
            gray = image.pixels().flat_map(|pixel| [pixel.0[0], pixel.0[3]]).collect();
            (Layout::GrayAlpha, &gray)
        }
        _ => return None,
    };
    let srgb = ColorProfile::new_srgb();
    let transform = profile.create_transform_8bit(layout, &srgb, Layout::Rgba, TransformOptions::default()).ok()?;
    let mut made = vec![0; image.as_raw().len()];
    transform.transform(source, &mut made).ok()?;
    let mut made = RgbaImage::from_raw(image.width(), image.height(), made)?;
    for (pixel, before) in made.pixels_mut().zip(image.pixels()) {
        pixel.0[3] = before.0[3];
    }
    Some(made)
}
