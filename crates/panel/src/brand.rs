//! The look that the operator gives the pages: name, logo, colour.

use crate::assets::{ASSETS, Asset};

/// The least contrast of a text, after WCAG.
const MIN_CONTRAST: f64 = 4.5;
const WHITE: Colour = [255; 3];
/// `--sunken`, the darkest background of the light pages.
const LIGHT: Colour = [0xf3, 0xee, 0xe4];
/// `--surface`, the lightest of the dark ones.
const DARK: Colour = [0x1e, 0x19, 0x14];

/// Red, green, blue.
pub type Colour = [u8; 3];

/// Name, style sheet and icon of the pages.
#[derive(Clone, Debug)]
pub struct Brand {
    pub(crate) name: String,
    pub(crate) style: Asset,
    pub(crate) icon: Asset,
    /// Whether the icon is the operator's logo.
    pub(crate) has_logo: bool,
}

impl Default for Brand {
    fn default() -> Self {
        Self::new("Kuraka".to_owned())
    }
}

impl Brand {
    pub fn new(name: String) -> Self {
        Self { name, style: ASSETS.style.clone(), icon: ASSETS.icon.clone(), has_logo: false }
    }

    /// Reads `#rrggbb`.
    pub fn colour(text: &str) -> Option<Colour> {
        let mut colour = Colour::default();
        hex::decode_to_slice(text.strip_prefix('#')?, &mut colour).ok().map(|()| colour)
    }

    /// `None` = neither SVG nor PNG.
    #[must_use]
    pub fn with_logo(self, content: Vec<u8>) -> Option<Self> {
        let text = content.strip_prefix("\u{feff}".as_bytes()).unwrap_or(&content).trim_ascii_start();
        let has_svg = || text.windows(4).any(|part| part == b"<svg");
        let (extension, content_type) = if content.starts_with(b"\x89PNG\r\n\x1a\n") {
            ("png", "image/png")
        } else if text.starts_with(b"<svg") || text.starts_with(b"<?xml") && has_svg() {
            ("svg", "image/svg+xml")
        } else {
            return None;
        };
        Some(Self { icon: Asset::new("logo", extension, content_type, content.into()), has_logo: true, ..self })
    }

    /// The dark pages have a lighter tone, because no colour is readable on both.
    ///
    /// # Errors
    /// The contrast with the light pages, if it is too low.
    pub fn with_colour(self, colour: Colour) -> Result<Self, f64> {
        let (soft, dark_soft) = (mixed(colour, WHITE, 8), mixed(colour, DARK, 15));
        let least = contrast(colour, LIGHT).min(contrast(colour, soft));
        if least < MIN_CONTRAST {
            return Err(least);
        }
        let is_readable = |tone: &Colour| [DARK, dark_soft].iter().all(|it| contrast(*tone, *it) >= MIN_CONTRAST);
        let light = (0..100).map(|percent| mixed(WHITE, colour, percent)).find(is_readable).unwrap_or(WHITE);
        let [accent, strong, soft, light, dark_soft] =
            [colour, mixed(colour, [0; 3], 80), soft, light, dark_soft].map(hex::encode);
        let mut style = self.style.content.to_vec();
        style.extend_from_slice(
            format!(
                ":root {{ --accent: #{accent}; --accent-fill: #{accent}; --accent-fill-strong: #{strong}; --accent-soft: #{soft}; }}\n\
                 @media screen and (prefers-color-scheme: dark) {{ :root {{ --accent: #{light}; --accent-soft: #{dark_soft}; }} }}\n"
            )
            .as_bytes(),
        );
        Ok(Self { style: Asset::new("panel", "css", self.style.content_type, style.into()), ..self })
    }

    pub(crate) fn find(&self, path: &str) -> Option<&Asset> {
        [&self.style, &self.icon].into_iter().find(|asset| asset.path == path)
    }
}

/// `percent` of the one, the rest of the other.
fn mixed([r, g, b]: Colour, [x, y, z]: Colour, percent: u16) -> Colour {
    let mix = |one: u8, other: u8| (u16::from(one) * percent + u16::from(other) * (100 - percent)) / 100;
    [mix(r, x), mix(g, y), mix(b, z)].map(|part| u8::try_from(part).unwrap_or(u8::MAX))
}

/// WCAG's contrast ratio.
fn contrast(one: Colour, other: Colour) -> f64 {
    let [one, other] = [one, other].map(|[r, g, b]| {
        let linear = |part: u8| match f64::from(part) / 255.0 {
            part if part <= 0.04045 => part / 12.92,
            part => ((part + 0.055) / 1.055).powf(2.4),
        };
        0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b) + 0.05
    });
    one.max(other) / one.min(other)
}
