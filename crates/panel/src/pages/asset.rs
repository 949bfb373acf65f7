//! `GET /assets/{file}`: a style sheet, a script or an icon, which browsers may cache forever.

use actix_web::http::header::{CACHE_CONTROL, CONTENT_TYPE, HeaderValue};
use actix_web::{HttpRequest, HttpResponse};

use crate::assets::ASSETS;
use crate::error::PageError;

pub(crate) async fn show(request: HttpRequest) -> Result<HttpResponse, PageError> {
    let asset = ASSETS.find(request.path()).ok_or(PageError::NotFound)?;
    Ok(HttpResponse::Ok()
        .insert_header((CONTENT_TYPE, HeaderValue::from_static(asset.content_type)))
        .insert_header((CACHE_CONTROL, HeaderValue::from_static("public, max-age=31536000, immutable")))
        .body(asset.content))
}
