//! The types of files that become pictures, and the errors about other files.

use fieldbook_pictures::{ErrorClass, PictureError, Type, make};
use image::{ImageFormat, Rgba, RgbaImage};

use super::files::{BLUE, RED, drawing, file, gif, jpeg, png, webp, webp_film};

fn one_color(color: [u8; 3]) -> RgbaImage {
    RgbaImage::from_pixel(20, 10, Rgba([color[0], color[1], color[2], 255]))
}

/// Converts a file, and returns the color in the middle of the picture.
fn middle(file: &[u8]) -> [u8; 3] {
    let made = make(file).expect("a picture");
    let image = image::load_from_memory(&made.bytes).expect("its pixels").into_rgb8();
    image.get_pixel(made.width / 2, made.height / 2).0
}

fn is_near(one: [u8; 3], other: [u8; 3]) -> bool {
    one.iter().zip(other).all(|(one, other)| one.abs_diff(other) < 8)
}

#[test]
fn png_jpeg_webp_and_gif_become_jpegs() {
    let drawing = drawing(64, 48);
    let files = [
        png(drawing.clone()),
        jpeg(drawing.clone()),
        file(drawing.clone(), ImageFormat::WebP),
        file(drawing, ImageFormat::Gif),
    ];
    for file in files {
        let made = make(&file).expect("a picture");
        assert_eq!((made.kind, made.width, made.height), (Type::Jpeg, 64, 48));
        assert_eq!(image::guess_format(&made.bytes).expect("a format"), ImageFormat::Jpeg);
        assert_eq!(made.id, fieldbook_pictures::id(&made.bytes));
        assert_eq!(made.id.len(), 64);
    }
}

#[test]
fn converting_the_same_picture_file_again_gives_the_same_picture() {
    let file = png(drawing(2000, 1000));
    assert_eq!(make(&file), make(&file));
    assert_ne!(make(&file).expect("a picture").id, make(&png(drawing(2000, 1001))).expect("a picture").id);
}

#[test]
fn animation_becomes_its_first_frame() {
    let frames = vec![one_color(RED), one_color(BLUE)];
    for file in [gif(frames.clone()), webp_film(20, 10, &frames)] {
        let color = middle(&file);
        assert!(is_near(color, RED), "{color:?}");
    }
    assert!(is_near(middle(&webp(&one_color(BLUE))), BLUE));
}

#[test]
fn heic_svg_and_other_unsupported_types_are_refused_with_advice() {
    let heic = b"\0\0\0\x18ftypheic\0\0\0\0mif1heic\0\0\0\0";
    let avif = b"\0\0\0\x18ftypmif1\0\0\0\0avifmif1\0\0\0\0";
    let film = b"\0\0\0\x18ftypisom\0\0\0\0mp41isom\0\0\0\0";
    let svg = "\u{feff}<?xml version='1.0'?>\n<!-- made by hand -->\n<SVG xmlns='http://www.w3.org/2000/svg'/>";
    let cases: [(&[u8], PictureError); 9] = [
        (heic, PictureError::Heic),
        (avif, PictureError::Avif),
        (svg.as_bytes(), PictureError::Svg),
        (film, PictureError::OtherType),
        (b"%PDF-1.7", PictureError::OtherType),
        (b"BM\x1a\0\0\0", PictureError::OtherType),
        (b"II*\0\x08\0\0\0", PictureError::OtherType),
        (b"<html>no drawing</html>", PictureError::OtherType),
        (b"{}", PictureError::OtherType),
    ];
    for (file, error) in cases {
        assert_eq!(make(file), Err(error));
        assert_eq!(error.class(), ErrorClass::Type);
    }
    insta::assert_snapshot!(PictureError::Heic, @"this is a HEIC picture, as iPhones take them; save or export it as JPEG");
    assert_eq!(make(b""), Err(PictureError::Empty));
}

#[test]
fn picture_file_with_only_its_signature_is_reported_as_damaged() {
    let beginnings: [&[u8]; 5] =
        [b"\x89PNG\r\n\x1a\n", b"\xff\xd8\xff\xe0", b"RIFF\x04\0\0\0WEBP", b"GIF89a", b"\xff\xd8\xff\xd9\xff\xd9"];
    for file in beginnings {
        assert_eq!(make(file), Err(PictureError::Damaged), "{file:?}");
    }
}

#[test]
fn truncated_picture_is_reported_as_damaged() {
    let drawing = drawing(300, 200);
    let files = [
        png(drawing.clone()),
        jpeg(drawing.clone()),
        file(drawing.clone(), ImageFormat::WebP),
        file(drawing, ImageFormat::Gif),
    ];
    for file in files {
        for part in [file.len() / 3, file.len() / 2, file.len() * 9 / 10] {
            assert_eq!(make(&file[..part]), Err(PictureError::Damaged), "{part} of {:?}", &file[..4]);
        }
    }
}

#[test]
fn every_seed_of_the_fuzz_target_is_a_valid_picture() {
    let seeds: [(&str, &[u8]); 4] = [
        ("gif", include_bytes!("../../../fuzz/seeds/pictures/gif")),
        ("jpeg", include_bytes!("../../../fuzz/seeds/pictures/jpeg")),
        ("png", include_bytes!("../../../fuzz/seeds/pictures/png")),
        ("lossy WebP", include_bytes!("../../../fuzz/seeds/pictures/webp")),
    ];
    for (name, seed) in seeds {
        assert!(make(seed).is_ok(), "{name}: {:?}", make(seed));
    }
}
