//! The style sheet, the script and the icon of the pages, compiled into the program. The path of each contains a digest
//! of its content, so that a browser may cache it forever.

use std::fmt::Write;
use std::sync::LazyLock;

use sha2::{Digest, Sha256};

/// One file that pages link to.
pub(crate) struct Asset {
    /// `/assets/panel-<digest>.css`.
    pub(crate) path: String,
    pub(crate) content: &'static str,
    pub(crate) content_type: &'static str,
}

/// The files that every page links to.
pub(crate) struct Assets {
    pub(crate) style: Asset,
    pub(crate) script: Asset,
    pub(crate) icon: Asset,
}

pub(crate) static ASSETS: LazyLock<Assets> = LazyLock::new(|| Assets {
    style: Asset::new("panel", "css", "text/css; charset=utf-8", include_str!("../assets/panel.css")),
    script: Asset::new("panel", "js", "text/javascript; charset=utf-8", include_str!("../assets/panel.js")),
    icon: Asset::new("icon", "svg", "image/svg+xml", include_str!("../assets/icon.svg")),
});

impl Assets {
    /// The file at this path.
    pub(crate) fn find(&self, path: &str) -> Option<&Asset> {
        [&self.style, &self.script, &self.icon].into_iter().find(|asset| asset.path == path)
    }
}

impl Asset {
    fn new(name: &str, extension: &str, content_type: &'static str, content: &'static str) -> Self {
        let digest = Sha256::digest(content.as_bytes());
        let mut path = format!("/assets/{name}-");
        for byte in digest.iter().take(8) {
            // Writing to a `String` cannot fail.
            let _ = write!(path, "{byte:02x}");
        }
        path.push('.');
        path.push_str(extension);
        Self { path, content, content_type }
    }
}
