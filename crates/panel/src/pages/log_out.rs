//! `POST /salir`: ends the session, here and in the browser.

use actix_web::HttpResponse;

use crate::cookie::Cookie;
use crate::page;
use crate::problem::Problem;
use crate::submission::Submission;

pub(crate) async fn submit(form: Submission) -> Result<HttpResponse, Problem> {
    let panel = &form.visit.panel;
    panel.sign_in.log_out(&form.visit.session).await?;
    let mut response = page::elsewhere("/");
    Cookie::Session.forget(&panel.site, &mut response);
    Ok(response)
}
