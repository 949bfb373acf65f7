//! The pages' style sheets, scripts and icon, compiled into the program. A digest in each path lets browsers cache it
//! forever.

use std::sync::LazyLock;

use actix_web::web::Bytes;
use sha2::{Digest, Sha256};

#[derive(Clone, Debug)]
pub(crate) struct Asset {
    /// `/assets/panel-<digest>.css`.
    pub(crate) path: String,
    pub(crate) content: Bytes,
    pub(crate) content_type: &'static str,
}

/// The files of every page, of the pages with a session, and of the lookup pages.
pub(crate) struct Assets {
    pub(crate) style: Asset,
    pub(crate) script: Asset,
    pub(crate) icon: Asset,
    pub(crate) signed_in_style: Asset,
    pub(crate) lookup_style: Asset,
    pub(crate) lookup_script: Asset,
}

pub(crate) static ASSETS: LazyLock<Assets> = LazyLock::new(|| Assets {
    style: text("panel", "css", "text/css; charset=utf-8", include_str!("../assets/panel.css")),
    script: text("panel", "js", "text/javascript; charset=utf-8", include_str!("../assets/panel.js")),
    signed_in_style: text("signed_in", "css", "text/css; charset=utf-8", include_str!("../assets/signed_in.css")),
    lookup_style: text("lookups", "css", "text/css; charset=utf-8", include_str!("../assets/lookups.css")),
    lookup_script: text("lookups", "js", "text/javascript; charset=utf-8", include_str!("../assets/lookups.js")),
    icon: text("icon", "svg", "image/svg+xml", include_str!("../assets/icon.svg")),
});

fn text(name: &str, extension: &str, content_type: &'static str, content: &'static str) -> Asset {
    Asset::new(name, extension, content_type, Bytes::from_static(content.as_bytes()))
}

impl Assets {
    pub(crate) fn find(&self, path: &str) -> Option<&Asset> {
        let pages = [&self.style, &self.script, &self.icon, &self.signed_in_style];
        let mut all = pages.into_iter().chain([&self.lookup_style, &self.lookup_script]);
        all.find(|asset| asset.path == path)
    }
}

impl Asset {
    pub(crate) fn new(name: &str, extension: &str, content_type: &'static str, content: Bytes) -> Self {
        let digest = Sha256::digest(&content);
        let digest = hex::encode(digest.get(..8).unwrap_or_default());
        Self { path: format!("/assets/{name}-{digest}.{extension}"), content, content_type }
    }
}
