//! The start of a session: the log-in and sign-up forms before it, and its cookie.

use actix_web::HttpResponse;
use kuraka_app::LoggedIn;

use crate::cookie::Cookie;
use crate::error::PageError;
use crate::layout::Layout;
use crate::request::Visitor;
use crate::site::Site;
use crate::{csrf, response};

/// The form's token belongs to the browser's form cookie, set if missing.
pub(crate) fn page_with_form(
    visitor: &Visitor,
    page: impl FnOnce(Layout) -> HttpResponse,
) -> Result<HttpResponse, PageError> {
    let site = &visitor.panel.site;
    let page = |secret: &str| page(Layout { form_token: csrf::form_token(secret), ..Layout::public(site) });
    if let Some(secret) = Cookie::Form.read(&visitor.request, site).filter(|secret| csrf::is_secret(secret)) {
        return Ok(page(secret));
    }
    let secret = csrf::new_secret().map_err(|_| PageError::Internal("the system has no random numbers"))?;
    let mut response = page(&secret);
    Cookie::Form.set(site, &secret, &mut response);
    Ok(response)
}

/// Sets the cookies and opens this page.
pub(crate) fn start(visitor: &Visitor, logged_in: &LoggedIn, page: &str) -> HttpResponse {
    let site = &visitor.panel.site;
    let mut response = redirect(site, logged_in, page);
    Cookie::Form.forget(site, &mut response);
    response
}

pub(crate) fn redirect(site: &Site, logged_in: &LoggedIn, page: &str) -> HttpResponse {
    let mut response = response::redirect(page);
    set_cookies(site, logged_in, &mut response);
    response
}

pub(crate) fn set_cookies(site: &Site, logged_in: &LoggedIn, response: &mut HttpResponse) {
    Cookie::Session.set(site, logged_in.session.reveal(), response);
    Cookie::Device.set(site, logged_in.device.reveal(), response);
}
