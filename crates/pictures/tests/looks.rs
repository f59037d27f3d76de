//! The pixels of converted pictures, and the metadata that is removed from them.

use std::io::Cursor;

use fieldbook_pictures::{Picture, Type, make};
use image::codecs::png::PngEncoder;
use image::{DynamicImage, ImageBuffer, ImageEncoder, Luma, Rgb, RgbImage, Rgba, RgbaImage};
use moxcms::ColorProfile;

use super::files::{BLUE, RED, drawing, jpeg, png, progressive_jpeg, turned, with_segment};

fn pixels(made: &Picture) -> RgbaImage {
    image::load_from_memory(&made.bytes).expect("its pixels").into_rgba8()
}

/// Returns the name of the color at a position in a converted picture. JPEG changes colors slightly.
fn color(made: &Picture, x: u32, y: u32) -> &'static str {
    let pixel = pixels(made).get_pixel(x, y).0;
    let is = |color: [u8; 3]| pixel.iter().zip(color).all(|(one, other)| one.abs_diff(other) < 12);
    match (is(RED), is(BLUE)) {
        (true, _) => "red",
        (_, true) => "blue",
        _ => panic!("{pixel:?}"),
    }
}

#[test]
fn picture_is_scaled_down_to_at_most_1600_pixels_on_its_longer_side() {
    let sizes = [
        ((1600, 1200), (1600, 1200)),
        ((1601, 1200), (1600, 1199)),
        ((4000, 3000), (1600, 1200)),
        ((1000, 3200), (500, 1600)),
        ((1, 1), (1, 1)),
        ((1, 60_000), (1, 1600)),
        ((60_000, 1), (1600, 1)),
    ];
    for ((width, height), made_as) in sizes {
        let made = make(&png(drawing(width, height))).expect("a picture");
        assert_eq!((made.width, made.height), made_as, "{width} x {height}");
        assert_eq!(pixels(&made).dimensions(), made_as);
    }
}

#[test]
fn small_picture_keeps_its_pixels() {
    let image = RgbaImage::from_fn(50, 40, |x, y| Rgba([x as u8 * 5, y as u8 * 6, 77, (x + y) as u8 + 100]));
    let made = make(&png(image.clone())).expect("a picture");
    assert_eq!(made.kind, Type::Png);
    assert!(pixels(&made) == image, "a PNG has no loss");
}

#[test]
fn shrinking_a_picture_averages_neighboring_pixels() {
    let stripes = RgbImage::from_fn(3200, 100, |x, _| Rgb(if x % 2 == 0 { [200; 3] } else { [100; 3] }));
    let made = make(&png(stripes)).expect("a picture");
    assert!(pixels(&made).pixels().all(|pixel| pixel.0[0].abs_diff(150) <= 2));
}

#[test]
fn invisible_pixels_do_not_tint_their_neighbors() {
    let image = RgbaImage::from_fn(3200, 2, |x, _| Rgba(if x % 2 == 0 { [200, 0, 0, 255] } else { [0, 255, 0, 0] }));
    let made = make(&png(image)).expect("a picture");
    assert_eq!(pixels(&made).get_pixel(800, 0).0, [200, 0, 0, 128]);
}

#[test]
fn transparent_pictures_become_png_and_others_jpeg() {
    let glass = RgbaImage::from_pixel(30, 30, Rgba([10, 20, 30, 40]));
    assert_eq!(make(&png(glass)).expect("a picture").kind.media_type(), "image/png");
    let wood = RgbaImage::from_pixel(30, 30, Rgba([10, 20, 30, 255]));
    assert_eq!(make(&png(wood)).expect("a picture").kind.media_type(), "image/jpeg");
}

#[test]
fn pictures_are_rotated_by_their_exif_orientation() {
    // For each orientation, the position of the red quarter in the converted picture: left or right, above or below.
    let turns = [(1, 0, 0), (2, 1, 0), (3, 1, 1), (4, 0, 1), (5, 0, 0), (6, 1, 0), (7, 1, 1), (8, 0, 1)];
    for (orientation, right, below) in turns {
        let made = make(&turned(&jpeg(drawing(2400, 1600)), orientation)).expect("a picture");
        let (width, height) = if orientation < 5 { (1600, 1067) } else { (1067, 1600) };
        assert_eq!((made.width, made.height), (width, height), "{orientation}");
        let place = |side: u32, half: u32| side / 4 + half * side / 2;
        let at = |x, y| color(&made, place(width, x), place(height, y));
        assert_eq!(at(right, below), "red", "{orientation}");
        assert_eq!(at(1 - right, below), "blue", "{orientation}");
        assert_eq!(at(right, 1 - below), "blue", "{orientation}");
    }
}

