//! The way in: a form for somebody without a session, and the session's cookie once there is one.

use actix_web::HttpResponse;

use crate::cookie::Cookie;
use crate::problem::Problem;
use crate::visit::Guest;
use crate::{forgery, page};

/// A page with a form. Its token is made of the browser's form cookie, which is set if there is none yet.
pub(crate) fn with_form(guest: &Guest, page: impl FnOnce(String) -> HttpResponse) -> Result<HttpResponse, Problem> {
    let site = &guest.panel.site;
    if let Some(secret) = Cookie::Form.read(&guest.request, site).filter(|secret| forgery::is_secret(secret)) {
        return Ok(page(forgery::form_token(secret)));
    }
    let secret = forgery::new_secret().map_err(|_| Problem::Inside("the system gives no randomness"))?;
    let mut response = page(forgery::form_token(&secret));
    Cookie::Form.set(site, &secret, &mut response);
    Ok(response)
}

/// Into the panel, with a new session. The form cookie has done its work.
pub(crate) fn enter(guest: &Guest, session: &str) -> HttpResponse {
    let site = &guest.panel.site;
    let mut response = page::elsewhere("/panel");
    Cookie::Session.set(site, session, &mut response);
    Cookie::Form.forget(site, &mut response);
    response
}
