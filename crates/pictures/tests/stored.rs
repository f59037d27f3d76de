//! The check of pictures that an import reads from a file.

use fieldbook_pictures::{PictureError, check, make};
use image::{Rgba, RgbaImage};

use super::files::{drawing, gif, jpeg, png, progressive_jpeg, with_segment};

#[test]
fn pictures_converted_at_upload_are_accepted_when_read_from_the_store() {
    for file in [png(drawing(2000, 300)), png(RgbaImage::from_pixel(9, 9, Rgba([1, 2, 3, 4])))] {
        let made = make(&file).expect("a picture");
        assert_eq!(check(made.bytes.clone()), Ok(made));
    }
}

#[test]
fn stored_picture_with_metadata_or_trailing_data_is_refused() {
    let made = make(&jpeg(drawing(30, 20))).expect("a picture").bytes;
    let of_glass = make(&png(RgbaImage::from_pixel(9, 9, Rgba([1, 2, 3, 4])))).expect("a picture").bytes;
    let comment = b"\0\0\0\x04tEXtA\0B\0\0\0\0\0";
    let end = of_glass.len() - 12;
    let cases = [
        with_segment(&made, 0xfe, b"a comment"),
        with_segment(&made, 0xe1, b"Exif\0\0"),
        [&made[..], b"<script>"].concat(),
        [&made[..], &made[..]].concat(),
        [&of_glass[..], b"PK\x03\x04"].concat(),
        [&of_glass[..end], comment, &of_glass[end..]].concat(),
        progressive_jpeg(8, 8, 3, 0),
        png(drawing(1601, 2)),
        gif(vec![RgbaImage::new(4, 4)]),
        vec![0; fieldbook_pictures::MAX_MADE + 1],
    ];
    for (bytes, number) in cases.into_iter().zip(1..) {
        assert_eq!(check(bytes), Err(PictureError::NotAsMade), "case {number}");
    }
}

#[test]
fn stored_picture_that_cannot_be_decoded_is_refused() {
    let mut damaged = make(&png(RgbaImage::from_pixel(90, 90, Rgba([1, 2, 3, 4])))).expect("a picture").bytes;
    let middle = damaged.len() / 2;
    damaged[middle] ^= 0xff;
    assert_eq!(check(damaged), Err(PictureError::Damaged));
    assert_eq!(check(Vec::new()), Err(PictureError::Empty));
    assert_eq!(check(b"<svg/>".to_vec()), Err(PictureError::Svg));
}
