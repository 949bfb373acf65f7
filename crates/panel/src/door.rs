//! The way in: a form for somebody without a session, and the session's cookie once there is one.

use actix_web::HttpResponse;
use kuraka_app::SessionSecret;

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

/// Ends the session that the browser still has: a new one takes its place.
pub(crate) async fn leave(guest: &Guest) -> Result<(), Problem> {
    match &guest.visit {
        Some(visit) => Ok(guest.panel.sign_in.log_out(&visit.session).await?),
        None => Ok(()),
    }
}

/// Into the panel, with a new session. The form cookie has done its work.
pub(crate) fn enter(guest: &Guest, session: &SessionSecret) -> HttpResponse {
    let site = &guest.panel.site;
    let mut response = page::elsewhere("/panel");
    Cookie::Session.set(site, session.reveal(), &mut response);
    Cookie::Form.forget(site, &mut response);
    response
}
