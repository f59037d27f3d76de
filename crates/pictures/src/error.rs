//! Why a file cannot be converted to a picture.

use image::ImageError;
use thiserror::Error;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum PictureError {
    #[error("the file is empty; send the picture itself as the body")]
    Empty,
    #[error("the file is larger than 10 MiB; make the picture smaller")]
    TooLarge,
    #[error("the picture has more than 24 megapixels; make it smaller")]
    TooManyPixels,
    #[error("the picture takes more than 256 MiB of memory; make it smaller, or save it without animation")]
    TooMuchMemory,
    #[error("the picture is damaged, or a part of it is missing")]
    Damaged,
    #[error("this is a HEIC picture, as iPhones take them; save or export it as JPEG")]
    Heic,
    #[error("this is an AVIF picture; save it as JPEG or PNG")]
    Avif,
    #[error("this is an SVG drawing; export it as PNG")]
    Svg,
    #[error("this is not a PNG, JPEG, WebP or GIF picture; save it as one of them")]
    OtherType,
    #[error("this rare variant of the file type is not supported; open the picture in a program and save it again")]
    OtherForm,
    #[error("the picture is not in the stored format")]
    NotAsMade,
}

/// Kinds of errors, from which callers derive a status code.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ErrorClass {
    /// The file type is not supported.
    Type,
    /// The file exceeds a limit.
    Size,
    /// The content of the file does not match its type.
    Form,
}

impl PictureError {
    pub fn class(self) -> ErrorClass {
        match self {
            Self::Heic | Self::Avif | Self::Svg | Self::OtherType | Self::OtherForm => ErrorClass::Type,
            Self::TooLarge | Self::TooManyPixels | Self::TooMuchMemory => ErrorClass::Size,
            Self::Empty | Self::Damaged | Self::NotAsMade => ErrorClass::Form,
        }
    }
}

impl From<ImageError> for PictureError {
    fn from(error: ImageError) -> Self {
        match error {
            ImageError::Limits(_) => Self::TooMuchMemory,
            ImageError::Unsupported(_) => Self::OtherForm,
            _ => Self::Damaged,
        }
    }
}
