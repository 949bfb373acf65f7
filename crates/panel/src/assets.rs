//! The style sheet, the script and the picture of the pages: inside the program, each under a name that changes with
//! its content, so that a browser keeps it for good and never shows an old one.

use std::fmt::Write;
use std::sync::LazyLock;

use actix_web::http::header::{CACHE_CONTROL, CONTENT_TYPE, HeaderValue};
use actix_web::{HttpRequest, HttpResponse};
use sha2::{Digest, Sha256};

use crate::problem::Problem;

/// One file that pages refer to.
pub(crate) struct Asset {
    /// Where it is fetched.
    pub(crate) path: String,
    content: &'static str,
    content_type: &'static str,
}

/// The files that every page names.
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

impl Asset {
    fn new(name: &str, extension: &str, content_type: &'static str, content: &'static str) -> Self {
        let digest = Sha256::digest(content.as_bytes());
        let mut path = format!("/assets/{name}-");
        for byte in digest.iter().take(8) {
            // Writing to a text cannot fail.
            let _ = write!(path, "{byte:02x}");
        }
        path.push('.');
        path.push_str(extension);
        Self { path, content, content_type }
    }
}

/// `GET /assets/{file}`.
pub(crate) async fn serve(request: HttpRequest) -> Result<HttpResponse, Problem> {
    let assets = [&ASSETS.style, &ASSETS.script, &ASSETS.icon];
    let asset = assets.into_iter().find(|asset| asset.path == request.path()).ok_or(Problem::NotFound)?;
    Ok(HttpResponse::Ok()
        .insert_header((CONTENT_TYPE, HeaderValue::from_static(asset.content_type)))
        .insert_header((CACHE_CONTROL, HeaderValue::from_static("public, max-age=31536000, immutable")))
        .body(asset.content))
}
