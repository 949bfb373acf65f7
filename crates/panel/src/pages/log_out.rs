//! `POST /salir`: ends the session, here and in the browser.

use actix_web::HttpResponse;
use actix_web::http::header::SET_COOKIE;

use crate::cookie::Cookie;
use crate::page;
use crate::problem::Problem;
use crate::submission::Submission;

pub(crate) async fn submit(form: Submission) -> Result<HttpResponse, Problem> {
    let panel = &form.visit.panel;
    panel.sessions.end(&form.visit.session).await?;
    let mut response = page::elsewhere("/");
    if let Some(forget) = Cookie::Session.forget(&panel.site) {
        response.headers_mut().append(SET_COOKIE, forget);
    }
    Ok(response)
}
