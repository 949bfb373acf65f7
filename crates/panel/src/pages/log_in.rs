//! `GET` and `POST /ingresar`: a session for somebody who knows the password.

use actix_web::HttpResponse;
use actix_web::http::StatusCode;
use askama::Template;
use kuraka_app::SignInError;

use crate::frame::Frame;
use crate::problem::Problem;
use crate::submission::OpenSubmission;
use crate::visit::Guest;
use crate::{door, page};

#[derive(Template)]
#[template(path = "log_in.html")]
struct LogInPage {
    frame: Frame,
    form_token: String,
    sign_up: bool,
    email: String,
    wrong: Option<&'static str>,
}

pub(crate) async fn show(guest: Guest) -> Result<HttpResponse, Problem> {
    if guest.visit.is_some() {
        return Ok(page::elsewhere("/panel"));
    }
    answer(&guest, StatusCode::OK, String::new(), None)
}

pub(crate) async fn submit(form: OpenSubmission) -> Result<HttpResponse, Problem> {
    let OpenSubmission { guest, fields } = form;
    let panel = &guest.panel;
    let (email, password) = (fields.text("email"), fields.text("password"));
    match panel.sign_in.log_in(email, password, (panel.site.client_address)(&guest.request)).await {
        Ok(session) => {
            door::leave(&guest).await?;
            Ok(door::enter(&guest, &session))
        }
        Err(SignInError::Throttled(throttled)) => Err(throttled.into()),
        Err(SignInError::Busy) => Err(Problem::Busy),
        Err(SignInError::Store(error)) => Err(error.into()),
        Err(SignInError::Wrong) => {
            // The same words whether the account exists or not.
            let wrong = Some("El correo o la contraseña no es correcto.");
            answer(&guest, StatusCode::UNPROCESSABLE_ENTITY, email.to_owned(), wrong)
        }
    }
}

fn answer(
    guest: &Guest,
    status: StatusCode,
    email: String,
    wrong: Option<&'static str>,
) -> Result<HttpResponse, Problem> {
    door::with_form(guest, |form_token| {
        let sign_up = guest.panel.site.sign_up.is_some();
        page::html(status, &LogInPage { frame: Frame::outside(), form_token, sign_up, email, wrong })
    })
}
