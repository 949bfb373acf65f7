//! `GET /assets/{file}`: a style sheet, a script or an icon, which browsers may cache forever.

use actix_web::http::header::{CACHE_CONTROL, CONTENT_TYPE, HeaderValue};
use actix_web::{HttpRequest, HttpResponse};

use crate::assets::ASSETS;
use crate::error::PageError;
use crate::request;

pub(crate) async fn show(request: HttpRequest) -> Result<HttpResponse, PageError> {
    let (path, panel) = (request.path(), request::panel(&request)?);
    let asset = ASSETS.find(path).or_else(|| panel.site.brand.find(path)).ok_or(PageError::NotFound)?;
    Ok(HttpResponse::Ok()
        .insert_header((CONTENT_TYPE, HeaderValue::from_static(asset.content_type)))
        .insert_header((CACHE_CONTROL, HeaderValue::from_static("public, max-age=31536000, immutable")))
        .body(asset.content.clone()))
}
