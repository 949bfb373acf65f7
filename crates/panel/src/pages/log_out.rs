//! `POST /salir`: ends the session on the server and in the browser.

use actix_web::HttpResponse;

use crate::cookie::Cookie;
use crate::error::PageError;
use crate::form::UserForm;
use crate::response;

pub(crate) async fn submit(form: UserForm) -> Result<HttpResponse, PageError> {
    let panel = &form.user.panel;
    panel.sign_in.log_out(&form.user.session).await?;
    let mut response = response::redirect("/");
    Cookie::Session.forget(&panel.site, &mut response);
    Ok(response)
}