#[test]
fn metadata_of_a_picture_is_removed() {
    let commented = with_segment(&turned(&jpeg(drawing(90, 60)), 6), 0xfe, b"taken by Ada");
    let mut in_text = png(drawing(90, 60));
    in_text.extend(b"taken by Ada");
    for file in [commented, in_text] {
        let made = make(&file).expect("a picture");
        let has = |text: &[u8]| made.bytes.windows(text.len()).any(|part| part == text);
        assert!(!has(b"Ada") && !has(b"Exif") && !has(b"52.5163"), "metadata is kept");
        assert_eq!(fieldbook_pictures::check(made.bytes.clone()), Ok(made));
    }
}

#[test]
fn damaged_metadata_does_not_affect_the_picture() {
    let file = with_segment(&jpeg(drawing(90, 60)), 0xe1, b"Exif\0\0MM\0\x2a\xff\xff\xff\xff");
    assert_eq!(make(&file), make(&jpeg(drawing(90, 60))));
}

fn with_profile(image: &DynamicImage, profile: &[u8]) -> Vec<u8> {
    let mut bytes = Cursor::new(Vec::new());
    let mut encoder = PngEncoder::new(&mut bytes);
    encoder.set_icc_profile(profile.to_vec()).expect("a profile");
    encoder.write_image(image.as_bytes(), image.width(), image.height(), image.color().into()).expect("a file");
    bytes.into_inner()
}

#[test]
fn colors_with_an_embedded_profile_are_converted_to_srgb() {
    let profile = ColorProfile::new_display_p3().encode().expect("a profile");
    let image = RgbaImage::from_pixel(40, 40, Rgba([200, 100, 50, 200])).into();
    let made = make(&with_profile(&image, &profile)).expect("a picture");
    // CSS Color 4 converts color(display-p3 0.784 0.392 0.196) to this color. The tolerance is two units.
    let pixel = pixels(&made).get_pixel(20, 20).0;
    let expected = [215, 93, 31, 200];
    assert!(pixel.iter().zip(expected).all(|(one, other)| one.abs_diff(other) <= 2), "{pixel:?}");
}

#[test]
fn gray_profile_is_applied_to_gray_pictures_and_ignored_in_colored_pictures() {
    let profile = ColorProfile::new_gray_with_gamma(1.0).encode().expect("a profile");
    let gray = ImageBuffer::from_pixel(40, 40, Luma([55_u8])).into();
    let made = make(&with_profile(&gray, &profile)).expect("a picture");
    // With this linear profile, 55 is as bright as 128 in sRGB: about a fifth of the light of white.
    let [red, green, blue, _] = pixels(&made).get_pixel(20, 20).0;
    assert!([red, green, blue].iter().all(|value| value.abs_diff(128) <= 3), "{red} {green} {blue}");
    let colored = drawing(40, 40);
    let with_gray = with_profile(&colored.clone().into(), &profile);
    assert_eq!(make(&with_gray), make(&png(colored)));
}

#[test]
fn damaged_color_profile_is_ignored() {
    assert_eq!(make(&with_profile(&drawing(40, 40).into(), b"no profile")), make(&png(drawing(40, 40))));
}

#[test]
fn picture_with_16_bits_per_sample_is_converted_to_8_bits_per_sample() {
    let deep = ImageBuffer::from_fn(50, 2, |x, _| Rgba([257 * x as u16, 65_535, 128, 32_768]));
    let made = make(&png(DynamicImage::ImageRgba16(deep))).expect("a picture");
    assert_eq!(pixels(&made).get_pixel(49, 1).0, [49, 255, 0, 128]);
}

#[test]
fn gray_pictures_with_and_without_transparency_are_read() {
    let gray = ImageBuffer::from_pixel(10, 10, image::LumaA([90_u8, 128]));
    let made = make(&png(DynamicImage::ImageLumaA8(gray))).expect("a picture");
    assert_eq!(pixels(&made).get_pixel(5, 5).0, [90, 90, 90, 128]);
}

#[test]
fn cmyk_picture_becomes_an_rgb_picture() {
    let white = make(&progressive_jpeg(64, 64, 4, 127)).expect("a picture");
    assert!(pixels(&white).pixels().all(|pixel| pixel.0.iter().all(|value| *value > 250)), "no ink is white");
    let black = make(&progressive_jpeg(64, 64, 4, -127)).expect("a picture");
    assert!(pixels(&black).pixels().all(|pixel| pixel.0[..3].iter().all(|value| *value < 5)), "all ink is black");
}
