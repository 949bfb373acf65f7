//! `GET` and `POST /correo/{code}`: ends the mails of changes. Mail programs send the POST (RFC 8058): no form token, no
//! origin.

use actix_web::HttpResponse;
use actix_web::http::StatusCode;
use askama::Template;
use kuraka_app::{ClientNetwork, MailChanges};

use super::new_password::code;
use crate::current_user::Visitor;
use crate::error::PageError;
use crate::layout::Layout;
use crate::response;

#[derive(Template)]
#[template(path = "end_digest.html")]
struct EndDigestPage {
    layout: Layout,
    is_ended: bool,
}

pub(crate) async fn show(visitor: Visitor) -> Result<HttpResponse, PageError> {
    visitor.panel.form_rate.codes.take(&visitor.client_address().map(ClientNetwork::from))?;
    let is_known = mail_changes(&visitor)?.digests.has_digest_code(link_code(&visitor)?).await?;
    page(&visitor, is_known, false)
}

/// Not limited: one network sends for many users.
pub(crate) async fn end(visitor: Visitor) -> Result<HttpResponse, PageError> {
    let is_known = mail_changes(&visitor)?.digests.end_digest(link_code(&visitor)?).await?;
    page(&visitor, is_known, true)
}

/// What is no code does not reach the store.
fn link_code(visitor: &Visitor) -> Result<&str, PageError> {
    let is_code = |code: &&str| code.len() == 32 && code.bytes().all(|byte| byte.is_ascii_hexdigit());
    Some(code(visitor)).filter(is_code).ok_or(PageError::NotFound)
}

fn mail_changes(visitor: &Visitor) -> Result<&MailChanges, PageError> {
    visitor.panel.mail_changes.as_deref().ok_or(PageError::NotFound)
}

fn page(visitor: &Visitor, is_known: bool, is_ended: bool) -> Result<HttpResponse, PageError> {
    if !is_known {
        return Err(PageError::NotFound);
    }
    let layout = Layout::public(&visitor.panel.site);
    Ok(response::page(StatusCode::OK, &EndDigestPage { layout, is_ended }))
}
